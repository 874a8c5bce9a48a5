"""A loop -> the words that are the same in each of its rounds.

rounds = Rounds.of(loop, storing)
rounds.keep(word)       whether no round changes what the word is made of
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.passes.ranges.values import stores
from rulelang.program.low.passes.rewriting import set_by


@attrs.frozen
class Rounds:
    """The changes that the rounds of a loop make: to registers, and perhaps to the row."""

    registers: frozenset[int]
    writes: bool

    @classmethod
    def of(cls, loop: low.RepeatInst | low.WalkInst, storing: Iterable[str]) -> Rounds:
        """Returns the rounds of a loop; the functions in `storing` may write to the row."""
        orders = low.orders((loop,))
        registers = frozenset(r for order in orders if (r := set_by(order)) is not None)
        return cls(registers, stores(orders, storing))

    def keep(self, word: low.Word) -> bool:
        """Returns whether a word is the same in each round."""
        return not any(self._change(part) for part in word.within)

    def _change(self, part: low.Word) -> bool:
        match part:
            case low.RegisterWord(number):
                return number in self.registers
            case low.CellWord():
                return self.writes
            case _:  # what lies in memory, a call may change
                return isinstance(part, low.ItemWord | low.GivenWord)
