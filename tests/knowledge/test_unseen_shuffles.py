"""A shuffle that happens because a secret says so takes nothing from the view of those who may not know of it: they forget what lies
where in either case."""

from __future__ import annotations

import pytest

from rulelang import api
from rulelang.api import Match
from tests.knowledge.test_where_answers_go import told

RULES = """\
game g "G":
  players 3
  seats red, blue, green
names p, q: Player; n: 0..9; c: Card
kind Card "card":
  v: 1..9
  | v    |
  | 1..9 |
the game has:
  deck: pile of Card, face down
each Player has:
  secret: 0..9 = 0, seen by owner
  hand: group of Card, seen by owner
setup:
  move 6 of Card to deck
  shuffle(deck)
to mix() called "the deck is mixed": shuffle(deck)
to mix_or_not(p) "{p} thinks":
  if p.secret > 5: mix()
play:
  show({top(deck)}, {red, blue})
  red chooses red.secret in 0..9
  BODY
  blue chooses n in 1..2
  finish with winner red
"""
BODIES = {
    "by itself": "if red.secret > 5: shuffle(deck)",
    "where it does not hold": "if red.secret < 5: red.secret = 0\n  else: shuffle(deck)",
    "in a verb": "if red.secret > 5: mix()",
    "in a verb that decides": "mix_or_not(red)",
    "again and again": "repeat while red.secret > 3:\n    shuffle(deck)\n    red.secret -= 1",
    "for each of some": "for p in players if p.secret > 5: shuffle(deck)",
    "in secret before": "let x = red.secret\n  if x > 5:\n    if x > 2: shuffle(deck)",
}


def played(body: str, secret: int, executor: str = "generated") -> Match:
    checked = api.check_text(RULES.replace("BODY", body))
    assert checked.game is not None, checked.diagnostics
    assert not checked.diagnostics
    match = checked.game.start(3, seed=1, executor=executor)
    match.push(match.options_of(0)[secret])
    return match


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("executor", ["generated", "reference"])
def test_a_shuffle_of_which_others_may_not_know_leaves_no_trace_in_their_views(body: str, executor: str) -> None:
    none, some = (played(body, secret, executor) for secret in (2, 8))
    for seat in (1, 2, None):
        assert told(none, seat) == told(some, seat)


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_whoever_knows_whether_it_was_shuffled_keeps_what_they_know(body: str) -> None:
    none, some = (played(body, secret) for secret in (2, 8))
    assert none.view(0) != some.view(0)


def test_an_open_shuffle_is_told_and_forgets() -> None:
    shuffled, kept = played("shuffle(deck)", 2), played("red.secret = 1", 2)
    assert shuffled.view(1) != kept.view(1)
