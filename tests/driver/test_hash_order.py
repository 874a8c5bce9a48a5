"""Nothing that rulelang makes follows the order in which a process walks its sets."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.files import GAMES, ROOT, SMALL_GAMES

HASH_SEEDS = "1", "3"
FAULTY = """game faulty "Faulty":
  players 2
names p: Player
enum Mood: calm, angry, sad
constant top = fewest + middle
constant fewest = top
constant middle = top
each Player has:
  mood: Mood = happy
play:
  turns p from first:
    p chooses one of:
      rest "Rest": mood = bored
"""
LEAKY = """game leaky "Leaky":
  players 2
  seats red, blue
names p: Player
the game has:
  moon: 0..3 = 1, seen by nobody
  tide: 0..3 = 1, seen by nobody
  wind: 0..3 = 1, seen by nobody
  rain: 0..3 = 1, seen by nobody
  heap: 0..9 = 9
play:
  turns p from red:
    let danger = moon + tide + wind + rain
    p chooses one of:
      take "Take":
        needs danger > 2
        heap -= 1
    if heap == 0: finish with winner p
"""


def printed(*games: str) -> list[list[str]]:
    """Returns what is printed of some games in processes with different orders of sets, in lines."""
    command = [sys.executable, "-m", "tests.driver.all_forms", *games]
    of_all = os.environ | {"RULELANG_CACHE": "off", "PYTHONPATH": str(ROOT)}
    processes = [
        subprocess.Popen(command, env=of_all | {"PYTHONHASHSEED": seed}, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        for seed in HASH_SEEDS
    ]
    outputs = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0 for _ in processes]
    return [output.splitlines() for output in outputs]


def test_small_games_and_faulty_ones_are_the_same_whatever_the_order_of_sets(tmp_path: Path) -> None:
    small = [SMALL_GAMES / "hop.rules", SMALL_GAMES / "tavern.rules"]
    for name, text in (("faulty", FAULTY), ("leaky", LEAKY)):
        small.append(tmp_path / f"{name}.rules")
        small[-1].write_text(text, encoding="utf-8")
    first, second = printed(*map(str, small))
    assert {f"{path.name}:" for path in small} <= set(first)
    assert first == second


@pytest.mark.long
@pytest.mark.parametrize("game", ["empty_space+solo", "exit_velocity", "exobase", "outspeed"])
def test_a_game_that_ships_is_the_same_whatever_the_order_of_sets(game: str) -> None:
    first, second = printed(str(GAMES / game))
    assert first[0] == f"{game}:"
    assert first == second
