"""Every game is an environment of PettingZoo that passes the tests which PettingZoo has for its own."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rulelang
from rulelang.errors import IllegalOption, InvalidInput
from rulelang.lab.arena import scores_of
from tests.files import CLASSICS
from tests.games.classics import NAMES
from tests.views import variable

if os.environ.get("RULELANG_REQUIRE_PETTINGZOO") != "1":
    pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: pip install 'rulelang[pettingzoo]'")

from pettingzoo.test import api_test, seed_test

from rulelang.adapters.pettingzoo import env, raw_env


def named(name: str) -> str | Path:
    return CLASSICS / f"{name}.rules" if name in NAMES else name


@pytest.fixture(autouse=True)
def faults_of_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


QUICK = [name for name in NAMES if name != "othello"]


@pytest.mark.parametrize("name", [*QUICK, "outspeed"])
def test_a_game_passes_the_tests_of_pettingzoo_without_a_warning(name: str) -> None:
    api_test(env(named(name)), num_cycles=20)
    seed_test(lambda: env(named(name)), num_cycles=20)


@pytest.mark.long
@pytest.mark.parametrize("name", [*NAMES, *rulelang.games(), "empty_space+solo"])
def test_a_long_game_passes_the_tests_of_pettingzoo_without_a_warning(name: str) -> None:
    api_test(env(named(name)), num_cycles=200)
    seed_test(lambda: env(named(name)), num_cycles=100)


def test_a_dict_of_observation_and_mask_passes_but_for_what_pettingzoo_says_of_any_dict() -> None:
    """Its own classic games return dicts, and are exempt from these warnings by name."""
    for message in (
        "Observation is not a NumPy array",
        "Observation space for each agent",
        "Action mask numpy array is",
    ):
        warnings.filterwarnings("ignore", message=message)
    api_test(env(named("connect_four"), as_dict=True), num_cycles=20)
    seed_test(lambda: env(named("connect_four"), as_dict=True), num_cycles=20)


def played(environment: Any, *actions: int, seed: int = 7) -> tuple[Any, float, bool, bool, dict[str, Any]]:
    """Returns what the agent to act is told after some actions."""
    environment.reset(seed=seed)
    for action in actions:
        environment.step(action)
    return environment.last()  # type: ignore[no-any-return]


def test_the_mask_stands_in_the_observation_and_in_the_info_and_is_empty_for_whoever_is_not_to_act() -> None:
    environment = env(named("connect_four"))
    observation, _, _, _, info = played(environment, *[0] * 6)
    assert observation["action_mask"].tolist() == info["action_mask"].tolist() == [0, 1, 1, 1, 1, 1, 1]
    assert observation["observation"].shape == observation.shape
    assert not environment.observe("player_1")["action_mask"].any()


def test_an_action_that_is_not_allowed_is_explained_in_the_words_of_the_rule() -> None:
    info = played(env(named("connect_four")), *[0] * 6)[4]
    assert info["why"](0) == "Column 1 is full"
    assert info["why"](1) is None
    bare = raw_env(named("connect_four"))
    played(bare, *[0] * 6)
    with pytest.raises(IllegalOption, match="Column 1 is full"):
        bare.step(0)


def test_a_clause_of_the_rulebook_is_told_with_a_reason() -> None:
    environment = env("exobase")
    info = played(environment)[4]
    refused = [info["why"](n) for n in range(0, environment.unwrapped.actions.size, 7)]
    assert any("[XB-" in reason for reason in refused if reason)


def test_the_winner_gets_1_and_the_loser_minus_1() -> None:
    environment = env(named("connect_four"))
    environment.reset(seed=1)
    for action in (0, 1, 0, 1, 0, 1, 0):
        environment.step(action)
    assert environment.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert all(environment.terminations.values())
    assert not any(environment.truncations.values())


def test_a_game_that_is_cut_is_truncated_and_nobody_has_won() -> None:
    environment = env(named("connect_four"), at_most=3)
    environment.reset(seed=1)
    for action in (0, 1, 2):
        environment.step(action)
    assert all(environment.truncations.values())
    assert not any(environment.terminations.values())
    assert set(environment.rewards.values()) == {0.0}


def test_a_game_in_which_the_rules_fail_is_truncated_and_says_why(tmp_path: Path) -> None:
    path = tmp_path / "failing.rules"
    path.write_text(
        """\
game failing "Failing":
  players 2
names p: Player
the game has:
  heap: 0..3 = 3
action take(p, n in 1..4) "Take {n}": heap = heap - n
play:
  turns p from first_player: p chooses one of take
  finish with winner first_player
""".replace("names p: Player", "names p: Player; n: 1..4")
    )
    environment = env(path)
    environment.reset(seed=1)
    environment.step(3)
    assert all(environment.truncations.values())
    assert "heap" in environment.infos["player_0"]["fault"]


def test_scores_are_rewards_where_they_are_wanted_and_counted() -> None:
    environment = raw_env("outspeed", players=3, rewards="score")
    environment.reset(seed=1)
    while environment.agents and not any(environment.terminations.values()):
        environment.step(int(environment.infos[environment.agent_selection]["action_mask"].argmax()))
    assert list(environment.rewards.values()) == list(map(float, scores_of(environment.match)))
    with pytest.raises(InvalidInput, match=r"defines no `score`"):
        env(named("connect_four"), rewards="score")
    with pytest.raises(InvalidInput, match="rewards are win, score or margin"):
        env(named("connect_four"), rewards="fun")


def test_options_are_agreed_when_the_environment_is_made_or_reset() -> None:
    environment = raw_env("exobase", options={"hardcore": "yes"})
    environment.reset(seed=1)
    assert variable(environment.match.state, "hardcore").value == 1
    environment.reset(seed=1, options={"hardcore": False, "unknown": 3})
    assert variable(environment.match.state, "hardcore").value == 0


def test_seats_that_answer_in_secret_act_one_after_the_other_and_see_nothing_of_it() -> None:
    environment = raw_env("outspeed", players=3)
    seen = []
    for first in (0, 1):
        environment.reset(seed=7)
        names = [environment.actions.text(n) for n in environment.infos["player_0"]["action_mask"].nonzero()[0]]
        assert names == ["program(left)", "program(middle)", "program(right)"]
        environment.step(int(environment.infos["player_0"]["action_mask"].nonzero()[0][first]))
        assert environment.agent_selection == "player_1"
        seen.append(environment.observe("player_1").tolist())
    assert seen[0] == seen[1]
