"""Variables and zones: as values, and as targets of assignments.

p.fuel          Read(fuel, (Local(p),)), or as a target Place(fuel, (Local(p),))
p.hand          Contents(hand, (Local(p),)); a slot is its thing
"""

from __future__ import annotations

import attrs

from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.types import BadType, IntType, NoneType, SetType, Type
from rulelang.semantics.names.coercion import lower, plural
from rulelang.semantics.names.scope import ConstantName, Env, StateName, World, ZoneName
from rulelang.semantics.names.type_relations import BAD, NOTHING, Typed, name_of
from rulelang.source import NOWHERE, Span
from rulelang.syntax import nodes


def read_state(
    world: World,
    env: Env,
    state: StateName,
    text: str,
    index: tuple[Typed, ...],
    span: Span,
    owner: Typed | None = None,
) -> Typed:
    """Lowers the read of a variable at its owner and keys."""
    parts = (*((owner,) if owner is not None else ()), *index)
    if len(parts) != len(state.dimensions):
        wanted = len(state.dimensions) - (1 if state.owner else 0)
        world.sink.report("E0207", f"`{text}` takes {plural(wanted, 'argument')}, found {len(index)}", span)
        return NOTHING
    if is_outside(world, text, parts, state.dimensions, span, state.span):
        return NOTHING
    safe = all(_surely_within(p.type, d) for p, d in zip(parts, state.dimensions, strict=True))
    optional = state.type.optional or any(p.type.optional for p in parts)
    type = (state.type.or_none() if optional else state.type) if not isinstance(state.type, BadType) else BAD
    return Typed(ir.Read(state.id, tuple(p.ir for p in parts), safe), type)


def is_outside(
    world: World, text: str, parts: tuple[Typed, ...], types: tuple[Type, ...], span: Span, declared: Span
) -> bool:
    """Returns whether a key is certain to be outside the keys of a variable, zone or table; reports it if so."""
    for part, keys in zip(parts, types, strict=False):
        key = part.type
        if not isinstance(key, IntType) or not isinstance(keys, IntType):
            continue
        if key.high < keys.low or keys.high < key.low:
            found = str(key.low) if key.low == key.high else name_of(key)
            labels = (Label(declared, f"has {name_of(keys)}"),) if declared is not NOWHERE else ()
            message = f"`{text}` has no {found}: it is for {name_of(keys.certain())}"
            world.sink.report("E0316", message, span, "outside of its keys", labels=labels)
            return True
    return False


def are_within(parts: tuple[Typed, ...], types: tuple[Type, ...]) -> bool:
    """Returns whether keys are certain to be among those of a variable or column."""
    return all(_surely_within(part.type, of) for part, of in zip(parts, types, strict=True))


def _surely_within(value: Type, dimension: Type) -> bool:
    if value.optional or isinstance(value, NoneType):
        return False
    if isinstance(value, IntType) and isinstance(dimension, IntType):
        return dimension.low <= value.low and value.high <= dimension.high
    return True


def zone_value(world: World, zone: ZoneName, index: tuple[ir.Expr, ...], safe: bool) -> Typed:
    """Lowers a zone as a value: the set of its things, or the thing in a slot."""
    reference = (zone.id, index)
    if zone.form == "slot":
        return Typed(ir.InSlot(zone.id, index, safe), zone.kind.or_none(), reference)
    return Typed(ir.Contents(zone.id, index, safe), SetType(zone.kind), reference)


def place_of(world: World, env: Env, node: nodes.Expression) -> tuple[ir.Place, Type] | None:
    """Returns the variable that a target names, with its type; reports anything else and returns None."""
    target = lower(world, attrs.evolve(env, assigns=isinstance(node, nodes.NameExpression)), node)
    if isinstance(target.type, BadType):
        return None
    if isinstance(target.ir, ir.Read):
        state = world.states[target.ir.state]
        if not state.builtin and not state.option:
            return ir.Place(state.id, target.ir.index), state.type
    help = None
    if target.zone is not None:
        help = "things are moved: `move … to …`"
    elif isinstance(target.ir, ir.Column):
        help = "what is printed does not change"
    elif isinstance(node, nodes.NameExpression) and isinstance(world.globals.get(node.text), ConstantName):
        help = "a constant does not change; declare it in `the game has:`"
    elif isinstance(target.ir, ir.Local):
        help = "a `let` or a parameter keeps its value: give the new one a name of its own, or declare a variable"
    world.sink.report("E0307", "this cannot be changed", node.span, "not a variable", help=help)
    return None
