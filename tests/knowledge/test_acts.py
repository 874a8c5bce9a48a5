"""Acts behind a secret: what shows everybody that play came there, and what may change nothing and so shows nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.written import faults

HEAD = """\
game sketch "Sketch":
  players 2..3
  seats red, blue, green
names p, q: Player; c: Card; n: 0..3; amount: 1..3
die d6: 1..6
kind Card "card":
  v: 1..6
  | v    |
  | 1..6 |
the game has:
  k: 0..9 = 0
  pot: 0..999 = 0
  is_on: flag = no
  deck: pile of Card, face down
  waste: pile of Card, face up
each Player has:
  gold: 0..9 = 0, seen by owner
  bid: 0..9 = 0, seen by owner
  lives: 0..3 = 0
  hand: group of Card, seen by owner
to lose(p): p.lives -= 1, at least 0
to earn(p, amount): pot += amount
to leave(p): eliminate(p)
to discard(p, c): move c to waste
play:
  red chooses red.gold in 0..3
"""


def said(body: str, folder: Path) -> set[str]:
    """Returns what is said of secrets in the body of `play`."""
    lines = "".join(f"  {line}\n" for line in body.split("\n"))
    return {code for code, _ in faults(HEAD + lines, folder) if code in ("E0402", "W0512")}


def behind_a_secret(act: str) -> str:
    return "if red.gold > 1:\n  " + act.replace("\n", "\n  ") + "\n  blue chooses n in 0..3"


NOTHING_SEEN = (
    "k = 0",
    "is_on = yes",
    "red.lives -= 1, at least 0",
    "red.lives += 1, at most 3",
    "pot += count(red.hand)",
    "move 1 of deck to waste",
    "move deck to waste",
    "move red.hand to blue.hand",
    "eliminate(green)",
    "reveal(blue.hand)",
    "reveal(top(deck))",
    "shuffle(deck)",
    "show(waste, players)",
    "lose(red)",
    "leave(green)",
    "discard(red, first(Card))",
    "for c in red.hand: move c to waste",
    "if k > 3: k = 0",
    "for q in {q in players if q.lives > 2}: q.lives -= 1",
    "for q in {q in players if q.lives > 2}: eliminate(q)",
    "for q in {q in players if k == 9}: earn(q, 1)",
)
SEEN = (
    "k += 1",
    "pot += roll(d6)",
    "earn(red, 2)",
    "if k != 0: k = 0\nelse: k = 1",
    "if k == 3: k = 2\nelse: k += 1",
    "if red.lives > 0: lose(red)\nelse: pot += 1",
    "if red.lives < 3: red.lives += 1, at most 3\nelse: pot += 1",
    "if is_on: is_on = no\nelse: is_on = yes",
    "if deck != {}: move 1 of deck to waste\nelse: pot += 1",
    "if count(red.hand) > 0: move red.hand to waste\nelse: pot += 1",
    "eliminate(next(red))",
    "leave(next(red))",
    "for q in players: eliminate(q)",
    "for q in players: earn(q, 1)",
)


@pytest.mark.parametrize("act", NOTHING_SEEN)
def test_what_may_change_nothing_does_not_show_that_play_came_there(act: str, tmp_path: Path) -> None:
    assert "E0402" in said(behind_a_secret(act), tmp_path)


@pytest.mark.parametrize("act", SEEN)
def test_what_certainly_changes_something_shows_that_play_came_there(act: str, tmp_path: Path) -> None:
    assert "E0402" not in said(behind_a_secret(act), tmp_path)


def test_what_is_known_of_a_choice_is_known_of_its_answer(tmp_path: Path) -> None:
    body = "blue chooses amount in 1..3\nif red.gold > 1:\n  pot += amount\n  blue chooses n in 0..3"
    assert said(body, tmp_path) == set()
    moved = "blue chooses c in blue.hand\nif red.gold > 1:\n  discard(blue, c)\n  blue chooses n in 0..3"
    assert said(moved, tmp_path) == set()


@pytest.mark.parametrize(
    "body",
    [
        "for p in players:\n  if p.gold > 1:\n    lose(p)\n    stop\n  p chooses n in 0..3",
        "let q = first(p in players by highest p.gold)\nq.lives = 0\nq chooses n in 0..3",
        "let q = first(p in players by highest p.gold)\nmove 1 of deck to q.hand\nq chooses n in 0..3",
    ],
    ids=["behind a way out", "of whom it is written", "to whom it is moved"],
)
def test_what_may_change_nothing_names_nobody(body: str, tmp_path: Path) -> None:
    assert "E0402" in said(body, tmp_path)


@pytest.mark.parametrize(
    "body",
    [
        "if red.gold > 1:\n  if k == 0: return\nblue chooses n in 0..3",
        "if k == 0:\n  if red.gold > 1: return\nblue chooses n in 0..3",
        "if red.gold > 1:\n  if k == 0: return\n  pot += 1\nblue chooses n in 0..3",
        "for q in players:\n  if red.gold > 1:\n    if k == 0: stop\n  blue chooses n in 0..3",
        "if red.gold > 1:\n  for q in players:\n    if q.lives == 0: return\nblue chooses n in 0..3",
    ],
)
def test_a_way_out_that_depends_on_a_secret_and_on_more_tells_where_it_was_not_taken(body: str, tmp_path: Path) -> None:
    assert "E0402" in said(body, tmp_path)


@pytest.mark.parametrize(
    "body",
    [
        "if k == 0:\n  if red.gold > 1: return\npot += 1\nblue chooses n in 0..3",
        "if k == 0:\n  if red.gold > 1: return\n  pot += 1\nblue chooses n in 0..3",
        "if red.gold > 1:\n  if k == 0: return\npot += 1\nif k == 1: settle\nblue chooses n in 0..3",
        "if red.gold > 1:\n  if k == 0: k = 1\nblue chooses n in 0..3",
    ],
)
def test_what_was_seen_since_a_way_out_was_not_taken_shows_it(body: str, tmp_path: Path) -> None:
    assert "E0402" not in said(body, tmp_path)


@pytest.mark.parametrize(
    ("one", "other", "is_told"),
    [
        ("pot += 1", "pot += 2", True),
        ("pot += 1", "pot += 1", False),
        ("pot += 1", "lose(red)\n  pot += 1", False),
        ("if is_on: pot += 1\n  else: k += 1", "pot += 1", False),
        ("pot += 1", "if is_on: pot += 1", False),
    ],
)
def test_what_another_branch_may_look_like_shows_nothing(one: str, other: str, is_told: bool, tmp_path: Path) -> None:
    body = f"if red.gold > 1:\n  {one}\n  blue chooses n in 0..3\nelse:\n  {other}"
    assert ("E0402" not in said(body, tmp_path)) == is_told
