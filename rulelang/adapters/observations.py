"""A seat's view <-> an array of numbers, in one layout for each game and number of players.

    seat, to move         one number for each seat: 1 where it is
    question              one number for each choice of the rules: 1 for the one that the seat is asked
    variables             by variable, its cells in order; on a board with a map, planes of rows and columns
    zones                 by zone, its places in order: how many things of each look lie there, then how many are not known,
                          and for a pile which look is on top; on a board with a map, planes

A number is divided by the largest that its variable may hold (beyond 10,000, it is its logarithm); a flag is 0 or 1; a
member or thing is 1 in a place of its own, a set 1 in the place of each member; `none` has a place too. A variable that not
everybody sees begins with 1 if the seat knows it. Where the seat does not know a value, all its numbers are 0.

Invariant: an observation is computed from the `View` alone, so positions that a seat cannot tell apart give it the same one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from math import log2, prod
from typing import Any, TypeAlias, assert_never

import attrs
import numpy as np

from rulelang.errors import UnknownOption
from rulelang.ir.model import BoardShape, Choice, GameRules, Kind, StateVariable
from rulelang.ir.types import (
    NONE,
    BadType,
    EnumType,
    FlagType,
    IntType,
    KindType,
    NoneType,
    RowType,
    SetType,
    Type,
    first_of,
    offset_of,
    size_of,
)
from rulelang.knowledge.visibility import Visibility
from rulelang.match.view import View
from rulelang.match.view_cache import Heap, Seen
from rulelang.program.packing import members
from rulelang.program.values import read_value

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"
MOST_ENCODED = 50_000
"""The most values of variables whose numbers are kept."""
LINEAR = 10_000
"""The largest number of a variable that is divided; of larger ones the logarithm is taken."""


@attrs.frozen
class ObservedPart:
    """A stretch of an observation: the numbers of one variable or zone, from `start` on, in their shape.

    The shape of planes is (planes, rows, columns), that of others (cells, numbers of each).
    """

    name: str
    start: int
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of its numbers."""
        return prod(self.shape)

    def of(self, observation: Numbers) -> Numbers:
        """Returns this part of an observation in its shape."""
        return observation[..., self.start : self.start + self.size].reshape(*observation.shape[:-1], *self.shape)


@attrs.frozen
class ObservedCell:
    """The place of one variable, or of the things in one zone: number i lies at `start + i * step`."""

    start: int
    step: int

    def put(self, numbers: Numbers, at: int, value: float = 1.0) -> None:
        """Writes one of its numbers."""
        numbers[self.start + at * self.step] = value


class Observations:
    """The layout of the observations of a game with a number of players; see the top of this module.

    >>> from rulelang import load
    >>> match = load("tests/classics/connect_four.rules").start()
    >>> observations = Observations(match.visibility)
    >>> observations.part("disc").shape
    (3, 6, 7)
    >>> match.play("drop(4)") and float(observations.of(match.view(1))[observations.part("disc").start + 5 * 7 + 3])
    1.0
    """

    def __init__(self, visibility: Visibility) -> None:
        self.game: GameRules = visibility.game
        self.players = visibility.players
        self.parts: list[ObservedPart] = []
        self.size = 0
        self._seat = self._add("seat", (self.players, 1))
        self._to_move = self._add("to move", (self.players, 1))
        self._question = self._add("question", (len(self.game.choices), 1))
        self._choices = {choice.name: choice.id for choice in self.game.choices}
        self._cells: dict[str, tuple[ObservedCell, StateVariable]] = {}
        self._heaps: dict[tuple[str, str], tuple[ObservedCell, Kind]] = {}
        """By kind and written name: each kind has a zone called `box`."""
        self._encoded: dict[tuple[str, int], tuple[tuple[int, float], ...]] = {}
        """A cache of the numbers of a variable with a value, each with its place."""
        self._of_variables(visibility)
        self._of_zones(visibility)

    def part(self, name: str) -> ObservedPart:
        """Returns the part of a variable or zone by its name in the rules. Raises KeyError."""
        return self._by_name[name]

    def cell(self, name: str) -> ObservedCell:
        """Returns the place of a variable by its written name. Raises KeyError."""
        return self._cells[name][0]

    @cached_property
    def _by_name(self) -> dict[str, ObservedPart]:
        return {part.name: part for part in self.parts}

    # -------------------------------------------------------------- the layout

    def _of_variables(self, visibility: Visibility) -> None:
        by_state: dict[int, list[tuple[int, str]]] = {}
        for state, at, name in visibility.cells:
            by_state.setdefault(state.id, []).append((at, name))
        for number, cells in by_state.items():
            state = self.game.states[number]
            places = self._places(state.name, state.owner, state.dimensions, cells[-1][0] + 1, width_of(state))
            self._cells |= {name: (places[at], state) for at, name in cells}

    def _of_zones(self, visibility: Visibility) -> None:
        by_zone: dict[int, list[tuple[int, str]]] = {}
        for zone, at, name in visibility.heaps:
            by_zone.setdefault(zone.id, []).append((at, name))
        for number, heaps in by_zone.items():
            zone = self.game.zones[number]
            kind = self.game.kinds[zone.kind]
            named = f"{zone.name} of {kind.name}" if zone.name == "box" else zone.name
            width = len(self._looks[kind.id]) * (2 if zone.form == "pile" else 1) + 1
            places = self._places(named, zone.owner, zone.dimensions, heaps[-1][0] + 1, width)
            self._heaps |= {(kind.name, name): (places[at], kind) for at, name in heaps}

    def _places(
        self, name: str, owner: str | None, dimensions: tuple[Type, ...], cells: int, width: int
    ) -> list[ObservedCell]:
        """Returns the places of the cells of a variable or zone, as planes if it has one for each space of a map."""
        name = f"{name} of {owner}" if name in {part.name for part in self.parts} else name
        board = self._board(dimensions[0]) if dimensions else None
        if board is None:
            start = self._add(name, (cells, width))
            return [ObservedCell(start + at * width, 1) for at in range(cells)]
        rows, columns = len(board.cells), max(map(len, board.cells))
        others = prod(map(size_of, dimensions[1:]))
        start, plane = self._add(name, (others * width, rows, columns)), rows * columns
        at = {space: r * columns + c for r, line in enumerate(board.cells) for c, space in enumerate(line)}
        return [
            ObservedCell(start + other * width * plane + at[space], plane)
            for space in range(size_of(dimensions[0]))
            for other in range(others)
        ]

    def _board(self, type: Type) -> BoardShape | None:
        """Returns the map of a board, if it has just one with every space on it."""
        if not isinstance(type, KindType):
            return None
        boards = [board for board in self.game.boards if self.game.kinds[board.kind].name == type.name]
        on_it = {space for board in boards[:1] for line in board.cells for space in line if space >= 0}
        return boards[0] if len(boards) == 1 and len(on_it) == type.size else None

    def _add(self, name: str, shape: tuple[int, ...]) -> int:
        self.parts.append(ObservedPart(name, self.size, shape))
        self.size += prod(shape)
        return self.parts[-1].start

    @cached_property
    def _looks(self) -> list[dict[str, int]]:
        """For each kind: the number of each look of its things, by their written name."""
        return [{name: n for n, name in enumerate(dict.fromkeys(kind.names))} for kind in self.game.kinds]

    # -------------------------------------------------------------- an observation

    def of(self, view: View, asked: Choice | None = None) -> Numbers:
        """Returns the observation of a seat with a view; `asked` is the question to it."""
        numbers = np.zeros(self.size, np.float32)
        self.put(numbers, view, asked)
        return numbers

    def put(self, numbers: Numbers, view: View, asked: Choice | None, variables: frozenset[str] | None = None) -> None:
        """Writes an observation to numbers that are 0; of the variables, only some by name, if they are given."""
        assert view.seat is not None
        numbers[self._seat + view.seat] = 1
        for seat in view.to_move:
            numbers[self._to_move + seat] = 1
        if asked is not None and view.seat in view.to_move:
            numbers[self._question + asked.id] = 1
        for seen in view.variables if variables is None or variables else ():
            if variables is None or seen.name in variables:
                self._put_variable(numbers, seen)
        for heap in view.zones:
            self._put_heap(numbers, heap)

    def _put_variable(self, numbers: Numbers, seen: Seen) -> None:
        cell, state = self._cells[seen.name]
        value, offset = seen.value, int(state.visible != "all")
        if offset:
            cell.put(numbers, 0)
        if value is None and isinstance(state.type, SetType):
            value = self._read(seen.text, state.type)
        if value is None:
            return
        key = seen.name, value
        if key not in self._encoded:
            if len(self._encoded) >= MOST_ENCODED:
                self._encoded.clear()
            places = ((cell.start + (offset + at) * cell.step, number) for at, number in encoded(state.type, value))
            self._encoded[key] = tuple(places)
        for place, number in self._encoded[key]:
            numbers[place] = number

    def _read(self, text: str, type: Type) -> int | None:
        """Returns a set of things as the seat reads it; None if it does not know all of them."""
        try:
            return read_value(self.game, text, type)[0]
        except UnknownOption:
            return None

    def _put_heap(self, numbers: Numbers, heap: Heap) -> None:
        cell, kind = self._heaps[heap.kind, heap.name]
        looks = self._looks[kind.id]
        for name in heap.things:
            at = cell.start + (len(looks) if name is None else looks[name]) * cell.step
            numbers[at] += 1
        top = heap.things[0] if heap.form == "pile" and heap.things else None
        if top is not None:
            cell.put(numbers, len(looks) + 1 + looks[top])

    @cached_property
    def high(self) -> int:
        """The largest number that an observation may hold: the number of things of the largest kind, at least 1."""
        return max([1, *(kind.size for kind in self.game.kinds if kind.movable)])


def width_of(state: StateVariable) -> int:
    """Returns how many numbers one cell of a variable takes."""
    return int(state.visible != "all") + _width(state.type) + state.type.optional


def _width(type: Type) -> int:
    match type:
        case IntType() | FlagType():
            return 1
        case EnumType() | KindType():
            return size_of(type)
        case SetType(element=element):
            return size_of(element)
        case RowType() | NoneType() | BadType():
            raise ValueError(f"no variable holds {type}")
        case _:
            assert_never(type)


def encoded(type: Type, value: int) -> Iterable[tuple[int, float]]:
    """Returns the numbers of a value that are not 0, each with its place.

    >>> encoded(IntType(0, 8), 6), encoded(FlagType(), 0), encoded(EnumType("Suit", ("moon", "sun")).or_none(), NONE)
    ([(0, 0.75)], [(0, 0.0)], [(2, 1.0)])
    """
    if value == NONE:
        return [(_width(type), 1.0)]
    match type:
        case IntType(low=low, high=high):
            return [(0, scaled(value, max(abs(low), abs(high), 1)))]
        case FlagType():
            return [(0, float(value))]
        case EnumType() | KindType():
            return [(value, 1.0)]
        case SetType(element=element):
            shift = offset_of(element) + first_of(element)
            return [(bit - shift, 1.0) for bit in members(value)]
        case RowType() | NoneType() | BadType():
            raise ValueError(f"no variable holds {type}")
        case _:
            assert_never(type)


def scaled(value: int, most: int) -> float:
    """Returns a number from -1 to 1 that stands for one of at most `most`.

    >>> scaled(5, 10), round(scaled(1023, 2**31 - 1), 3)
    (0.5, 0.323)
    """
    if most <= LINEAR:
        return value / most
    size = log2(1 + abs(value)) / log2(1 + most)
    return size if value >= 0 else -size
