"""Tables that are read in one fixed column -> that column as a table of its own.

table0[((r1 * 8) + 2)]      # table3[r1]
"""

from __future__ import annotations

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.passes.rewriting import with_bodies, with_body, with_parts, with_words

Body = tuple[low.Inst, ...]


def in_columns(program: low.Program) -> low.Program:
    """Returns the program with tables for the columns that it reads."""
    columns = _Columns(program)
    functions = tuple(with_body(f, columns.body(f.body)) for f in program.functions)
    return attrs.evolve(program, functions=functions, tables=tuple(columns.tables))


class _Columns:
    def __init__(self, program: low.Program) -> None:
        self.tables = list(program.tables)
        self._made: dict[tuple[int, int, int], int] = {}

    def body(self, body: Body) -> Body:
        return tuple(with_bodies(with_words(order, self.word), self.body) for order in body)

    def word(self, word: low.Word) -> low.Word:
        match word:
            case low.EntryWord(
                table=table,
                index=low.BinaryWord("+", low.BinaryWord("*", row, low.ConstWord(width)), low.ConstWord(column)),
                words=1,
            ) if 0 <= column < width:
                return low.EntryWord(self._column(table, width, column), self.word(row))
            case low.EntryWord(table=table, index=low.BinaryWord("*", row, low.ConstWord(width)), words=1) if width > 0:
                return low.EntryWord(self._column(table, width, 0), self.word(row))
            case _:  # any other word stays
                return with_parts(word, self.word)

    def _column(self, table: int, width: int, column: int) -> int:
        key = table, width, column
        if key not in self._made:
            self._made[key] = len(self.tables)
            self.tables.append(self.tables[table][column::width])
        return self._made[key]
