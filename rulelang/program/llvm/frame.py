"""The words beside a row while machine code runs: how it goes, the answer, the options, and the row as it was."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulelang.program.low import model as low

GOING, ENDED, TRAPPED = range(3)
STATUS, LEFT, COUNT, RNG, GIVEN = range(5)
"""What the first words of a frame are: how it goes, steps left, options listed, the word of the rng, the answer."""
NO_DICE, BY_STREAM, TOGETHER = range(3)
"""How dice are thrown: not by machine code, each stream by its key and count, or all by one key and the count of all."""
LEFT_OVER = 3
"""What is said of a playout that machine code could not play: `playouts.batch` counts from 0 how one can end."""
MOST_OPTIONS = 4096
"""A question with more options is left to another executor."""


def frame_size(program: low.Program) -> int:
    """Returns the size of a frame in words."""
    return memos_at(program) + sum(memo_size(function) for function in program.functions)


def keys_at(program: low.Program) -> int:
    """Returns the word of a frame that says how dice are rolled (NO_DICE, BY_STREAM, TOGETHER); the keys of the random streams follow it."""
    return GIVEN + program.width


def dice_at(program: low.Program) -> int:
    """Returns where in a frame stands the key of dice to think with: `machines.chance.Dice`."""
    return keys_at(program) + 1 + program.streams


def offers_at(program: low.Program) -> int:
    """Returns the word of a frame at which the options begin."""
    return dice_at(program) + 1


def moment_at(program: low.Program) -> int:
    """Returns the word of a frame with the number of the `score` that is worked out, by which memos know whether they hold; else 0.

    Behind it stands the last number that was given.
    """
    return before_at(program) + program.row


def memos_at(program: low.Program) -> int:
    """Returns the word of a frame at which the memos begin, in the order of the functions."""
    return moment_at(program) + 2


def memo_size(function: low.Function) -> int:
    """Returns the size of a function's memo: for each result the number of its moment, the steps that it cost, and itself."""
    return prod(many for _, many in function.memo) * (2 + function.result) if function.memo else 0


def before_at(program: low.Program) -> int:
    """Returns the word of a frame at which the copy of the row before the answer begins."""
    return offers_at(program) + MOST_OPTIONS * program.width
