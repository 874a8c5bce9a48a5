"""The sizes and places that running machine code and reading its notes take, so that neither needs the program.

Shape.of(program).data         ints and tuples, kept beside the machine code
Notes(shape, count, notes)     the same of code that notes what it does; see `telling`
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulelang.program.llvm import frame
from rulelang.program.llvm.thinking.thought import thought_places
from rulelang.program.llvm.thinking.tree import has_deals, is_keyed

if TYPE_CHECKING:
    from rulelang.program.low import model as low

ROOM = 1 << 16
"""The most words of notes of a step; a step with more is left to another executor."""
SPILL = 1 << 12
"""The words behind that, more than any note has, to which notes without room are written."""
MANY = 32
"""The bit of the first word of a write from which on the number of its words is written, if there are several."""


@attrs.frozen
class Shape:
    """Sizes and places of rows, frames and thoughts, in words.

    behind     the first of the words of a row that are 0 between steps
    slots      the number of slots; `wide` are those kept behind them, each with its place and its number of words
    counters   the slot with the number of draws from the first of the random streams; `streams` is their number
    width      the width of an option; `offers` and `keys_at` are the places of options and of the keys of dice in a frame
    thought    the size of a thought; 0 for rules without a `score`
    keyed      whether `search` finds nodes by key
    deals      whether there is a `redeal`
    answers    by question and branch: the number of words of each parameter
    """

    row: int
    behind: int
    slots: int
    counters: int
    streams: int
    width: int
    offers: int
    keys_at: int
    frame: int
    thought: int
    keyed: bool
    deals: bool
    wide: tuple[tuple[int, int, int], ...]
    answers: tuple[tuple[tuple[int, ...], ...], ...]

    @classmethod
    def of(cls, program: low.Program) -> Shape:
        """Returns the shape of a program's machine code."""
        behind = program.row - program.scratch
        return cls(
            row=program.row,
            behind=behind,
            slots=behind - sum(words for _, _, words in program.wide),
            counters=program.counters,
            streams=program.streams,
            width=program.width,
            offers=frame.offers_at(program),
            keys_at=frame.keys_at(program),
            frame=frame.frame_size(program),
            thought=thought_places(program)["SIZE"] if program.score is not None else 0,
            keyed=is_keyed(program),
            deals=has_deals(program),
            wide=program.wide,
            answers=tuple(question.answers for question in program.questions),
        )

    @property
    def data(self) -> tuple[Any, ...]:
        """The shape as ints and tuples."""
        return attrs.astuple(self, recurse=False)


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
