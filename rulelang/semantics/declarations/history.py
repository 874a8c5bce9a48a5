"""The history of positions that a line of the header declares.

history of Square.man, mover: at most 500      History(states=(mover,), zones=(man,), most=500, …)
"""

from __future__ import annotations

from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.types import LARGEST, IntType, NoneType
from rulelang.semantics.names.coercion import constant
from rulelang.semantics.names.scope import StateName, World, ZoneName
from rulelang.semantics.names.type_relations import FLAG
from rulelang.syntax import nodes

MOST_POSITIONS = 10_000
REPEATING = ("mover", "players")
"""The built-in variables that may be part of a position; built-in counters never return to an earlier value."""


def lower_history(world: World, header: nodes.GameDeclaration) -> None:
    """Enters the definition of a position, and the variables that store past positions."""
    lines = [line for line in header.lines if line.what == "history"]
    if not lines:
        return
    line = lines[0]
    for other in lines[1:]:
        labels = (Label(line.span, "the first one"),)
        world.sink.report("E0202", "a game has one history", other.span, "another one", labels=labels)
    most = constant(world, line.value) if line.value is not None else None
    if most is None or line.value is None:
        return
    if not 1 <= most <= MOST_POSITIONS:
        message = f"a history holds 1 to {MOST_POSITIONS} positions, not {most}"
        world.sink.report("E0313", message, line.value.span)
        return
    parts = [part for node in line.parts if (part := _part(world, node)) is not None]
    site = world.site("history", line.span, line.cites)
    counted = IntType(0, 2 * most)
    world.history = ir.History(
        tuple(part.id for part in parts if isinstance(part, StateName)),
        tuple(part.id for part in parts if isinstance(part, ZoneName)),
        most,
        world.state("history", None, (counted,), IntType(0, LARGEST), builtin=True),
        world.state("history written", None, (), counted, builtin=True),
        world.state("history stood", None, (), counted, builtin=True),
        world.state("history asked", None, (), FLAG, builtin=True),
        site,
    )


def _part(world: World, node: nodes.Expression) -> StateName | ZoneName | None:
    """Returns the variable or zone that a part of the header's line names; reports anything else and returns None."""
    meaning: object = None
    match node:
        case nodes.NameExpression(text=text) if text in REPEATING and text not in world.globals:
            return StateName(world.turn_states[text], None, (), NoneType(), None, node.span, builtin=True)
        case nodes.NameExpression(text="turn" | "round" as text) if text not in world.globals:
            message = f"`{text}` never comes back, so no position would stand twice"
            world.sink.report("E0416", message, node.span, "a counter", help="leave it out")
            return None
        case nodes.NameExpression(text=text):
            meaning = world.globals.get(text)
        case nodes.AttributeExpression(of=nodes.NameExpression(text=owner), name=name):
            meaning = world.owned.get((owner, name.text))
        case _:  # any other expression names no variable
            pass
    if not isinstance(meaning, StateName | ZoneName):
        written = " ".join(node.span.text.split())
        help = "name variables and zones: `heap`, `Square.man`, `Player.score`, and `mover`"
        world.sink.report("E0416", f"`{written}` is no part of a position", node.span, "no variable or zone", help=help)
        return None
    state = world.states[meaning.id] if isinstance(meaning, StateName) else None
    if state is not None and (state.scratch or state.option):
        what = "bookkeeping" if state.scratch else "agreed before the game"
        world.sink.report("E0416", f"`{state.name}` is {what}: it makes no position", node.span, "leave it out")
        return None
    return meaning
