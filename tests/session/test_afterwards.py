"""When a game is over: how it ended, where it is kept, and what can be done next."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import rulelang
from rulelang.match.recording.events import Outcome
from rulelang.screens.ending import EndingWords, ending
from rulelang.session.after.afterwards import again, last_event, wished
from rulelang.session.after.shelf import MOST_KEPT, FinishedGame, finished, keep
from rulelang.session.table import GameTable, begin
from tests.conftest import Run

RACE = """game dash "Dash":
  players 2
  seats red "Red", blue "Blue"
names p: Player
each Player has:
  at: 0..9 = 0
play:
  turns p from red:
    p chooses one of run, give_up
    if p.at == 2: home()
action run(p) "Run": p.at += 1
action give_up(p) "Give up": stop_here()
to stop_here() "Nobody runs on": finish lost
to home() "The tape is torn": finish with ranking p in players by highest p.at  [D-1]
"""


def table(folder: Path, *answers: str) -> GameTable:
    path = folder / "dash.rules"
    path.write_text(RACE)
    made = begin(rulelang.load(path), str(path), 2, (None, None), seed=4)
    for answer in answers:
        made.match.play(answer)
    return made


def test_an_ending_says_who_has_won_why_and_the_places(tmp_path: Path) -> None:
    over = table(tmp_path, "red: run", "blue: run", "red: run")
    assert ending(over.match, 0) == EndingWords("Red wins", "The tape is torn [D-1]", "1. Red   2. Blue")


def test_a_lost_game_says_why(tmp_path: Path) -> None:
    over = table(tmp_path, "red: give_up")
    assert ending(over.match, 0) == EndingWords("The game ends, and nobody wins", "Nobody runs on")


def test_a_game_that_goes_on_has_no_ending(tmp_path: Path) -> None:
    begun = table(tmp_path, "red: run")
    assert ending(begun.match, 0) is None
    assert last_event(begun.match) is None


def test_a_finished_game_is_kept_and_listed_with_its_end(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    path = keep(table(tmp_path, "red: run", "blue: run", "red: run"), folder)
    assert finished(folder) == (FinishedGame(path, "dash", ("red", "blue"), "ranking", ("red",)),)
    assert finished(folder)[0].said == "won by red"


def test_the_oldest_of_too_many_games_goes(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    for number in range(MOST_KEPT):
        old = folder / f"old-{number}.jsonl"
        old.write_text("{}\n")
        os.utime(old, (number, number))
    path = keep(table(tmp_path, "red: give_up"), folder)
    left = {one.name for one in folder.iterdir()}
    assert len(left) == MOST_KEPT
    assert path.name in left
    assert "old-0.jsonl" not in left
    assert "old-1.jsonl" in left


def test_files_that_are_no_logs_are_left_out_of_the_list(tmp_path: Path) -> None:
    for number, text in enumerate(("", "[]\n", "{}\n", "\x00\n", '{"game": 3, "variants": 4, "players": 5}\n')):
        (tmp_path / f"{number}.jsonl").write_text(text)
    assert finished(tmp_path) == ()


def test_the_next_game_has_the_same_people_and_other_dice(tmp_path: Path) -> None:
    over = table(tmp_path, "red: give_up")
    following = again(over, seed=9)
    assert (following.seats, following.header.seed, following.match.inputs) == (over.seats, 9, 0)


@pytest.mark.parametrize(("typed", "wish"), [("a", "again"), (" Why", "why"), ("q", "quit"), ("", None), ("x", None)])
def test_the_words_after_a_game_may_be_begun(typed: str, wish: str | None) -> None:
    assert wished(typed) == wish


def test_the_event_that_ended_a_game_can_be_asked_about(tmp_path: Path) -> None:
    over = table(tmp_path, "red: give_up")
    number = last_event(over.match)
    assert number is not None
    assert over.match.events[number].rule == "stop_here"
    assert isinstance(over.match.outcome_for(None), Outcome)


def test_play_says_why_a_game_is_over_and_keeps_it(run: Run) -> None:
    Path("dash.rules").write_text(RACE)
    played = run("play", "dash.rules", "--seat", "all=me", typed="2\n")
    assert "The game ends, and nobody wins. Nobody runs on.\n" in played.output
    assert "worth to bots" not in played.output
    assert "The game is kept: rulelang log lists it." in played.output
    listed = run("log").output
    assert "dash" in listed
    assert "lost" in listed


def test_without_games_the_list_says_so(run: Run) -> None:
    assert run("log").output.startswith("No finished games are kept yet")
