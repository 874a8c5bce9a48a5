"""The possible values of an expression: an interval with holes, perhaps `none`.

x + 1       where x is 0..4: Amount(1, 5)
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from rulelang.ir.model import Calculation
from rulelang.ir.model.operators import CALCULATIONS
from rulelang.ir.types import LARGEST, NONE, EnumType, FlagType, IntType, KindType, SetType, Type, offset_of

MISSING, KEPT, FOUND = 1, 2, 3
"""The origins of `none`. MISSING: no row has the key, or the slot or pile is empty. KEPT:
a variable, parameter or printed column of type `T?`. FOUND: a function without a result
(`step`, `next`, `first`, `min`, `random`), or a value without a case that applies.
"""


@attrs.frozen(cache_hash=True)
class Amount:
    """The whole numbers from `low` to `high` without the `holes`,
    and NONE unless `none` is 0; no number if `low` > `high`.

    `none` is 0, or the origin of NONE: MISSING, KEPT, FOUND. `loose` says that several varying numbers were combined,
    so that the ends may be unattainable.
    """

    low: int
    high: int
    none: int = 0
    holes: frozenset[int] = frozenset()
    loose: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether it has no value."""
        return self.low > self.high and not self.none

    @property
    def has_number(self) -> bool:
        return self.low <= self.high

    @property
    def is_none(self) -> bool:
        """Whether NONE is its only value."""
        return self.low > self.high and self.none > 0

    @property
    def only(self) -> int | None:
        """Its only value, if that is a number; else None."""
        return self.low if self.low == self.high and not self.none else None

    def without_none(self) -> Amount:
        return attrs.evolve(self, none=0) if self.none else self

    def or_none(self, how: int = FOUND) -> Amount:
        return attrs.evolve(self, none=max(self.none, how))

    def without(self, value: int) -> Amount:
        """Returns the amount without one number."""
        if not self.low <= value <= self.high:
            return self
        return amount(self.low, self.high, self.none, self.holes | {value}, self.loose)

    def within(self, low: int, high: int) -> Amount:
        """Returns its numbers between two ends, without NONE."""
        return amount(max(self.low, low), min(self.high, high), 0, self.holes, self.loose)

    def meet(self, other: Amount) -> Amount:
        """Returns the values that both contain."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        # The narrower amount decides whether the ends are attainable.
        loose = self.loose if (self.low, self.high) == (low, high) else other.loose
        if (other.low, other.high) == (low, high):
            loose = loose and other.loose
        return amount(low, high, min(self.none, other.none), self.holes | other.holes, loose)

    def hull(self, other: Amount) -> Amount:
        """Returns an amount that contains both."""
        none = max(self.none, other.none)
        if not self.has_number or not other.has_number:
            one = other if not self.has_number else self
            return attrs.evolve(one, none=none)
        holes = frozenset(h for h in self.holes | other.holes if not self.holds(h) and not other.holds(h))
        low, high = min(self.low, other.low), max(self.high, other.high)
        return amount(low, high, none, holes, self.loose or other.loose)

    def holds(self, value: int) -> bool:
        return self.low <= value <= self.high and value not in self.holes

    def fits(self, low: int, high: int) -> bool:
        """Returns whether all its numbers lie between two ends."""
        return not self.has_number or (low <= self.low and self.high <= high)

    def is_outside(self, low: int, high: int) -> bool:
        """Returns whether it is certain to be a number outside two ends."""
        return self.has_number and not self.none and (self.high < low or high < self.low)


NOTHING = Amount(1, 0)
ANYTHING = Amount(-LARGEST, LARGEST, none=FOUND, loose=True)
FLAG, YES, NO = Amount(0, 1), Amount(1, 1), Amount(0, 0)
JUST_NONE = Amount(1, 0, none=FOUND)


def amount(low: int, high: int, none: int = 0, holes: frozenset[int] = frozenset(), loose: bool = False) -> Amount:
    """Returns an amount, narrowed until its ends are no holes."""
    while low <= high and low in holes:
        low += 1
    while low <= high and high in holes:
        high -= 1
    if low > high:
        low, high = 1, 0
    return Amount(low, high, none, frozenset(h for h in holes if low < h < high) if holes else holes, loose)


def of_type(type: Type) -> Amount:
    """Returns the values of a type; for a set type, any number."""
    match type:
        case IntType(low=low, high=high):
            return Amount(low, high, KEPT * type.optional)
        case FlagType():
            return Amount(0, 1, KEPT * type.optional)
        case EnumType(members=members):
            return Amount(0, len(members) - 1, KEPT * type.optional)
        case KindType(size=size):
            return Amount(0, size - 1, KEPT * type.optional)
        case _:  # any other type is no number
            return ANYTHING


def of_element(type: Type) -> Amount:
    """Returns the possible members of a set of this type, as bits."""
    if not isinstance(type, SetType):
        return ANYTHING.without_none()
    element, more = of_type(type.element.certain()), offset_of(type.element)
    return attrs.evolve(element, low=element.low + more, high=element.high + more)


def of_values(values: Iterable[int]) -> Amount:
    """Returns an amount that contains these values."""
    found = set(values)
    numbers = found - {NONE}
    if not numbers:
        return attrs.evolve(JUST_NONE, none=KEPT) if found else NOTHING
    low, high = min(numbers), max(numbers)
    holes = frozenset(range(low, high + 1)) - numbers if high - low <= 4096 else frozenset()
    return Amount(low, high, KEPT * (NONE in found), holes)


def of_mask(mask: int) -> Amount:
    """Returns an amount that contains all bits of a mask."""
    if mask <= 0:
        return NOTHING
    return of_values(i for i in range(mask.bit_length()) if mask >> i & 1)


def reckoned(name: Calculation, parts: list[Amount]) -> Amount:
    """Returns the results of an arithmetic operator on the numbers of amounts; NONE is left out."""
    if any(not part.has_number for part in parts):
        return NOTHING
    loose = any(part.loose for part in parts) or sum(part.low != part.high for part in parts) > 1
    ends = [(part.low, part.high) for part in parts]
    match name, ends:
        case (("floordiv" | "ceildiv"), [(a, b), (x, y)]):
            divisors = {d for d in (x, y, -1, 1) if d and x <= d <= y}
            if not divisors:
                return NOTHING
            found = [p // d if name == "floordiv" else -(-p // d) for p in (a, b) for d in divisors]
            low, high = min(found), max(found)
        case "mod", [_, (x, y)]:
            low, high = min(0, x + 1), max(0, y - 1)
            if x == y > 0 and parts[0].low >= 0 and parts[0].high < x:
                low, high = parts[0].low, parts[0].high
        case _:  # any other calculation comes to what its row says
            low, high = CALCULATIONS[name].span(*ends)
            if name in ("min", "max"):
                loose = any(part.loose for part in parts if part.high == high)
    holes: frozenset[int] = frozenset()
    if name in "+-" and parts[0].holes and len(parts) == 2 and parts[1].only is not None:
        shift = parts[1].low if name == "+" else -parts[1].low
        holes = frozenset(h + shift for h in parts[0].holes)
    return amount(max(low, -LARGEST), min(high, LARGEST), 0, holes, loose)
