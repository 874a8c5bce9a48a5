"""Distinct types for numbers that must not be mixed up; at run time, each is an int.

    seat: Seat          2           the third player of the table
    thing: Thing        17          a token of one kind, a card, …
    slot: Slot          120         a place in the row
    mask: Mask          0b1001      the set {0, 3}

A number gets its type where it is created; a machine reads and
writes its row as plain ints, because that is the hot path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NewType, TypeAlias

if TYPE_CHECKING:

    class Slot(int):
        """A place in the row; a slot plus an offset is a slot, too."""

        def __add__(self, other: int) -> Slot: ...

    class Mask(int):
        """A set: bit i is set if value i is a member; unions and intersections of masks are masks."""

        def __and__(self, other: int) -> Mask: ...
        def __rand__(self, other: int) -> Mask: ...
        def __or__(self, other: int) -> Mask: ...
        def __ror__(self, other: int) -> Mask: ...
        def __invert__(self) -> Mask: ...

else:
    Slot = Mask = int

Seat = NewType("Seat", int)
"""A player of the table, counted from 0."""

NO_SEAT = Seat(-1)

Thing = NewType("Thing", int)
"""A thing among those of its kind, counted from 0."""

NO_THING = Thing(-1)

Row: TypeAlias = list[int]
"""A whole position: the value of each slot."""


def seats_of(players: int) -> tuple[Seat, ...]:
    """Returns the seats of a table.

    >>> seats_of(3)
    (0, 1, 2)
    """
    return tuple(map(Seat, range(players)))
