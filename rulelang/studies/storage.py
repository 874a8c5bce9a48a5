"""The folder of a study: what was asked, the variants of its cells, and the tables of its games.

    study.json                        the study, with versions and digests; written first
    cells/0003.rules                  the variant of a cell, which can be played, checked and changed
    games/cell=0003/00000017.parquet  the games of a chunk; so for decisions/, actions/ and values/
    games/cell=0003/all.parquet       the games of all chunks, once the cell is complete; before it all-0000.parquet and
                                      so on, of 20 MB each, if they are many

A chunk is there once its last table is: tables are written in a fixed order, each to a name of its own first, flushed,
then renamed. Invariant: a file that is there is whole, and nothing that is there is written again.
"""

from __future__ import annotations

import importlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs

from rulelang import disk, lab
from rulelang.driver.kept import digest_of
from rulelang.errors import RulelangError
from rulelang.studies.joining import joined
from rulelang.studies.playing import TABLES, Coded, Columns, WithGaps
from rulelang.studies.study import Study, study_of
from rulelang.version import VERSION

STUDY = "study.json"
FORMAT = 4
"""The version of the layout of a study's folder."""
READABLE = (3, FORMAT)
"""The versions that are still reported on; a study of an earlier one does not go on."""
TYPES = {
    "game": "int64", "block": "int64", "seat": "int16", "won": "float64", "score": "int64", "answers": "int32",
    "rounds": "int64", "margin": "int64",
    "answer": "int32", "options": "int64", "leader": "int16", "offered": "int32", "taken": "int32", "value": "float64",
    "error": "float64", "gap": "float64", "stake": "float64", "narrow": "float64", "worth": "float64",
    "hidden": "int32", "cells": "int32", "times": "int32", "repeated": "int8",
}  # fmt: skip
"""The types of columns of numbers; one that is not here holds a measure."""
MISSING = ("score", "rounds", "leader", "margin", "repeated")
"""The columns of numbers in which some may be missing, as in measures."""
WORDS = ("bot", "end", "rule", "fault", "action", "measure", "stream")
ORDER = ("streams", "courses", "rules", "looks", "worths", "weights", "values", "actions", "decisions", "games")
"""The order in which the tables of a chunk are written: the last one says that the chunk is there."""
WHOLE = "all"
"""The name of the file that is written last when the chunks of a cell are joined."""
LEAST = 20_000_000
"""The least bytes of a file of joined chunks, if there is more than one."""
ROW_GROUP = 50_000
"""The least rows of a row group of joined chunks: smaller ones take longer to read."""


def arrow(name: str = "pyarrow") -> Any:
    """Returns pyarrow or a part of it; raises RulelangError if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise RulelangError("the lab needs pyarrow: pip install 'rulelang[lab]'") from None


@attrs.frozen
class Folder:
    """The folder of a study on disk."""

    path: Path

    def holds(self, study: Study) -> bool:
        """Returns whether the folder holds this study; raises RulelangError if it holds another one."""
        if not (self.path / STUDY).exists():
            return False
        if self.study() != study:
            raise RulelangError(f"{self.path} holds another study; choose another folder, or `rulelang lab report` it")
        if self.facts()["format"] != FORMAT:
            raise RulelangError(f"{self.path} was begun by an earlier version of rulelang, and can only be reported on")
        return True

    def begin(self, study: Study, facts: Mapping[str, Any]) -> None:
        """Writes what was asked into a folder that holds no study yet; raises OSError."""
        wanted = {"format": FORMAT, "study": study.to_data(), **facts}
        self.path.mkdir(parents=True, exist_ok=True)
        disk.replace(self.path / STUDY, json.dumps(wanted, indent=1).encode() + b"\n")

    def put_variant(self, cell: int, text: str) -> None:
        """Writes the variant of a cell, unless it is there like that; removes it if there is no text."""
        path = self.variant(cell)
        if not text:
            path.unlink(missing_ok=True)
        elif not path.is_file() or path.read_text("utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            disk.replace(path, text.encode())

    def facts(self) -> dict[str, Any]:
        """Returns the contents of `study.json`; raises RulelangError if the folder holds no study that can be read."""
        try:
            found = json.loads((self.path / STUDY).read_text("utf-8"))
            if found["format"] not in READABLE:
                raise RulelangError(f"{self.path} was written by another version of rulelang")
            study_of(found["study"])
        except (OSError, ValueError, KeyError, TypeError):
            raise RulelangError(f"{self.path} holds no study: there is no {STUDY} that can be read") from None
        assert isinstance(found, dict)
        return found

    def study(self) -> Study:
        """Returns the study; raises RulelangError."""
        return study_of(self.facts()["study"])

    def variant(self, cell: int) -> Path:
        """Returns the path of the variant of a cell."""
        return self.path / "cells" / f"{cell:04}.rules"

    def _part(self, table: str, cell: int, name: str) -> Path:
        return self.path / table / f"cell={cell:04}" / f"{name}.parquet"

    def has(self, cell: int, chunk: int) -> bool:
        """Returns whether the games of a chunk are there."""
        return self._part("games", cell, f"{chunk:08}").is_file() or self.is_whole(cell)

    def is_whole(self, cell: int) -> bool:
        """Returns whether all chunks of a cell are there, in one file."""
        return self._part("games", cell, WHOLE).is_file()

    def write(self, cell: int, chunk: int, tables: Mapping[str, Columns]) -> None:
        """Writes the tables of a chunk; raises OSError."""
        for name in ORDER:
            if len(tables[name]["game"]) or name == "games":
                _write(self._part(name, cell, f"{chunk:08}"), _arrow_table(tables[name]))

    def compact(self, cell: int) -> None:
        """Joins the chunks of a cell, which must all be there, into few files for each table; raises OSError."""
        for name in ORDER:
            whole = self._part(name, cell, WHOLE)
            parts = sorted(whole.parent.glob("[0-9]*.parquet"))
            if not whole.is_file() and parts:
                *before, last = _files(parts)
                for number, file in enumerate(before):
                    disk.replace(self._part(name, cell, f"{WHOLE}-{number:04}"), file)
                disk.replace(whole, last)
        for name in ORDER:
            for part in sorted(self._part(name, cell, WHOLE).parent.glob("[0-9]*.parquet")):
                with suppress(FileNotFoundError):
                    part.unlink()

    def games(self, cell: int) -> int:
        """Returns how many games of a cell are there."""
        parquet, players = arrow("pyarrow.parquet"), self.facts()["cells"][cell]["players"]
        rows: int = sum(parquet.read_metadata(part).num_rows for part in self._parts("games", cell))
        return rows // int(players)

    def answers(self, cell: int, game: int) -> int | None:
        """Returns the number of answers of a game; None if it is not there."""
        parquet, parts = arrow("pyarrow.parquet"), self._parts("games", cell)
        wanted = [("game", "=", game), ("seat", "=", 0)]
        told = [
            n for part in parts for n in parquet.read_table(part, columns=["answers"], filters=wanted)[0].to_pylist()
        ]
        return int(told[0]) if told else None

    def _parts(self, table: str, cell: int) -> list[Path]:
        whole = self._part(table, cell, WHOLE)
        return sorted(whole.parent.glob(f"{WHOLE}*.parquet" if whole.is_file() else "[0-9]*.parquet"))

    def table(self, name: str, cell: int) -> Any:
        """Returns a table of a cell, as far as its chunks are there; None if none has a row."""
        parts = self._parts(name, cell)
        return _read(parts) if parts else None

    def cells(self) -> Iterator[dict[str, Any]]:
        """Yields the entry of each cell in `study.json`."""
        yield from self.facts()["cells"]


def _arrow_table(columns: Columns) -> Any:
    """Returns columns as a table of Arrow; words stand in a dictionary."""
    pa = arrow()
    arrays, fields = [], []
    for name, values in columns.items():
        array = _words(values) if name in WORDS else _numbers(values, TYPES.get(name, "float64"), len(columns["game"]))
        arrays.append(array)
        # A column in which nothing can be missing is written in half the time.
        fields.append(pa.field(name, array.type, nullable=name in MISSING or name not in (*TYPES, *WORDS)))
    return pa.table(arrays, schema=pa.schema(fields))


def _numbers(values: Any, kind: str, rows: int) -> Any:
    """Returns numbers as an array of Arrow."""
    pa = arrow()
    if values is None:
        return pa.nulls(rows, getattr(pa, kind)())
    if isinstance(values, WithGaps):
        return pa.array(values.numbers, getattr(pa, kind)(), mask=~values.are_known)
    return pa.array(values, getattr(pa, kind)())


def _words(values: Any) -> Any:
    """Returns words as an array of Arrow that holds each of them once; an array of numbers stands for words of a list."""
    pa = arrow()
    if isinstance(values, Coded):
        return pa.DictionaryArray.from_arrays(pa.array(values.codes, pa.int32()), pa.array(values.words, pa.string()))
    return pa.array(values, pa.string()).dictionary_encode()


def _write(path: Path, table: Any) -> None:
    """Writes a table to a new name, flushes it, and renames it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    disk.replace(path, _encoded(table))


def _encoded(table: Any) -> bytes:
    """Returns a table as a file of Parquet."""
    written = io.BytesIO()
    ascending = {name: "DELTA_BINARY_PACKED" for name in ("game", "block") if name in table.column_names}
    few = [name for name in table.column_names if name not in ascending]
    arrow("pyarrow.parquet").write_table(
        table,
        written,
        compression="zstd",
        row_group_size=1 << 20,
        use_dictionary=few,
        column_encoding=ascending,
        # Queries for games skip row groups by these columns; of the others, each row group holds nearly all values.
        write_statistics=list(ascending),
    )
    return written.getvalue()


def _read(parts: Sequence[Path]) -> Any:
    """Returns the rows of some files as one table."""
    parquet = arrow("pyarrow.parquet")
    return arrow().concat_tables([parquet.ParquetFile(part).read() for part in parts]).unify_dictionaries()


def _files(parts: Sequence[Path]) -> Iterator[bytes]:
    """Yields files of LEAST bytes or more with all rows of some chunks; a rest that is smaller is part of the last."""
    ready: list[bytes] = []
    more: list[bytes] = []
    for piece in _pieces(parts):
        more.append(piece)
        if sum(map(len, more)) >= LEAST:
            if ready:
                yield joined(ready)
            ready, more = more, []
    yield joined(ready + more)


def _pieces(parts: Sequence[Path]) -> Iterator[bytes]:
    """Yields chunks as they were written, and neighbours of less than ROW_GROUP rows as one."""
    some: list[Path] = []
    rows = 0
    for part in parts:
        some.append(part)
        rows += arrow("pyarrow.parquet").read_metadata(part).num_rows
        if rows >= ROW_GROUP or part is parts[-1]:
            yield some[0].read_bytes() if len(some) == 1 else _encoded(_read(some))
            some, rows = [], 0


def versions() -> dict[str, str]:
    """Returns the versions that the bytes of a study depend on, and a digest of the bots' code."""
    code = "".join(path.read_text("utf-8") for path in sorted(Path(lab.__file__).parent.glob("*.py")))
    return {"rulelang": VERSION, "pyarrow": str(arrow().__version__), "bots": digest_of(code)[:16]}


assert set(ORDER) == set(TABLES)
