"""Lowers looks ahead: a value as it would be after a verb, and `occurrences`, how often a position has stood.

occurrences after take(p, s)                   Foreseen(take, (p, s))
in_check(p) after move(p, s)                   Foreseen(move, (p, s), CallValue(in_check, (p,)))
"""

from __future__ import annotations

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import BadType, EnumType, FlagType, IntType, KindType, Type
from rulelang.ir.walk import read_in, rewrite, walk
from rulelang.semantics.names.coercion import arguments_of, lower
from rulelang.semantics.names.scope import ActionName, Env, ValueName, VerbName, World
from rulelang.semantics.names.type_relations import NOTHING, Typed, name_of
from rulelang.syntax import nodes


def occurrences(world: World) -> Typed | None:
    """Returns `occurrences`; None in a game without a history."""
    if world.history is None:
        return None
    return Typed(ir.Occurrences(), IntType(1, 2 * world.history.most + 1))


def lower_after(world: World, env: Env, node: nodes.AfterExpression, expected: Type | None) -> Typed:
    """Lowers `occurrences after VERB(…)`, and any other value after it."""
    if isinstance(node.of, nodes.NameExpression) and node.of.text == "occurrences" and "occurrences" not in env.locals:
        if world.history is None:
            help = "say in the header what a position is: `history of Square.man, mover: at most 500`"
            world.sink.report("E0416", "this game has no history", node.span, help=help)
            return NOTHING
        type: Type = IntType(1, 2 * world.history.most + 1)
        called = _called(world, env, node)
        return NOTHING if called is None else Typed(ir.Foreseen(*called), type)
    found = lower(world, attrs.evolve(env, dice=False), node.of, expected)
    called = _called(world, env, node)
    if called is None or isinstance(found.type, BadType):
        return NOTHING
    if not isinstance(found.type, IntType | FlagType | EnumType | KindType):
        message = f"one value is looked at after a verb, not {name_of(found.type)}"
        world.sink.report("E0301", message, node.of.span, help="compare or count it in a `value` of its own")
        return NOTHING
    looked = _value_of(world, found, called[0], node)
    if looked is None:
        help = "declare a `value` for it, and expect something of that"
        world.sink.report("E0305", "a scenario looks ahead through a value alone", node.span, help=help)
        return NOTHING
    return Typed(ir.Foreseen(*called, looked), found.type)


def _called(world: World, env: Env, node: nodes.AfterExpression) -> tuple[int, tuple[ir.Expr, ...]] | None:
    """Returns the procedure that is looked ahead to, with its arguments; None after a fault."""
    call = node.call
    name = call.function if isinstance(call, nodes.CallExpression) else call
    meaning = world.globals.get(name.text) if isinstance(name, nodes.NameExpression) else None
    if not isinstance(name, nodes.NameExpression) or not isinstance(meaning, ActionName | VerbName):
        verbs = [n for n, m in world.globals.items() if isinstance(m, ActionName | VerbName)]
        world.unknown(
            name.text if isinstance(name, nodes.NameExpression) else "this", call.span, "no verb or action", verbs
        )
        return None
    arguments = call.arguments if isinstance(call, nodes.CallExpression) else ()
    types = tuple(v.type for v in meaning.parameters)
    lowered = arguments_of(world, env, arguments, types, name.text, call.span)
    if lowered is None:
        return None
    world.foreseen.append((meaning.procedure, name.text, node.span))
    return meaning.procedure, tuple(value.ir for value in lowered)


def _value_of(world: World, found: Typed, procedure: int, node: nodes.AfterExpression) -> ir.CallValue | None:
    """Adds a value for the expression to evaluate, with the locals that it reads as parameters; returns the call.

    Nothing is added to a game that is put together: there, the value is that of the same text in the rules, or None.
    """
    bound = {part.id for part in walk(found.ir) if isinstance(part, ir.Variable)}
    read = [world.variables[id] for id in sorted(read_in(found.ir) - bound) if id in world.variables]
    given = tuple(ir.Local(v.id) for v in read)
    if world.assembled:
        same = (id for of, id, span in world.looked_at if (of, span) == (procedure, node.span))
        known = next(
            (id for id in same if [v.type for v in world.values[id].parameters] == [v.type for v in read]), None
        )
        return None if known is None else ir.CallValue(known, given)
    own = tuple(world.variable(v.name, v.type) for v in read)
    renamed = {v.id: ir.Local(o.id) for v, o in zip(read, own, strict=True)}

    def change(part: object) -> object:
        return renamed.get(part.id, part) if isinstance(part, ir.Local) else part

    id, title = len(world.values), f"after {' '.join(node.call.span.text.split())}"
    body = ir.Value(id, title, own, found.type, (ir.ValueCase(None, rewrite(found.ir, change)),))
    world.values.append(ValueName(id, title, own, [], found.type, None, node.of.span, found.type, body))
    world.looked_at.append((procedure, id, node.span))
    return ir.CallValue(id, given)
