"""A change is left out only where a hole of a sentence is that change; all others are told beside the sentence."""

from __future__ import annotations

import pytest

import rulelang
from rulelang.screens.narration import told

RULES = """\
game told "Told":
  players 2
  seats red, blue

names p, q: Player; n: 1..5; i: 1..3; good: Good; c: Card

enum Good "good": water, grain

kind Card "card":
  title: 1..9
  | name | title |
  | a    | 3     |
  | b    | 4     |

the game has:
  hints: 0..8 = 8
  pot: 0..50 = 0
  stock(good): 0..9 = 2
  table: group of Card
  used: group of Card

each Player has:
  mark(i): 0..5 = 0
  coins: 0..9 = 5
  debt: 0..50 = 0
  at: 0..9 = 0

setup: move Card to table

action tell(p, q, n) "Tell {q} about each {n}":
  hints -= 1
  for i in 1..2: q.mark(i) = n
action mark_one(p, q, i, n) "Mark {i} of {q} with {n}": q.mark(i) = n
action give(p, q, n) "Give {q} card {n}": p.coins -= 1
action pay(p, n) "Pay", "{p} pays {n} coins":
  p.debt += n
  p.coins -= n
  pot += n
action spend(p, n) "Spend", "{p} spends {min(n, p.coins)} coins": p.coins -= n, at least 0
action want(p, n) "Want", "{p} wants {n} coins": p.coins += n, at most 9
action walk(p, n) "Walk", "{p} walks {n} steps":
  repeat n times: p.at += 1
action trade(p, n) "Trade", "{p} trades {n} for {n + 1} of the water":
  lose(p, n)
  stock(water) += n + 1
  stock(grain) -= 1
to lose(p, n): p.coins -= n
action use(p, c in table) "Use", "{p} uses a card of {c.title}": move c to used
action flip(p, c in table) "Flip", "{p} flips {c}":
  move c to used
  move c to table
action pay_twice(p, n) "Pay twice", "{p} pays {n}":
  lose_aloud(p, n)
  lose(p, n)
to lose_aloud(p, n) "{p} loses {n} coins": p.coins -= n
action share(p, n) "Share", "{p} shares {n}":
  for q in players: q.coins -= n

play:
  turns p from red:
    p chooses one of tell, mark_one, give, pay, spend, want, walk, trade, use, flip, pay_twice, share
    if round == 5: finish lost
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> rulelang.Game:
    path = tmp_path_factory.mktemp("told") / "told.rules"
    path.write_text(RULES, encoding="utf-8")
    return rulelang.load(path)


@pytest.mark.parametrize(
    ("answer", "changes"),
    [
        # The number of the sentence is another one, although they are equal.
        ("tell(blue, 1)", ["hints fall from 8 to 7", "blue's mark (1) rises from 0 to 1", "blue's mark (2) rises from 0 to 1"]),
        ("mark_one(blue, 2, 3)", []),
        ("give(blue, 1)", ["red's coins fall from 5 to 4"]),
        # A sentence speaks of one variable: of the one that it names.
        ("pay(3)", ["red's debt rises from 0 to 3", "pot rises from 0 to 3"]),
        # It tells what came about.
        ("spend(5)", []),
        ("want(5)", ["red's coins rise from 5 to 9"]),
        ("want(4)", []),
        # The same amount, through a verb without a sentence, in a loop, computed, with a key in plain words.
        ("walk(2)", ["red's at rises from 0 to 1", "red's at rises from 1 to 2"]),
        ("walk(1)", []),
        ("trade(1)", ["stock of grain falls from 2 to 1"]),
        # A thing whose name is not said is not named.
        ("use(a)", ["a goes from the table to the used"]),
        # It names a thing once, so it tells one move of it.
        ("flip(a)", ["a goes from the used to the table"]),
        # What a sentence within it has told, the one around it tells no second time.
        ("pay_twice(2)", ["red's coins fall from 3 to 1"]),
        # An owner that is not named, even where it is somebody who is.
        ("share(1)", ["red's coins fall from 5 to 4", "blue's coins fall from 5 to 4"]),
    ],
)  # fmt: skip
def test_a_change_is_covered_only_where_a_hole_of_the_sentence_is_it(
    game: rulelang.Game, answer: str, changes: list[str]
) -> None:
    match = game.start(seed=1)
    events = match.play(f"red: {answer}")
    lines = list(told(events, match.seat_names))
    assert [change for line in lines for change in line.changes] == changes
