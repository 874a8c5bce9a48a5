"""Numbers that must not be mixed up: each is an int while it runs, and a type of its own to the type checker.

    seat: Seat          2           the third player of the table
    thing: Thing        17          a token of one kind, a card, …
    slot: Slot          120         a place in the row
    mask: Mask          0b1001      the set {0, 3}

They are named where a number comes to be: a machine's row is read and written as plain ints, for it is the hot path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NewType, TypeAlias

if TYPE_CHECKING:

    class Slot(int):
        """A place in the row; so many further on is a slot, too."""

        def __add__(self, other: int) -> Slot: ...

    class Mask(int):
        """A set: bit i is set when value i is in; what is in two masks, or in one of them, is a mask, too."""

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
"""A whole position: what each slot holds."""


def seats_of(players: int) -> tuple[Seat, ...]:
    """Returns the seats of a table.

    >>> seats_of(3)
    (0, 1, 2)
    """
    return tuple(map(Seat, range(players)))
