"""Calls in expressions: values, data, variables with parameters, built-in functions.

crew(z)                      CallValue(crew, (Local(z),))
shields(p.zone)              Read(shields, (Read(zone, p),))
route(tile, side, l, p).cost Cell(route, cost, (…)); the call alone is a lazy row
least(route(…).cost)         Bound(most=False, …), spelled out by ir.bounds
"""

from __future__ import annotations

from typing import Literal

import attrs

from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.model.operators import CALCULATIONS, is_called
from rulelang.ir.types import NONE, BadType, EnumType, IntType, KindType, RowType, SetType, Type
from rulelang.semantics.expressions import board_functions, sets, values, ways
from rulelang.semantics.expressions.draws import picked_from, thrown_from
from rulelang.semantics.expressions.lvalues import is_outside, read_state, zone_value
from rulelang.semantics.names.coercion import arguments_of, coerce, fold, lower, number_of, small, want
from rulelang.semantics.names.negatives import only_member
from rulelang.semantics.names.scope import (
    BUILTIN_CHANGES,
    BUILTIN_FUNCTIONS,
    ActionName,
    DataName,
    DieName,
    Env,
    Meaning,
    StateName,
    ValueName,
    VerbName,
    World,
    ZoneName,
)
from rulelang.semantics.names.type_relations import FLAG, NOTHING, Typed, clip, name_of
from rulelang.semantics.names.type_syntax import die_type
from rulelang.source import Span
from rulelang.syntax import nodes

SEAT_NUMBERS = "Player number"
"""The table of the seats' numbers."""

TAKEN = "take its answer first: `let x = VERB(…)`"


def lower_call(world: World, env: Env, node: nodes.CallExpression, expected: Type | None) -> Typed:
    """Lowers `f(a, b)` as a value."""
    if not isinstance(node.function, nodes.NameExpression):
        world.sink.report("E0305", "only a name can be called", node.function.span)
        return NOTHING
    name = node.function.text
    if name in world.globals:
        return call_meaning(world, env, world.globals[name], name, node.arguments, node.span)
    if name in BUILTIN_FUNCTIONS:
        return _builtin(world, env, name, node, expected)
    if name in BUILTIN_CHANGES:
        world.sink.report("E0305", f"`{name}` is something to do, not a value", node.span)
        return NOTHING
    callable_names = [n for n, m in world.globals.items() if isinstance(m, ValueName | DataName | StateName)]
    world.unknown(name, node.function.span, "no value", sorted([*callable_names, *BUILTIN_FUNCTIONS]))
    for argument in node.arguments:
        lower(world, env, argument)
    return NOTHING


def call_meaning(
    world: World, env: Env, meaning: Meaning, name: str, arguments: tuple[nodes.Expression, ...], span: Span
) -> Typed:
    """Lowers a call of a declared value, data, variable or zone; reports a name of anything else."""
    match meaning:
        case ValueName():
            return values.call_value(world, env, meaning, arguments, span)
        case DataName():
            wanted = tuple(v.type for v in meaning.parameters)
            lowered = arguments_of(world, env, arguments, wanted, name, span, least=meaning.keys)
            if lowered is None or is_outside(world, name, lowered, wanted[: meaning.keys], span, meaning.span):
                return NOTHING
            filled = (*(a.ir for a in lowered), *(ir.Const(NONE) for _ in wanted[len(lowered) :]))
            return Typed(ir.Const(0), RowType(name), row=(meaning.id, filled))
        case StateName():
            index = arguments_of(world, env, arguments, meaning.dimensions, name, span)
            return NOTHING if index is None else read_state(world, env, meaning, name, index, span)
        case ZoneName():
            index = arguments_of(world, env, arguments, meaning.dimensions, name, span)
            if index is None or is_outside(world, name, index, meaning.dimensions, span, meaning.span):
                return NOTHING
            return zone_value(world, meaning, tuple(i.ir for i in index), True)
        case VerbName() | ActionName():
            help = TAKEN if isinstance(meaning, VerbName) and meaning.answer is not None else None
            world.sink.report("E0305", f"`{name}` is something to do, not a value", span, help=help)
        case DieName():
            world.sink.report("E0305", f"write `roll({name})`", span)
        case _:  # no other name takes arguments
            world.sink.report("E0305", f"`{name}` takes no arguments", span)
    return NOTHING


def read_cell(world: World, env: Env, row: Typed, column: nodes.IdentNode) -> Typed:
    """Lowers `ROW.column`."""
    assert isinstance(row.type, RowType)
    assert row.row is not None
    data = world.globals[row.type.data]
    assert isinstance(data, DataName)
    world.mean(column.span, row.type.data)
    if column.text not in data.columns:
        near = world.sink.near(column.text, sorted(data.columns))
        world.sink.report(
            "E0205",
            f"`{row.type.data}` has no column `{column.text}`",
            column.span,
            labels=(Label(data.span, "declared here"),),
            help=f"did you mean `{near}`?" if near else None,
            fix=near,
        )
        return NOTHING
    id, type = data.columns[column.text]
    optional = not isinstance(type, SetType)
    if world.rolling.get((data.id, column.text)) and not env.dice:
        sets.dice_refused(world, env, column.span)
        return NOTHING
    return Typed(ir.Cell(row.row[0], id, row.row[1]), attrs.evolve(type, optional=True) if optional else type)


# ------------------------------------------------------------------ built-in functions


_EXAMPLES = {
    "random": "write `random(1..6)`, or `random(x in S if c)`",
    "roll": "write `roll(d6)`, or `roll(d6, 2)` for the sum of two throws, of a `die d6: 1..6`",
}
"""What is written where one of them has the wrong number of arguments."""


def _builtin(world: World, env: Env, name: str, node: nodes.CallExpression, expected: Type | None) -> Typed:
    count = len(node.arguments)
    match name, count:
        case ("any" | "count" as asked, 1) if (action := ways.action_in(world, node.arguments[0])) is not None:
            return ways.lower_ways(world, env, asked, action, node.arguments[0], node.span)
        case ("count" | "any" | "all" | "first" | "best" | "sum", 1):
            return sets.of_set(world, name, lower(world, env, node.arguments[0]), node.span)
        case ("min" | "max", _) if count:
            return _extreme(world, env, name, node)
        case ("roll", 1 | 2):
            return _roll(world, env, node)
        case ("random", 1):
            return _random(world, env, node)
        case ("least" | "most", 1):
            return _bound(world, env, name, node)
        case ("next" | "previous", 1):
            return _neighbour(world, env, name, node, expected)
        case ("top", 1):
            return _top(world, env, node)
        case ("place" | "holder" | "is_face_up", 1):
            return _where(world, env, name, node)
        case ("number", 1):
            return _number_of_seat(world, env, node.arguments[0])
        case ("during", 1):
            return _during(world, node)
        case ("neighbours" | "step" | "distance" | "direction" | "opposite" | "connected" | "region", _):
            return board_functions.lower_board_call(world, env, name, node, expected)
        case _:  # any other call is of a calculation, or a fault
            pass
    if is_called(name) and count == CALCULATIONS[name].takes:
        return _calculated(world, env, name, node)
    help = _EXAMPLES.get(name)
    world.sink.report("E0207", f"`{name}` does not take {count} arguments", node.span, help=help)
    return NOTHING


def _extreme(world: World, env: Env, name: Literal["min", "max"], node: nodes.CallExpression) -> Typed:
    if len(node.arguments) == 1:
        only = node.arguments[0]
        if isinstance(only, nodes.SetDisplayExpression) and only.items:
            return _extreme(world, env, name, attrs.evolve(node, arguments=only.items))
        value = lower(world, env, only)
        return sets.of_set(world, name, value, node.span)
    parts = [number_of(world, env, a) for a in node.arguments]
    types = [p.type for p in parts if isinstance(p.type, IntType)]
    if len(types) < len(parts) or not types:
        return NOTHING
    if len(parts) == 1:
        return parts[0]
    return _folded(name, parts, types)


def _calculated(world: World, env: Env, name: ir.Calculation, node: nodes.CallExpression) -> Typed:
    parts = [number_of(world, env, argument) for argument in node.arguments]
    types = [part.type for part in parts if isinstance(part.type, IntType)]
    return NOTHING if len(types) < len(parts) else _folded(name, parts, types)


def _folded(name: ir.Calculation, parts: list[Typed], types: list[IntType]) -> Typed:
    span = CALCULATIONS[name].span(*((type.low, type.high) for type in types))
    return fold(name, tuple(part.ir for part in parts), clip(*span))


def _roll(world: World, env: Env, node: nodes.CallExpression) -> Typed:
    if not env.dice:
        sets.dice_refused(world, env, node.span)
        return NOTHING
    if isinstance(node.arguments[0], nodes.NumberExpression):
        help = "a die is declared, `die d6: 1..6`, and thrown by its name: `roll(d6)`"
        world.sink.report("E0301", "expected Die, found a number", node.arguments[0].span, "this is no die", help=help)
        return NOTHING
    die = want(world, env, node.arguments[0], die_type(world), "this is no die")
    is_known = isinstance(die, ir.Const) and 0 <= die.value < len(world.dice)
    faces = world.dice[die.value].faces if is_known and isinstance(die, ir.Const) else _all_faces(world)
    times, most = None, 1
    if len(node.arguments) == 2:
        count = number_of(world, env, node.arguments[1])
        if not isinstance(count.type, IntType):
            return NOTHING
        times, most = count.ir, max(count.type.high, 0)
    if not faces:
        return NOTHING
    least = 0 if times is not None and not isinstance(times, ir.Const) else most
    ends = [f * n for f in (min(faces), max(faces)) for n in (least, most)]
    return Typed(thrown_from(world, env, ir.Roll(die, times)), IntType(min(ends), max(ends)))


def _all_faces(world: World) -> tuple[int, ...]:
    return tuple(f for d in world.dice for f in d.faces)


def _random(world: World, env: Env, node: nodes.CallExpression) -> Typed:
    if not env.dice:
        sets.dice_refused(world, env, node.span)
        return NOTHING
    domain = sets.source_of(world, env, node.arguments[0])
    if domain is None:
        return NOTHING
    pick = picked_from(world, env, ir.Pick(-1, domain.source), domain.element)
    return only_member(world, pick, domain.element)


def _bound(world: World, env: Env, name: str, node: nodes.CallExpression) -> Typed:
    value = lower(world, attrs.evolve(env, dice=True, sealed=None), node.arguments[0])
    if not isinstance(value.type, IntType | BadType):
        world.sink.report("E0302", f"`{name}` takes a number, found {name_of(value.type)}", node.span)
        return NOTHING
    seals: tuple[ir.Seal, ...] = ()
    if env.sealed is not None:
        seals = tuple(ir.Seal(state, env.sealed.chooser, candidate) for state, candidate in env.sealed.candidates)
    return Typed(ir.Bound(name == "most", value.ir, seals, node.span), value.type)


def _neighbour(world: World, env: Env, name: str, node: nodes.CallExpression, expected: Type | None) -> Typed:
    value = lower(world, env, node.arguments[0], expected)
    match value.type:
        case KindType(name="Player") if small(world, value, node.span):
            return Typed(values.next_player(world, name, value.ir), world.player.or_none())
        case EnumType(members=members) if small(world, value, node.span):
            step = 1 if name == "next" else -1
            moved = ir.Op("+", (value.ir, ir.Const(step)))
            edge = len(members) - 1 if step > 0 else 0
            none = ir.Op("in", (value.ir, ir.Const(((1 << len(members)) - 1) & ~(1 << edge))))
            return Typed(ir.Either(none, moved, ir.Const(NONE)), value.type.or_none())
        case KindType(name="Player") | EnumType() | BadType():
            return NOTHING
        case _:  # any other type is a fault
            pass
    world.sink.report("E0303", f"`{name}` takes a player or an enum's member, found {name_of(value.type)}", node.span)
    return NOTHING


def _top(world: World, env: Env, node: nodes.CallExpression) -> Typed:
    value = lower(world, env, node.arguments[0])
    if isinstance(value.type, BadType):
        return NOTHING
    if value.zone is None or world.zones[value.zone[0]].form != "pile" or not isinstance(value.type, SetType):
        world.sink.report("E0303", "`top` takes a pile", node.arguments[0].span, f"this is {name_of(value.type)}")
        return NOTHING
    return Typed(ir.TopOf(value.zone[0], value.zone[1]), value.type.element.or_none())


def _where(world: World, env: Env, name: str, node: nodes.CallExpression) -> Typed:
    value = lower(world, env, node.arguments[0])
    if isinstance(value.type, BadType):
        return NOTHING
    if not isinstance(value.type, KindType) or value.type.name not in world.boxes:
        world.sink.report("E0303", f"`{name}` takes a thing, found {name_of(value.type)}", node.span)
        return NOTHING
    kind = world.kind_ids[value.type.name]
    if name == "is_face_up":
        return Typed(ir.FaceUp(kind, value.ir), FLAG)
    if name == "holder":
        return Typed(ir.OwnerOf(kind, "Player", value.ir), world.player.or_none())
    owners = {z.owner for z in world.zones if z.kind == kind and z.owner in world.boards}
    if len(owners) != 1 and not world.is_whole:
        return NOTHING
    if len(owners) != 1:
        world.sink.report(
            "E0303", "`place` needs a board whose spaces hold such things", node.span, help="test `x in ZONE` instead"
        )
        return NOTHING
    owner = str(owners.pop())
    type = KindType(owner, world.kinds[world.kind_ids[owner]].size, optional=True)
    return Typed(ir.OwnerOf(kind, owner, value.ir), type)


def _number_of_seat(world: World, env: Env, node: nodes.Expression) -> Typed:
    """Lowers `number(p)`: which seat that is, counted from 1."""
    value = lower(world, env, node, world.player)
    seat, seats = coerce(world, value, world.player.or_none(), node.span), len(world.seats)
    if isinstance(value.type, BadType):
        return NOTHING
    known = next((table.id for table in world.tables if table.name == SEAT_NUMBERS), None)
    if known is None and world.assembled:
        return Typed(ir.Op("+", (seat, ir.Const(1))), IntType(1, seats))
    if known is None:
        numbers = tuple(range(1, seats + 1))
        known = world.table(SEAT_NUMBERS, (world.player,), IntType(1, seats), numbers, "seat number")
    certain = not value.type.optional
    return Typed(ir.Column(known, (seat,), certain), IntType(1, seats, optional=not certain))


def _during(world: World, node: nodes.CallExpression) -> Typed:
    argument = node.arguments[0]
    name = argument.text if isinstance(argument, nodes.NameExpression) else ""
    verb = world.globals.get(name)
    if not isinstance(verb, VerbName):
        phases = [n for n, m in world.globals.items() if isinstance(m, VerbName)]
        world.unknown(name or "this", argument.span, "no phase", phases)
        return NOTHING
    if name not in world.during:
        world.during[name] = world.state(f"during {name}", None, (), FLAG, builtin=True)
    return Typed(ir.Read(world.during[name], ()), FLAG)
