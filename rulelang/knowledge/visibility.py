"""Turns a template and a row into words, and notes who may read each hole; text always goes through some viewer's eyes.

An expression is evaluated once, noting the variables and things it reads. Anyone who may see all of them could have
computed the same result, so may read it; nobody else may. The number of things in a zone is public.

    "{p} has {p.fuel} fuel and {count(p.tokens)} tokens"      # the count is public, the tokens need not be

A hole of one or more things shows each thing to those who know it, and its back to the others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import Protocol, TypeAlias, assert_never

import attrs

from rulelang.errors import RuntimeRules
from rulelang.ir.model import (
    CallValue,
    Cell,
    Const,
    Contents,
    Counted,
    Expr,
    FaceUp,
    GameRules,
    InSlot,
    Local,
    Op,
    Over,
    OwnerOf,
    PlaceOf,
    Read,
    Simultaneous,
    StateVariable,
    Template,
    TopOf,
    Value,
    Variable,
    Zone,
)
from rulelang.ir.numbers import Mask, Row, Seat, Slot, Thing
from rulelang.ir.types import NONE, PLAYER, KindType, SetType, Type, size_of
from rulelang.ir.walk import calls_in, reachable, walk
from rulelang.knowledge.knowledge import Knowledge
from rulelang.knowledge.redaction import (
    EVERYONE,
    NOBODY,
    UNKNOWN,
    Hole,
    Words,
    back,
    cell_name,
    kind_of,
    name_of,
    secret,
    sorted_things,
    thing_name,
    unknown,
    zone_name,
)
from rulelang.machines.evaluate import Evaluation, Locals, contents, evaluate
from rulelang.machines.meter import Patience, Shared
from rulelang.program.layout import Layout, flat, index_at
from rulelang.program.packing import mask_of
from rulelang.program.values import clean
from rulelang.source import NOWHERE, Span

Calls: TypeAlias = dict[tuple[int, ...], tuple[int, int]]
"""By value and arguments: what it gives, and who may know all that it looks at."""


class Knowers(Protocol):
    """The part of `knowledge.knowledge.Knowledge` that tells who knows which thing."""

    def knowers(self, kind: int, thing: Thing) -> Mask:
        """Returns the mask of viewers who know a thing."""

    def cell_knowers(self, slot: Slot, value: int) -> Mask:
        """Returns the mask of viewers who have seen that a variable has this value."""


@attrs.frozen
class Visibility:
    """The declared visibility of every part of a row."""

    game: GameRules
    layout: Layout
    players: int
    unshown: frozenset[int] = frozenset()
    """The scratch variables that may hold a secret."""
    is_open: bool = False
    """Whether everybody sees everything, whatever is declared."""

    def bit(self, seat: Seat | None) -> Mask:
        """Returns the bit of a viewer; None is the spectator."""
        return Mask(1 << (self.players if seat is None else seat))

    @cached_property
    def cells(self) -> tuple[tuple[StateVariable, int, str], ...]:
        """The variables that a view may show, each with its position and its written name."""
        return tuple(
            (state, at, cell_name(self.game, state, at))
            for state in self.game.states
            if not state.scratch and not is_inner(self.game, state.id)
            for at in range(self.layout.state_sizes[state.id])
            if not self._is_of_absent(state, at)
        )

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
    def delayed(self) -> frozenset[int]:
        """The rules that may run inside `simultaneously`: their changes take effect when the block ends."""
        return delayed_rules(self.game)

    def of_cell(self, state: StateVariable, at: int, row: Row) -> Mask:
        """Returns who may see a variable."""
        return self._declared(state, state.initial_names, at, row)

    def who_knows(self, state: StateVariable, at: int, row: Row, knowledge: Knowers | None) -> Mask:
        """Returns who may see a variable, or has seen its present value."""
        if state.id in self.unshown:
            return NOBODY
        seers = self.of_cell(state, at, row)
        if state.visible != "expr" or knowledge is None or seers == EVERYONE:
            return seers
        slot = self.layout.states[state.id] + at
        return seers | knowledge.cell_knowers(slot, row[slot])

    @cached_property
    def shifting(self) -> Shifting | None:
        """The parts whose viewers vary, and what that depends on; None if all visibility is fixed."""
        return shifting(self.game)

    def of_zone(self, zone: Zone, instance: int, row: Row) -> Mask:
        """Returns who sees the contents of a zone instance."""
        return self._declared(zone, zone.seen_names, instance, row)

    def of_sight(self, zone: Zone, instance: int, row: Row, knowledge: Knowers) -> Mask:
        """Returns who may know who sees the contents of a zone instance."""
        if zone.visible != "expr" or zone.seen_by is None:
            return EVERYONE
        values = (value for value, _ in index_at(zone.dimensions, instance))
        locals = {name.id: value for name, value in zip(zone.seen_names, values, strict=False)}
        look = Looking(row, self.game, self.layout, visibility=self, knowledge=knowledge, told={})
        look.value(zone.seen_by, locals)
        return look.seers

    def of_place(self, kind: int, place: int, row: Row) -> Mask:
        """Returns who sees the contents of a place."""
        return self.of_zone(*self._places[kind][place], row)

    @cached_property
    def _places(self) -> tuple[tuple[tuple[Zone, int], ...], ...]:
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
    """Such an expression looks at where things lie."""


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


def at_fault(fault: RuntimeRules, game: GameRules, span: Span) -> str:
    """Returns a fault's message and its place in the rules: the fault's own line, else a span."""
    place = game.sites[fault.site].span if fault.site else span
    return f"(at fault: {fault.message}{f', {clean(place.place)}' if place.source.name else ''})"


@attrs.define
class Looking(Evaluation):
    """One evaluation that collects in `seers` who may see everything it reads."""

    visibility: Visibility = attrs.field(kw_only=True)
    knowledge: Knowers | None = attrs.field(kw_only=True)
    told: Mapping[int, int] = attrs.field(kw_only=True)
    """By local: who may know it; everybody, of one that is not here."""
    seers: Mask = attrs.field(default=EVERYONE, kw_only=True)
    calls: Calls = attrs.field(factory=dict, kw_only=True)
    """What calls of values gave, and who may know it; of use to others who look at the same row."""
    patience: Patience = attrs.field(factory=Patience, kw_only=True)

    def __attrs_post_init__(self) -> None:
        self.meter = Shared(self.layout.steps, self.patience)

    def afresh(self) -> Looking:
        """Looks at something else of the same row: with a budget of its own, and everybody may see it again."""
        self.seers, self.nesting = EVERYONE, {}
        self.meter = Shared(self.layout.steps, self.patience)
        return self

    def _call(self, value: Value, arguments: tuple[int, ...]) -> int:
        key = (value.id, *arguments)
        kept = self.calls.get(key)
        if kept is None:
            outer, self.seers = self.seers, EVERYONE
            try:
                result = super()._call(value, arguments)
            except RuntimeRules as fault:
                self.seers &= outer
                fault.site = fault.site or value.site
                raise
            kept = self.calls[key] = result, self.seers
            self.seers = outer
        self.seers &= kept[1]
        return kept[0]

    def value(self, expr: Expr, locals: Locals) -> int:
        """Returns the value of an expression, and narrows `seers` to those who may see everything it read."""
        if type(expr) is Const:  # these two are most of what there is
            return expr.value
        if type(expr) is Local:
            self.seers &= self.told.get(expr.id, EVERYONE)
            return locals[expr.id]
        if type(expr) not in TELLING or (type(expr) is Op and expr.name not in ("==", "!=", "size")):
            return super().value(expr, locals)
        match expr:
            case Read():
                state = self.game.states[expr.state]
                at = flat(state.dimensions, self.values(expr.index, locals))
                if at >= 0:
                    self.seers &= self.visibility.who_knows(state, at, self.row, self.knowledge)
            case Contents() | InSlot() | TopOf():
                things = self._lying(expr, locals)
                self._know(self.game.zones[expr.zone].kind, things[:1] if isinstance(expr, TopOf) else things)
            case OwnerOf(kind=kind, owner=owner) if all(
                zone.visible == "all" for zone in self.game.zones if (zone.kind, zone.owner) == (kind, owner)
            ):
                self.value(expr.thing, locals)
            case FaceUp(thing=(InSlot() | TopOf()) as held):
                # On which side it lies is there for all to see, whatever it is.
                things = self._lying(held, locals)[:1]
                return self.row[self.layout.faces[expr.kind] + things[0]] if things else 0
            case Op(name="==" | "!=" as name, arguments=((Contents() | InSlot()) as held, Const(value=value))) if (
                value <= 0
            ):
                return int(bool(self._lying(held, locals)) == (name == "!="))
            case PlaceOf() | OwnerOf() | FaceUp():
                thing = self.value(expr.thing, locals)
                self._know(expr.kind, [Thing(thing)] if thing >= 0 else [])
            case Op(name="size", arguments=(Contents() as zone,)):
                return len(self._lying(zone, locals))
            case Over(what="count", condition=None, names=(_,), value=None) if (lot := counted(expr)) is not None:
                return len(self._lying(lot, locals))
            case _:  # in any other expression its parts are looked at
                pass
        return super().value(expr, locals)

    def lying(self, held: Contents, locals: Locals) -> list[Thing]:
        """Returns the things in a zone that is gone through; only viewers who know all of them may know the result."""
        things = super().lying(held, locals)
        self._know(self.game.zones[held.zone].kind, things)
        return things

    def _lying(self, expr: Contents | InSlot | TopOf, locals: Locals) -> list[Thing]:
        zone = self.game.zones[expr.zone]
        instance = self.instance(zone, expr.index, locals)
        return contents(self.row, self.layout, zone, instance) if instance >= 0 else []

    def _know(self, kind: int, things: list[Thing]) -> None:
        for thing in things if self.knowledge is not None else ():
            self.seers &= self.knowledge.knowers(kind, thing)  # type: ignore[union-attr]


def counted(over: Over) -> Contents | None:
    source = over.sources[0]
    if source.pile is not None:
        return source.pile if source.mask is None else None
    return source.mask if isinstance(source.mask, Contents) else None


# ------------------------------------------------------------------ templates


@attrs.frozen
class ThingsHole:
    """A hole that shows things, each to those who know it: turned into words once it is clear who does."""

    kind: int
    things: tuple[Thing, ...]
    braces: bool
    seers: tuple[int, ...]
    """The viewers who know each already, whatever is learnt later."""
    said: bool = False
    """In a sentence for people: by their names."""


TELLING = frozenset((Read, Contents, InSlot, TopOf, PlaceOf, OwnerOf, FaceUp, Op, Over))
"""The expressions that look at something which not everybody may see."""
COVERED = "░"
"""What stands on a map for what is not seen."""

Draft: TypeAlias = tuple[str | Hole | ThingsHole, ...]
"""Words whose things are still to be settled."""


@attrs.frozen
class Scene:
    """The context of words: a row, the knowledge of it, and the values of the locals."""

    visibility: Visibility
    row: Row
    knowledge: Knowers | None
    locals: Locals
    told: Mapping[int, int]
    """By local: who may know it; of one that stands for things, who besides those who know them."""
    pointing: Collection[int] = ()
    """Locals of which it is a secret what things they stand for: nobody may read these for knowing them."""
    blank: bool = False
    """What is none or empty is left out."""
    calls: Calls = attrs.field(factory=dict, repr=False)
    patience: Patience = attrs.field(factory=Patience, repr=False)
    span: Span = NOWHERE
    """The place of the words in the rules, for faults in them."""

    def words(self, template: Template | None, pointing: Pointing | None = None) -> Words:
        """Returns the words of a template, with its things as viewers know them, or only as pointing reveals them."""
        draft = self.draft(template)
        named = known_now(draft, self.knowledge) if pointing is None else pointing.named(draft)
        return settled(named, self.visibility.game)

    def draft(self, template: Template | None) -> Draft:
        """Returns the words of a template, with its things still to be settled."""
        if template is None:
            return ()
        look = self._looking()
        return tuple(
            clean(part) if isinstance(part, str) else self._hole(part, type, look.afresh())
            for part, type in zip(template.parts, template.types, strict=True)
        )

    def _hole(self, expr: Expr, type: Type | None, look: Looking) -> str | Hole | ThingsHole:
        game = self.visibility.game
        if isinstance(expr, Counted):
            return self._counted(expr, look)
        try:
            value = look.value(expr, dict(self.locals))
            seers = self._index_seers(expr, look) if self._is_plain(expr) else look.seers
        except RuntimeRules as fault:
            return self._at_fault(fault, look)
        except KeyError:
            return UNKNOWN
        kind = kind_of(type, game)
        if self.blank and (value == NONE or (value == 0 and isinstance(type, SetType))):
            return secret("", look.seers, COVERED)[0]
        covered = COVERED if self.blank else unknown(type, game)
        if kind is None or value == NONE or not self._is_plain(expr):
            return secret(name_of(value, type, game), look.seers, covered)[0]
        if isinstance(expr, Read) and seers != EVERYONE:
            return secret(name_of(value, type, game), seers, covered)[0]
        told = self.told.get(expr.id, 0) if isinstance(expr, Local) else 0
        things = attrs.evolve(things_in(value, type, kind.id, game, told), said=True)
        is_secret = isinstance(expr, Local) and expr.id in self.pointing and told != EVERYONE
        return _named(things, game) if is_secret else things

    def _counted(self, expr: Counted, look: Looking) -> str | Hole:
        """Returns a number with its noun."""
        try:
            number = look.value(expr.of, dict(self.locals))
        except RuntimeRules as fault:
            return self._at_fault(fault, look)
        except KeyError:
            return UNKNOWN
        noun = clean(expr.one if number == 1 else expr.many)
        return secret(f"{'no' if number == NONE else number} {noun}", look.seers, f"some {clean(expr.many)}")[0]

    def _at_fault(self, fault: RuntimeRules, look: Looking) -> str | Hole:
        return secret(at_fault(fault, self.visibility.game, self.span), look.seers, UNKNOWN)[0]

    def _looking(self) -> Looking:
        visibility, knowledge = self.visibility, self.knowledge
        return Looking(
            self.row,
            visibility.game,
            visibility.layout,
            visibility=visibility,
            knowledge=knowledge,
            told=self.told,
            calls=self.calls,
            patience=self.patience,
        )

    @staticmethod
    def _is_plain(expr: Expr) -> bool:
        return isinstance(expr, (Local, Contents, InSlot, TopOf, Read))

    def _index_seers(self, expr: Expr, look: Looking) -> Mask:
        """Returns who may know which place a plain expression names; its contents are another matter."""
        if isinstance(expr, Local):
            return EVERYONE
        assert isinstance(expr, (Contents, InSlot, TopOf, Read))
        if isinstance(expr, Read):
            return look.seers
        index = attrs.evolve(look, seers=EVERYONE, memo={})
        index.values(expr.index, dict(self.locals))
        return index.seers


def things_in(value: int, type: Type | None, kind: int, game: GameRules, told: int) -> ThingsHole:
    """Returns the hole for a thing or a set of things; viewers in `told` may read it in any case."""
    braces = isinstance(type, SetType)
    things = sorted_things(game.kinds[kind], value if braces else (Thing(value),))
    return ThingsHole(kind, things, braces, (told,) * len(things))


@attrs.frozen
class Pointing:
    """Tells who can identify things that somebody points at: viewers who see where they lie, or followed them there.

    Remembering that blue holds the ace does not reveal which card of its hand blue lays down.
    """

    visibility: Visibility
    row: Row
    knowledge: Knowledge | None
    """None where it is not kept: then everybody can tell all."""

    def pointed(self, kind: int, thing: Thing, beside: int = 0) -> int:
        """Returns who can identify a thing by where it lies alone; see `Knowledge.pointed`."""
        if self.knowledge is None:
            return EVERYONE
        place = self.knowledge.place_of(kind, thing)
        return self.knowledge.pointed(
            kind, thing, place, seen=self.visibility.of_place(kind, place, self.row), beside=beside
        )

    def told(self, kind: int, thing: Thing, beside: int = 0) -> int:
        """Returns who can identify a thing that is pointed at together with others."""
        if self.knowledge is None:
            return EVERYONE
        return self.pointed(kind, thing, beside) | self.knowledge.followers(kind, thing)

    def of_all(self, type: Type, value: int) -> int:
        """Returns who can identify everything in a value that is a thing or a set of things."""
        kind = kind_of(type, self.visibility.game)
        if kind is None or value == NONE:
            return EVERYONE
        things = (Thing(value),) if isinstance(type, KindType) else tuple(sorted_things(kind, value))
        beside, seers = mask_of(things), EVERYONE
        for thing in things:
            seers &= self.told(kind.id, thing, beside)
        return seers

    def named(self, words: Draft) -> Draft:
        """Returns the draft with everyone added who can now identify its things."""
        return _added(words, lambda part, thing: self.told(part.kind, thing, mask_of(part.things)))


def known_now(words: Draft, knowledge: Knowers | None) -> Draft:
    """Returns the draft with everyone added who now knows its things; everyone, if knowledge is not kept."""
    return _added(words, lambda part, thing: EVERYONE if knowledge is None else knowledge.knowers(part.kind, thing))


def known_in(words: Draft, knowledge: Knowledge, slot: Slot) -> Draft:
    """Returns a variable's words, with who has been told which thing it holds added to who could tell."""
    return _added(words, lambda part, thing: knowledge.told_in(slot, part.kind, thing))


def _added(words: Draft, told: Callable[[ThingsHole, Thing], int]) -> Draft:
    return tuple(
        attrs.evolve(part, seers=tuple(s | told(part, t) for s, t in zip(part.seers, part.things, strict=True)))
        if isinstance(part, ThingsHole)
        else part
        for part in words
    )


def settled(draft: Draft, game: GameRules) -> Words:
    """Returns the words of a draft."""
    return tuple(_named(part, game) if isinstance(part, ThingsHole) else part for part in draft)


def _named(part: ThingsHole, game: GameRules) -> str | Hole:
    kind = game.kinds[part.kind]
    names = [thing_name(kind, t) if part.said else kind.names[t] for t in part.things]
    one, many = back(kind)
    hole = Hole(tuple(zip(names, part.seers, strict=True)), one, many, part.braces, part.said)
    return hole.read(EVERYONE) if all(s == EVERYONE for s in part.seers) else hole


def local_seers(knowledge: Knowers | None, game: GameRules, type: Type, value: int) -> Mask:
    """Returns who knows the value of a local that is a thing or a set of things."""
    kind = kind_of(type, game)
    if kind is None or knowledge is None or value == NONE:
        return EVERYONE
    seers = EVERYONE
    for thing in (Thing(value),) if isinstance(type, KindType) else sorted_things(kind, value):
        seers &= knowledge.knowers(kind.id, thing)
    return seers
