"""The declared visibility of variables and zones -> their viewers in a row.

hand: group of Card, seen by owner       of_zone -> the owner's bit
plan: 0..9 = 0, seen by judges           of_cell -> the judges in this row
"""

from __future__ import annotations

from functools import cached_property
from itertools import count
from typing import Any, assert_never

import attrs

from rulelang.ir.facts import kind_of, pointing_at_hidden, sentence_holes
from rulelang.ir.model import (
    WHOLE,
    CallValue,
    Cell,
    Contents,
    Expr,
    FaceUp,
    GameRules,
    InSlot,
    OwnerOf,
    PlaceOf,
    Read,
    Show,
    Simultaneous,
    StateVariable,
    Table,
    TopOf,
    Variable,
    Zone,
)
from rulelang.ir.numbers import Mask, Row, Seat
from rulelang.ir.picks import pick_kinds
from rulelang.ir.types import NONE, PLAYER, Type, size_of
from rulelang.ir.walk import called_values, calls_in, reachable, walk
from rulelang.knowledge.announced_changes import Said
from rulelang.knowledge.common_knowledge import evident_values, hidden_kinds, zones_read
from rulelang.knowledge.knowledge import Knowledge
from rulelang.knowledge.redaction import EVERYONE, NOBODY, Words, cell_name, zone_name
from rulelang.machines.walk import evaluate
from rulelang.program.layout import Layout, index_at


@attrs.frozen(slots=False)
class Visibility:
    """The declared visibility of every part of a row."""

    game: GameRules
    layout: Layout
    players: int
    unshown: frozenset[int] = frozenset()
    """The scratch variables that may hold a secret."""
    is_open: bool = False
    """Whether everybody sees everything, whatever the rules declare."""
    said: Said = attrs.field(default=attrs.Factory(lambda self: Said(self.game), takes_self=True), eq=False, repr=False)
    """The sentences of the game, and the writes that they say, whatever its seats are called."""

    def bit(self, seat: Seat | None) -> Mask:
        """Returns the bit of a viewer; None is the spectator."""
        return Mask(1 << (self.players if seat is None else seat))

    @cached_property
    def cells(self) -> tuple[tuple[StateVariable, int, str], ...]:
        """The variables that a view may show, each with its position and its written name."""
        return tuple(
            (state, at, cell_name(self.game, state, at))
            for state in self.game.states
            if state.id not in self.inner
            for at in range(self.layout.state_sizes[state.id])
            if not self._is_of_absent(state, at)
        )

    @cached_property
    def assigned(self) -> dict[tuple[int, ...], object]:
        """A cache of the words for changes of variables; see `match.recording.change_words`."""
        return {}

    @cached_property
    def open_writes(self) -> dict[tuple[int, int], Any]:
        """A cache of the changes of variables that everybody sees, by variable and line; see
        `match.recording.change_words`."""
        return {}

    @cached_property
    def changes(self) -> dict[tuple[object, ...], object]:
        """A cache of changes in words; see `match.recording.change_words`."""
        return {}

    @cached_property
    def answer_words(self) -> dict[tuple[int, Seat, tuple[int, ...]], tuple[Words, str]]:
        """A cache of the words of answers that name no things, and of their text, by choice, seat and answer; see
        `match.recording.viewer_text`."""
        return {}

    @cached_property
    def written_answers(self) -> dict[tuple[int, tuple[int, ...]], str]:
        """A cache of the written forms of answers, by choice and answer; see `match.options.lasting`."""
        return {}

    @cached_property
    def lasting_options(self) -> dict[tuple[int, Seat], Any]:
        """A cache of options that read alike in every position, by choice and seat; see `match.options.lasting`."""
        return {}

    @cached_property
    def thing_words(self) -> dict[tuple[int, int, int, bool], Words]:
        """A cache of the words for things, by kind, thing and the viewers
        who can identify it; see `match.recording.change_words`."""
        return {}

    @cached_property
    def rule_words(self) -> dict[int, Any]:
        """A cache of the words with which rules begin, by rule; see `match.recording.rule_words`."""
        return {}

    @cached_property
    def holding(self) -> dict[int, int]:
        """The kinds of the movable things that variables hold, by variable, for kinds that are not always in sight."""
        return {state.id: kind.id for state, kind in pointing_at_hidden(self.game)}

    @cached_property
    def picked(self) -> frozenset[int]:
        """The kinds of things that are picked at random, perhaps out of the box, so that nobody sees which one leaves it."""
        return frozenset(pick_kinds(self.game).values())

    @cached_property
    def heaps(self) -> tuple[tuple[Zone, int, str], ...]:
        """The zone instances, each with its position and its written name."""
        return tuple(
            (zone, instance, zone_name(self.game, zone, instance))
            for zone in self.game.zones
            for instance in range(self.layout.zone_sizes[zone.id])
        )

    def _is_of_absent(self, state: StateVariable, at: int) -> bool:
        """Returns whether a variable belongs to a seat that nobody plays."""
        if state.owner != PLAYER or not state.dimensions:
            return False
        return at * size_of(state.dimensions[0]) // self.layout.state_sizes[state.id] >= self.players

    @property
    def viewers(self) -> int:
        """The number of viewers: the seats and the spectator."""
        return self.players + 1

    @cached_property
    def beginning(self) -> Knowledge:
        """The knowledge of all viewers before anything has happened."""
        return Knowledge.start(self.game, self.layout, self.viewers)

    @cached_property
    def inner(self) -> frozenset[int]:
        """The variables that are in no event and no view."""
        return frozenset(state.id for state in self.game.states if state.scratch or is_inner(self.game, state.id))

    @cached_property
    def plain(self) -> frozenset[int]:
        """The variables that everybody sees, and that hold no things: a change of them tells nobody more than itself."""
        read = self.shifting.read if self.shifting is not None else frozenset()
        return frozenset(
            state.id
            for state in self.game.states
            if state.visible == "all" and state.id not in self.inner | read and kind_of(state.type, self.game) is None
        )

    @cached_property
    def delayed(self) -> frozenset[int]:
        """The rules that may run inside `simultaneously`: their changes take effect when the block ends."""
        return delayed_rules(self.game)

    def of_cell(self, state: StateVariable, at: int, row: Row) -> Mask:
        """Returns who may see a variable."""
        return self._declared(state, state.initial_names, at, row)

    def who_knows(self, state: StateVariable, at: int, row: Row, knowledge: Knowledge | None) -> Mask:
        """Returns who may see a variable, or has seen its present value."""
        if state.id in self.unshown:
            return NOBODY
        seers = self.of_cell(state, at, row)
        if state.visible != "expr" or knowledge is None or seers == EVERYONE:
            return seers
        slot = self.layout.states[state.id] + at
        return seers | knowledge.cell_knowers(slot, row[slot])

    @cached_property
    def evident(self) -> frozenset[int]:
        """The values on screens that everybody who knows their arguments could work out in every position."""
        return evident_values(self.game, called_values(self.game, (self.game.screen, self.game.aim)), self.unshown)

    def zones_read(self, expr: Expr) -> frozenset[int] | None:
        """Returns the zones of whose things everybody must know to work an expression out; see `zones_read`."""
        return zones_read(self.game, expr, self._hidden_kinds, self.unshown)

    @cached_property
    def _hidden_kinds(self) -> frozenset[int]:
        return hidden_kinds(self.game, self.picked)

    @cached_property
    def holes(self) -> tuple[tuple[tuple[int, Expr], ...], ...]:
        """The holes of sentences that read the position, by rule, each with its number among those of all rules."""
        numbers = count()
        return tuple(tuple((next(numbers), hole) for hole in sentence_holes(rule)) for rule in self.game.rules)

    @cached_property
    def parts(self) -> dict[int, tuple[Table, ...]]:
        """The tables of the attributes that rules show by themselves, by kind of thing."""
        found: dict[int, set[int]] = {}
        for node in walk((self.game.procedures, self.game.choices)):
            if isinstance(node, Show) and node.part != WHOLE:
                found.setdefault(node.kind, set()).add(node.part)
        return {kind: tuple(self.game.tables[id] for id in sorted(parts)) for kind, parts in found.items()}

    @cached_property
    def shifting(self) -> Shifting | None:
        """The parts whose viewers vary, and what they depend on; None if all visibility is fixed."""
        return shifting(self.game)

    def of_zone(self, zone: Zone, instance: int, row: Row) -> Mask:
        """Returns who sees the contents of a zone instance."""
        return self._declared(zone, zone.seen_names, instance, row)

    def of_place(self, kind: int, place: int, row: Row) -> Mask:
        """Returns who sees the contents of a place."""
        found = self._of_places.get((kind, place))
        if found is None:
            found = self.of_zone(*self.zones_at[kind][place], row)
            if self.shifting is None:
                self._of_places[kind, place] = found
        return found

    @cached_property
    def _of_places(self) -> dict[tuple[int, int], Mask]:
        """A cache: who sees the contents of a place, by kind and place, where all visibility is fixed."""
        return {}

    def hidden_places(self, kind: int, row: Row) -> tuple[tuple[int, ...], ...]:
        """Returns, by viewer, the places of a kind whose contents it does not see."""
        found = self._hidden_places.get(kind)
        if found is None:
            seers = [self.of_place(kind, place, row) for place in range(len(self.zones_at[kind]))]
            viewers = range(self.viewers)
            found = tuple(tuple(at for at, who in enumerate(seers) if not who >> viewer & 1) for viewer in viewers)
            if self.shifting is None:
                self._hidden_places[kind] = found
        return found

    @cached_property
    def _hidden_places(self) -> dict[int, tuple[tuple[int, ...], ...]]:
        """A cache: the places whose contents a viewer does not see, by kind and viewer, where all visibility is fixed."""
        return {}

    @cached_property
    def laid(self) -> dict[str, object]:
        """A cache of the last row whose knowledge was computed as it lies; see `knowledge.visible_knowledge`."""
        return {}

    @cached_property
    def references(self) -> dict[str, object]:
        """A cache of the slots through which rows refer to things, the same on every executor; see `match.match`."""
        return {}

    @cached_property
    def told_by_steps(self) -> dict[str, object]:
        """A cache of the lines of the game that tell something; see `match.redeals.steps`."""
        return {}

    @cached_property
    def kind_at(self) -> dict[int, int]:
        """The kind of the things whose places or faces a slot holds, by slot."""
        layout, found = self.layout, dict[int, int]()
        for zone in self.game.zones:
            first = layout.zones[zone.id]
            found.update(dict.fromkeys(range(first, first + layout.zone_sizes[zone.id]), zone.kind))
        for kind in self.game.kinds:
            for first in (layout.places[kind.id], layout.faces[kind.id]) if kind.movable else ():
                found.update(dict.fromkeys(range(first, first + kind.size), kind.id))
        return found

    @cached_property
    def looks(self) -> dict[int, object]:
        """A cache of the last looks of each viewer; see `match.view_cache`."""
        return {}

    @cached_property
    def zones_at(self) -> tuple[tuple[tuple[Zone, int], ...], ...]:
        """The zone and its instance, by kind and place."""
        zones = self.game.zones
        return tuple(
            tuple((zone, i) for zone in zones if zone.kind == kind.id for i in range(self.layout.zone_sizes[zone.id]))
            for kind in self.game.kinds
        )

    def _declared(self, what: StateVariable | Zone, names: tuple[Variable, ...], at: int, row: Row) -> Mask:
        match "all" if self.is_open else what.visible:
            case "all":
                return EVERYONE
            case "owner" if what.owner == PLAYER and what.dimensions:
                return Mask(1 << at * size_of(what.dimensions[0]) // _width(what.dimensions))
            case "expr" if what.seen_by is not None:
                values = (value for value, _ in index_at(what.dimensions, at))
                locals = {name.id: value for name, value in zip(names, values, strict=False)}
                seats = evaluate(what.seen_by, row, locals, self.game, self.layout)
                return NOBODY if seats == NONE else Mask(seats & ((1 << self.players) - 1))
            case "nobody" | "owner" | "expr":
                return NOBODY
            case _:
                assert_never(what.visible)


def delayed_rules(game: GameRules) -> frozenset[int]:
    """Returns the rules of a game that may run inside `simultaneously`; see `Visibility.delayed`."""
    blocks = (node.body for node in walk((game.procedures, game.choices)) if isinstance(node, Simultaneous))
    inside = reachable(game, {id for body in blocks for id in calls_in(game, body)})
    return frozenset(rule for id in inside if (rule := game.procedures[id].rule) is not None)


@attrs.frozen
class Shifting:
    """The variables and zones whose viewers are given by an expression, and the variables that such expressions read."""

    states: tuple[StateVariable, ...]
    zones: tuple[Zone, ...]
    read: frozenset[int]
    looks_at_things: bool
    """Whether such an expression reads the places of things."""


def shifting(game: GameRules) -> Shifting | None:
    """Returns the parts of a game whose viewers vary."""
    states = tuple(state for state in game.states if state.visible == "expr")
    zones = tuple(zone for zone in game.zones if zone.visible == "expr")
    if not states and not zones:
        return None
    nodes: list[object] = []
    waiting: list[object] = [*(state.seen_by for state in states), *(zone.seen_by for zone in zones)]
    values: set[int] = set()
    data: set[int] = set()
    while waiting:
        for node in walk(waiting.pop()):
            nodes.append(node)
            if isinstance(node, CallValue) and node.value not in values:
                values.add(node.value)
                waiting.append((game.values[node.value].cases, game.values[node.value].adjustments))
            elif isinstance(node, Cell) and node.data not in data:
                data.add(node.data)
                waiting.append(game.data[node.data].columns)
    looks = any(isinstance(node, (Contents, InSlot, TopOf, OwnerOf, PlaceOf, FaceUp)) for node in nodes)
    return Shifting(states, zones, frozenset(node.state for node in nodes if isinstance(node, Read)), looks)


def is_inner(game: GameRules, state: int) -> bool:
    """Returns whether a variable is internal to the engine: in no event and no view."""
    if game.history is not None:
        kept = game.history
        if state in (kept.entries, kept.written, kept.stood, kept.asked):
            return True
    return state in (game.depth, game.all_players) or any(state == s for _, s in game.during)


def _width(dimensions: tuple[Type, ...]) -> int:
    width = 1
    for type in dimensions:
        width *= size_of(type)
    return width
