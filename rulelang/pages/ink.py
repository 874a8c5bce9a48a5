"""Names in a text -> the classes of a page's style sheet that colour them: seats, and things named after a colour.

Ink(("red", "ann")).words(spliced((named("red", "seat"), " waits")))      <b class="seat ink-red">red</b> waits
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.knowledge.phrase import Name, names_in
from rulelang.pages.markup import Markup, element, text, together
from rulelang.screens.colours import colour_in, seat_colours

if TYPE_CHECKING:
    from rulelang.match.match import BareMatch


class Ink:
    """The colours of one match's seats, and of whatever is named after a colour."""

    def __init__(self, seats: tuple[str, ...], colours: tuple[str, ...] = ()) -> None:
        self.seats = {seat: colour or "grey" for seat, colour in seat_colours(seats, colours).items()}

    @classmethod
    def of_match(cls, match: BareMatch) -> Ink:
        """Returns the colours of a match: those that the rules give its seats."""
        return cls(match.seat_names, match.game.colours)

    def words(self, words: str) -> Markup:
        """Returns a text with its names marked and coloured."""
        parts: list[str] = []
        at = 0
        for name in names_in(words):
            if name.start >= at:
                called = str(words[name.start : name.end])
                parts += (str(words[at : name.start]), self._name(called, name))
                at = name.end
        return together(*parts, str(words[at:])) if parts else text(words)

    def colour(self, words: str) -> str:
        """Returns the colour of the first name in a text that has one; "" if there is none."""
        return next((ink for name in names_in(words) if (ink := self._of(words, name))), "")

    def is_seat(self, words: str) -> bool:
        """Returns whether a text is the name of a seat."""
        return any(name.what == "seat" and (name.start, name.end) == (0, len(words)) for name in names_in(words))

    def _name(self, called: str, name: Name) -> Markup:
        ink = self.seats.get(called, "") if name.what == "seat" else colour_in(called)
        return element("b", called, klass=" ".join(filter(None, (name.what, ink and f"ink-{ink}"))))

    def _of(self, words: str, name: Name) -> str:
        called = str(words[name.start : name.end])
        return (self.seats.get(called, "") if name.what == "seat" else "") or colour_in(called)
