"""Logs as tables: what is in them, what can be asked, and what no question can reach."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

from rulelang import api
from rulelang.errors import RulelangError
from rulelang.log.reading import read_logs
from rulelang.workbench.archive import Archive, BadQuestion, answered
from rulelang.workbench.tables import TABLES, rows_of
from tests.conftest import Run
from tests.files import CLASSICS

NIM = str(CLASSICS / "nim.rules")
ROUNDS = """
game cards "Cards":
  players 2
  seats red, blue

names p: Player
enum Name: blackout, sunshine
kind Card "card":
  name: Name
  | name     |
  | blackout |
  | sunshine |

the game has:
  rounds: 0..20 = 0
each Player has:
  hand: group of Card

setup:
  move Card to first(Player).hand

action lay(p, c in p.hand) "{p} lays {c}":
  move c to box

play:
  repeat while rounds < 9:
    rounds += 1
    for p in players: p chooses one of lay, or pass
  finish with winner first(Player)
"""


def rows(tables: Path, question: str) -> tuple[tuple[object, ...], ...]:
    """Returns all rows of an answer."""
    with answered(tables, question) as answer:
        return tuple(answer.rows)


def nim(seed: int) -> str:
    match = api.load(NIM).start(seed=seed)
    while match.to_move:
        match.play(match.options[0])
    return match.log.text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two whole games, one that was taken back in, and one that cannot be read."""
    match = api.load(NIM).start(seed=3)
    match.play(match.options[0])
    match.undo()
    match.play(match.options[1])
    (tmp_path / "played").mkdir()
    (tmp_path / "played/a.jsonl").write_text(nim(1) + nim(2))
    (tmp_path / "played/b.jsonl").write_text(match.log.text)
    (tmp_path / "played/c.jsonl").write_text(nim(1).replace("take", "eat", 1))
    return tmp_path / "played"


@pytest.fixture
def tables(folder: Path, tmp_path: Path) -> Path:
    """The same as tables."""
    for name in ("pyarrow", "duckdb"):
        pytest.importorskip(name)
    out = tmp_path / "tables"
    out.mkdir()
    with Archive(out) as made:
        for path in sorted(folder.iterdir()):
            made.add(path.name, read_logs(path))
    assert (made.games, made.unread) == (4, 1)
    return out


def test_every_row_has_columns_of_its_table_and_no_others(folder: Path) -> None:
    for path in folder.iterdir():
        for nth, log in enumerate(read_logs(path), start=1):
            for table, row in rows_of(1, path.name, nth, log):
                assert set(row) <= set(TABLES[table])


def test_a_game_that_cannot_be_read_is_a_row_that_says_why(tables: Path) -> None:
    found = rows(tables, "select log, fault from games where fault is not null")
    assert found[0][0] == "c.jsonl"
    assert "line" in str(found[0][1])


def test_the_end_of_a_game_stands_in_its_row(tables: Path) -> None:
    found = rows(tables, "select nth, is_complete, winners, ended from games where log = 'a.jsonl' order by nth")
    assert [row[0] for row in found] == [1, 2]
    assert all(row[1] and row[2] and row[3] == "winner" for row in found)


def test_what_was_taken_back_is_there_and_does_not_stand(tables: Path) -> None:
    question = "select input, stands from inputs join games using (game) where log = 'b.jsonl' order by n"
    assert rows(tables, question) == (("choice", False), ("undo", False), ("choice", True))


@pytest.mark.parametrize(
    "question",
    [
        "select * from read_csv('{secret}')",
        "select * from read_text('{secret}')",
        "select * from '{secret}'",
        "select * from glob('/*')",
        "copy games to '{new}'",
        "copy games to '{own}'",
        "export database '{new}'",
        "attach '{new}'",
        "install httpfs",
        "load httpfs",
        "set enable_external_access = true",
        "select * from read_parquet('https://example.org/x.parquet')",
        "selct 1",
        "select * from nowhere",
        "",
    ],
)
def test_no_question_reads_or_writes_anything_else(tables: Path, tmp_path: Path, question: str) -> None:
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n")
    names = {"secret": tmp_path / "secret.csv", "new": tmp_path / "new.db", "own": tables / "games.parquet"}
    before = (tables / "games.parquet").read_bytes()
    try:
        found = rows(tables, question.format(**names))
    except BadQuestion:
        found = ()
    assert not found
    assert not (tmp_path / "new.db").exists()
    assert (tables / "games.parquet").read_bytes() == before
    assert sorted(path.name for path in tables.iterdir()) == sorted(f"{name}.parquet" for name in TABLES)


def test_without_the_libraries_it_says_what_to_install(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", none)
    with pytest.raises(RulelangError, match=r"pip install 'rulelang\[tables\]'"):
        rows(tmp_path, "select 1")


def test_games_in_which_a_card_was_played_before_a_round_are_found_by_the_command(run: Run) -> None:
    for name in ("pyarrow", "duckdb"):
        pytest.importorskip(name)
    Path("cards.rules").write_text(ROUNDS)
    Path("played").mkdir()
    for number, when in (("early", 2), ("late", 7), ("never", 0)):
        match = api.load("cards.rules").start(seed=1)
        for turn in range(1, 10):
            match.play("red: lay(blackout)" if turn == when else "red: pass")
            match.play("blue: pass") if match.to_move and match.seats[match.to_move[0]] == "blue" else None
        match.log.save(f"played/{number}.jsonl")
    question = (
        "select distinct log from games join events using (game)"
        " where stands and rule = 'lay' and call ilike '%blackout%' and round < 5"
    )
    found = run("log", "query", "played", question, "--json")
    assert found.exit_code == 0, found.output
    assert json.loads(found.output)["rows"] == [{"log": "played/early.jsonl"}]
    made = run("log", "export", "played", "--out", "tables")
    assert made.exit_code == 0
    again = run("log", "query", "tables", question)
    assert "played/early.jsonl" in again.output
    assert "1 row" in again.output
    assert run("log", "export", "played", "--out", "tables").exit_code == 1
    wrong = run("log", "query", "tables", "select nothing from games")
    assert wrong.exit_code == 1
    assert "nothing" in wrong.output


def test_a_long_answer_is_read_in_pieces_and_a_table_shows_its_first_rows(run: Run) -> None:
    run("play", NIM, "--seat", "all=first", "--fast", "--seed", "1", "--log", "a.jsonl")
    question = "select i from range(2500) r(i)"
    printed = run("log", "query", "a.jsonl", question).output
    assert printed.splitlines()[1000].split() == ["999"]
    assert printed.endswith("the first 1000 of 2500 rows (--json prints all)\n")
    document = run("log", "query", "a.jsonl", question, "--json").output
    assert document == json.dumps({"columns": ["i"], "rows": [{"i": i} for i in range(2500)]}, indent=2) + "\n"
    nothing = run("log", "query", "a.jsonl", "select i from range(0) r(i)", "--json").output
    assert nothing == json.dumps({"columns": ["i"], "rows": []}, indent=2) + "\n"


def test_texts_of_logs_do_not_speak_to_the_terminal(run: Run) -> None:
    for name in ("pyarrow", "duckdb"):
        pytest.importorskip(name)
    from rulelang.log.format import Chain, sealed_line

    chain = Chain()
    records = [json.loads(line) for line in nim(1).splitlines()]
    records[0]["engine"] = "\x1b[2Jgone"
    lines = (sealed_line({k: v for k, v in r.items() if k != "h"}, chain, n) for n, r in enumerate(records, 1))
    Path("a.jsonl").write_text("".join(f"{line}\n" for line in lines))
    assert "\x1b" not in run("log", "query", "a.jsonl", "select engine from games").output
