"""A rule that forbids without words of its own is told in names, as the printed rulebook tells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.api import Match
from tests.games.written import game

RULES = """
game sketch "Sketch":
  players 2
  seats red "Red", blue "Blue"

names p, q: Player
names c: Card

kind Card "card":
  rank: 1..3, called "height"
  | name | called     | rank |
  | low  | "the hut"  | 1    |
  | high | "the tower" | 3    |

each Player has:
  hand: group of Card, seen by owner
  coins: 0..9 = 2

setup:
  for p in Player if p == red:
    move Card to p.hand

action pay(p, n: 1..9):
  needs n <= p.coins
action play_card(p, c in p.hand):
  needs c.rank > 1
action hail(p, q):
  needs q != p
action boast(p):
  needs all(c.rank == 3 for c in p.hand)
action beg(p):
  needs p.hand == {}

play:
  turns p from first_player: p chooses one of pay, play_card, hail, boast, beg, or pass
"""


@pytest.fixture
def match(tmp_path: Path) -> Match:
    return game(RULES, tmp_path).start(2, seed=1)


@pytest.mark.long
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("red: pay(3)", "3 is more than Red's coins"),
        ("red: play_card(low)", "the hut's height is at most 1"),
        ("red: hail(red)", "it may not be Red"),
        ("red: boast", "there is a card in Red's hand whose height is not 3"),
        ("red: beg", "Red's hand is not empty"),
    ],
)
def test_a_need_without_words_is_told_by_its_opposite(match: Match, answer: str, said: str) -> None:
    reason = match.why_not(answer)
    assert reason is not None
    assert reason.message.lower() == said.lower()
