"""A game that is played by the numbers of options comes out as the match would, on every executor."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from rulelang import api
from rulelang.errors import InvalidInput, RulelangError
from rulelang.playouts.rng import RandomStream
from rulelang.playouts.stepper import Stepper
from tests.playouts.test_stepping import EXECUTORS, FAULTY, GAMES, WIDE, loaded

FAULTY_LATER = """\
game g "G":
  players 1
  seats a
names p: Player
the game has:
  n: 0..3 = 0
  price(a: 0..1): 0..9 = 5
action up(p):
  needs price(n) > 0
  n = n + 2
action stay(p):
  n = n
action lower(p):
  n = min(n, 2)
play:
  turns p from a:
    p chooses one of stay, lower, up
"""
FAULTY_ROLLED = """\
game g "G":
  players 1
  seats a
names p: Player
die d: 1..6
the game has:
  n: 0..3 = 0
setup:
  n = roll(d)
action stay(p):
  n = n
action lower(p):
  n = min(n, 2)
play:
  turns p from a:
    p chooses one of stay, lower
"""


def slots_of(stepper: Stepper, game: api.Game) -> list[int]:
    """The row without the control state, which the reference machine keeps elsewhere."""
    return stepper.machine.row[: game.internals.layout.size]


class Third:
    """A number that is no int, as libraries of arrays have them."""

    def __index__(self) -> int:
        return 2


@pytest.mark.long
@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("name", GAMES)
def test_each_game_of_a_stepper_is_the_match_of_its_seed(name: str, executor: str) -> None:
    game, rng = loaded(name), RandomStream(name)
    stepper = game.stepper(seed=3, executor=executor)
    for number in range(3):
        count = stepper.restart() if number else stepper.count
        match = game.start(seed=f"3:{number}", traced=False)
        for _ in range(40):
            asked = match.to_move[:1]
            assert stepper.seat == (asked[0] if asked else -1)
            options = tuple(option.answer for option in match.options_of(asked[0])) if asked else ()
            assert (count, stepper.count, stepper.options) == (len(options), len(options), options)
            if not asked:
                break
            pick = rng.randrange(count)
            match.push(match.options_of(asked[0])[pick])
            count = stepper.step(pick)
        assert slots_of(stepper, game) == match.position.row[: game.internals.layout.size]
        assert stepper.winners == (() if match.outcome is None else tuple(match.outcome.winners))


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("pick", [7, -1, 2**70, -(2**63), "1", None, 1.0])
def test_a_pick_that_there_is_not_is_refused_and_nothing_moves(pick: object, executor: str) -> None:
    stepper = loaded("connect_four").stepper(executor=executor)
    row = list(stepper.machine.row)
    with pytest.raises(InvalidInput):
        stepper.step(pick)  # type: ignore[arg-type]
    assert (stepper.count, stepper.machine.row) == (7, row)
    assert stepper.step(3) == 7


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_game_that_is_over_takes_no_step(executor: str) -> None:
    stepper = loaded("tic_tac_toe").stepper(executor=executor)
    while stepper.step(0):
        pass
    with pytest.raises(InvalidInput, match="0 options"):
        stepper.step(0)
    assert stepper.winners == (0,)
    assert stepper.restart() == 9


@pytest.mark.parametrize("executor", EXECUTORS)
def test_numbers_of_other_libraries_are_numbers(executor: str) -> None:
    one, other = (loaded("nim").stepper(executor=executor) for _ in range(2))
    assert one.step(Third()) == other.step(2)  # type: ignore[arg-type]
    assert one.machine.row == other.machine.row


@pytest.mark.long
@pytest.mark.parametrize("executor", EXECUTORS)
def test_questions_with_more_options_than_machine_code_lists_are_answered_all_the_same(
    tmp_path: Path, executor: str
) -> None:
    path = tmp_path / "g.rules"
    path.write_text(WIDE)
    game = api.load(path)
    stepper = game.stepper(seed=1, executor=executor)
    for number in range(2):
        match = game.start(seed=f"1:{number}", traced=False)
        for pick in (20, 440, 37_000, 5, 7):
            match.push(match.options_of(match.to_move[0])[pick])
            stepper.step(pick)
            assert slots_of(stepper, game) == match.position.row[: game.internals.layout.size]
        assert stepper.restart() == 21


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_fault_of_the_rules_is_told_and_the_game_stays_as_it_was(tmp_path: Path, executor: str) -> None:
    path = tmp_path / "g.rules"
    path.write_text(FAULTY)
    stepper = api.load(path).stepper(executor=executor)
    stepper.step(0)
    for _ in range(2):
        with pytest.raises(RulelangError, match="n"):
            stepper.step(0)
        assert stepper.step(1) == 2


@pytest.mark.parametrize("executor", EXECUTORS)
def test_an_answer_after_which_nobody_knows_what_is_legal_leaves_the_game_as_it_was(
    tmp_path: Path, executor: str
) -> None:
    path = tmp_path / "g.rules"
    path.write_text(FAULTY_LATER)
    stepper = api.load(path).stepper(executor=executor)
    assert stepper.count == 3
    for _ in range(2):
        with pytest.raises(RulelangError, match="price"):
            stepper.step(2)
        assert (stepper.count, stepper.seat, stepper.options) == (3, 0, ((0,), (1,), (2,)))
    assert stepper.step(1) == 3


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_game_that_cannot_begin_counts_as_over_until_the_next_one_begins(tmp_path: Path, executor: str) -> None:
    path = tmp_path / "g.rules"
    path.write_text(FAULTY_ROLLED)
    game, failed = api.load(path), 0
    stepper = game.stepper(seed=4, executor=executor)
    assert stepper.count == 2
    for _ in range(20):
        try:
            assert stepper.restart() == stepper.count == 2
        except RulelangError:
            failed += 1
            assert (stepper.count, stepper.seat, stepper.options, stepper.winners) == (0, -1, (), ())
            with pytest.raises(InvalidInput, match="has 0 options"):
                stepper.step(0)
            with pytest.raises(InvalidInput, match="set-up of game"):
                slots_of(stepper, game)
    assert 0 < failed < 20


def test_the_functions_of_a_stepper_outlive_it() -> None:
    stepper = loaded("connect_four").stepper(executor="native")
    step, restart = stepper.step, stepper.restart
    del stepper
    gc.collect()
    counts = [step(0) for _ in range(6)]
    assert counts == [7, 7, 7, 7, 7, 6]
    with pytest.raises(InvalidInput):
        step(6)
    assert restart() == 7
