"""Matches side by side are played as each of them would be alone, and seen as each would be."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import rulelang
from rulelang.errors import IllegalOption, InvalidInput
from tests.files import CLASSICS
from tests.games.classics import NAMES

if os.environ.get("RULELANG_REQUIRE_PETTINGZOO") != "1":
    pytest.importorskip("gymnasium", reason="Gymnasium is not installed: pip install 'rulelang[pettingzoo]'")

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv

from rulelang.adapters.gymnasium import ManyMatches, vector_env

CONNECT_FOUR = CLASSICS / "connect_four.rules"


def named(name: str) -> str | Path:
    return CLASSICS / f"{name}.rules" if name in NAMES else name


def drawn(rng: Any, mask: Any) -> Any:
    """Draws a legal action of each match; 0 where there is none."""
    return (rng.random(mask.shape) * mask).argmax(axis=1)


def compared(environments: ManyMatches, steps: int, *, seed: int = 5) -> int:
    """Plays a vector environment beside a match for each of its own; returns how many matches ended."""
    many, game, ended = environments.num_envs, environments.game, 0
    seen, infos = environments.reset(seed=seed)
    numbers = list(range(many))
    matches = [game.start(environments.players, f"{seed}:{n}", traced=False) for n in numbers]
    rng = np.random.default_rng(1)
    over = [False] * many
    for _ in range(steps):
        for i, match in enumerate(matches):
            if over[i]:
                assert not infos["action_mask"][i].any()
                continue
            seat = match.to_move[0]
            legal = environments.actions.legal(match.options_of(seat), seat).options
            assert infos["seat"][i] == seat
            assert np.flatnonzero(infos["action_mask"][i]).tolist() == list(legal)
            assert np.allclose(seen[i], environments.observations.of(match.view(seat), match.choice))
        actions = drawn(rng, infos["action_mask"])
        for i, match in enumerate(matches):
            if over[i]:
                numbers[i] += many
                matches[i] = game.start(environments.players, f"{seed}:{numbers[i]}", traced=False)
            else:
                legal = environments.actions.legal(match.options, match.to_move[0]).options
                match.push(legal[int(actions[i])])
        seen, _, terminated, truncated, infos = environments.step(actions)
        over = list(terminated | truncated)
        assert truncated.any() or over == [not match.to_move for match in matches]
        ended += sum(over)
    return ended


@pytest.mark.parametrize("name", ["connect_four", "nim", "kuhn", "ko", "pig"])
def test_a_classic_is_played_and_seen_as_a_match_of_its_own(name: str) -> None:
    ended = compared(vector_env(named(name), 3), 40)
    assert ended or name == "pig"


@pytest.mark.long
@pytest.mark.parametrize("name", [*NAMES, *rulelang.games()])
def test_every_game_is_played_and_seen_as_a_match_of_its_own(name: str) -> None:
    compared(vector_env(named(name), 3), 60)


def test_without_machine_code_the_same_is_played() -> None:
    compared(vector_env(CONNECT_FOUR, 2, executor="generated"), 30)


def test_it_is_a_vector_environment_of_gymnasium() -> None:
    environments = vector_env(CONNECT_FOUR, 4)
    assert isinstance(environments, VectorEnv)
    assert environments.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    seen, infos = environments.reset(seed=3)
    assert environments.observation_space.contains(seen)
    assert environments.action_space.contains(drawn(np.random.default_rng(0), infos["action_mask"]))
    environments.close()


def test_the_same_seed_gives_the_same_matches_and_the_next_reset_others() -> None:
    def course(seed: int | None, environments: ManyMatches) -> list[Any]:
        seen, infos = environments.reset(seed=seed)
        rng, found = np.random.default_rng(0), [seen.tolist()]
        for _ in range(12):
            seen, rewards, *_, infos = environments.step(drawn(rng, infos["action_mask"]))
            found.append((seen.tolist(), rewards.tolist()))
        return found

    environments = vector_env(CLASSICS / "kuhn.rules", 8)
    first = course(7, environments)
    assert first == course(7, vector_env(CLASSICS / "kuhn.rules", 8))
    assert first != course(None, environments)


def test_the_winner_is_paid_when_it_has_moved_and_the_match_begins_anew_in_the_next_step() -> None:
    environments = vector_env(CONNECT_FOUR, 2)
    environments.reset(seed=1)
    for first, second in zip((0, 1, 0, 1, 0, 1, 0), (0, 0, 0, 0, 0, 0, 1), strict=True):
        _, rewards, terminated, _, infos = environments.step([first, second])
    assert terminated.tolist() == [True, False]
    assert rewards.tolist() == [1.0, 0.0]
    assert infos["rewards"].tolist() == [[1.0, -1.0], [0.0, 0.0]]
    assert infos["seat"].tolist() == [-1, 1]
    _, rewards, terminated, _, infos = environments.step([99, 2])
    assert (terminated.tolist(), rewards.tolist(), infos["seat"].tolist()) == ([False, False], [0.0, 0.0], [0, 0])
    assert infos["action_mask"][0].tolist() == [1] * 7


def test_a_match_that_is_cut_is_truncated() -> None:
    environments = vector_env(CONNECT_FOUR, 2, at_most=2)
    environments.reset(seed=1)
    environments.step([0, 0])
    _, rewards, terminated, truncated, _ = environments.step([1, 1])
    assert (terminated.tolist(), truncated.tolist()) == ([False, False], [True, True])
    assert rewards.tolist() == [0.0, 0.0]


def test_an_illegal_action_is_refused_and_no_match_goes_on() -> None:
    environments = vector_env(CONNECT_FOUR, 2)
    environments.reset(seed=1)
    for _ in range(6):
        environments.step([0, 1])
    with pytest.raises(IllegalOption, match=r"match 0: action 0, `drop\(1\)`, is not legal now"):
        environments.step([0, 1])
    with pytest.raises(IllegalOption, match="match 1: action 7"):
        environments.step([1, 7])
    with pytest.raises(InvalidInput, match="2 matches want 2 actions"):
        environments.step([1])
    *_, infos = environments.step([1, 2])
    assert infos["seat"].tolist() == [1, 1]


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(InvalidInput, match="at least one match"):
        vector_env(CONNECT_FOUR, 0)
    with pytest.raises(InvalidInput, match="have not begun: call reset first"):
        vector_env(CONNECT_FOUR, 1).step([0])
