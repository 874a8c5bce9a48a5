"""A clock while a person plays: the sand runs while they think, and what it showed is an input that is kept."""

from __future__ import annotations

import io
import json
import os
import random
import select
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

import rulelang
from cli.main import main
from cli.play import countdown
from cli.play.countdown import read_line
from cli.screen.styles import Styles
from rulelang.api import Match
from rulelang.match.recording.events import Taken
from rulelang.session.clock import Timer
from tests.files import ROOT

CLIMB = """\
game climb "Climb":
  players 1

clock sand: 0..60000
  | action | milliseconds |
  | climb  | 20000        |

the game has:
  height: 0..9 = 0

action climb(p: Player) "Climb": height += 1
action rest(p: Player) "Give up": settle

play:
  against sand:
    repeat while height < 3: first_player chooses one of climb, rest
  finish with score height
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "climb.rules").write_text(CLIMB, encoding="utf-8")
    return tmp_path


def play(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["play", "climb.rules", "--seed", "1", *words], input=typed)


def ticking(*seconds: float) -> Iterator[float]:
    """A time that goes on by so much each time it is looked at; the last step again and again."""
    now, steps = 0.0, list(seconds)
    while True:
        yield now
        now += steps.pop(0) if len(steps) > 1 else steps[0]


def taken(path: Path) -> list[int | None]:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [line.get("elapsed") for line in lines if "option" in line]


def test_what_a_person_took_is_kept_with_the_answer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.play.command.monotonic", ticking(0.5).__next__)
    result = play("--clock", "--log", "a.jsonl", typed="climb\nclimb\nclimb\n")
    assert result.exit_code == 0
    assert "The game ends with a score of 3" in result.output
    readings = taken(folder / "a.jsonl")
    assert len(readings) == 3
    assert all(reading in range(500, 5000, 500) for reading in readings)


def test_a_replay_needs_no_clock(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.play.command.monotonic", ticking(7).__next__)
    play("--clock", "--log", "a.jsonl", typed="climb\nclimb\nrest\nclimb\n")
    monkeypatch.setattr("cli.play.command.monotonic", None)
    result = CliRunner().invoke(main, ["replay", "a.jsonl", "--game", "climb.rules"])
    assert result.exit_code == 0, result.output


def test_an_answer_that_comes_too_late_does_not_count(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.play.command.monotonic", ticking(61).__next__)
    result = play("--clock", "--log", "a.jsonl", typed="climb\n")
    assert "The sand has run out." in result.output
    assert "The game ends with a score of 0" in result.output
    assert taken(folder / "a.jsonl") == [60_001]


def test_without_a_clock_an_answer_takes_what_the_rules_say(folder: Path) -> None:
    result = play("--no-clock", "--log", "a.jsonl", typed="climb\nclimb\nclimb\n")
    assert "sand 0 " in result.output
    assert taken(folder / "a.jsonl") == [None, None, None]


def test_answers_from_a_pipe_take_what_the_rules_say(folder: Path) -> None:
    play("--log", "a.jsonl", typed="climb\nrest\nclimb\nclimb\n")
    assert taken(folder / "a.jsonl") == [None] * 4


def test_questions_about_the_rules_cost_time_like_any_other_thought(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.play.command.monotonic", ticking(5).__next__)
    play("--clock", "--log", "a.jsonl", typed="climb\n?\n?\nclimb\nquit\n")
    short, long = taken(folder / "a.jsonl")
    assert short is not None
    assert long is not None
    assert short < long


def test_who_is_too_late_passes_and_the_log_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = CLIMB.replace("against sand:\n    repeat", "repeat 1 times:\n    repeat")
    rules = rules.replace("one of climb, rest", "one of climb, or stop after 60 seconds")
    rules = rules[: rules.index("clock")] + rules[rules.index("the game has") :]
    (folder / "climb.rules").write_text(rules, encoding="utf-8")
    monkeypatch.setattr("cli.play.command.monotonic", ticking(7, 7, 7, 7, 7, 7, 61).__next__)
    result = play("--clock", "--log", "a.jsonl", typed="climb\nclimb\nclimb\n")
    assert "The time has run out." in result.output
    lines = [json.loads(line) for line in (folder / "a.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(one["option"], one.get("by")) for one in lines if "option" in one][-1] == ("stop", "clock")
    assert CliRunner().invoke(main, ["replay", "a.jsonl", "--game", "climb.rules"]).exit_code == 0


def test_an_answer_stands_until_something_happens(folder: Path) -> None:
    (folder / "climb.rules").write_text(
        CLIMB.replace("players 1", "players 2").replace("first_player chooses", "each q in Player chooses")
        + "names q: Player\n",
        encoding="utf-8",
    )
    typed = "rest until climb\nrest\nrest\nclimb\nwithdraw\nclimb\n"
    result = play("--no-clock", "--seat", "all=me", "--log", "a.jsonl", typed=typed)
    assert "Give up, until climb: withdraw ends it." in result.output
    assert "No answer of yours stands." in result.output
    lines = [json.loads(line) for line in (folder / "a.jsonl").read_text(encoding="utf-8").splitlines()]
    given = [(one["seat"], one["option"], one.get("by")) for one in lines if "option" in one]
    assert given[:4] == [
        ("player1", "rest", "standing"),
        ("player2", "rest", None),
        ("player1", "rest", "standing"),
        ("player2", "rest", None),
    ]


def test_a_terminal_that_cannot_move_its_cursor_gets_the_bar_once(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr("sys.stdin", io.StringIO("climb\n"))
    console = Console(file=out, width=60)
    timer = Timer("sand", 30_000, 60_000, 1000, lambda: 1.0, 0.0)
    assert read_line(console, Styles(("ann",)), "ann> ", timer) == "climb"
    assert out.getvalue() == "sand ████████████░░░░░░░░░░░░  29 s\nann> "


@pytest.mark.parametrize("trouble", [OSError("not a socket"), ValueError("no file")])
def test_where_a_keyboard_cannot_be_waited_for_the_line_is_read_as_it_comes(
    monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    def refuse(*_: object) -> None:
        raise trouble

    monkeypatch.setattr(countdown, "_can_run", lambda console: True)
    monkeypatch.setattr(select, "select", refuse)
    monkeypatch.setattr("sys.stdin", io.StringIO("climb\n"))
    timer = Timer("sand", 30_000, 60_000, 1000, lambda: 0.0, 0.0)
    assert read_line(Console(file=io.StringIO()), Styles(("ann",)), "ann> ", timer) == "climb"


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no terminals to pretend")
def test_on_a_terminal_the_bar_runs_while_a_line_is_typed(folder: Path) -> None:
    screen = at_a_terminal("climb.rules", "--log", "a.jsonl")
    assert screen.count("\x1b7") > 1
    assert taken(folder / "a.jsonl")[0] in range(300, 60_000)
    assert "height 1" in screen.replace("\x1b[0m", "").replace("\x1b[90m", "").replace("\x1b[1;90m", "")


def at_a_terminal(*words: str) -> str:
    """Plays at a terminal: thinks for a while, climbs, and leaves."""
    import pty

    pid, fd = pty.fork()
    if pid == 0:
        os.environ |= {"TERM": "xterm", "COLUMNS": "80", "PYTHONPATH": str(ROOT)}
        os.execv(sys.executable, [sys.executable, "-m", "cli", "play", *words])
    seen, answers, since = b"", [b"quit\n", b"climb\n"], 0.0
    end = time.monotonic() + 300
    while time.monotonic() < end:
        if select.select([fd], [], [], 0.1)[0]:
            try:
                seen += os.read(fd, 65_536)
            except OSError:
                break
        asked = seen.count(b"player 1\x1b[0m> ") == 3 - len(answers)
        since = (since or time.monotonic()) if asked else 0.0
        if answers and since and time.monotonic() - since > 0.7:
            os.write(fd, answers.pop())
            since = 0.0
    os.waitpid(pid, 0)
    os.close(fd)
    return seen.decode("utf-8", "replace")


# ------------------------------------------------------------------ readings as inputs


def amid_the_sand(executor: str, rng: random.Random) -> Match:
    """Plays Exit Velocity at random, with a clock that shows anything, beyond its limit too."""
    match = rulelang.load("exit_velocity").start(2, seed=4, options={"max_rounds": 4}, executor=executor)
    while match.to_move:
        option = rng.choice(list(match.options))
        match.play(option, elapsed=None if match.clock is None else rng.randrange(match.time_left + 2000))
    return match


@pytest.mark.long
def test_both_executors_read_the_same_clock() -> None:
    one, other = amid_the_sand("generated", random.Random(7)), amid_the_sand("reference", random.Random(7))
    assert one.position.row[: one.internals.layout.size] == other.position.row[: one.internals.layout.size]
    assert one.events == other.events


def test_a_log_with_readings_plays_to_the_same_end() -> None:
    match = amid_the_sand("generated", random.Random(11))
    readings = [entry.elapsed for entry in match.journal if isinstance(entry, Taken)]
    assert any(reading is not None for reading in readings)
    again = rulelang.replay(match.log)
    assert again.match.key == match.key
    assert again.match.events == match.events
