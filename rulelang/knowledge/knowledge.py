"""Knowledge of things, folded from a machine's trace: who knows which thing is which.

For each thing that lies somewhere and each viewer (each seat, then the spectator) a mask says which things it could be,
as far as that viewer has seen. A viewer knows a thing if its mask has one bit, or several of interchangeable things.
The truth is always among them; a re-deal gives every thing one of the names it could have, each name once.

    move top(bonuses) to p.tokens        # p knows it now; to the others it could be anything of that pile
    shuffle(bonuses)                     # to everyone, each thing could be any thing of the pile

A known place in a pile stays known until the pile is shuffled. A viewer who cannot tell which thing left a group no
longer knows any thing of the group that it could have been.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Hashable, Mapping, Sequence
from itertools import compress
from typing import Final, Literal, TypeAlias, assert_never

import attrs

from rulelang.ir.model import GameRules, Kind, Zone, ZoneForm
from rulelang.ir.numbers import Mask, Row, Slot, Thing
from rulelang.ir.types import NONE
from rulelang.knowledge.guesses import (
    Guesses,
    each,
    fixed,
    merged,
    narrowed,
    renamed,
    taken_for_known,
    taken_for_scarcest,
)
from rulelang.knowledge.redaction import EVERYONE, NOBODY
from rulelang.machines.evaluate import contents
from rulelang.machines.machine import LaidEnd
from rulelang.program.layout import Layout
from rulelang.program.packing import mask_of, members, things_of

BOX: Final = "box"

PlaceForm: TypeAlias = ZoneForm | Literal["box"]
"""The name of the group in which every kind starts."""

ANY: tuple[int, ...] = ()
"""Any value of a hidden variable's type."""


@attrs.define(unsafe_hash=True)
class Lying:
    """The places of the things of one kind, and the candidates of each, by viewer: a value, not frozen because one is made
    at each move."""

    zones: tuple[tuple[Thing, ...], ...]
    """By place: the things there, a pile from its top, else ascending."""
    up: int
    """The mask of the things that lie face up."""
    could: tuple[Guesses, ...] = attrs.field(repr=False)
    """By viewer: its guesses; viewers who have seen the same share one tuple."""
    forms: tuple[PlaceForm, ...] = attrs.field(eq=False, repr=False)
    """By place: box, group, slot or pile."""
    alike: tuple[int, ...] = attrs.field(eq=False, repr=False)
    """By thing: the mask of those printed like it."""
    followed: Mapping[int, int] = attrs.field(factory=dict, eq=False, repr=False)
    """By thing: the viewers who have been told which it is since it was last pointed at, and so can read its name in
    later words."""
    deals: dict[Hashable, object] = attrs.field(factory=dict, init=False, eq=False, repr=False)
    """A cache for re-deals of things that lie so."""


def _open(lying: Lying) -> Lying:
    known = tuple(1 << thing for thing in range(len(lying.alike)))
    return attrs.evolve(lying, could=(known,) * len(lying.could))


@attrs.define(unsafe_hash=True)
class Knowledge:
    """Each viewer's knowledge, as a value (not frozen because several are made at each move); a changed copy shares the
    parts that did not change."""

    viewers: int
    kinds: tuple[Lying | None, ...]
    """By kind: its things; None for kinds that do not move."""
    cells: Mapping[int, tuple[int, ...]] = attrs.field(factory=dict)
    """By slot of a hidden variable: the values it could have (or ANY) for viewers who may not see it. A missing slot
    still has its initial value."""
    seen: Mapping[int, tuple[int, Mask]] = attrs.field(factory=dict)
    """By slot of a variable whose viewers vary: its value, and the mask of those who have seen it."""

    held: Mapping[int, tuple[int, int, Mask]] = attrs.field(factory=dict, eq=False, repr=False)
    """By slot of a variable that holds a thing: its kind, the thing, and the viewers who have been told which it is."""

    @classmethod
    def start(cls, game: GameRules, layout: Layout, viewers: int) -> Knowledge:
        """Returns everyone's knowledge before anything has happened: all things lie in their boxes, face up."""
        kinds: list[Lying | None] = []
        for kind in game.kinds:
            if not kind.movable:
                kinds.append(None)
                continue
            zones = [zone for zone in game.zones if zone.kind == kind.id]
            forms = [_form_of(zone) for zone in zones for _ in _instances(zone, layout)]
            by_class: dict[int, Mask] = {}
            for thing, number in enumerate(kind.classes):
                by_class[number] = Mask(by_class.get(number, 0) | 1 << thing)
            alike = [by_class[number] for number in kind.classes]
            guesses = tuple(1 << thing for thing in range(kind.size))
            all = tuple(map(Thing, range(kind.size)))
            lie = tuple(all if form == BOX else () for form in forms)
            kinds.append(Lying(lie, mask_of(all), (guesses,) * viewers, tuple(forms), tuple(alike)))
        return cls(viewers, tuple(kinds))

    def opened(self) -> Knowledge:
        """Returns the knowledge if everything lies open to everyone."""
        return attrs.evolve(self, kinds=tuple(lying and _open(lying) for lying in self.kinds))

    # -------------------------------------------------------------- queries

    def could_be(self, viewer: int, kind: int, thing: Thing) -> int:
        """Returns the mask of candidates for a thing, as far as a viewer knows."""
        return self.lying(kind).could[viewer][thing]

    def guesses(self, viewer: int, kind: int) -> Guesses:
        """Returns, by thing of a kind, the mask of the things that it could be, as far as a viewer knows."""
        return self.lying(kind).could[viewer]

    def knows(self, viewer: int, kind: int, thing: Thing) -> bool:
        """Returns whether a viewer knows a thing, up to interchangeable ones."""
        lying = self.lying(kind)
        return lying.could[viewer][thing] & ~lying.alike[thing] == 0

    def knowers(self, kind: int, thing: Thing) -> Mask:
        """Returns the mask of viewers who know a thing; EVERYONE if all do."""
        return _knowers(self.lying(kind), thing)

    def knowers_among(self, kind: int, thing: Thing, like: int) -> Mask:
        """Returns the mask of viewers who know that a thing is one of those in `like`; EVERYONE if all do."""
        mask = mask_of(v for v, guesses in enumerate(self.lying(kind).could) if guesses[thing] & ~like == 0)
        return EVERYONE if mask == (1 << self.viewers) - 1 else Mask(mask)

    def whole(self, kind: int, things: Sequence[Thing]) -> Mask:
        """Returns the mask of viewers who know which things lie together in a place without an order; EVERYONE if all
        do. They need not know which of them is which: what is left over lies there."""
        lying, mask, sure = self.lying(kind), NOBODY, dict[int, bool]()
        for viewer, guesses in enumerate(lying.could):
            if id(guesses) not in sure:
                sure[id(guesses)] = self.knows_whole(viewer, kind, things)
            mask = Mask(mask | sure[id(guesses)] << viewer)
        return EVERYONE if mask == (1 << self.viewers) - 1 else mask

    def knows_whole(self, viewer: int, kind: int, things: Sequence[Thing]) -> bool:
        """Returns whether a viewer knows which things lie together in a place without an order; see `whole`."""
        lying, union, loose = self.lying(kind), 0, 0
        for thing in things:
            guess = lying.could[viewer][thing]
            if guess & ~lying.alike[thing]:
                union, loose = union | guess, loose + 1
        return union.bit_count() == loose

    def pointed(self, kind: int, thing: Thing, place: int, *, seen: int, beside: int = 0) -> int:
        """Returns the mask of viewers who can tell a thing by
        someone pointing at it where it lies; EVERYONE if all can.

        `seen` are those who see the contents of its place. Remembering that it is one of several there is not enough,
        unless all of them are pointed at, those in `beside` included.
        """
        lying = self.lying(kind)
        if lying.up >> thing & 1 and lying.forms[place] != BOX:
            return EVERYONE
        others = members(_suspects(lying, thing, place) & ~beside & ~(1 << thing))
        unlike = ~lying.alike[thing]
        mask, bit = 0, 1
        for guesses in lying.could:
            # Whoever does not know the thing cannot be sure of all that it could be taken for.
            if not guesses[thing] & unlike and (seen & bit or not any(guesses[t] & unlike for t in others)):
                mask |= bit
            bit <<= 1
        return EVERYONE if mask == bit - 1 else mask

    def place_of(self, kind: int, thing: Thing, guess: int = -1) -> int:
        """Returns the place where a thing lies, at once if it is the one that is guessed."""
        zones = self.lying(kind).zones
        if 0 <= guess < len(zones) and thing in zones[guess]:
            return guess
        for place, lying in enumerate(zones):
            if thing in lying:
                return place
        raise LookupError(thing)

    def followers(self, kind: int, thing: Thing) -> int:
        """Returns the viewers who have been told which thing it is since it was last pointed at."""
        return self.lying(kind).followed.get(thing, 0)

    def things_at(self, kind: int, place: int) -> tuple[Thing, ...]:
        """Returns the things in a place: a pile from its top, else ascending."""
        return self.lying(kind).zones[place]

    def cell_knowers(self, slot: Slot, value: int) -> Mask:
        """Returns the mask of viewers who have seen that a variable has this value."""
        known, seers = self.seen.get(slot, (value, NOBODY))
        return seers if known == value else NOBODY

    # -------------------------------------------------------------- changes

    def moved(
        self,
        kind: int,
        thing: Thing,
        source: int,
        target: int,
        *,
        leaves: int,
        enters: int,
        end: LaidEnd = "",
        came: int = 0,
        copies: int = 0,
    ) -> Knowledge:
        """Returns the knowledge after a thing has moved.

        `leaves` are those who see the contents of the source, `enters` those of the target; `end` is top or bottom of a
        pile. `came` are the things that arrived somewhere at the same time, which cannot be the one that leaves.
        `copies` are the things that nobody could tell from it in its place: a viewer who sees one leave, and knew of
        one, takes it to be that one.
        """
        lying = self.lying(kind)
        if lying.forms[source] == BOX:
            # Taking a thing out of the box reveals nothing new about it.
            leaves = 0
        elif lying.up >> thing & 1:
            leaves = EVERYONE
        suspects = _suspects(lying, thing, source)
        if not came >> thing & 1:
            suspects &= ~came
        seen = leaves | enters

        def left(guesses: Guesses, sees: int) -> Guesses:
            if not sees:
                return merged(guesses, members(suspects))
            if guesses[thing] == 1 << thing:
                return guesses
            mine = taken_for_known(guesses, 1 << thing, copies, lying.alike) if copies else guesses
            return _left(taken_for_scarcest(mine, thing, lying.alike[thing]), thing, suspects)

        could, one = lying.could, 1 << thing
        # Whoever has known it, and sees it leave or can take it for nothing else, learns nothing.
        if (seen != EVERYONE and suspects != one) or [guesses for guesses in could if guesses[thing] != one]:
            could = each(could, lambda viewer: seen >> viewer & 1, left)
        zones = list(lying.zones)
        zones[source] = tuple([t for t in zones[source] if t != thing])
        there = zones[target]
        if lying.forms[target] != "pile":
            zones[target] = tuple(sorted((*there, thing)))
        else:
            zones[target] = (*there, thing) if end == "bottom" else (thing, *there)
        up = lying.up if lying.forms[target] == BOX else lying.up & ~(1 << thing)
        up = up | 1 << thing if enters == EVERYONE else up
        lying = Lying(tuple(zones), up, could, lying.forms, lying.alike, lying.followed)
        told = _knowers(lying, thing)
        if copies:
            return self._with(kind, lying)._left_behind(kind, copies).singled_out(kind, thing, told)
        return self._with(kind, _singled_out(lying, thing, told))

    def _left_behind(self, kind: int, copies: int) -> Knowledge:
        """Returns the knowledge after viewers took another copy for the
        known one: copies that are unknown now lose their followers.
        """
        lying = self.lying(kind)
        left = things_of(copies) if lying.followed else ()
        known: dict[int, int] = {t: told & self.knowers(kind, t) for t in left if (told := lying.followed.get(t, 0))}
        if all(lying.followed[t] == told for t, told in known.items()):
            return self
        return self._with(kind, attrs.evolve(lying, followed={**lying.followed, **known}))

    def singled_out(self, kind: int, thing: int, told: int) -> Knowledge:
        """Returns the knowledge after someone pointed at a thing anew; viewers in `told` know which it is."""
        lying = self.lying(kind)
        after = _singled_out(lying, thing, told)
        return self if after is lying else self._with(kind, after)

    def put_down(self, slot: int, kind: int, thing: Thing) -> Knowledge:
        """Returns the knowledge after a variable was given a thing:
        viewers who were told which it is keep knowing it."""
        held = {**self.held, slot: (kind, thing, Mask(self.followers(kind, thing)))}
        return Knowledge(self.viewers, self.kinds, self.cells, self.seen, held)

    def spread(self, kind: int, thing: Thing) -> Knowledge:
        """Returns the knowledge after more viewers were told which thing it is: they can name it in variables, too."""
        held = self.held
        if not held:
            return self
        told = self.followers(kind, thing)
        more = {s: (k, t, Mask(seers | told)) for s, (k, t, seers) in held.items() if (k, t) == (kind, thing)}
        return attrs.evolve(self, held={**held, **more}) if more else self

    def told_in(self, slot: int, kind: int, thing: int) -> Mask:
        """Returns who has been told which thing a variable holds."""
        return self.held[slot][2] if self.held.get(slot, ())[:2] == (kind, thing) else NOBODY

    def named(self, kind: int, things: int, copies: int) -> Knowledge:
        """Returns the knowledge after someone named some of several copies in one place: viewers who knew of any take
        those to be meant.
        """
        lying = self.lying(kind)
        could = each(lying.could, lambda v: 1, lambda g, _: taken_for_known(g, things, copies, lying.alike))
        if could == lying.could:
            return self
        return self._with(kind, attrs.evolve(lying, could=could))._left_behind(kind, copies)

    def drawn(self, kind: int, among: Sequence[int]) -> Knowledge:
        """Returns the knowledge after a blind draw: nobody can tell the things in the box apart any longer."""
        lying = self.lying(kind)
        boxed = mask_of(among) & mask_of(
            t for f, zone in zip(lying.forms, lying.zones, strict=True) if f == BOX for t in zone
        )
        could = each(lying.could, lambda viewer: 1, lambda guesses, _: merged(guesses, members(boxed)))
        return self._with(kind, attrs.evolve(lying, could=could))

    def shuffled(self, kind: int, place: int, order: Sequence[int], *, seen: int) -> Knowledge:
        """Returns the knowledge after a pile was shuffled; viewers in `seen` see its contents all the same."""
        lying = self.lying(kind)
        pile = mask_of(lying.zones[place])
        could = each(lying.could, lambda v: seen >> v & 1, lambda g, sees: g if sees else merged(g, members(pile)))
        zones = list(lying.zones)
        if mask_of(order) == pile:
            zones[place] = tuple(map(Thing, order))
        up = lying.up if seen == EVERYONE else lying.up & ~pile
        return self._with(kind, attrs.evolve(lying, zones=tuple(zones), up=up, could=could))

    def reordered(self, kind: int, place: int, order: Sequence[Thing]) -> Knowledge:
        """Returns the knowledge after the things of a pile have changed places that nobody knew of."""
        lying = self.lying(kind)
        zones = (*lying.zones[:place], tuple(order), *lying.zones[place + 1 :])
        return self._with(kind, attrs.evolve(lying, zones=zones))

    def mixed(self, kind: int, place: int, *, aware: int) -> Knowledge:
        """Returns the knowledge after a pile may have been shuffled; viewers in `aware` know whether it was."""
        lying = self.lying(kind)
        pile = members(mask_of(lying.zones[place]) & ~lying.up)
        could = each(lying.could, lambda v: aware >> v & 1, lambda g, knows: g if knows else merged(g, pile))
        return self._with(kind, attrs.evolve(lying, could=could))

    def turned_up(self, kind: int, thing: Thing) -> Knowledge:
        """Returns the knowledge after a thing was turned face up."""
        lying = self.lying(kind)
        could = each(lying.could, lambda v: 1, lambda guesses, _: fixed(guesses, thing))
        after = self._with(kind, attrs.evolve(lying, up=lying.up | 1 << thing, could=could))
        return after.singled_out(kind, thing, EVERYONE)

    def shown(self, kind: int, thing: Thing, seats: int) -> Knowledge:
        """Returns the knowledge after a thing was shown to some."""
        lying = self.lying(kind)
        could = each(lying.could, lambda v: seats >> v & 1, lambda g, sees: fixed(g, thing) if sees else g)
        after = self._with(kind, attrs.evolve(lying, could=could))
        return after.singled_out(kind, thing, lying.followed.get(thing, 0) | seats)

    def shown_in_part(self, kind: int, thing: Thing, seats: int, like: int) -> Knowledge:
        """Returns the knowledge after some were shown a part of a thing, which those in `like` have in common."""
        lying = self.lying(kind)
        could = each(lying.could, lambda v: seats >> v & 1, lambda g, sees: narrowed(g, thing, like) if sees else g)
        after = self._with(kind, attrs.evolve(lying, could=could))
        known = after.knowers(kind, thing) & ~self.knowers(kind, thing) & seats
        return after.singled_out(kind, thing, lying.followed.get(thing, 0) | known) if known else after

    def guessed(self, slot: Slot, values: tuple[int, ...]) -> Knowledge:
        """Returns the knowledge after a hidden variable was written:
        those who may not see it know only its possible values.
        """
        return Knowledge(self.viewers, self.kinds, {**self.cells, slot: values}, self.seen, self.held)

    def noticed(self, slot: Slot, value: int, seers: Mask) -> Knowledge:
        """Returns the knowledge after some viewers saw the value of a variable whose viewers vary."""
        return Knowledge(self.viewers, self.kinds, self.cells, {**self.seen, slot: (value, seers)}, self.held)

    def laid_out(
        self,
        game: GameRules,
        layout: Layout,
        row: Row,
        hidden: Callable[[int], Sequence[tuple[int, ...]]],
        *,
        unseen: Container[int] = (),
        only: Collection[int] | None = None,
    ) -> Knowledge:
        """Returns the knowledge after the row was written from outside: each viewer knows what it sees lying there.

        `hidden` returns, by viewer, the places of a kind whose contents it does not see. Untouched places keep their knowledge. Things of the
        kinds in `unseen` left the box unseen: they are known only to those who see where they lie now. With `only`,
        other kinds than these are left as they are.
        """
        kinds = list(self.kinds)
        for kind in game.kinds:
            before = kinds[kind.id]
            if before is None or (only is not None and kind.id not in only):
                continue
            zones, up = _lie(kind, game, layout, row)
            if (zones, up) == (before.zones, before.up):
                continue
            unseen_by, box = hidden(kind.id), before.forms.index(BOX)
            taken = mask_of(before.zones[box]) & ~mask_of(zones[box]) if kind.id in unseen else 0
            known = {places: _as_it_lies(zones, up, places, kind.size, box, taken) for places in set(unseen_by)}
            could = tuple(known[places] for places in unseen_by)
            kinds[kind.id] = attrs.evolve(before, zones=zones, up=up, could=could)
        return attrs.evolve(self, kinds=tuple(kinds))

    # -------------------------------------------------------------- re-deals

    def knows_all(self, viewer: int, kind: int) -> bool:
        """Returns whether a viewer knows what each thing of a kind is."""
        return not any(guess & guess - 1 for guess in self.lying(kind).could[viewer])

    def unknown(
        self, viewer: int, kind: int, spoken_of: Mapping[int, tuple[tuple[int, int], ...]]
    ) -> tuple[tuple[int, int], ...]:
        """Returns the things outside boxes that could be others in another deal, each with the mask of those.

        Their order does not depend on what they are: in a pile from the top, in a group by the viewer's candidates,
        then by the variables that refer to them.
        """
        lying = self.lying(kind)
        guesses = _told_apart(lying, lying.could[viewer])
        loose = {guess for guess in guesses if guess & guess - 1}
        # Copies count as one, since nobody can tell which of them an internal number means.
        prints = {guess: tuple(lying.alike[thing] for thing in members(guess)) for guess in loose}
        order: list[int] = []
        # Most places are empty.
        for form, zone in compress(zip(lying.forms, lying.zones, strict=True), lying.zones):
            there = [thing for thing in zone if guesses[thing] in loose]
            if form != "pile" and len(there) > 1:
                there.sort(key=lambda thing: (prints[guesses[thing]], spoken_of.get(thing, ())))
            order += there
        return tuple((thing, guesses[thing]) for thing in order)

    def renamed(self, viewer: int, deals: Mapping[int, tuple[int, ...]]) -> Knowledge:
        """Returns the knowledge in the position that a deal leads to; the viewer learns nothing from it."""
        kinds = list(self.kinds)
        for kind, dealt in deals.items():
            lying = self.lying(kind)
            masks: dict[int, int] = {}
            could = tuple(
                renamed(guesses, dealt, None if other == viewer or guesses is lying.could[viewer] else masks)
                for other, guesses in enumerate(lying.could)
            )
            zones = tuple(
                tuple(Thing(dealt[t]) for t in zone) if form == "pile" else tuple(sorted(Thing(dealt[t]) for t in zone))
                for form, zone in zip(lying.forms, lying.zones, strict=True)
            )
            up = mask_of(dealt[t] for t in members(lying.up))
            followed = {dealt[thing]: told for thing, told in lying.followed.items()}
            kinds[kind] = attrs.evolve(lying, zones=zones, up=up, could=could, followed=followed)
        held = {s: (k, deals[k][t] if k in deals else t, seers) for s, (k, t, seers) in self.held.items()}
        return attrs.evolve(self, kinds=tuple(kinds), held=held)

    def lying(self, kind: int) -> Lying:
        """Returns the things of a kind that moves."""
        lying = self.kinds[kind]
        if lying is None:
            raise ValueError(f"things of kind {kind} do not move")
        return lying

    def _with(self, kind: int, lying: Lying) -> Knowledge:
        kinds = (*self.kinds[:kind], lying, *self.kinds[kind + 1 :])
        return Knowledge(self.viewers, kinds, self.cells, self.seen, self.held)  # Three times as quick as `evolve`.


def _instances(zone: Zone, layout: Layout) -> range:
    return range(layout.zone_sizes[zone.id])


def _lie(kind: Kind, game: GameRules, layout: Layout, row: Row) -> tuple[tuple[tuple[Thing, ...], ...], int]:
    """Returns the things in each place of a kind, and those that lie face up."""
    zones: list[tuple[Thing, ...]] = []
    for zone in game.zones:
        if zone.kind == kind.id:
            first, empty = layout.zones[zone.id], NONE if zone.form == "slot" else 0
            # Most places are empty.
            zones += [
                () if held == empty else tuple(contents(row, layout, zone, i))
                for i, held in enumerate(row[first : first + layout.zone_sizes[zone.id]])
            ]
    faces = layout.faces[kind.id]
    return tuple(zones), mask_of(compress(range(kind.size), row[faces : faces + kind.size]))


def _as_it_lies(
    zones: Sequence[Sequence[int]], up: int, hidden: Sequence[int], size: int, box: int, taken: int
) -> Guesses:
    """Returns the knowledge of a viewer who sees all but some places and whatever lies face up.

    If it does not see some things that were `taken` out of the box, the remaining ones do not reveal which.
    """
    guesses = [1 << thing for thing in range(size)]
    unseen = [thing for place in hidden for thing in zones[place] if not up >> thing & 1]
    if mask_of(unseen) & taken:
        unseen += zones[box]
    pool = mask_of(unseen)
    for thing in unseen:
        guesses[thing] = pool
    return tuple(guesses)


# ------------------------------------------------------------------ guesses


def _told_apart(lying: Lying, guesses: Guesses) -> Guesses:
    """Returns guesses with things known up to their copies fixed to one copy each: swapping copies gives the same deal."""
    sure = [thing for thing, guess in enumerate(guesses) if guess & ~lying.alike[thing] == 0]
    taken = mask_of(sure)
    told = [guess & ~taken for guess in guesses]
    for thing in sure:
        told[thing] = 1 << thing
    return tuple(told)


def _knowers(lying: Lying, thing: Thing) -> Mask:
    """Returns the mask of viewers who know a thing; EVERYONE if all do."""
    others, mask, bit = ~lying.alike[thing], 0, 1
    for guesses in lying.could:
        if not guesses[thing] & others:
            mask |= bit
        bit <<= 1
    return EVERYONE if mask == bit - 1 else Mask(mask)


def _singled_out(lying: Lying, thing: int, told: int) -> Lying:
    """Returns how things lie after someone pointed at one anew; viewers in `told` know which it is."""
    if lying.followed.get(thing, 0) == told:
        return lying
    return Lying(lying.zones, lying.up, lying.could, lying.forms, lying.alike, {**lying.followed, thing: told})


def _form_of(zone: Zone) -> PlaceForm:
    return BOX if zone.name == BOX else zone.form


def _suspects(lying: Lying, thing: Thing, source: int) -> int:
    """Returns the things of a place that could be the one that left it, to a viewer who does not see it."""
    there = lying.zones[source]
    one = 1 << thing
    match lying.forms[source]:
        case "pile":
            return one if thing in (there[:1] + there[-1:]) else mask_of(there)
        case "group" | "box":
            return one if lying.up & one else mask_of(there) & ~lying.up | one
        case "slot":
            return one
        case _:
            assert_never(lying.forms[source])


def _left(guesses: Guesses, thing: Thing, suspects: int) -> Guesses:
    """Returns guesses once a viewer has seen which thing left a place."""
    if suspects != 1 << thing:
        guesses = merged(guesses, [t for t in members(suspects) if guesses[t] >> thing & 1])
    return fixed(guesses, thing)
