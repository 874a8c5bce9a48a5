"""Entry points for all of `semantics`: they lower any expression or body, and demand a type of it.

`lower` and `lower_body` go through the `World`, so that rooms may call each other without importing each other.

    n <= heap       condition(world, env, node): an `ir.Expr` that is a flag, or a diagnostic
"""

from __future__ import annotations

from collections.abc import Iterable

from rulelang.ir import model as ir
from rulelang.ir.model.operators import CALCULATIONS
from rulelang.ir.types import LARGEST, NONE, BadType, IntType, NoneType, SetType, Type
from rulelang.ir.walk import is_larger
from rulelang.semantics.names.negatives import in_form_of, raised
from rulelang.semantics.names.scope import Env, World
from rulelang.semantics.names.type_relations import FLAG, NOTHING, Typed, fits, name_of
from rulelang.source import Span
from rulelang.syntax import nodes


def lower(world: World, env: Env, node: nodes.Expression, expected: Type | None = None) -> Typed:
    """Lowers an expression; `expected` helps to resolve names of members and things, but is not enforced."""
    return world.lower_expression(world, env, node, expected)


def lower_body(world: World, env: Env, body: Iterable[nodes.Statement]) -> tuple[ir.Statement, ...]:
    """Lowers statements in order; the name of a `let` or a choice is in scope in those after it."""
    return world.lower_body(world, env, body)


def want(world: World, env: Env, node: nodes.Expression, type: Type, what: str = "") -> ir.Expr:
    """Lowers an expression that must fit a type; reports one that does not."""
    return coerce(world, lower(world, env, node, type), type, node.span, what)


def coerce(world: World, value: Typed, type: Type, span: Span, what: str = "") -> ir.Expr:
    """Returns a value in the form of the wanted type; reports one that does not fit."""
    if isinstance(type, SetType) and not isinstance(value.type, SetType | BadType | NoneType):
        if fits(value.type.certain(), type.element):
            return ir.Op("single", (raised(value, type.element),))
    if not fits(value.type, type):
        world.sink.report(
            "E0301",
            f"expected {name_of(type)}, found {name_of(value.type)}",
            span,
            what or f"this is {name_of(value.type)}",
            help=_meant(value.type, type),
        )
        return value.ir
    return in_form_of(world, value, type)


def _meant(found: Type, wanted: Type) -> str | None:
    """Returns advice for an author who writes a die or a number in place of a throw or a comparison."""
    if (help := thrown(found)) is not None:
        return help
    if isinstance(found, IntType) and wanted == FLAG:
        return "a condition compares: write `… == 3`, or `… in {2, 3}` for one of several values"
    if isinstance(found, SetType) and wanted == FLAG:
        return "say what is asked of it: `… == {}`, `… != {}`, or `x in …`"
    if wanted == FLAG and found.optional:
        return "say what is asked of it: `… == none`, or `… != none`"
    return None


def thrown(*found: Type) -> str | None:
    """Returns advice for an author who writes a die in place of a throw; None if no type is that of dice."""
    return "a throw of it is written `roll(…)`" if any(name_of(type) == "Die" for type in found) else None


def condition(world: World, env: Env, node: nodes.Expression) -> ir.Expr:
    """Lowers an expression that must be a flag."""
    return want(world, env, node, FLAG, "a condition is yes or no")


def constant(world: World, node: nodes.Expression) -> int | None:
    """Returns the value of an expression that must be known before the game; reports any other and returns None."""
    value = lower(world, Env(printed=True), node)
    if isinstance(value.type, BadType):
        return None
    if isinstance(value.ir, ir.Const):
        return value.ir.value
    world.sink.report("E0311", "this must be known before the game starts", node.span, "only constants may stand here")
    return None


def number_of(world: World, env: Env, node: nodes.Expression) -> Typed:
    """Lowers an expression that must be a number; `none` is detected only at run time."""
    return as_number(world, lower(world, env, node), node.span)


def as_number(world: World, value: Typed, span: Span) -> Typed:
    """Returns a value if it is a number; reports any other and returns `NOTHING`."""
    if isinstance(value.type, IntType | BadType):
        return value
    remark = "write `count(…)` for how many" if isinstance(value.type, SetType) else ""
    message = f"expected a number, found {name_of(value.type)}"
    world.sink.report("E0302", message, span, remark, help=thrown(value.type))
    return NOTHING


def demand_number(world: World, clamps: tuple[nodes.ClampNode, ...], type: Type) -> None:
    """Reports the first of some clamps if what they clamp is no number."""
    if clamps and not isinstance(type, IntType | BadType):
        world.sink.report("E0302", f"only a number is clamped, this is {name_of(type)}", clamps[0].span)


def arguments_of(
    world: World,
    env: Env,
    arguments: tuple[nodes.Expression, ...],
    wanted: tuple[Type, ...],
    name: str,
    span: Span,
    least: int | None = None,
) -> tuple[Typed, ...] | None:
    """Lowers arguments that must fit the wanted types; None after a fault. With `least`, the last ones may be missing."""
    if not (len(wanted) if least is None else least) <= len(arguments) <= len(wanted):
        world.sink.report("E0207", f"`{name}` takes {plural(len(wanted), 'argument')}, found {len(arguments)}", span)
        return None
    lowered = []
    for node, type in zip(arguments, wanted, strict=False):
        value = lower(world, env, node, type)
        if isinstance(value.type, NoneType) and not type.optional and not isinstance(type, SetType):
            help = "what may be `none` is asked for first: `if … != none`"
            world.sink.report("E0301", f"expected {name_of(type)}, found none", node.span, "always `none`", help=help)
            return None
        fitting = coerce(world, value, type.or_none(), node.span)
        lowered.append(Typed(fitting, type if isinstance(type, SetType) else value.type, value.zone))
    return tuple(lowered)


def plural(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n or 'no'} {word}s"


def fold(name: ir.Calculation, arguments: tuple[ir.Expr, ...], type: Type) -> Typed:
    """Returns an operator, evaluated if all its arguments are constants."""
    if all(isinstance(a, ir.Const) and a.value != NONE for a in arguments):
        values = [a.value for a in arguments if isinstance(a, ir.Const)]
        done = _compute(name, values)
        if done is not None and abs(done) <= LARGEST:
            return Typed(ir.Const(done), IntType(done, done) if isinstance(type, IntType) else type)
    return Typed(ir.Op(name, arguments), type)


def _compute(name: ir.Calculation, values: list[int]) -> int | None:
    try:
        return CALCULATIONS[name].value(*values)
    except ZeroDivisionError:
        return None


MOST_NODES = 2000
"""The most nodes of a part that an expression contains several times."""


def small(world: World, value: Typed, span: Span) -> bool:
    """Returns whether an expression is small enough to be copied several times; reports one that is not."""
    if not is_larger(value.ir, MOST_NODES):
        return True
    help = "give a part of it a name: `let`, or a `value`"
    world.sink.report("E0317", "this expression is too large", span, "it grows at each step", help=help)
    return False
