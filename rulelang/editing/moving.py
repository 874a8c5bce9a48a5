"""A thing that is dragged from one place of the board to another -> the position in which it lies there.

moved(game, match, Drag("piece black", "Square 3", "Square 11"))     the text of the position, and `d2.man = black`

A page names a thing and places by their marks; see `pages.drawings.marks`. What stands on a board is a thing in a zone,
a value of a variable that each space has (`d1.man = black`), or a variable that holds the space (`red.at = d1`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import attrs

from rulelang.api import Game
from rulelang.api.positions import EditedPosition, edited_position
from rulelang.errors import InvalidInput
from rulelang.ir.model import Const, StateVariable, Zone
from rulelang.ir.numbers import Thing
from rulelang.ir.types import NONE, EnumType, KindType, Type
from rulelang.machines.evaluate import contents
from rulelang.machines.givens.arrangement import Arrangement
from rulelang.match.match import BareMatch
from rulelang.pages.drawings.marks import mark_of
from rulelang.program.layout import flat, index_at
from rulelang.program.values import within, written
from rulelang.screens.touched import ZONE, place_of

DIGITS = 10
"""No number of a place has as many."""


@attrs.frozen
class Drag:
    """A thing, the place that it leaves and the place that it is put down at, by their marks."""

    thing: str
    start: str
    end: str


@attrs.frozen
class _Laid:
    """A thing of this name comes to a zone."""

    name: str
    thing: Thing
    zone: Zone
    instance: int

    def carry_out(self, arrangement: Arrangement) -> None:
        """Moves it; raises CannotGive for a zone without room."""
        arrangement.move(self.thing, self.zone, self.instance)


@attrs.frozen
class _Written:
    """A thing of this name stands elsewhere once variables have other values: a position in the variable, and a value."""

    name: str
    state: StateVariable
    values: tuple[tuple[int, int], ...]

    def carry_out(self, arrangement: Arrangement) -> None:
        """Sets the variables; raises CannotGive for a value that one cannot hold."""
        for at, value in self.values:
            arrangement.set(self.state, at, value)


_Move: TypeAlias = _Laid | _Written


def moved(game: Game, match: BareMatch, drag: Drag) -> EditedPosition:
    """Returns the position of a match after a thing was dragged, and the givens that are others.

    Raises InvalidInput where no given can say it, or there is no room.
    """
    found = _chosen(tuple(_Moves(match, drag).all()), drag)
    return edited_position(game.internals, match.position, found.carry_out)


def _chosen(found: Sequence[_Move], drag: Drag) -> _Move:
    """Returns the move that is meant: the first of the dragged name, or the only one."""
    called = drag.thing.partition(" ")[2].casefold()
    meant = [one for one in found if one.name.casefold() == called] or (found if len(found) == 1 else [])
    if not meant:
        raise InvalidInput(f"no given can say that {called[:40] or 'this'} lies there")
    return meant[0]


@attrs.frozen
class _Moves:
    """The moves that a drag may mean at a match."""

    match: BareMatch
    drag: Drag

    def all(self) -> Iterator[_Move]:
        """Yields them; raises InvalidInput for a space that is occupied."""
        yield from self._between_zones()
        for state, at, _ in self.match.visibility.cells:
            if not state.option:
                yield from self._of_holder(state, at)
                yield from self._of_space(state, at)

    def _between_zones(self) -> Iterator[_Move]:
        match = self.match
        zones = [(zone, instance) for zone, instance, _ in match.visibility.heaps if zone.name != "box"]
        ends = [one for one in zones if self._is_at(*one, self.drag.end)]
        for zone, instance in (one for one in zones if self._is_at(*one, self.drag.start)):
            fit = [(z, i) for z, i in ends if z.kind == zone.kind]
            fit.sort(key=lambda one: one[0].id != zone.id)
            for thing in contents(match.position.row, match.internals.layout, zone, instance) if fit else ():
                yield _Laid(match.game.kinds[zone.kind].names[thing], thing, *fit[0])

    def _is_at(self, zone: Zone, instance: int, mark: str) -> bool:
        """Returns whether a zone lies at a place: it is that place, or is one that the place has."""
        name = next(n for z, i, n in self.match.visibility.heaps if (z.id, i) == (zone.id, instance))
        owners = index_at(zone.dimensions, instance)
        return mark == mark_of((ZONE, name)) or any(_mark(type, value) == mark for value, type in owners)

    def _of_holder(self, state: StateVariable, at: int) -> Iterator[_Move]:
        """Yields the move of whoever has a variable that holds the space: `red.at = d1`."""
        match = self.match
        end = _number(state.type, self.drag.end)
        if _mark(state.type, self._value(state, at)) == self.drag.start and end is not None:
            owner = next(
                (written(value, type, match.game) for value, type in index_at(state.dimensions, at)), state.name
            )
            yield _Written(owner, state, ((at, end),))

    def _of_space(self, state: StateVariable, at: int) -> Iterator[_Move]:
        """Yields the move of what a variable of the space names: `d1.man = black`."""
        match, value = self.match, self._value(state, at)
        index = index_at(state.dimensions, at)
        nth = next((n for n, (number, type) in enumerate(index) if _mark(type, number) == self.drag.start), None)
        if nth is None or value == NONE or not isinstance(state.type, KindType | EnumType):
            return
        end = _number(state.dimensions[nth], self.drag.end)
        nothing = NONE if within(state.type, NONE) else _at_first(state)
        if end is None or nothing is None or value == nothing:
            return
        there = flat(state.dimensions, tuple(end if n == nth else number for n, (number, _) in enumerate(index)))
        name = written(value, state.type, match.game)
        if there >= 0 and self._value(state, there) != nothing and self.drag.thing.casefold().endswith(name.casefold()):
            other = written(self._value(state, there), state.type, match.game)
            raise InvalidInput(f"that place is occupied: {other} is there")
        yield _Written(name, state, ((at, nothing), (there, value)))

    def _value(self, state: StateVariable, at: int) -> int:
        return self.match.position.row[self.match.internals.layout.states[state.id] + at]


def _at_first(state: StateVariable) -> int | None:
    """Returns the value with which a variable begins, which stands for an empty space; None if that is worked out."""
    return state.initial.value if isinstance(state.initial, Const) else None


def _mark(type: Type, value: int) -> str | None:
    place = place_of(type, value)
    return None if place is None else mark_of(place)


def _number(type: Type, mark: str) -> int | None:
    """Returns the value of a type that has a mark; None if none of its values has it."""
    last = mark.rpartition(" ")[2]
    value = int(last) if last.isascii() and last.isdecimal() and len(last) < DIGITS else NONE
    return value if value != NONE and within(type, value) and _mark(type, value) == mark else None
