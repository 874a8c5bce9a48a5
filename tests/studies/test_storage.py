"""The tables of a study on disk: joined without being read, in files and row groups that are neither small nor huge."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
pytest.importorskip("numpy")

from rulelang import disk  # noqa: E402
from rulelang.studies import storage  # noqa: E402
from rulelang.studies.joining import joined  # noqa: E402
from rulelang.studies.run import begin, run  # noqa: E402
from rulelang.studies.study import read_study  # noqa: E402
from rulelang.studies.workers import Alone  # noqa: E402


def table(rows: int, words: list[str]) -> Any:
    """Returns a table with a column of each form that the lab writes."""
    columns = {
        "game": pa.array(range(rows), pa.int64()),
        "end": pa.array([words[i % len(words)] for i in range(rows)], pa.string()).dictionary_encode(),
        "score": pa.array([None if i % 3 else i for i in range(rows)], pa.int64()),
        "won": pa.array([1 / (i + 1) for i in range(rows)], pa.float64()),
    }
    return pa.table(columns)


def encoded(one: Any, **how: Any) -> bytes:
    written = io.BytesIO()
    parquet.write_table(one, written, **how)
    return written.getvalue()


@pytest.mark.parametrize(
    "how", [{}, {"compression": "zstd"}, {"write_page_index": True}, {"use_dictionary": False}, {"row_group_size": 100}]
)
def test_files_are_joined_to_one_with_all_rows_in_order(how: dict[str, Any]) -> None:
    parts = [table(1000, ["a", "b"]), table(1, ["c"]), table(0, ["d"]), table(3000, ["b", "e"])]
    whole = joined([encoded(part, **how) for part in parts])
    found = parquet.ParquetFile(io.BytesIO(whole)).read()
    assert found.to_pylist() == pa.concat_tables(parts).to_pylist()
    assert joined([whole, encoded(parts[0], **how)])[:4] == b"PAR1"


def test_files_with_other_columns_are_not_joined() -> None:
    with pytest.raises(ValueError, match="different columns"):
        joined([encoded(table(3, ["a"])), encoded(table(3, ["a"]).drop_columns(["won"]))])


@pytest.mark.long
def test_a_cell_of_many_chunks_lies_in_few_files_and_reads_as_it_did(
    nim: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = read_study(f'game = "{nim}"\nbots = "random"\ngames = 4000\nchunk = 100\nsampled = 0')
    whole = begin(study, tmp_path / "whole")
    assert all(run(whole, Alone()))
    monkeypatch.setattr(storage, "LEAST", 3_000)
    monkeypatch.setattr(storage, "ROW_GROUP", 1_000)
    folder = begin(study, tmp_path / "parts")
    assert all(run(folder, Alone()))
    files = sorted((folder.path / "games" / "cell=0000").iterdir())
    assert [file.name for file in files][:2] == ["all-0000.parquet", "all-0001.parquet"]
    assert files[-1].name == "all.parquet"
    assert all(file.stat().st_size >= 3_000 for file in files)
    facts = [parquet.read_metadata(file) for file in files]
    assert {group.num_rows for one in facts for group in map(one.row_group, range(one.num_row_groups))} == {1_000}
    assert folder.games(0) == 4_000
    assert folder.table("games", 0).to_pylist() == whole.table("games", 0).to_pylist()


@pytest.mark.long
def test_a_join_that_was_broken_off_before_its_last_file_is_made_again(
    nim: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = read_study(f'game = "{nim}"\nbots = "random"\ngames = 4000\nchunk = 100\nsampled = 0')
    monkeypatch.setattr(storage, "LEAST", 3_000)
    monkeypatch.setattr(storage, "ROW_GROUP", 1_000)
    folder, write = begin(study, tmp_path / "out"), disk.replace

    def breaks(path: Path, data: bytes, *, mode: int | None = None) -> None:
        if path.name == "all.parquet":
            raise OSError("no space left")
        write(path, data, mode=mode)  # what is cached on the way, too

    with monkeypatch.context() as broken:
        broken.setattr(disk, "replace", breaks)
        with pytest.raises(OSError, match="no space left"):
            assert all(run(folder, Alone()))
    assert (folder.path / "games" / "cell=0000" / "all-0000.parquet").is_file()
    assert folder.games(0) == 4_000
    assert all(run(folder, Alone()))
    assert folder.games(0) == 4_000
    assert len(set(folder.table("games", 0)["game"].to_pylist())) == 4_000
