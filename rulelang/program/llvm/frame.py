"""The words beside a row while machine code runs: its status, the answer, the options, and a copy of the row."""

from __future__ import annotations

from array import array
from math import prod
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from rulelang.program.low import model as low

GOING, ENDED, TRAPPED = range(3)
STATUS, LEFT, COUNT, RNG, GIVEN = range(5)
"""The first words of a frame: the status, the steps left, the number of options listed, the rng's state, the answer."""
NO_DICE, BY_STREAM, TOGETHER = range(3)
"""How dice are rolled: not by machine code, by each stream's own key and count, or by one key and one count for all."""
LEAVE, LOOK, BEGIN = -1, -2, -3
"""What `step_many` is told of a game instead of the number of an option: to leave it alone, to list its options, to
begin it."""
NO_BLOCK = -1
"""Nothing to run before the next question is answered."""
ASKED, OVER, CUT, UNTAKEN, UNLISTED = range(5)
"""What became of a game in `step_many`: a seat is asked; it is over; it was cut short; machine code could not take the
step; it could not list the options."""
BATCH = (
    *("frame", "rows", "picks", "seats", "counts", "states", "lengths", "options", "keys"),
    *("many", "room", "most", "block", "left"),
)
"""The words that `step_many` is given: addresses of words; then the number of games, the options kept of each, the most
answers of a game, the first block of the rules, and the steps that a set-up may take."""
MOST_OPTIONS = 4096
"""A question with more options is left to another executor."""


def frame_size(program: low.Program) -> int:
    """Returns the size of a frame in words."""
    return memos_at(program) + sum(memo_size(function) for function in program.functions)


def pointers(program: low.Program) -> str:
    """Returns the first parameters of a function: a row and the frame beside it, with what LLVM may rely on."""
    sure = "noalias nonnull noundef align 8 dereferenceable"
    return f"ptr {sure}({8 * program.row}) %S, ptr {sure}({8 * before_at(program)}) %M"


def keys_at(program: low.Program) -> int:
    """Returns the word of a frame that says how dice are rolled (NO_DICE, BY_STREAM, TOGETHER).

    The keys of the random streams follow it.
    """
    return GIVEN + program.width


def dice_at(program: low.Program) -> int:
    """Returns the word of a frame with the key of the dice of a thought (`machines.chance.Dice`)."""
    return keys_at(program) + 1 + program.streams


def offers_at(program: low.Program) -> int:
    """Returns the word of a frame at which the options begin."""
    return dice_at(program) + 1


def moment_at(program: low.Program) -> int:
    """Returns the word of a frame with the number of the `score` that is being computed, 0 while none is.

    A memo holds if it was written under this number. The word behind it is the last number used.
    """
    return before_at(program) + program.row


def memos_at(program: low.Program) -> int:
    """Returns the word of a frame at which the memos begin, in the order of the functions."""
    return moment_at(program) + 2


def memo_size(function: low.Function) -> int:
    """Returns the size of a function's memo in words: for each
    result its moment, the steps that it cost, and the result."""
    return prod(many for _, many in function.memo) * (2 + function.result) if function.memo else 0


def before_at(program: low.Program) -> int:
    """Returns the word of a frame at which the copy of the row before the answer begins."""
    return offers_at(program) + MOST_OPTIONS * program.width


@attrs.frozen(eq=False)
class SteppedWords:
    """The memory of games that lie side by side, as machine code reads it; a step writes to it in place.

    Game i has its row at `i * size` of `rows`, and its options from `i * room * width` of `options` on, if they are at most
    `room`: each the number of its branch and its values, padded to `width`.
    """

    rows: array[int]
    size: int
    options: array[int]
    room: int
    width: int
    question: int
    """The slot of a row with the number of the pending question, plus 1."""
    choices: tuple[int, ...]
    """By question: its choice."""
    wide: frozenset[int]
    """The slots of the game that hold more than one word, and lie elsewhere in these rows."""
