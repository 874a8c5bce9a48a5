"""A drawn map -> the positions, marks and names of its spaces.

    . . .          a1 b1 c1          8: . .       a8 b8          a: . .      a1 a2
    . _ .          a2    c2          7: . .       a7 b7          b: . .      b1 b2

Blanks separate marks, `_` is a hole. Rows are numbered from the top, unless each has a number or letter of its own. The
rows of hexes are shifted as drawn (`hex_rows`).

    harbour h: market gate        a graph: a space on each line, its mark (or none), its neighbours;
        market: gate                  `market` need not name its neighbour `harbour` again
    gate
"""

from __future__ import annotations

import re

import attrs

from rulelang.semantics.declarations.boards.hex_rows import Shifts, read_shifts
from rulelang.source import Span

_NODE = re.compile(r"\s*([a-z][a-z0-9_]*)(?: +([^\s:]+))?(?: *:((?: +[a-z][a-z0-9_]*)*))? *$")
_LABELLED = re.compile(r"(\s*)([A-Za-z]+|[0-9]{1,4}):(?: (.*))?$")


@attrs.frozen
class Spot:
    """A space as drawn: its row and column, counted from the top left, its mark and its name.

    `number` is the row's written number, or else `row`. On hexes, `across` is its distance from the left in half
    spaces; on a graph, `ties` are the spaces that its line names.
    """

    row: int
    column: int
    mark: str
    name: str
    number: int
    across: int = 0
    ties: tuple[str, ...] = ()


class NotDrawn(ValueError):
    """A line of a graph names no space."""


def read_map(shape: str, lines: tuple[str, ...]) -> list[Spot]:
    """Returns the spaces of a drawing, row by row; on squares a row may begin further right.

    Raises NotDrawn for a graph's line that cannot be read, Misdrawn for rows of hexes that do not interlock.

    >>> [spot.name for spot in read_map("square", ("2: . .", "1: _ ."))]
    ['a2', 'b2', 'b1']
    >>> [(spot.name, spot.mark, spot.ties) for spot in read_map("graph", ("harbour h: market", "market"))]
    [('harbour', 'h', ('market',)), ('market', '.', ())]
    """
    if shape == "graph":
        return [_node(row, line) for row, line in enumerate(lines, start=1)]
    found = []
    shifts = shifts_of(lines).rows if shape == "hex" else (0,) * len(lines)
    for row, line in enumerate(lines, start=1):
        label, marks = _label(line)
        offset = (len(marks) - len(marks.lstrip())) // 2 if shape != "hex" else 0
        number = int(label) if label.isdigit() else row
        for column, mark in enumerate(marks.split(), start=1 + offset):
            name = f"{label}{column}" if label.isalpha() else f"{letters(column)}{number}"
            if mark != "_":
                found.append(Spot(row, column, mark, name, number, 2 * (column - 1) + shifts[row - 1]))
    return found


def shifts_of(lines: tuple[str, ...]) -> Shifts:
    """Returns the shifts of a hex map's rows; raises Misdrawn."""
    return read_shifts(lines, [len(line) - len(_label(line)[1]) for line in lines])


def drawn_at(drawing: Span, line: str, word: str = "") -> Span:
    """Returns the span of a line of a drawing, or of the last occurrence of a word in it."""
    written, text = line.strip(), drawing.source.text
    start = text.find(written, drawing.start)
    if start < 0:
        return drawing
    at = written.rfind(word) if word else 0
    return Span(drawing.source, start + at, start + at + len(word or written))


def row_at(drawing: Span, row: int) -> Span:
    """Returns the span of a row of a drawing, counted from 0."""
    begin = drawing.text.find('"""') + 3
    lines = drawing.text[begin : drawing.text.rfind('"""')].split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    start = drawing.start + begin + sum(len(line) + 1 for line in lines[: first + row])
    line = lines[first + row]
    return Span(drawing.source, start + len(line) - len(line.lstrip()), start + len(line.rstrip()))


def read_places(lines: tuple[str, ...]) -> list[tuple[str, int, int]]:
    """Returns the words of a drawing, each with its middle to the right and its line down; a line is as high as two
    letters are wide.

    >>> read_places(("porto    gate", "   market"))
    [('porto', 5, 0), ('gate', 22, 0), ('market', 12, 4)]
    """
    words = ((row, word) for row, line in enumerate(lines) for word in re.finditer(r"\S+", line))
    return [(word[0], word.start() + word.end(), 4 * row) for row, word in words]


def _node(row: int, line: str) -> Spot:
    found = _NODE.match(line)
    if found is None:
        raise NotDrawn(line)
    return Spot(row, 1, found[2] or ".", found[1], row, ties=tuple((found[3] or "").split()))


def _label(line: str) -> tuple[str, str]:
    """Returns the label of a row, its written number or letters ("" if it has none), and its marks."""
    labelled = _LABELLED.match(line)
    return (labelled[2], labelled[3] or "") if labelled else ("", line)


def letters(column: int) -> str:
    """Returns the letters of a column.

    >>> letters(1), letters(28)
    ('a', 'ab')
    """
    text = ""
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(97 + rest) + text
    return text
