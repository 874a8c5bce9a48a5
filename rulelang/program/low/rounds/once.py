"""Expressions that the rounds of a loop do not change -> computed in the first round that needs it, and kept for the others.

    {s in Cell if s in border and s not in side(d)}     # border: in the first round; side(d) too, where d stands still

Rules change nothing while they look, so a value is the same in each round unless it depends on what the loop goes over.
Only what pays nothing itself is kept: steps are charged as if it were computed each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import attrs

from rulelang.ir.model import Expr, Foreseen, Occurrences, Over, Pick, Roll
from rulelang.ir.walk import called_values, read_in, walk
from rulelang.program.low import model as low
from rulelang.program.low.function import Builder, Round
from rulelang.program.low.words import KnownWord

WORTH_KEEPING = 16
"""The fewest steps that something costs which is kept; a look whether it is there takes longer than anything cheaper."""


@contextmanager
def unchanging(f: Builder, names: set[int], orders: list[low.Inst], at: int) -> Iterator[None]:
    """Marks what is added in the context as the round of a loop that changes only some locals; it begins at a place in a
    list of statements."""
    f.rounds.append(Round(frozenset(names)))
    yield
    done = f.rounds.pop()
    registers = (*done.flags.values(), *done.results.values(), *done.found)
    orders[at:at] = [low.SetInst(register, low.ConstWord(0)) for register in registers]


def once(f: Builder, expr: Expr, compute: Callable[[], KnownWord], *, is_free: bool = False) -> KnownWord:
    """Returns the word of an expression, computed once for all rounds of the loops that do not change it; also of one that
    costs little, or would pay, if it is computed for free."""
    outer = _outermost(f, expr, is_free)
    if outer is None:
        return compute()
    with f.aside() as orders:
        known = compute()
    if not any(isinstance(each, low.CallInst | low.RepeatInst | low.WalkInst) for each in orders):
        f.add(*orders)
        return known
    flag, result = outer.flags.setdefault(expr, f.registers), outer.results.setdefault(expr, f.registers + 1)
    if flag == f.registers:
        f.registers += 2
    kept = (low.SetInst(result, known.word), low.SetInst(flag, low.ConstWord(1)))
    f.add(low.IfInst(low.BinaryWord("==", low.RegisterWord(flag), low.ConstWord(0)), (*orders, *kept)))
    return attrs.evolve(known, word=low.RegisterWord(result))


def found_once(f: Builder, over: Over) -> KnownWord:
    """Returns the word of a comprehension, computed once for all rounds of the loops that do not change it, for free."""

    def looked_for() -> KnownWord:
        pays, f.pays = f.pays, False
        known = f.named(f.set(over))
        f.pays = pays
        return known

    return once(f, over, looked_for, is_free=True)


def is_kept(f: Builder, expr: Expr) -> bool:
    """Returns whether there is an open loop whose rounds do not change an expression."""
    return not _draws(f, expr) and _outermost(f, expr, is_free=True) is not None


def is_unchanged(f: Builder, expr: Expr, names: frozenset[int]) -> bool:
    """Returns whether an expression has the same value for all values of some locals, and pays nothing itself."""
    return not names & read_in(expr) and not f.lowering.steps.opens(expr) and not _draws(f, expr)


def _outermost(f: Builder, expr: Expr, is_free: bool) -> Round | None:
    """Returns the outermost of the open loops in which an expression stays the same; None if it is not to be kept."""
    if not f.rounds or (f.lowering.steps.bound(expr) < WORTH_KEEPING and not is_free):
        return None
    read = read_in(expr)
    found = None
    for each in reversed(f.rounds):
        if each.names & read:
            break
        found = each
    return found if found is not None and (is_free or is_unchanged(f, expr, found.names)) else None


def _draws(f: Builder, expr: Expr) -> bool:
    game = f.lowering.game
    values = (game.values[id] for id in called_values(game, expr))
    parts = (expr, *((value.cases, value.adjustments) for value in values))
    return any(isinstance(node, Roll | Pick | Occurrences | Foreseen) for node in walk(parts))
