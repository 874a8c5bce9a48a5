"""Tests of views that take over what has not changed since the viewer's last look."""

from __future__ import annotations

import random

import attrs
import pytest

from rulelang import api
from rulelang.knowledge.visible_knowledge import differing
from rulelang.match.match import BareMatch
from tests.files import CLASSICS

GAMES = ["outspeed", "empty_space", "exobase", "exit_velocity", str(CLASSICS / "connect_four.rules")]


def from_nothing(match: BareMatch) -> BareMatch:
    """Returns a match in the same position that has looked at nothing before."""
    fork = match.fork()
    fork.visibility = attrs.evolve(match.visibility)
    assert not fork.visibility.looks
    return fork


@pytest.mark.long
@pytest.mark.parametrize("traced", [True, False])
@pytest.mark.parametrize("name", GAMES)
def test_a_view_does_not_depend_on_earlier_looks(name: str, traced: bool) -> None:
    choose = random.Random(name)
    match = api.load(name).start(seed=3, traced=traced)
    fork = match.fork()
    for _ in range(25):
        for _ in range(choose.randrange(1, 4)):
            if match.to_move:
                match.push(match.options.pick(choose.randrange))
        if choose.randrange(4) == 0:
            match, fork = fork, match.fork()
        if choose.randrange(5) == 0 and match.can_undo:
            match.undo()
        viewers = [*range(match.players), None]
        for seat in choose.sample(viewers, min(2, len(viewers))):
            assert match.view(seat) == from_nothing(match).view(seat)


def test_a_view_stays_as_it_was_when_the_match_goes_on() -> None:
    match = api.load("outspeed").start(players=3, seed=7)
    view, same = match.view(0), match.fork().view(0)
    assert view.variables == same.variables
    for _ in range(9):
        match.push(match.options[0])
    assert match.view(0) != view
    assert view == same


def test_differences_are_found_in_every_stretch() -> None:
    rows = random.Random(7)
    for size in (0, 1, 63, 64, 65, 200):
        before = [rows.randrange(3) for _ in range(size)]
        now = [value if rows.randrange(9) else rows.randrange(3) for value in before]
        assert differing(before, now) == [i for i in range(size) if before[i] != now[i]]


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_a_key_does_not_depend_on_earlier_keys(name: str) -> None:
    choose = random.Random(name)
    match = api.load(name).start(seed=3)
    for _ in range(25):
        if match.to_move:
            match.push(match.options.pick(choose.randrange))
        if choose.randrange(5) == 0 and match.can_undo:
            match.undo()
        fresh = match.fork()
        vars(fresh.visibility).pop("references", None)
        assert match.key == fresh.key
