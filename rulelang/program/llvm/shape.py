"""The sizes and places that are needed to run machine code, so that it runs without the program it was made from.

Shape.of(program).data         ints and tuples, kept beside the machine code
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulelang.program.llvm import frame
from rulelang.program.llvm.thought import thought_places

if TYPE_CHECKING:
    from rulelang.program.low import model as low


@attrs.frozen
class Shape:
    """Sizes and places of rows, frames and thoughts, in words.

    behind     the first of the words of a row that are 0 between steps
    slots      the number of slots; `wide` are those kept behind them, each with its place and its number of words
    counters   the slot with the number of draws from the first of the random streams; `streams` is their number
    width      the width of an option; `offers` and `keys_at` are the places of options and of the keys of dice in a frame
    thought    the size of a thought; 0 for rules without a `score`
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
            wide=program.wide,
            answers=tuple(question.answers for question in program.questions),
        )

    @property
    def data(self) -> tuple[Any, ...]:
        """The shape as ints and tuples."""
        return attrs.astuple(self, recurse=False)
