"""The words beside a row while machine code runs: how it goes, the answer, the options, and the row as it was."""

from __future__ import annotations

from rulelang.program.low import model as low

GOING, ENDED, TRAPPED = range(3)
STATUS, LEFT, COUNT, LUCK, GIVEN = range(5)
"""What the first words of a frame are: how it goes, steps left, options listed, the word that luck is drawn from, the answer."""
MOST_OPTIONS = 4096
"""A question with more options is left to another executor."""


def frame_size(program: low.Program) -> int:
    """Returns how many words a frame has."""
    return before_at(program) + program.row


def luck_at(program: low.Program) -> int:
    """Returns where in a frame stands whether dice may be thrown, and behind it the key of each random stream."""
    return GIVEN + program.width


def offers_at(program: low.Program) -> int:
    """Returns where in a frame the options begin."""
    return luck_at(program) + 1 + program.streams


def before_at(program: low.Program) -> int:
    """Returns where in a frame the row stands as it was before the answer that is carried out."""
    return offers_at(program) + MOST_OPTIONS * program.width
