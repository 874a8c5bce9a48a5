"""Expressions that stand for things: the locals and variables that they name, and those whose identity is secret.

move c to table                 things_of -> c
move p.marked to table          held_by -> p.marked
let d = first(c in p.hand by highest c.v)      pointed_out -> d: knowing which card it is reveals a secret
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import attrs

from rulelang.ir import model as ir
from rulelang.ir.flow.place import of_variable
from rulelang.ir.flow.secret import FlowLabel
from rulelang.ir.types import NONE, KindType, SetType, Type
from rulelang.ir.walk import walk


def is_movable(type: Type, game: ir.GameRules) -> bool:
    """Returns whether the values of a type are things that can be moved, or sets of them."""
    inner = type.element if isinstance(type, SetType) else type
    return isinstance(inner, KindType) and any(k.name == inner.name and k.movable for k in game.kinds)


def things_of(expr: ir.Expr | None) -> list[int]:
    """Returns the locals that stand for things in an expression: `c`, or `c` alone in a set."""
    match expr:
        case ir.Local(id=id):
            return [id]
        case ir.Op(name="single", arguments=(ir.Local(id=id),)):
            return [id]
        case ir.Op(name="union", arguments=arguments):
            return [id for part in arguments for id in things_of(part)]
        case _:  # any other expression names no thing
            return []


def held_by(expr: ir.Expr | None) -> list[ir.Read]:
    """Returns the variables that stand for things in an expression: `p.marked`, or `p.marked` alone in a set."""
    match expr:
        case ir.Read():
            return [expr]
        case ir.Op(name="single" | "union", arguments=arguments):
            return [read for part in arguments for read in held_by(part)]
        case _:  # any other expression is not held
            return []


def lying_in(expr: ir.Expr | None) -> list[ir.Expr]:
    """Returns the places that stand for things in an expression: `p.hand`, `top(deck)`, or `top(deck)` alone in a set."""
    match expr:
        case ir.Contents() | ir.TopOf() | ir.InSlot():
            return [expr]
        case ir.Op(name="single" | "union", arguments=arguments):
            return [place for part in arguments for place in lying_in(part)]
        case _:  # any other expression names no zone
            return []


def place_named(expr: ir.Expr, placed: Collection[int]) -> tuple[ir.Expr, ...] | None:
    """Returns the owner and the keys of the place that an expression names, of which all see how much lies there; () for a
    local that does, None if it names none."""
    match expr:
        case ir.TopOf(index=index) | ir.InSlot(index=index) | ir.Contents(index=index):
            return index
        case ir.Pick(of=ir.Source(mask=ir.Over(what="set") as picked, pile=None)):
            return place_named(attrs.evolve(picked, what="first"), placed)
        case ir.Either(condition=condition, then=then, otherwise=otherwise):
            ways = [() if isinstance(way, ir.Const) else place_named(way, placed) for way in (then, otherwise)]
            return None if None in ways else (condition, *(part for way in ways for part in way or ()))
        case ir.Over(what="first", sources=(ir.Source(mask=mask, pile=pile),), condition=None):
            lying = mask if pile is None else pile if mask is None else None
            return lying.index if isinstance(lying, ir.Contents) else None
        case ir.Pick(of=ir.Source(mask=None, pile=ir.Contents(index=index)) | ir.Source(mask=ir.Contents(index=index))):
            return index
        case ir.Local(id=id) if id in placed:
            return ()
        case _:  # any other thing may lie anywhere
            return None


def lies_there(variable: ir.Variable, value: ir.Expr | None) -> tuple[ir.Expr, ...]:
    """Returns the fact that a local is nothing or lies where it was found, if a zone is named there."""
    own, lying = ir.Local(variable.id), _lying_there(value)
    if not isinstance(lying, ir.Contents) or not isinstance(variable.type, KindType):
        return ()
    return (ir.Or((ir.Op("==", (own, ir.Const(NONE))), ir.Op("in", (own, lying)))),)


def _lying_there(expr: ir.Expr | None) -> ir.Expr | None:
    """Returns the content of the zone in which an expression names something, or nothing: of `top(deck)`, the deck."""
    match expr:
        case ir.TopOf(zone=zone, index=index) | ir.InSlot(zone=zone, index=index):
            return ir.Contents(zone, index)
        case ir.Over(what="first", sources=(ir.Source(mask=mask, pile=pile),), condition=None):
            return pile if mask is None else mask if pile is None else None
        case ir.Pick(of=ir.Source(mask=None, pile=pile)):
            return pile
        case ir.Either(then=then, otherwise=ir.Const(value=value)) if value == NONE:
            return _lying_there(then)
        case _:  # any other thing may lie anywhere
            return None


def pointed_out(game: ir.GameRules, locals: Mapping[int, FlowLabel], held: Mapping[int, FlowLabel]) -> set[int]:
    """Returns the locals of things whose identity is secret, in addition to their own secrets."""
    flows: list[tuple[int, object]] = []
    open = {state.id for state in game.states if state.visible == "all"}
    for statement in walk((game.procedures, game.choices)):
        match statement:
            case ir.Bind(variable=variable, value=value):
                flows.append((variable.id, value))
            case ir.Assign(place=place, value=value) if place.state in open:
                flows.append((of_variable(place.state), value))
            case ir.Loop(variable=variable, source=source, keys=keys):
                flows.append((variable.id, source if not keys else ir.Over("set", (), (source,), None, None)))
            case ir.Call(procedure=callee, arguments=arguments) | ir.Defer(procedure=callee, arguments=arguments):
                parameters = game.procedures[callee].parameters
                flows += [(p.id, argument) for p, argument in zip(parameters, arguments, strict=False)]
            case ir.BeginBody(rule=rule, around=around):
                flows += [(v.id, read) for v, read in zip(game.rules[rule].around, around, strict=False)]
            case _:  # no other statement passes a thing on
                pass
    found: set[int] = set()
    before = -1
    while before != len(found):
        before = len(found)
        for local, given in flows:
            label = held.get(-1 - local) if local < 0 else locals.get(local)
            if local not in found and label and _is_pointed(given, found, open):
                found.add(local)
    return found


def _is_pointed(value: object, secret: set[int], open: set[int]) -> bool:
    match value:
        case ir.Local(id=id):
            return id in secret
        case ir.Read(state=state) if state in open:
            return of_variable(state) in secret
        case ir.Contents() | ir.InSlot() | ir.TopOf() | ir.Const() | None:
            return False
        case ir.Over(what="first", sources=(source,), condition=None, keys=()):
            return _is_pointed(source, secret, open)
        case ir.Source(mask=mask, pile=pile):
            return _is_pointed(mask, secret, open) or _is_pointed(pile, secret, open)
        case ir.Pick(of=of):
            return _is_pointed(of, secret, open)
        case ir.Op(name="single" | "union", arguments=arguments):
            return any(_is_pointed(part, secret, open) for part in arguments)
        case _:  # any other value is computed
            return True
