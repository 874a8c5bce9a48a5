"""How much of a result each source of chance makes, in games whose shares are known."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("numpy")
pytest.importorskip("pyarrow")
pytest.importorskip("altair")

from rulelang import api
from rulelang.errors import InvalidInput
from rulelang.lab.luck import sources
from rulelang.studies.reports.page import page
from rulelang.studies.reports.report import report_of
from rulelang.studies.reports.sentences import sentences
from rulelang.studies.run import begin, run
from rulelang.studies.study import read_study
from rulelang.studies.workers import Alone
from tests.seeds import rest_long
from tests.studies.test_choices import holds, metrics

COINS = """\
game coins "Two coins":
  players 1
names p: Player; n: 1..2
die coin: 0..1
the game has:
  large: 0..1 = 0
  small: 0..1 = 0
  side: 1..2 = 1

action call(p, n) "Call {n}": side = n

play:
  first_player chooses one of call
  large = roll(coin)
  small = roll(coin)
  finish with score 3 * large + small
"""
"""Variances of 9/4 and 1/4: shares of 0.9 and 0.1."""
RACE = """\
game race "Race":
  players 2
names p: Player
die d6: 1..6
each Player has:
  steps: 0..99 = 0
the game has:
  starter: Player = first_player
  idle: 1..6 = 1

setup: starter = random(Player)

action run(p) "Run": p.steps += roll(d6)

play:
  idle = roll(d6)
  for p in Player: p chooses one of run
  if starter.steps >= 1: finish with winner starter
  finish with winner first_player
"""
"""Whoever is picked to start wins, whatever the dice show."""


@pytest.mark.parametrize("bots", rest_long(["random", "greedy"], "random"))
def test_two_coins_share_the_luck_by_the_squares_of_their_worth(tmp_path: Path, bots: str) -> None:
    (found,) = metrics(tmp_path, COINS, f'bots = "{bots}"\ngames = 250\nsampled = 0\nstreams = 250')
    assert holds(found["luck_share_score(coin large)"], 0.9)
    assert holds(found["luck_share_score(coin small)"], 0.1)
    large, small = (found[f"luck_share_score(coin {name})"] for name in ("large", "small"))
    assert large.high is not None
    assert small.low is not None
    assert small.high is not None
    assert large.high - (large.low or 0) < 0.1
    assert small.high < 0.25
    # A game for one that ends with a score is always won: there is nothing to explain.
    assert not any(name.startswith("luck_share(") for name in found)


@pytest.mark.long
def test_a_source_that_decides_nothing_has_no_share_and_one_that_decides_all_has_the_whole(tmp_path: Path) -> None:
    (found,) = metrics(tmp_path, RACE, 'bots = "random"\ngames = 160\nsampled = 0\nrepeats = 2\nstreams = 80')
    assert found["luck_share"].estimate == found["luck_share(random starter)"].estimate == 1
    for name in ("d6 idle", "d6 steps"):
        assert holds(found[f"luck_share({name})"], 0)
        assert found[f"luck_share({name})"].blocks == 80


def test_what_is_drawn_for_each_owner_is_one_source(tmp_path: Path) -> None:
    path = tmp_path / "race.rules"
    path.write_text(RACE)
    assert sources(api.load(path).ir).keys() == {"random starter", "d6 idle", "d6 steps"}


def test_the_luck_of_each_source_is_not_measured_between_several_bots() -> None:
    with pytest.raises(InvalidInput, match="one bot"):
        read_study('game = "nim"\nbots = ["random", "greedy"]\nstreams = 4')
    assert read_study('game = "nim"\nbots = ["random", "random"]\nstreams = 4').streams == 4


@pytest.mark.long
def test_a_report_says_which_source_makes_how_much(tmp_path: Path) -> None:
    path = tmp_path / "race.rules"
    path.write_text(RACE)
    folder = begin(
        read_study(f'game = "{path}"\nbots = "random"\ngames = 40\nsampled = 0\nstreams = 40'), tmp_path / "out"
    )
    assert all(run(folder, Alone()))
    report = report_of(folder)
    assert any("random starter alone explains 100 %" in sentence for sentence in sentences(report))
    assert "each source of chance explains" in page(report)
