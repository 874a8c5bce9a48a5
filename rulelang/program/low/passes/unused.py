"""Registers that nobody reads, and statements without an effect, go; a word that is read once goes where it is read.

r4 = table0[r1]; r5 = r4; if (r5 == none): …      # if (table0[r1] == none): …
r1 = 0; if c: r1 = 1 else: r1 = 2; … r1 …         # if c: r1 = 1 else: r1 = 2; … r1 …
"""

from __future__ import annotations

from typing import TypeAlias

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.passes.rewriting import (
    read_in,
    set_by,
    times_set,
    with_bodies,
    with_body,
    with_parts,
    with_words,
)

Body = tuple[low.Inst, ...]
Read: TypeAlias = frozenset[int]
"""The registers that are read before they are set again."""
NONE_READ: Read = frozenset()


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


# ------------------------------------------------------------------ set in vain


def without_overwritten(program: low.Program) -> low.Program:
    """Returns the program without registers that are set in vain."""
    return attrs.evolve(
        program, functions=tuple(with_body(f, _Reading().body(f.body, NONE_READ)[0]) for f in program.functions)
    )


class _Reading:
    """Goes through statements from the last to the first; `after` is what is read behind them."""

    def __init__(self) -> None:
        self.left: list[Read] = []
        """By loop around the place: what is read where it is left."""

    def body(self, body: Body, after: Read) -> tuple[Body, Read]:
        """Returns a body without useless assignments, and the registers that are read from its beginning on."""
        found: list[low.Inst] = []
        for order in reversed(body):
            made, after = self._order(order, after)
            if made is not None:
                found.append(made)
        return tuple(reversed(found)), after

    def _order(self, order: low.Inst, after: Read) -> tuple[low.Inst | None, Read]:
        match order:
            case low.SetInst(register=register, value=value):
                return (order, after - {register} | {*value.registers}) if register in after else (None, after)
            case low.IfInst(condition=condition, then=then, otherwise=otherwise):
                (one, a), (other, b) = self.body(then, after), self.body(otherwise, after)
                return low.IfInst(condition, one, other), a | b | {*condition.registers}
            case low.RepeatInst() | low.WalkInst():
                return self._loop(order, after)
            case low.BreakInst(outer=outer):
                return order, self.left[-1 - outer]
            case low.ReturnInst() | low.TrapInst() | low.GameOverInst():
                return order, _own(order)
            case low.CallInst(goes_on=True):
                # The register keeps what it holds where the game ends in the call.
                return order, after | _own(order)
            case _:  # it does more than to set a register, so it stays
                return order, after - {set_by(order)} | _own(order)

    def _loop(self, loop: low.RepeatInst | low.WalkInst, after: Read) -> tuple[low.Inst, Read]:
        # A round may be followed by another one, and the last round of a walk by what comes behind it.
        again = after | _own(loop) if isinstance(loop, low.WalkInst) else NONE_READ
        while True:
            self.left.append(after)
            body, begun = self.body(loop.body, again)
            self.left.pop()
            if begun <= again:
                return attrs.evolve(loop, body=body), again
            again |= begun


def _own(order: low.Inst) -> Read:
    """Returns the registers that a statement reads itself."""
    return frozenset(register for word in low.words_in(order) for register in word.registers)
