"""Names in a text -> the classes of a page's style sheet that colour them: seats, and things named after a colour.

Ink(("red", "ann")).words(spliced((named("red", "seat"), " waits")))      <b class="seat ink-red">red</b> waits
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.knowledge.phrase import Name, names_in
from rulelang.pages.markup import Markup, element, text, together

if TYPE_CHECKING:
    from rulelang.match.match import BareMatch

COLOURS = (
    "red", "green", "blue", "yellow", "purple", "orange", "cyan", "pink", "white", "black", "brown", "crimson",
    "amber", "ivory", "slate", "grey",
)  # fmt: skip
"""The colours that the style sheet has."""
SPARE = ("cyan", "purple", "amber", "green", "blue", "red", "orange", "pink")
"""The colours of seats with other names, in order."""


class Ink:
    """The colours of one match's seats, and of whatever is named after a colour."""

    def __init__(self, seats: tuple[str, ...], colours: tuple[str, ...] = ()) -> None:
        given = dict(zip(seats, colours, strict=False))
        own = {seat: colour_in(given.get(seat) or seat) for seat in seats}
        spare = iter(colour for colour in SPARE if colour not in own.values())
        self.seats = {seat: own[seat] or next(spare, "grey") for seat in seats}

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


def colour_in(words: str) -> str:
    """Returns the colour by which a name begins; "" if it is none.

    >>> colour_in("Red rocket"), colour_in("redoubt"), colour_in("nitro")
    ('red', '', '')
    """
    first = words.casefold().partition(" ")[0]
    return first if first in COLOURS else ""
