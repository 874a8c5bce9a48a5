"""A template and a row -> words, with a note of who may read each hole.

An expression is evaluated once, noting the variables and things that it reads. A viewer who may see all of them could
compute the same result, and so may read it; nobody else may. The number of things in a zone is public.

    "{p} has {p.fuel} fuel and {count(p.tokens)} tokens"      # the count is public, the tokens need not be

A hole of one or more things shows each thing to those who know it, and its back to the others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, TypeAlias

import attrs

from rulelang.errors import RuntimeRules
from rulelang.ir.facts import kind_of
from rulelang.ir.model import (
    Column,
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
    StateVariable,
    Template,
    TopOf,
    Value,
    Zone,
)
from rulelang.ir.numbers import Mask, Row, Slot, Thing
from rulelang.ir.types import NONE, KindType, SetType, Type
from rulelang.ir.walk import walk
from rulelang.knowledge.common_knowledge import owns_openly
from rulelang.knowledge.knowledge import Knowledge
from rulelang.knowledge.redaction import (
    EVERYONE,
    UNKNOWN,
    Hole,
    Words,
    back,
    name_of,
    secret,
    sorted_things,
    thing_name,
    unknown,
)
from rulelang.knowledge.visibility import Visibility
from rulelang.machines.evaluate import Locals, contents
from rulelang.machines.machine import ValueFunction
from rulelang.machines.meter import Patience, Shared
from rulelang.machines.walk import Evaluation
from rulelang.program.layout import flat, index_at
from rulelang.program.packing import mask_of, members
from rulelang.program.values import clean
from rulelang.program.violations import no_key
from rulelang.source import NOWHERE, Span

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Calls: TypeAlias = dict[tuple[int, ...], tuple[int, int]]
"""By value and arguments: the result, and the viewers who may know everything that it reads."""


def at_fault(fault: RuntimeRules, game: GameRules, span: Span) -> str:
    """Returns a fault's message and its place in the rules: the fault's own line, else a span."""
    place = game.sites[fault.site].span if fault.site else span
    return f"(at fault: {fault.message}{f', {clean(place.place)}' if place.source.name else ''})"


@attrs.define(eq=False, repr=False)
class Looking(Evaluation):
    """One evaluation that collects in `seers` who may see everything it reads."""

    visibility: Visibility = attrs.field(kw_only=True)
    knowledge: Knowledge | None = attrs.field(kw_only=True)
    told: Mapping[int, int] = attrs.field(kw_only=True)
    """By local: the viewers who may know it; everybody may know a local that is missing."""
    seers: Mask = attrs.field(default=EVERYONE, kw_only=True)
    calls: Calls = attrs.field(factory=dict, kw_only=True)
    """The results of calls of values, which evaluations of the same row share."""
    patience: Patience = attrs.field(factory=Patience, kw_only=True)
    functions: Mapping[int, ValueFunction] = attrs.field(factory=dict, kw_only=True)
    """Functions for values, which are used where everybody could work the value out; see `Machine.functions`."""
    in_part: tuple[Contents, tuple[int, ...]] | None = attrs.field(default=None, kw_only=True)
    """The contents of a zone of which only some parts are about to be read, and the tables of these parts."""

    def __attrs_post_init__(self) -> None:
        self.meter = Shared(self.layout.steps, self.patience)

    def afresh(self) -> Looking:
        """Returns this evaluation, reset for another expression: with a budget of its own, and `seers` everybody
        again."""
        self.seers, self.nesting, self.in_part = EVERYONE, {}, None
        if self.patience.is_over:
            self.meter = Shared(self.layout.steps, self.patience)
        else:
            self.meter.renew()
        return self

    def _call(self, value: Value, arguments: tuple[int, ...]) -> int:
        key = (value.id, *arguments)
        kept = self.calls.get(key)
        if kept is None:
            found = self._by_function(value.id, arguments)
            if found is not None:
                self.calls[key] = found, EVERYONE
                return found
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

    def _by_function(self, value: int, arguments: tuple[int, ...]) -> int | None:
        """Returns the result of a value by its function; None if it has none that may be used, or is at fault."""
        function = self.functions.get(value)
        if function is None or value not in self.visibility.evident:
            return None
        try:
            return function(self.row, *arguments)
        except (RuntimeRules, RecursionError):  # evaluated again, the fault is found with its place
            return None

    def value(self, expr: Expr, locals: Locals) -> int:
        """Returns the value of an expression, and narrows `seers` to those who may see everything it read."""
        if type(expr) is Const:  # these two are the most frequent expressions
            return expr.value
        if type(expr) is Local:
            self.seers &= self.told.get(expr.id, EVERYONE)
            return locals[expr.id]
        if type(expr) not in TELLING or (type(expr) is Op and expr.name not in ("==", "!=", "size")):
            if type(expr) is Column and self.visibility.parts and isinstance(expr.of[0], InSlot | TopOf):
                return self._printed(expr, expr.of[0], locals)
            return super().value(expr, locals)
        match expr:
            case Read():
                state = self.game.states[expr.state]
                index = self.values(expr.index, locals)
                at = flat(state.dimensions, index)
                if at < 0:
                    return no_key(state.name, state.dimensions, index)
                self.seers &= self.visibility.who_knows(state, at, self.row, self.knowledge)
                self._identify(state, at)
                return self.row[self.layout.states[state.id] + at]
            case Contents() | InSlot() | TopOf():
                things = self._lying(expr, locals)
                if isinstance(expr, Contents):
                    self._know_all(expr, things)
                else:
                    self._know(self.game.zones[expr.zone].kind, things[:1])
                return mask_of(things) if isinstance(expr, Contents) else things[0] if things else NONE
            case OwnerOf() if owns_openly(self.game, expr):
                self.value(expr.thing, locals)
            case FaceUp(thing=(InSlot() | TopOf()) as held):
                # Everybody sees which side of a thing is up, even if they do not know which thing it is.
                things = self._lying(held, locals)[:1]
                return self.row[self.layout.faces[expr.kind] + things[0]] if things else 0
            case Op(name="==" | "!=" as name, arguments=((Contents() | InSlot()) as held, Const(value=value))) if (
                value <= 0
            ):
                return int(bool(self._lying(held, locals)) == (name == "!="))
            case Op(name="==" | "!=" as name, arguments=(Read() as read, Const(value=value))) if (
                value <= 0 and read.state in self.visibility.holding
            ):
                # A viewer who sees a variable knows whether it holds a thing, but not always which.
                return int((self.held(read, locals) == value) == (name == "=="))
            case PlaceOf() | OwnerOf() | FaceUp():
                thing = self.value(expr.thing, locals)
                self._know(expr.kind, [Thing(thing)] if thing >= 0 else [])
            case Op(name="size", arguments=(Contents() as zone,)):
                return len(self._lying(zone, locals))
            case Over(what="count", condition=None, names=(_,), value=None) if (lot := counted(expr)) is not None:
                return len(self._lying(lot, locals))
            case Over(names=(_,)) if self.visibility.parts:
                self.in_part = read_in_part(expr)  # until the source has been read, which is what comes first
            case _:  # any other expression is known to those who know its parts
                pass
        return super().value(expr, locals)

    def lying(self, held: Contents, locals: Locals, *, is_ordered: bool = True) -> list[Thing]:
        """Returns the things in a zone that is iterated; only viewers who know all of them may know the result."""
        things = super().lying(held, locals, is_ordered=is_ordered)
        self._know_all(held, things)
        return things

    def _know_all(self, held: Contents, things: list[Thing]) -> None:
        """Narrows `seers` to those who know the things in a zone, or as much of each as is about to be read."""
        zone, knowledge, seers = self.game.zones[held.zone], self.knowledge, EVERYONE
        if knowledge is None:
            return
        if zone.form != "pile":
            seers = knowledge.whole(zone.kind, things)
        for thing in things if zone.form == "pile" else ():
            seers = Mask(seers & knowledge.knowers(zone.kind, thing))
        if self.in_part is not None and self.in_part[0] is held:
            (_, parts), self.in_part, of_parts = self.in_part, None, EVERYONE
            for thing in things:
                of_parts = Mask(of_parts & self._know_parts(zone.kind, thing, parts))
            seers = Mask(seers | of_parts)
        self.seers = Mask(self.seers & seers)

    def _know_parts(self, kind: int, thing: Thing, parts: tuple[int, ...]) -> Mask:
        """Returns the viewers who know some parts of a thing."""
        if self.knowledge is None:
            return EVERYONE
        tables = [self.game.tables[part].values for part in parts]
        like = mask_of(t for t in range(self.game.kinds[kind].size) if all(v[t] == v[thing] for v in tables))
        return self.knowledge.knowers_among(kind, thing, like)

    def _printed(self, expr: Column, held: InSlot | TopOf, locals: Locals) -> int:
        """Returns a printed part of the thing in a slot or on a pile, and narrows `seers` to those who know as much."""
        things, kind = self._lying(held, locals)[:1], self.game.zones[held.zone].kind
        if not things or len(expr.of) > 1:
            return super().value(expr, locals)
        self.seers = Mask(self.seers & self._know_parts(kind, things[0], (expr.table,)))
        return self.game.tables[expr.table].values[things[0]]

    def _lying(self, expr: Contents | InSlot | TopOf, locals: Locals) -> list[Thing]:
        zone = self.game.zones[expr.zone]
        instance = self.instance(zone, expr.index, locals)
        return contents(self.row, self.layout, zone, instance) if instance >= 0 else []

    def held(self, expr: Read, locals: Locals) -> int:
        """Returns the things that a variable holds, and narrows `seers` to those who see the variable, even if they do
        not know the things.
        """
        state = self.game.states[expr.state]
        at = flat(state.dimensions, self.values(expr.index, locals))
        if at < 0:
            return super().value(expr, locals)
        self.seers &= self.visibility.who_knows(state, at, self.row, self.knowledge)
        return self.row[self.layout.states[state.id] + at]

    def _identify(self, state: StateVariable, at: int) -> None:
        """Narrows `seers` to those who can tell which things a variable holds."""
        kind = self.visibility.holding.get(state.id)
        if kind is not None and self.knowledge is not None:
            pointing = Pointing(self.visibility, self.row, self.knowledge)
            self.seers &= pointing.held_in(kind, state.type, self.layout.states[state.id] + at)

    def _know(self, kind: int, things: list[Thing]) -> None:
        for thing in things if self.knowledge is not None else ():
            self.seers &= self.knowledge.knowers(kind, thing)  # type: ignore[union-attr]


def knowers_of_sight(visibility: Visibility, zone: Zone, instance: int, row: Row, knowledge: Knowledge) -> Mask:
    """Returns the viewers who may know which viewers see the contents of a zone instance."""
    if zone.visible != "expr" or zone.seen_by is None:
        return EVERYONE
    values = (value for value, _ in index_at(zone.dimensions, instance))
    locals = {name.id: value for name, value in zip(zone.seen_names, values, strict=False)}
    look = Looking(row, visibility.game, visibility.layout, visibility=visibility, knowledge=knowledge, told={})
    look.value(zone.seen_by, locals)
    return look.seers


def read_in_part(over: Over) -> tuple[Contents, tuple[int, ...]] | None:
    """Returns the contents of a zone that a comprehension over one name goes over, and the tables of the parts that it reads
    of each thing; None if it needs to know the things themselves."""
    source, local = over.sources[0], Local(over.names[0].id)
    held = source.pile if source.mask is None else source.mask if source.pile is None else None
    if not isinstance(held, Contents) or over.what in ("first", "best") or (over.what == "set" and over.value is None):
        return None
    nodes = list(walk((over.condition, over.value)))
    parts = [node.table for node in nodes if isinstance(node, Column) and node.of == (local,)]
    return (held, tuple(parts)) if len(parts) == nodes.count(local) else None


def counted(over: Over) -> Contents | None:
    source = over.sources[0]
    if source.pile is not None:
        return source.pile if source.mask is None else None
    return source.mask if isinstance(source.mask, Contents) else None


# ------------------------------------------------------------------ templates


@attrs.define(unsafe_hash=True)
class ThingsHole:
    """A hole that shows things, each to those who know it; it becomes words once it is settled who does. A value, not frozen
    because several are made at each choice."""

    kind: int
    things: tuple[Thing, ...]
    braces: bool
    seers: tuple[int, ...]
    """By thing: the viewers who know it already."""
    said: bool = False
    """Whether it is in a sentence for people, which uses their names."""
    by_place: bool = False
    """Whether the things are named by their places: `top(deck)`."""


TELLING = frozenset((Read, Contents, InSlot, TopOf, PlaceOf, OwnerOf, FaceUp, Op, Over))
"""The expressions that read something which not everybody may see."""
COVERED = "░"
"""The character on a map for a hidden value."""

Draft: TypeAlias = tuple[str | Hole | ThingsHole, ...]
"""Words in which it is not yet settled who may read the names of things."""


@attrs.frozen
class Scene:
    """The context of words: a row, the knowledge of it, and the values of the locals."""

    visibility: Visibility
    row: Row
    knowledge: Knowledge | None
    locals: Locals
    told: Mapping[int, int]
    """By local: the viewers who may know it; for one that stands for things, in addition to those who know the
    things."""
    pointing: Collection[int] = ()
    """The locals for which it is secret which things they stand for: knowing the things is not enough to read them."""
    blank: bool = False
    """Whether values that are none or empty are left out."""
    calls: Calls = attrs.field(factory=dict, repr=False)
    patience: Patience = attrs.field(factory=Patience, repr=False)
    functions: Mapping[int, ValueFunction] = attrs.field(factory=dict, repr=False)
    """See `Looking.functions`."""
    span: Span = NOWHERE
    """The place of the words in the rules, for faults in them."""

    def words(self, template: Template | None) -> Words:
        """Returns the words of a template, with each thing named to those who can tell which one is meant."""
        pointing = Pointing(self.visibility, self.row, self.knowledge)
        return pointing.words(self.draft(template))

    def draft(self, template: Template | None) -> Draft:
        """Returns the words of a template, with its things still to be settled."""
        if template is None:
            return ()
        look: Looking | None = None
        words: list[str | Hole | ThingsHole] = []
        for part, type in zip(template.parts, template.types, strict=True):
            if isinstance(part, str):
                words.append(clean(part))
            else:
                look = self._looking() if look is None else look.afresh()
                words.append(self._hole(part, type, look))
        return tuple(words)

    def _hole(self, expr: Expr, type: Type | None, look: Looking) -> str | Hole | ThingsHole:
        game = self.visibility.game
        if isinstance(expr, Counted):
            return self._counted(expr, look)
        kind = kind_of(type, game)
        try:
            value = look.value(expr, dict(self.locals))
            seers = self._index_seers(expr, look) if kind is not None and isinstance(expr, Read) else look.seers
        except RuntimeRules as fault:
            return self._at_fault(fault, look, self._covered(type))
        except KeyError:
            return UNKNOWN
        if self.blank and (value == NONE or (value == 0 and isinstance(type, SetType))):
            return secret("", look.seers, COVERED)[0]
        if kind is None or value == NONE or not self._is_plain(expr):
            return self._value(value, type, look.seers)
        if isinstance(expr, Read) and seers != EVERYONE:
            return self._value(value, type, seers)
        told = self.told.get(expr.id, 0) if isinstance(expr, Local) else 0
        if isinstance(expr, Read) and self.knowledge is not None and isinstance(type, KindType):
            told = self.knowledge.told_in(self._slot(expr, look), kind.id, value)
        by_place = isinstance(expr, Contents | InSlot | TopOf)
        things = things_in(value, type, kind.id, game, told, said=True, by_place=by_place)
        is_secret = isinstance(expr, Local) and expr.id in self.pointing and told != EVERYONE
        return _named(things, game) if is_secret else things

    def _value(self, value: int, type: Type | None, seers: Mask) -> str | Hole:
        """Returns the name of a value for those who may know it."""
        name = name_of(value, type, self.visibility.game)
        return name if seers == EVERYONE else secret(name, seers, self._covered(type))[0]

    def _covered(self, type: Type | None) -> str:
        """Returns the words that others read in place of a value."""
        return COVERED if self.blank else unknown(type, self.visibility.game)

    def _counted(self, expr: Counted, look: Looking) -> str | Hole:
        """Returns a number with its noun."""
        covered = f"some {clean(expr.many)}"
        try:
            number = look.value(expr.of, dict(self.locals))
        except RuntimeRules as fault:
            return self._at_fault(fault, look, covered)
        except KeyError:
            return UNKNOWN
        noun = clean(expr.one if number == 1 else expr.many)
        return secret(f"{'no' if number == NONE else number} {noun}", look.seers, covered)[0]

    def _at_fault(self, fault: RuntimeRules, look: Looking, covered: str) -> str | Hole:
        """Returns the words for a value whose evaluation failed; viewers who may not know it read `covered`, as for
        any value."""
        return secret(at_fault(fault, self.visibility.game, self.span), look.seers, covered)[0]

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
            functions=self.functions,
        )

    @staticmethod
    def _is_plain(expr: Expr) -> bool:
        return isinstance(expr, (Local, Contents, InSlot, TopOf, Read))

    def _index_seers(self, read: Read, look: Looking) -> Mask:
        """Returns the viewers who see a variable, though they may not know the things that it holds."""
        index = attrs.evolve(look, seers=EVERYONE, memo={})
        index.held(read, dict(self.locals))
        return index.seers

    def _slot(self, expr: Read, look: Looking) -> Slot:
        state = self.visibility.game.states[expr.state]
        at = flat(state.dimensions, look.values(expr.index, dict(self.locals)))
        return Slot(self.visibility.layout.states[state.id] + at)


def things_in(
    value: int,
    type: Type | None,
    kind: int,
    game: GameRules,
    told: int,
    *,
    said: bool = False,
    by_place: bool = False,
) -> ThingsHole:
    """Returns the hole for a thing or a set of things, which viewers in `told` may read in any case."""
    braces = isinstance(type, SetType)
    things = sorted_things(game.kinds[kind], value if braces else (Thing(value),))
    return ThingsHole(kind, things, braces, (told,) * len(things), said, by_place)


@attrs.define(eq=False)
class Pointing:
    """Tells who can identify things that somebody points at: viewers who see where they lie, or followed them there. A value,
    not frozen because one is made for each change.

    Remembering that blue holds the ace does not reveal which card of its hand blue lays down.
    """

    visibility: Visibility
    row: Row
    knowledge: Knowledge | None
    """None if it is not kept: then everybody can identify everything."""

    def pointed(self, kind: int, thing: Thing, beside: int = 0) -> int:
        """Returns the viewers who can identify a thing by its place alone; see `Knowledge.pointed`."""
        if self.knowledge is None:
            return EVERYONE
        # In the middle of a step, the row may be ahead of what has been told of it.
        place = self.knowledge.place_of(kind, thing, self.row[self.visibility.layout.places[kind] + thing])
        return self.knowledge.pointed(
            kind, thing, place, seen=self.visibility.of_place(kind, place, self.row), beside=beside
        )

    def told(self, kind: int, thing: Thing, beside: int = 0, by_place: bool = False) -> int:
        """Returns the viewers who can identify a thing that is pointed at together with others; with `by_place`, by
        its place alone.
        """
        if self.knowledge is None:
            return EVERYONE
        followers = 0 if by_place else self.knowledge.lying(kind).followed.get(thing, 0)
        return EVERYONE if followers == EVERYONE else followers | self.pointed(kind, thing, beside)

    def of_all(self, type: Type, value: int) -> int:
        """Returns the viewers who can identify everything in a value that is a thing or a set of things."""
        kind = kind_of(type, self.visibility.game)
        if kind is None or value == NONE:
            return EVERYONE
        things = (Thing(value),) if isinstance(type, KindType) else tuple(sorted_things(kind, value))
        beside, seers = mask_of(things), EVERYONE
        for thing in things:
            seers &= self.told(kind.id, thing, beside)
        return seers

    def knowers_of(self, state: StateVariable, slot: Slot) -> Mask:
        """Returns the viewers who know the value of a variable if they see it: EVERYONE unless it holds things."""
        kind = self.visibility.holding.get(state.id)
        return EVERYONE if kind is None else self.held_in(kind, state.type, slot)

    def knows_all_in(self, zone: Zone) -> bool:
        """Returns whether every viewer knows the things that lie in the instances of a zone."""
        knowledge, layout = self.knowledge, self.visibility.layout
        return knowledge is None or all(
            knowledge.knowers(zone.kind, thing) == EVERYONE
            for instance in range(layout.zone_sizes[zone.id])
            for thing in contents(self.row, layout, zone, instance)
        )

    def held_in(self, kind: int, type: Type, slot: Slot) -> Mask:
        """Returns the viewers who can tell which things a variable holds, by their places or because they have been
        told."""
        value = self.row[slot]
        if value == NONE or self.knowledge is None:
            return EVERYONE
        things = (Thing(value),) if isinstance(type, KindType) else tuple(members(value))
        beside, seers = mask_of(things), EVERYONE
        for thing in things:
            seers &= self.told(kind, Thing(thing), beside) | self.knowledge.told_in(slot, kind, thing)
        return Mask(seers)

    def named(self, words: Draft) -> Draft:
        """Returns the draft with the viewers added who can identify its things now."""
        return _added(words, lambda part, thing: self.told(part.kind, thing, mask_of(part.things), part.by_place))

    def words(self, draft: Draft) -> Words:
        """Returns the words of a draft, with its things named to the viewers who can identify them now."""
        return draft if is_settled(draft) else settled(self.named(draft), self.visibility.game)

    def held(self, words: Draft, slot: Slot) -> Words:
        """Returns the words for the value of a variable; viewers who have been told which thing it holds can read its
        name, too."""
        if is_settled(words):
            return words
        knowledge, draft = self.knowledge, self.named(words)
        if knowledge is not None:
            draft = _added(draft, lambda part, thing: knowledge.told_in(slot, part.kind, thing))
        return settled(draft, self.visibility.game)


def _added(words: Draft, told: Callable[[ThingsHole, Thing], int]) -> Draft:
    if is_settled(words):
        return words
    return tuple(
        read_by(
            part, tuple(s if s == EVERYONE else s | told(part, t) for s, t in zip(part.seers, part.things, strict=True))
        )
        if isinstance(part, ThingsHole)
        else part
        for part in words
    )


def read_by(part: ThingsHole, seers: tuple[int, ...]) -> ThingsHole:
    """Returns a hole whose things some viewers may read, by thing."""
    if seers == part.seers:
        return part
    return ThingsHole(part.kind, part.things, part.braces, seers, part.said, part.by_place)


def is_settled(draft: Draft) -> TypeIs[Words]:
    """Returns whether a draft names no things, as most do, so that it is words already."""
    return ThingsHole not in map(type, draft)


def settled(draft: Draft, game: GameRules) -> Words:
    """Returns the words of a draft."""
    if is_settled(draft):
        return draft
    return tuple(_named(part, game) if isinstance(part, ThingsHole) else part for part in draft)


def _named(part: ThingsHole, game: GameRules) -> str | Hole:
    kind = game.kinds[part.kind]
    if len(part.things) == 1 and part.seers[0] == EVERYONE:
        name = thing_name(kind, part.things[0]) if part.said else kind.names[part.things[0]]
        return f"{{{name}}}" if part.braces and not part.said else name
    names = [thing_name(kind, t) if part.said else kind.names[t] for t in part.things]
    one, many = back(kind)
    hole = Hole(tuple(zip(names, part.seers, strict=True)), one, many, part.braces, part.said)
    return hole.read(EVERYONE) if all(s == EVERYONE for s in part.seers) else hole


def local_seers(knowledge: Knowledge | None, game: GameRules, type: Type, value: int) -> Mask:
    """Returns the viewers who know the value of a local that is a thing or a set of things."""
    kind = kind_of(type, game)
    if kind is None or knowledge is None or value == NONE:
        return EVERYONE
    seers = EVERYONE
    for thing in (Thing(value),) if isinstance(type, KindType) else sorted_things(kind, value):
        seers &= knowledge.knowers(kind.id, thing)
    return seers
