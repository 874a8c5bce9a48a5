"""Registers that nobody reads, and statements without an effect, go; a word that is read once goes where it is read.

r4 = table0[r1]; r5 = r4; if (r5 == none): …      # if (table0[r1] == none): …
"""

from __future__ import annotations

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.passes.rewriting import (
    read_in,
    times_set,
    with_bodies,
    with_body,
    with_parts,
    with_words,
)

Body = tuple[low.Inst, ...]


def without_unused(program: low.Program) -> low.Program:
    """Returns the program without registers that nobody reads and without statements that do nothing."""
    return attrs.evolve(program, functions=tuple(map(_lean, program.functions)))


def _lean(function: low.Function) -> low.Function:
    body = function.body
    while True:
        reads, times = read_in(low.orders(body)), times_set(body)
        after = _moved(_needed(body, reads), {r for r, n in reads.items() if n == 1 and times[r] == 1})
        if after == body:
            return with_body(function, after)
        body = after


def _needed(body: Body, reads: dict[int, int]) -> Body:
    found: list[low.Inst] = []
    for order in body:
        match with_bodies(order, lambda inner: _needed(inner, reads)):
            case low.SetInst(register=register) if not reads.get(register):
                pass
            case low.IfInst(then=(), otherwise=()) | low.WalkInst(body=()):
                pass
            case inner:  # any other statement stays
                found.append(inner)
    return tuple(found)


def _moved(body: Body, once: set[int]) -> Body:
    """Returns a body in which a word that only the next statement reads stands there itself."""
    found: list[low.Inst] = []
    for order in body:
        order = with_bodies(order, lambda inner: _moved(inner, once))
        at = len(found) - 1
        while at > 0 and isinstance(found[at], low.SetInst) and _is_constant(found[at]):
            at -= 1
        before = found[at] if found else None
        if isinstance(before, low.SetInst) and before.register in once and _reads(order, before.register):
            del found[at]
            order = with_words(order, lambda word, held=before: _put_in(word, held))  # type: ignore[misc]
        found.append(order)
    return tuple(found)


def _is_constant(order: low.Inst) -> bool:
    return isinstance(order, low.SetInst) and isinstance(order.value, low.ConstWord)


def _reads(order: low.Inst, register: int) -> bool:
    """Returns whether a statement reads a register itself, before anything else happens."""
    if isinstance(order, low.OfferInst | low.GiveInst):
        return False
    return any(part == low.RegisterWord(register) for word in low.words_in(order) for part in word.within)


def _put_in(word: low.Word, held: low.SetInst) -> low.Word:
    if word == low.RegisterWord(held.register):
        return held.value
    return with_parts(word, lambda part: _put_in(part, held))
