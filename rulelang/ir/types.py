"""The types of values: every type is finite, so every value is one Python int.

written            type                         a value is
0..12              IntType(0, 12)               the number
flag               FlagType()                   0 or 1
Lane               EnumType("Lane", members)    the member's index
Player, Card, ...  KindType("Card", size)       the thing's (seat's, space's) index
T?                 .optional is true            the same, or NONE
set of T           SetType(element)             a mask: value v is bit v + `offset_of(T)`
    route(...)         RowType("route")             never stored: a lazy reference, gone after `lower`
"""

from __future__ import annotations

from typing import Self, TypeAlias, assert_never

import attrs

NONE = -(2**31)
"""The stored form of `none`, in every type."""

LARGEST = 2**31 - 1
"""The largest number: all numbers lie within -LARGEST..LARGEST, so NONE is outside."""

SET_LIMIT = 4096
"""The end, exclusive, of the numbers from 0 that a set of numbers can hold."""

BELOW_ZERO = SET_LIMIT // 2
"""The limit of sets of numbers with some below 0: from -BELOW_ZERO up to BELOW_ZERO, exclusive; bit i stands for
i - BELOW_ZERO.
"""


@attrs.frozen
class BaseType:
    """The base of all types; `none` is a value of a type that is `optional`."""

    optional: bool = attrs.field(default=False, kw_only=True)

    def or_none(self) -> Self:
        return self if self.optional else attrs.evolve(self, optional=True)

    def certain(self) -> Self:
        return attrs.evolve(self, optional=False) if self.optional else self


@attrs.frozen
class IntType(BaseType):
    """Whole numbers from `low` to `high`, both included."""

    low: int
    high: int


@attrs.frozen
class FlagType(BaseType):
    """`no` (0) or `yes` (1)."""


@attrs.frozen
class EnumType(BaseType):
    """One of the named members; the value is the member's index."""

    name: str
    members: tuple[str, ...] = attrs.field(repr=False)


@attrs.frozen
class KindType(BaseType):
    """A thing of a kind: a player (name "Player"), a space of a board, a card. `size` is the number of things."""

    name: str
    size: int


@attrs.frozen
class SetType(BaseType):
    """A set of values of `element`; a mask."""

    element: Type


@attrs.frozen
class RowType(BaseType):
    """A lazy reference to a row of data; only `.column`, `== none` and `!= none` may follow it."""

    data: str


@attrs.frozen
class NoneType(BaseType):
    """The type of `none` alone, and of the elements of `{}`."""


@attrs.frozen
class BadType(BaseType):
    """The type of a faulty expression: it fits everywhere and is never reported again."""


Type: TypeAlias = IntType | FlagType | EnumType | KindType | SetType | RowType | NoneType | BadType

PLAYER = "Player"
NAMELESS = "enum"
"""The name of an enum that is written in place and belongs to no variable or column."""


def size_of(type: Type) -> int:
    """Returns the number of values from 0 up: the width of an array indexed by this type."""
    match type:
        case IntType(low=low, high=high):
            return high - low + 1
        case FlagType():
            return 2
        case EnumType(members=members):
            return len(members)
        case KindType(size=size):
            return size
        case SetType() | RowType() | NoneType() | BadType():
            raise ValueError(f"no index of {type}")
        case _:
            assert_never(type)


def offset_of(element: Type) -> int:
    """Returns the shift of the bits in a set of such elements: value v is bit v + shift.

    >>> offset_of(IntType(0, 9)), offset_of(IntType(-1, 1))
    (0, 2048)
    """
    return BELOW_ZERO if isinstance(element, IntType) and element.low < 0 else 0


def first_of(type: Type) -> int:
    """Returns the value that has index 0: a range's low end, else 0."""
    return type.low if isinstance(type, IntType) else 0
