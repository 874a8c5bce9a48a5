"""A map of frames -> a smaller one, or a list of its spaces, for a window with too few rows.

┌i8──   ──┐
│ hab     │     packed: │ hab d2 L1 │     listed: i8 hab d2 L1 ↑
│ d2 L1   │
└─────────┘
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.knowledge.phrase import spliced
from rulelang.screens.model import List, Map, Part, ScreenCell

DOORS = {"north": "↑", "east": "→", "south": "↓", "west": "←"}
"""The signs of doors in a list."""
GAP, INDENT = 3, 2
"""The blanks between two spaces on a line of a list, and before it."""
NARROWEST = 5
"""The fewest characters for which a frame has room."""
HEAD = "The map does not fit here: screen map draws it. ↑→↓←: doors"


def is_framed(part: Part) -> bool:
    """Returns whether a part is a map whose spaces are frames."""
    return isinstance(part, Map) and any(
        cell is not None and cell.doors is not None for row in part.rows for cell in row
    )


def packed(part: Part, width: int) -> Part:
    """Returns a map that is so wide with as much on each line of its frames as fits there; another part as it is."""
    if not (isinstance(part, Map) and is_framed(part)):
        return part
    most = frame_room(part, width)
    rows = (
        tuple(cell and attrs.evolve(cell, lines=tuple(_filled(cell.lines, most))) for cell in row) for row in part.rows
    )
    return attrs.evolve(part, rows=tuple(rows))


def frame_room(part: Map, width: int) -> int:
    """Returns the most characters on a line of a frame, without the blanks beside them, of a map that is so wide."""
    return max(width // max(len(row) for row in part.rows) - 4, NARROWEST)


def _filled(lines: tuple[str, ...], most: int) -> Iterator[str]:
    """Yields lines, those that fit together as one.

    >>> list(_filled(("power station", "d4 L1", "hit"), 14))
    ['power station', 'd4 L1 hit']
    """
    last = ""
    for line in filter(None, lines):
        if last and len(last) + 1 + len(line) > most:
            yield last
            last = line
        else:
            last = spliced((last, line), " ") if last else line
    yield from [last] if last else []


def listed(part: Part, width: int) -> Part:
    """Returns a list of the spaces of a map of frames with the doors of each, as many on a line as fit into a width;
    another part as it is."""
    if not (isinstance(part, Map) and is_framed(part)):
        return part
    cells = [cell for row in part.rows for cell in row if cell is not None and cell.lines]
    texts = [spliced((cell.name, *_line(cell), *_doors(cell)), " ") for cell in cells]
    wide = max(map(len, texts), default=0) + GAP
    beside = max(1, (width - INDENT + GAP) // wide)
    rows = (texts[start : start + beside] for start in range(0, len(texts), beside))
    lines = (spliced([spliced((text, " " * (wide - len(text)))) for text in row]) for row in rows)
    return List((ScreenCell("", HEAD), *(ScreenCell("", line) for line in lines)))


def _line(cell: ScreenCell) -> tuple[str, ...]:
    return (spliced(cell.lines, " "),) if cell.lines else ()


def _doors(cell: ScreenCell) -> tuple[str, ...]:
    """Returns the signs of a space's doors as one word, if it has any."""
    return ("".join(DOORS.get(door, door) for door in cell.doors),) if cell.doors else ()
