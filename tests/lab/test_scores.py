"""What bots steer by can be worked out wherever a game comes to."""

from __future__ import annotations

import random

import pytest

from rulelang import api
from rulelang.ir.numbers import Seat


@pytest.mark.parametrize("name", ["empty_space", "exit_velocity", "exobase", "outspeed"])
def test_a_shipped_game_scores_each_seat_at_each_position(name: str) -> None:
    match, rng = api.load(name).start(seed=0, traced=False), random.Random(0)
    for answers in range(1_100):
        if not match.to_move:
            assert answers > 20
            break
        assert all(match.position.machine.score(Seat(seat)) is not None for seat in range(match.players))
        match.push(match.options.pick(rng.randrange))
