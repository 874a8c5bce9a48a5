"""Givens -> the row: variables are set, things are laid out.

    given red.tokens = {nitro}                   one nitro goes there, the former contents go to the box
    given bonuses = top nitro, fuel_tank, ...    these two on top, the former contents stay below

Things are taken from the zone itself, then from the box, then from zones that the scenario does not give, last from
zones that it gives, if they hold more than was given. A thing that has been given a place stays there. Faces follow
the zone; on a pile whose top lies face up, the new top is turned up.
"""

from __future__ import annotations

from typing import assert_never

import attrs

from rulelang.errors import RangeViolation
from rulelang.ir.model import GameRules, StateVariable, Zone
from rulelang.ir.numbers import Row, Slot, Thing
from rulelang.ir.scenarios import LayLine, ScenarioLine, WriteLine
from rulelang.ir.types import NONE
from rulelang.machines.effects import named
from rulelang.machines.evaluate import contents, zone_at
from rulelang.machines.walk import Evaluation
from rulelang.program.layout import Layout, flat, index_at
from rulelang.program.packing import mask_of, members, pack, things_of
from rulelang.program.values import within
from rulelang.program.violations import slot_violation

OUT_OF_REACH = 9


class CannotGive(Exception):
    """Raised for a `given` that cannot be carried out; the message says why."""


@attrs.define
class Arrangement:
    """A row that a scenario is arranging."""

    row: Row
    game: GameRules
    layout: Layout
    mentioned: set[tuple[int, int]] = attrs.field(factory=set)
    """The zones that the scenario gives: zone and instance."""
    fixed: set[tuple[int, int]] = attrs.field(factory=set)
    """The things that have been given a place: kind and thing."""

    def arrange(self, lines: tuple[ScenarioLine, ...]) -> None:
        """Notes the zones that lines give, before the first line is carried out."""
        self.mentioned = {self._instance(line) for line in lines if isinstance(line, LayLine)}

    def write(self, line: WriteLine) -> None:
        """Sets a variable. Raises CannotGive."""
        state = self.game.states[line.place.state]
        look = self._look()
        index = look.values(line.place.index, {})
        at = flat(state.dimensions, index)
        if at < 0:
            raise CannotGive(f"there is no {named(state.name, state.dimensions, index, self.game)}")
        self.set(state, at, look.value(line.value, {}))

    def lay(self, line: LayLine) -> None:
        """Lays things into a zone. Raises CannotGive."""
        zone, instance = self.game.zones[line.zone], self._instance(line)[1]
        wanted = [*line.items]
        if line.rest is not None:
            wanted += [1 << thing for thing in self._look().members(line.rest, {})]
        chosen: list[Thing] = []
        for mask in wanted:
            chosen.append(self._find(mask, zone, instance, chosen))
        others = [t for t in self._contents(zone, instance) if t not in chosen]
        for thing in chosen:
            self._take(zone.kind, thing)
        box = next(z for z in self.game.zones if z.kind == zone.kind and z.name == "box")
        if not line.open:
            for thing in others:
                self._take(zone.kind, thing)
                self._put(box, 0, [*self._contents(box, 0), thing])
        self._check_room(zone, instance, len(chosen))
        self._put(zone, instance, [*chosen, *(others if line.open else [])])
        if line.up is not None:
            for thing in chosen:
                self.row[self.layout.faces[zone.kind] + thing] = int(line.up)
        self.fixed |= {(zone.kind, thing) for thing in chosen}

    def set(self, state: StateVariable, at: int, value: int) -> None:
        """Sets one of a variable's values. Raises CannotGive."""
        slot = Slot(self.layout.states[state.id] + at)
        if not within(state.type, value):
            raise CannotGive(str(slot_violation(self.game, self.layout, slot, value, 0)))
        self.row[slot] = value

    def move(self, thing: Thing, zone: Zone, instance: int) -> None:
        """Moves a thing to a zone, onto the top of a pile; what lies there stays. Raises CannotGive."""
        self._take(zone.kind, thing)
        others = self._contents(zone, instance)
        self._check_room(zone, instance, len(others) + 1)
        self._put(zone, instance, [thing])
        self._fill(zone, instance, [thing, *others])

    # -------------------------------------------------------------- finding

    def _find(self, mask: int, zone: Zone, instance: int, chosen: list[Thing]) -> Thing:
        """Returns the thing that is the easiest to spare."""
        ranked = sorted(
            (self._reluctance(zone, instance, thing), thing) for thing in things_of(mask) if thing not in chosen
        )
        if not ranked or ranked[0][0][0] == OUT_OF_REACH:
            written = self.game.kinds[zone.kind].names[members(mask)[0]]
            count = mask.bit_count()
            all_of_it = f"there is 1 `{written}`" if count == 1 else f"there are {count} `{written}`"
            raise CannotGive(f"{all_of_it}, and no more is left to give")
        return ranked[0][1]

    def _reluctance(self, zone: Zone, instance: int, thing: Thing) -> tuple[int, int]:
        place = self.row[self.layout.places[zone.kind] + thing]
        there, number = zone_at(self.game, self.layout, zone.kind, place)
        if (zone.kind, thing) in self.fixed and (there.id, number) != (zone.id, instance):
            return OUT_OF_REACH, 0
        if (there.id, number) == (zone.id, instance):
            return 0, self._contents(there, number).index(thing)
        if there.name == "box":
            return 1, thing
        depth = -self._contents(there, number).index(thing)
        return (3 if (there.id, number) in self.mentioned else 2), depth

    def _instance(self, line: LayLine) -> tuple[int, int]:
        zone = self.game.zones[line.zone]
        index = self._look().values(line.index, {})
        instance = flat(zone.dimensions, index)
        if instance < 0:
            raise CannotGive(f"there is no {named(zone.name, zone.dimensions, index, self.game)}")
        return zone.id, instance

    def _look(self) -> Evaluation:
        return Evaluation(self.row, self.game, self.layout)

    # -------------------------------------------------------------- moving

    def _contents(self, zone: Zone, instance: int) -> list[Thing]:
        return contents(self.row, self.layout, zone, instance)

    def _take(self, kind: int, thing: Thing) -> None:
        """Takes a thing out of its zone."""
        zone, instance = zone_at(self.game, self.layout, kind, self.row[self.layout.places[kind] + thing])
        self._fill(zone, instance, [t for t in self._contents(zone, instance) if t != thing])

    def _put(self, zone: Zone, instance: int, things: list[Thing]) -> None:
        """Sets the contents of a zone to exactly these things, a pile's from its top."""
        self._fill(zone, instance, things)
        for thing in things:
            self.row[self.layout.places[zone.kind] + thing] = zone.first_place + instance
            if zone.face is not None:
                self.row[self.layout.faces[zone.kind] + thing] = zone.face
        self._turn_up_top(zone, things)

    def _turn_up_top(self, zone: Zone, things: list[Thing]) -> None:
        if zone.top_up and things:
            self.row[self.layout.faces[zone.kind] + things[0]] = 1

    def _fill(self, zone: Zone, instance: int, things: list[Thing]) -> None:
        at = self.layout.zones[zone.id] + instance
        match zone.form:
            case "pile":
                self.row[at] = pack(things)
                self._turn_up_top(zone, things)
            case "slot":
                self.row[at] = things[0] if things else NONE
            case "group":
                self.row[at] = mask_of(things)
            case _:
                assert_never(zone.form)

    def _check_room(self, zone: Zone, instance: int, count: int) -> None:
        limit: int | None = 1 if zone.form == "slot" else None
        if zone.capacity is not None:
            index = index_at(zone.dimensions, instance)
            locals = {name.id: value for name, (value, _) in zip(zone.seen_names, index, strict=False)}
            try:
                limit = self._look().value(zone.capacity, locals)
            except RangeViolation:
                limit = None
        if limit is not None and count > limit:
            raise CannotGive(f"`{zone.name}` holds at most {limit}, not {count}")
