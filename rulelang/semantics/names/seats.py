"""Seats by their names.

white             Const(0): a seat that is always taken
blue              Either(2 in all players, Const(2), NONE): a seat that stays empty if fewer play
"""

from __future__ import annotations

import attrs

from rulelang.ir import model as ir
from rulelang.ir.facts import is_certain
from rulelang.ir.types import NONE, KindType, SetType
from rulelang.semantics.names.scope import Env, World
from rulelang.semantics.names.type_relations import Typed
from rulelang.source import Span


def is_seat(world: World, env: Env, text: str) -> bool:
    """Returns whether a seat has this name: in the rules, or among those who play a scenario."""
    return text in env.seats or (text in world.seats and bool(world.states))


def seat_named(world: World, env: Env, text: str) -> Typed:
    """Returns the seat with a name; one that may stay empty is `none` if nobody sits there."""
    if text in env.seats:
        return Typed(env.seats[text], world.player)
    seat = world.seats.index(text)
    if env.seats and not env.printed:
        return Typed(ir.Const(NONE), world.player.or_none())
    world.named_seats.add(text)
    if env.printed or seat < world.players[0]:
        return Typed(ir.Const(seat), world.player)
    return Typed(ir.Either(_is_taken(world, ir.Const(seat)), ir.Const(seat), ir.Const(NONE)), world.player.or_none())


# ------------------------------------------------------------------ seats that stay empty


def without_empty(world: World, value: Typed, printed: tuple[int, ...]) -> Typed:
    """Returns a printed seat, or set of seats, without empty seats."""
    element = value.type.element if isinstance(value.type, SetType) else value.type
    if not isinstance(element, KindType) or element.name != "Player":
        return value
    low = world.players[0]
    several = isinstance(value.type, SetType)
    if not any(one != NONE and (one >> low if several else one >= low) for one in printed):
        return value
    all_players = ir.Read(world.turn_states["all players"], ())
    if several:
        return attrs.evolve(value, ir=ir.Op("inter", (value.ir, all_players)))
    variable = world.variable("seat", world.player)
    taken = ir.Source(ir.Op("inter", (ir.Op("single", (value.ir,)), all_players)))
    return Typed(ir.Over("first", (variable,), (taken,), None, None), world.player.or_none())


def _is_taken(world: World, seat: ir.Expr) -> ir.Expr:
    return ir.Op("in", (seat, ir.Read(world.turn_states["all players"], ())))


def warn_empty(world: World, env: Env, exprs: tuple[ir.Expr, ...], what: str, span: Span) -> None:
    """Warns if one of these expressions is a named seat that may be empty, unless a condition around it tests that."""
    for expr in exprs:
        seat = _may_be_empty(world, expr)
        if seat is None or is_certain(expr, env.facts):
            continue
        name = world.seats[seat]
        world.sink.report(
            "W0507",
            f"nobody sits at `{name}` when fewer than {seat + 1} play",
            span,
            what,
            help=f"ask first: `if {name} in players:`",
        )
        return


def _may_be_empty(world: World, expr: ir.Expr) -> int | None:
    """Returns the seat of an expression that `seat_named` made for a seat that may be empty; None for any other."""
    match expr:
        case ir.Either(condition=test, then=ir.Const(value=seat), otherwise=ir.Const(value=none)):
            if none == NONE and test == _is_taken(world, ir.Const(seat)):
                return seat
        case _:  # any other seat is taken, or is no constant
            pass
    return None
