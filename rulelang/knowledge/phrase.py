"""Text for people with the positions of the names in it, which a terminal can colour and a page can link.

    "Red lays nitro"     Name(0, 3, "seat"), Name(9, 14, "thing")

A phrase is compared and printed as its text alone. `spliced`, `split`, `pieces` and `trimmed` keep the names; any other
operation (an f-string, `join`) loses them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

import attrs

NameForm: TypeAlias = Literal["seat", "thing", "member", "back"]
"""The sort of a name: that of a seat, of a thing or space, of a member of an enum, or the word for an unknown thing."""


@attrs.frozen
class Name:
    """The place of a name in a text, its sort, and the value that it names: the name of a kind or an enum, and a number.

    Of interchangeable things, the value is the lowest. `count` is how many there are of it.
    """

    start: int
    end: int
    what: NameForm
    of: tuple[str, int] | None = attrs.field(default=None, eq=False, repr=False)
    count: int = attrs.field(default=1, eq=False, repr=False)

    def moved(self, by: int) -> Name:
        """Returns the name of the same value, further on in a text."""
        return Name(self.start + by, self.end + by, self.what, self.of, self.count)


class Phrase(str):
    """A text with the names in it, left to right.

    >>> phrase = named("Red", "seat")
    >>> phrase == "Red", phrase.names
    (True, (Name(start=0, end=3, what='seat'),))
    """

    __slots__ = ("names",)
    names: tuple[Name, ...]

    def __new__(cls, text: str, names: tuple[Name, ...] = ()) -> Phrase:
        phrase = super().__new__(cls, text)
        phrase.names = names
        return phrase


def named(text: str, what: NameForm, of: tuple[str, int] | None = None, count: int = 1) -> Phrase:
    """Returns a text that is a name as a whole."""
    return Phrase(text, (Name(0, len(text), what, of, count),))


def names_in(text: str) -> tuple[Name, ...]:
    """Returns the names in a text; () for a plain string."""
    return text.names if isinstance(text, Phrase) else ()


def spliced(parts: Iterable[str], separator: str = "") -> str:
    """Returns texts joined by a separator, with their names.

    >>> names_in(spliced(["from ", named("Red", "seat"), " on"]))
    (Name(start=5, end=8, what='seat'),)
    """
    there = parts if isinstance(parts, (list, tuple)) else list(parts)
    text = separator.join(there)
    if Phrase not in map(type, there):  # as in most texts
        return text
    names: list[Name] = []
    at = 0
    for part in there:
        names += (name.moved(at) for name in names_in(part))
        at += len(part) + len(separator)
    return Phrase(text, tuple(names))


def trimmed(text: str) -> str:
    """Returns a text without the blanks at its ends, with its names."""
    bare = text.strip()
    if len(bare) == len(text):
        return text
    return _part(text, text.find(bare), len(bare)) if isinstance(text, Phrase) else bare


def split(text: str, separator: str) -> list[str]:
    """Returns the texts between separators that are not blank, each with the names in it.

    >>> [(part, len(names_in(part))) for part in split(spliced(["fuel 3   of ", named("Red", "seat")]), "   ")]
    [('fuel 3', 0), ('of Red', 1)]
    """
    found: list[str] = []
    at = 0
    for bare in text.split(separator):
        if bare.strip():
            found.append(_part(text, at, len(bare)) if isinstance(text, Phrase) else bare)
        at += len(bare) + len(separator)
    return found


def pieces(text: str) -> list[str]:
    """Returns the words between blanks; a name of several words is one of them.

    >>> [(piece, len(names_in(piece))) for piece in pieces(spliced(["at ", named("ion cannon", "thing")]))]
    [('at', 0), ('ion cannon', 1)]
    """
    blanks = [i for i, letter in enumerate(text) if letter.isspace()]
    inside = {i for name in names_in(text) for i in range(name.start, name.end)}
    found, start = [], 0
    for at in (*(i for i in blanks if i not in inside), len(text)):
        if text[start:at].strip():
            found.append(_part(text, start, at - start) if isinstance(text, Phrase) else text[start:at])
        start = at + 1
    return found


def _part(text: str, start: int, length: int) -> str:
    end = start + length
    kept = (
        Name(max(name.start, start) - start, min(name.end, end) - start, name.what, name.of, name.count)
        for name in names_in(text)
        if name.start < end and name.end > start
    )
    return Phrase(text[start:end], tuple(kept))
