"""A row -> its canonical names, under which equivalent positions become equal.

Interchangeable things differ only in their number. `canonical` numbers them by where they lie and which variables refer
to them, so that two rows which differ only in which is which become equal.

    red has nitro 3, blue has nitro 5        the same as        red has nitro 5, blue has nitro 3
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import compress
from math import prod
from operator import itemgetter, ne
from typing import TypeAlias, assert_never

import attrs

from rulelang.ir.model import GameRules, Kind, Loop, Variable, ZoneForm
from rulelang.ir.numbers import Row, Seat, Slot
from rulelang.ir.types import NONE, KindType, SetType, Type, size_of
from rulelang.ir.walk import walk
from rulelang.knowledge.knowledge import Knowledge
from rulelang.program.control import Control
from rulelang.program.layout import Layout, flat, index_at, slots
from rulelang.program.packing import items, mask_of, members, pack, pile_mask
from rulelang.program.results import HolderForm, SeatSight

Names: TypeAlias = Mapping[int, Sequence[int]]
"""By kind: each thing's new number."""


HELD: dict[ZoneForm, HolderForm] = {"pile": "pile", "slot": "value", "group": "mask"}
"""The form in which the slot of each form of zone refers to things."""


@attrs.frozen
class Holder:
    """A slot that refers to things: its form (value, mask, pile) and their kind."""

    slot: Slot
    form: HolderForm
    kind: int

    def things(self, row: Row) -> list[int]:
        """Returns the things that the slot refers to."""
        value = row[self.slot]
        match self.form:
            case "mask":
                return [] if value <= 0 else members(value)
            case "pile":
                return [] if value <= 0 else [*items(value)]
            case "value":
                return [] if value == NONE else [value]
            case _:
                assert_never(self.form)

    def mask(self, row: Row) -> int:
        """Returns the mask of the things that the slot, which is not empty, refers to."""
        value = row[self.slot]
        match self.form:
            case "mask":
                return value
            case "pile":
                return pile_mask(value)
            case "value":
                return 1 << value if value >= 0 else 0
            case _:
                assert_never(self.form)

    def renamed(self, row: Row, to: Sequence[int]) -> int:
        """Returns the slot's value after a renaming."""
        value = row[self.slot]
        if self.form == "value":
            return to[value] if 0 <= value < len(to) else value
        return value if value <= 0 else self.holding([to[thing] for thing in self.things(row)])

    def holding(self, things: Sequence[int]) -> int:
        """Returns the slot's value when it refers to some things."""
        match self.form:
            case "mask":
                return mask_of(things)
            case "pile":
                return pack(things)
            case "value":
                return things[0]
            case _:
                assert_never(self.form)


@attrs.frozen
class Holders:
    """Several slots that refer to things, most of which are empty in most rows."""

    all: tuple[Holder, ...]
    empty: tuple[int, ...]
    """By slot: its value when it refers to nothing."""
    last: int
    """The last of the slots."""
    values: Callable[[Row], tuple[int, ...]]
    """Returns their values in a row that has them all."""

    @classmethod
    def of(cls, all: tuple[Holder, ...]) -> Holders:
        """Returns slots as one value."""
        empty = tuple(NONE if holder.form == "value" else 0 for holder in all)
        # Of one slot, `itemgetter` returns the value alone; of none, it cannot be made.
        some = [holder.slot for holder in all] if len(all) > 1 else []
        values = itemgetter(*some) if some else lambda row: tuple(row[holder.slot] for holder in all)
        return cls(all, empty, max((holder.slot for holder in all), default=-1), values)

    def filled(self, row: Row) -> Iterable[Holder]:
        """Returns the slots that refer to something, in their order; a row need not have them all."""
        if self.last < len(row):
            return compress(self.all, map(ne, self.values(row), self.empty))
        there = (holder for holder in self.all if holder.slot < len(row))
        return (holder for holder in there if row[holder.slot] != (NONE if holder.form == "value" else 0))


@attrs.frozen(slots=False)
class ThingReferences:
    """The slots through which a game's rows refer to things."""

    game: GameRules
    layout: Layout
    variables: tuple[Holder, ...]
    zones: tuple[Holder, ...]
    inner: tuple[Holder, ...]
    """The locals that an executor keeps in the row."""
    left_out: frozenset[int]
    """The slots that are left out of keys: scratch variables, counters of streams."""

    @classmethod
    def of(cls, game: GameRules, layout: Layout, control: Control) -> ThingReferences:
        """Returns the references of a game; `control` has the slots in which executors keep locals."""
        kinds = {kind.name: kind.id for kind in game.kinds}
        variables: list[Holder] = []
        for state in game.states:
            for slot in slots(layout.states[state.id], layout.state_sizes[state.id]):
                variables.extend(_holder(slot, state.type, kinds))
        zones: list[Holder] = []
        for zone in game.zones:
            form = HELD[zone.form]
            for instance in range(layout.zone_sizes[zone.id]):
                zones.append(Holder(layout.zones[zone.id] + instance, form, zone.kind))
        left_out = set(range(layout.counters, layout.counters + layout.streams))
        for state in game.states:
            if state.scratch:
                start = layout.states[state.id]
                left_out |= set(range(start, start + layout.state_sizes[state.id]))
        inner = tuple(_inner(game, control, kinds))
        return cls(game, layout, tuple(variables), tuple(zones), inner, frozenset(left_out))

    @cached_property
    def _speakers(self) -> tuple[Holders, ...]:
        """The variables and locals that refer to a kind's things, by kind."""
        return tuple(map(Holders.of, self._by_kind((*self.variables, *self.inner))))

    def speakers(self, kind: int) -> tuple[Holder, ...]:
        """Returns the variables and locals that refer to a kind's things."""
        return self._speakers[kind].all

    @cached_property
    def sights(self) -> dict[tuple[int, Seat], SeatSight | None]:
        """A cache of what a seat sees, by the number of players and the seat; see `match.redeals.redeal`."""
        return {}

    @cached_property
    def _all_holders(self) -> tuple[Holders, ...]:
        return tuple(map(Holders.of, self._holders))

    @cached_property
    def _holders(self) -> tuple[tuple[Holder, ...], ...]:
        """The variables, locals and zones that hold a kind's things, by kind."""
        return self._by_kind((*self.variables, *self.zones, *self.inner))

    def _by_kind(self, holders: tuple[Holder, ...]) -> tuple[tuple[Holder, ...], ...]:
        return tuple(tuple(h for h in holders if h.kind == kind.id) for kind in self.game.kinds)

    def spoken_of(self, row: Row, kind: int) -> dict[int, tuple[tuple[int, int], ...]]:
        """Returns, by thing, the variables and locals that refer to it: slot and position."""
        found: dict[int, tuple[tuple[int, int], ...]] = {}
        for holder in self._speakers[kind].filled(row):
            for position, thing in enumerate(holder.things(row)):
                found[thing] = (*found.get(thing, ()), (holder.slot, position if holder.form == "pile" else 0))
        return found

    def held(self, row: Row, kind: int) -> tuple[int, ...]:
        """Returns the values of all slots that refer to things of a kind."""
        holders = self._all_holders[kind]
        if holders.last < len(row):
            return holders.values(row)
        return tuple(row[holder.slot] for holder in holders.all if holder.slot < len(row))

    def loose(self, row: Row, things: Mapping[int, int]) -> LooseThings:
        """Returns the parts of a row that refer to some things: a mask of things by kind."""
        held = {
            kind: [
                (holder, holder.things(row))
                for holder in self._all_holders[kind].filled(row)
                if holder.mask(row) & mask
            ]
            for kind, mask in things.items()
        }
        return LooseThings(self, row, {kind: members(mask) for kind, mask in things.items()}, held)

    def renamed(self, row: Row, names: Names, *, whose: bool = True) -> Row:
        """Returns the row with its things renamed; with `whose`, each thing's own variables and zones move with it."""
        renamed = list(row)
        for kind, to in names.items():
            for holder in self._holders[kind]:
                # Most slots hold nothing, which is below 0 or 0.
                if holder.slot < len(row) and (row[holder.slot] > 0 or holder.form == "value"):
                    renamed[holder.slot] = holder.renamed(row, to)
            if self.game.kinds[kind].movable:
                for start in (self.layout.places[kind], self.layout.faces[kind]):
                    for thing, new in enumerate(to):
                        renamed[start + new] = row[start + thing]
        return self._with_belongings(renamed, names) if whose else renamed

    def _with_belongings(self, row: Row, names: Names) -> Row:
        """Moves what belongs to each thing (its variables, the zones on it) to its new number."""
        moved = list(row)
        for state in self.game.states:
            self._permute(row, moved, self.layout.states[state.id], state.dimensions, names)
        for zone in self.game.zones:
            to = self._permute(row, moved, self.layout.zones[zone.id], zone.dimensions, names)
            places = self.layout.places[zone.kind]
            for thing in range(self.game.kinds[zone.kind].size) if to else ():
                instance = row[places + thing] - zone.first_place
                if 0 <= instance < len(to):
                    moved[places + thing] = zone.first_place + to[instance]
        return moved

    def _permute(self, row: Row, moved: Row, start: int, dimensions: tuple[Type, ...], names: Names) -> list[int]:
        """Moves the parts of an array indexed by things to their
        new numbers; returns the new position of each, else []."""
        kinds = {kind.name: kind.id for kind in self.game.kinds if kind.id in names}
        mine = [kinds.get(type.name, -1) if isinstance(type, KindType) else -1 for type in dimensions]
        if max(mine, default=-1) < 0:
            return []
        to: list[int] = []
        for at in range(prod(size_of(type) for type in dimensions)):
            index = zip((value for value, _ in index_at(dimensions, at)), mine, strict=True)
            to.append(flat(dimensions, tuple(names[kind][value] if kind >= 0 else value for value, kind in index)))
            moved[start + to[at]] = row[start + at]
        return to

    def canonical(self, row: Row) -> dict[int, list[int]]:
        """Returns the canonical names: rows that differ only in interchangeable things become equal under them."""
        names: dict[int, list[int]] = {}
        for kind in self._with_copies:
            read = [row[slot] for slot in self._slots_on[kind.id] if slot < len(row)]
            last = self._last.get(kind.id)
            if last is None or last[0] != read:
                last = self._last[kind.id] = read, self._ordered(row, kind)
            names[kind.id] = last[1]
        return names

    def _ordered(self, row: Row, kind: Kind) -> list[int]:
        """Returns the canonical names of a kind's things: among those printed alike, by what the row says of them."""
        said = self._said(row, kind.id, kind.name)
        groups: dict[int, list[int]] = {}
        for thing, lowest in enumerate(kind.classes):
            groups.setdefault(lowest, []).append(thing)
        to = list(range(kind.size))
        for group in groups.values():
            for new, thing in zip(group, sorted(group, key=lambda t: said[t]), strict=True):
                to[thing] = new
        return to

    @cached_property
    def _with_copies(self) -> tuple[Kind, ...]:
        """The kinds of which some things are printed alike."""
        return tuple(kind for kind in self.game.kinds if kind.classes != tuple(range(kind.size)))

    @cached_property
    def _last(self) -> dict[int, tuple[list[int], list[int]]]:
        """A cache, by kind: what the slots on it said last, and the names then; most steps leave most kinds alone."""
        return {}

    @cached_property
    def _slots_on(self) -> tuple[tuple[Slot, ...], ...]:
        """The slots that say something of a kind's things, by kind; see `_said`."""
        found: list[tuple[Slot, ...]] = []
        for kind in self.game.kinds:
            starts = (self.layout.places[kind.id], self.layout.faces[kind.id]) if kind.movable else ()
            on = [slot for start in starts for slot in slots(start, kind.size)]
            on += [holder.slot for holder in self._holders[kind.id]]
            for state in self.game.states:
                if any(isinstance(t, KindType) and t.name == kind.name for t in state.dimensions):
                    on += slots(self.layout.states[state.id], self.layout.state_sizes[state.id])
            found.append(tuple(sorted(set(on) - self.left_out)))
        return tuple(found)

    def kept(self, row: Row) -> tuple[int, ...]:
        """Returns the values of the slots that belong to a key."""
        if len(self._is_kept) < len(row):
            self._is_kept.extend(slot not in self.left_out for slot in range(len(self._is_kept), len(row)))
        return tuple(compress(row, self._is_kept))

    @cached_property
    def _is_kept(self) -> list[bool]:
        """Whether a slot belongs to a key, by slot, as far as somebody has asked."""
        return []

    def _said(self, row: Row, kind: int, name: str) -> list[list[tuple[int, int]]]:
        """Returns, by thing, everything a row says of it, in a fixed order: its place, the variables that refer to it,
        and its own variables.
        """
        said: list[list[tuple[int, int]]] = [[] for _ in range(self.game.kinds[kind].size)]
        if self.game.kinds[kind].movable:
            for start in (self.layout.places[kind], self.layout.faces[kind]):
                for thing, words in enumerate(said):
                    words.append((start, row[start + thing]))
        for holder in self._holders[kind]:
            if holder.slot < len(row) and holder.slot not in self.left_out:
                for position, thing in enumerate(holder.things(row)):
                    if 0 <= thing < len(said):
                        said[thing].append((holder.slot, position if holder.form == "pile" else 0))
        for state in self.game.states:
            if not state.scratch and any(isinstance(t, KindType) and t.name == name for t in state.dimensions):
                start = self.layout.states[state.id]
                for at in range(self.layout.state_sizes[state.id]):
                    for position, (value, type) in enumerate(index_at(state.dimensions, at)):
                        if isinstance(type, KindType) and type.name == name:
                            said[value].append((position, row[start + at]))
        return said


@attrs.frozen
class LooseThings:
    """A row and some of its things, which get other names in one re-deal after the other."""

    references: ThingReferences
    row: Row
    things: Mapping[int, Sequence[int]]
    """By kind: those that may get another name."""
    held: Mapping[int, Sequence[tuple[Holder, Sequence[int]]]]
    """By kind: the slots that refer to any of those, and all things that each refers to."""

    def renamed(self, names: Names) -> dict[Slot, int]:
        """Returns the slots that change, with their new values, if the things are renamed as by `ThingReferences.renamed`
        without `whose`."""
        changed, row, layout = dict[Slot, int](), self.row, self.references.layout
        for kind, to in names.items():
            for holder, things in self.held[kind]:
                changed[holder.slot] = holder.holding([to[thing] for thing in things])
            for start in (layout.places[kind], layout.faces[kind]) if self.references.game.kinds[kind].movable else ():
                for thing in self.things[kind]:
                    value, slot = row[start + thing], Slot(start + to[thing])
                    # Most things change places with others that lie in the same zone.
                    if value != row[slot]:
                        changed[slot] = value
        return changed


def _holder(slot: Slot, type: Type, kinds: Mapping[str, int]) -> list[Holder]:
    inner = type.element if isinstance(type, SetType) else type
    if not isinstance(inner, KindType) or inner.name not in kinds:
        return []
    return [Holder(slot, "mask" if isinstance(type, SetType) else "value", kinds[inner.name])]


def _inner(game: GameRules, control: Control, kinds: Mapping[str, int]) -> list[Holder]:
    found: list[Holder] = []
    types = {node.id: node.type for node in walk((game.procedures, game.choices)) if isinstance(node, Variable)}
    loops = {node.id: node.variable.type for node in walk(game.procedures) if isinstance(node, Loop)}
    for variable, slot in control.slots.variables.items():
        found.extend(_holder(slot, types[variable], kinds))
    for loop, slot in control.slots.orders.items():
        found.extend(Holder(slot, "pile", h.kind) for h in _holder(slot, loops[loop], kinds) if h.form == "value")
    return found


def key_of(references: ThingReferences, row: Row, knowledge: Knowledge | None, inner: Hashable) -> Hashable:
    """Returns a key that is equal for equivalent positions: the
    row and public knowledge, by canonical names, and `inner`.

    The counters of random streams and scratch variables are left out.
    """
    names = references.canonical(row)
    renamed = references.renamed(row, names) if names else row
    known = None if knowledge is None else _known(references, knowledge, names)
    return references.kept(renamed), known, inner


def _known(references: ThingReferences, knowledge: Knowledge, names: Names) -> Hashable:
    kinds: list[Hashable] = []
    for kind, lying in zip(references.game.kinds, knowledge.kinds, strict=False):
        if lying is None:
            continue
        to = names.get(kind.id, range(kind.size))
        alike: dict[int, int] = {}
        made: dict[int, Hashable] = {}
        for guesses in lying.could:
            if id(guesses) not in made:
                classes = [0] * kind.size
                for thing, guess in enumerate(guesses):
                    if guess not in alike:
                        alike[guess] = mask_of(kind.classes[t] for t in members(guess))
                    classes[to[thing]] = alike[guess]
                made[id(guesses)] = tuple(classes)
        kinds.append(tuple(made[id(guesses)] for guesses in lying.could))
    return tuple(kinds), tuple(sorted(knowledge.cells.items())), tuple(sorted(knowledge.seen.items()))
