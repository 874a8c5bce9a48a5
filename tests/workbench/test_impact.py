"""What other rules do to a folder of games that were played, and which edit makes a log differ."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli.commands.changes import impact as command_module
from cli.commands.changes.portions import Portion
from cli.main import main
from rulelang import api
from rulelang.log.compressed import packed
from tests.files import CLASSICS

NIM = str(CLASSICS / "nim.rules")
MORE = """
variant longer of nim "Longer":
  replace the game has:
    heap: 0..21 = 20

variant kind of nim "Kind words":
  replace action take(p, n) "Please take {n}":
    needs n <= heap  "Only {heap} are left"
    heap -= n
"""


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))
    (tmp_path / "more.rules").write_text(MORE)
    folder = tmp_path / "played"
    folder.mkdir()
    for number in range(4):
        match = api.load(NIM).start(seed=number)
        while match.to_move:
            match.play(match.options[number % len(match.options)])
        match.log.save(folder / f"{number}.jsonl")
    (folder / "broken.jsonl").write_text("no log\n")
    return folder


def impact(*words: str) -> Result:
    return CliRunner().invoke(main, ["impact", *words])


def test_logs_are_counted_by_what_becomes_of_them_and_by_the_edit(played: Path) -> None:
    rules = f"{NIM}+more.rules+longer"
    result = impact(rules, str(played), "--json", "--jobs", "1")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert data["logs"] == 5
    assert data["verdicts"]["not read"] == 1
    assert sum(data["verdicts"].values()) == 5
    same = json.loads(impact(NIM, str(played), "--json", "--jobs", "1").stdout)
    assert same["verdicts"] == {"unchanged": 4, "keeps its winner": 0, "another end": 0, "not read": 1}
    assert same["causes"] == []
    assert [list(one) for one in same["unread"]] == [["log", "because"]]


def test_several_processes_find_what_one_does(played: Path) -> None:
    rules = f"{NIM}+more.rules+longer"
    one = impact(rules, str(played), "--json", "--jobs", "1").stdout
    assert impact(rules, str(played), "--json", "--jobs", "2", "--fresh").stdout == one


def test_what_was_done_is_kept_and_not_done_again(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = impact(NIM, str(played), "--json", "--jobs", "1").stdout
    monkeypatch.setattr("cli.commands.changes.impact._one", lambda *words: pytest.fail("it is known"))
    assert impact(NIM, str(played), "--json", "--jobs", "1").stdout == first


def test_one_page_needs_nothing_else_and_names_the_causes(played: Path) -> None:
    assert impact(f"{NIM}+more.rules+longer", str(played), "--html", "page.html", "--jobs", "1").exit_code == 0
    page = Path("page.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "<svg" in page
    assert "http" not in page
    assert "<script" not in page


def test_a_folder_without_logs_is_refused(played: Path) -> None:
    (played.parent / "none").mkdir()
    result = impact(NIM, "none")
    assert result.exit_code == 3
    assert "there are no logs" in result.output


def test_bisect_names_the_one_edit_of_several(played: Path) -> None:
    words = ["bisect", str(played / "1.jsonl"), "--from", NIM, "--to", f"{NIM}+more.rules+kind+longer"]
    result = CliRunner().invoke(main, [*words, "--json"])
    data = json.loads(result.stdout)
    assert data["edits"] == 2
    assert [one["edit"] for one in data["because"]] == ["replace heap of the game"]
    assert "because of" in CliRunner().invoke(main, words).output
    same = CliRunner().invoke(main, ["bisect", str(played / "1.jsonl"), "--from", NIM, "--to", NIM])
    assert same.output == "the log does not differ under these rules\n"


def test_other_words_hide_no_edit_that_changes_play(tmp_path: Path) -> None:
    """The words are told first, in the first choice; what the game does is another in the last."""
    match = api.load(NIM).start(seed=1)
    while match.to_move:
        match.play(match.options[-1])
    match.log.save(tmp_path / "a.jsonl")
    text = Path(NIM).read_text()
    (tmp_path / "nim.rules").write_text(
        text.replace('"Take {n}"', '"Kindly take {n}"').replace("finish with winner p", "finish with winner next(p)")
    )
    words = ["bisect", str(tmp_path / "a.jsonl"), "--from", NIM, "--to", str(tmp_path / "nim.rules")]
    said = CliRunner().invoke(main, words).output
    assert "because of play" in said
    assert "action take" not in said
    data = json.loads(impact(str(tmp_path / "nim.rules"), str(tmp_path / "a.jsonl"), "--json").stdout)
    assert data["verdicts"]["another end"] == 1


def test_several_logs_in_one_file_count_each(tmp_path: Path) -> None:
    logs = []
    for seed in (1, 2, 3):
        match = api.load("outspeed").start(players=3, seed=seed)
        match.play(match.options[0])
        logs.append(match.log.text)
    (tmp_path / "all.jsonl").write_text("".join(logs) + logs[0].replace("seed", "sead", 1))
    words = ["impact", "outspeed", str(tmp_path / "all.jsonl"), "--json", "--jobs", "1"]
    for _ in range(2):
        data = json.loads(CliRunner().invoke(main, words).stdout)
        assert data["logs"] == 4
        assert data["verdicts"]["unchanged"] == 3
        assert data["verdicts"]["not read"] == 1


def test_an_interrupt_keeps_what_was_done_and_the_same_command_goes_on(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = impact(NIM, str(played), "--json", "--jobs", "1", "--fresh").stdout
    asked: list[str] = []
    one = command_module._one

    def stopping(rules: str, policy: str, bots: str | None, portion: Portion) -> command_module.Records:
        if len(asked) == 2:
            raise KeyboardInterrupt
        asked.append(portion.path.name)
        return one(rules, policy, bots, portion)

    monkeypatch.setattr(command_module, "_one", stopping)
    stopped = impact(NIM, str(played), "--json", "--jobs", "1", "--fresh")
    assert stopped.exit_code == 130
    assert json.loads(stopped.stdout)["logs"] == 2
    assert "Stopped after 2 logs; the same command goes on from there." in stopped.stderr
    again: list[str] = []

    def noted(*words: Any) -> Any:
        again.append(words[-1].path.name)
        return one(*words)

    monkeypatch.setattr(command_module, "_one", noted)
    went_on = impact(NIM, str(played), "--json", "--jobs", "1")
    assert went_on.exit_code == 0
    assert went_on.stdout == whole
    assert not set(again) & set(asked)


def test_half_a_line_of_results_is_made_again(played: Path) -> None:
    whole = impact(NIM, str(played), "--json", "--jobs", "1").stdout
    (kept,) = (played.parent / "cache").rglob("impact-*.jsonl")
    kept.write_bytes(kept.read_bytes()[:-20])
    assert impact(NIM, str(played), "--json", "--jobs", "1").stdout == whole
    assert impact(NIM, str(played), "--json", "--jobs", "1").stdout == whole
    assert len(kept.read_bytes().splitlines()) == 6, "five results and the half line"


def test_a_bot_plays_where_the_policy_says_so(played: Path) -> None:
    rules = f"{NIM}+more.rules+longer"
    assert impact(rules, str(played), "--policy", "bot", "--bots", "first", "--jobs", "1").exit_code == 0
    assert impact(rules, str(played), "--policy", "bot", "--bots", "fist", "--jobs", "1").exit_code == 2


def test_a_page_that_cannot_be_written_is_refused_before_a_log_is_played(played: Path) -> None:
    (played.parent / "taken").write_text("")
    for option in ("--html", "--parquet"):
        result = impact(NIM, str(played), option, "taken/page", "--jobs", "1")
        assert result.exit_code == 3
        assert "unchanged" not in result.output


def test_rows_are_written_as_they_come(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(command_module, "PIECE", 2)
    assert impact(NIM, str(played), "--parquet", "rows.parquet", "--jobs", "1").exit_code == 0
    table = parquet.read_table("rows.parquet")
    assert table.num_rows == 5
    assert sorted(table["verdict"].to_pylist()) == ["not read", *["unchanged"] * 4]


def test_what_is_printed_to_replay_a_log_can_be_typed(played: Path) -> None:
    rules = f"{NIM}+more.rules+longer"
    output = impact(rules, str(played), "--jobs", "1").output
    (typed,) = (line.split()[1:] for line in output.splitlines() if line.startswith("  rulelang replay"))
    assert CliRunner().invoke(main, typed).exit_code == 1, "it differs, and says how"


@pytest.fixture
def joined(played: Path) -> Path:
    """Ten logs in one file, of which the seventh is damaged."""
    logs = [(played / f"{number % 4}.jsonl").read_text() for number in range(10)]
    logs[6] = logs[6].replace("take", "tame", 1)
    path = played.parent / "all.jsonl"
    path.write_text("".join(logs))
    return path


def test_the_logs_of_one_file_are_shared_out_among_processes(joined: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = f"{NIM}+more.rules+longer"
    one = impact(rules, str(joined), "--json", "--jobs", "1").stdout
    assert json.loads(one)["logs"] == 10
    assert json.loads(one)["verdicts"]["not read"] == 1
    shares: list[tuple[int, int]] = []

    class Pool(ProcessPoolExecutor):
        def submit(self, one, /, *words, **named):  # type: ignore[no-untyped-def]
            shares.append((words[0].begin, len(words[0].texts)))
            return super().submit(one, *words, **named)

    monkeypatch.setattr(command_module, "ProcessPoolExecutor", Pool)
    assert impact(rules, str(joined), "--json", "--jobs", "2", "--fresh").stdout == one
    assert shares == [(0, 4), (4, 4), (8, 2)]


def test_an_interrupt_within_a_file_of_many_logs_keeps_those_that_were_played(
    joined: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = impact(NIM, str(joined), "--json", "--jobs", "1", "--fresh").stdout
    one, begun = command_module._one, list[int]()

    def stopping(rules: str, policy: str, bots: str | None, portion: Portion) -> command_module.Records:
        if portion.begin == 8:
            raise KeyboardInterrupt
        begun.append(portion.begin)
        return one(rules, policy, bots, portion)

    monkeypatch.setattr(command_module, "_one", stopping)
    stopped = impact(NIM, str(joined), "--json", "--jobs", "1", "--fresh")
    assert stopped.exit_code == 130
    assert json.loads(stopped.stdout)["logs"] == 8
    assert impact(NIM, str(joined), "--json", "--jobs", "1").exit_code == 130
    assert begun == [0, 4]
    monkeypatch.setattr(command_module, "_one", one)
    assert impact(NIM, str(joined), "--json", "--jobs", "1").stdout == whole


def test_a_log_among_several_is_called_by_its_number(joined: Path) -> None:
    output = impact(NIM, str(joined), "--json", "--jobs", "1").stdout
    shown = impact(f"{NIM}+more.rules+longer", str(joined), "--jobs", "1").output
    assert json.loads(output)["logs"] == 10
    (typed,) = (line.split()[1:] for line in shown.splitlines() if line.startswith("  rulelang replay"))
    assert "--nth" in typed
    assert CliRunner().invoke(main, typed).exit_code == 1


def test_logs_in_zstd_one_after_the_other_count_as_they_do_plain(joined: Path) -> None:
    """One frame with several logs, and several frames in one file, as `cat a.jsonl.zst b.jsonl.zst` makes them."""
    pytest.importorskip("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    text = joined.read_bytes()
    one, several = joined.parent / "one.jsonl.zst", joined.parent / "several.jsonl.zst"
    one.write_bytes(packed(text))
    half = text.index(b'{"rulelang"', 1)
    several.write_bytes(packed(text[:half]) + packed(text[half:]))
    counted = [json.loads(impact(NIM, str(path), "--json", "--jobs", "1").stdout) for path in (joined, one, several)]
    assert counted[0]["logs"] == 10
    assert counted[0]["verdicts"]["not read"] == 1
    files = [record.pop("unread")[0]["log"].removesuffix(" --nth 7") for record in counted]
    assert files == [str(joined), str(one), str(several)]
    assert counted[1] == counted[2] == counted[0]
