"""The names that printed modules use and do not define.

exec(code, names())      # the module's functions: OPTIONS, ANSWERS, BLOCKS
"""

from __future__ import annotations

from typing import Any, Protocol

from rulelang.ir.numbers import Row
from rulelang.ir.types import NONE
from rulelang.program.packing import items, members, pack
from rulelang.program.python.memory import LEFT, METER
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
        "spent": spent,
        "items": items,
        "members": members,
        "pack": pack,
        "things_in": things_in,
    }


class Paying(Protocol):
    """The rest of a budget; `machines.meter` has the one that counts."""

    left: int

    def pass_on(self, site: int) -> None: ...


def spent(memory: list[Any], site: int) -> None:
    """Goes on with the second half of a budget, on behalf of a line; raises RunawayRules if that is spent too, and Trap
    if there is none."""
    meter: Paying | None = memory[METER] if len(memory) > METER else None
    if meter is None:
        raise Trap
    meter.left = memory[LEFT]
    meter.pass_on(site)
    memory[LEFT] = meter.left


def lowest(mask: int) -> int:
    """Returns the lowest member of a set, or -1 of the empty one.

    >>> lowest(0b1100)
    2
    """
    return (mask & -mask).bit_length() - 1


def things_in(pile: int, mask: int) -> list[int]:
    """Returns the things of a pile that are in a set, from the top.

    >>> things_in(pack([3, 0, 2]), 0b1001)
    [3, 0]
    """
    return [thing for thing in items(pile) if mask >> thing & 1]


def no_draw(row: Row, stream: int) -> int:
    """Stands for a source of chance that only another executor can ask."""
    raise Trap
