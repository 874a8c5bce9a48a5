"""Checks on the history of positions: it tells no secret, and
`occurrences after` names only verbs that can be foreseen.

history of Player.hand: at most 500       E0402: a position is made of what everybody sees
occurrences after roll_on(p)              E0416: what rolls, asks or reads a secret cannot be foreseen
"""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.walk import calls_in, walk
from rulelang.semantics.names.scope import World
from rulelang.source import Span

MOST_DEEP = 3
"""The most looks ahead that stand inside each other."""
ENDLESS = 1_000


def check_parts(world: World, game: ir.GameRules) -> None:
    """Reports a history of variables or zones that not everybody sees."""
    if game.history is None:
        return
    span = game.sites[game.history.site].span
    for state in (game.states[id] for id in game.history.states):
        if state.visible != "all":
            _report_hidden(world, state.name, span, game.sites[state.site].span)
    for zone in (game.zones[id] for id in game.history.zones):
        if zone.visible != "all":
            _report_hidden(world, zone.name, span, game.sites[zone.site].span)


def _report_hidden(world: World, name: str, span: Span, declared: Span) -> None:
    message = f"the history would tell a secret: `{name}`"
    help = "a position is made of what everybody sees"
    world.sink.report("E0402", message, span, labels=(Label(declared, "a secret"),), help=help)


def check_foreseen(world: World, game: ir.GameRules) -> None:
    """Reports verbs that cannot be foreseen, because they ask, draw on chance, or read what not everybody sees."""
    for procedure, name, span in dict.fromkeys(world.foreseen):
        for message, help in _unforeseeable(game, procedure):
            world.sink.report("E0416", f"`{name}` cannot be foreseen: {message}", span, help=help)
            break
    for _, value, span in world.looked_at:
        for message, help in _unreadable(game, [(game.values[value].cases,)]):
            world.sink.report("E0416", f"this cannot be evaluated after a verb: {message}", span, help=help)
            break
    depths = _Depths(game)
    for procedure, span in dict.fromkeys((procedure, span) for procedure, _, span in world.foreseen):
        looked = [value for of, value, there in world.looked_at if (of, there) == (procedure, span)]
        depth = 1 + max(depths.procedure(procedure), *map(depths.value, looked), 0)
        if depth > MOST_DEEP:
            message = "what is looked at here looks ahead by itself, or at this again"
            if depth < ENDLESS:
                message = f"looks ahead stand inside each other, {MOST_DEEP} deep at most"
            world.sink.report("E0416", message, span, help="look ahead once, to the verb that does it all")


class _Depths:
    """Counts how deep looks ahead stand inside each other in procedures and values."""

    def __init__(self, game: ir.GameRules) -> None:
        self.game = game
        self.known: dict[tuple[str, int], int] = {}
        self.open: dict[tuple[str, int], int] = {}
        """By procedure or value that is gone through: how many looks ahead are around it."""
        self.around = 0

    def procedure(self, id: int) -> int:
        """Returns the depth of a procedure, with its hooks and the whenever-rules that run after it."""
        game = self.game
        hooks = [hook for hook in game.hooks if hook.of == id]
        called = [hook.procedure for hook in hooks] + [rule.procedure for rule in game.whenevers]
        parts = (game.procedures[id].body, *(hook.condition for hook in hooks))
        rules = tuple((rule.sources, rule.condition) for rule in game.whenevers)
        bodies = tuple(game.procedures[one].body for one in called if one != id)
        return self._depth(("procedure", id), (parts, rules, bodies))

    def value(self, id: int) -> int:
        """Returns the depth of a value."""
        value = self.game.values[id]
        return self._depth(("value", id), (value.cases, value.adjustments))

    def _depth(self, of: tuple[str, int], parts: object) -> int:
        if of in self.open:  # what comes by itself again in a look ahead never ends
            return ENDLESS if self.around > self.open[of] else 0
        if of not in self.known:
            self.open[of] = self.around
            self.known[of] = max((self._node(node) for node in walk(parts)), default=0)
            del self.open[of]
        return self.known[of]

    def _node(self, node: object) -> int:
        match node:
            case ir.Foreseen(procedure=id, of=of):
                self.around += 1
                inside = max(self.procedure(id), 0 if of is None else self.value(of.value))
                self.around -= 1
                return 1 + inside
            case ir.CallValue(value=id):
                return self.value(id)
            case ir.Cell(data=id):
                return self._depth(("data", id), self.game.data[id].columns)
            case ir.Call(procedure=id) | ir.Defer(procedure=id):
                return self.procedure(id)
            case _:  # no other node goes elsewhere
                return 0


def _unforeseeable(game: ir.GameRules, start: int) -> Iterator[tuple[str, str]]:
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
    yield from _unreadable(game, bodies)


def _unreadable(game: ir.GameRules, bodies: list[object]) -> Iterator[tuple[str, str]]:
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
                case _:  # any other node may stand in what is foreseen
                    pass


def _is_hidden(game: ir.GameRules, zone: int) -> bool:
    about = game.zones[zone]
    if about.name == "box":
        return any(z.kind == about.kind and z.visible != "all" for z in game.zones)
    return about.visible != "all"
