"""A drawn map -> where its spaces lie and what they are called.

    . . .          a1 b1 c1          8: . .       a8 b8          a: . .      a1 a2
    . _ .          a2    c2          7: . .       a7 b7          b: . .      b1 b2

Marks stand apart by blanks, `_` is a hole. Rows are numbered from the top, unless each says its own number or letter.
"""

from __future__ import annotations

import re

import attrs

_LABELLED = re.compile(r"(\s*)([A-Za-z]+|[0-9]{1,4}):(?: (.*))?$")


@attrs.frozen
class Spot:
    """A space as drawn: its row and column, counted from the top left, its mark and its name.

    `number` is the row's own, where rows are numbered by hand; else it is `row`.
    """

    row: int
    column: int
    mark: str
    name: str
    number: int


def read_map(shape: str, lines: tuple[str, ...]) -> list[Spot]:
    """Gives the spaces of a drawing, row by row; on squares a row may begin further right.

    >>> [spot.name for spot in read_map("square", ("2: . .", "1: _ ."))]
    ['a2', 'b2', 'b1']
    """
    found = []
    for row, line in enumerate(lines, start=1):
        label, marks = _label(line)
        offset = (len(marks) - len(marks.lstrip())) // 2 if shape != "hex" else 0
        number = int(label) if label.isdigit() else row
        for column, mark in enumerate(marks.split(), start=1 + offset):
            name = f"{label}{column}" if label.isalpha() else f"{letters(column)}{number}"
            if mark != "_":
                found.append(Spot(row, column, mark, name, number))
    return found


def _label(line: str) -> tuple[str, str]:
    """Gives a row's own number or letter, if it has one, and its marks."""
    labelled = _LABELLED.match(line)
    return (labelled[2], labelled[3] or "") if labelled else ("", line)


def letters(column: int) -> str:
    """Gives what a column is called.

    >>> letters(1), letters(28)
    ('a', 'ab')
    """
    text = ""
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(97 + rest) + text
    return text
