"""Figures of games whose answers can be computed, and the rates at which studies find what is there and what is not."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.studies.test_known_answers import done

np = pytest.importorskip("numpy")
pytest.importorskip("pyarrow")

from rulelang.lab.statistics import detectable  # noqa: E402
from rulelang.studies.figures.comparing import compared  # noqa: E402
from rulelang.studies.figures.estimates import Estimate  # noqa: E402
from rulelang.studies.figures.metrics import METRICS, metrics_of  # noqa: E402
from rulelang.studies.figures.tables import CellTables, tables_of  # noqa: E402
from rulelang.studies.study import read_study  # noqa: E402

PIG = Path("tests/classics/pig.rules").resolve()
SIXES = """\
game sixes "Sixes":
  players 2..4
names p: Player
die d6: 1..6
the game has:
  throws: 0..9999 = 0
action throw(p) "Throw": throws += 1
play:
  turns p from first_player:
    p chooses one of throw
    if roll(d6) == 6: finish with winner p
"""
"""Who throws the first six wins: seat s of P with a chance of (1/6) (5/6)^s / (1 - (5/6)^P)."""
HALF = """\
game half "Half luck":
  players 2
names p: Player; n: 1..2
the game has:
  guess: 1..2 = 1
action call(p, n) "Call {n}": guess = n
play:
  let coin = random(1..2)
  first_player chooses one of call
  let is_luck = random(1..2)
  if is_luck == 1 and coin == 1: finish with winner first_player
  if is_luck == 2 and guess == 1: finish with winner first_player
  finish with winner next(first_player)
"""
"""Every other game is decided by a coin, the others by what is called: chance explains half of the variance."""


def tables(path: Path, out: Path, more: str, players: int = 2) -> Iterator[CellTables]:
    """Yields the tables of the cells of a study of random games."""
    folder = done(read_study(f'game = "{path}"\nbots = "random"\nsampled = 0\n{more}'), out)
    for cell in folder.cells():
        found = tables_of(folder, cell["number"], tuple(folder.facts()["seats"][:players]))
        assert found is not None
        yield found


def near(one: Estimate, truth: float) -> bool:
    """Returns whether a truth is within four standard errors: by chance one in 15,000 is not, and the seeds are fixed."""
    assert one.low is not None
    assert one.high is not None
    return abs(one.estimate - truth) <= one.high - one.low


def made(won: Any) -> CellTables:
    """Returns the tables of games in which seats won, a row for each game."""
    games, seats = won.shape
    by_game = {"block": np.arange(games), "game": np.arange(games), "answers": np.ones(games)}
    columns = {name: np.repeat(values, seats) for name, values in by_game.items()}
    words = {"end": "winner", "rule": "play", "bot": "random"}
    columns |= {name: np.full(games * seats, word, dtype=object) for name, word in words.items()}
    columns |= {"won": won.ravel(), "score": np.full(games * seats, np.nan)}
    return CellTables(tuple("abcd"[:seats]), {"games": columns})


def pig_wins() -> float:
    """Returns the chance that the first seat wins Pig if both roll or hold at random, by dynamic programming."""
    # What a turn brings: after each choice to roll, a face; after the choice to hold, the pot. None for a lost pot.
    gains = np.zeros(101)
    pots = np.zeros(101)
    pots[0] = 1.0
    for _ in range(400):
        gains += pots / 2
        rolled = np.zeros(101)
        for face in range(2, 7):
            # A pot of 100 is as good as any larger one.
            rolled[face:] += pots[: 101 - face] / 12
            rolled[100] += pots[101 - face :].sum() / 12
        gains[0] += pots.sum() / 12
        pots = rolled

    @cache
    def wins(mine: int, theirs: int) -> float:
        """Returns the chance of the seat to move; a turn that brings nothing leads back here with seats exchanged."""

        def but_nothing(a: int, b: int) -> float:
            return sum(
                float(gains[g]) * (1.0 if a + g >= 100 else 1 - wins(b, a + g)) for g in range(1, 101) if gains[g]
            )

        lost = float(gains[0])
        ours, others = but_nothing(mine, theirs), but_nothing(theirs, mine)
        # w = ours + lost (1 - v), v = others + lost (1 - w)
        return (ours + lost - lost * others - lost * lost) / (1 - lost * lost)

    return wins(0, 0)


@pytest.mark.long
def test_random_pig_is_won_as_often_as_dynamic_programming_says(tmp_path: Path) -> None:
    (found,) = tables(PIG, tmp_path / "out", "games = 40000")
    truth = pig_wins()
    assert 0.5 < truth < 0.6
    assert near(metrics_of(found)["win(first)"], truth)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_first_seat_of_a_race_is_as_much_better_as_its_closed_form_says(tmp_path: Path, players: int) -> None:
    path = tmp_path / "sixes.rules"
    path.write_text(SIXES)
    (found,) = tables(path, tmp_path / "out", f"games = 30000\nplayers = {players}", players)
    metrics = metrics_of(found)
    chances = [(5 / 6) ** seat / 6 / (1 - (5 / 6) ** players) for seat in range(players)]
    for seat, name in enumerate(found.seats):
        assert near(metrics[f"win({name})"], chances[seat])
        assert near(metrics[f"advantage({name})"], chances[seat] - 1 / players)
    assert near(metrics["first_advantage"], chances[0] - 1 / players)
    assert near(metrics["seat_advantage"], chances[0] - 1 / players)
    assert near(metrics["balance"], 1 - (chances[0] - chances[-1]))


@pytest.mark.long
def test_the_best_of_equal_seats_is_not_said_to_be_better() -> None:
    rng, told, held = np.random.default_rng(3), [], 0
    who_wins = next(family for family in METRICS if family.about == "who wins")
    for _ in range(200):
        one = dict(who_wins.of(made(np.eye(4)[rng.integers(0, 4, 100)])))["seat_advantage"]
        told.append(one.estimate)
        assert one.low is not None
        assert one.high is not None
        held += one.low <= 0 <= one.high
    assert abs(float(np.mean(told))) < 4 * float(np.std(told)) / 200**0.5
    assert held >= 0.92 * 200


@pytest.mark.long
def test_half_of_the_variance_is_luck_where_every_other_game_is(tmp_path: Path) -> None:
    path = tmp_path / "half.rules"
    path.write_text(HALF)
    (found,) = tables(path, tmp_path / "out", "games = 4000\nrepeats = 4")
    assert near(metrics_of(found)["luck_share"], 0.5)


def part(whole: CellTables, number: int, games: int) -> CellTables:
    """Returns a study of its own: some games of a larger one, which have seeds of their own."""
    rows = slice(number * games * whole.players, (number + 1) * games * whole.players)
    return CellTables(whole.seats, {"games": {name: column[rows] for name, column in whole.games.items()}})


@pytest.mark.long
def test_a_change_without_effect_is_shown_in_five_of_a_hundred_studies_at_most(coin: Path, tmp_path: Path) -> None:
    same = 'variant same of coin "Same":\n  replace play:\n    first_player chooses one of call\n'
    same += "    if random(1..1000) <= 10 * heads: finish with winner first_player\n    finish with winner next(first_player)\n"
    coin.write_text(coin.read_text() + same)
    studies, games = 400, 200
    base, other = tables(coin, tmp_path / "out", f'games = {studies * games}\n[vary]\nsame = ["no", "yes"]')
    assert not np.array_equal(base.games["won"], other.games["won"])
    shown = sum(
        any(one.is_shown for one in compared(part(base, number, games), part(other, number, games)))
        for number in range(studies)
    )
    assert shown <= 0.08 * studies


@pytest.mark.long
def test_a_planted_effect_of_a_point_is_found_as_often_as_planned() -> None:
    spread, comparisons, games = (0.6 * 0.4 + 0.61 * 0.39) ** 0.5, 6, 1_000
    while detectable(games - 1, 0.05 / comparisons) * spread / games**0.5 > 0.01:
        games += 1_000
    rng, shown, studies = np.random.default_rng(8), 0, 80
    for _ in range(studies):
        first, second = (rng.random(games) < rate for rate in (0.6, 0.61))
        found = compared(*(made(np.stack([won, ~won], axis=1).astype(float)) for won in (first, second)))
        assert len(found) == comparisons
        shown += any(one.is_shown for one in found)
    # 80 %, give or take three standard errors of 80 studies.
    assert 0.66 <= shown / studies <= 0.94
