"""Bots of somebody's own file in studies, and games that go wrong: each is counted, named, and plays again."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from rulelang.lab import own_bots
from tests.conftest import Run

pytest.importorskip("pyarrow")
pytest.importorskip("numpy")

from rulelang.studies.run import _tasks, begin, play, prepared_cells
from rulelang.studies.run import run as played
from rulelang.studies.study import read_study, table_of
from rulelang.studies.workers import Alone, Processes

MINE = """\
from helper import rest

def careful(seen):
    heap = seen.view()["heap"].value
    return f"take({rest(heap)})" if rest(heap) else seen.options.first(1)[0]

class Deep:
    def __init__(self, budget):
        self.budget = budget
    def __call__(self, seen):
        return careful(seen) if seen.rng.randrange(100) < self.budget else seen.options.pick(seen.rng.randrange)

def failing(seen):
    return careful(seen) if seen.view()["heap"].value > 5 else 1 / 0

def leaving(seen):
    raise SystemExit

def wrong(seen):
    return "take(9)"
"""
SETUP = """\
game dice "Dice":
  players 2
names p: Player; n: 1..3
the game has:
  heap: 0..5 = 5

action take(p, n) "Take {n}":
  heap -= n

setup:
  heap -= random(1..6)

play:
  turns p from first_player:
    p chooses one of take
    if heap == 0: finish with winner p
"""
"""Rules that fail in the set-up of some games, and in the course of others."""


@pytest.fixture
def mine(tmp_path: Path, nim: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "helper.py").write_text("def rest(heap): return heap % 4\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "helper", raising=False)
    own_bots._meant.cache_clear()
    own_bots._module.cache_clear()
    return "mine.py"


def sweep(run: Run, *words: str) -> dict[str, Any]:
    """Returns all figures of a study."""
    result = run("lab", "sweep", *words, *([] if "--out" in words else ["--out", "out"]), "--sampled", "0", "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_a_bot_of_a_file_plays_a_study_on_any_number_of_workers_wherever_they_run(
    mine: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = 'game = "nim.rules"\nbots = ["mine.py:careful", "random"]\ngames = 24\nchunk = 6\n'
    Path("in").mkdir()
    Path("in/study.toml").write_text(study.replace("mine.py", "../mine.py").replace("nim.rules", "../nim.rules"))
    assert "in/../mine.py:careful wins " in run("lab", "run", "in/study.toml", "--out", "one").output
    folder = begin(read_study(study), tmp_path / "two")
    assert next(folder.cells())["bots"] == {"mine.py:careful": own_bots.digest("mine.py:careful")}
    first, *tasks = _tasks(folder, prepared_cells(folder), None)
    done = list(Processes(3).done(play, tasks, 1))
    assert len(done) == len(tasks)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    play(first)
    monkeypatch.chdir(tmp_path)
    assert all(played(folder, Alone()))
    other = begin(read_study(study), tmp_path / "three")
    assert all(played(other, Alone()))
    tables = sorted(path.relative_to(folder.path) for path in folder.path.rglob("*.parquet"))
    assert tables
    assert all((folder.path / table).read_bytes() == (other.path / table).read_bytes() for table in tables)


@pytest.mark.long
def test_a_study_whose_bots_have_changed_since_does_not_go_on(mine: str, run: Run) -> None:
    words = (
        "lab",
        "sweep",
        "nim.rules",
        "size=6",
        "--bots",
        "random",
        "--bot",
        "mine.py:careful",
        "--games",
        "4",
        "--sampled",
        "0",
    )
    assert run(*words, "--out", "out").exit_code == 0
    Path("helper.py").write_text("def rest(heap): return heap % 3\n")
    result = run(*words, "--out", "out")
    assert result.exit_code == 1
    assert "mine.py:careful has changed since" in result.output


@pytest.mark.long
def test_a_ladder_has_rungs_of_a_bot_of_a_file_with_budgets_and_of_bots_by_name(mine: str, run: Run) -> None:
    bots = "bots=mine.py:Deep:50/mine.py:Deep:10*,mine.py:Deep:99/mine.py:Deep:50*"
    found = sweep(run, "nim.rules", bots, "--games", "60")
    assert [(rung["lower"], rung["higher"]) for rung in found["ladder"]] == [(10, 50), (50, 99)]
    assert any(told.startswith("More thought wins on 2 of 2 rungs") for told in found["sentences"])
    names = "bots=mine.py:Deep:60/random,mine.py:careful/mine.py:Deep:60"
    found = sweep(run, "nim.rules", names, "--games", "60", "--out", "named")
    assert [(rung["lower"], rung["higher"]) for rung in found["ladder"]] == [
        ("random", "mine.py:Deep:60"),
        ("mine.py:Deep:60", "mine.py:careful"),
    ]
    assert table_of("./a/b.py:c/random/x") == ("./a/b.py:c", "random", "x")


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        ("failing", "failed: ZeroDivisionError: division by zero (mine.py, line 14)"),
        ("leaving", "failed: SystemExit"),
        ("wrong", "chose 'take(9)', which is not on offer: take(1), take(2), take(3)"),
    ],
)
def test_a_bot_that_fails_is_counted_as_a_fault_and_named(mine: str, run: Run, bot: str, told: str) -> None:
    name = f"mine.py:{bot}"
    found = sweep(run, "nim.rules", "size=9", "--bots", f"{name},random", "--games", "6")
    metrics = found["cells"][0]["metrics"]
    assert metrics["faults"]["estimate"] > 0
    assert metrics[f"ended(fault in {name})"]["estimate"] == metrics["faults"]["estimate"]
    fault = found["faults"][0]
    assert told in fault["fault"]
    assert fault["bot"] == name
    assert any(sentence.startswith("A bot went wrong in cell 0, game ") for sentence in found["sentences"])
    assert "is code, which runs if you name it again" in run("lab", "show", "out", str(fault["game"])).output
    shown = run("lab", "show", "out", str(fault["game"]), "--bot", name)
    assert told in shown.output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("size=9", "--bots", "mine.py:carefull"), "did you mean careful?"),
        (("size=9", "--bot", "nowhere.py:bot"), "there is no file nowhere.py"),
        (("bots=mine.py:nobody/random",), "has no 'nobody'"),
        (("size=9", "--bot", "mine.py:careful:3"), "only a class has a budget"),
        (("size=9", "--bot", "mine.py:Deep:three"), "with a whole number"),
        (("size=9", "--bots", "greedy*,random"), "only the last bot takes all seats"),
        (("size=9", "--bots", "first,random", "--bot", "mine.py:careful"), "3 bots cannot sit on 2 seats"),
        (("size=9", "--values-by", "greedy:listed"), "values are of positions without a past"),
    ],
)
def test_what_is_no_bot_is_refused_before_the_first_game(
    mine: str, run: Run, words: tuple[str, ...], told: str
) -> None:
    result = run("lab", "sweep", "nim.rules", *words, "--out", "out")
    assert result.exit_code == 2
    assert told in " ".join(result.output.split())
    assert not Path("out").exists()


@pytest.mark.parametrize("bots", ["random", "first"])
def test_each_game_in_which_the_rules_go_wrong_is_counted_with_its_words_and_is_a_log(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bots: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("dice.rules").write_text(SETUP)
    found = sweep(run, "dice.rules", "heap=5", "--bots", bots, "--games", "40")
    assert 0 < found["cells"][0]["metrics"]["faults"]["estimate"] < 1
    assert all(fault["fault"].startswith("`heap` would become -") for fault in found["faults"])
    for fault in found["faults"][:6]:
        assert fault["fault"] in run("lab", "show", "out", str(fault["game"])).output
        log = Path(f"out/logs/0000-{fault['game']}.jsonl")
        # A game that fails in its set-up has a log of its seed alone, which fails again.
        in_setup = len(log.read_text().splitlines()) == 1
        assert (fault["fault"] in run("replay", str(log), "--game", "dice.rules").output) == in_setup
        assert in_setup or json.loads(log.read_text().splitlines()[-1]) == {"fault": fault["fault"]}
