"""A match that records nothing tells no viewer more than a recorded one: what left the box unseen stays hidden."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import rulelang
from rulelang.api import Match
from tests.files import CLASSICS
from tests.seeds import rest_long
from tests.views import zone

GAMES = [*rulelang.games(), *map(str, sorted(CLASSICS.glob("*.rules")))]


def test_the_cards_left_in_the_box_do_not_name_the_card_that_another_was_dealt() -> None:
    match = rulelang.load(str(CLASSICS / "kuhn.rules")).start(2, seed=1, traced=False)
    assert zone(match.view(0), "box").things == (None,)


@pytest.mark.parametrize(
    "name",
    rest_long(GAMES, *(name for name in GAMES if name not in ("exit_velocity", "exobase"))),
    ids=lambda name: name.rpartition("/")[2],
)
def test_no_view_without_a_trace_shows_a_thing_that_a_recorded_match_hides(name: str) -> None:
    game = rulelang.load(name)
    recorded, bare = (game.start(seed=3, traced=traced) for traced in (True, False))
    rng = random.Random(5)
    for ply in range(40):
        if not recorded.to_move:
            break
        if ply % 8 == 0:
            assert told_too_much(recorded, bare) == []
        at = rng.randrange(len(recorded.options))
        recorded.push(recorded.options[at])
        bare.push(bare.options[at])


def told_too_much(recorded: Match, bare: Match) -> list[tuple[int, str]]:
    """Returns the seats and zones where the match without a trace names more things of some name than the recorded one."""
    found = []
    for seat in range(len(recorded.seats)):
        for seen, told in zip(recorded.view(seat).zones, bare.view(seat).zones, strict=True):
            if Counter(filter(None, told.things)) - Counter(filter(None, seen.things)):
                found.append((seat, seen.name))
    return found
