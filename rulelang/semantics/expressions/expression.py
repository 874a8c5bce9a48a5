"""Expressions: tree -> IR with a type.

Every function reports a fault and returns `NOTHING` (of `BadType`, which fits everywhere), so that each fault gives one
message. Ranges are inferred as well: `6 if c else 2` has type 2..6.

    p.fuel - 2 >= 0        Op(">=", (Op("-", (Read(fuel, (Local(p),)), Const(2))), Const(0)))
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Literal, TypeAlias, assert_never

import attrs

from rulelang.diagnostics.foreign_names import MEMBERS
from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.model.operators import CALCULATIONS
from rulelang.ir.types import (
    LARGEST,
    NONE,
    BadType,
    EnumType,
    IntType,
    KindType,
    NoneType,
    RowType,
    SetType,
    Type,
)
from rulelang.semantics.expressions import board_functions, calls, occurrences, sets
from rulelang.semantics.expressions import thing_literals as forms
from rulelang.semantics.expressions.lvalues import are_within, is_outside, read_state, zone_value
from rulelang.semantics.expressions.members import all_of, builtin_state
from rulelang.semantics.names import literals, seats
from rulelang.semantics.names.coercion import arguments_of, as_number, coerce, condition, fold, lower, number_of, thrown
from rulelang.semantics.names.negatives import in_form_of
from rulelang.semantics.names.scope import (
    ActionName,
    ColumnName,
    ConstantName,
    DataName,
    DieName,
    Env,
    StateName,
    TypeName,
    ValueName,
    VerbName,
    World,
    ZoneName,
)
from rulelang.semantics.names.type_relations import FLAG, NOTHING, Typed, clip, join, name_of
from rulelang.semantics.names.type_syntax import die_type
from rulelang.source import Span
from rulelang.syntax import nodes

MOST_NAMED = 8
"""The most names that advice lists."""


def lower_expression(world: World, env: Env, node: nodes.Expression, expected: Type | None = None) -> Typed:
    """Lowers an expression; `expected` helps to resolve names of members and things, but is not enforced."""
    found = _lowered(world, env, node, expected)
    world.places.append((found.ir, node.span))
    return found


def _lowered(world: World, env: Env, node: nodes.Expression, expected: Type | None) -> Typed:
    if env.forms and (found := forms.lower_form(world, env, node, expected)) is not None:
        return found
    if (found := forms.lower_thing(world, env, node, expected)) is not None:
        return found
    match node:
        case nodes.NameExpression(text=text):
            return _name(world, env, text, node.span, expected)
        case nodes.NumberExpression(value=value):
            return _number(world, value, node.span)
        case nodes.AttributeExpression():
            return _attribute(world, env, node)
        case nodes.CallExpression(function=nodes.AttributeExpression(of=of, name=name), arguments=arguments):
            return _attribute_of(world, env, _owner(world, env, of, name.text), name, arguments, node.span)
        case nodes.CallExpression():
            return calls.lower_call(world, env, node, expected)
        case nodes.UnaryExpression(operator="not", operand=operand):
            return Typed(ir.Op("not", (condition(world, env, operand),)), FLAG)
        case nodes.UnaryExpression(operand=operand):
            return _negative(world, env, operand)
        case nodes.BinaryExpression():
            return _binary(world, env, node, expected)
        case nodes.OpenlyExpression(condition=inner):
            return Typed(ir.Openly(condition(world, env, inner)), FLAG)
        case nodes.ConditionalExpression():
            return _conditional(world, env, node, expected)
        case nodes.RangeExpression() | nodes.SetDisplayExpression() | nodes.SetOfExpression():
            return sets.lower_set(world, env, node, expected)
        case nodes.AfterExpression():
            return occurrences.lower_after(world, env, node, expected)
        case nodes.AggregateExpression():
            return sets.lower_aggregate(world, env, node, expected)
        case nodes.ComprehensionExpression():
            world.sink.report("E0305", "a comprehension stands in `{ }` or after a function", node.span)
            return NOTHING
        case _:  # any other expression is a fault here
            pass
    world.sink.report("E0305", "this cannot stand in an expression", node.span)
    return NOTHING


def _number(world: World, value: int, span: Span) -> Typed:
    if value > LARGEST:
        world.sink.report(
            "E0306", f"the number {str(value)[:24]} is too large", span, f"numbers fit in 32 bits: up to {LARGEST}"
        )
        return NOTHING
    return Typed(ir.Const(value), IntType(value, value))


def _negative(world: World, env: Env, operand: nodes.Expression) -> Typed:
    value = number_of(world, env, operand)
    if not isinstance(value.type, IntType):
        return NOTHING
    return fold("neg", (value.ir,), clip(-value.type.high, -value.type.low))


# ------------------------------------------------------------------ names


def _name(world: World, env: Env, text: str, span: Span, expected: Type | None) -> Typed:
    if text in env.aliases:
        return Typed(env.aliases[text], env.alias_types[text])
    if text in env.locals:
        variable = env.locals[text]
        return Typed(ir.Local(variable.id), variable.type)
    wanted = literals.literal_wanted(world, text, expected)
    if wanted is not None:
        return _meant(world, span, wanted)
    if text in env.seats:
        return seats.seat_named(world, env, text)
    if text in world.globals:
        return _global(world, env, text, span)
    found = literals.literal_or_seat(world, env, text, span, expected)
    if found is not None:
        return _meant(world, span, found)
    # The header is lowered before the built-in variables exist.
    builtin = _builtin(world, env, text) if world.states else None
    if builtin is not None:
        return builtin
    if seats.is_seat(world, env, text):
        return seats.seat_named(world, env, text)
    declared = (
        f"a variable is declared below `the game has:`, such as `{text}: 0..9 = 0`; what keeps its value is a `let`"
    )
    world.unknown(text, span, "nothing", _in_sight(world, env), declared if env.assigns else None)
    return NOTHING


def _meant(world: World, span: Span, value: Typed) -> Typed:
    """Notes the enum, kind or board to which the literal at a place belongs; returns the literal."""
    if isinstance(value.type, EnumType | KindType):
        world.mean(span, value.type.name)
    return forms.demand_one(world, value, span)


def _in_sight(world: World, env: Env) -> Iterator[str]:
    yield from sorted({*env.locals, *world.globals, *world.members, *world.things, *world.seats})


def _global(world: World, env: Env, text: str, span: Span) -> Typed:
    meaning = world.globals[text]
    match meaning:
        case ConstantName(value=value, type=type):
            return Typed(ir.Const(value), type)
        case TypeName(type=type):
            return all_of(world, type)
        case StateName():
            return read_state(world, env, meaning, text, (), span)
        case ZoneName():
            return zone_value(world, meaning, (), True)
        case ValueName() | DataName():
            return calls.call_meaning(world, env, meaning, text, (), span)
        case DieName(id=id):
            return Typed(ir.Const(id), die_type(world))
        case VerbName() | ActionName():
            help = calls.TAKEN if isinstance(meaning, VerbName) and meaning.answer is not None else None
            world.sink.report("E0305", f"`{text}` is something to do, not a value", span, help=help)
            return NOTHING
        case _:
            assert_never(meaning)


def _builtin(world: World, env: Env, text: str) -> Typed | None:
    player = world.player
    match text:
        case "none":
            return Typed(ir.Const(NONE), NoneType(optional=True))
        case "yes" | "no":
            return Typed(ir.Const(int(text == "yes")), FLAG)
        case "Player":
            return all_of(world, player)
        case "players":
            return Typed(ir.Read(builtin_state(world, "players"), ()), SetType(player))
        case "mover":
            return Typed(ir.Read(builtin_state(world, "mover"), ()), player.or_none())
        case "turn" | "round":
            return Typed(ir.Read(builtin_state(world, text), ()), IntType(0, LARGEST))
        case "you" | "first_player":
            return Typed(ir.Const(0), player)
        case "viewer" if env.viewer is not None:
            return Typed(ir.Local(env.viewer.id), player.or_none())
        case "occurrences":
            return occurrences.occurrences(world)
        case "Die":
            return Typed(ir.Const((1 << len(world.dice)) - 1), SetType(die_type(world)))
        case _:  # any other text is no built-in name
            return None


# ------------------------------------------------------------------ attributes


def _attribute(world: World, env: Env, node: nodes.AttributeExpression) -> Typed:
    found = literals.qualified(world, env, node)
    if found is not None:
        return found
    return _attribute_of(world, env, _owner(world, env, node.of, node.name.text), node.name, (), node.span)


def _owner(world: World, env: Env, node: nodes.Expression, attribute: str) -> Typed:
    """Lowers the left side of a dot; of several values with that name, the one that has the attribute."""
    type = literals.owner_type(world, env, node.text, attribute) if isinstance(node, nodes.NameExpression) else None
    return forms.printed_alike(world, env, node, attribute) or lower(world, env, node, type)


def _attribute_of(
    world: World, env: Env, of: Typed, name: nodes.IdentNode, arguments: tuple[nodes.Expression, ...], span: Span
) -> Typed:
    """Lowers `x.name` or `x.name(arguments)` for a player, thing, space or data row."""
    if isinstance(of.type, BadType):
        return NOTHING
    if isinstance(of.type, RowType) and of.row is not None:
        return calls.read_cell(world, env, of, name)
    if not isinstance(of.type, KindType):
        help_ = thrown(of.type) or _of_each(world, of.type, name.text) or MEMBERS.get(name.text)
        world.sink.report("E0205", f"{name_of(of.type)} has no `{name.text}`", name.span, help=help_)
        return NOTHING
    kind = of.type.name
    world.mean(name.span, kind)
    meaning = world.owned.get((kind, name.text))
    match meaning:
        case StateName():
            index = arguments_of(world, env, arguments, meaning.dimensions[1:], name.text, span)
            return NOTHING if index is None else read_state(world, env, meaning, name.text, index, span, of)
        case ZoneName():
            index = arguments_of(world, env, arguments, meaning.dimensions[1:], name.text, span)
            if index is None or is_outside(world, name.text, index, meaning.dimensions[1:], span, meaning.span):
                return NOTHING
            return zone_value(world, meaning, (of.ir, *(i.ir for i in index)), not of.type.optional)
        case ColumnName(table=table, type=type, key=key):
            keys = arguments_of(world, env, arguments, key, name.text, span)
            if keys is None or is_outside(world, name.text, keys, key, span, meaning.span):
                return NOTHING
            optional = type.optional or of.type.optional or not are_within(keys, key)
            around = board_functions.on_map(world, kind)
            value: ir.Expr = ir.Column(table, (*around, of.ir, *(given.ir for given in keys)), not optional)
            if isinstance(of.ir, ir.Const) and of.ir.value != NONE and not around and not key:
                value = ir.Const(world.tables[table].values[of.ir.value])
            read = Typed(value, attrs.evolve(type, optional=optional) if not isinstance(type, SetType) else type)
            return seats.without_empty(world, read, world.tables[table].values)
        case None:
            return _no_attribute(world, kind, name)
        case _:
            assert_never(meaning)


def _of_each(world: World, type: Type, name: str) -> str | None:
    """Returns advice for who writes `players.gold`: a set has no variables, its members have."""
    if isinstance(type, SetType) and isinstance(type.element, KindType) and (type.element.name, name) in world.owned:
        return f"each member has one: `for x in …: … x.{name}`, or `sum(x.{name} for x in …)`"
    return None


def _attributes(world: World, kind: str) -> Iterator[str]:
    yield from sorted(n for k, n in world.owned if k == kind)


def _no_attribute(world: World, kind: str, name: nodes.IdentNode) -> Typed:
    near = world.sink.near(name.text, _attributes(world, kind))
    labels: tuple[Label, ...] = ()
    if near is not None:
        labels = (Label(world.owned[kind, near].span, "a close name is declared here"),)
    world.sink.report(
        "E0205",
        f"{kind} has no `{name.text}`",
        name.span,
        "not declared",
        labels=labels,
        help=f"did you mean `{near}`?" if near else MEMBERS.get(name.text) or _has_instead(world, kind),
        fix=near,
    )
    return NOTHING


def _has_instead(world: World, kind: str) -> str | None:
    """Returns a sentence with the first of what a kind has."""
    has = [f"`{name}`" for name in islice(_attributes(world, kind), MOST_NAMED)]
    return f"what a {kind} has: {', '.join(has)}" if has else None


# ------------------------------------------------------------------ operators

BinaryCalculation: TypeAlias = Literal["+", "-", "*", "floordiv", "ceildiv", "mod"]


def _binary(world: World, env: Env, node: nodes.BinaryExpression, expected: Type | None) -> Typed:
    match node.operator:
        case "and" | "or":
            first = condition(world, env, node.left)
            known = env.knowing(first if node.operator == "and" else ir.Op("not", (first,)))
            parts = (first, condition(world, known, node.right))
            return Typed(ir.And(parts) if node.operator == "and" else ir.Or(parts), FLAG)
        case "==" | "!=":
            return _equal(world, env, node, node.operator)
        case "<" | "<=" | ">" | ">=":
            return _ordered(world, env, node, node.operator)
        case "in" | "not in":
            return sets.lower_in(world, env, node)
        case "+" | "-":
            return _arithmetic(world, env, node, node.operator, expected)
        case "*":
            return _arithmetic(world, env, node, "*", expected)
        case "/":
            return _arithmetic(world, env, node, "ceildiv" if node.rounded == "up" else "floordiv", expected)
        case "%":
            return _arithmetic(world, env, node, "mod", expected)
        case _:
            assert_never(node.operator)


def _pair(world: World, env: Env, node: nodes.BinaryExpression) -> tuple[Typed, Typed]:
    """Lowers the two sides of an operator; a side that needs an expected type is lowered after the other."""
    if literals.needs_help(world, env, node.left):
        right = lower(world, env, node.right)
        return lower(world, env, node.left, right.type), right
    left = lower(world, env, node.left)
    return left, lower(world, env, node.right, left.type)


def _equal(world: World, env: Env, node: nodes.BinaryExpression, operator: Literal["==", "!="]) -> Typed:
    left, right = _pair(world, env, node)
    if isinstance(left.type, RowType) or isinstance(right.type, RowType):
        return _row_or_none(world, node, left, right)
    # A slot or a thing and a set are compared as sets.
    if isinstance(left.type, SetType) != isinstance(right.type, SetType):
        if isinstance(left.type, SetType) and not isinstance(right.type, NoneType | BadType):
            right = Typed(coerce(world, right, left.type, node.right.span), left.type)
        elif isinstance(right.type, SetType) and not isinstance(left.type, NoneType | BadType):
            left = Typed(coerce(world, left, right.type, node.left.span), right.type)
    if join(left.type, right.type) is None:
        world.sink.report(
            "E0303",
            f"{name_of(left.type)} is never equal to {name_of(right.type)}",
            node.span,
            labels=(Label(node.left.span, name_of(left.type)), Label(node.right.span, name_of(right.type))),
            help=thrown(left.type, right.type),
        )
        return NOTHING
    return Typed(ir.Op(operator, _alike(world, left, right)), FLAG)


def _alike(world: World, left: Typed, right: Typed) -> tuple[ir.Expr, ir.Expr]:
    """Returns both values in the form of their joined type."""
    type = join(left.type, right.type) or left.type
    return in_form_of(world, left, type), in_form_of(world, right, type)


def _row_or_none(world: World, node: nodes.BinaryExpression, left: Typed, right: Typed) -> Typed:
    row, other = (left, right) if isinstance(left.type, RowType) else (right, left)
    if row.row is None or not isinstance(other.type, NoneType):
        world.sink.report("E0303", "a data row can only be compared with none", node.span)
        return NOTHING
    has: ir.Expr = ir.HasRow(*row.row)
    return Typed(has if node.operator == "!=" else ir.Op("not", (has,)), FLAG)


def _ordered(world: World, env: Env, node: nodes.BinaryExpression, operator: ir.Ordering) -> Typed:
    left, right = _pair(world, env, node)
    for side, part in ((left, node.left), (right, node.right)):
        if isinstance(side.type, NoneType):
            world.sink.report("E0303", "`none` has no order", part.span, "this never holds")
            return NOTHING
    comparable = isinstance(left.type, IntType | EnumType | KindType | BadType)
    if not comparable or join(left.type, right.type) is None:
        world.sink.report(
            "E0303",
            f"{name_of(left.type)} and {name_of(right.type)} have no order",
            node.span,
            help="write `count(…)` for how many are in a set"
            if isinstance(left.type, SetType)
            else thrown(left.type, right.type),
        )
        return NOTHING
    return Typed(ir.Op(operator, (left.ir, right.ir)), FLAG)


def _arithmetic(
    world: World, env: Env, node: nodes.BinaryExpression, name: BinaryCalculation, expected: Type | None
) -> Typed:
    # Each side is lowered only once: twice at every depth would take exponential time.
    is_sum = name in ("+", "-")
    if is_sum and expected is None and literals.needs_help(world, env, node.left):
        right = lower(world, env, node.right)
        left = lower(world, env, node.left, right.type)
    else:
        left = lower(world, env, node.left, expected if is_sum else None)
        right = lower(world, env, node.right, left.type if is_sum else None)
    if is_sum and (isinstance(left.type, SetType) or isinstance(right.type, SetType)):
        return sets.combine(world, node, left, right)
    left, right = as_number(world, left, node.left.span), as_number(world, right, node.right.span)
    if not isinstance(left.type, IntType) or not isinstance(right.type, IntType):
        return NOTHING
    type = range_of(name, left.type, right.type)
    if name in {"floordiv", "ceildiv", "mod"} and (right.type.low, right.type.high) == (0, 0):
        world.sink.report("E0304", "this divides by 0", node.right.span, "always 0")
        return NOTHING
    result = fold(name, (left.ir, right.ir), type)
    return _checked_constant(world, result, node)


def _checked_constant(world: World, value: Typed, node: nodes.BinaryExpression) -> Typed:
    if isinstance(value.ir, ir.Op) and all(isinstance(a, ir.Const) for a in value.ir.arguments):
        world.sink.report(
            "E0306", "the result is too large", node.span, f"numbers fit in 32 bits: -{LARGEST}..{LARGEST}"
        )
        return NOTHING
    return value


def range_of(name: BinaryCalculation, a: IntType, b: IntType) -> IntType:
    """Returns the range of an operator's results, clipped to 32 bits."""
    return clip(*CALCULATIONS[name].span((a.low, a.high), (b.low, b.high)))


def _conditional(world: World, env: Env, node: nodes.ConditionalExpression, expected: Type | None) -> Typed:
    test = condition(world, env, node.condition)
    then = lower(world, env.knowing(test), node.then, expected)
    otherwise = lower(world, env.knowing(ir.Op("not", (test,))), node.otherwise, expected or then.type)
    type = join(then.type, otherwise.type)
    if type is None:
        world.sink.report(
            "E0301",
            f"the two sides differ: {name_of(then.type)} and {name_of(otherwise.type)}",
            node.span,
            labels=(
                Label(node.then.span, name_of(then.type)),
                Label(node.otherwise.span, name_of(otherwise.type)),
            ),
            help=thrown(then.type, otherwise.type),
        )
        return NOTHING
    one, other = in_form_of(world, then, type), in_form_of(world, otherwise, type)
    if isinstance(test, ir.Const):
        return Typed(one if test.value else other, type)
    return Typed(ir.Either(test, one, other), type)
