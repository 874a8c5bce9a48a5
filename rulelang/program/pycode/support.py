"""What printed modules call: things that are not worth printing anew for each game.

`names` gives the namespace of a game's module. Errors are given without their site: the machine finds it by the line.

    move 2 of stack to p.hand        # draw(S, M, 3, 0, 2, 5, x1, "top", 17)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, count
from operator import itemgetter
from typing import Any, Protocol

from rulelang.errors import NoOption, RangeViolation, RunawayRules, RuntimeRules
from rulelang.ir.model import Game, Variable
from rulelang.ir.types import NONE, SET_LIMIT, IntType, SetType, Type
from rulelang.ir.walk import walk
from rulelang.program import together
from rulelang.program.layout import Layout
from rulelang.program.state import items, members, pack, pile_mask, push, take_item
from rulelang.program.state import top as top_of
from rulelang.program.together import Note, Notes
from rulelang.program.violations import index_at, shown, slot_violation, state_at, violation

Row = list[int]
Call = tuple[int, ...]
"""A deferred call: the procedure, then its arguments."""


class GameOver(Exception):
    """`finish`: on its way out of everything."""


class Machine(Protocol):
    """What printed code needs of the machine that runs it."""

    trace: Any
    chance: Any


Capacity = Callable[[Row, int], int]


def names(game: Game, layout: Layout) -> dict[str, object]:
    """Gives all that a game's module can call."""
    luck = Luck(game)
    things = Things(game, layout, luck)
    faults = Faults(game, layout)
    passes = Passes(game, layout)
    return {
        "NONE": NONE,
        "MORE": -NONE,
        "GameOver": GameOver,
        "Note": Note,
        "count": count,
        "first_part": itemgetter(0),
        "items": items,
        "members": members,
        "pack": pack,
        "pile_mask": pile_mask,
        "top": lambda pile: top_of(pile, NONE),
        "lowest": lambda group: (group & -group).bit_length() - 1 if group else NONE,
        "in_slot": lambda held: [] if held == NONE else [held],
        "range_mask": range_mask,
        "single": single,
        "subsets_below": subsets_below,
        "ranking": ranking,
        "distinct": distinct,
        "subsets": subsets,
        "subsets_alike": subsets_alike,
        "no_number": no_number,
        "not_at_once": not_at_once,
        "no_end": no_end,
        "cannot_divide": cannot_divide,
        "roll": luck.roll,
        "pick": luck.pick,
        "things": things,
        "move": things.move,
        "draw": things.draw,
        "shuffle": things.shuffle,
        "reveal": things.reveal,
        "show": things.show,
        "out_of_range": faults.out_of_range,
        "out_of_local": faults.out_of_local,
        "out_of_value": faults.out_of_value,
        "out_of_cell": faults.out_of_cell,
        "no_place": faults.no_place,
        "no_zone": faults.no_zone,
        "too_deep": faults.too_deep,
        "no_option": faults.no_option,
        "add_in_pass": passes.add,
        "write_in_pass": together.write,
        "pass_on": passes.pass_on,
        "take_over": passes.take_over,
        "pack_calls": CallQueue(game).pack,
        "next_call": CallQueue(game).next,
    }


# ------------------------------------------------------------------ sets


def range_mask(low: int, high: int) -> int:
    """Gives the set of the numbers from `low` to `high`; the empty set when one of them is NONE."""
    if NONE in (low, high):
        return 0
    low, high = max(low, 0), min(high, SET_LIMIT - 1)
    return (1 << high + 1) - (1 << low) if low <= high else 0


def single(value: int) -> int:
    """Gives the set of one value; the empty set of NONE."""
    if value == NONE:
        return 0
    if not 0 <= value < SET_LIMIT:
        raise RangeViolation(f"a set cannot hold {value}")
    return 1 << value


def subsets_below(width: int) -> tuple[tuple[int, ...], ...]:
    """Gives the members of each set of values below `width`, by its mask."""
    return tuple(tuple(members(mask)) for mask in range(1 << width))


def ranking(ranked: list[tuple[Any, int]]) -> int:
    """Gives the groups that tie as masks of 16 bits, the best in the low bits."""
    groups: dict[Any, int] = {}
    for rank, value in ranked:
        groups[rank] = groups.get(rank, 0) | 1 << value
    return sum(groups[rank] << 16 * i for i, rank in enumerate(sorted(groups)))


Likeness = Callable[[Row, int], tuple[int, ...]]


def distinct(likeness: Likeness, row: Row, things: Iterable[int]) -> list[int]:
    """Gives the first of each group of things that are alike."""
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
    """Yields the sets of `low` to `high` values: of things that are alike, only the first few."""
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


class Luck:
    """Draws from a machine's chance, told to its trace."""

    def __init__(self, game: Game) -> None:
        self._dice = [(game.streams.index(die.name), die.faces) for die in game.dice]

    def roll(self, row: Row, machine: Machine, die: int, times: int) -> int:
        """Throws a die some times and adds up; NONE if there is no such die."""
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

    def pick(self, row: Row, machine: Machine, stream: int, among: Sequence[int]) -> int:
        """Picks one of some values; NONE if there are none."""
        if not among:
            return NONE
        value: int = machine.chance.pick(row, stream, list(among))
        if machine.trace is not None:
            machine.trace.pick(stream, value)
        return value


# ------------------------------------------------------------------ things


class Things:
    """Moves things from place to place. `capacities` is filled by the module: numbers, or functions of row and instance."""

    def __init__(self, game: Game, layout: Layout, luck: Luck) -> None:
        self.game, self.layout, self.luck = game, layout, luck
        self.capacities: dict[int, Capacity] = {}
        self._homes: dict[int, list[tuple[int, str]]] = {}
        for kind in game.kinds:
            zones = sorted((zone for zone in game.zones if zone.kind == kind.id), key=lambda zone: zone.first_place)
            self._homes[kind.id] = [
                (layout.zones[zone.id] + i, zone.form) for zone in zones for i in range(layout.zone_sizes[zone.id])
            ]
        self._streams = {
            zone.id: game.streams.index(f"shuffle {zone.name}")
            for zone in game.zones
            if f"shuffle {zone.name}" in game.streams
        }

    def move(
        self, row: Row, machine: Machine, things: Iterable[int], zone: int, instance: int, end: str, site: int
    ) -> None:
        """Moves things to a place, in order; what lies there already stays."""
        to = self.game.zones[zone]
        places, faces = self.layout.places[to.kind], self.layout.faces[to.kind]
        target, slot = to.first_place + instance, self.layout.zones[zone] + instance
        face = int(to.visible == "all")
        homes = self._homes[to.kind]
        limited = to.form == "slot" or to.capacity is not None
        trace = machine.trace
        for thing in things:
            source = row[places + thing]
            if source == target:
                continue
            if limited:
                self._check_room(row, zone, instance)
            at, form = homes[source]
            if form == "group":
                row[at] ^= 1 << thing
            elif form == "pile":
                row[at] = take_item(row[at], thing)
            else:
                row[at] = NONE
            if to.form == "group":
                row[slot] |= 1 << thing
            elif to.form == "pile":
                row[slot] = push(row[slot], thing, end)
            else:
                row[slot] = thing
            row[places + thing] = target
            row[faces + thing] = face
            if trace is not None:
                trace.move(to.kind, thing, source, target, end if to.form == "pile" else "", site)

    def draw(
        self, row: Row, machine: Machine, pile: int, at: int, number: int, zone: int, instance: int, end: str, site: int
    ) -> None:
        """Moves so many things from the top of a pile, refilled when it runs empty."""
        slot = self.layout.zones[pile] + at
        while number > 0:
            things = self._contents(row, pile, at)[:number]
            number -= len(things)
            self.move(row, machine, things, zone, instance, end, site)
            if not number or row[slot] not in (0, NONE) or not self._refill(row, machine, pile, at, site):
                return

    def _refill(self, row: Row, machine: Machine, pile: int, at: int, site: int) -> bool:
        to = self.game.zones[pile]
        if to.refills_from is None:
            return False
        source = self.game.zones[to.refills_from]
        things = self._contents(row, source.id, at if source.dimensions == to.dimensions else 0)
        self.move(row, machine, things, pile, at, "top", site)
        if things:
            self.shuffle(row, machine, pile, at, site)
        return bool(things)

    def shuffle(self, row: Row, machine: Machine, zone: int, instance: int, site: int) -> None:
        """Shuffles a pile."""
        things = self._contents(row, zone, instance)
        order = machine.chance.shuffle(row, self._streams[zone], self.game.zones[zone].kind, things)
        row[self.layout.zones[zone] + instance] = pack(order)
        if machine.trace is not None:
            machine.trace.shuffle(zone, self.game.zones[zone].first_place + instance, site)

    def reveal(self, row: Row, machine: Machine, kind: int, things: int, site: int) -> None:
        """Turns things face up."""
        for thing in members(things):
            slot = self.layout.faces[kind] + thing
            if not row[slot]:
                row[slot] = 1
                if machine.trace is not None:
                    machine.trace.turn_up(kind, thing, site)

    def show(self, machine: Machine, kind: int, things: int, seats: int, site: int) -> None:
        """Tells the trace that seats get to know things."""
        for thing in members(things):
            machine.trace.show(kind, thing, seats, site)

    def _contents(self, row: Row, zone: int, instance: int) -> list[int]:
        held = row[self.layout.zones[zone] + instance]
        match self.game.zones[zone].form:
            case "pile":
                return items(held)
            case "slot":
                return [] if held == NONE else [held]
            case _:
                return members(held)

    def _check_room(self, row: Row, zone: int, instance: int) -> None:
        to = self.game.zones[zone]
        capacity = self.capacities.get(zone)
        limit = 1 if capacity is None else capacity(row, instance)
        held = len(self._contents(row, zone, instance))
        if held >= limit:
            index = tuple(i for i, _ in index_at(to.dimensions, instance))
            name = _named(to.name, to.dimensions, index, self.game)
            raise RangeViolation(f"{name} would hold {held + 1}; it holds at most {limit}")


# ------------------------------------------------------------------ at once


class Passes:
    """Merges what simultaneous passes wrote."""

    def __init__(self, game: Game, layout: Layout) -> None:
        self.game, self.layout = game, layout

    def add(self, row: Row, notes: Notes, slot: int, sum: Note) -> None:
        """Adds to a slot in a pass."""
        together.add(row, notes, slot, sum, self.game, self.layout)

    def pass_on(self, row: Row, notes: Notes, passes: list[Notes]) -> None:
        """Takes what passes inside of a pass did as its own doing."""
        merged = together.merged(passes, self.game, self.layout)
        together.pass_on(row, notes, merged, self.game, self.layout)

    def take_over(self, row: Row, machine: Machine, passes: list[Notes]) -> None:
        """Makes what passes did together happen."""
        for slot, note in together.merged(passes, self.game, self.layout).items():
            new = together.settled(row, slot, note, self.game, self.layout)
            old, row[slot] = row[slot], new
            if machine.trace is not None and old != new:
                state = state_at(self.game, self.layout, slot)
                assert state is not None
                machine.trace.set(state, slot - self.layout.states[state], old, new, note.site)


class CallQueue:
    """Deferred calls <-> one int, the next call in the low bits: each field is a value that is not below NONE, from 0 up."""

    def __init__(self, game: Game) -> None:
        widest = max([len(game.seats), *(kind.size for kind in game.kinds)], default=1)
        self._width = max(40, widest + 2, SET_LIMIT + 2 if _has_number_sets(game) else 0)
        self._arities = [len(procedure.parameters) for procedure in game.procedures]

    def pack(self, calls: Sequence[Call]) -> int:
        """Gives the queue of some calls; 0 for none."""
        queue = 0
        for field in [field for call in reversed(calls) for field in reversed((call[0] + 1 + NONE, *call[1:]))]:
            queue = queue << self._width | field - NONE
        return queue

    def next(self, queue: int) -> tuple[Call, int]:
        """Gives the next call of a queue that is not empty, and the rest."""
        mask = (1 << self._width) - 1
        procedure, queue = (queue & mask) - 1, queue >> self._width
        arguments = []
        for _ in range(self._arities[procedure]):
            arguments.append((queue & mask) + NONE)
            queue >>= self._width
        return (procedure, *arguments), queue


def _has_number_sets(game: Game) -> bool:
    return any(
        isinstance(variable.type, SetType) and isinstance(variable.type.element, IntType)
        for procedure in game.procedures
        for variable in procedure.parameters
    )


# ------------------------------------------------------------------ what goes wrong


def no_number() -> RangeViolation:
    return RangeViolation("`none` stands where a number is needed")


def cannot_divide(value: int) -> RangeViolation:
    return RangeViolation(f"{value} cannot be divided by 0")


def no_end() -> RunawayRules:
    return RunawayRules("100,000 rounds without a choice")


def not_at_once() -> RuntimeRules:
    return RuntimeRules("this cannot happen while other things happen at once")


class Faults:
    """Errors in the rules' own words."""

    def __init__(self, game: Game, layout: Layout) -> None:
        self.game, self.layout = game, layout

    def out_of_range(self, slot: int, value: int) -> RangeViolation:
        return slot_violation(self.game, self.layout, slot, value, 0)

    def out_of_local(self, id: int, value: int) -> RangeViolation:
        variable = next(
            n for n in walk((self.game.procedures, self.game.choices)) if isinstance(n, Variable) and n.id == id
        )
        return violation(variable.name, (), value, variable.type, self.game)

    def out_of_value(self, id: int, value: int, arguments: Call) -> RangeViolation:
        of = self.game.values[id]
        return violation(of.name, _typed(arguments, of.parameters), value, of.type, self.game)

    def out_of_cell(self, id: int, column: int, value: int, arguments: Call) -> RangeViolation:
        data = self.game.data[id]
        of = data.columns[column]
        return violation(f"{data.name}.{of.name}", _typed(arguments, data.parameters), value, of.type, self.game)

    def no_place(self, state: int, index: Call) -> RangeViolation:
        of = self.game.states[state]
        return RangeViolation(f"{_named(of.name, of.dimensions, index, self.game)} cannot be written to")

    def no_zone(self, zone: int, index: Call) -> RangeViolation:
        of = self.game.zones[zone]
        return RangeViolation(f"there is no {_named(of.name, of.dimensions, index, self.game)}")

    def too_deep(self, id: int) -> RunawayRules:
        of = self.game.values[id]
        return RunawayRules(f"`{of.name}` calls itself more than {of.deep} deep", of.site)

    def no_option(self, choice: int, seat: int) -> NoOption:
        name = self.game.seats[seat] if 0 <= seat < len(self.game.seats) else "nobody"
        return NoOption(f"{name} must choose and has nothing to choose from", self.game.choices[choice].site)


def _typed(arguments: Call, parameters: tuple[Variable, ...]) -> tuple[tuple[int, Type], ...]:
    return tuple((argument, variable.type) for argument, variable in zip(arguments, parameters, strict=False))


def _named(name: str, dimensions: tuple[Type, ...], index: Call, game: Game) -> str:
    owner = ", ".join(shown(i, type, game) for i, type in zip(index, dimensions, strict=True))
    return f"`{name}` of {owner}" if owner else f"`{name}`"
