"""Sets and functions of sets: displays, ranges, comprehensions, `count`, `sum`, `first`, `in`.

{q in players if q.zone > p.zone}       Over("set", names=(q,), …)
count(q in Player if q.lane == l)       Over("count", …)
move 2 of bonuses to p.offer            Source(pile=bonuses): in the pile's order
"""

from __future__ import annotations

from math import prod
from typing import Literal, TypeAlias, assert_never, cast

import attrs

from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.types import (
    NONE,
    SET_LIMIT,
    BadType,
    EnumType,
    FlagType,
    IntType,
    KindType,
    NoneType,
    RowType,
    SetType,
    Type,
    size_of,
)
from rulelang.semantics.expressions.draws import picked_from
from rulelang.semantics.names import literals
from rulelang.semantics.names.coercion import coerce, condition, lower, number_of, thrown
from rulelang.semantics.names.negatives import bind_member, in_form_of, is_too_wide, lowered, only_member, raised
from rulelang.semantics.names.scope import BUILTINS, Env, World
from rulelang.semantics.names.type_relations import BAD, FLAG, NOTHING, Typed, clip, fits, join, name_of
from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import walk

EMPTY = SetType(NoneType())
MOST_BINDERS = 20
"""The most binders of a comprehension."""

SetFunction: TypeAlias = Literal["count", "sum", "min", "max", "any", "all", "first", "best"]
"""The functions that take a plain set."""


def lower_set(world: World, env: Env, node: nodes.Expression, expected: Type | None) -> Typed:
    """Lowers `lo..hi`, `{…}` and `{x in S if c}`."""
    match node:
        case nodes.RangeExpression():
            return _range(world, env, node)
        case nodes.SetDisplayExpression():
            return _display(world, env, node, expected)
        case nodes.SetOfExpression(comprehension=comprehension):
            return _comprehension(world, env, "set", comprehension, node.span)
        case _:  # the caller hands over no other expression
            return NOTHING


def _range(world: World, env: Env, node: nodes.RangeExpression) -> Typed:
    low, high = number_of(world, env, node.low), number_of(world, env, node.high)
    if not isinstance(low.type, IntType) or not isinstance(high.type, IntType):
        return NOTHING
    element = IntType(min(low.type.low, high.type.high), max(low.type.low, high.type.high))
    if is_too_wide(world, element, node.span):
        return NOTHING
    first, last = raised(low, element), raised(high, element)
    if isinstance(first, ir.Const) and isinstance(last, ir.Const):
        return Typed(ir.Const(_span_mask(first.value, last.value)), SetType(element))
    return Typed(ir.Op("range", (first, last)), SetType(element))


def _span_mask(low: int, high: int) -> int:
    return ((1 << (high + 1)) - (1 << low)) if high >= low else 0


def _display(world: World, env: Env, node: nodes.SetDisplayExpression, expected: Type | None) -> Typed:
    element: Type = NoneType()
    values: list[Typed] = []
    wanted = expected.element if isinstance(expected, SetType) else None
    # An item whose type is certain determines the meaning of ambiguous names beside it.
    known = {} if wanted is not None else _sure(world, env, node.items)
    for i, item in enumerate(node.items):
        others = element if not isinstance(element, NoneType) else next((one.type for one in known.values()), None)
        value = known.get(i) or lower(world, env, item, wanted or others)
        if isinstance(value.type, BadType):
            return NOTHING
        if isinstance(value.type, NoneType):
            _refuse_none(world, item.span)
            return NOTHING
        joined = join(element, value.type) if not isinstance(element, NoneType) else value.type
        if joined is None or isinstance(value.type, SetType):
            world.sink.report(
                "E0301",
                f"a set holds things of one kind, found {name_of(value.type)}",
                item.span,
                f"the others are {name_of(element)}" if not isinstance(element, NoneType) else "",
            )
            return NOTHING
        element = joined
        values.append(value)
    if is_too_wide(world, element, node.span, name_of(element)):
        return NOTHING
    parts: list[ir.Expr] = [ir.Op("single", (raised(value, element),)) for value in values]
    return Typed(_union(parts), SetType(element.certain()) if not isinstance(element, NoneType) else EMPTY)


def _sure(world: World, env: Env, items: tuple[nodes.Expression, ...]) -> dict[int, Typed]:
    """Lowers the first item whose type is certain, if the very
    first needs an expected type; returns it by its position.
    """
    if not items or not literals.needs_help(world, env, items[0]):
        return {}
    sure = next((i for i, item in enumerate(items) if not literals.needs_help(world, env, item)), None)
    return {} if sure is None else {sure: lower(world, env, items[sure])}


def _refuse_none(world: World, span: Span) -> None:
    help = "leave it out; whether `x` is none or one of them: `x == none or x in {…}`"
    world.sink.report("E0319", "`none` is never in a set", span, "this would fall out", help=help)


def _union(parts: list[ir.Expr]) -> ir.Expr:
    mask = 0
    rest: list[ir.Expr] = []
    for part in parts:
        inner = part.arguments[0] if isinstance(part, ir.Op) else part
        if isinstance(inner, ir.Const):
            mask |= 1 << inner.value if inner.value >= 0 else 0
        else:
            rest.append(part)
    if not rest:
        return ir.Const(mask)
    result = rest[0]
    for part in rest[1:]:
        result = ir.Op("union", (result, part))
    return ir.Op("union", (result, ir.Const(mask))) if mask else result


def lower_in(world: World, env: Env, node: nodes.BinaryExpression) -> Typed:
    """Lowers `x in S` and `x not in S`; `x in ZONE` too."""
    if isinstance(node.right, nodes.NameExpression) and node.right.text == "box" and "box" not in env.locals:
        left = lower(world, env, node.left)
        inside = _in_box(world, left, node.left.span)
    else:
        # The left side may determine the meaning of ambiguous names on the right.
        first = None
        if literals.needs_help(world, env, node.right) and not literals.needs_help(world, env, node.left):
            first = lower(world, env, node.left)
        right = lower(world, env, node.right, SetType(first.type.certain()) if first is not None else None)
        if right.zone is not None and not isinstance(right.type, SetType | BadType):
            right = Typed(ir.Op("single", (right.ir,)), SetType(right.type.certain()))
        if isinstance(right.type, BadType):
            return NOTHING
        if not isinstance(right.type, SetType):
            world.sink.report("E0303", f"expected a set after `in`, found {name_of(right.type)}", node.right.span)
            return NOTHING
        left = first or lower(world, env, node.left, right.type.element)
        if not fits(left.type.certain(), right.type.element) and not isinstance(right.type.element, NoneType):
            world.sink.report(
                "E0303",
                f"{name_of(left.type)} is never in a {name_of(right.type)}",
                node.span,
                labels=(
                    Label(node.left.span, name_of(left.type)),
                    Label(node.right.span, name_of(right.type)),
                ),
                help=thrown(left.type),
            )
            return NOTHING
        inside = ir.Op("in", (raised(left, right.type.element), right.ir))
    return Typed(inside if node.operator == "in" else ir.Op("not", (inside,)), FLAG)


def _in_box(world: World, left: Typed, span: Span) -> ir.Expr:
    kind = getattr(left.type, "name", "")
    if kind not in world.boxes:
        if not isinstance(left.type, BadType) and world.is_whole:
            world.sink.report("E0303", f"{name_of(left.type)} is never in the box", span, "only things are")
        return ir.Const(0)
    return ir.Op("in", (left.ir, ir.Contents(world.boxes[kind], ())))


def combine(world: World, node: nodes.BinaryExpression, left: Typed, right: Typed) -> Typed:
    """Lowers `+` and `-` of two sets, or of a set and a thing."""
    element = left.type if isinstance(left.type, SetType) else right.type
    if not isinstance(element, SetType):
        return NOTHING
    sides = []
    for value, side in ((left, node.left), (right, node.right)):
        typed = value.type
        if isinstance(typed, NoneType):
            _refuse_none(world, side.span)
            return NOTHING
        if not isinstance(typed, SetType | BadType | NoneType) and value.type.certain() == element.element:
            sides.append(Typed(coerce(world, value, element, side.span), element))
        else:
            sides.append(value)
    type = join(sides[0].type, sides[1].type)
    if type is None:
        world.sink.report("E0303", f"{name_of(left.type)} and {name_of(right.type)} cannot be put together", node.span)
        return NOTHING
    name: ir.SetOperator = "union" if node.operator == "+" else "minus"
    if isinstance(type, SetType) and is_too_wide(world, type.element, node.span):
        return NOTHING
    a, b = (in_form_of(world, side, type) for side in sides)
    if isinstance(a, ir.Const) and isinstance(b, ir.Const):
        return Typed(ir.Const(a.value | b.value if name == "union" else a.value & ~b.value), type)
    return Typed(ir.Op(name, (a, b)), type)


# ------------------------------------------------------------------ going over a set


@attrs.frozen
class Domain:
    """A set to go over: its source and the type of its members."""

    source: ir.Source
    element: Type


def source_of(world: World, env: Env, node: nodes.Expression) -> Domain | None:
    """Lowers the domain after `in`; a pile, or members picked from one, keep the pile's order.

    A domain that is at fault has members of a bad type, so that what goes over it is still checked.
    """
    value = lower(world, env, node)
    if isinstance(value.type, BadType):
        return Domain(ir.Source(ir.Const(0)), BAD)
    if isinstance(value.type, SetType):
        if isinstance(value.type.element, NoneType):
            return Domain(ir.Source(value.ir), NoneType())
        pile = _pile_of(world, value)
        if pile is not None:
            whole = pile == value.ir
            return Domain(ir.Source(None if whole else value.ir, pile), value.type.element)
        return Domain(ir.Source(value.ir), value.type.element)
    if value.zone is not None:
        return Domain(ir.Source(ir.Op("single", (value.ir,))), value.type.certain())
    help = "the numbers from 1 up to it are the set `1..n`" if isinstance(value.type, IntType) else None
    message = f"expected a set, found {name_of(value.type)}"
    world.sink.report("E0303", message, node.span, "this has no members", help=help)
    return None


def _pile_of(world: World, value: Typed) -> ir.Contents | None:
    """Returns the pile that a set is, or that its members were picked from."""
    match value.ir:
        case ir.Contents(zone=zone) if world.zones[zone].form == "pile":
            return value.ir
        case ir.Over(what="set", names=(only,), sources=(source,), value=ir.Local(id=id)) if id == only.id:
            return source.pile
        case _:  # any other value is not one pile
            return None


@attrs.frozen
class BoundNames:
    """`x in S if c, y in T`: the locals, the sets that they go over, the types of members, and the scope inside."""

    names: tuple[ir.Variable, ...]
    sources: tuple[ir.Source, ...]
    elements: tuple[Type, ...]
    env: Env
    tests: tuple[ir.Expr, ...] = ()
    """Conditions that remain to be tested for each combination."""


def binders_of(world: World, env: Env, binders: tuple[nodes.BinderNode, ...]) -> BoundNames | None:
    """Lowers `x in S if c, y in T`; None after a fault. The sets after a condition count as empty unless it holds."""
    bound = BoundNames((), (), (), env)
    before: ir.Expr | None = None
    for binder in binders:
        domain = source_of(world, bound.env, binder.domain)
        if domain is None:
            return None
        source, tests = domain.source, bound.tests
        if before is not None and source.pile is None and source.mask is not None:
            source = ir.Source(ir.Either(before, source.mask, ir.Const(0)))
        elif before is not None:
            tests = (*tests, before)
        hides(world, env, binder.name)
        variable, inner = bind_member(world, bound.env, binder.name.text, domain.element)
        world.note_local(binder.name.span, domain.element)
        before = condition(world, inner, binder.condition) if binder.condition is not None else None
        inner = inner.knowing(before) if before is not None else inner
        bound = BoundNames(
            (*bound.names, variable), (*bound.sources, source), (*bound.elements, domain.element), inner, tests
        )
    return bound


def every(tests: tuple[ir.Expr, ...]) -> ir.Expr | None:
    """Returns the conjunction of conditions; None if there are none."""
    return None if not tests else tests[0] if len(tests) == 1 else ir.And(tests)


def hides(world: World, env: Env, name: nodes.IdentNode) -> None:
    """Reports a local with the name of something built in."""
    if name.text in BUILTINS:
        world.sink.report("E0203", f"`{name.text}` is built in and cannot be a name", name.span)


def _comprehension(
    world: World, env: Env, what: nodes.AggregateForm, node: nodes.ComprehensionExpression, span: Span
) -> Typed:
    if len(node.binders) > MOST_BINDERS:
        message = f"at most {MOST_BINDERS} names go over sets at once, not {len(node.binders)}"
        world.sink.report("E0104", message, node.binders[MOST_BINDERS].span, help="give a part a name with `value`")
        return NOTHING
    bound = binders_of(world, env, node.binders)
    if bound is None or not node.binders:
        return NOTHING
    _warn_unread(world, what, node)
    inner, tests = bound.env, bound.tests
    if node.condition is not None:
        last = condition(world, inner, node.condition)
        inner, tests = inner.knowing(last), (*tests, last)
    keys = keys_of(world, inner, node.keys, Ordered(env, bound.names, bound.elements))
    is_bad = any(isinstance(element, BadType) for element in bound.elements)
    value: Typed | None = None
    if node.element is not None:
        value = lower(world, inner, node.element)
        if isinstance(value.type, BadType):
            return NOTHING
        if what == "set" and isinstance(value.type, NoneType):
            _refuse_none(world, node.element.span)
            return NOTHING
        is_one = what == "count" and isinstance(value.ir, ir.Const) and value.ir.value == 1
        if what in {"count", "any", "all"} and not is_one:
            coerce(world, value, FLAG, node.element.span, f"`{what}` is of conditions")
    if is_bad:
        return NOTHING
    return _over(world, what, bound, value, every(tests), keys, span)


def _warn_unread(world: World, what: nodes.AggregateForm, node: nodes.ComprehensionExpression) -> None:
    """Warns of `count(hearts in S)`: the name of a member that goes over a set, and is read nowhere."""
    name = node.binders[0].name
    owners = literals.owners_of(world, name.text)
    parts = (node.element, node.condition, node.keys, node.binders[0].condition, node.binders[1:])
    if not owners or any(isinstance(one, nodes.NameExpression) and one.text == name.text for one in walk(parts)):
        return
    called = "this set" if what == "set" else f"`{what}`"
    help_ = f"whether it is in a set says `{name.text} in …` alone; to go over the set, take another name"
    message = f"{called} goes over the whole set, and `{name.text}` hides `{owners[0]}.{name.text}`"
    world.sink.report("W0528", message, name.span, "each member in turn", help=help_)


@attrs.frozen
class Ordered:
    """The subject of an order: the names that go over sets, and the types of members. `from e` is read in `env`, outside."""

    env: Env
    names: tuple[ir.Variable, ...]
    elements: tuple[Type, ...]


def keys_of(world: World, env: Env, keys: tuple[nodes.KeyNode, ...], of: Ordered) -> tuple[ir.Order, ...]:
    """Lowers `from e by highest a, lowest b`: what ties comes in the order round from e."""
    for chosen in (k for k in keys if k.chosen):
        help = "`for x in S in order chosen by p:` does, and so do hooks and standing rules"
        world.sink.report("E0305", "nobody chooses an order here", chosen.span, help=help)
    keys = tuple(k for k in keys if not k.chosen)
    named = (k for k in keys if not k.starts)
    own = [ir.Order(k.highest, _key_of(world, lower(world, env, k.value), k.value.span)) for k in named]
    return (*own, *(order for k in keys if k.starts for order in _round_from(world, k.value, of)))


def _round_from(world: World, node: nodes.Expression, of: Ordered) -> list[ir.Order]:
    """Lowers `from e`: how far round a member is from e, or nothing where e is none."""
    if len(of.names) != 1:
        world.sink.report("E0305", "`from` orders what one name goes over", node.span, help="nest the loops")
        return []
    element = of.elements[0]
    start = lower(world, of.env, node, element)
    if isinstance(start.type, BadType | NoneType) or isinstance(element, NoneType | BadType):
        return []
    if not fits(start.type.certain(), element) or not isinstance(element, IntType | EnumType | KindType):
        message = f"the order goes on from {name_of(element)}, not from {name_of(start.type)}"
        world.sink.report("E0301", message, node.span)
        return []
    apart = ir.Op("-", (ir.Local(of.names[0].id), raised(start, element)))
    ahead: ir.Expr = ir.Op("mod", (apart, ir.Const(members_of(element))))
    if start.type.optional:
        ahead = ir.Either(ir.Op("==", (start.ir, ir.Const(NONE))), ir.Const(0), ahead)
    return [ir.Order(False, ahead)]


def _key_of(world: World, key: Typed, span: Span) -> ir.Expr:
    if isinstance(key.type, SetType | NoneType | RowType):
        help = "write `count(…)` for how many are in a set" if isinstance(key.type, SetType) else None
        world.sink.report("E0303", f"{name_of(key.type)} has no order", span, "a key is compared", help=help)
    return key.ir


def _over(
    world: World,
    what: nodes.AggregateForm,
    bound: BoundNames,
    value: Typed | None,
    test: ir.Expr | None,
    keys: tuple[ir.Order, ...],
    span: Span,
) -> Typed:
    names, sources = bound.names, bound.sources
    first = bound.elements[0]
    element = value.type if value is not None else first
    body = value.ir if value is not None else None
    match what:
        case "set":
            if value is None and len(names) == 1:
                body = ir.Local(names[0].id)
                if test is None and sources[0].pile is None and sources[0].mask is not None:
                    return Typed(sources[0].mask, SetType(element.certain()))
            if isinstance(element, SetType) or body is None:
                world.sink.report("E0301", "a set cannot hold sets", span)
                return NOTHING
            if value is not None:
                if is_too_wide(world, element, span):
                    return NOTHING
                body = raised(value, element)
            return Typed(ir.Over("set", names, sources, body, test), SetType(element.certain()))
        case "count":
            if value is not None:
                test = value.ir if test is None else ir.And((test, value.ir))
            return Typed(ir.Over("count", names, sources, None, test), IntType(0, _most(names)))
        case "any" | "all":
            if what == "all" and value is None:
                message = "nothing is said of all of them, so this always holds"
                world.sink.report(
                    "W0522", message, span, help="write `all(c for x in S)`, where `c` is what holds of each"
                )
            return Typed(ir.Over(what, names, sources, body if value is not None else None, test), FLAG)
        case "sum" | "min" | "max":
            number = value or Typed(lowered(ir.Local(names[0].id), first), first)
            return _numeric(world, what, names, sources, number, test, span)
        case "first" | "best":
            if value is not None or len(names) != 1:
                world.sink.report("E0305", f"write `{what}(x in S by KEYS if c)`", span)
                return NOTHING
            over = ir.Over(what, names, sources, None, test, keys)
            return only_member(world, over, first) if what == "first" else Typed(over, SetType(first))
        case "random":
            return _random(world, bound, test, span)
        case _:
            assert_never(what)


def _most(names: tuple[ir.Variable, ...]) -> int:
    return min(SET_LIMIT, prod(members_of(name.type) for name in names))


def members_of(type: Type) -> int:
    """Returns the largest size of a set with elements of this type."""
    match type:
        case IntType(low=low, high=high):
            return min(SET_LIMIT, high - low + 1)
        case FlagType() | EnumType() | KindType():
            return size_of(type.certain())
        case _:  # any other type is too large to be gone over
            return SET_LIMIT


def _numeric(
    world: World,
    what: Literal["sum", "min", "max"],
    names: tuple[ir.Variable, ...],
    sources: tuple[ir.Source, ...],
    value: Typed,
    test: ir.Expr | None,
    span: Span,
) -> Typed:
    if not isinstance(value.type, IntType):
        who = {"max": "highest", "min": "lowest"}.get(what)
        help = f"which of them it is, says `first(… by {who} …)`; all that tie, `best(… by {who} …)`" if who else None
        help = thrown(value.type) or help
        message = f"expected a number, found {name_of(value.type)}"
        world.sink.report("E0302", message, span, f"`{what}` takes numbers", help=help)
        return NOTHING
    over = ir.Over(what, names, sources, value.ir, test)
    if what == "sum":
        return Typed(over, clip(min(0, value.type.low * 256), max(0, value.type.high * 256)))
    return Typed(over, attrs.evolve(value.type, optional=True))


def _random(world: World, bound: BoundNames, test: ir.Expr | None, span: Span) -> Typed:
    if len(bound.names) != 1:
        world.sink.report("E0305", "write `random(x in S if c)`", span)
        return NOTHING
    mask = ir.Over("set", bound.names, bound.sources, ir.Local(bound.names[0].id), test)
    return Typed(ir.Pick(-1, ir.Source(mask)), bound.elements[0].or_none())


def lower_aggregate(world: World, env: Env, node: nodes.AggregateExpression, expected: Type | None) -> Typed:
    """Lowers a function of a comprehension, such as `count(x in S if c)`."""
    what = cast(nodes.AggregateForm, node.function.text)
    if what == "random" and not env.dice:
        dice_refused(world, env, node.span)
        return NOTHING
    result = _comprehension(world, env, what, node.comprehension, node.span)
    if isinstance(result.ir, ir.Pick):
        pick = picked_from(world, env, result.ir, result.type.certain())
        return only_member(world, pick, result.type.certain())
    return result


def dice_refused(world: World, env: Env, span: Span) -> None:
    """Reports a `roll` or `random` where expressions may not draw on chance."""
    world.sink.report(
        "E0401",
        "dice and random picks stand only in statements, in a verb's arguments and in `data` cells",
        span,
        "this may be evaluated more than once",
        help="`let` the result in a statement, then use it",
    )


def of_set(world: World, what: SetFunction, value: Typed, span: Span) -> Typed:
    """Lowers `count(S)`, `min(S)`, `max(S)`, `any(S)`: a function of a plain set."""
    if not isinstance(value.type, SetType):
        if not isinstance(value.type, BadType):
            message, help = (
                f"expected a set, found {name_of(value.type)}",
                f"say what it goes over: `{what}(q.gold for q in players)`",
            )
            world.sink.report("E0303", message, span, f"`{what}` takes a set", help=help)
        return NOTHING
    if what == "count":
        return Typed(ir.Op("size", (value.ir,)), IntType(0, members_of(value.type.element)))
    if what == "any":
        return Typed(ir.Op("!=", (value.ir, ir.Const(0))), FLAG)
    if isinstance(value.type.element, NoneType):
        world.sink.report("E0303", f"`{what}` of nothing", span, "`{}` holds nothing")
    if isinstance(value.type.element, BadType | NoneType):
        return NOTHING
    element = value.type.element
    variable, _ = bind_member(world, Env(), "it", element)
    pile = _pile_of(world, value)
    source = ir.Source(None, pile) if pile == value.ir else ir.Source(value.ir)
    if what == "first":
        return only_member(world, ir.Over("first", (variable,), (source,), None, None), element)
    if what == "best":
        return Typed(ir.Over("best", (variable,), (source,), None, None), value.type)
    if what == "all":
        world.sink.report("E0305", "write `all(c for x in S)`", span)
        return NOTHING
    number = Typed(lowered(ir.Local(variable.id), element), element)
    return _numeric(world, what, (variable,), (source,), number, None, span)
