"""A loop that counts its rounds against a limit -> its first round, and the loop for the rest.

r1 = 0; loop: if (r1 > 7): trap; if c: break; r1 = (r1 + 1)      # r1 = 0; if c: … else: r1 = 1; loop: …

So recursion becomes loops. What is counted is known in the first round, which needs no check therefore, and most
recursions of rules end there: the next space is already another's.
"""

from __future__ import annotations

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.passes.loops.unrolling import LeavesElsewhere, followed
from rulelang.program.low.passes.rewriting import with_bodies, with_body

MOST = 16
"""The most statements of a loop whose first round is printed on its own."""
Body = tuple[low.Inst, ...]


def peeled(program: low.Program) -> low.Program:
    """Returns the program with the first rounds of short loops that have a limit before these loops."""
    return attrs.evolve(program, functions=tuple(with_body(f, _peeled(f.body)) for f in program.functions))


def _peeled(body: Body) -> Body:
    found: list[low.Inst] = []
    for order in body:
        inner = with_bodies(order, _peeled)
        found += _rounds(inner) if isinstance(inner, low.RepeatInst) and _is_limited(inner, found) else (inner,)
    return tuple(found)


def _rounds(loop: low.RepeatInst) -> Body:
    try:
        return followed(loop.body, (loop,))
    except LeavesElsewhere:
        return (loop,)


def _is_limited(loop: low.RepeatInst, before: list[low.Inst]) -> bool:
    """Returns whether a short loop begins with a check of a number that is known before it."""
    match loop.body:
        case (low.IfInst(low.BinaryWord(_, low.RegisterWord(counter), low.ConstWord()), (low.TrapInst(),), ()), *_):
            begins = any(
                isinstance(order, low.SetInst) and order.register == counter and isinstance(order.value, low.ConstWord)
                for order in before
            )
            return begins and len(loop.inside) <= MOST
        case _:  # it has no limit of its own
            return False
