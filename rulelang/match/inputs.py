"""Validates the inputs of a match before anything changes: seats, times, options.

Each function returns its argument, or raises an error of `rulelang.errors` that says what was expected.
"""

from __future__ import annotations

from typing import get_args

from rulelang.errors import InvalidInput
from rulelang.ir.model import Choice
from rulelang.ir.numbers import Seat
from rulelang.machines.machine import Answer
from rulelang.match.recording.events import AnsweredBy
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


def answered_by(by: object, choice: Choice | None, answer: Answer) -> AnsweredBy | None:
    """Returns the reason why the table gives an answer; raises InvalidInput for one that there is not."""
    if by is None or by in get_args(AnsweredBy):
        if by == "clock" and (choice is None or choice.seconds is None or answer[0] != choice.decline):
            raise InvalidInput("no time runs out here: a question says so, `or pass after 60 seconds`")
        return by  # type: ignore[return-value]
    raise InvalidInput(f"an answer is given by the clock or as a standing one, not by {described(by)}")
