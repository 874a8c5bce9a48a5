"""Words for a terminal: seats in their colours, control characters as visible signs.

Styles(("red", "ann"))(spliced((named("red", "seat"), " waits")))      # "red" in red
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from rulelang.knowledge.phrase import Name, names_in
from rulelang.screens.colours import colour_in, seat_colours
from rulelang.screens.looks import look_of

from ..console import safe

if TYPE_CHECKING:
    from rulelang.ir.model import GameRules
    from rulelang.match.match import BareMatch

STYLES = {
    "red": "red",
    "green": "green",
    "blue": "bright_blue",
    "yellow": "yellow",
    "purple": "magenta",
    "orange": "dark_orange",
    "cyan": "cyan",
    "pink": "hot_pink",
    "white": "bold",
    "black": "bright_black",
    "brown": "orange4",
    "crimson": "red3",
    "amber": "orange1",
    "ivory": "cornsilk1",
    "slate": "grey50",
    "grey": "grey62",
}
"""The styles of the colours of seats and things."""
QUIET = "bright_black"
"""The style of labels, backs and other secondary text."""


class Styles:
    """Makes text in which seats, and things named after a colour, have their colours."""

    def __init__(self, seats: tuple[str, ...], colours: tuple[str, ...] = (), game: GameRules | None = None) -> None:
        self.seats = seats
        self.game = game
        self.styles = {seat: STYLES.get(colour, "bold") for seat, colour in seat_colours(seats, colours).items()}

    @classmethod
    def of_match(cls, match: BareMatch) -> Styles:
        """Returns the styles of a match: the names of its seats for people, in the colours that the rules give them."""
        return cls(match.seat_names, match.game.colours, match.game)

    def __call__(self, text: str, style: str = "") -> Text:
        """Returns text that is safe to print, its names in their colours."""
        written = safe(text, style)
        for name in names_in(text):
            written.stylize(self._look(text, name), name.start, name.end)
        return written

    def of(self, text: str) -> str:
        """Returns the style of the first name in a text that has one; "" if there is none."""
        return next((look for name in names_in(text) if (look := self._look(text, name))), "")

    def _look(self, text: str, name: Name) -> str:
        called = str(text[name.start : name.end])
        own = self.styles.get(called, "") if name.what == "seat" else ""
        said = "" if self.game is None else look_of(name, self.game).colour
        return own or STYLES.get(said or colour_in(called), "")
