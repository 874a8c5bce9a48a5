"""Loops that only count members, unite them or ask whether there is one -> one operation on the set.

for r4 in r3: r2 = (r2 + 1)                 # r2 = (r2 + count(r3))
for r4 in r3: r2 = (r2 | (1 << r4))         # r2 = (r2 | r3)
for r4 in r3: r2 = 1; break                 # if (r3 != 0): r2 = 1
"""

from __future__ import annotations

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.passes.ranges.facts import numeric
from rulelang.program.low.passes.ranges.memory import PassMemory
from rulelang.program.low.passes.ranges.values import Known, Values
from rulelang.program.low.passes.rewriting import breaks_out, read_in, set_by, with_bodies, with_body

NOUGHT, ONE = low.ConstWord(0), low.ConstWord(1)
Body = tuple[low.Inst, ...]


def gathered(program: low.Program, memory: PassMemory | None = None) -> low.Program:
    """Returns the program with operations on sets in place of loops that only gather their members."""
    known = Known(program, memory)
    functions = tuple(_Gathering(Values(known, f)).function() for f in program.functions)
    return attrs.evolve(program, functions=functions)


class _Gathering:
    def __init__(self, values: Values) -> None:
        self.values = values
        self.reads = read_in(values.of.orders)

    def function(self) -> low.Function:
        return with_body(self.values.of, self._body(self.values.of.body))

    def _body(self, body: Body) -> Body:
        found: list[low.Inst] = []
        for order in body:
            inner = with_bodies(order, self._body)
            gathered = self._gathered(inner) if isinstance(inner, low.WalkInst) else None
            found += (inner,) if gathered is None else gathered
        return tuple(found)

    def _gathered(self, loop: low.WalkInst) -> Body | None:
        """Returns the statements that stand for a loop; None if it does more than to gather."""
        x = low.RegisterWord(loop.register)
        if self.reads[x.number] > read_in(low.orders(loop.body))[x.number]:
            return None
        match loop.body:
            case (low.SetInst(into, low.BinaryWord("+", low.RegisterWord(old), each)),) if (
                old == into != x.number and self._is_fixed(each, into, x)
            ):
                many: low.Word = low.UnaryWord("count", loop.mask)
                if each != ONE:
                    many = low.BinaryWord("*", many, each)
                return (low.SetInst(into, low.BinaryWord("+", low.RegisterWord(old), many)),)
            case (
                low.SetInst(
                    into, low.BinaryWord("|", low.RegisterWord(old), low.BinaryWord("<<", low.ConstWord(1), y))
                ),
            ) if old == into != x.number and y == x and self._is_narrow(loop.mask):
                return (low.SetInst(into, low.BinaryWord("|", low.RegisterWord(old), loop.mask)),)
            case (*first, low.BreakInst(0)) if self._ends_at_once(tuple(first), x):
                return (low.IfInst(low.BinaryWord("!=", loop.mask, NOUGHT), tuple(first)),)
            case _:  # it does more
                return None

    def _is_fixed(self, each: low.Word, into: int, x: low.RegisterWord) -> bool:
        """Returns whether a word that is added in each round is the same number in all of them."""
        least, most = numeric(self.values.bounds(each))
        is_small = self.values.known.program.bits is None or (least > -(1 << 31) and most < 1 << 31)
        return is_small and x not in each.within and into not in each.registers and self.values.is_total(each)

    def _is_narrow(self, mask: low.Word) -> bool:
        """Returns whether a mask is one word."""
        return self.values.known.program.bits is None or numeric(self.values.bounds(mask))[1].bit_length() < low.BITS

    def _ends_at_once(self, first: Body, x: low.RegisterWord) -> bool:
        """Returns whether the statements before the end of a first round are the same for every member."""
        if breaks_out(first) or any(breaks_out(first, further) for further in range(1, 9)):
            return False
        orders = low.orders(first)
        return x.number not in read_in(orders) and all(set_by(order) != x.number for order in orders)
