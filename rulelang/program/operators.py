"""The strict operators of the IR, computed on plain ints.

operate("ceildiv", (7, 2))        4
"""

from __future__ import annotations

from typing import assert_never

from rulelang.errors import RangeViolation
from rulelang.ir.model import Operator
from rulelang.ir.model.operators import OPERATORS
from rulelang.ir.types import LARGEST, NONE, SET_LIMIT

TOO_LOW = f"a calculation comes to {NONE}: the lowest number is {-LARGEST}"
"""What is wrong with a result that would be stored as none is."""


def operate(name: Operator, arguments: tuple[int, ...]) -> int:
    """Returns the result of a strict operator; see `ir.model.Op`.

    >>> operate("ceildiv", (7, 2)), operate("mod", (-7, 3)), operate("range", (2, 4))
    (4, 2, 28)
    """
    row = OPERATORS[name]
    if NONE in arguments:
        match row.none:
            case "nothing":
                return 0
            case "an empty set":
                arguments = tuple(0 if mask == NONE else mask for mask in arguments)
            case "a fault":
                raise RangeViolation("`none` stands where a number is needed")
            case "its value":
                pass
            case _:
                assert_never(row.none)
    if name == "single":
        return single(arguments[0])
    try:
        result = int(row.value(*arguments))
    except ZeroDivisionError:
        raise RangeViolation(f"{arguments[0]} cannot be divided by 0") from None
    if result == NONE:  # as a number it could not be told from none
        raise RangeViolation(TOO_LOW)
    return result


def single(value: int) -> int:
    """Returns the set of one value; raises RangeViolation for a value that no set can hold."""
    if value == NONE:
        return 0
    if not 0 <= value < SET_LIMIT:
        raise RangeViolation(f"a set cannot hold {value}")
    return 1 << value
