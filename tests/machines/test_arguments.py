"""An argument outside of its parameter's range stops the game at the call, on both executors."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.errors import RangeViolation
from rulelang.match.match import BareMatch
from tests.games.written import assert_holds, faults, game

HEAD = """\
names p: Player
die d6: 1..6
kind Card "card":
  n: 1..3
  | n    |
  | 1..3 |
board Lane: track
  map \"\"\"
    . . . .
  \"\"\"
the game has:
  big: 0..30 = 9
  total: -99..99 = 0
  some: set of 0..30 = {2, 9}
  at(n: 1..4): 0..9 = 3
  shelf(n: 1..4): group of Card
data fare(s: Lane, n: 1..4):
  coins: 0..99 = 0
  tolls: 0..99 = 0
  | s  | coins | tolls |
  | a1 | n * 2 | 7     |
to look(n: 1..4): total += 1
to look_twice(n: 1..4, m: 1..4): total += 1
to take_all(x: set of 1..4): total += count(x)
to ask(n: 1..4):
  first_player chooses one of:
    rest "Rest": total += 1
  total += 1
phase evening(n: 1..4): total += 1
to count_down(n: 0..4) at most 9 deep:
  if n > 0 or big > 3: count_down(n - 1)
value twice(n: 1..4) -> 0..99 = n * 2
value long_way(n: 1..4) -> 0..99 =
  sum(a * b * n for a in 1..9 if a != n, b in 1..9 if b != a and b != n and a + b > 3 and a * b > 5)
value even(n: 1..4) -> flag = n % 2 == 0
value many(x: set of 1..4) -> 0..99 = count(x)
value less(n: 1..4) -> 0..99, at most 20 deep =
  0 if n == 4 and big < 3
  less(n + 1) otherwise
value both(n: 1..4) -> set of 1..9 = {m for m in 1..9 if m > n}
before look(n) if total > 90: total = 0
"""

STOPS = {
    "a verb": ("look(big)", "`n` of `look` would be 9; it is for 1..4"),
    "a verb that asks": ("ask(big)", "`n` of `ask` would be 9; it is for 1..4"),
    "a verb, below": ("look(big - 9)", "`n` of `look` would be 0; it is for 1..4"),
    "the second of two": ("look_twice(3, big)", "`m` of `look_twice` would be 9; it is for 1..4"),
    "a phase": ("evening(big)", "`n` of `evening` would be 9; it is for 1..4"),
    "a verb that calls itself": ("count_down(2)", "`n` of `count_down` would be -1; it is for 0..4"),
    "a verb at once": ("simultaneously for p in players: look(big)", "`n` of `look` would be 9; it is for 1..4"),
    "a verb that is put off": (
        "simultaneously for p in players: carry(big)",
        "`n` of `carry` would be 9; it is for 1..4",
    ),
    "a set": ("take_all(some)", "`x` of `take_all` holds 9; it is for 1..4"),
    "a value": ("total += twice(big)", "`n` of `twice` would be 9; it is for 1..4"),
    "a longer value": ("total += long_way(big)", "`n` of `long_way` would be 9; it is for 1..4"),
    "a value in a condition": ("if even(big): settle", "`n` of `even` would be 9; it is for 1..4"),
    "a value of a set": ("total += many(some)", "`x` of `many` holds 9; it is for 1..4"),
    "a value that is a set": ("if 3 in both(big): settle", "`n` of `both` would be 9; it is for 1..4"),
    "a loop over a value": ("for k in both(big): settle", "`n` of `both` would be 9; it is for 1..4"),
    "a value that calls itself": ("total += less(2)", "`n` of `less` would be 5; it is for 1..4"),
    "a value in a value": ("total += outer", "`n` of `twice` would be 9; it is for 1..4"),
    "a comprehension": ("total += sum(twice(k) for k in 3..big)", "`n` of `twice` would be 5; it is for 1..4"),
    "a cell": ("total += fare(Lane.a1, big).coins", "`n` of `fare` would be 9; it is for 1..4"),
    "a cell that does not read it": ("total += fare(Lane.a1, big).tolls", "`n` of `fare` would be 9; it is for 1..4"),
    "a variable's key": ("total += at(big)", "`at` has no 9: it is for 1..4"),
    "a zone's key": ("total += count(shelf(big))", "`shelf` has no 9: it is for 1..4"),
    "where things go": ("move Card to shelf(big)", "there is no `shelf` of 9"),
    "an option": (
        'p chooses one of:\n    hop(n in 0..big) "Hop {n}": look(n)',
        "`n` of `look` would be 0; it is for 1..4",
    ),
}


def _rules(body: str) -> str:
    return f"""{HEAD}\
to carry(n: 1..4): move first(Card) to shelf(1)
value outer -> 0..99 = twice(big)
play:
  act(first_player)
  finish lost
to act(p):
  p chooses one of go_on, wait
  {body}
action go_on(p) "Go on": settle
action wait(p) "Wait": big = 3
"""


@pytest.mark.parametrize("executor", ["reference", "generated"])
@pytest.mark.parametrize("what", STOPS)
def test_an_argument_out_of_range_stops_at_the_call(what: str, executor: str, tmp_path: Path) -> None:
    body, message = STOPS[what]
    rules = game(_rules(body), tmp_path)
    match = rules.start(2, seed=1, executor=executor)
    with pytest.raises(RangeViolation) as stopped:
        _play_on(match)
    assert stopped.value.message == message
    line = rules.ir.sites[stopped.value.site].span.text
    assert line.strip() in body or what == "a verb that calls itself"


def _play_on(match: BareMatch) -> None:
    match.play("go_on")
    match.play(next(iter(match.options)))


PASSED = """\
names p: Player; c: Card
kind Card "card":
  n: 1..3
  | n    |
  | 1..3 |
the game has:
  deck: pile of Card
each Player has:
  hand: group of Card
setup: move Card to first_player.hand
play:
  veil(first_player)
  finish lost
to veil(p):
  p chooses c in p.hand, or pass
  move c to deck bottom
"""


@pytest.mark.parametrize("executor", ["reference", "generated"])
def test_who_passes_has_chosen_nothing(executor: str, tmp_path: Path) -> None:
    match = game(PASSED, tmp_path).start(2, seed=1, executor=executor)
    match.play("pass")
    assert match.outcome is not None
    assert len(next(heap for heap in match.view(0).zones if heap.name == "deck").things) == 0


KINDS_OF_CHOICE = """\
names p: Player; c: Card; n: 0..9
kind Card "card":
  n: 1..3
  | n    |
  | 1..3 |
the game has:
  deck: pile of Card
  noted: 0..9 = 0
each Player has:
  hand: group of Card
setup: move Card to first_player.hand
play:
  one(first_player)
  several(first_player)
  number(first_player)
  finish lost
to one(p):
  p chooses c in p.hand, or pass
  if c != none: move c to deck bottom
to several(p):
  p chooses some in up to 2 of p.hand, or pass
  move some to deck
to number(p):
  p chooses n in 3..5, or pass
  if n != none: noted = n
  else: noted = 9

scenario "nothing is chosen":
  player1: pass
  player1: pass
  player1: pass
  expect count(deck) == 0 and noted == 9

scenario "something is":
  given player1.hand = {Card(1), Card(2), Card(3)}
  player1: Card(2)
  player1: {Card(1)}
  player1: 4
  expect deck == {Card(2), Card(1)} and noted == 4
"""


def test_a_thing_a_set_and_a_number_can_each_be_passed(tmp_path: Path) -> None:
    assert_holds(KINDS_OF_CHOICE, tmp_path)


def test_what_may_have_been_passed_is_warned_of_where_it_is_used(tmp_path: Path) -> None:
    unguarded = KINDS_OF_CHOICE.replace("if n != none: noted = n\n  else: noted = 9", "noted = n")
    assert [code for code, _ in faults(unguarded, tmp_path)] == ["W0510"]
