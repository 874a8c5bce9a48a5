"""Variables that last for a time: `until round ends` -> statements that put them back, where the turns come to that moment.

each Player has: bonus: 0..9 = 0, until turn ends      Loop p in all players: p.bonus = 0, as each turn ends

What lasts until the owner's next turn ends is *fresh* from each change until the owner's next turn begins; what is fresh
stays. What is put back is changed by statements like any others, so it is told, undone and known like them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulelang.ir import model as ir
from rulelang.ir.types import IntType, KindType, Type, size_of
from rulelang.ir.walk import rewrite
from rulelang.semantics.names.coercion import lower
from rulelang.semantics.names.scope import Env, World
from rulelang.syntax import nodes

TURN_OVER: tuple[ir.LapseMoment, ...] = ("turn ends", "turn of owner ends")


def as_a_turn_begins(world: World, mover: ir.Expr) -> tuple[ir.Statement, ...]:
    """Returns the statements that put back what lasts until the mover's turn begins, and after which nothing of the
    mover's is fresh."""

    def age(state: ir.StateVariable, index: tuple[ir.Expr, ...]) -> ir.Statement:
        return ir.Assign(ir.Place(world.fresh[state.id], index), "=", ir.Const(0), site=state.site)

    old = (_everywhere(world, state, mover, age) for state in _lasting(world, "turn of owner ends"))
    return (*_lapses(world, "turn of owner begins", mover), *old)


def as_a_turn_ends(world: World, mover: ir.Expr) -> tuple[ir.Statement, ...]:
    """Returns the statements that put back what lasts until a turn, or the mover's, ends."""
    return tuple(statement for moment in TURN_OVER for statement in _lapses(world, moment, mover))


def as_a_round_ends(world: World) -> tuple[ir.Statement, ...]:
    """Returns the statements that put back what lasts until a round ends."""
    return _lapses(world, "round ends", None)


def _lapses(world: World, moment: ir.LapseMoment, mover: ir.Expr | None) -> tuple[ir.Statement, ...]:
    owner = mover if "owner" in moment else None

    def put_back(state: ir.StateVariable, index: tuple[ir.Expr, ...]) -> ir.Statement:
        into = {name.id: value for name, value in zip(state.initial_names, index, strict=True)}

        def change(part: object) -> object:
            return into.get(part.id, part) if isinstance(part, ir.Local) else part

        initial = rewrite(state.initial, change)
        back: ir.Statement = ir.Assign(ir.Place(state.id, index), "=", initial, site=state.site)
        if state.id not in world.fresh:
            return back
        is_old = ir.Op("not", (ir.Read(world.fresh[state.id], index),))
        return ir.When(((is_old, (back,), state.site),), (), site=state.site)

    return tuple(_everywhere(world, state, owner, put_back) for state in _lasting(world, moment))


def _lasting(world: World, moment: ir.LapseMoment) -> Iterator[ir.StateVariable]:
    return (state for state in world.states if state.until == moment and state.initial is not None)


def _everywhere(
    world: World,
    state: ir.StateVariable,
    owner: ir.Expr | None,
    body: Callable[[ir.StateVariable, tuple[ir.Expr, ...]], ir.Statement],
) -> ir.Statement:
    """Returns a statement for a variable, at all of its keys or at those of one owner."""
    keys = [world.variable(name.name, name.type) for name in state.initial_names]
    index: list[ir.Expr] = [ir.Local(key.id) for key in keys]
    if owner is not None:
        index[0] = owner
    statement = body(state, tuple(index))
    for key in reversed(keys[owner is not None :]):
        source = ir.Source(_all(world, key.type, state.site))
        statement = ir.Loop(world.loop(), key, source, (), None, (statement,), site=state.site)
    return statement


def _all(world: World, type: Type, site: int) -> ir.Expr:
    """Returns the set of all values of a key: of those of a board or the players, the ones that are there."""
    if isinstance(type, IntType):
        return ir.Op("range", (ir.Const(type.low), ir.Const(type.high)))
    if isinstance(type, KindType):
        return lower(world, Env(), nodes.NameExpression(type.name, span=world.sites[site].span)).ir
    return ir.Const((1 << size_of(type)) - 1)
