"""Whether, and in how many ways, an action could be taken: the same on all executors, and as many as are offered."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulelang.match.view_cache import Seen
from tests.games.written import assert_holds, faults, game
from tests.machines.test_looking_ahead import KING

STALEMATE = KING.replace(
    "play:\n", "the game has:\n  ways: 0..999 = 0\nvalue stuck(p) -> flag = not any(move(p))\nplay:\n"
).replace(
    "  turns p from white:\n",
    "  turns p from white:\n    ways = count(move(p)), at most 999\n    if stuck(p) and round > 3: finish with winner next(p)\n",
)

CARDS = """
names p, q: Player; c: Card; n: 0..9
kind Card "card":
  n: 1..6
  | n    |
  | 1..6 |
the game has:
  deck: pile of Card, face up
  row: pile of Card, face up
each Player has:
  coins: 0..9 = 3
setup:
  move Card to row
action buy(p, c in row, k: 1..2) "Buy {c}":
  needs c.n * k <= p.coins  "Too dear"
  move c to deck
  p.coins -= c.n * k, at least 0
action rest(p) "Rest":
  needs count(buy(p)) < 5
  settle
action give(p, q, n) "Give":
  needs q != p
  needs n <= p.coins and n > 0
  settle
action take_some(p, some in 2 of row): settle
"""


def test_a_game_ends_where_nobody_can_move(tmp_path: Path) -> None:
    assert_holds(STALEMATE, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2))
def test_as_many_ways_are_counted_as_are_offered(seed: int, tmp_path: Path) -> None:
    rules = game(STALEMATE, tmp_path)
    matches = [rules.start(executor=executor) for executor in ("reference", "generated", "native")]
    choose = random.Random(seed)
    while matches[0].to_move:
        options = [option.text for option in matches[0].options]
        seen = [match.view(None)["ways"] for match in matches]
        assert {one.value for one in seen if isinstance(one, Seen)} == {len(options) - 1}
        answer = choose.choice(options)
        for match in matches:
            match.play(answer)


def test_arguments_in_front_may_be_given(tmp_path: Path) -> None:
    text = (
        CARDS
        + """
play:
  turns p from first_player: p chooses one of buy, rest, give, or stop
scenario "what can be bought":
  expect any(buy(player1)) and count(buy(player1)) == 4
  expect count(buy(player1, Card(1))) == 2 and not any(buy(player1, Card(4))) and any(buy(player1, Card(3), 1))
  expect count(buy(player1, Card(3), 1)) == 1 and count(buy(player1, Card(3), 2)) == 0
  expect any(rest(player1)) and count(rest(player1)) == 1
  expect count(give(player1)) == 3 and count(give(player1, player1)) == 0
  player1: buy(Card(1), 1)
  expect count(buy(player1)) == 1 and count(buy(player2, Card(1))) == 0
"""
    )
    assert_holds(text, tmp_path)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("value v(p) -> flag = any(buy())", "E0207"),
        ("value v(p) -> flag = any(buy(p, p))", "E0301"),
        ("value v(p) -> flag = any(take_some(p))", "E0305"),
        ('value v(p) -> flag = any(circle(p))\naction circle(p) "Go":\n  needs v(p)\n  settle', "E0405"),
        ('action circle(p) "Go":\n  needs any(circle(p))\n  settle', "E0405"),
    ],
)
def test_what_cannot_be_asked_of_an_action_is_refused(value: str, code: str, tmp_path: Path) -> None:
    found = faults(f"{CARDS}\n{value}\nplay:\n  turns p from first_player: p chooses one of buy, or stop\n", tmp_path)
    assert code in [fault for fault, _ in found], found


def test_to_ask_of_a_hidden_hand_tells(tmp_path: Path) -> None:
    text = CARDS.replace("row: pile of Card, face up", "row: pile of Card, face down")
    text = text.replace("each Player has:\n", "each Player has:\n  hand: group of Card, seen by owner\n")
    text += 'action lay(p, c in p.hand) "Lay {c}":\n  needs c.n > 2\n  move c to deck\n'
    play = "play:\n  turns p from first_player:\n    if any(lay(p)): next(p) chooses one of rest\n    p chooses one of lay, or stop\n"
    text = text.replace("action buy(p, c in row, k", "action buy(p, c in deck, k")
    assert "E0402" in [code for code, _ in faults(text + play, tmp_path)]
    assert not faults(text + play.replace("any(lay(p))", "any(lay(p)) openly"), tmp_path)
