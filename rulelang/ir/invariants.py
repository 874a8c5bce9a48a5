"""Checks the invariants of `ir.model`; the tests call it between passes.

    faults(game)                 ("verb hit.3: stop 9 leaves no loop around it",)
    faults(woven, woven=True)    also: no hook, `settle`, `proceed` or `least` is left, and `stops` is right

A fault here is a bug in the compiler, never in somebody's rules; or cached IR was changed on disk
(`ir.encoding.schema`). Nothing calls this during play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

import attrs

from rulelang.ir import model as ir
from rulelang.ir.model.traits import Body, bodies, traits, value_traits
from rulelang.ir.types import IntType, KindType, SetType, Type, offset_of
from rulelang.ir.walk import asks, calls_in, walk

_NUMBERED = ("kinds", "tables", "dice", "states", "zones", "values", "data", "procedures", "choices", "rules", "sites")
_Part: TypeAlias = ir.Procedure | ir.Value | ir.DataTable | ir.StateVariable | ir.Zone | ir.Choice
"""The parts of a game that hold code."""
_RANGING = (ir.Loop, ir.Simultaneous, ir.Over, ir.Choice, ir.Parameter)
"""Nodes that go over a set."""


def faults(game: ir.GameRules, *, woven: bool = False) -> tuple[str, ...]:
    """Returns the broken invariants of a game's IR, in words; () if all hold."""
    checker = _Checker.of(game)
    found = [*_numbers(game), *checker.references(), *checker.scopes(), *checker.loops(), *checker.strangers()]
    if woven:
        found += [*checker.left_over(), *_stops(game), *_circles(game), *checker.simultaneous()]
    return tuple(found)


def _numbers(game: ir.GameRules) -> Iterator[str]:
    for name in _NUMBERED:
        for position, one in enumerate(getattr(game, name)):
            if one.id != position:
                yield f"{name}[{position}] has the id {one.id}"


def _stops(game: ir.GameRules) -> Iterator[str]:
    """Yields faults of `stops`, which is true for a phase, and for a procedure that asks or calls one that stops."""
    for procedure in game.procedures:
        called = any(game.procedures[id].stops for id in calls_in(game, procedure.body))
        if procedure.stops != (procedure.phase or asks(game, procedure.body) or called):
            yield f"{procedure.name}.{procedure.id}: `stops` is {procedure.stops}"


def _circles(game: ir.GameRules) -> Iterator[str]:
    """Yields the cycles of procedures that call each other, except those through the checkpoint, which a flag breaks."""
    done: set[int] = set()
    for start in range(len(game.procedures)):
        path: list[int] = []
        waiting: list[tuple[int, bool]] = [(start, False)]
        while waiting:
            id, leaving = waiting.pop()
            if leaving:
                path.pop()
                done.add(id)
            elif id in path:
                names = [f"{game.procedures[i].name}.{i}" for i in path[path.index(id) :]]
                if game.checkpoint not in path[path.index(id) :]:
                    yield f"{' -> '.join(names)} call each other in a circle"
            elif id not in done:
                path.append(id)
                waiting.append((id, True))
                waiting.extend((called, False) for called in sorted(calls_in(game, game.procedures[id].body)))


@attrs.frozen
class _Checker:
    game: ir.GameRules
    parts: tuple[tuple[_Part, tuple[object, ...]], ...]
    """Every part of the game that holds code, with the nodes in it; choices last."""

    @classmethod
    def of(cls, game: ir.GameRules) -> _Checker:
        held = (game.procedures, game.values, game.data, game.states, game.zones, game.choices)
        return cls(game, tuple((part, tuple(walk(part))) for parts in held for part in parts))

    def nodes(self, *kinds: type[object]) -> Iterator[tuple[_Part, object]]:
        """Yields the nodes of some classes, each with the part that holds it."""
        wanted = frozenset(kinds)
        return ((part, node) for part, nodes in self.parts for node in nodes if type(node) in wanted)

    # -------------------------------------------------------------- ids

    def references(self) -> Iterator[str]:
        for part, nodes in self.parts:
            for node in nodes:
                for what in (*_dangling(self.game, node), *self._drawing(node)):
                    yield f"{part.name}.{part.id}: {type(node).__name__} {what}"

    def _drawing(self, node: object) -> Iterator[str]:
        game = self.game
        match node:
            case ir.Pick(stream=id, cells=cells) if not 0 <= id <= len(game.streams) - max(cells, 1):
                yield f"draws from stream {id}, which is not there"
            case ir.Roll(stream=int(id), cells=cells, die=die) if not (
                0 <= id <= len(game.streams) - max(cells, 1) * (1 if isinstance(die, ir.Const) else len(game.dice))
            ):
                yield f"throws from stream {id}, which is not there"
            case ir.Branch(rule=id) if not 0 <= id < len(game.rules):
                yield f"names rules[{id}], which is not there"
            case _:  # no other node draws, or is an option
                pass

    # -------------------------------------------------------------- locals

    def scopes(self) -> Iterator[str]:
        """Yields a fault for each part that reads locals which it
        does not bind; a choice belongs to the parts that ask it.
        """
        inside = [nodes for one, nodes in self.parts if isinstance(one, ir.Choice)]
        for one, own in self.parts:
            if isinstance(one, ir.Choice):
                continue
            asked = sorted(self._asked(own, frozenset()))
            nodes = (*own, *(node for id in asked for node in inside[id]))
            known = {n.id for n in nodes if isinstance(n, ir.Variable)}
            unknown = sorted({n.id for n in nodes if isinstance(n, ir.Local) and n.id >= 0} - known)
            if unknown:
                yield f"{one.name}.{one.id}: reads locals {unknown}, which nothing introduces"

    def _asked(self, nodes: Iterable[object], found: frozenset[int]) -> frozenset[int]:
        """Returns the choices that some nodes ask, directly or in the bodies of choices."""
        for node in nodes:
            if isinstance(node, ir.Ask) and node.choice not in found and node.choice < len(self.game.choices):
                found = self._asked(walk(self.game.choices[node.choice]), found | {node.choice})
        return found

    # -------------------------------------------------------------- loops

    def loops(self) -> Iterator[str]:
        for procedure in self.game.procedures:
            place = f"{procedure.name}.{procedure.id}"
            yield from self._left(place, procedure.body, frozenset(), frozenset())

    def _left(self, place: str, body: Body, around: frozenset[int], choices: frozenset[int]) -> Iterator[str]:
        """Yields a fault for each `stop` that names no enclosing loop; the bodies of a choice belong to the place where
        it is asked.
        """
        for of in body:
            within, asked = around, choices
            match of:
                case ir.Stop(loop=loop) if loop not in around:
                    yield f"{place}: stop {loop} leaves no loop around it"
                case ir.Loop(id=id) | ir.Repeat(id=id):
                    within = around | {id}
                case ir.Simultaneous():
                    within = frozenset()
                case ir.Ask(choice=choice):
                    if choice in choices or choice >= len(self.game.choices):
                        continue
                    asked = choices | {choice}
                case _:  # in any other statement only its bodies can be left
                    pass
            for inner in bodies(self.game, of):
                yield from self._left(place, inner, within, asked)

    # -------------------------------------------------------------- domains

    def strangers(self) -> Iterator[str]:
        """Yields a fault for each constant set with a member that is no value of the local that goes over it."""
        for part, node in self.nodes(*_RANGING):
            for variable, source in _domains(node):
                if isinstance(source.mask, ir.Const) and source.mask.value > 0:
                    mask = source.mask.value
                    members = (bit for bit in range(mask.bit_length()) if mask >> bit & 1)
                    if strange := [member for member in members if not _can_be(variable.type, member)]:
                        yield f"{part.name}.{part.id}: {variable.name}.{variable.id} goes over {strange}"

    # -------------------------------------------------------------- weaving

    def left_over(self) -> Iterator[str]:
        for _, node in self.nodes(ir.Settle, ir.Proceed, ir.Bound, ir.Openly):
            yield f"{type(node).__name__} is left after weaving"
        if self.game.hooks or self.game.whenevers:
            yield "hooks or whenever-rules are left after weaving"

    # -------------------------------------------------------------- simultaneously

    def simultaneous(self) -> Iterator[str]:
        """Yields the changes, questions and endings in `simultaneously`,
        or in procedures called from it, that no `Defer` defers.
        """
        blocks = [node for _, node in self.nodes(ir.Simultaneous) if isinstance(node, ir.Simultaneous)]
        waiting: list[tuple[str, Body]] = [("simultaneously", block.body) for block in blocks]
        seen: set[int] = set()
        while waiting:
            place, body = waiting.pop()
            for node in walk(body):
                if isinstance(node, ir.Deferrable | ir.Ask | ir.Finish):
                    yield f"{place}: {type(node).__name__} inside `simultaneously`"
            for id in sorted(calls_in(self.game, body, deferred=False) - seen):
                seen.add(id)
                waiting.append((f"{self.game.procedures[id].name}.{id}", self.game.procedures[id].body))


def _domains(node: object) -> Iterator[tuple[ir.Variable, ir.Source]]:
    """Yields each local that a node takes through a set, with the set."""
    match node:
        case ir.Loop(variable=variable, source=source) | ir.Simultaneous(variable=variable, source=source):
            yield variable, source
        case ir.Over(names=names, sources=sources):
            yield from zip(names, sources, strict=False)
        case ir.Choice(variable=ir.Variable() as variable, source=ir.Source() as source):
            yield variable, source
        case ir.Parameter(variable=variable, domain=source):
            of = variable.type
            yield attrs.evolve(variable, type=of.element) if isinstance(of, SetType) else variable, source
        case _:  # no other node goes over a set
            pass


def _can_be(type: Type, member: int) -> bool:
    match type:
        case KindType(size=size):
            return member < size
        case IntType(low=low, high=high):
            return low <= member - offset_of(type) <= high
        case _:  # the invariant covers only things and numbers
            return True


def _dangling(game: ir.GameRules, node: object) -> Iterator[str]:
    """Yields the faults in the reference of a node to a part of the game."""
    if not isinstance(node, ir.Statement | ir.Expr):
        return
    named = traits(node).refers if isinstance(node, ir.Stmt) else value_traits(node).refers
    if named is None:
        return
    part, id, among = named.part, named.id, getattr(game, named.part)
    if not 0 <= id < len(among):
        yield f"names {part}[{id}], which is not there"
    elif named.given is not None:
        is_placed = part in ("states", "tables", "zones")
        takes = among[id].dimensions if is_placed else among[id].parameters
        if len(takes) != len(named.given):
            given = f"{len(named.given)} {'indices' if is_placed else 'arguments'}"
            yield f"gives {given} to {part}[{id}], which takes {len(takes)}"
