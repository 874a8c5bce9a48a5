"""The effects of statements: the variables that they write, and whether everyone sees that they are carried out.

q.gold += 1       an act, if everyone sees q.gold: it shows that play came here
if strong(q): …   not an act itself
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from rulelang.ir import model as ir
from rulelang.ir.model.traits import bodies, is_act, writes
from rulelang.ir.walk import calls_in, statements_in, walk


@attrs.frozen
class Effects:
    """The effects of a procedure, for any arguments."""

    writes: frozenset[int] = frozenset()
    """The ids of the variables that it may write, and MOVED if it may move things."""
    is_open: bool = False
    """Whether every path through it has an act, which everyone sees."""


def effects_of(game: ir.GameRules, hooks: Mapping[int, Sequence[ir.Hook]]) -> dict[int, Effects]:
    """Returns the effects of each procedure, its hooks included."""
    nothing = {p.id: Effects() for p in game.procedures}
    own = {p.id: writes_of(p.body, game, nothing) for p in game.procedures}
    calls = {p.id: calls_in(game, p.body) | {h.procedure for h in hooks.get(p.id, ())} for p in game.procedures}
    found = nothing
    changed = True
    while changed:
        changed = False
        for procedure in game.procedures:
            id = procedure.id
            writes = own[id].union(*(found[callee].writes for callee in calls[id]))
            after = Effects(writes, found[id].is_open or _is_open(procedure.body, game, found))
            changed |= after != found[id]
            found[id] = after
    return found


def _is_open(body: Iterable[ir.Statement], game: ir.GameRules, effects: Mapping[int, Effects]) -> bool:
    for statement in body:
        if is_act(game, statement):
            return True
        match statement:
            case ir.Call(procedure=procedure) if effects[procedure].is_open:
                return True
            case ir.Return() | ir.Stop():
                return False
            case ir.When():
                if all(_is_open(body, game, effects) for body in bodies(game, statement)):
                    return True
                if any(isinstance(n, ir.Return | ir.Stop) for n in walk(statement)):
                    return False
    return False


def writes_of(body: object, game: ir.GameRules, effects: Mapping[int, Effects]) -> frozenset[int]:
    """Returns the variables that a body may write, and MOVED if it may move things."""
    found: set[int] = set()
    for statement in statements_in(body):
        found |= writes(game, statement)
        if isinstance(statement, ir.Call | ir.Defer):
            found |= effects[statement.procedure].writes
        elif isinstance(statement, ir.Ask):
            found |= writes_of(bodies(game, statement), game, effects)
    return frozenset(found)


def silent(statement: ir.When, game: ir.GameRules, effects: Mapping[int, Effects]) -> frozenset[int]:
    """Returns, by `id`, the acts that do not reveal which branch
    was taken, because another branch begins with the same.
    """

    def is_seen(one: ir.Statement) -> bool:
        return is_act(game, one) or (isinstance(one, ir.Call) and effects[one.procedure].is_open)

    inside = bodies(game, statement)
    acts = [[one for one in body if is_seen(one)] for body in inside]
    likes = [[attrs.evolve(act, site=0) for act in some] for some in acts]
    return frozenset(
        id(act)
        for i, some in enumerate(acts)
        for k, act in enumerate(some)
        if any(likes[j][: k + 1] == likes[i][: k + 1] for j in range(len(inside)) if j != i)
    )
