"""Logs -> tables in Parquet, and queries of them in SQL.

    with Archive(folder) as archive: archive.add("race.jsonl", read_logs("race.jsonl"))
    with answered(folder, "select rule, count(*) from events group by rule") as answer:
        for row in answer.rows: ...

The files games.parquet, inputs.parquet, events.parquet and changes.parquet are written in pieces, and answers are read
in pieces, so memory grows neither with the logs nor with the answer. A query can read these four files and nothing
else, since neither logs nor queries are trusted.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType, TracebackType
from typing import Any, Self

import attrs

from rulelang.errors import LogError, RulelangError
from rulelang.log.reading import ReadLog
from rulelang.workbench.tables import TABLES, ColumnKind, Record, rows_of

PIECE = 20_000
"""The number of rows that are held before they are written."""
READ = 1_000
"""The number of rows of an answer that are held at once."""
MEMORY = "1GB"
"""The most memory for an answer; beyond it, the disk is used."""


class BadQuestion(RulelangError):
    """Raised for a query that cannot be answered: it is not SQL, or names something that is not in the tables."""


def library(name: str) -> ModuleType:
    """Returns pyarrow or duckdb; raises RulelangError if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise RulelangError("tables of logs need pyarrow and duckdb: pip install 'rulelang[tables]'") from None


@attrs.define
class Archive:
    """Tables that are being written to a folder without any of them."""

    folder: Path
    games: int = 0
    unread: int = 0
    """The number of logs that could not be read; `games.fault` says why."""
    _rows: dict[str, list[Record]] = attrs.field(factory=lambda: {name: [] for name in TABLES})
    _writers: dict[str, Any] = attrs.field(factory=dict)

    def __enter__(self) -> Self:
        """Raises FileExistsError, OSError, and RulelangError without pyarrow."""
        parquet = library("pyarrow.parquet")
        for name, columns in TABLES.items():
            path = self.folder / f"{name}.parquet"
            path.touch(exist_ok=False)
            self._writers[name] = parquet.ParquetWriter(path, _schema(columns), compression="zstd")
        return self

    def __exit__(self, kind: type[BaseException] | None, _: object, __: TracebackType | None) -> None:
        try:
            if kind is None:
                for name in TABLES:
                    self._flush(name)
        finally:
            for writer in self._writers.values():
                writer.close()

    def add(self, name: str, logs: Iterable[ReadLog | LogError]) -> None:
        """Adds the logs of one file."""
        for nth, log in enumerate(logs, start=1):
            self.games += 1
            for table, row in rows_of(self.games, name, nth, log):
                rows = self._rows[table]
                rows.append(row)
                self.unread += table == "games" and "fault" in row
                if len(rows) >= PIECE:
                    self._flush(table)

    def _flush(self, table: str) -> None:
        rows = self._rows[table]
        if rows:
            arrow = library("pyarrow")
            self._writers[table].write_table(arrow.Table.from_pylist(rows, _schema(TABLES[table])))
            rows.clear()


def _schema(columns: Any) -> Any:
    arrow = library("pyarrow")
    types = {
        ColumnKind.INT: arrow.int64(),
        ColumnKind.TEXT: arrow.string(),
        ColumnKind.FLAG: arrow.bool_(),
        ColumnKind.INTS: arrow.list_(arrow.int64()),
        ColumnKind.TEXTS: arrow.list_(arrow.string()),
    }
    return arrow.schema([(name, types[column]) for name, column in columns.items()])


def is_archive(folder: Path) -> bool:
    """Returns whether a folder holds the tables."""
    return all((folder / f"{name}.parquet").is_file() for name in TABLES)


@attrs.frozen
class QueryResult:
    """The answer to a query: the names of its columns, and its rows, which can be iterated once."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]


@contextmanager
def answered(folder: Path, question: str) -> Iterator[QueryResult]:
    """Runs a query in SQL (DuckDB's) on the tables in a folder; rows can be read as long as the context lasts.

    Raises BadQuestion, also while rows are read, and RulelangError without duckdb.
    """
    duckdb = library("duckdb")
    paths = {name: str((folder / f"{name}.parquet").resolve()) for name in TABLES}
    connection = duckdb.connect(":memory:")
    spill = TemporaryDirectory()
    try:
        connection.execute(f"SET memory_limit = '{MEMORY}'")
        connection.execute("SET temp_directory = $1", [spill.name])
        connection.execute("SET autoinstall_known_extensions = false")
        connection.execute("SET autoload_known_extensions = false")
        for name, path in paths.items():
            quoted = re.sub(r"[\[*?]", r"[\g<0>]", path).replace("'", "''")
            connection.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet('{quoted}')")
        connection.execute("SET allowed_paths = $1", [list(paths.values())])
        # From here on nothing outside the four files can be read or written, and the query cannot undo that.
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        cursor = connection.execute(question)
        if cursor is None:
            raise BadQuestion("there is no question in this")
        columns = tuple(column[0] for column in cursor.description or ())
        first = cursor.fetchmany(READ) if columns else []
        yield QueryResult(columns, chain(first, _rest(cursor) if first else ()))
    except duckdb.Error as error:
        raise BadQuestion(str(error)) from None
    finally:
        connection.close()
        spill.cleanup()


def _rest(cursor: Any) -> Iterator[tuple[Any, ...]]:
    while piece := cursor.fetchmany(READ):
        yield from piece
