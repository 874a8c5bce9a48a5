"""Run-time functions that printed modules call: code that is the same for every game.

`names` returns the namespace of a game's module. Errors are raised without a site, which the machine finds by the line.

    move 2 of stack to p.hand        # draw(S, M, 3, 0, 2, 5, x1, "top", 17)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, count
from operator import attrgetter, itemgetter
from typing import Any, Protocol, assert_never

from rulelang.errors import RangeViolation
from rulelang.ir.model import GameRules, Zone
from rulelang.ir.numbers import Row, Slot, Thing
from rulelang.ir.types import NONE, SET_LIMIT
from rulelang.program import simultaneous
from rulelang.program.deferred import CallQueue
from rulelang.program.layout import Layout, index_at, state_at
from rulelang.program.packing import items, members, pack, pile_mask, pile_size, push, take_item, things_of
from rulelang.program.packing import top as top_of
from rulelang.program.pycode.faults import Faults, cannot_divide, named, no_number, not_at_once, runaway
from rulelang.program.pycode.foresight import of_history
from rulelang.program.simultaneous import Entered, Note, Notes
from rulelang.program.violations import no_end

first_place = attrgetter("first_place")


class GameOver(Exception):
    """`finish` unwinds everything by this exception."""


class RunningMachine(Protocol):
    """The machine as printed code sees it."""

    trace: Any
    chance: Any
    entered: Entered | None
    left: int

    def note(self) -> None: ...


Capacity = Callable[[Row, RunningMachine, int], int]


def names(game: GameRules, layout: Layout) -> dict[str, object]:
    """Returns everything that a game's module can call, by name."""
    draws, faults, passes, queue = TracedChance(game), Faults(game, layout), Passes(game, layout), CallQueue(game)
    things = ThingMover(game, layout)
    functions: tuple[Any, ...] = (
        *(
            GameOver,
            Note,
            count,
            items,
            members,
            pack,
            pile_mask,
            pile_size,
            top,
            lowest,
            in_slot,
            range_mask,
            way,
            directed_way,
            single,
            subsets_below,
        ),
        *(ranking, distinct, subsets, subsets_alike, no_number, not_at_once, no_end, runaway, cannot_divide),
        *(draws.roll, draws.pick, things.move, things.draw, things.shuffle, things.reveal, things.show),
        *(begin_moves, things.end_moves),
        *of_history(game, layout, GameOver),
        *(faults.out_of_range, faults.out_of_local, faults.out_of_value, faults.out_of_cell),
        *(
            faults.no_key,
            faults.zone_key,
            faults.row_key,
            faults.value_argument,
            faults.verb_argument,
            faults.cell_argument,
            faults.no_place,
            faults.no_zone,
            faults.too_deep,
            faults.no_option,
        ),
        layout.is_told_again,
        *(passes.add_in_pass, write_in_pass, passes.pass_on, passes.take_over, queue.pack_calls, queue.next_call),
    )
    named = {function.__name__: function for function in functions}

    def table(id: int) -> tuple[int, ...]:
        return game.tables[id].values

    def table_of_members(id: int) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(members(value)) if value != NONE else () for value in table(id))

    named |= {"table": table, "table_of_members": table_of_members}
    return {**named, "NONE": NONE, "MORE": -NONE, "things": things, "first_part": itemgetter(0)}


# ------------------------------------------------------------------ sets


def top(pile: int) -> int:
    """Returns the top thing of a pile, or NONE."""
    return top_of(pile, NONE)


def lowest(group: int) -> int:
    """Returns the lowest thing of a group, or NONE."""
    return (group & -group).bit_length() - 1 if group else NONE


def in_slot(held: int) -> list[int]:
    """Returns the contents of a slot as a list."""
    return [] if held == NONE else [Thing(held)]


def way(near: tuple[int, ...], first: int, start: int, end: int, within: int) -> int:
    """Returns the number of steps from one space to another over a set of spaces, or NONE.

    `near[first + space]` are the neighbours of a space.
    """
    if NONE in (start, end) or not within >> start & 1:
        return NONE
    reached = fresh = 1 << start
    steps = 0
    while fresh and not reached >> end & 1:
        beside = 0
        while fresh:
            beside |= near[first + (fresh & -fresh).bit_length() - 1]
            fresh &= fresh - 1
        fresh = beside & within & ~reached
        reached |= fresh
        steps += 1
    return steps if reached >> end & 1 else NONE


def directed_way(
    step: tuple[int, ...], first: int, width: int, start: int, end: int, within: int, directions: int
) -> int:
    """Returns the number of steps from one space to another over a set of spaces, each in one of some directions, or
    NONE.

    `step[first + space * width + direction]` is the space that lies there, or NONE.
    """
    if NONE in (start, end) or not within >> start & 1:
        return NONE
    ways = members(directions)
    reached = fresh = 1 << start
    steps = 0
    while fresh and not reached >> end & 1:
        beside = 0
        for space in members(fresh):
            for direction in ways:
                there = step[first + space * width + direction]
                if there != NONE:
                    beside |= 1 << there
        fresh = beside & within & ~reached
        reached |= fresh
        steps += 1
    return steps if reached >> end & 1 else NONE


def range_mask(low: int, high: int) -> int:
    """Returns the set of the numbers from `low` to `high`; the empty set when one of them is NONE."""
    if NONE in (low, high):
        return 0
    low, high = max(low, 0), min(high, SET_LIMIT - 1)
    return (1 << high + 1) - (1 << low) if low <= high else 0


def single(value: int) -> int:
    """Returns the set of one value; the empty set for NONE."""
    if value == NONE:
        return 0
    if not 0 <= value < SET_LIMIT:
        raise RangeViolation(f"a set cannot hold {value}")
    return 1 << value


def subsets_below(width: int) -> tuple[tuple[int, ...], ...]:
    """Returns the members of each set of values below `width`, by its mask."""
    return tuple(tuple(members(mask)) for mask in range(1 << width))


def ranking(ranked: list[tuple[Any, int]]) -> int:
    """Returns the groups of tied seats as masks of 16 bits, the best in the low bits."""
    groups: dict[Any, int] = {}
    for rank, value in ranked:
        groups[rank] = groups.get(rank, 0) | 1 << value
    return sum(groups[rank] << 16 * i for i, rank in enumerate(sorted(groups)))


Likeness = Callable[[Row, int], tuple[int, ...]]


def distinct(likeness: Likeness, row: Row, things: Iterable[int]) -> list[int]:
    """Returns the first of each group of things that are alike."""
    firsts: dict[tuple[int, ...], int] = {}
    for thing in things:
        firsts.setdefault(likeness(row, thing), thing)
    return list(firsts.values())


def subsets(values: Sequence[int], low: int, high: int) -> Iterator[int]:
    """Yields the sets of `low` to `high` values, by size, then lexicographically; none when `low` is NONE."""
    if low == NONE:
        return
    bits = [1 << value for value in values]
    for size in range(max(low, 0), min(high, len(bits)) + 1):
        yield from map(sum, combinations(bits, size))


def subsets_alike(likeness: Likeness, row: Row, values: Sequence[int], low: int, high: int) -> Iterator[int]:
    """Yields the sets of `low` to `high` values; among things that are alike, only the first few are taken."""
    if low == NONE:
        return
    last: dict[tuple[int, ...], int] = {}
    before = []
    for i, value in enumerate(values):
        before.append(last.get(likeness(row, value), -1))
        last[likeness(row, value)] = i
    for size in range(max(low, 0), min(high, len(values)) + 1):
        yield from _extended(values, before, size, 0, 0, 0)


def _extended(values: Sequence[int], before: list[int], size: int, start: int, taken: int, mask: int) -> Iterator[int]:
    if not size:
        yield mask
        return
    for i in range(start, len(values) - size + 1):
        if before[i] < 0 or taken >> before[i] & 1:
            yield from _extended(values, before, size - 1, i + 1, taken | 1 << i, mask | 1 << values[i])


# ------------------------------------------------------------------ chance


class TracedChance:
    """Draws from a machine's chance and reports each draw to its trace."""

    def __init__(self, game: GameRules) -> None:
        self._dice = [(game.streams.index(die.name), die.faces) for die in game.dice]

    def roll(self, row: Row, machine: RunningMachine, die: int, times: int) -> int:
        """Returns the sum of `times` rolls of a die; NONE if there is no such die."""
        if not 0 <= die < len(self._dice):
            return NONE
        stream, faces = self._dice[die]
        total = 0
        for _ in range(times):
            face = machine.chance.roll(row, stream, faces)
            total += face
            if machine.trace is not None:
                machine.trace.roll(die, face)
        return total

    def pick(self, row: Row, machine: RunningMachine, stream: int, among: Sequence[int]) -> int:
        """Returns a random one of some values; NONE if there are none."""
        if not among:
            return NONE
        value: int = machine.chance.pick(row, stream, list(among))
        if machine.trace is not None:
            machine.trace.pick(stream, value)
        return value


# ------------------------------------------------------------------ things


def _pay(machine: RunningMachine, steps: int) -> None:
    machine.left -= steps
    if machine.left < 0:
        machine.note()


class ThingMover:
    """Moves things from place to place. The printed module fills `capacities` with numbers, or functions of row and
    instance."""

    def __init__(self, game: GameRules, layout: Layout) -> None:
        self.game, self.layout = game, layout
        self.capacities: dict[int, Capacity] = {}
        self._homes: dict[int, list[tuple[int, str]]] = {}
        for kind in game.kinds:
            zones = sorted((zone for zone in game.zones if zone.kind == kind.id), key=first_place)
            self._homes[kind.id] = [
                (layout.zones[zone.id] + i, zone.form) for zone in zones for i in range(layout.zone_sizes[zone.id])
            ]
        self._streams = {
            zone.id: game.streams.index(f"shuffle {zone.name}")
            for zone in game.zones
            if f"shuffle {zone.name}" in game.streams
        }

    def move(
        self, row: Row, machine: RunningMachine, things: Iterable[Thing], zone: int, instance: int, end: str, site: int
    ) -> None:
        """Moves things to a place, in order. A thing that is there already stays, unless an `end` of a pile is
        given."""
        to = self.game.zones[zone]
        places, faces = self.layout.places[to.kind], self.layout.faces[to.kind]
        target, slot = to.first_place + instance, self.layout.zones[zone] + instance
        face = int(to.visible == "all")
        homes = self._homes[to.kind]
        limited = to.form == "slot" or to.capacity is not None
        trace = machine.trace
        for thing in things:
            source = row[places + thing]
            if source == target and not (end and to.form == "pile"):
                continue
            if limited and source != target:
                self._demand_room(row, machine, to, instance, site)
            at, form = homes[source]
            if form == "group":
                row[at] ^= 1 << thing
            elif form == "pile":
                row[at] = take_item(row[at], thing)
            elif machine.entered is None:
                row[at] = NONE
            else:
                self._leave_slot(row, to.kind, source, at, thing)
            if to.form == "group":
                row[slot] |= 1 << thing
            elif to.form == "pile":
                row[slot] = push(row[slot], thing, end)
            else:
                row[slot] = thing
            row[places + thing] = target
            row[faces + thing] = face
            if trace is not None:
                trace.move(to.kind, thing, source, target, (end or "top") if to.form == "pile" else "", site)

    def draw(
        self,
        row: Row,
        machine: RunningMachine,
        rate: int,
        pile: int,
        at: int,
        number: int,
        zone: int,
        instance: int,
        end: str,
        site: int,
    ) -> None:
        """Moves a number of things from the top of a pile, which is refilled when it runs empty; each costs `rate`
        steps."""
        slot = self.layout.zones[pile] + at
        while number > 0:
            things = self._contents(row, pile, at)[:number]
            _pay(machine, len(things) * rate)
            number -= len(things)
            self.move(row, machine, things, zone, instance, end, site)
            if number <= 0 or row[slot] not in (0, NONE) or not self._refill(row, machine, rate, pile, at, site):
                return

    def _refill(self, row: Row, machine: RunningMachine, rate: int, pile: int, at: int, site: int) -> bool:
        to = self.game.zones[pile]
        if to.refills_from is None:
            return False
        source = self.game.zones[to.refills_from]
        things = self._contents(row, source.id, at if source.dimensions == to.dimensions else 0)
        _pay(machine, len(things) * rate)
        self.move(row, machine, things, pile, at, "top", site)
        if things:
            self.shuffle(row, machine, pile, at, site)
        return bool(things)

    def shuffle(self, row: Row, machine: RunningMachine, zone: int, instance: int, site: int) -> None:
        """Shuffles a pile."""
        things = self._contents(row, zone, instance)
        order = machine.chance.shuffle(row, self._streams[zone], self.game.zones[zone].kind, things)
        row[self.layout.zones[zone] + instance] = pack(order)
        faces, face = self.layout.faces[self.game.zones[zone].kind], int(self.game.zones[zone].visible == "all")
        for thing in things:
            row[faces + thing] = face
        if machine.trace is not None:
            machine.trace.shuffle(zone, self.game.zones[zone].first_place + instance, site)

    def reveal(self, row: Row, machine: RunningMachine, kind: int, things: int, site: int) -> None:
        """Turns things face up."""
        for thing in members(things):
            slot = self.layout.faces[kind] + thing
            if not row[slot]:
                row[slot] = 1
                if machine.trace is not None:
                    machine.trace.turn_up(kind, thing, site)

    def show(self, machine: RunningMachine, kind: int, things: int, seats: int, site: int) -> None:
        """Reports to the trace that seats get to know things."""
        for thing in members(things):
            machine.trace.show(kind, thing, seats, site)

    def _contents(self, row: Row, zone: int, instance: int) -> list[Thing]:
        held = row[self.layout.zones[zone] + instance]
        match self.game.zones[zone].form:
            case "pile":
                return items(held)
            case "slot":
                return [] if held == NONE else [Thing(held)]
            case "group":
                return things_of(held)
            case _:
                assert_never(self.game.zones[zone].form)

    def _leave_slot(self, row: Row, kind: int, place: int, at: int, thing: Thing) -> None:
        """Takes a thing out of a slot, which may hold several during simultaneous moves."""
        zone = max(
            (zone for zone in self.game.zones if zone.kind == kind and zone.first_place <= place), key=first_place
        )
        row[at] = simultaneous.left_in_slot(row, zone, place - zone.first_place, thing, self.game, self.layout)

    def _demand_room(self, row: Row, machine: RunningMachine, zone: Zone, instance: int, site: int) -> None:
        if machine.entered is not None:
            machine.entered[zone.id, instance] = site
        else:
            self._check_bound(row, machine, zone, instance, len(self._contents(row, zone.id, instance)) + 1)

    def _check_bound(
        self, row: Row, machine: RunningMachine, zone: Zone, instance: int, held: int, site: int = 0
    ) -> None:
        capacity = self.capacities.get(zone.id)
        limit = 1 if capacity is None else capacity(row, machine, instance)
        if held > limit:
            index = tuple(i for i, _ in index_at(zone.dimensions, instance))
            name = named(zone.name, zone.dimensions, index, self.game)
            raise RangeViolation(f"{name} would hold {held}; it holds at most {limit}", site)

    def end_moves(self, row: Row, machine: RunningMachine) -> None:
        """Checks the bounds of the zones that simultaneous moves put things into; raises RangeViolation."""
        entered, machine.entered = machine.entered or {}, None
        for (id, instance), site in entered.items():
            zone = self.game.zones[id]
            held = len(simultaneous.held_in(row, zone, instance, self.game, self.layout))
            self._check_bound(row, machine, zone, instance, held, site)


# ------------------------------------------------------------------ at once


def begin_moves(machine: RunningMachine) -> bool:
    """Defers the check of zones' bounds; returns whether this block is the outermost to do so."""
    if machine.entered is not None:
        return False
    machine.entered = {}
    return True


def write_in_pass(row: Row, notes: Notes, slot: Slot, value: int, site: int) -> None:
    """Sets a slot in a pass."""
    simultaneous.write(row, notes, slot, value, site)


class Passes:
    """Merges what simultaneous passes wrote."""

    def __init__(self, game: GameRules, layout: Layout) -> None:
        self.game, self.layout = game, layout

    def add_in_pass(self, row: Row, notes: Notes, slot: Slot, sum: Note) -> None:
        """Adds to a slot in a pass."""
        simultaneous.add(row, notes, slot, sum, self.game, self.layout)

    def pass_on(self, row: Row, notes: Notes, passes: list[Notes]) -> None:
        """Notes the merged effects of passes within a pass as writes of that pass."""
        merged = simultaneous.merged(passes, self.game, self.layout)
        simultaneous.pass_on(row, notes, merged, self.game, self.layout)

    def take_over(self, row: Row, machine: RunningMachine, passes: list[Notes]) -> None:
        """Writes the merged effects of passes to the row."""
        for slot, note in simultaneous.merged(passes, self.game, self.layout).items():
            new = simultaneous.settled(row, slot, note, self.game, self.layout)
            old, row[slot] = row[slot], new
            if machine.trace is not None and (old != new or self.layout.is_told_again(row, slot, new)):
                state = state_at(self.game, self.layout, slot)
                assert state is not None
                machine.trace.set(state, slot - self.layout.states[state], old, new, note.site)
