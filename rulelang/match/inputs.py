"""Validates the inputs of a match before anything changes: seats, times, options.

Each function returns its argument, or raises an error of `rulelang.errors` that says what was expected.
"""

from __future__ import annotations

from rulelang.errors import InvalidInput, UnknownOption
from rulelang.ir.model import Choice, GameRules
from rulelang.ir.numbers import Seat
from rulelang.machines.machine import Pending
from rulelang.match.options.option import Option
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


def option(value: object) -> Option | str:
    """Returns an option or its written form; raises InvalidInput for anything else."""
    if isinstance(value, str):
        return value
    if not isinstance(value, Option):
        raise InvalidInput(f"an option is one of `match.options` or its written form, not {described(value)}")
    answer = value.answer
    if not (isinstance(answer, tuple) and all(isinstance(n, int) and not isinstance(n, bool) for n in answer)):
        raise InvalidInput("an option's answer is a tuple of numbers")
    return value


def fitting(value: Option, game: GameRules, pending: Pending | None) -> Choice:
    """Returns the pending choice, which an option answers; raises UnknownOption for one of another match or moment."""
    if not isinstance(value, Option):
        raise InvalidInput(f"an option is one of `match.options`, not {described(value)}")
    if pending is None:
        raise UnknownOption("there is nothing to choose")
    choice = game.choices[pending.choice]
    if value.choice != choice.name or value.seat not in pending.seats:
        raise UnknownOption("this option answers another choice: ask the match for its options again")
    answer, lengths = value.answer, choice.answer_lengths
    if not answer or not 0 <= answer[0] < len(lengths) or len(answer) != lengths[answer[0]]:
        raise UnknownOption("this option is of another game")
    return choice
