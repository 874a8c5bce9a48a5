"""Many games that are stepped together come out as each of them alone."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from rulelang import api
from rulelang.errors import InvalidInput
from rulelang.playouts.rng import RandomStream
from rulelang.playouts.stepping import Batch
from rulelang.program.results import FAULT, FINISHED, UNFINISHED
from tests.files import CLASSICS

GAMES = ("connect_four", "kuhn", "pig", "outspeed", "empty_space")
EXECUTORS = ("generated", "reference", "native")
WIDE = """\
game g "G":
  players 1
  seats a
names p: Player; n: 0..20; m: 0..20; f: 0..20; k: 0..3
the game has:
  total: 0..4000 = 0
action near(p, n):
  total = total + n
action far(p, n, m):
  total = total + n + m
action farther(p, n, m, f, k):
  total = total + n + m + f + k
play:
  turns p from a:
    p chooses one of near
    p chooses one of far
    p chooses one of near, farther
"""
"""Its questions have 21 options, 441 and 37,065: kept between steps, listed anew, and not listed by machine code."""

FAULTY = """\
game g "G":
  players 1
  seats a
names p: Player
the game has:
  n: 0..3 = 0
action up(p):
  n = n + 2
action stay(p):
  n = n
play:
  turns p from a:
    p chooses one of up, stay
"""


def loaded(name: str) -> api.Game:
    path = CLASSICS / f"{name}.rules"
    return api.load(path if path.exists() else name)


def played(batch: Batch, rng: RandomStream, steps: int) -> list[list[int]]:
    """Steps all games at random, and returns the picks."""
    taken = []
    for _ in range(steps):
        picks = [rng.randrange(count) if count else -1 for count in batch.counts]
        batch.step(picks)
        taken.append(picks)
    return taken


@pytest.mark.long
@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("name", GAMES)
def test_stepped_together_and_alone_games_are_the_same(name: str, executor: str) -> None:
    game = loaded(name)
    batch = game.play_batch(5, seed=3, executor=executor)
    steps = played(batch, RandomStream(name), 30)
    for number in range(len(batch)):
        match = game.start(seed=f"3:{number}", traced=False)
        for picks in steps:
            if picks[number] >= 0:
                match.push(match.options_of(match.to_move[0])[picks[number]])
        asked = match.to_move[:1]
        assert batch.seats[number] == (asked[0] if asked else -1)
        options = tuple(option.answer for option in match.options_of(asked[0])) if asked else ()
        assert batch.options(number) == options
        assert batch.counts[number] == len(options)
        ended = batch.results.ends[number]
        assert ended == (UNFINISHED if asked else FINISHED)


def test_the_options_of_all_games_lie_in_one_padded_array() -> None:
    batch = loaded("kuhn").play_batch(3, seed=1)
    played(batch, RandomStream(1), 1)
    padded = batch.padded
    games, most, width = padded.shape
    assert isinstance(padded.values, array)
    assert len(padded.values) == games * most * width
    for number in range(games):
        for position in range(most):
            at = (number * most + position) * width
            answer = tuple(value for value in padded.values[at : at + width] if value != -1)
            assert answer == (batch.options(number) + ((),) * most)[position]


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_game_that_is_cut_takes_no_more_and_is_unfinished(executor: str) -> None:
    batch = loaded("connect_four").play_batch(2, seed=1, at_most=3, executor=executor)
    played(batch, RandomStream(1), 5)
    assert list(batch.counts) == [0, 0]
    assert list(batch.results.lengths) == [3, 3]
    assert list(batch.results.ends) == [UNFINISHED, UNFINISHED]


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_fault_of_the_rules_stops_one_game_and_no_other(tmp_path: Path, executor: str) -> None:
    path = tmp_path / "g.rules"
    path.write_text(FAULTY)
    batch = api.load(path).play_batch(2, seed=1, executor=executor)
    for _ in range(2):
        batch.step([0, 1])
    assert list(batch.counts) == [0, 2]
    assert list(batch.results.ends) == [FAULT, UNFINISHED]
    batch.step([-1, 1])
    assert list(batch.results.lengths) == [1, 3]


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("picks", [[0], [0, 7], [0, -2], [0, 0, 0], [0, 2**70], [0, "1"]])
def test_picks_that_there_are_not_are_refused_before_any_game_moves(picks: list[int], executor: str) -> None:
    batch = loaded("connect_four").play_batch(2, seed=1, executor=executor)
    with pytest.raises(InvalidInput):
        batch.step(picks)
    assert list(batch.results.lengths) == [0, 0]


@pytest.mark.parametrize("executor", EXECUTORS)
def test_no_games_are_an_empty_batch(executor: str) -> None:
    batch = loaded("nim").play_batch(0, executor=executor)
    batch.step([])
    assert (len(batch), batch.padded.shape, len(batch.results)) == (0, (0, 0, 0), 0)


@pytest.mark.long
def test_games_of_few_and_of_many_options_step_together_like_each_alone(tmp_path: Path) -> None:
    path = tmp_path / "g.rules"
    path.write_text(WIDE)
    batches = [api.load(path).play_batch(3, seed=1, at_most=9, executor=executor) for executor in EXECUTORS]
    rng = RandomStream("wide")
    for counts in ([21] * 3, [441] * 3, [21 + 21 * 21 * 21 * 4] * 3) * 3:
        assert [list(batch.counts) for batch in batches] == [counts] * 3
        assert len({batch.options(2) for batch in batches}) == 1
        picks = [rng.randrange(count) for count in counts]
        for batch in batches:
            batch.step(picks)
    assert len({tuple(batch.results.lengths) for batch in batches}) == 1
