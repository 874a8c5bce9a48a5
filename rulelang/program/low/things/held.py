"""Parameters of deferred moves -> the same with their proper types.

Weaving turns a move within `simultaneously` into a deferred call of a procedure that makes it, and declares the values
passed to it as flags, which stand for any number. Lowering needs their types to know how wide they are:

    move p.hand to q.hand        # later(held0, held1): held0 is a set of cards, held1 a player
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

import attrs

from rulelang.ir.model import (
    Defer,
    Deferrable,
    Eliminate,
    Expr,
    GameRules,
    Local,
    Move,
    Procedure,
    Reveal,
    Show,
    Shuffle,
)
from rulelang.ir.types import LARGEST, FlagType, IntType, KindType, SetType, Type
from rulelang.ir.walk import walk


def with_held_types(game: GameRules) -> GameRules:
    """Returns the game with typed parameters for its deferred moves, reveals, shuffles and eliminations."""
    deferred = {node.procedure for node in walk((game.procedures, game.choices)) if isinstance(node, Defer)}
    if not deferred:
        return game
    procedures = tuple(_typed(game, one) if one.id in deferred else one for one in game.procedures)
    return attrs.evolve(game, procedures=procedures)


def _typed(game: GameRules, procedure: Procedure) -> Procedure:
    types = {expr.id: type for expr, type in _held(game, procedure) if isinstance(expr, Local)}
    parameters = tuple(
        attrs.evolve(variable, type=types.get(variable.id, variable.type))
        if isinstance(variable.type, FlagType)
        else variable
        for variable in procedure.parameters
    )
    return attrs.evolve(procedure, parameters=parameters)


def _held(game: GameRules, procedure: Procedure) -> Iterator[tuple[Expr | None, Type]]:
    """Yields the expressions of a deferred change, each with its type."""
    if len(procedure.body) != 1:
        return
    player = KindType("Player", len(game.seats))

    def things(kind: int) -> Type:
        return SetType(KindType(game.kinds[kind].name, game.kinds[kind].size))

    change = procedure.body[0]
    if not isinstance(change, Deferrable):
        # Any other procedure comes from the rules, which declare the types of its parameters.
        return
    match change:
        case Move(kind=kind, what=what, count=count, to=to):
            yield what.mask, things(kind)
            yield count, IntType(-LARGEST, LARGEST)
            if what.pile is not None:
                yield from zip(what.pile.index, game.zones[what.pile.zone].dimensions, strict=True)
            yield from zip(to.index, game.zones[to.zone].dimensions, strict=True)
        case Eliminate(who=who):
            yield who, player
        case Shuffle(zone=zone, index=index):
            yield from zip(index, game.zones[zone].dimensions, strict=True)
        case Reveal(kind=kind, things=shown):
            yield shown, things(kind)
        case Show(kind=kind, things=shown, seats=seats):
            yield shown, things(kind)
            yield seats, SetType(player)
        case _:
            assert_never(change)
