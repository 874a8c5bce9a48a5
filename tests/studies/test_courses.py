"""What is said of the course of a game: measures by round, positions that come back, seats that are alike, ladders of skill."""

from __future__ import annotations

from pathlib import Path

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("pyarrow")

from rulelang.studies.figures.estimates import Estimate  # noqa: E402
from rulelang.studies.figures.ladder import ladder, rungs  # noqa: E402
from rulelang.studies.figures.metrics import _alike  # noqa: E402
from tests.studies.test_choices import metrics  # noqa: E402

CANDLE = """\
game candle "Candle":
  players 2
names p: Player; n: 1..2
each Player has:
  wax: 0..40 = 20
the game has:
  side: 1..2 = 1

action burn(p, n) "Burn end {n}":
  p.wax -= 2
  side = n

play:
  turns p from first_player:
    p chooses one of burn
    if all(q.wax == 0 for q in players): finish with winner {first_player}
"""
"""Every round, each burns two of twenty."""


def test_a_measure_is_taken_at_each_round_that_the_rules_count(tmp_path: Path) -> None:
    (found,) = metrics(
        tmp_path, CANDLE, 'bots = "random"\ngames = 4\nsampled = 4\nvalues = 2\n[measure]\nwax = "p.wax"'
    )
    # Ten rounds, and the end: 20, 18, … 2, 0 for both.
    assert found["wax"].estimate == 0
    assert found["wax.mean"].estimate == 10
    assert (found["wax.highest"].estimate, found["wax.lowest"].estimate) == (20, 0)
    assert found["wax.change"].estimate == found["wax.slope"].estimate == -2
    assert found["wax.fall"].estimate == 2
    assert found["decisions"].estimate == 20
    # The first player wins for sure, so its value is 1 and the other's 0, from the beginning to the end.
    assert (found["value.mean"].estimate, found["value.variance"].estimate, found["value.slope"].estimate) == (
        0.5,
        0,
        0,
    )
    assert found["wax.rise"].estimate == found["wax.reversals"].estimate == 0
    assert found["wax.direction"].estimate == -1


TO_AND_FRO = """\
game to_and_fro "To and fro":
  players 2
names p: Player; n: 0..1
the game has:
  side: 0..1 = 0

action hop(p, n) "Hop to {n}": side = n

play:
  repeat:
    first_player chooses one of hop
    if random(1..50) == 1: finish with winner first_player
"""


@pytest.mark.long
def test_positions_that_come_back_are_counted(tmp_path: Path) -> None:
    settings = 'bots = "random"\ngames = 4\nsampled = 4'
    (never,) = metrics(tmp_path, CANDLE, settings, "never")
    (often,) = metrics(tmp_path, TO_AND_FRO, settings, "often")
    assert never["repetition"].estimate == 0
    # There are two positions: all but the first two come back.
    games = often["length"].estimate
    assert often["repetition"].estimate == pytest.approx(1 - 2 / games, abs=1 / games)


@pytest.mark.long
def test_seats_that_are_alike_look_unlike_in_one_study_of_twenty() -> None:
    rng = np.random.default_rng(3)
    for blocks, studies in ((20, 100), (2_100, 100)):
        chances = [_alike(rng.dirichlet(np.ones(3), size=blocks)).estimate for _ in range(studies)]
        assert 0.01 <= sum(chance < 0.05 for chance in chances) / studies <= 0.1
        assert 0.4 < sum(chances) / studies < 0.6
    better = rng.dirichlet(np.ones(3), size=40) + np.array([0.3, 0.0, 0.0])
    assert _alike(better).estimate < 0.01


def test_a_ladder_is_as_high_as_its_rungs_in_a_row_are_certain() -> None:
    def cell(bots: str, low: float) -> tuple[dict[str, str], int, dict[str, Estimate]]:
        best = bots.split("/", maxsplit=1)[0]
        win = Estimate(low + 0.05, low, low + 0.1, 100)
        return {"bots": bots}, 2, {f"win({best})": win, f"elo({best})": Estimate(100.0, None, None, 100)}

    cells = [cell("mcts:128/mcts:64", 0.55), cell("mcts:64/mcts:32", 0.6), cell("mcts:256/mcts:128", 0.45)]
    found = rungs([*cells, cell("greedy/random", 0.9)])
    assert [rung.higher for rung in found] == [64, 128, 256]
    assert ladder(found) == "More thought wins on 2 of 3 rungs in a row, from 32 to 128; they are 200 points of Elo"
    assert ladder(found[2:]) == "More thought wins no more for certain, from 128 to 256 on"
