"""Printed lines -> text: indentation, broken lines, and columns.

    needs heap > 0     "The heap is empty"                               [N-2]

The bars of a table are aligned, and so are the messages of neighbouring needs; clause ids stand at column 70 if the
lines leave room. All widths are in characters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

import attrs

from rulelang.syntax.printing.expression_printer import BREAK, MAY_BREAK

WIDTH = 120
CITE_COLUMN = 69
GAP = 2
LAST_CITE_COLUMN = 104
LONGEST_BEFORE_MESSAGE = 60
HANG = "    "


@attrs.frozen
class FormattedLine:
    """One logical line before it is laid out; `start` is the offset at which it began in the source, if known.

    A row of a table has `cells` and the number of its table; `drawing` are the lines of a map, which follow unchanged.
    """

    depth: int
    code: str
    start: int | None = None
    message: str = ""
    message_below: bool = False
    cites: str = ""
    comment: str = ""
    blank_before: bool = False
    hang: str = HANG
    cells: tuple[str, ...] = ()
    table: int | None = None
    drawing: tuple[str, ...] | None = None


@attrs.define
class _Row:
    """One line of the result."""

    text: str
    depth: int
    message: str = ""
    cites: str = ""
    comment: str = ""


def lay_out(lines: Sequence[FormattedLine]) -> str:
    """Returns the text of all lines, ending in a newline."""
    rows: list[_Row] = []
    for line in _with_tables(lines):
        if line.blank_before and rows:
            rows.append(_Row("", 0))
        rows.extend(_rows(line))
    _align(rows, lambda row: bool(row.message), _add_messages)
    _align(rows, lambda row: bool(row.cites), _add_cites)
    _align(rows, lambda row: bool(row.comment), _add_comments)
    return "".join(f"{row.text.rstrip()}\n" for row in rows)


def _with_tables(lines: Sequence[FormattedLine]) -> Iterator[FormattedLine]:
    widths: dict[int, list[int]] = {}
    for line in lines:
        if line.table is not None:
            known = widths.setdefault(line.table, [])
            known.extend([0] * (len(line.cells) - len(known)))
            for column, cell in enumerate(line.cells):
                known[column] = max(known[column], len(cell))
    for line in lines:
        if line.table is None:
            yield line
        else:
            cells = [cell.ljust(width) for cell, width in zip(line.cells, widths[line.table], strict=False)]
            yield attrs.evolve(line, code=f"| {' | '.join(cells)} |")


def _rows(line: FormattedLine) -> list[_Row]:
    margin = "  " * line.depth
    rows = [_Row(margin + part, line.depth) for part in _broken(line, len(margin))]
    # Only the parts of a condition may begin in the column of their line; others would look like a new line.
    hang = line.hang if all(row.text.lstrip().startswith(("and ", "or ")) for row in rows[1:]) else HANG
    for row in rows[1:]:
        row.text = margin + hang + row.text[len(margin) :]
    if line.message and (line.message_below or len(rows[-1].text) + len(line.message) + GAP > WIDTH):
        rows.append(_Row(margin + HANG + line.message, line.depth))
    else:
        rows[-1].message = line.message
    rows[-1].cites, rows[-1].comment = line.cites, line.comment
    if line.drawing is not None:
        rows += [_Row(f"{margin}  {drawn}", line.depth) for drawn in line.drawing]
        rows.append(_Row(f'{margin}"""', line.depth, cites=rows[0].cites, comment=rows[0].comment))
        rows[0].cites = rows[0].comment = ""
    return rows


def _broken(line: FormattedLine, margin: int) -> list[str]:
    """Returns the parts of a line: broken where its author broke it, else where it can be broken if it is too long."""
    if BREAK not in line.code and margin + len(line.code) > WIDTH:
        return line.code.split(MAY_BREAK)
    return line.code.replace(MAY_BREAK, " ").split(BREAK)


def _align(rows: Sequence[_Row], has_it: Callable[[_Row], bool], add: Callable[[list[_Row]], None]) -> None:
    """Calls `add` for each run of neighbouring rows of one depth that have the part to align."""
    for (is_one, _), run in groupby(rows, key=lambda row: (has_it(row), row.depth)):
        if is_one:
            add(list(run))


def _add_messages(rows: list[_Row]) -> None:
    column = _column(row.text for row in rows if len(row.text) <= LONGEST_BEFORE_MESSAGE)
    for row in rows:
        row.text = _at(row.text, column, row.message)


def _add_cites(rows: list[_Row]) -> None:
    # Only needs move further right together; a head that is too long does not move its neighbours.
    wide = _column(row.text for row in rows if row.message)
    for row in rows:
        column = wide if row.message and CITE_COLUMN < wide <= LAST_CITE_COLUMN else CITE_COLUMN
        row.text = _at(row.text, column, row.cites)


def _add_comments(rows: list[_Row]) -> None:
    column = _column(row.text for row in rows)
    for row in rows:
        row.text = _at(row.text, column if column <= CITE_COLUMN else 0, row.comment)


def _column(texts: Iterable[str]) -> int:
    return max((len(text) + GAP for text in texts), default=0)


def _at(text: str, column: int, more: str) -> str:
    return text.ljust(max(column, len(text) + GAP)) + more
