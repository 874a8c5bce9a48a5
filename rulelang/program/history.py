"""Positions that have stood -> numbers in the row: one for each, compared exactly.

history of Square.man, mover: at most 500

A position is written down each time an answer at the outermost level has taken effect, and when somebody is asked there, if it is
another by then, as by whose turn it is. What an answer led to is then only a step on the way. So where a position is asked for
right after an answer, it is compared with what answers led to; where somebody is asked, with what stood when somebody was.
Things that are printed alike are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

import attrs

from rulelang.errors import RangeViolation
from rulelang.ir.model import GameRules, History
from rulelang.ir.numbers import Row, Slot
from rulelang.ir.types import NONE, KindType, SetType, Type, first_of, offset_of, size_of
from rulelang.program.layout import Layout, slots
from rulelang.program.packing import items, members

TAG = 2
"""How many bits say how a position came about."""
LED_TO, PASSED, FOUND = range(3)
"""An answer led to it and it stood; an answer led to it, and it was another when somebody was asked; that other."""
ANSWERED, STOOD = (LED_TO, PASSED), (LED_TO, FOUND)

Digit = Callable[[Row], tuple[int, int]]
"""Reads a part of a position: a number from 0 up, and how many such numbers there are."""


@attrs.frozen
class PositionHistory:
    """The slots in which a game's row stores past positions."""

    game: GameRules
    layout: Layout
    history: History

    @cached_property
    def _first(self) -> int:
        return self.layout.states[self.history.entries]

    @cached_property
    def _room(self) -> int:
        return self.layout.state_sizes[self.history.entries]

    @cached_property
    def _written(self) -> int:
        """The slot that says how many are written down."""
        return self.layout.states[self.history.written]

    @cached_property
    def _stood(self) -> int:
        """The slot that says how many of them count: the first, and one for each answer."""
        return self.layout.states[self.history.stood]

    @cached_property
    def _asked(self) -> int:
        """The slot that says whether somebody is asked in the position written down last."""
        return self.layout.states[self.history.asked]

    @cached_property
    def _parts(self) -> tuple[Digit, ...]:
        game, layout = self.game, self.layout
        parts: list[Digit] = []
        for id in self.history.states:
            for slot in slots(layout.states[id], layout.state_sizes[id]):
                parts.append(_variable(game, slot, game.states[id].type))
        for id in self.history.zones:
            zone = game.zones[id]
            for slot in slots(layout.zones[id], layout.zone_sizes[id]):
                parts.append(_heap(slot, zone.form, game.kinds[zone.kind].classes))
        return tuple(parts)

    def of(self, row: Row) -> int:
        """Returns the position of a row as one number."""
        position = 0
        for part in self._parts:
            digit, base = part(row)
            position = position * base + digit
        return position

    def occurrences(self, row: Row) -> int:
        """Returns how often the position of a row has occurred, this time included."""
        here, known = self.of(row), self._known(row)
        stands = bool(known) and known[-1] >> TAG == here
        if row[self._asked]:
            return _count(known, here, *STOOD) if stands else _count(known, here, *ANSWERED) + 1
        return _count(known, here, *ANSWERED) if stands else _count(known, here, *STOOD) + 1

    def occurrences_after(self, row: Row, after: Row) -> int:
        """Returns how often the position of another row will have occurred if an answer leads to it."""
        return _count(self._known(row), self.of(after), *ANSWERED) + 1

    def _known(self, row: Row) -> list[int]:
        return row[self._first : self._first + row[self._written]]

    def changes(self, row: Row, moment: str) -> Iterator[tuple[int, int]]:
        """Yields the slots and values to write to a row at a moment; see `ir.model.Stand`. Raises RangeViolation when it is full."""
        here, written, was_asked = self.of(row), row[self._written], row[self._asked]
        last = self._first + written - 1
        if moment == "settled" and written:
            yield last, here << TAG | LED_TO
            return
        yield self._asked, int(moment == "asked")
        if moment == "asked" and written:
            if row[last] >> TAG == here:
                return
            if not was_asked:
                yield last, row[last] >> TAG << TAG | PASSED
        stood = row[self._stood] + (moment == "answered" or not written)
        if stood > self.history.most or written == self._room:
            most = self.history.most
            message = f"the history holds at most {most} positions; this would be number {most + 1}"
            raise RangeViolation(message, self.history.site)
        yield last + 1, here << TAG | (FOUND if moment == "asked" and written else LED_TO)
        yield self._written, written + 1
        yield self._stood, stood


def _count(known: list[int], position: int, *tags: int) -> int:
    return sum(known.count(position << TAG | tag) for tag in tags)


def _variable(game: GameRules, slot: Slot, type: Type) -> Digit:
    element = type.element if isinstance(type, SetType) else type
    classes = _classes(game, element)
    if isinstance(type, SetType):
        if classes is not None:
            return lambda row: _counted(members(max(row[slot], 0)), classes)
        width = first_of(element) + offset_of(element) + size_of(element)
        return lambda row: (max(row[slot], 0), 1 << width)
    first, base = first_of(type), size_of(type) + 1
    if classes is not None:
        return lambda row: (0 if row[slot] == NONE else classes[row[slot]] + 1, base)
    return lambda row: (0 if row[slot] == NONE else row[slot] - first + 1, base)


def _classes(game: GameRules, type: Type) -> tuple[int, ...] | None:
    """Returns which things of a type are printed alike; None for what is no thing that moves."""
    if not isinstance(type, KindType):
        return None
    kind = next(kind for kind in game.kinds if kind.name == type.name)
    return kind.classes if kind.movable else None


def _heap(slot: Slot, form: str, classes: tuple[int, ...]) -> Digit:
    if form == "slot":
        return lambda row: (0 if row[slot] == NONE else classes[row[slot]] + 1, len(classes) + 1)
    if form == "pile":
        return lambda row: _in_order(items(row[slot]), classes)
    return lambda row: _counted(members(row[slot]), classes)


def _counted(things: Iterable[int], classes: tuple[int, ...]) -> tuple[int, int]:
    """Returns the sizes of all classes, packed in one number."""
    counts = [0] * len(classes)
    for thing in things:
        counts[classes[thing]] += 1
    base = len(classes) + 1
    number = 0
    for count in counts:
        number = number * base + count
    return number, base ** len(classes)


def _in_order(things: Iterable[int], classes: tuple[int, ...]) -> tuple[int, int]:
    """Returns which class lies where, as one number."""
    base = len(classes) + 1
    number = 0
    for thing in things:
        number = number * base + classes[thing] + 1
    return number, base ** len(classes)
