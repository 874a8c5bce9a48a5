"""The limits of a thought of the score policy, in Python and in machine code, and its memory in machine code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.program.llvm import frame

if TYPE_CHECKING:
    from rulelang.program.low import model as low

LOOKED, COMPARED, SEATED, DICE_KEYS = 0, 1, 2, 3
"""The words of a thought: positions looked at, the most options to compare, the players, the keys of the dice."""
DICE = 4
"""The number of sets of dice that are tried."""
THROWS = 2
"""The number of times that an option with a random result is tried."""
FEW_INSIDE = 5
"""The most options that are compared in the middle of a step."""
MOST_INSIDE = 40
"""The most questions that are answered in the middle of a step."""
MOST_OWN = 12
"""The most choices of its own that a seat makes before another is asked."""
MOST_COMPARED = 64
"""The most options that are compared by machine code."""
ENDED = 1_000_000
"""The value of a win, above any score; a loss is worth as much below 0."""
FAR = 2.0
"""So many standard deviations from the mean, a lead counts as a win or a loss."""
A_POINT = 100
"""The value of each point when the game ends with a score."""
MOST_LOOKED = 1_000_000
"""A thought that looks at more positions without coming to an end is left to another executor."""


WORTHS = DICE_KEYS + DICE
"""The first word of a thought with what the compared options are worth, as doubles; the options come behind it."""
OUTSIDE = WORTHS + MOST_COMPARED
"""The first word of a thought with the compared options."""


def thought_places(program: low.Program) -> dict[str, int]:
    """Returns the first word of each part of a thought, and its size in words under SIZE."""
    sizes = {
        "WORTHS": MOST_COMPARED,
        "OUTSIDE": MOST_COMPARED * program.width,
        "FORK_AFTER": program.row,
        "FORK_INSIDE": program.row,
        "INSIDE": (FEW_INSIDE + 1) * program.width,
        "POOL": frame.MOST_OPTIONS,
        "PICKED": frame.MOST_OPTIONS,
        "STARTS": frame.MOST_OPTIONS,
        "SIZES": frame.MOST_OPTIONS,
    }
    places, at = {}, WORTHS
    for name, size in sizes.items():
        places[name], at = at, at + size
    return places | {"SIZE": at}
