"""A thing -> the rows of printed data that are about it, as one reads them on a card.

level 2: minerals 3, water 1, energy 1, makes food
"""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.ir import model as ir
from rulelang.ir.numbers import Thing
from rulelang.ir.types import FlagType, Type
from rulelang.knowledge.redaction import name_of
from rulelang.match.view import Eyes
from rulelang.program.layout import index_at
from rulelang.program.values import clean, plain

EMPTY = ("no", "none", "nothing", "")
"""Printed values that need not be told."""
MOST_ROWS = 12
"""The most rows of a thing: more are a table to look things up in, and not what a card shows."""


def rows_of(eyes: Eyes, game: ir.GameRules, kind: ir.Kind, thing: Thing) -> Iterator[str]:
    """Yields the rows of data whose first key is a thing, each with its other keys, without its empty cells."""
    for data in game.data:
        keys: tuple[Type, ...] = tuple(parameter.type for parameter in data.parameters)
        if data.keys == len(keys) and getattr(keys[0], "name", "") == kind.name:
            at = [index_at(keys, i) for i, row in enumerate(data.rows) if row >= 0]
            own = [index for index in at if index[0][0] == thing]
            if len(own) <= MOST_ROWS:
                yield from filter(None, (_row(eyes, game, data, index) for index in own))


def _row(eyes: Eyes, game: ir.GameRules, data: ir.DataTable, index: tuple[tuple[int, Type], ...]) -> str:
    """Returns a row of data in words; "" if all its cells are empty."""
    key = tuple(ir.Const(value) for value, _ in index)
    said: list[str] = []
    for number, column in enumerate(data.columns):
        value = eyes.read(ir.Template((ir.Cell(data.id, number, key),), (column.type,)))
        called = clean(column.called) or plain(column.name)
        if value not in (*EMPTY, "0"):
            said.append(called if isinstance(column.type, FlagType) else f"{called} {value}")
    head = " ".join((plain(data.name), *(name_of(value, type, game) for value, type in index[1:])))
    return f"{head}: {', '.join(said)}" if said else ""
