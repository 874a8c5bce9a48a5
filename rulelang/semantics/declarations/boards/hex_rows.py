"""The rows of a drawn hex map -> the shift of each to the right, in half spaces.

    . . .      0      . . .     1      . . .      0      . . .    1      . . .     2
     . . .     1     . . .      0       . . .     1     . . . .   0     . . .      1
    . . .      0      . . .     1        . . .    2      . . .    1    . . .       0

Each row lies half a space further right or left than the one above it. If all rows begin in the same column, every
second one counts as shifted to the right.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import attrs

POSSIBLE = """\
each row begins half a space further right or left than the one above it:
    . . .      . . .    . . .          . . .     . .
     . . .    . . .      . . .        . . .     . . .
    . . .      . . .      . . .      . . .       . ."""


class Misdrawn(ValueError):
    """Rows that do not interlock: `row` is the first that does not fit, counted from 0."""

    def __init__(self, row: int, message: str, help: str = POSSIBLE) -> None:
        super().__init__(message)
        self.row, self.help = row, help


@attrs.frozen
class Shifts:
    """The shift of each row to the right, in half spaces; `drawn` tells whether the drawing shows it."""

    rows: tuple[int, ...]
    drawn: bool


@attrs.frozen
class MarkedRow:
    """A row with marks: its number from 0, and the columns of text at which the marks begin and end."""

    row: int
    marks: tuple[tuple[int, int], ...]

    @property
    def start(self) -> int:
        """The column of its first mark."""
        return self.marks[0][0]

    @property
    def steps(self) -> list[tuple[int, int]]:
        """For each mark and the next: the characters between their beginnings, and the blanks between them."""
        return [(b[0] - a[0], b[0] - a[1]) for a, b in pairwise(self.marks)]


def read_shifts(lines: Sequence[str], labels: Sequence[int]) -> Shifts:
    """Returns the shifts of a map's rows; `labels` are the widths of the rows' labels. Raises Misdrawn.

    >>> read_shifts((". . .", " . . .", "  . . ."), (0, 0, 0))
    Shifts(rows=(0, 1, 2), drawn=True)
    >>> read_shifts((" 9: . .", "10:  . ."), (4, 4))
    Shifts(rows=(0, 1), drawn=True)
    """
    drawn = [
        _line(row, " " * label + line[label:]) for row, (line, label) in enumerate(zip(lines, labels, strict=True))
    ]
    behind = [_line(row, line[label:]) for row, (line, label) in enumerate(zip(lines, labels, strict=True))]
    # Labels of different widths move their rows aside, so the rows are also read without the labels.
    ways = [_shifts([line for line in rows if line.marks], len(lines)) for rows in (drawn, behind)]
    read = [way for way in ways if isinstance(way, Shifts)]
    if len({tuple(_steps(way, drawn)) for way in read}) > 1:
        help = "let the colons stand one below the other"
        raise Misdrawn(len(lines) - 1, "labels of different widths leave open how the rows are shifted", help)
    if isinstance(ways[0], Misdrawn) and not read:
        raise ways[0]
    return max(read, key=lambda way: way.drawn)


def _steps(shifts: Shifts, rows: list[MarkedRow]) -> Iterator[int]:
    """Yields the shift of each row with marks relative to the one above it."""
    kept = [shifts.rows[line.row] for line in rows if line.marks]
    yield from (b - a for a, b in pairwise(kept))


def _line(row: int, text: str) -> MarkedRow:
    return MarkedRow(row, tuple(mark.span() for mark in re.finditer(r"\S+", text)))


def _shifts(rows: list[MarkedRow], count: int) -> Shifts | Misdrawn:
    if len({line.start for line in rows}) <= 1:
        return Shifts(tuple(row % 2 for row in range(count)), drawn=len(rows) <= 1)
    width = _width(rows)
    least = min((blanks for line in rows for _, blanks in line.steps), default=0)
    gap = next((line for line in rows if any(w >= 2 * width and n > least for w, n in line.steps)), None)
    if gap is not None:
        message = "this row leaves room for a space in its middle"
        return Misdrawn(gap.row, message, "draw `_` where there is no space")
    shifts = {rows[0].row: 0}
    for above, line in pairwise(rows):
        step = _step(line.row - above.row, line.start - above.start, width)
        if step is None:
            return Misdrawn(line.row, _reason(line.row - above.row, line.start - above.start, width))
        shifts[line.row] = shifts[above.row] + step
    starts: dict[int, int] = {}
    for line in rows:
        if starts.setdefault(shifts[line.row], line.start) != line.start:
            return Misdrawn(line.row, "this row does not begin where the others of its kind do")
    first = min(shifts.values())
    return Shifts(tuple(shifts.get(row, first) - first for row in range(count)), drawn=True)


def _step(down: int, aside: int, width: int) -> int | None:
    """Returns the shift, in half spaces, of a row relative to one
    that is `down` rows above it; None if they do not interlock.
    """
    if down == 1:
        return (1 if aside > 0 else -1) if 0 < abs(aside) < width else None
    halves, rest = divmod(2 * aside, width)
    return None if rest or abs(halves) > down or (halves - down) % 2 else halves


def _reason(down: int, aside: int, width: int) -> str:
    if down > 1:
        return "this row does not interlock with those above the empty line"
    if not aside:
        return "this row begins where the one above it does, though others are shifted"
    side = "right" if aside > 0 else "left"
    return f"this row begins {abs(aside)} characters further {side} than the one above it; a whole space is {width}"


def _width(rows: list[MarkedRow]) -> int:
    """Returns the most frequent number of characters between the beginnings of two marks; 2 if no row has two."""
    widths = Counter(width for line in rows for width, _ in line.steps)
    return min(widths, key=lambda width: (-widths[width], width)) if widths else 2
