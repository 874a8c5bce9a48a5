"""What other rules do to a folder of games that were played, and which edit makes a log differ."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rulelang.cli.main import main

from rulelang import api
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


def test_several_processes_find_what_one_does(played: Path) -> None:
    rules = f"{NIM}+more.rules+longer"
    one = impact(rules, str(played), "--json", "--jobs", "1").stdout
    assert impact(rules, str(played), "--json", "--jobs", "2", "--fresh").stdout == one


def test_what_was_done_is_kept_and_not_done_again(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = impact(NIM, str(played), "--json", "--jobs", "1").stdout
    monkeypatch.setattr("rulelang.cli.commands.changes.impact._one", lambda *words: pytest.fail("it is known"))
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
