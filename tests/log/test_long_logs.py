"""Logs of many inputs: played again in memory that does not grow with them, and looked at wherever one likes."""

from __future__ import annotations

import json
import os
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cli import main
from rulelang import api
from rulelang.errors import LogError, RangeViolation, RulelangError
from rulelang.ir.model import GameRules
from rulelang.log import checkpoints, player, replay
from rulelang.log.format import Log, LogWriter
from rulelang.log.reading import ReadLog, read_log
from rulelang.match.match import BareMatch
from rulelang.workbench import divergence
from rulelang.workbench.divergence import retell
from rulelang.workbench.divergence_report import Policy
from tests.games.hidden import hidden
from tests.games.written import game
from tests.log.test_log import ALL, as_read, begin, forged, header, played, replayed
from tests.match.test_match import overflowing

WALK = """
game walk "Walk":
  players 2
names p: Player
die pace: 1, 2, 3
each Player has:
  at: 0..9 = 0
action go(p) "{p} goes.": p.at = (p.at + roll(pace)) % 10
action rest(p) "{p} rests.": p.at = p.at
play:
  turns p from player1: p chooses one of go, rest
"""


@pytest.fixture
def long(monkeypatch: pytest.MonkeyPatch) -> None:
    all_are_long(monkeypatch)


def all_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes each log for a long one, and keeps few matches of it."""
    monkeypatch.setattr(replay, "REMEMBERED", 0)
    monkeypatch.setattr(checkpoints, "NEAR", 3)
    monkeypatch.setattr(checkpoints, "MOST", 7)


def wavering(game: GameRules, seed: int) -> tuple[BareMatch, Log]:
    """A match whose seats take back what they did, now and then a lot of it, and its log."""
    match, rng = begin(game, seed), random.Random(seed)
    for _ in range(120):
        if match.can_undo and (rng.random() < 0.25 or not match.to_move):
            number = rng.choice([past.number for _, past in match.earlier()][-rng.choice((1, 2, 9, 40)) :])
            match.undo(to=number)
        elif match.to_move:
            match.play(rng.choice(list(match.options)))
    return match, Log.of(header(match, seed), match)


@pytest.mark.long
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("seed", range(int(os.environ.get("SEEDS", "2"))))
def test_a_long_log_is_played_again_as_a_short_one_is(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    _, log = wavering(ALL[name](), seed)
    read = as_read(log.text)
    whole = replayed(read, ALL[name]())
    all_are_long(monkeypatch)
    again = replayed(read, ALL[name]())
    assert whole.difference is again.difference is None
    assert len(again.positions) == len(whole.positions)
    steps = list(range(len(whole.positions)))
    random.Random(seed).shuffle(steps)
    for step in steps:
        then, now = whole.positions[step].match, again.at(step)
        assert now.key == then.key
        assert (now.to_move, now.event_count) == (then.to_move, then.event_count)
        assert dict(now.state) == dict(then.state)
        own = whole.at(step - 1).event_count if step else 0
        assert now.events_for(0, own) == then.events_for(0, own)
    assert again.match.journal == whole.match.journal
    assert again.match.events == whole.match.events
    assert again.positions[len(steps) // 2].match.information(0) == whole.positions[len(steps) // 2].match.information(
        0
    )


@pytest.mark.usefixtures("long")
def test_a_fault_in_a_long_log_is_played_again() -> None:
    match = begin(overflowing())
    match.play("pile(5)")
    for _ in range(3):
        with pytest.raises(RangeViolation):
            match.play("pile(6)")
    match.play("pile(1)")
    match.undo()
    again = replayed(as_read(Log.of(header(match), match).text), overflowing())
    assert again.difference is None
    assert [again.at(step).key for step in range(len(again.positions))][-1] == match.key


@pytest.mark.usefixtures("long")
@pytest.mark.parametrize("to", [0, 2, 99, -1])
def test_an_undo_of_what_does_not_stand_is_a_difference_in_a_long_log_too(to: int) -> None:
    match = begin(hidden())
    for text in ("red: 1", "blue: 2", "pass"):
        match.play(text)
    match.undo(0)
    log = Log.of(header(match), match)
    change = lambda line: {**line, "to": to} if line.get("input") == "undo" else line  # noqa: E731 - a change
    read = as_read(forged(log, change))
    difference = replayed(read, hidden()).difference
    assert difference is not None
    assert "take back" in difference.played or "undo" in difference.logged
    with pytest.raises(LogError, match="does not stand"):
        assert read.steps.standing


@pytest.mark.usefixtures("long")
def test_what_a_match_in_a_long_log_has_let_go_is_not_made_up() -> None:
    match, log = played("hidden")
    again = replayed(as_read(log.text), hidden())
    last = again.at(len(again.positions) - 1)
    looks: tuple[Callable[[], object], ...] = (
        lambda: last.events,
        lambda: last.view(0).events,
        lambda: last.information(0),
    )
    for look in looks:
        with pytest.raises(RulelangError, match="were let go"):
            look()
    assert not last.can_undo or last.earlier()
    assert again.match.view(0) == match.view(0)


@pytest.mark.usefixtures("long")
def test_a_log_that_changes_while_it_is_read_is_told_from_one_that_does_not(tmp_path: Path) -> None:
    _, log = played("hidden")
    log.save(tmp_path / "a.jsonl")
    read = read_log(tmp_path / "a.jsonl")
    text = (tmp_path / "a.jsonl").read_text()
    (tmp_path / "a.jsonl").write_text(text.replace('"seat":"red"', '"seat":"rad"', 1))
    with pytest.raises(LogError, match="was changed while it was read"):
        list(read.lines)
    with pytest.raises(LogError, match="was changed while it was read"):
        replayed(read, hidden())
    (tmp_path / "a.jsonl").unlink()
    with pytest.raises(LogError, match="cannot be read"):
        replayed(read, hidden())


def test_the_lines_of_a_log_are_those_that_were_written() -> None:
    _, log = wavering(hidden(), 5)
    read = as_read(log.text)
    records = [json.loads(line) for line in log.lines[1:]]
    assert [line.record for line in read.lines] == records
    assert [read.lines[at].record for at in range(len(read.lines))] == records
    assert [line.number for line in read.lines[-3:]] == [len(records) - 1, len(records), len(records) + 1]
    assert read.choices == sum(record.get("input") == "choice" for record in records)


@pytest.mark.long
def test_taking_all_back_one_by_one_plays_little_more_than_was_played(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(replay, "REMEMBERED", 100)
    monkeypatch.setattr(checkpoints, "NEAR", 16)
    monkeypatch.setattr(checkpoints, "MOST", 48)
    walk, played, again = game(WALK, tmp_path), 0, player.Player.again

    def counted(*step: Any) -> None:
        nonlocal played
        played += 1
        again(*step)

    monkeypatch.setattr(player.Player, "again", counted)
    path = _written(walk, tmp_path / "a.jsonl", 1500, wavers=True)
    assert api.replay(path, under=walk).difference is None
    undos = sum(line.what == "undo" for line in read_log(path).lines)
    assert undos > 400
    assert played < 4 * undos


# ------------------------------------------------------------------ memory


def _written(played: api.Game, path: Path, inputs: int, *, wavers: bool) -> Path:
    """Writes a log of so many inputs, without ever holding it."""
    match, rng = played.start(2, 1), random.Random(1)
    with path.open("w+b") as file:
        writer = LogWriter(file, match.header)
        for entry in match.journal:
            writer(entry)
        match.listen(writer)
        while match.inputs < inputs:
            match.push(rng.choice(list(match.options)))
            if wavers and match.inputs > inputs * 2 // 3:
                while match.inputs < inputs:
                    match.undo()
    return path


def _peak(work: Any) -> int:
    work()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("wavers", [False, True])
def test_twice_as_many_inputs_are_replayed_in_the_same_memory(
    wavers: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(replay, "REMEMBERED", 100)
    monkeypatch.setattr(checkpoints, "NEAR", 16)
    monkeypatch.setattr(checkpoints, "MOST", 48)
    walk = game(WALK, tmp_path)
    once, twice = (_written(walk, tmp_path / f"{n}.jsonl", n, wavers=wavers) for n in (1000, 2000))

    def verdict(path: Path) -> None:
        assert api.replay(path, under=walk).difference is None

    each = (_peak(lambda: verdict(twice)) - _peak(lambda: verdict(once))) / 1000
    assert each < 400, "bytes an input: its place in the log, and noise"


@pytest.mark.long
def test_twice_as_many_inputs_are_told_by_other_rules_in_the_same_memory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(divergence, "REMEMBERED", 100)
    walk = game(WALK, tmp_path)
    once, twice = (_written(walk, tmp_path / f"{n}.jsonl", n, wavers=False) for n in (1000, 2000))

    def told(path: Path) -> None:
        read: ReadLog = read_log(path)
        assert retell(read, walk, Policy.STOP).differences == ()

    each = (_peak(lambda: told(twice)) - _peak(lambda: told(once))) / 1000
    assert each < 400


# ------------------------------------------------------------------ for programs


def _steps(*words: str) -> list[dict[str, Any]]:
    result = CliRunner().invoke(main, ["replay", *words, "--steps"])
    assert result.exit_code in (0, 1), result.output
    return [json.loads(line) for line in result.output.splitlines()]


@pytest.mark.parametrize("is_long", [False, True])
def test_each_step_of_a_log_is_one_object_that_holds_what_a_seat_saw(
    is_long: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, rng = api.load("outspeed").start(3, 4), random.Random(2)
    for turn in range(60):
        if match.to_move:
            match.play(rng.choice(list(match.options)))
        if turn % 9 == 8:
            match.undo()
    path = tmp_path / "a.jsonl"
    match.log.save(path)
    if is_long:
        all_are_long(monkeypatch)
    steps, own = _steps(str(path)), _steps(str(path), "--as", match.seats[0])
    read = read_log(path)
    assert [step["step"] for step in steps] == list(range(len(read.steps)))
    lines = [read.steps.line(number) for number in range(len(read.steps))]
    assert [step["line"] for step in _steps(str(path), "--as", "all")] == lines
    # The number of a line would tell how much happened in secret before it.
    assert {step["line"] for step in (*steps, *own)} == {None}
    assert sum("undo" in step for step in steps) == 6
    assert steps[-1]["to_move"] == [match.seats[seat] for seat in match.to_move]
    for seat, told in ((None, steps), (0, own)):
        events = [json.loads(line) for line in match.log.for_seat(seat).lines if '"event":' in line]
        assert [event for step in told for event in step["events"]] == events


def test_where_log_and_rules_differ_the_last_object_says_so(tmp_path: Path) -> None:
    match = api.load("outspeed").start(3, 4)
    for _ in range(5):
        match.play(match.options[0])
    match.log.save(tmp_path / "a.jsonl")
    last = _steps(str(tmp_path / "a.jsonl"), "--under", "outspeed+hungry")[-1]
    assert set(last) == {"line", "logged", "played"} or last["step"] == 5


def test_one_choice_is_one_and_a_log_that_is_none_ends_with_3(tmp_path: Path) -> None:
    match = api.load("outspeed").start(3, 4)
    match.play(match.options[0])
    match.log.save(tmp_path / "a.jsonl")
    said = CliRunner().invoke(main, ["replay", str(tmp_path / "a.jsonl")]).output
    assert "1 choice played again" in said
    for missing in (tmp_path / "b.jsonl", tmp_path):
        assert CliRunner().invoke(main, ["play", "--resume", str(missing)]).exit_code in (2, 3)
