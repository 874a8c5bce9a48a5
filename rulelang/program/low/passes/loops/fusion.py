"""A loop that collects a set which the next loop goes through -> one loop.

r3 = 0; for r4 in 255: if c(r4): r3 = (r3 | (1 << r4))
for r5 in r3: …                                             # for r4 in 255: if c(r4): r5 = r4; …
"""

from __future__ import annotations

from collections import Counter

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.passes.ranges.values import stores, storing
from rulelang.program.low.passes.rewriting import breaks_out, read_in, times_set, with_bodies, with_body

Body = tuple[low.Inst, ...]


def fused(program: low.Program) -> low.Program:
    """Returns the program without the sets that are only collected to be gone through."""
    writing = storing(program)
    functions = tuple(
        with_body(f, _Fusion(writing, read_in(f.orders)).body(f.body)) if f.orders else f for f in program.functions
    )
    return attrs.evolve(program, functions=functions)


class _Fusion:
    def __init__(self, storing: frozenset[str], reads: Counter[int]) -> None:
        self.storing, self.reads = storing, reads

    def body(self, body: Body) -> Body:
        found: list[low.Inst] = []
        for order in body:
            order = with_bodies(order, self.body)
            at = self._collector(found, order) if isinstance(order, low.WalkInst) else None
            if at is None or not isinstance(order, low.WalkInst):
                found.append(order)
                continue
            first = found.pop(at)
            assert isinstance(first, low.WalkInst)
            found.append(low.WalkInst(first.register, first.mask, _with_end(first.body, order)))
        return tuple(found)

    def _collector(self, before: list[low.Inst], loop: low.WalkInst) -> int | None:
        """Returns the place of the loop before that collects the members of a loop which can be its end; else None."""
        if not isinstance(loop.mask, low.RegisterWord):
            return None
        held = loop.mask.number
        between: set[int] = set()
        for at in reversed(range(len(before))):
            match before[at]:
                case low.WalkInst() as first if _collects(first, held):
                    begun = at and before[at - 1] == low.SetInst(held, low.ConstWord(0))
                    is_own = self.reads[held] == 2 and self.reads[loop.register] == _read(loop.body, loop.register)
                    seen = between.isdisjoint(_registers(first)) and held not in between
                    return at if begun and is_own and seen and self._are_apart(first, loop) else None
                case low.SetInst(register=register, value=value) if held not in value.registers:
                    between |= {register, *value.registers}
                case _:  # it may do anything
                    return None
        return None

    def _are_apart(self, first: low.WalkInst, second: low.WalkInst) -> bool:
        """Returns whether two loops may run in turns, a round of one and a round of the other."""
        one, other = low.orders(first.body), low.orders(second.body)
        for order in one:
            if isinstance(order, low.SetInst | low.IfInst):
                continue
            if not isinstance(order, low.TrapInst | low.CallInst | low.PayInst) or stores((order,), self.storing):
                return False
            if _leaves(second.body):
                return False
        if stores(other, self.storing) and any(_looks_at_row(order) for order in one):
            return False
        if any(isinstance(order, low.PutInst | low.GiveInst) for order in other):
            return False
        set_first, set_second = {*times_set(first.body), first.register}, set(times_set(second.body))
        read_first = set(read_in((first, *one)))
        return set_first.isdisjoint(read_in(other)) and set_second.isdisjoint(read_first | set_first)


def _collects(loop: low.WalkInst, into: int) -> bool:
    """Returns whether a loop does nothing in the end but to take its member into a set, or not."""
    body = loop.body
    while body and isinstance(body[-1], low.IfInst) and not body[-1].otherwise:
        body = body[-1].then
    return bool(body) and body[-1] == _taking(into, loop.register)


def _taking(into: int, member: int) -> low.SetInst:
    one = low.BinaryWord("<<", low.ConstWord(1), low.RegisterWord(member))
    return low.SetInst(into, low.BinaryWord("|", low.RegisterWord(into), one))


def _with_end(body: Body, loop: low.WalkInst) -> Body:
    """Returns the body of a collecting loop, which goes on with a round of another loop instead."""
    *before, last = body
    if isinstance(last, low.IfInst):
        return *before, low.IfInst(last.condition, _with_end(last.then, loop))
    assert isinstance(last, low.SetInst)
    *_, member = last.value.registers
    return *before, low.SetInst(loop.register, low.RegisterWord(member)), *loop.body


def _leaves(body: Body) -> bool:
    """Returns whether a body may leave the loop that it is the body of."""
    ends = (low.ReturnInst, low.GameOverInst)
    return any(breaks_out(body, depth) for depth in range(9)) or any(isinstance(o, ends) for o in low.orders(body))


def _looks_at_row(order: low.Inst) -> bool:
    if isinstance(order, low.CallInst):
        return True
    return any(isinstance(part, low.CellWord) for word in low.words_in(order) for part in word.within)


def _read(body: Body, register: int) -> int:
    return read_in(low.orders(body))[register]


def _registers(loop: low.WalkInst) -> set[int]:
    """Returns the registers that a loop reads or sets."""
    return {*read_in(low.orders((loop,))), *times_set((loop,))}
