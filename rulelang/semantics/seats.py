"""Seats by their names, and `Type.member` where a bare name could be several things.

white             Const(0): a seat that is always taken
blue              Either(0b100 in all players, Const(2), NONE): a seat that stays empty when fewer play
Colour.red        Const(1), whatever else is called `red`
"""

from __future__ import annotations

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import NONE, BadType, EnumType, KindType, NoneType, SetType, Type
from rulelang.semantics.facts import is_certain
from rulelang.semantics.scope import Env, TypeName, World
from rulelang.semantics.type_relations import NOTHING, Typed
from rulelang.source import Span
from rulelang.syntax import nodes


def wanted_element(expected: Type | None) -> Type | None:
    """Returns what a name should be a value of, or None where nothing says."""
    element = expected.element if isinstance(expected, SetType) else expected
    return None if element is None or isinstance(element, NoneType) else element.certain()


def is_seat(world: World, env: Env, text: str) -> bool:
    """Tells whether a seat has this name: in the rules, or among those who play a scenario."""
    return text in env.seats or (text in world.seats and bool(world.states))


def seat_named(world: World, env: Env, text: str) -> Typed:
    """Returns the seat of a name; one that may stay empty is `none` while nobody sits there."""
    if text in env.seats:
        return Typed(env.seats[text], world.player)
    seat = world.seats.index(text)
    if env.seats and not env.printed:
        return Typed(ir.Const(NONE), world.player.or_none())
    world.named_seats.add(text)
    if env.printed or seat < world.players[0]:
        return Typed(ir.Const(seat), world.player)
    return Typed(ir.Either(_is_taken(world, ir.Const(seat)), ir.Const(seat), ir.Const(NONE)), world.player.or_none())


def seat_or_member(world: World, env: Env, text: str, span: Span, expected: Type | None) -> Typed | None:
    """Returns the seat or the enum's member of a name, whichever is wanted; None where neither has it.

    Nothing that says which is wanted leaves both: then the name is reported.
    """
    members = world.members.get(text, ())
    wanted = wanted_element(expected)
    seated = is_seat(world, env, text)
    if seated and wanted == world.player:
        return seat_named(world, env, text)
    if len(members) == 1 and not (seated and wanted is None):
        return Typed(ir.Const(members[0][1]), members[0][0])
    if not members:
        return None
    if not isinstance(wanted, BadType):
        _report_several(world, text, span, (["Player"] if seated else []) + _enums(world, text))
    return NOTHING


def _enums(world: World, text: str) -> list[str]:
    return sorted({type.name for type, _ in world.members[text] if isinstance(type, EnumType)})


def _report_several(world: World, text: str, span: Span, types: list[str]) -> None:
    others = [name for name in types if name != "Player"]
    about = f"a member of {' and '.join(f'`{name}`' for name in others)}"
    known = [name for name in types if name == "Player" or isinstance(world.globals.get(name), TypeName)]
    forms = [f"`{name}.{text}`" for name in known]
    world.sink.report(
        "E0209",
        f"`{text}` is {'a seat and ' if others != types else ''}{about}",
        span,
        "compare it with something that says which" if not forms else f"write {' or '.join(forms)}",
    )


def needs_help(world: World, env: Env, node: nodes.Expression) -> bool:
    """Tells whether an expression's names mean something only next to what says which type is wanted."""
    match node:
        case nodes.Name(text=text):
            return text not in env.locals and text not in env.aliases and bool(world.members.get(text))
        case nodes.SetDisplay(items=items):
            return any(needs_help(world, env, item) for item in items)
        case nodes.Binary(operator="+" | "-", left=left, right=right):
            return needs_help(world, env, left) and needs_help(world, env, right)
        case nodes.Conditional(then=then, otherwise=otherwise):
            return needs_help(world, env, then) and needs_help(world, env, otherwise)
    return False


# ------------------------------------------------------------------ Type.member


def qualified(world: World, env: Env, node: nodes.Attribute) -> Typed | None:
    """Lowers `Player.red`, `Colour.red` and `Card.ace`; None for what is no such form."""
    if not isinstance(node.of, nodes.Name) or node.of.text in env.locals or node.of.text in env.aliases:
        return None
    owner, text = node.of.text, node.name.text
    meaning = world.globals.get(owner)
    if owner == "Player" and meaning is None:
        if is_seat(world, env, text):
            return seat_named(world, env, text)
        return _no_member(world, owner, node.name, (*env.seats, *world.seats))
    if not isinstance(meaning, TypeName):
        return None
    if isinstance(meaning.type, EnumType):
        if text in meaning.type.members:
            return Typed(ir.Const(meaning.type.members.index(text)), meaning.type)
        return _no_member(world, owner, node.name, meaning.type.members)
    names = world.kinds[world.kind_ids[owner]].names
    if names.count(text) == 1:
        return Typed(ir.Const(names.index(text)), meaning.type)
    return _no_member(world, owner, node.name, tuple(dict.fromkeys(names)))


def _no_member(world: World, owner: str, name: nodes.Ident, names: tuple[str, ...]) -> Typed:
    near = world.sink.near(name.text, names)
    help = f"did you mean `{near}`?" if near else None
    world.sink.report("E0205", f"{owner} has no `{name.text}`", name.span, "no such member", help=help, fix=near)
    return NOTHING


# ------------------------------------------------------------------ seats that stay empty


def without_empty(world: World, value: Typed, printed: tuple[int, ...]) -> Typed:
    """Returns a printed seat, or set of seats, without those where nobody sits."""
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
    """Warns where one of these is a named seat that may be empty, unless a condition around asks whether it is taken."""
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
    """Returns the seat that a name stands for which is `none` while nobody sits there."""
    match expr:
        case ir.Either(condition=test, then=ir.Const(value=seat), otherwise=ir.Const(value=none)):
            if none == NONE and test == _is_taken(world, ir.Const(seat)):
                return seat
    return None
