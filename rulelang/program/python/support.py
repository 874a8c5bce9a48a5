"""The names that printed modules use and do not define.

exec(code, names())      # the module's functions: OPTIONS, ANSWERS, BLOCKS
"""

from __future__ import annotations

from typing import Any

from rulelang.ir.numbers import Row
from rulelang.ir.types import NONE
from rulelang.program.randomness import mixed

MOST_OPTIONS = 4_096
"""The most options that are listed."""


class Trap(Exception):
    """A step is left to another executor."""


class PlayoutOver(Exception):
    """The game is over."""


def names() -> dict[str, Any]:
    """Returns the names, for one module."""
    return {
        "NONE": NONE,
        "Trap": Trap,
        "PlayoutOver": PlayoutOver,
        "MOST": MOST_OPTIONS,
        "mixed": mixed,
        "lowest": lowest,
    }


def lowest(mask: int) -> int:
    """Returns the lowest member of a set, or -1 of the empty one.

    >>> lowest(0b1100)
    2
    """
    return (mask & -mask).bit_length() - 1


def no_draw(row: Row, stream: int) -> int:
    """Stands for a source of chance that only another executor can ask."""
    raise Trap
