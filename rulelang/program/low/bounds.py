"""Types and words of the rules -> the values that they may have.

type_bounds(IntType(1, 6))                      Bounds(1, 6)
hull(Bounds(0, 3), Bounds(5, 5, none=True))     Bounds(0, 5, none=True)
"""

from __future__ import annotations

from rulelang.errors import Unsupported
from rulelang.ir.types import LARGEST, NONE, SetType, Type
from rulelang.program.low.model import FAR, Bounds
from rulelang.program.low.words import KnownWord, bits_of, limits

ANY = Bounds(-FAR, FAR, none=True)
NEVER = Bounds(1, 0)
"""The bounds of a word that is never computed."""
NOTHING = Bounds(1, 0, none=True)
"""The bounds of none."""


def hull(a: Bounds, b: Bounds) -> Bounds:
    """Returns bounds that hold all values of two others: one of these, if that is enough."""
    if a is b:
        return a
    none = a.none or b.none
    if a.low > a.high or (b.low <= a.low and a.high <= b.high):
        return b if none == b.none else Bounds(b.low, b.high, none)
    if b.low > b.high or (a.low <= b.low and b.high <= a.high):
        return a if none == a.none else Bounds(a.low, a.high, none)
    return Bounds(min(a.low, b.low), max(a.high, b.high), none)


def both(a: Bounds, b: Bounds) -> Bounds:
    """Returns bounds that hold the values that two others have in common."""
    return Bounds(max(a.low, b.low), min(a.high, b.high), a.none and b.none)


def type_bounds(type: Type) -> Bounds:
    """Returns the bounds of the values of a type.

    >>> from rulelang.ir.types import IntType
    >>> type_bounds(IntType(1, 6))
    Bounds(low=1, high=6, none=False)
    """
    try:
        if isinstance(type, SetType):
            return Bounds(0, bits_of(type), type.optional)
        low, high = limits(type)
    except Unsupported:
        return ANY
    return Bounds(low, high, type.optional) if low >= -LARGEST and NONE < high <= LARGEST else ANY


def word_bounds(known: KnownWord) -> Bounds:
    """Returns the bounds of a word of the rules."""
    if known.value is not None:
        return NOTHING if known.value == NONE else Bounds(known.value, known.value)
    return Bounds(0 if known.is_set else known.low, known.high, known.none)
