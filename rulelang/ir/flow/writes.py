"""The variables that statements write, through any calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from rulelang.ir import model as ir
from rulelang.ir.model.traits import bodies, writes
from rulelang.ir.walk import calls_in, statements_in

Writes: TypeAlias = Mapping[int, frozenset[int]]
"""By procedure: the ids of the variables that it may write, and MOVED if it may move things."""


def written_by(game: ir.GameRules, hooks: Mapping[int, Sequence[ir.Hook]]) -> Writes:
    """Returns the variables that each procedure may write, its hooks included."""
    nothing = {p.id: frozenset[int]() for p in game.procedures}
    own = {p.id: writes_of(p.body, game, nothing) for p in game.procedures}
    calls = {p.id: calls_in(game, p.body) | {h.procedure for h in hooks.get(p.id, ())} for p in game.procedures}
    found = nothing
    changed = True
    while changed:
        changed = False
        for procedure in game.procedures:
            id = procedure.id
            after = own[id].union(*(found[callee] for callee in calls[id]))
            changed |= after != found[id]
            found[id] = after
    return found


def writes_of(body: object, game: ir.GameRules, effects: Writes) -> frozenset[int]:
    """Returns the variables that a body may write, and MOVED if it may move things."""
    found: set[int] = set()
    for statement in statements_in(body):
        found |= writes(game, statement)
        if isinstance(statement, ir.Call | ir.Defer):
            found |= effects[statement.procedure]
        elif isinstance(statement, ir.Ask):
            found |= writes_of(bodies(game, statement), game, effects)
    return frozenset(found)
