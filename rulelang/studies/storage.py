"""The folder of a study: what was asked, the variants of its cells, and the tables of its games.

    study.json                        the study, with versions and digests; written first
    cells/0003.rules                  the variant of a cell, which can be played, checked and changed
    games/cell=0003/00000017.parquet  the games of a chunk; so for decisions/, actions/ and values/
    games/cell=0003/all.parquet       the games of all chunks, once the cell is complete

A chunk is there once its last table is: tables are written in a fixed order, each to a name of its own first, flushed,
then renamed. Invariant: a file that is there is whole, and nothing that is there is written again.
"""

from __future__ import annotations

import importlib
import io
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs

from rulelang import disk
from rulelang.errors import RulelangError
from rulelang.studies.playing import TABLES, Coded, Columns
from rulelang.studies.study import Study, study_of
from rulelang.version import VERSION

STUDY = "study.json"
FORMAT = 1
"""The version of the layout of a study's folder."""
NUMBERS = {"won": "float64", "value": "float64", "game": "int64", "block": "int64", "score": "int64"}
SMALL_NUMBERS = {"seat": "int16", "answers": "int32", "answer": "int32", "options": "int64", "offered": "int32"} | {
    "taken": "int32",
    "leader": "int16",
}
WORDS = ("bot", "end", "rule", "fault", "action")
ORDER = ("values", "actions", "decisions", "games")
"""The order in which the tables of a chunk are written: the last one says that the chunk is there."""
WHOLE = "all"
"""The name of the file of a table that holds all chunks of a cell."""


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
            if found["format"] != FORMAT:
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
        """Joins the chunks of a cell, which must all be there, into one file for each table; raises OSError."""
        tables, parquet = arrow(), arrow("pyarrow.parquet")
        for name in ORDER:
            whole = self._part(name, cell, WHOLE)
            parts = sorted(whole.parent.glob("[0-9]*.parquet"))
            if not whole.is_file() and parts:
                _write(whole, tables.concat_tables([parquet.read_table(part) for part in parts]).unify_dictionaries())
        for name in ORDER:
            for part in sorted(self._part(name, cell, WHOLE).parent.glob("[0-9]*.parquet")):
                with suppress(FileNotFoundError):
                    part.unlink()

    def games(self, cell: int) -> int:
        """Returns how many games of a cell are there."""
        parquet, players = arrow("pyarrow.parquet"), self.facts()["cells"][cell]["players"]
        rows: int = sum(parquet.read_metadata(part).num_rows for part in self._parts("games", cell))
        return rows // int(players)

    def _parts(self, table: str, cell: int) -> list[Path]:
        whole = self._part(table, cell, WHOLE)
        return [whole] if whole.is_file() else sorted(whole.parent.glob("[0-9]*.parquet"))

    def table(self, name: str, cell: int) -> Any:
        """Returns a table of a cell, as far as its chunks are there; None if none has a row."""
        parquet, parts = arrow("pyarrow.parquet"), self._parts(name, cell)
        if not parts:
            return None
        return arrow().concat_tables([parquet.read_table(part) for part in parts]).unify_dictionaries()

    def cells(self) -> Iterator[dict[str, Any]]:
        """Yields the entry of each cell in `study.json`."""
        yield from self.facts()["cells"]


def _arrow_table(columns: Columns) -> Any:
    """Returns columns as a table of Arrow; a column without a type of its own holds measures."""
    pa = arrow()
    sizes = NUMBERS | SMALL_NUMBERS
    arrays = {}
    for name, values in columns.items():
        if name in WORDS:
            arrays[name] = _words(values)
        else:
            arrays[name] = pa.array(values, getattr(pa, sizes.get(name, "float64"))())
    return pa.table(arrays)


def _words(values: Any) -> Any:
    """Returns words as an array of Arrow that holds each of them once; an array of numbers stands for words of a list."""
    pa = arrow()
    if isinstance(values, Coded):
        return pa.DictionaryArray.from_arrays(pa.array(values.codes, pa.int32()), pa.array(values.words, pa.string()))
    return pa.array(values, pa.string()).dictionary_encode()


def _write(path: Path, table: Any) -> None:
    """Writes a table to a new name, flushes it, and renames it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    written = io.BytesIO()
    ascending = {name: "DELTA_BINARY_PACKED" for name in ("game", "block") if name in table.column_names}
    few = [name for name in table.column_names if name not in ascending]
    arrow("pyarrow.parquet").write_table(
        table, written, compression="zstd", row_group_size=1 << 20, use_dictionary=few, column_encoding=ascending
    )
    disk.replace(path, written.getvalue())


def versions() -> dict[str, str]:
    """Returns the versions that the bytes of a study depend on."""
    return {"rulelang": VERSION, "pyarrow": str(arrow().__version__)}


assert set(ORDER) == set(TABLES)
