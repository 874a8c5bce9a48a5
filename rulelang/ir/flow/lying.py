"""Facts on where a thing lies, as everybody saw it: found there, moved, and untouched by what is moved since.

let c = top(deck)          c is nothing, or lies in the deck
move c to waste            c is nothing, or lies in the waste
move 1 of deck to p.hand   the same: nothing is taken from the waste
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulelang.ir import model as ir
from rulelang.ir.facts import conjuncts
from rulelang.ir.types import NONE
from rulelang.ir.walk import rewrite, walk

Facts = tuple[ir.Expr, ...]


def lying(facts: Facts, thing: ir.Local) -> dict[ir.Expr, ir.Contents]:
    """Returns the facts that say in which zone a thing lies, if it is anywhere, each with the content of the zone."""
    return {part: there for part, one, there in _all_lying(facts) if one == thing}


def moved_on(facts: Facts, move: ir.Move, things: Iterable[int]) -> Facts:
    """Returns the facts on where things lie that hold after a move, of those that held before it; `things` are the locals
    that it moves."""
    there = ir.Contents(move.to.zone, move.to.index)
    found: list[ir.Expr] = []
    if move.count is None and move.what.pile is None:
        for local in map(ir.Local, things):
            for part, before in lying(facts, local).items():
                found.append(_put(part, before, there))
    return tuple(found)


def _put(part: ir.Expr, before: ir.Contents, there: ir.Contents) -> ir.Expr:
    put: ir.Expr = rewrite(part, lambda node: there if node == before else node)
    return put


def left_there(facts: Facts, move: ir.Move, game: ir.GameRules) -> Facts:
    """Returns the facts on where things lie that hold after a move because it takes from another zone."""
    taken = move.what.pile or move.what.mask
    if not isinstance(taken, ir.Contents):
        return ()
    touched = (taken.zone, game.zones[taken.zone].refills_from)
    kept = (
        part
        for part, _, there in _all_lying(facts)
        if there.zone not in touched and not any(isinstance(node, ir.Lying) for node in walk(there.index))
    )
    return tuple(kept)


def _all_lying(facts: Facts) -> Iterator[tuple[ir.Expr, ir.Local, ir.Contents]]:
    for fact in facts:
        for part in conjuncts(fact):
            match part:
                case ir.Or(
                    arguments=(
                        ir.Op(name="==", arguments=(nothing, ir.Const(value=value))),
                        ir.Op(name="in", arguments=(ir.Local() as thing, ir.Contents() as there)),
                    )
                ) if nothing == thing and value == NONE:
                    yield part, thing, there
                case ir.Op(name="in", arguments=(ir.Local() as thing, ir.Contents() as there)):
                    yield part, thing, there
                case _:  # any other fact names no zone
                    pass
