"""Positions as texts: what begins in one, what a log of it says, and what cannot be read."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from random import Random

import pytest

from rulelang import api
from rulelang.errors import InvalidInput, RulelangError
from rulelang.log.reading import parse_log
from rulelang.match.view_cache import Heap
from rulelang.scenarios.opening import opening
from rulelang.scenarios.run import run_scenarios
from rulelang.source import SourceText
from rulelang.syntax.printing.printer import format_source
from tests.files import CLASSICS
from tests.games.written import faults, game

BOARD = """
names p: Player
names s: Field
kind Card "card":
  n: 1..3
  | copies | n    |
  | 2      | 1..3 |
board Field: square
  map \"\"\"
    . . .
    . _ .
  \"\"\"
enum Man: rook, pawn
each Field has:
  man: Man? = none
  count_: 0..9 = 0
  card: slot for Card, face down
the game has:
  chosen: Card? = none
  deck: pile of Card, face down
each Player has:
  hand: group of Card, seen by owner
setup:
  move Card to deck
  shuffle(deck)
  for p in players: move 2 of deck to p.hand
play:
  turns p from first_player:
    let before = count(deck)
    p chooses one of:
      put(c in p.hand, s in {s in Field if s.card == none}) "Put {c} on {s}":
        move c to s.card
        s.man = pawn
        if c.n > 1: reveal(c)
      think(c in p.hand) "Think of {c}": chosen = c
    if before == 0 or p.hand == {} or round == 9: finish with winner p
names c: Card
"""


def test_what_copies_hide_and_where_the_rules_stand_is_read_back(tmp_path: Path) -> None:
    rules = game(BOARD, tmp_path)
    for executor in ("reference", "generated", "native"):
        match = rules.start(seed=5, traced=False, executor=executor)
        while match.to_move:
            text = match.as_given()
            again = rules.start(given=text, traced=False, executor=executor)
            assert again.key == match.key
            assert again.as_given() == text
            match.push(match.options[len(match.options) // 2])


def test_variables_are_drawn_as_zones_are(tmp_path: Path) -> None:
    scenario = """
scenario "drawn":
  given man from b1 \"\"\"
    rook .
    _    pawn
  \"\"\"
  expect b1.man == rook and c1.man == none and c2.man == pawn
"""
    rules = game(BOARD + scenario, tmp_path)
    assert all(result.passed for result in run_scenarios(rules, executor="both"))
    wrong = scenario.replace("rook .", "king .")
    assert ("E0706", "no Man is called `king`") in faults(BOARD + wrong, tmp_path)


def test_a_position_is_a_scenario(tmp_path: Path) -> None:
    match = game(BOARD, tmp_path).start(seed=5)
    match.play(match.options[0])
    text = match.as_given() + f"  expect {match.seats[match.to_move[0]]} is asked\n"
    assert format_source(SourceText("here", text)) == text
    assert all(result.passed for result in run_scenarios(game(f"{BOARD}\n{text}", tmp_path), executor="both"))


def test_a_log_says_where_it_began_and_a_seat_is_not_told() -> None:
    rules = api.load("outspeed")
    begun = rules.start(players=3, seed=7)
    match = rules.start(given=begun.as_given(), seed=2)
    assert match.events == ()
    for _ in range(9):
        match.play(match.options[0])
    for compares in (True, False):
        again = api.replay(match.log, compares=compares)
        assert again.difference is None
        assert again.match.key == match.key
    match.undo()
    assert match.events_for(1) is not None
    assert not match.redeal(0, Random(1), budget=50).exact
    assert match.log.for_seat(0).header.given is None
    assert parse_log(BytesIO(match.log.text.encode())).header.given == begun.as_given()


def test_who_sits_down_at_a_position_knows_what_they_see_there() -> None:
    rules = api.load("outspeed")
    match = rules.start(given=rules.start(players=3, seed=7).as_given())
    assert match.view(0) != match.view(1)
    bonuses = match.view(0)["bonuses"]
    assert isinstance(bonuses, Heap)
    assert set(bonuses.things) == {None}


def test_where_nobody_is_asked_there_is_no_position() -> None:
    rules = api.load(CLASSICS / "nim.rules")
    match = rules.start(seed=1)
    while match.to_move:
        match.play(match.options[0])
    with pytest.raises(InvalidInput, match="nobody is asked here"):
        match.as_given()


def test_answers_under_seal_are_in_no_position() -> None:
    match = api.load("outspeed").start(players=3, seed=7)
    match.play(match.options[0])
    with pytest.raises(InvalidInput, match="under seal"):
        match.as_given()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is no scenario"),
        ('scenario "here":\n  given heap = 3\n', "where the rules stand"),
        ('scenario "here":\n  given heap = 300 at "play#1"\n', "cannot be read"),
        (
            'scenario "here":\n  given heap = 3 at "pay#1"\n',
            "no choice is called `pay#1`; did|no choice is called `pay#1`",
        ),
        ('scenario "here":\n  given heap = 3 at "play#1: q = 7"\n', "nothing is called `q`"),
        ('scenario "here":\n  given heap = 3 at "play#1: heap = x"\n', "`x` cannot be read"),
    ],
)
def test_what_is_no_position_is_refused_with_its_reason(text: str, why: str) -> None:
    with pytest.raises(RulelangError, match=why):
        api.load(CLASSICS / "nim.rules").start(given=text)


def test_a_position_says_who_plays() -> None:
    rules = api.load("outspeed")
    with pytest.raises(RulelangError, match="says how many play"):
        rules.start(players=4, given=rules.start(players=3).as_given())


def test_a_scenarios_givens_are_where_a_game_can_begin() -> None:
    rules = api.load("outspeed")
    found = opening(rules, "back past the last zone", 4)
    match = rules.start(given=found.text)
    assert match.players == found.players
    with pytest.raises(InvalidInput, match="no scenario is called"):
        opening(rules, "nowhere at all", 4)
