"""Words for a terminal: seats in their colours, control characters as visible signs.

Ink(("red", "ann"))("red and ann")      # "red" in red, "ann" in the first colour that is no seat's name
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.text import Text

from ..console import safe

if TYPE_CHECKING:
    from rulelang.match.match import BareMatch

COLOURS = {
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
"""How seats that are called after a colour look."""
SPARE = ("cyan", "magenta", "yellow", "green", "bright_blue", "red", "dark_orange")
"""For seats with other names, in their order."""
QUIET = "bright_black"
"""For labels, backs and whatever is not the point."""


class Ink:
    """Writes text in which the seats have their colours."""

    def __init__(self, seats: tuple[str, ...], colours: tuple[str, ...] = ()) -> None:
        self.seats = seats
        given = dict(zip(seats, colours, strict=False))
        own = {seat: COLOURS.get(given.get(seat) or seat.casefold()) for seat in seats}
        spare = iter(c for c in SPARE if c not in own.values())
        self.styles = {seat: own[seat] or next(spare, "bold") for seat in seats}
        # What is called after a colour looks so, unless a seat does.
        self.styles = {**COLOURS, **self.styles}
        names = "|".join(re.escape(name) for name in sorted(self.styles, key=len, reverse=True))
        self._names = re.compile(rf"(?<![A-Za-z])(?:{names})(?![A-Za-z])")

    @classmethod
    def of_match(cls, match: BareMatch) -> Ink:
        """Returns the ink of a match: its seats by the names that people read, in the colours that the rules give them."""
        return cls(match.seat_names, match.game.colours)

    def __call__(self, text: str, style: str = "") -> Text:
        """Returns text that is safe to print."""
        written = safe(text, style)
        for found in self._names.finditer(written.plain):
            written.stylize(self.styles[found.group()], *found.span())
        return written

    def of(self, text: str) -> str:
        """Returns the look of the first name in a text, "" if there is none."""
        found = self._names.search(text)
        return self.styles[found.group()] if found else ""
