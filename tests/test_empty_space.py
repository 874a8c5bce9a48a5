"""Empty Space, where scenarios do not reach: what goes on for long, and what is on the screen at times only."""

from __future__ import annotations

import random

import pytest

import rulelang
from rulelang.api import Match
from rulelang.screens.picture import picture

WANTED = ("research", "take_top", "stop", "go_on")


def plod(match: Match) -> None:
    """Plays one answer of somebody who picks cards up, plays none, and throws away what is too much."""
    options = list(match.options)
    match.play(next((option for option in options if option.text.startswith(WANTED)), options[0]))


def rounds(match: Match) -> int:
    return int(match.view(None)["round"].text)


def test_no_number_of_rounds_ends_a_game() -> None:
    match = rulelang.load("empty_space").start(2, seed=4)
    while rounds(match) <= 70:
        plod(match)
    assert match.outcome is None


@pytest.mark.parametrize(("game", "players"), [("empty_space", 3), ("empty_space+solo", 1)])
def test_a_number_of_rounds_that_was_agreed_on_does(game: str, players: int) -> None:
    match = rulelang.load(game).start(players, seed=4, options={"most_rounds": 4})
    while match.to_move:
        assert rounds(match) <= 4
        plod(match)
    assert rounds(match) == 4
    assert match.outcome is not None
    assert match.outcome.rule in ("end_after_most_rounds", "score_the_game")


@pytest.mark.parametrize("seed", range(6))
def test_alone_every_game_ends_by_itself(seed: int) -> None:
    match = rulelang.load("empty_space+solo").start(1, seed=seed, traced=False)
    luck = random.Random(seed)
    for _ in range(2000):
        if not match.to_move:
            break
        match.push(luck.choice(list(match.options)))
    assert match.outcome is not None
    assert match.view(0)["rating"].text != "none"


@pytest.mark.parametrize(("game", "players"), [("empty_space", 2), ("empty_space+solo", 1)])
def test_the_screen_speaks_of_most_rounds_where_there_are_any(game: str, players: int) -> None:
    def text(agreed: int | None) -> str:
        match = rulelang.load(game).start(players, seed=4, options={"most_rounds": agreed})
        return str(picture(match, 0))

    assert "after" not in text(None)
    assert "after round 60" in text(60) or "after turn 60" in text(60)
