"""Two positions that a seat cannot tell apart send its page the same bytes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulelang import api
from rulelang.ir.numbers import Seat
from rulelang.match.match import BareMatch
from rulelang.match.redeals.redeal import redeal
from rulelang.pages.table import SeatPage
from rulelang.session.dialogue import Dialogue
from tests.knowledge.test_twins import HEAD, SECRETS


def _page(match: BareMatch, seat: int, told: BareMatch) -> str:
    """Returns a seat's page of a match, with the events that it was told in another that it cannot tell from this one."""
    asked = Dialogue.of(match, Seat(seat)).question if seat in match.to_move else None
    events = told.events_for(seat)
    return SeatPage(match, "A game", Seat(seat), ("person",) * match.players, 0, events, question=asked).markup


def _compare(game: api.Game, players: int, seed: int, choices: int) -> int:
    """Compares pages of twins through a random game; returns the number of twins that are another position."""
    match, rng, differ = game.start(players, seed), random.Random(seed), 0
    for _ in range(choices):
        if not match.to_move:
            break
        match.push(rng.choice(list(match.options)))
        seat = rng.randrange(players)
        twin = redeal(match, Seat(seat), rng)
        differ += twin.position.row != match.position.row
        assert _page(twin, seat, match) == _page(match, seat, match)
    return differ


@pytest.mark.parametrize("seed", range(4))
def test_pages_of_twins_are_alike_where_hands_numbers_and_flags_are_hidden(seed: int, tmp_path: Path) -> None:
    rules = tmp_path / "tiny.rules"
    rules.write_text(HEAD + SECRETS)
    assert _compare(api.load(str(rules)), 3, seed, 40)


@pytest.mark.parametrize(
    ("name", "players"),
    [
        pytest.param("empty_space", 3, marks=pytest.mark.long),
        ("outspeed", 3),
        pytest.param("exit_velocity", 2, marks=pytest.mark.long),
    ],
)
def test_pages_of_twins_are_alike_in_the_games(name: str, players: int) -> None:
    assert _compare(api.load(name), players, 5, 14)
