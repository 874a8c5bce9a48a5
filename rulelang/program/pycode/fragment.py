"""A Python expression with the bounds of its value and whether it may be NONE.

Bounds are what makes the printed code lean: a check is printed only where a value can fail it.

    heap - n        # Fragment("S[3] - x1", low=-3, high=11)
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulelang.ir.types import NONE, SetType, Type, first_of, offset_of, size_of


@attrs.frozen
class Fragment:
    """Python text of an int, or (with `truth`) of anything that Python takes as true or false.

    low, high   bounds of a number that is not NONE, None for unknown; of a set, `high` has every bit that may be set
    none        may be NONE
    atom        needs no brackets as an operand
    simple      a name or a number, which may be printed twice at no cost
    value       the number itself, when it is known
    """

    text: str
    low: int | None = None
    high: int | None = None
    none: bool = False
    atom: bool = False
    simple: bool = False
    truth: bool = False
    is_set: bool = False
    value: int | None = None

    @property
    def operand(self) -> str:
        """The text as part of a larger expression."""
        return self.text if self.atom else f"({self.text})"

    @property
    def integer(self) -> Fragment:
        """The fragment as an int that can be stored."""
        if not self.truth:
            return self
        return Fragment(f"1 if {self.text} else 0", 0, 1)

    @property
    def bits(self) -> int | None:
        """Every bit that may be set, if the value is a set; None for unknown.

        Where it is one of several known sets, only the greatest of their masks is known.
        """
        if self.is_set or self.high is None or self.value is not None:
            return self.high
        return (1 << self.high.bit_length()) - 1

    @property
    def condition(self) -> str:
        """The text of a condition: it holds when the value is above 0."""
        if self.value is not None:
            return str(self.value > 0)
        if self.truth or (not self.none and self.low is not None and self.low >= 0):
            return self.text
        return f"{self.operand} > 0"


def number(value: int) -> Fragment:
    """Returns the fragment of a known number, or of NONE."""
    if value == NONE:
        return Fragment("NONE", 0, 0, none=True, atom=True, simple=True, value=NONE)
    return Fragment(str(value), value, value, atom=value >= 0, simple=True, value=value)


def truth(text: str, atom: bool = False) -> Fragment:
    """Returns the fragment of a condition."""
    return Fragment(text, 0, 1, truth=True, atom=atom)


def typed(text: str, type: Type, *, simple: bool = False, atom: bool = True) -> Fragment:
    """Returns the fragment of a value of a type."""
    low, high = bounds(type)
    return Fragment(text, low, high, none=type.optional, atom=atom, simple=simple, is_set=isinstance(type, SetType))


def looked_up(text: str, type: Type, values: Sequence[int], *, atom: bool = True) -> Fragment:
    """Returns the fragment of a look-up in known values."""
    found = typed(text, type, atom=atom)
    numbers = [value for value in values if value != NONE]
    if numbers and not found.is_set:
        found = attrs.evolve(found, low=min(numbers), high=max(numbers))
    return attrs.evolve(found, none=len(numbers) < len(values))


def bounds(type: Type) -> tuple[int | None, int | None]:
    """Returns the least and the greatest value of a type; of sets, 0 and all bits.

    >>> from rulelang.ir.types import IntType
    >>> bounds(IntType(1, 3)), bounds(SetType(IntType(1, 3)))
    ((1, 3), (0, 14))
    """
    if isinstance(type, SetType):
        low, high = bounds(type.element)
        if low is None or high is None or high + offset_of(type.element) < 0:
            return 0, None
        offset = offset_of(type.element)
        return 0, (1 << high + offset + 1) - (1 << max(low + offset, 0))
    try:
        return first_of(type), first_of(type) + size_of(type) - 1
    except ValueError:
        return None, None


def fits(fragment: Fragment, type: Type) -> bool:
    """Returns whether every value that a fragment can have is in a type."""
    if fragment.none and not type.optional:
        return False
    if fragment.value == NONE:
        return True
    low, high = bounds(type)
    if isinstance(type, SetType):
        return high is None or (fragment.bits is not None and not fragment.bits & ~high)
    if low is None or high is None:
        return True
    return fragment.low is not None and fragment.high is not None and low <= fragment.low and fragment.high <= high


def hull(text: str, a: Fragment, b: Fragment) -> Fragment:
    """Returns the fragment of a text whose value is that of one fragment or the other."""
    if a.truth and b.truth:
        return truth(f"({text})", atom=True)
    if NONE in (a.value, b.value):
        one = b if a.value == NONE else a
        return attrs.evolve(one, text=text, none=True, atom=False, simple=False, truth=False, value=None)
    is_set = a.is_set or b.is_set
    low = None if a.low is None or b.low is None else min(a.low, b.low)
    if is_set:
        high = None if a.bits is None or b.bits is None else a.bits | b.bits
    else:
        high = None if a.high is None or b.high is None else max(a.high, b.high)
    return Fragment(text, low, high, none=a.none or b.none, is_set=is_set)


def tuple_text(fragments: list[Fragment]) -> str:
    """Returns the text between the brackets of a tuple."""
    return ", ".join(fragment.integer.text for fragment in fragments) + ("," if len(fragments) == 1 else "")
