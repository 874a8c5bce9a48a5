"""Names in a text -> the classes of a page's style sheet that colour them, and the looks that the rules give them.

Ink(("red", "ann")).words(spliced((named("red", "seat"), " waits")))      <b class="seat ink-red">red</b> waits
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.ir.model import GameRules, Look
from rulelang.knowledge.phrase import Name, names_in
from rulelang.pages.markup import Markup, element, text, together
from rulelang.screens.colours import colour_in, seat_colours
from rulelang.screens.looks import PLAIN, look_of

if TYPE_CHECKING:
    from rulelang.match.match import BareMatch


class Ink:
    """The colours of one match's seats, and the looks of its things; whatever is named after a colour has that colour."""

    def __init__(self, seats: tuple[str, ...], colours: tuple[str, ...] = (), game: GameRules | None = None) -> None:
        self.seats = {seat: colour or "grey" for seat, colour in seat_colours(seats, colours).items()}
        self.game = game

    @classmethod
    def of_match(cls, match: BareMatch) -> Ink:
        """Returns the colours of a match: those that the rules give its seats and things."""
        return cls(match.seat_names, match.game.colours, match.game)

    def words(self, words: str) -> Markup:
        """Returns a text with its names marked and coloured."""
        parts: list[str] = []
        at = 0
        for name in names_in(words):
            if name.start >= at:
                parts += (str(words[at : name.start]), self.name(str(words[name.start : name.end]), name))
                at = name.end
        return together(*parts, str(words[at:])) if parts else text(words)

    def colour(self, words: str) -> str:
        """Returns the colour of the first name in a text that has one; "" if there is none."""
        return next((ink for name in names_in(words) if (ink := self._of(words, name))), "")

    def look(self, words: str) -> Look:
        """Returns the look of the first name in a text, as the rules say it."""
        name = next(iter(names_in(words)), None)
        return PLAIN if name is None else self.look_of(name)

    def look_of(self, name: Name) -> Look:
        """Returns the look of what a name names."""
        return PLAIN if self.game is None else look_of(name, self.game)

    def is_seat(self, words: str) -> bool:
        """Returns whether a text is the name of a seat."""
        return any(name.what == "seat" and (name.start, name.end) == (0, len(words)) for name in names_in(words))

    def name(self, called: str, name: Name) -> Markup:
        """Returns a name, marked and coloured."""
        ink = self.ink_of(called, name)
        return element("b", called, klass=" ".join(filter(None, (name.what, ink and f"ink-{ink}"))))

    def _of(self, words: str, name: Name) -> str:
        return self.ink_of(str(words[name.start : name.end]), name)

    def ink_of(self, called: str, name: Name) -> str:
        """Returns the colour of a name: that of the seat, the one that the rules give, or the one that it begins by."""
        own = self.seats.get(called, "") if name.what == "seat" else ""
        return own or self.look_of(name).colour or colour_in(called)
