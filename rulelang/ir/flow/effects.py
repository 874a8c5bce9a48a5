"""The effects of statements: the variables that they write, and whether everyone sees that they are carried out.

q.gold += 1       an act, if everyone sees q.gold: it shows that play came here
if strong(q): …   not an act itself
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from rulelang.ir import model as ir
from rulelang.ir.flow.secret import MOVED
from rulelang.ir.walk import calls_in, walk


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


def is_act(statement: ir.Statement, game: ir.GameRules) -> bool:
    """Returns whether everyone sees that a statement is carried out."""
    match statement:
        case ir.Assign(place=ir.Place(state=state)):
            about = game.states[state]
            return about.visible == "all" and not about.scratch and state != game.depth
        case ir.Move() | ir.Eliminate() | ir.Reveal() | ir.Show() | ir.Shuffle() | ir.Finish() | ir.Ask():
            return True
    return False


def _is_open(body: Iterable[ir.Statement], game: ir.GameRules, effects: Mapping[int, Effects]) -> bool:
    for statement in body:
        if is_act(statement, game):
            return True
        match statement:
            case ir.Call(procedure=procedure) if effects[procedure].is_open:
                return True
            case ir.Return() | ir.Stop():
                return False
            case ir.When(branches=branches, otherwise=otherwise):
                bodies = (*(b for _, b, _ in branches), otherwise)
                if all(_is_open(b, game, effects) for b in bodies):
                    return True
                if any(isinstance(n, ir.Return | ir.Stop) for n in walk(statement)):
                    return False
    return False


def writes_of(body: object, game: ir.GameRules, effects: Mapping[int, Effects]) -> frozenset[int]:
    found: set[int] = set()
    for node in walk(body):
        match node:
            case ir.Assign(place=ir.Place(state=state)):
                found.add(state)
            case ir.Eliminate():
                found.add(game.players_left)
            case ir.Move() | ir.Shuffle():
                found.add(MOVED)
            case ir.Call(procedure=callee) | ir.Defer(procedure=callee):
                found |= effects[callee].writes
            case ir.Ask(choice=choice):
                asked = game.choices[choice]
                found |= writes_of((tuple(b.body for b in asked.branches), asked.when_none), game, effects)
    return frozenset(found)


def silent(statement: ir.When, game: ir.GameRules, effects: Mapping[int, Effects]) -> frozenset[int]:
    """Returns, by `id`, the acts that do not reveal which branch
    was taken, because another branch begins with the same.
    """

    def is_seen(one: ir.Statement) -> bool:
        return is_act(one, game) or (isinstance(one, ir.Call) and effects[one.procedure].is_open)

    bodies = (*(body for _, body, _ in statement.branches), statement.otherwise)
    acts = [[one for one in body if is_seen(one)] for body in bodies]
    likes = [[attrs.evolve(act, site=0) for act in some] for some in acts]
    return frozenset(
        id(act)
        for i, some in enumerate(acts)
        for k, act in enumerate(some)
        if any(likes[j][: k + 1] == likes[i][: k + 1] for j in range(len(bodies)) if j != i)
    )
