"""Lines in two columns, to save rows."""

from __future__ import annotations

from rich.text import Text


def in_two(lines: list[Text], width: int) -> tuple[Text, ...]:
    """Returns rows with two of the lines each, the second half beside the first; () if they are too wide for that.

    >>> [row.plain for row in in_two([Text("1 Dig"), Text("2 Rest"), Text("3 Pass")], 20)]
    ['1 Dig   3 Pass', '2 Rest']
    """
    half = -(-len(lines) // 2)
    left, right = lines[:half], lines[half:]
    wide = max(map(len, left)) + 2
    if wide + max(map(len, right)) > width:
        return ()
    rows = [Text.assemble(line, " " * (wide - len(line)), beside) for line, beside in zip(left, right, strict=False)]
    return (*rows, *left[len(right) :])
