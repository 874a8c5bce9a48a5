"""How many things lie in a place is public, also by the name of a local: whether it stands for one tells nothing, which one does."""

from __future__ import annotations

import pytest

from rulelang import api

RULES = """\
game g "G":
  players 2
  seats red, blue
names p, q: Player; n: 1..3; c: Card
kind Card "card":
  v: 1..9
  | v    |
  | 1..9 |
the game has:
  deck: pile of Card, face down
  kept: Card? = none
each Player has:
  hand: group of Card, seen by owner
  secret: 0..9 = 0, seen by owner
setup:
  move Card to deck
  shuffle(deck)
to go(p):
  BODY: p chooses n in 1..3
play:
  go(red)
  finish with winner red
"""
PUBLIC = (
    "show({top(deck)}, p)\n  let c = top(deck)\n  if c != none",
    "let c = top(deck)\n  if c == none",
    "let c = top(deck)\n  let d = c\n  if d != none",
    "let c = first(c in next(p).hand)\n  if c != none",
    "let c = first(c in next(p).hand by highest c.v)\n  if c != none",
    "let c = random(c in next(p).hand)\n  if c != none",
    "let s = next(p).hand\n  if s != {}",
    "let s = next(p).hand\n  if count(s) > 2",
    "let c = top(deck)\n  kept = c\n  if kept != none",
)
TELLING = (
    "let c = top(deck)\n  if c == Card(1)",
    "let c = top(deck)\n  if c != none and c.v > 3",
    "let c = top(deck)\n  kept = c\n  if kept == Card(1)",
    "let c = first(c in next(p).hand if c.v > 3)\n  if c != none",
    "let s = next(p).hand\n  if s == {Card(1)}",
    "let q = first(q in players by highest q.secret)\n  let s = q.hand\n  if s != {}",
)


def codes(body: str) -> set[str]:
    return {fault.code for fault in api.check_text(RULES.replace("BODY", body)).diagnostics}


@pytest.mark.parametrize("body", PUBLIC)
def test_whether_a_local_stands_for_anything_is_no_secret(body: str) -> None:
    assert codes(body) == set()


@pytest.mark.parametrize("body", TELLING)
def test_which_thing_a_local_stands_for_is_one(body: str) -> None:
    assert "E0402" in codes(body)
