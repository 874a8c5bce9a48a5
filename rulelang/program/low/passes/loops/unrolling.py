"""Loops over a few known bits -> their body, once for each bit.

for r3 in 6: if …: r1 = 1; break        # r3 = 1; if …: r1 = 1 else: r3 = 2; if …: r1 = 1
"""

from __future__ import annotations

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.passes.rewriting import breaks_out, goes_on, read_in, renumbered, times_set, with_bodies

MOST_TIMES = 10
"""The most bits of a mask whose loop is unrolled."""
MOST = 200
"""The most statements that an unrolled loop may have."""
Body = tuple[low.Inst, ...]


class LeavesElsewhere(Exception):
    """A loop is left from a place that cannot be left otherwise."""


def unrolled(program: low.Program) -> low.Program:
    """Returns the program with short loops over a few known bits unrolled."""
    return attrs.evolve(program, functions=tuple(_Unrolling(f).function() for f in program.functions))


class _Unrolling:
    def __init__(self, function: low.Function) -> None:
        self.of, self.registers = function, function.registers
        self.widths = [function.width(i) for i in range(function.registers)]
        orders = function.orders
        self.uses = times_set(function.body) + read_in(orders)

    def function(self) -> low.Function:
        body = self._body(self.of.body)
        if body == self.of.body:
            return self.of
        widths = tuple(self.widths) if any(width > 1 for width in self.widths) else ()
        return attrs.evolve(self.of, body=body, registers=self.registers, widths=widths)

    def _body(self, body: Body) -> Body:
        found: list[low.Inst] = []
        for order in body:
            inner = with_bodies(order, self._body)
            found += self._loop(inner) if isinstance(inner, low.WalkInst) else (inner,)
        return tuple(found)

    def _loop(self, order: low.WalkInst) -> Body:
        if not isinstance(order.mask, low.ConstWord) or order.mask.value < 0:
            return (order,)
        bits = [i for i in range(order.mask.value.bit_length()) if order.mask.value >> i & 1]
        orders = low.orders(order.body)
        if len(bits) > MOST_TIMES or len(bits) * len(orders) > MOST:
            return (order,)
        inside = low.orders((order,))
        changed = times_set((order,))
        here = changed + read_in(inside)
        own = sorted(register for register in changed if here[register] == self.uses[register])
        tail: Body = ()
        try:
            for bit in reversed(bits):
                names = {register: self.registers + i for i, register in enumerate(own)}
                self.registers += len(own)
                self.widths += [self.widths[register] for register in own]
                body = (low.SetInst(order.register, low.ConstWord(bit)), *order.body)
                tail = followed(renumbered(body, lambda r, names=names: names.get(r, r)), tail)  # type: ignore[misc]
        except LeavesElsewhere:
            return (order,)
        self.uses.subtract(here)
        self.uses.update(times_set(tail) + read_in(low.orders(tail)))
        return tail


def followed(body: Body, tail: Body) -> Body:
    """Returns the body of a loop as statements, with those of the rounds behind it; raises LeavesElsewhere."""
    found: list[low.Inst] = []
    for i, order in enumerate(body):
        rest = body[i + 1 :]
        match order:
            case low.BreakInst(outer=0):
                return tuple(found)
            case low.BreakInst(outer=outer):
                return *found, low.BreakInst(outer - 1)
            case _ if not _leaves(order):
                found.append(order)
            case low.IfInst(condition=condition, then=then, otherwise=otherwise):
                if goes_on(then) and goes_on(otherwise) and (rest or tail):
                    raise LeavesElsewhere
                ways = [
                    followed((*way, *rest), tail) if goes_on(way) else followed(way, ()) for way in (then, otherwise)
                ]
                return *found, low.IfInst(condition, ways[0], ways[1])
            case _:  # a loop within it leaves both
                raise LeavesElsewhere
    return *found, *tail


def _leaves(order: low.Inst) -> bool:
    """Returns whether a statement leaves a loop around it, this one or one further out."""
    return any(breaks_out((order,), depth) for depth in range(8))
