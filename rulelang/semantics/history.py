"""The history of positions: the header's line, `occurrences`, and `occurrences after VERB(…)`.

history of Square.man, mover: at most 500      History(states=(mover,), zones=(man,), most=500, …)
occurrences after take(p, s)                   Foreseen(take, (p, s))
"""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.types import LARGEST, IntType, NoneType
from rulelang.ir.walk import calls_in, walk
from rulelang.semantics.coercion import arguments_of, constant
from rulelang.semantics.scope import ActionName, Env, StateName, VerbName, World, ZoneName
from rulelang.semantics.type_relations import FLAG, NOTHING, Typed
from rulelang.source import Span
from rulelang.syntax import nodes

MOST_POSITIONS = 10_000
REPEATING = ("mover", "players")
"""The engine's own variables that may be part of a position; its counters never come back."""


def lower_history(world: World, header: nodes.Game) -> None:
    """Enters what a position is, and the variables that keep those that have stood."""
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
    """Returns the variable or zone that a header's line names, or reports what is none."""
    meaning: object = None
    match node:
        case nodes.Name(text=text) if text in REPEATING and text not in world.globals:
            return StateName(world.turn_states[text], None, (), NoneType(), None, node.span, builtin=True)
        case nodes.Name(text="turn" | "round" as text) if text not in world.globals:
            message = f"`{text}` never comes back, so no position would stand twice"
            world.sink.report("E0415", message, node.span, "a counter", help="leave it out")
            return None
        case nodes.Name(text=text):
            meaning = world.globals.get(text)
        case nodes.Attribute(of=nodes.Name(text=owner), name=name):
            meaning = world.owned.get((owner, name.text))
    if not isinstance(meaning, StateName | ZoneName):
        written = " ".join(node.span.text.split())
        help = "name variables and zones: `heap`, `Square.man`, `Player.score`, and `mover`"
        world.sink.report("E0415", f"`{written}` is no part of a position", node.span, "no variable or zone", help=help)
        return None
    state = world.states[meaning.id] if isinstance(meaning, StateName) else None
    if state is not None and (state.scratch or state.option):
        what = "bookkeeping" if state.scratch else "agreed before the game"
        world.sink.report("E0415", f"`{state.name}` is {what}: it makes no position", node.span, "leave it out")
        return None
    return meaning


def check_parts(world: World, game: ir.Game) -> ir.Game:
    """Reports a history of what not everybody sees."""
    if game.history is None:
        return game
    span = game.sites[game.history.site].span
    for state in (game.states[id] for id in game.history.states):
        if state.visible != "all":
            _report_hidden(world, state.name, span, game.sites[state.site].span)
    for zone in (game.zones[id] for id in game.history.zones):
        if zone.visible != "all":
            _report_hidden(world, zone.name, span, game.sites[zone.site].span)
    return game


def _report_hidden(world: World, name: str, span: Span, declared: Span) -> None:
    message = f"the history would tell a secret: `{name}`"
    help = "a position is made of what everybody sees"
    world.sink.report("E0402", message, span, labels=(Label(declared, "a secret"),), help=help)


# ------------------------------------------------------------------ asking


def occurrences(world: World) -> Typed | None:
    """Returns `occurrences`; None in a game without a history."""
    if world.history is None:
        return None
    return Typed(ir.Occurrences(), IntType(1, 2 * world.history.most + 1))


def lower_after(world: World, env: Env, node: nodes.OccurrencesAfter) -> Typed:
    """Lowers `occurrences after VERB(…)`."""
    call = node.call
    if world.history is None:
        help = "say in the header what a position is: `history of Square.man, mover: at most 500`"
        world.sink.report("E0415", "this game has no history", node.span, help=help)
        return NOTHING
    name = call.function if isinstance(call, nodes.Call) else call
    meaning = world.globals.get(name.text) if isinstance(name, nodes.Name) else None
    if not isinstance(name, nodes.Name) or not isinstance(meaning, ActionName | VerbName):
        verbs = [n for n, m in world.globals.items() if isinstance(m, ActionName | VerbName)]
        world.unknown(name.text if isinstance(name, nodes.Name) else "this", call.span, "no verb or action", verbs)
        return NOTHING
    arguments = call.arguments if isinstance(call, nodes.Call) else ()
    types = tuple(v.type for v in meaning.parameters)
    lowered = arguments_of(world, env, arguments, types, name.text, call.span)
    if lowered is None:
        return NOTHING
    world.foreseen.append((meaning.procedure, name.text, node.span))
    after = ir.Foreseen(meaning.procedure, tuple(value.ir for value in lowered))
    return Typed(after, IntType(1, 2 * world.history.most + 1))


def check_foreseen(world: World, game: ir.Game) -> ir.Game:
    """Reports what cannot be foreseen: what asks, what is random, what not everybody sees."""
    for procedure, name, span in dict.fromkeys(world.foreseen):
        for message, help in _unforeseeable(game, procedure):
            world.sink.report("E0415", f"`{name}` cannot be foreseen: {message}", span, help=help)
            break
    return game


def _unforeseeable(game: ir.Game, start: int) -> Iterator[tuple[str, str]]:
    bodies: list[object] = []
    seen: set[int] = set()
    waiting = [start, *(rule.procedure for rule in game.whenevers)]
    while waiting:
        id = waiting.pop()
        if id not in seen:
            seen.add(id)
            hooks = [hook for hook in game.hooks if hook.of == id]
            bodies += [game.procedures[id].body, *(hook.condition for hook in hooks)]
            waiting += [*calls_in(game, game.procedures[id].body), *(hook.procedure for hook in hooks)]
    bodies += [(rule.sources, rule.condition) for rule in game.whenevers]
    if any(game.procedures[id].phase for id in seen):
        yield "it is a phase, or goes through one", "name the verb that changes the position"
    values: set[tuple[str, int]] = set()
    while bodies:
        for node in walk(bodies.pop()):
            match node:
                case ir.Ask():
                    yield "somebody is asked in it", "move what is asked into parameters of the action"
                case ir.Roll() | ir.Pick() | ir.Shuffle():
                    yield "it rolls, draws or shuffles", "let chance come before or after it"
                case ir.Move(what=ir.Source(pile=ir.Contents(zone=zone))) if game.zones[zone].refills_from is not None:
                    yield "it may fill a pile up and shuffle it", "let chance come before or after it"
                case ir.Read(state=state) if game.states[state].visible != "all":
                    yield f"`{game.states[state].name}` is a secret", "a choice must not tell it"
                case ir.Contents(zone=zone) | ir.InSlot(zone=zone) | ir.TopOf(zone=zone) if _is_hidden(game, zone):
                    yield f"`{game.zones[zone].name}` is a secret", "a choice must not tell it"
                case ir.OwnerOf(kind=kind) | ir.PlaceOf(kind=kind) if any(
                    z.kind == kind and z.visible != "all" for z in game.zones
                ):
                    yield "where things lie is a secret", "a choice must not tell it"
                case ir.CallValue(value=id) if ("value", id) not in values:
                    values.add(("value", id))
                    bodies.append((game.values[id].cases, game.values[id].adjustments))
                case ir.Cell(data=id) if ("data", id) not in values:
                    values.add(("data", id))
                    bodies.append(game.data[id].columns)


def _is_hidden(game: ir.Game, zone: int) -> bool:
    about = game.zones[zone]
    if about.name == "box":
        return any(z.kind == about.kind and z.visible != "all" for z in game.zones)
    return about.visible != "all"
