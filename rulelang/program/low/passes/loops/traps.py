"""Traps of a loop whose condition does not change in it -> traps before the loop.

for r4 in r3: if (r1 == none): trap; …      # if ((r3 != 0) & (r1 == none)): trap
                                            # for r4 in r3: …
"""

from __future__ import annotations

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.passes.ranges.memory import PassMemory
from rulelang.program.low.passes.ranges.rounds import Rounds
from rulelang.program.low.passes.ranges.values import Known, Values
from rulelang.program.low.passes.rewriting import with_bodies, with_body

TRAP: tuple[low.Inst, ...] = (low.TrapInst(),)
Body = tuple[low.Inst, ...]


def with_traps_first(program: low.Program, memory: PassMemory | None = None) -> low.Program:
    """Returns the program with traps before the loops whose first round would meet them."""
    known = Known(program, memory)
    functions = tuple(with_body(f, _Traps(Values(known, f)).body(f.body)) for f in program.functions)
    return attrs.evolve(program, functions=functions)


class _Traps:
    def __init__(self, values: Values) -> None:
        self.values = values

    def body(self, body: Body) -> Body:
        found: list[low.Inst] = []
        for order in body:
            order = with_bodies(order, self.body)
            if isinstance(order, low.WalkInst | low.RepeatInst):
                conditions, rest = self._parted(order)
                if conditions:
                    found += (low.IfInst(self._met(order, condition), TRAP) for condition in conditions)
                    order = attrs.evolve(order, body=rest)
            found.append(order)
        return tuple(found)

    def _met(self, loop: low.WalkInst | low.RepeatInst, condition: low.Word) -> low.Word:
        """Returns whether a loop has a round and a condition of its first holds."""
        if isinstance(loop, low.RepeatInst) or (isinstance(loop.mask, low.ConstWord) and loop.mask.value):
            return condition
        return low.BinaryWord("&", low.BinaryWord("!=", loop.mask, low.ConstWord(0)), condition)

    def _parted(self, loop: low.WalkInst | low.RepeatInst) -> tuple[list[low.Word], Body]:
        """Returns the conditions on which each round would trap, and the rest of its body."""
        rounds = Rounds.of(loop, self.values.known.storing)
        conditions: list[low.Word] = []
        rest: list[low.Inst] = []
        for i, order in enumerate(loop.body):
            match order:
                case low.IfInst(condition, (low.TrapInst(),), ()) if self._is_fixed(condition, rounds):
                    conditions.append(condition)
                case low.SetInst() | low.IfInst(then=(low.TrapInst(),), otherwise=()):
                    rest.append(order)
                case _:  # what follows may not be reached
                    return conditions, (*rest, *loop.body[i:])
        return conditions, tuple(rest)

    def _is_fixed(self, word: low.Word, rounds: Rounds) -> bool:
        return rounds.keep(word) and self.values.is_total(word)
