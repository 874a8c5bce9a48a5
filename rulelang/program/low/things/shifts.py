"""Steps over a board -> shifts of the set of spaces that one stands on, with a mask against the edges.

neighbours of a row of three     # (r0 & 0b011) << 1 | (r0 & 0b110) >> 1
"""

from __future__ import annotations

from rulelang.ir.types import NONE
from rulelang.program.low import model as low
from rulelang.program.low import words

MOST_SHIFTS = 20
"""The most shifts that are quicker than going through the new spaces one by one."""
EVERY = -1
"""The mask of all spaces."""


def shifts(neighbours: tuple[int, ...]) -> dict[int, int] | None:
    """Returns the steps from each space to its neighbours as shifts of a set of spaces: by the difference of two numbers,
    the spaces from which it leads to a neighbour. None where there are too many for that to be quick.

    Where only such spaces are left out as are shifted off the board anyway, that is EVERY space.

    >>> shifts((0b010, 0b101, 0b010))
    {1: -1, -1: -1}
    >>> shifts((0b0010, 0b0001, 0b1000, 0b0100))
    {1: 5, -1: 10}
    """
    found: dict[int, int] = {}
    for space, mask in enumerate(neighbours):
        while mask > 0:
            there, mask = mask.bit_length() - 1, mask ^ 1 << mask.bit_length() - 1
            found[there - space] = found.get(there - space, 0) | 1 << space
    if len(found) > MOST_SHIFTS:
        return None
    spaces = len(neighbours)
    return {by: EVERY if _leaves(((1 << spaces) - 1) & ~places, by, spaces) else places for by, places in found.items()}


def _leaves(spaces: int, by: int, size: int) -> bool:
    """Returns whether all of some spaces are shifted off a board, and out of no word that has room for its spaces."""
    if by < 0:
        return not spaces >> -by
    has_room = size > low.BITS or size + by < low.BITS - 1
    return has_room and not (spaces << by) & ((1 << size) - 1)


def directed_shifts(step: tuple[int, ...], width: int, directions: int) -> dict[int, int] | None:
    """Returns the steps in some directions as shifts; None where there are too many."""
    chosen = [d for d in range(width) if directions >> d & 1]
    rows = (step[at : at + width] for at in range(0, len(step), width))
    beside = tuple(sum({1 << row[d] for d in chosen if row[d] != NONE}) for row in rows)
    return shifts(beside)


def shifted_by(fresh: low.Word, steps: dict[int, int]) -> low.Word:
    """Returns the spaces to which steps lead from some spaces."""
    found: low.Word = low.ConstWord(0)
    for by, places in sorted(steps.items()):
        leaving = fresh if places == EVERY else low.BinaryWord("&", fresh, low.ConstWord(places))
        moved = words.shifted("<<" if by > 0 else ">>", leaving, abs(by))
        found = moved if found == low.ConstWord(0) else low.BinaryWord("|", found, moved)
    return found
