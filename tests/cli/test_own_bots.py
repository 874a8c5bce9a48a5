"""A bot in somebody's own Python file plays where bots are named on the command line, and is told of where it fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulelang.lab import own_bots
from tests.conftest import Run
from tests.files import CLASSICS

NIM = str(CLASSICS / "nim.rules")
MINE = '''
from rulelang.lab.bots import Bot

def careful(seen):
    """Leaves a multiple of four, where that can be."""
    heap = seen.view()["heap"].value
    return f"take({heap % 4})" if heap % 4 else seen.options.first(1)[0]

class Counting:
    def __init__(self):
        self.times = 0
    def __call__(self, seen):
        self.times += 1
        return seen.options.first(1)[0]

kept = Bot("kept", "takes the last option", lambda seen: list(seen.options)[-1])
number = 7

def failing(seen):
    return 1 / 0

def wrong(seen):
    return "take(9)"

class Broken:
    def __init__(self):
        raise ValueError("no weights")
'''


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "mine.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    own_bots._meant.cache_clear()
    own_bots._module.cache_clear()
    return "mine.py"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_it_meets_others_in_an_arena(run: Run, mine: str, jobs: str) -> None:
    words = ("arena", NIM, "--bots", "random", "--bot", f"{mine}:careful", "--games", "20", "--jobs", jobs, "--json")
    done = run(*words)
    assert done.exit_code == 0, done.output
    (lineup,) = json.loads(done.output)["lineups"]
    assert [one["bot"] for one in lineup["bots"]] == ["random", f"{mine}:careful"]
    assert lineup["bots"][1]["won"] > 15


@pytest.mark.parametrize("name", ["Counting", "kept"])
def test_a_class_and_a_bot_play_as_a_function_does(run: Run, mine: str, name: str) -> None:
    done = run("arena", NIM, "--bots", f"{mine}:{name},random", "--games", "4")
    assert done.exit_code == 0, done.output
    assert f"{name}" in done.output


def test_it_plays_both_games_of_a_comparison(run: Run, mine: str) -> None:
    done = run("diff", NIM, NIM, "--games", "4", "--bots", "random", "--bot", f"{mine}:careful")
    assert done.exit_code == 0, done.output
    assert f"bots random, {mine}:careful" in done.output


def test_it_takes_a_seat_at_a_table_or_all_the_others(run: Run, mine: str, tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    done = run("play", NIM, "--seat", "all=random", "--seat", f"2={mine}:careful", "--fast", "--log", str(log))
    assert done.exit_code == 0, done.output
    header = json.loads(log.read_text().splitlines()[0])
    assert f"{mine}:careful" in json.dumps(header)
    done = run("play", NIM, "--bot", f"{mine}:careful", "--seat", "1=random", "--fast")
    assert done.exit_code == 0, done.output


def test_a_name_in_a_log_imports_nothing(run: Run, mine: str, tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    words = ("play", NIM, "--seat", "all=random", "--seat", f"2={mine}:careful", "--fast", "--log", str(log))
    assert run(*words, "--at-most", "2").exit_code == 0
    Path(mine).write_text("raise SystemExit('imported')")
    done = run("play", NIM, "--resume", str(log), "--fast")
    assert done.exit_code == 2
    assert "nobody is called" in done.output


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("carefull", "has no 'carefull'; did you mean careful?"),
        ("number", "is not a bot: a bot is a function from a SeatView to one of its options"),
        ("Broken", "cannot be made: ValueError: no weights (mine.py, line 27)"),
    ],
)
def test_what_is_no_bot_is_refused_before_a_game_is_played(run: Run, mine: str, name: str, told: str) -> None:
    done = run("arena", NIM, "--bot", f"{mine}:{name}")
    assert done.exit_code == 2
    assert told in " ".join(done.output.split())


def test_versions_of_a_bot_in_two_folders_import_each_their_own_modules(run: Run, tmp_path: Path) -> None:
    for version, option in (("one", "first(1)[0]"), ("two", "first(2)[-1]")):
        (tmp_path / version).mkdir()
        (tmp_path / version / "taste.py").write_text(f"def choose(seen): return seen.options.{option}\n")
        (tmp_path / version / "mine.py").write_text(
            "from __future__ import annotations\nfrom dataclasses import dataclass\nfrom taste import choose\n"
            "@dataclass\nclass Mine:\n    name: str = 'mine'\n    def __call__(self, seen):\n"
            "        print('thinking')\n        return choose(seen)\n"
        )
    bots = ",".join(str(tmp_path / version / "mine.py:Mine") for version in ("one", "two"))
    done = run("arena", NIM, "--bots", bots, "--games", "2", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["lineups"]
    first, second = (
        own_bots._module(str(path), str(path)).choose.__code__.co_consts
        for path in (tmp_path / "one" / "mine.py", tmp_path / "two" / "mine.py")
    )
    assert first != second


def test_a_file_that_is_not_there_or_cannot_be_imported_is_told(run: Run, tmp_path: Path) -> None:
    done = run("arena", NIM, "--bot", "nowhere.py:bot")
    assert (done.exit_code, "there is no file nowhere.py" in done.output) == (2, True)
    path = tmp_path / "bad.py"
    path.write_text("import nothing_of_this_name\n")
    done = run("arena", NIM, "--bot", f"{path}:bot")
    assert done.exit_code == 2
    assert "cannot be imported: ModuleNotFoundError" in " ".join(done.output.split())


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("failing", "failed: ZeroDivisionError: division by zero (mine.py, line 20)"),
        ("wrong", "chose 'take(9)', which is not on offer: take(1), take(2), take(3)"),
    ],
)
@pytest.mark.parametrize("command", [("arena",), ("play", "--fast")])
def test_a_bot_that_fails_while_it_plays_is_told_in_a_line(
    run: Run, mine: str, command: tuple[str, ...], name: str, told: str
) -> None:
    seats = ("--seat", f"all={mine}:{name}") if command[0] == "play" else ("--bot", f"{mine}:{name}")
    done = run(command[0], NIM, *command[1:], *seats)
    assert done.exit_code not in (0, 2)
    assert told in " ".join(done.output.split())
    assert "Traceback" not in done.output
