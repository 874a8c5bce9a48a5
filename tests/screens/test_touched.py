"""An event names the places of a screen that it touched, as far as its reader may know them."""

from __future__ import annotations

import random

from rulelang import api
from rulelang.match.match import BareMatch
from rulelang.screens.touched import Place, touched
from tests.files import ROOT


def _all(match: BareMatch, seat: int | None) -> set[Place]:
    return {place for event in match.events_for(seat) for place in touched(event, match.game)}


def _played(name: str, players: int, choices: int) -> BareMatch:
    match, rng = api.load(name).start(players, seed=5), random.Random(3)
    for _ in range(choices):
        match.push(rng.choice(list(match.options)))
    return match


def test_a_mark_on_a_space_touches_the_space() -> None:
    match = api.load(str(ROOT / "tests/classics/tic_tac_toe.rules")).start(2, seed=1)
    before = _all(match, 0)
    match.play("put(b2)")
    space = next(kind for kind in match.game.kinds if "b2" in kind.names)
    assert (space.name, space.names.index("b2")) in _all(match, 0) - before


def test_a_ship_touches_the_zones_that_it_leaves_and_comes_to() -> None:
    found = _all(_played("outspeed", 3, 12), 0)
    assert any(kind == "Player" for kind, _ in found)
    assert any(kind.startswith(("0..", "1..")) for kind, _ in found)


def test_a_card_that_a_seat_may_not_know_names_no_thing() -> None:
    match = _played("empty_space", 2, 30)
    drawn = [event for event in match.events_for(1) for change in event.changes if "a universe card" in change.text]
    assert drawn
    for event in drawn:
        names = {name for kind, name in touched(event, match.game) if kind == "thing"}
        known = {change.text.removeprefix("reveal ").partition(":")[0].replace("_", " ") for change in event.changes}
        assert names <= known | {"a universe card"}
