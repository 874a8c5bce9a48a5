"""The sizes, places and meanings that reading the notes of machine code takes; see `llvm.telling`."""

from __future__ import annotations

from typing import Any

import attrs

from rulelang.program.llvm.shape import Shape

ROOM = 1 << 16
"""The most words of notes of a step; a step with more is left to another executor."""
SPILL = 1 << 12
"""The words behind that, more than any note has, to which notes without room are written."""
MANY = 32
"""The bit of the first word of a write from which on the number of its words is written, if there are several."""


@attrs.frozen
class Note:
    """One form of note: what it tells, and the form of its numbers.

    tell       the name of the call, or what is told without one (`low.TellName`)
    widths     the number of words of each number
    text       the text that the call has in place of the number at `place`, which is -1 if there is none
    rest       the number from which on they are one tuple; -1 if each is an argument
    """

    tell: str
    widths: tuple[int, ...]
    place: int = -1
    text: str = ""
    rest: int = -1


@attrs.frozen
class Notes:
    """A whole module's notes.

    shape      the sizes and places of rows and frames
    count      the word of a frame with the number of words noted, which follow it; above ROOM some are missing
    notes      by number: what is told
    """

    shape: Shape
    count: int
    notes: tuple[Note, ...]

    @property
    def data(self) -> tuple[Any, ...]:
        """The same as ints, texts and tuples."""
        return self.shape.data, self.count, tuple(attrs.astuple(note, recurse=False) for note in self.notes)

    @classmethod
    def of_data(cls, data: tuple[Any, ...]) -> Notes:
        """Returns the notes from their `data`."""
        shape, count, notes = data
        return cls(Shape(*shape), count, tuple(Note(*note) for note in notes))
