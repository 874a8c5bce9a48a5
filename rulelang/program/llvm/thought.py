"""The memory of the score policy in machine code: its words, and the limits of a thought."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.program.llvm import frame

if TYPE_CHECKING:
    from rulelang.program.low import model as low

LOOKED, COMPARED, SEATED, DICE_KEYS = 0, 1, 2, 3
"""Words of a thought: positions looked at, the most options to compare, the players, the keys of the dice."""
DICE = 4
"""How many sets of dice are tried."""
THROWS = 2
"""The number of times that an option with a random result is tried."""
FEW_INSIDE = 5
"""The most options that are compared in the middle of a step."""
MOST_INSIDE = 40
"""The most questions that are answered in the middle of a step."""
MOST_COMPARED = 64
"""The most options that are compared by machine code."""
ENDED = 1_000_000
"""What winning is worth above any score; losing is as much below."""
A_POINT = 100
"""What a point is worth to whoever ends the game with a score."""
MOST_LOOKED = 1_000_000
"""A thought that looks at more positions without coming to an end is left to another executor."""


def thought_places(program: low.Program) -> dict[str, int]:
    """Returns the first word of each part of a thought, and its size in words under SIZE."""
    sizes = {
        "FORK_AFTER": program.row,
        "FORK_INSIDE": program.row,
        "OUTSIDE": MOST_COMPARED * program.width,
        "INSIDE": (FEW_INSIDE + 1) * program.width,
        "POOL": frame.MOST_OPTIONS,
        "PICKED": frame.MOST_OPTIONS,
        "STARTS": frame.MOST_OPTIONS,
        "SIZES": frame.MOST_OPTIONS,
    }
    places, at = {}, DICE_KEYS + DICE
    for name, size in sizes.items():
        places[name], at = at, at + size
    return places | {"SIZE": at}
