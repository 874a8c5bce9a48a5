"""Lowers the number of times a position has occurred: `occurrences`, and `occurrences after VERB(…)`.

occurrences after take(p, s)                   Foreseen(take, (p, s))
"""

from __future__ import annotations

from rulelang.ir import model as ir
from rulelang.ir.types import IntType
from rulelang.semantics.names.coercion import arguments_of
from rulelang.semantics.names.scope import ActionName, Env, VerbName, World
from rulelang.semantics.names.type_relations import NOTHING, Typed
from rulelang.syntax import nodes


def occurrences(world: World) -> Typed | None:
    """Returns `occurrences`; None in a game without a history."""
    if world.history is None:
        return None
    return Typed(ir.Occurrences(), IntType(1, 2 * world.history.most + 1))


def lower_after(world: World, env: Env, node: nodes.OccurrencesAfterExpression) -> Typed:
    """Lowers `occurrences after VERB(…)`."""
    call = node.call
    if world.history is None:
        help = "say in the header what a position is: `history of Square.man, mover: at most 500`"
        world.sink.report("E0416", "this game has no history", node.span, help=help)
        return NOTHING
    name = call.function if isinstance(call, nodes.CallExpression) else call
    meaning = world.globals.get(name.text) if isinstance(name, nodes.NameExpression) else None
    if not isinstance(name, nodes.NameExpression) or not isinstance(meaning, ActionName | VerbName):
        verbs = [n for n, m in world.globals.items() if isinstance(m, ActionName | VerbName)]
        world.unknown(
            name.text if isinstance(name, nodes.NameExpression) else "this", call.span, "no verb or action", verbs
        )
        return NOTHING
    arguments = call.arguments if isinstance(call, nodes.CallExpression) else ()
    types = tuple(v.type for v in meaning.parameters)
    lowered = arguments_of(world, env, arguments, types, name.text, call.span)
    if lowered is None:
        return NOTHING
    world.foreseen.append((meaning.procedure, name.text, node.span))
    after = ir.Foreseen(meaning.procedure, tuple(value.ir for value in lowered))
    return Typed(after, IntType(1, 2 * world.history.most + 1))
