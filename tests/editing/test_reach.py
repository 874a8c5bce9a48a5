"""Only scenarios that an edit can reach are played again, by the parts of the rules that they came by."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from rulelang.api import Game
from rulelang.api.checking import check_text
from rulelang.editing.trials import Trials
from rulelang.scenarios.run import ScenarioResult, run_each, run_scenarios
from rulelang.syntax.nodes import ScenarioDeclaration

RULES = """game hop "Hop":
  players 2
  seats red, blue
names p: Player; n: 1..3
constant full = 9
the game has:
  heap: 0..full = 9
  spare: 0..full = 0
value left -> 0..full = heap
to put(n):
  spare += n, at most full
action take(p, n) "Take {n}":
  needs n <= heap  "Only {heap} left"  [H-1]
  heap -= n
action give(p, n) "Give {n}":
  put(n)
play:
  turns p from red:
    p chooses one of take, give
    if left == 0: finish with winner p
"""
SCENARIOS = """
scenario "takes":
  players red, blue
  red: take(2)
  expect heap == 7
scenario "gives":
  players red, blue
  red: give(2)
  expect spare == 2
scenario "cannot":
  players red, blue
  given heap = 1
  expect red cannot take(3)  [H-1]
scenario "knows":
  players red, blue
  expect red sees heap
"""
ALL = {"takes", "gives", "cannot", "knows"}


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """The titles of the scenarios that are played, run by run."""
    found: list[set[str]] = []

    def noted(game: Game, chosen: Sequence[ScenarioDeclaration], *given: Any) -> Iterator[ScenarioResult]:
        found[-1].update(node.title.raw for node in chosen)
        return run_each(game, chosen, *given)

    monkeypatch.setattr("rulelang.editing.trials.run_each", noted)
    return found


def _game(text: str) -> Game:
    checked = check_text(text)
    assert checked.game is not None, checked.diagnostics
    return checked.game


@pytest.mark.parametrize(
    ("old", "new", "reached"),
    [
        ("  spare += n, at most full", "  spare += n + 1, at most full", {"gives", "knows"}),
        ("  heap -= n\n", "  heap -= n\n  spare = 0\n", {"takes", "knows"}),
        ("  put(n)", "  put(n)\n  put(n)", {"gives", "knows"}),
        ("needs n <= heap", "needs n < heap", ALL),
        ("[H-1]", "[H-2]", {"cannot", "knows"}),
        ('"Only {heap} left"', '"No more than {heap}"', {"knows"}),
        ("constant full = 9\n", "constant full = 10\n", ALL),
        ("spare: 0..full = 0", "spare: 0..full = 1", ALL),
        ("= heap\nto", "= heap + 0\nto", ALL),
        ("from red:", "from blue:", ALL),
        ("to put(n):", 'to put(n) "Put":', {"knows"}),
        ("to put(n):\n", "to idle():\n  spare = 0\nto put(n):\n", {"knows"}),
    ],
)
def test_scenarios_that_ran_nothing_of_an_edited_body_rest(
    old: str, new: str, reached: set[str], played: list[set[str]]
) -> None:
    async def run(*texts: str) -> None:
        trials = Trials()
        games = [_game(text + SCENARIOS) for text in texts]
        for game in games:
            played.append(set())
            await trials.run(game, games[0], lambda: None)
            # What is shown is what a run of all would show.
            await trials.confirm(game, lambda: None)
            shown = {one.title: one.passed for one in trials.shown()}
            assert shown == {one.name: one.passed for one in run_scenarios(game)}

    assert RULES.count(old) == 1
    asyncio.run(run(RULES, RULES.replace(old, new), RULES))
    assert played[0] == ALL
    assert played[1] == reached
    assert reached >= played[2]
