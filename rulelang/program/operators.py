"""The strict operators of the IR, computed on plain ints.

operate("ceildiv", (7, 2))        4
"""

from __future__ import annotations

from typing import Literal, assert_never

from rulelang.errors import RangeViolation
from rulelang.ir.model import (
    Calculation,
    Operator,
    Ordering,
    SetOperator,
)
from rulelang.ir.model.calculations import CALCULATIONS, is_calculation
from rulelang.ir.types import LARGEST, NONE, SET_LIMIT
from rulelang.program.packing import mask_of

TOO_LOW = f"a calculation comes to {NONE}: the lowest number is {-LARGEST}"
"""What is wrong with a result that would be stored as none is."""


def operate(name: Operator, arguments: tuple[int, ...]) -> int:
    """Returns the result of a strict operator; see `ir.model.Op`.

    >>> operate("ceildiv", (7, 2)), operate("mod", (-7, 3)), operate("range", (2, 4))
    (4, 2, 28)
    """
    if is_calculation(name):
        return _calculate(name, arguments)
    match name:  # the most frequent first
        case "==":
            return int(arguments[0] == arguments[1])
        case "!=":
            return int(arguments[0] != arguments[1])
        case "<" | "<=" | ">" | ">=":
            return _compare(name, *arguments)
        case "not":
            return int(arguments[0] <= 0)
        case "in":
            x, mask = arguments
            return int(x >= 0 and mask != NONE and mask >> x & 1)
        case "single":
            return single(arguments[0])
        case "range":
            low, high = arguments
            return mask_of(range(max(low, 0), min(high, SET_LIMIT - 1) + 1)) if NONE not in arguments else 0
        case "union" | "minus" | "inter" | "size":
            return _combine(name, *(0 if mask == NONE else mask for mask in arguments))
        case _:
            assert_never(name)


def _calculate(name: Calculation, arguments: tuple[int, ...]) -> int:
    if NONE in arguments:
        raise RangeViolation("`none` stands where a number is needed")
    try:
        result = CALCULATIONS[name].value(*arguments)
    except ZeroDivisionError:
        raise RangeViolation(f"{arguments[0]} cannot be divided by 0") from None
    if result == NONE:  # as a number it could not be told from none
        raise RangeViolation(TOO_LOW)
    return result


def _compare(name: Ordering, a: int, b: int) -> int:
    if NONE in (a, b):
        return 0
    match name:
        case "<":
            return int(a < b)
        case "<=":
            return int(a <= b)
        case ">":
            return int(a > b)
        case ">=":
            return int(a >= b)
        case _:
            assert_never(name)


def single(value: int) -> int:
    """Returns the set of one value; raises RangeViolation for a value that no set can hold."""
    if value == NONE:
        return 0
    if not 0 <= value < SET_LIMIT:
        raise RangeViolation(f"a set cannot hold {value}")
    return 1 << value


def _combine(name: SetOperator | Literal["size"], a: int, b: int = 0) -> int:
    match name:
        case "union":
            return a | b
        case "minus":
            return a & ~b
        case "inter":
            return a & b
        case "size":
            return a.bit_count()
        case _:
            assert_never(name)
