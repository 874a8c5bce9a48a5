"""Validates the inputs of a match before anything changes: seats, times, options.

Each function returns its argument, or raises an error of `rulelang.errors` that says what was expected.
"""

from __future__ import annotations

from rulelang.errors import InvalidInput
from rulelang.ir.numbers import Seat
from rulelang.seed import described

LONGEST_TIME = 2**31


def seat(value: object, players: int) -> Seat:
    """Returns the number of a seat, from 0; raises InvalidInput if the game has no such seat."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < players:
        return Seat(value)
    raise InvalidInput(f"a seat is a number from 0 to {players - 1}, not {described(value)}")


def viewer(value: object, players: int) -> Seat | None:
    """Returns the number of a seat, or None for a spectator; raises InvalidInput."""
    return None if value is None else seat(value, players)


def whole(value: object, what: str) -> int:
    """Returns an integer from 0; raises InvalidInput.

    >>> whole(2**40, "n")
    Traceback (most recent call last):
    ...
    rulelang.errors.InvalidInput: n is a whole number from 0 to 2,147,483,647, not a number of 41 bits
    """
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < LONGEST_TIME:
        return value
    most = f" to {LONGEST_TIME - 1:,}" if isinstance(value, int) and value >= LONGEST_TIME else ""
    raise InvalidInput(f"{what} is a whole number from 0{most}, not {described(value)}")
