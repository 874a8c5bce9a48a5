"""Game -> Layout: which slot of the flat row holds what.

The row is a list of Python ints, in this order: the outcome, state variables, then for each movable kind the place and the
face of each thing, the contents of each zone instance, the counters of the random streams. In slots of its own after
`size` an executor may keep its control state, that is, the place in the rules that it has reached.

    each Player has: fuel: 0..99        # slots states[fuel] + seat
    bonuses: pile of Bonus              # one slot: the pile packed, top in the low bits

A group is a mask; a slot is a thing or NONE; a pile is packed, 16 bits a thing (its index + 1), the top lowest.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from functools import cached_property
from math import prod
from typing import NamedTuple

import attrs

from rulelang.ir.facts import pointing_at_hidden
from rulelang.ir.model import GameRules, StateVariable, Variable, Zone
from rulelang.ir.numbers import Row, Slot
from rulelang.ir.picks import pick_kinds
from rulelang.ir.steps import StepCosts
from rulelang.ir.types import NONE, KindType, SetType, Type, first_of, size_of
from rulelang.ir.walk import walk
from rulelang.program.packing import members

OUTCOME = 0
"""0 while the game goes on, else one of the codes below."""
OUTCOME_VALUE = 1
"""Winners' mask; ranking packed as masks of `GROUP` bits, best lowest; score."""
OUTCOME_RULE = 2
"""The rule that ended the game."""
FIRST_STATE = 3

PLAYING, WINNER, RANKING, SCORE, LOST, UNDECIDED = range(6)
GROUP = 16
"""The bits of one group of seats in a ranking."""


@attrs.frozen(slots=False)
class Layout:
    """Offsets into the row."""

    states: tuple[Slot, ...]
    """First slot of each state variable."""
    state_sizes: tuple[int, ...]
    places: tuple[Slot, ...]
    """By kind: slot of the place of thing 0; -1 for kinds that do not move."""
    faces: tuple[Slot, ...]
    """By kind: slot of the face (1 is up) of thing 0; -1 as above."""
    zones: tuple[Slot, ...]
    """First slot of each zone; instance i is at + i."""
    zone_sizes: tuple[int, ...]
    counters: Slot
    """Slot of stream 0."""
    streams: int
    size: int
    """The number of slots before the executor's own."""
    _game: GameRules = attrs.field(eq=False, repr=False)

    @cached_property
    def picked(self) -> Mapping[int, int]:
        """The kind of things that each stream picks, if it picks
        things; computed on first use, since it walks all rules."""
        return pick_kinds(self._game, movable=False)

    @cached_property
    def pointers(self) -> Mapping[Slot, tuple[int, bool]]:
        """The slots of variables that hold things which may lie
        face down, each with their kind and whether it is a set."""
        return {
            self.states[state.id] + at: (kind.id, isinstance(state.type, SetType))
            for state, kind in pointing_at_hidden(self._game)
            for at in range(self.state_sizes[state.id])
        }

    @cached_property
    def owned(self) -> tuple[tuple[OwnedCells, ...], ...]:
        """The variables and zones that belong to things of a kind, by kind."""
        game, parts = self._game, list[tuple[StateVariable | Zone, Slot]]()
        parts += zip(game.states, self.states, strict=True)
        parts += zip(game.zones, self.zones, strict=True)
        return tuple(
            tuple(
                OwnedCells(part, start, _cells(part.dimensions[:n]), kind.size, _cells(part.dimensions[n + 1 :]))
                for part, start in parts
                for n, type in enumerate(part.dimensions)
                if isinstance(type, KindType) and type.name == kind.name
            )
            for kind in game.kinds
        )

    @cached_property
    def pointing(self) -> tuple[tuple[tuple[StateVariable, Slot, int, bool], ...], ...]:
        """The variables that hold things of a kind, by kind: each
        with its first slot, its size, and whether it holds sets."""
        return tuple(
            tuple(
                (state, self.states[state.id], self.state_sizes[state.id], isinstance(state.type, SetType))
                for state in self._game.states
                if isinstance(of := state.type.element if isinstance(state.type, SetType) else state.type, KindType)
                and of.name == kind.name
            )
            for kind in self._game.kinds
        )

    @cached_property
    def local_types(self) -> Mapping[int, Type]:
        """The types of the locals, by id."""
        game = self._game
        return {node.id: node.type for node in walk((game.procedures, game.choices)) if isinstance(node, Variable)}

    def is_told_again(self, row: Row, slot: Slot, value: int) -> bool:
        """Returns whether a write is traced although it does not
        change the slot, because the slot holds a face-down thing.

        If it were not traced, a seat that cannot see the thing would learn that it is still the same.
        """
        if slot not in self.pointers or value == NONE:
            return False
        kind, is_set = self.pointers[slot]
        return any(not row[self.faces[kind] + thing] for thing in (members(value) if is_set else (value,)))

    @cached_property
    def steps(self) -> StepCosts:
        """The costs of running the rules."""
        return StepCosts(self._game)


class OwnedCells(NamedTuple):
    """The cells of a variable or zone that belong to things: after `before` blocks of cells, `width` of each thing."""

    of: StateVariable | Zone
    start: Slot
    before: int
    size: int
    """The number of things of the kind."""
    width: int


def _cells(dimensions: tuple[Type, ...]) -> int:
    return prod(map(size_of, dimensions))


def is_empty(zone: Zone, held: int) -> bool:
    """Returns whether nothing lies in a zone whose slot holds a number."""
    return held == NONE if zone.form == "slot" else held <= 0


def is_veiled(state: StateVariable) -> bool:
    """Returns whether a write to a variable is traced although it changes nothing, because not everybody sees the
    variable: who has seen its value before must not learn that it is still the same."""
    return state.visible != "all" and not state.scratch


def slots(first: Slot, count: int) -> list[Slot]:
    """Returns a number of consecutive slots."""
    return [first + i for i in range(count)]


def flat(dimensions: tuple[Type, ...], index: tuple[int, ...]) -> int:
    """Returns the row-major position of an index, or -1 when a part is out of bounds (NONE too).

    >>> from rulelang.ir.types import IntType
    >>> flat((IntType(1, 3), IntType(0, 1)), (2, 1))
    3
    """
    if not dimensions and not index:
        return 0
    position = 0
    for type, i in zip(dimensions, index, strict=True):
        if isinstance(type, KindType):  # Things are the most frequent index by far, and a call would take longer.
            size = type.size
        else:
            size = size_of(type)
            i -= first_of(type)
        if not 0 <= i < size:
            return -1
        position = position * size + i
    return position


def index_at(dimensions: tuple[Type, ...], position: int) -> tuple[tuple[int, Type], ...]:
    """Returns the index at a row-major position, with the types of its parts: the inverse of `flat`."""
    index: list[tuple[int, Type]] = []
    for type in reversed(dimensions):
        position, i = divmod(position, size_of(type))
        index.insert(0, (first_of(type) + i, type))
    return tuple(index)


def state_at(game: GameRules, layout: Layout, slot: Slot) -> int | None:
    """Returns the state variable that a slot belongs to, or None."""
    state = bisect_right(layout.states, slot) - 1
    return state if state >= 0 and slot < layout.states[state] + layout.state_sizes[state] else None


def lay_out(game: GameRules) -> Layout:
    """Assigns every variable, thing and zone its slot."""
    at = Slot(FIRST_STATE)
    states, state_sizes = [], []
    for state in game.states:
        width = prod(size_of(t) for t in state.dimensions)
        states.append(at)
        state_sizes.append(width)
        at += width
    places, faces = [], []
    for kind in game.kinds:
        places.append(at if kind.movable else Slot(-1))
        faces.append(at + kind.size if kind.movable else Slot(-1))
        at += 2 * kind.size if kind.movable else 0
    zones, zone_sizes = [], []
    for zone in game.zones:
        width = prod(size_of(t) for t in zone.dimensions)
        zones.append(at)
        zone_sizes.append(width)
        at += width
    return Layout(
        states=tuple(states),
        state_sizes=tuple(state_sizes),
        places=tuple(places),
        faces=tuple(faces),
        zones=tuple(zones),
        zone_sizes=tuple(zone_sizes),
        counters=at,
        streams=len(game.streams),
        size=at + len(game.streams),
        game=game,
    )
