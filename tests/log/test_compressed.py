"""Logs in zstd, and several logs in one file."""

from __future__ import annotations

import importlib
import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from rulelang import api
from rulelang.errors import DamagedLog, LogError, SeveralLogs
from rulelang.log import compressed, reading
from rulelang.log.compressed import packed
from rulelang.log.fields import LONGEST_LINE
from rulelang.log.format import Chain, canonical
from rulelang.log.reading import ReadLog, holds_several, read_log, read_logs, read_text, texts_of
from tests.conftest import Run
from tests.files import CLASSICS

NIM = str(CLASSICS / "nim.rules")


def nim(seed: int, choices: int = 3) -> str:
    match = api.load(NIM).start(seed=seed)
    for _ in range(choices):
        match.play(match.options[0])
    return match.log.text


@pytest.fixture
def zstd() -> Any:
    """The library; without it, there is nothing to test."""
    return pytest.importorskip("backports.zstd") if not _has_own() else compressed.zstd()


def _has_own() -> bool:
    try:
        return compressed.zstd().__name__.startswith("compression")
    except LogError:
        return False


def all_of(path: Path) -> list[ReadLog]:
    found = list(read_logs(path))
    assert all(isinstance(log, ReadLog) for log in found), found
    return [log for log in found if isinstance(log, ReadLog)]


# ------------------------------------------------------------------ several in one file


def test_logs_that_were_put_one_after_the_other_are_read_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text(nim(1) + nim(2, 5) + nim(3, 0))
    first, second, third = all_of(path)
    assert [log.choices for log in (first, second, third)] == [3, 5, 0]
    assert second.text.decode() == nim(2, 5)
    assert api.replay(second, under=NIM).difference is None
    assert read_log(path, 2).header == second.header


def test_who_asks_for_one_log_of_several_is_told_that_there_are_several(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text(nim(1) + nim(2))
    with pytest.raises(SeveralLogs):
        read_log(path)
    with pytest.raises(LogError, match="are only 2 logs"):
        read_log(path, 3)


def test_a_log_that_was_cut_off_before_another_costs_the_other_nothing(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text(nim(1)[:-9] + nim(2))
    first, second = all_of(path)
    assert first.notes
    assert second.text.decode() == nim(2)
    assert not second.notes


def test_a_damaged_log_between_others_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text(nim(1) + nim(2).replace("take", "eat", 1) + nim(3))
    first, second, third = read_logs(path)
    assert isinstance(first, ReadLog)
    assert isinstance(second, DamagedLog)
    assert isinstance(third, ReadLog)


@pytest.mark.parametrize("kind", ["whole", "cut off", "damaged", "no log first", "empty", "long"])
def test_logs_that_are_taken_apart_first_are_read_as_those_of_the_file(tmp_path: Path, kind: str) -> None:
    texts = {
        "whole": nim(1) + nim(2, 5) + nim(3, 0),
        "cut off": nim(1)[:-9] + nim(2),
        "damaged": nim(1) + nim(2).replace("take", "eat", 1) + nim(3),
        "no log first": "no log\n" + nim(2) + "\0\n",
        "empty": "",
        "long": nim(1) + "a" * (2 * LONGEST_LINE) + "\n" + nim(2),
    }
    path = tmp_path / "c.jsonl"
    path.write_text(texts[kind])
    apart = [read_text(text) if isinstance(text, bytes) else text for text in texts_of(path)]
    told = [(log.text, log.notes) if isinstance(log, ReadLog) else str(log) for log in apart]
    assert told == [(log.text, log.notes) if isinstance(log, ReadLog) else str(log) for log in read_logs(path)]
    assert told


def test_a_file_that_cannot_be_read_has_no_texts_but_says_why(tmp_path: Path) -> None:
    (error,) = texts_of(tmp_path / "none.jsonl")
    assert isinstance(error, LogError)


def test_a_seat_or_an_option_that_is_called_like_a_log_begins_none(tmp_path: Path) -> None:
    path = tmp_path / "odd.rules"
    path.write_text(Path(NIM).read_text().replace("seats red, blue", "seats rulelang, log"))
    match = api.load(path).start(seed=1)
    match.play(match.options[0])
    match.log.save(tmp_path / "a.jsonl")
    assert len(all_of(tmp_path / "a.jsonl")) == 1


def test_the_file_is_read_as_it_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text(nim(1) * 50 + "no log")
    assert len(list(islice(read_logs(path), 3))) == 3


# ------------------------------------------------------------------ compressed


def test_a_compressed_log_is_read_like_any_other(tmp_path: Path, zstd: Any) -> None:
    path = tmp_path / "a.jsonl.zst"
    path.write_bytes(packed(nim(1).encode()))
    log = read_log(path)
    assert log.text.decode() == nim(1)
    assert api.replay(log, under=NIM).difference is None


def test_compressed_logs_can_be_put_one_after_the_other_too(tmp_path: Path, zstd: Any) -> None:
    path = tmp_path / "c.jsonl.zst"
    path.write_bytes(packed(nim(1).encode()) + packed((nim(2) + nim(3)).encode()))
    assert [log.text.decode() for log in all_of(path)] == [nim(1), nim(2), nim(3)]


@pytest.mark.parametrize("end", [5, 30, -1, -40])
def test_a_compressed_log_that_was_cut_off_is_told(tmp_path: Path, zstd: Any, end: int) -> None:
    path = tmp_path / "a.jsonl.zst"
    path.write_bytes(packed(nim(1).encode())[:end])
    with pytest.raises(LogError, match="cut off"):
        read_log(path)


def test_bytes_that_are_no_zstd_behind_its_sign_are_told(tmp_path: Path, zstd: Any) -> None:
    path = tmp_path / "a.jsonl.zst"
    whole = bytearray(packed(nim(1).encode()))
    whole[len(whole) // 2] ^= 0xFF
    path.write_bytes(bytes(whole))
    with pytest.raises(LogError):
        read_log(path)
    path.write_bytes(packed(nim(1).encode()) + b"more")
    assert any(isinstance(log, LogError) for log in read_logs(path))


def test_a_few_bytes_that_stand_for_very_many_are_refused_before_they_are_unpacked(
    tmp_path: Path, zstd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compressed, "FREE", 2**20)
    monkeypatch.setattr(compressed, "GROWTH", 50)
    path = tmp_path / "bomb.jsonl.zst"
    path.write_bytes(packed((nim(1) * 40_000).encode()))
    *some, last = read_logs(path)
    assert isinstance(last, LogError)
    assert "stand for more than" in str(last)
    assert 0 < len(some) < 5_000


@pytest.mark.long
def test_a_line_without_an_end_is_not_unpacked_whole(tmp_path: Path, zstd: Any) -> None:
    path = tmp_path / "bomb.jsonl.zst"
    path.write_bytes(packed(b"\0" * 2**27))
    with pytest.raises(LogError, match="longer than"):
        read_log(path)


def test_more_lines_than_a_log_can_have_are_not_read_to_their_end(
    tmp_path: Path, zstd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tiny file may stand for millions of short lines, and no log begins among them."""
    monkeypatch.setattr(reading, "MOST_LINES", 1_000)
    taken: list[int] = []
    fill = compressed._Unpacking.readinto

    def noted(file: Any, buffer: Any) -> int:
        taken.append(fill(file, buffer))
        return taken[-1]

    monkeypatch.setattr(compressed._Unpacking, "readinto", noted)
    path = tmp_path / "bomb.jsonl.zst"
    path.write_bytes(packed(nim(1).encode() + b"{}\n" * 2**22))
    assert not holds_several(path)
    found = list(read_logs(path))
    assert "more than 1,000 lines" in str(found[-1])
    assert "more than 1,000 lines" in str(list(texts_of(path))[-1])
    assert sum(taken) < 2**20


def test_logs_after_the_longest_that_there_may_be_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = nim(1)
    monkeypatch.setattr(reading, "MOST_LINES", len(text.splitlines()))
    path = tmp_path / "many.jsonl"
    path.write_text(text * 5)
    assert [isinstance(log, ReadLog) for log in read_logs(path)] == [True] * 5


def test_a_window_that_would_take_much_memory_is_refused(tmp_path: Path, zstd: Any) -> None:
    options = {zstd.CompressionParameter.window_log: 27, zstd.CompressionParameter.enable_long_distance_matching: 1}
    path = tmp_path / "wide.jsonl.zst"
    text = nim(1).encode()
    compressor = zstd.ZstdCompressor(options=options)
    path.write_bytes(compressor.compress(text * 200) + compressor.flush())
    with pytest.raises(LogError):
        read_log(path, 1)


def test_without_the_library_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", none)
    path = tmp_path / "a.jsonl.zst"
    path.write_bytes(compressed.MAGIC + b"more")
    with pytest.raises(LogError, match=r"pip install 'rulelang\[zstd\]'"):
        read_log(path)


# ------------------------------------------------------------------ the commands


def test_cat_puts_logs_into_one_file_and_takes_them_out_again(run: Run, zstd: Any) -> None:
    Path("played").mkdir()
    for seed in (1, 2, 3):
        Path(f"played/{seed}.jsonl").write_text(nim(seed))
    made = run("log", "cat", "played", "--out", "all.jsonl.zst")
    assert made.exit_code == 0
    assert "3 logs" in made.output
    assert run("log", "cat", "all.jsonl.zst").output == nim(1) + nim(2) + nim(3)
    assert run("log", "cat", "all.jsonl.zst", "--nth", "2").output == nim(2)
    assert run("log", "cat", "all.jsonl.zst", "--out", "all.jsonl.zst").exit_code == 1
    assert run("log", "cat", "nowhere").exit_code == 3
    Path("cut.jsonl").write_text(nim(1)[:-3])
    assert "--repair" in run("log", "cat", "cut.jsonl").output


def test_replay_tells_of_each_log_in_a_file_and_shows_one(run: Run) -> None:
    Path("c.jsonl").write_text(nim(1) + nim(2, 4))
    each = run("replay", "c.jsonl", "--under", NIM)
    assert each.exit_code == 0, each.output
    assert "2 of 2 logs agree" in each.output
    assert "4 choices played again" in run("replay", "c.jsonl", "--under", NIM, "--nth", "2").output
    assert "step 3 of 4" in run("replay", "c.jsonl", "--under", NIM, "--nth", "2", "--to", "3").output
    several = run("replay", "c.jsonl", "--under", NIM, "--to", "3")
    assert several.exit_code == 3
    assert "--nth" in several.output
    data = json.loads(run("replay", "c.jsonl", "--under", NIM, "--json").output)
    assert [log["choices"] for log in data["logs"]] == [3, 4]
    with Path("c.jsonl").open("a") as file:
        file.write(nim(3).replace("take", "eat", 1))
    assert run("replay", "c.jsonl", "--under", NIM).exit_code == 3


def test_what_a_compressed_log_cannot_be_used_for_is_said(run: Run, zstd: Any) -> None:
    Path("a.jsonl.zst").write_bytes(packed(nim(1).encode()))
    assert run("replay", "a.jsonl.zst", "--under", NIM).exit_code == 0
    refused = run("play", NIM, "--resume", "a.jsonl.zst")
    assert refused.exit_code == 3
    assert "compressed" in refused.output
    live = run("play", NIM, "--seat", "all=first", "--fast", "--log", "b.jsonl.zst")
    assert live.exit_code == 2
    assert "rulelang log cat" in live.output


def test_a_log_is_shown_in_a_terminal_without_signs_that_would_speak_to_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name may hold what JSON need not escape: the code by which some terminals take commands."""
    lines = nim(1).splitlines()
    chain, sealed = Chain(), []
    for number, line in enumerate(lines):
        record = json.loads(line)
        record |= {"engine": "a\x9b31m\u202eb"} if number == 0 else {}
        digits = chain.add({name: value for name, value in record.items() if name != "h"})
        sealed.append(canonical({**record, "h": digits} if "h" in record else record))
    Path("a.jsonl").write_text("".join(f"{line}\n" for line in sealed))
    assert "\x9b" in run("log", "cat", "a.jsonl").output
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda stream: True, raising=False)
    shown = run("log", "cat", "a.jsonl").output
    assert "\x9b" not in shown
    assert "\u202e" not in shown
    assert len(shown.splitlines()) == len(lines)
