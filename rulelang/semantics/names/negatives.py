"""Sets with numbers below 0: in the IR their numbers are shifted (`ir.types.offset_of`), so that no bit is below 0.

{j in -1..1 if j != 0}     Over("set", (raw,), (0b111 << 2047,), raw, raw - 2048 != 0)

Two sets are brought to the same form before they are combined.
In a loop over such a set, the name stands for `raw - 2048`.
"""

from __future__ import annotations

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import BELOW_ZERO, NONE, SET_LIMIT, IntType, SetType, Type, offset_of
from rulelang.semantics.names.scope import Env, World
from rulelang.semantics.names.type_relations import Typed, name_of
from rulelang.source import Span


def is_too_wide(world: World, element: Type, span: Span, remark: str = "") -> bool:
    """Returns whether a type has numbers that no set can hold; reports it if so."""
    if not isinstance(element, IntType):
        return False
    low, high = (-BELOW_ZERO, BELOW_ZERO - 1) if element.low < 0 else (0, SET_LIMIT - 1)
    if low <= element.low and element.high <= high:
        return False
    also = "" if element.low >= 0 else f", or {low}..{high} with numbers below 0"
    world.sink.report(
        "E0310",
        f"a set of numbers holds 0..{SET_LIMIT - 1}{also}",
        span,
        remark or f"this may reach {name_of(element)}",
    )
    return True


def refused(world: World, element: Type, span: Span, what: str) -> bool:
    """Returns whether a type has numbers below 0, which are not allowed here; reports it, with an alternative, if so."""
    if not isinstance(element, IntType) or not offset_of(element):
        return False
    span_of = f"0..{element.high - element.low}"
    help = f"go over {span_of} and take {-element.low} off: `n in {span_of}`, then `n - {-element.low}`"
    world.sink.report("E0310", f"{what} at 0", span, f"this reaches {name_of(element)}", help=help)
    return True


def raised(value: Typed, element: Type) -> ir.Expr:
    """Returns the bit that a number has in a set of such elements."""
    offset = offset_of(element)
    if not offset:
        return value.ir
    if isinstance(value.ir, ir.Const):
        return value.ir if value.ir.value == NONE else ir.Const(value.ir.value + offset)
    more = ir.Op("+", (value.ir, ir.Const(offset)))
    return ir.Either(ir.Op("==", (value.ir, ir.Const(NONE))), ir.Const(NONE), more) if value.type.optional else more


def lowered(raw: ir.Expr, element: Type) -> ir.Expr:
    """Returns the number that a bit stands for in a set of such elements."""
    offset = offset_of(element)
    return ir.Op("-", (raw, ir.Const(offset))) if offset else raw


def in_form_of(world: World, value: Typed, wanted: Type) -> ir.Expr:
    """Returns a set with its members shifted as in a set of the wanted type; any other value unchanged."""
    if not isinstance(value.type, SetType) or not isinstance(wanted, SetType):
        return value.ir
    own, other = offset_of(value.type.element), offset_of(wanted.element)
    if own == other or value.ir == ir.Const(0):
        return value.ir
    if isinstance(value.ir, ir.Const) and other:
        return ir.Const(value.ir.value << other)
    raw = world.variable("member", _raw(value.type.element))
    number = Typed(lowered(ir.Local(raw.id), value.type.element), value.type.element)
    return ir.Over("set", (raw,), (ir.Source(value.ir),), raised(number, wanted.element), None)


def bind_member(world: World, env: Env, name: str, element: Type) -> tuple[ir.Variable, Env]:
    """Returns the local that goes over the bits of a set of such elements, and a scope in which the name is the member."""
    variable = world.variable(name, _raw(element))
    if not offset_of(element):
        return variable, env.bind(variable)
    return variable, env.naming(name, Typed(lowered(ir.Local(variable.id), element), element))


def only_member(world: World, raw: ir.Expr, element: Type) -> Typed:
    """Returns the member that a bit, or NONE, stands for."""
    if not offset_of(element):
        return Typed(raw, element.or_none())
    one = world.variable("member", _raw(element))
    number = lowered(ir.Local(one.id), element)
    return Typed(ir.Over("min", (one,), (ir.Source(ir.Op("single", (raw,))),), number, None), element.or_none())


def _raw(element: Type) -> Type:
    offset = offset_of(element)
    if not isinstance(element, IntType) or not offset:
        return element
    return attrs.evolve(element, low=element.low + offset, high=element.high + offset)
