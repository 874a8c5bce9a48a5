"""Past positions -> numbers in the row, one for each, so that they are compared exactly.

history of Square.man, mover: at most 500

A position is recorded each time an answer at the outermost level has taken effect, and again when a seat is asked
there, if the position has changed since (because it is another's turn, say); the first record then only marks a step on
the way. So a position right after an answer is compared with those that answers led to, and a position in which a seat
is asked with those in which a seat was asked. Things that are printed alike count as the same.

A position is one number: one bit field for each variable and zone, the first in the highest bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TypeAlias, assert_never

import attrs

from rulelang.errors import RangeViolation
from rulelang.ir.model import GameRules, History, ZoneForm
from rulelang.ir.numbers import Row, Slot
from rulelang.ir.types import NONE, KindType, SetType, Type, first_of, offset_of, size_of
from rulelang.program.layout import Layout, slots
from rulelang.program.packing import items, members

TAG = 2
"""The number of bits for the tag of a recorded position: LED_TO, PASSED or FOUND."""
LED_TO, PASSED, FOUND = range(3)
"""Tags: an answer led to the position, and it lasted until a seat was asked; an answer led to it, but it had changed when
a seat was asked; the position into which it had changed."""
ANSWERED, STOOD = (LED_TO, PASSED), (LED_TO, FOUND)


@attrs.frozen
class NumberField:
    """A variable or slot: 0 for none, else its value counted from 1; for a thing, its class + 1 (`classes`)."""

    slot: Slot
    bits: int
    first: int = 0
    classes: tuple[int, ...] = ()


@attrs.frozen
class SetField:
    """A set as the row holds it."""

    slot: Slot
    bits: int


@attrs.frozen
class GroupField:
    """A set of things as the count of each class in it, the lowest class in the lowest bits; `wide` are the bits of
    each count."""

    slot: Slot
    bits: int
    classes: tuple[int, ...]
    wide: tuple[int, ...]


@attrs.frozen
class PileField:
    """The class + 1 of each thing of a pile, the top in the lowest bits."""

    slot: Slot
    bits: int
    classes: tuple[int, ...]


Field: TypeAlias = NumberField | SetField | GroupField | PileField


@attrs.frozen(slots=False)
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
        """The slot with the number of recorded positions."""
        return self.layout.states[self.history.written]

    @cached_property
    def _stood(self) -> int:
        """The slot with the number of positions that count towards the limit: the first, and one for each answer."""
        return self.layout.states[self.history.stood]

    @cached_property
    def _asked(self) -> int:
        """The slot that says whether a seat is asked in the position recorded last."""
        return self.layout.states[self.history.asked]

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The fields of a position, the one in the highest bits first."""
        game, layout = self.game, self.layout
        found: list[Field] = []
        for id in self.history.states:
            for slot in slots(layout.states[id], layout.state_sizes[id]):
                found.append(_of_variable(game, slot, game.states[id].type))
        for id in self.history.zones:
            zone = game.zones[id]
            for slot in slots(layout.zones[id], layout.zone_sizes[id]):
                found.append(_of_zone(slot, zone.form, game.kinds[zone.kind].classes))
        return tuple(found)

    @property
    def bits(self) -> int:
        """The number of bits of a recorded position, its tag included."""
        return sum(field.bits for field in self.fields) + TAG

    def of(self, row: Row) -> int:
        """Returns the position of a row as one number."""
        position = 0
        for field in self.fields:
            position = position << field.bits | _read(field, row[field.slot])
        return position

    def occurrences(self, row: Row) -> int:
        """Returns the number of times that the position of a row has occurred, this time included."""
        here, known = self.of(row), self._known(row)
        stands = bool(known) and known[-1] >> TAG == here
        if row[self._asked]:
            return _count(known, here, *STOOD) if stands else _count(known, here, *ANSWERED) + 1
        return _count(known, here, *ANSWERED) if stands else _count(known, here, *STOOD) + 1

    def occurrences_after(self, row: Row, after: Row) -> int:
        """Returns the number of times that the position of another row will have occurred if an answer leads to it."""
        return _count(self._known(row), self.of(after), *ANSWERED) + 1

    def _known(self, row: Row) -> list[int]:
        return row[self._first : self._first + row[self._written]]

    def changes(self, row: Row, moment: str) -> Iterator[tuple[int, int]]:
        """Yields the slots and values to write to a row at a moment (see `ir.model.Stand`).

        Raises RangeViolation when the history is full.
        """
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


def _of_variable(game: GameRules, slot: Slot, type: Type) -> Field:
    element = type.element if isinstance(type, SetType) else type
    classes = _classes(game, element)
    if isinstance(type, SetType):
        return (
            SetField(slot, first_of(element) + offset_of(element) + size_of(element))
            if classes is None
            else _group(slot, classes)
        )
    if classes is not None:
        return NumberField(slot, len(classes).bit_length(), 0, classes)
    return NumberField(slot, size_of(type).bit_length(), first_of(type))


def _classes(game: GameRules, type: Type) -> tuple[int, ...] | None:
    """Returns the class of each thing of a type, the same for
    things that are printed alike; None for any other type."""
    if not isinstance(type, KindType):
        return None
    kind = next(kind for kind in game.kinds if kind.name == type.name)
    return kind.classes if kind.movable else None


def _of_zone(slot: Slot, form: ZoneForm, classes: tuple[int, ...]) -> Field:
    match form:
        case "slot":
            return NumberField(slot, len(classes).bit_length(), 0, classes)
        case "pile":
            return PileField(slot, len(classes) * len(classes).bit_length(), classes)
        case "group":
            return _group(slot, classes)
        case _:
            assert_never(form)


def _group(slot: Slot, classes: tuple[int, ...]) -> GroupField:
    """Returns the field of a set of things."""
    sizes = Counter(classes)
    wide = tuple(sizes[number].bit_length() for number in range(len(classes)))
    return GroupField(slot, sum(wide), classes, wide)


def _read(field: Field, value: int) -> int:
    """Returns the bits of a field for a value of its slot."""
    match field:
        case NumberField(first=first, classes=classes):
            if value == NONE:
                return 0
            return (classes[value] if classes else value - first) + 1
        case SetField():
            return max(value, 0)
        case GroupField(classes=classes, wide=wide):
            counts = Counter(classes[thing] for thing in members(max(value, 0)))
            return _side_by_side((counts[number], bits) for number, bits in enumerate(wide))
        case PileField(classes=classes):
            bits = len(classes).bit_length()
            return _side_by_side((classes[thing] + 1, bits) for thing in items(value))
        case _:
            assert_never(field)


def _side_by_side(parts: Iterable[tuple[int, int]]) -> int:
    """Returns one number made of pairs (number, bits), the first in the lowest bits."""
    found = at = 0
    for number, bits in parts:
        found |= number << at
        at += bits
    return found
