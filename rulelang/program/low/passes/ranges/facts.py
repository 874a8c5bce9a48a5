"""Words -> the values that they may have, from those of the slots, tables and registers that they read.

facts.binary("+", Bounds(0, 7), Bounds(1, 1))      Bounds(1, 8)
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import product
from typing import assert_never

from rulelang.ir.types import NONE
from rulelang.program.low import model as low
from rulelang.program.low.bounds import ANY, NEVER
from rulelang.program.low.model import FAR, WIDEST, Bounds

FLAG = Bounds(0, 1)
RESULTS: Mapping[low.BinaryName, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "min": min,
    "max": max,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "div": operator.floordiv,
    "mod": operator.mod,
    "outside": lambda number, size: not 0 <= number < size,
}
"""The results of the operators that do not depend on the width of words."""


def calculated(name: low.BinaryName, a: int, b: int) -> int | None:
    """Returns the result of an operator on two numbers.

    None stands for a division by zero, and for a result that depends on the width of words.
    """
    if name not in RESULTS or (name in ("div", "mod") and not b):
        return None
    return int(RESULTS[name](a, b))


@lru_cache(4096)
def exactly(value: int) -> Bounds:
    """Returns the bounds of one value."""
    return Bounds(1, 0, none=True) if value == NONE else Bounds(value, value)


def only(bounds: Bounds) -> int | None:
    """Returns the value, if there is only one."""
    if bounds.none:
        return NONE if bounds.low > bounds.high else None
    return bounds.low if bounds.low == bounds.high else None


def numeric(bounds: Bounds) -> tuple[int, int]:
    """Returns the least and the greatest value, with none as the number that stands for it."""
    if not bounds.none:
        return bounds.low, bounds.high
    if bounds.low > bounds.high:
        return NONE, NONE
    return min(bounds.low, NONE), max(bounds.high, NONE)


def may_be(bounds: Bounds, value: int) -> bool:
    """Returns whether a word may have a value."""
    return (value == NONE and bounds.none) or bounds.low <= value <= bounds.high


def is_flag(bounds: Bounds) -> bool:
    """Returns whether a word is 0 or 1."""
    return not bounds.none and bounds.low >= 0 and bounds.high <= 1


def clamped(low: int, high: int) -> Bounds:
    """Returns bounds that are not beyond everything."""
    return Bounds(max(low, -FAR), min(high, FAR))


def unary(name: low.UnaryName, of: Bounds) -> Bounds:
    """Returns the bounds of an operator's result."""
    least, most = numeric(of)
    match name:
        case "neg":
            return clamped(-most, -least)
        case "flip":
            return clamped(-most - 1, -least - 1)
        case "count":
            return Bounds(0, most.bit_length() if least >= 0 else FAR)
        case "lowest":
            return Bounds(-1, max(most.bit_length(), low.BITS) if least >= 0 else FAR)
        case "mixed":
            return ANY
        case _:
            assert_never(name)


def binary(name: low.BinaryName, a: Bounds, b: Bounds) -> Bounds:
    """Returns the bounds of an operator's result."""
    (a_low, a_high), (b_low, b_high) = numeric(a), numeric(b)
    if a_low > a_high or b_low > b_high:
        return NEVER
    match name:
        case "+":
            return clamped(a_low + b_low, a_high + b_high)
        case "-":
            return clamped(a_low - b_high, a_high - b_low)
        case "*":
            found = [x * y for x, y in product((a_low, a_high), (b_low, b_high))]
            return clamped(min(found), max(found))
        case "min":
            return Bounds(min(a_low, b_low), min(a_high, b_high))
        case "max":
            return Bounds(max(a_low, b_low), max(a_high, b_high))
        case "&":
            known = [high for low, high in ((a_low, a_high), (b_low, b_high)) if low >= 0]
            return Bounds(0, min(known)) if known else ANY
        case "|" | "^":
            return Bounds(0, (1 << max(a_high, b_high).bit_length()) - 1) if a_low >= 0 and b_low >= 0 else ANY
        case "<<":
            return clamped(a_low << b_low, a_high << b_high) if a_low >= 0 and 0 <= b_low <= b_high < WIDEST else ANY
        case ">>":
            return Bounds(a_low >> b_high, a_high >> b_low) if a_low >= 0 and 0 <= b_low <= b_high < WIDEST else ANY
        case "mod":
            return Bounds(0, b_high - 1) if b_low > 0 else ANY
        case "div" | "high":
            return ANY
        case "==" | "!=" | "<" | "<=" | ">" | ">=" | "outside":
            found_truth = compared(name, a, b)
            return FLAG if found_truth is None else exactly(found_truth)
        case _:
            assert_never(name)


def compared(name: low.BinaryName, a: Bounds, b: Bounds) -> int | None:
    """Returns the truth of a comparison, None if it depends."""
    (a_low, a_high), (b_low, b_high) = numeric(a), numeric(b)
    if a_low > a_high or b_low > b_high:
        return None
    match name:
        case "==" | "!=":
            value, other = only(a), only(b)
            if value is not None and other is not None:
                return int((value == other) == (name == "=="))
            may = may_be(b, value) if value is not None else may_be(a, other) if other is not None else True
            if not may or ((a_high < b_low or b_high < a_low) and not (a.none and b.none)):
                return int(name == "!=")
            return None
        case "<":
            return 1 if a_high < b_low else 0 if a_low >= b_high else None
        case "<=":
            return 1 if a_high <= b_low else 0 if a_low > b_high else None
        case ">":
            return 1 if a_low > b_high else 0 if a_high <= b_low else None
        case ">=":
            return 1 if a_low >= b_high else 0 if a_high < b_low else None
        case "outside":
            return 0 if a_low >= 0 and a_high < b_low else 1 if a_high < 0 or a_low >= b_high else None
        case _:  # no other operator compares
            raise AssertionError(name)


def narrowed(bounds: Bounds, name: str, other: Bounds) -> Bounds:
    """Returns the bounds of a word whose comparison with another word is known to hold."""
    least, most = numeric(other)
    low, high, none = bounds.low, bounds.high, bounds.none
    match name:
        case "==":
            return (
                Bounds(max(low, other.low), min(high, other.high), none and other.none) if not _mixed(other) else bounds
            )
        case "!=":
            value = only(other)
            if value == NONE:
                return Bounds(low, high)
            return Bounds(low + (value == low), high - (value == high), none) if value is not None else bounds
        case "<":
            return Bounds(low, min(high, most - 1), none and most > NONE)
        case "<=":
            return Bounds(low, min(high, most), none and most >= NONE)
        case ">":
            return Bounds(max(low, least + 1), high, none and least < NONE)
        case ">=":
            return Bounds(max(low, least), high, none and least <= NONE)
        case "inside":
            return Bounds(max(low, 0), min(high, most - 1))
        case "outside":
            return Bounds(1, 0, none) if low >= 0 and high < least else bounds
        case _:  # no other word narrows bounds
            return bounds


def _mixed(bounds: Bounds) -> bool:
    """Returns whether the interval itself holds the number that stands for none."""
    return bounds.low <= NONE <= bounds.high
