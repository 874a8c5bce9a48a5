"""Numbers below zero in sets, names in a value's cases, conditions between generators, lines that go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.errors import RangeViolation
from rulelang.source import SourceText
from rulelang.syntax.parser import parse
from rulelang.syntax.printing.printer import format_source
from tests.games.written import assert_holds, faults, game
from tests.views import variable

BELOW = """\
names p: Player
the game has:
  total: -99..99 = 0
  seen: set of -3..3 = {-1, 2}
  plain: set of 0..9 = {1}
  last: -9..9? = none
value around(n: -5..5) -> set of -9..9 = n - 1..n + 1
value inferred(n: 0..2) =
  {1, 2} if n == 0
  {-1, 0} if n == 1
  {} otherwise
value both = {i * 10 + j for i in -1..1, j in -1..1 if i != 0 or j != 0}
setup:
  for j in -1..1: total += j * 3 + 1
  for j in -2..2 by highest j if j != 0: last = j
  simultaneously for j in -1..1: total += 1
  seen += {-3}
play:
  first_player chooses one of:
    go "Go": settle
    add(n: 0..3) "Add {n}": seen = {n - 2}
"""


def test_sets_hold_numbers_below_zero(tmp_path: Path) -> None:
    assert_holds(
        BELOW
        + """
scenario "below zero":
  expect total == 6 and last == -2 and -3 in seen and seen == {-3, -1, 2} and 2 in seen and 3 not in seen
  expect around(0) == {-1, 0, 1} and around(-5) == -6..-4 and count(around(3)) == 3
  expect inferred(0) == {1, 2} and inferred(1) == {-1, 0} and inferred(2) == {}
  expect both == {-11, -10, -9, -1, 1, 9, 10, 11} and min(both) == -11 and max(both) == 11
  expect sum(j for j in -2..3) == 3 and sum(-2..3) == 3
  expect first(j in -3..3 by highest j * j if j > -3) == 3 and best(j in -3..3 by highest j * j) == {-3, 3}
  expect plain + {-1} == {-1, 1} and plain - {-1} == plain and {-1, 1} - plain == {-1}
  expect any(j == -3 for j in -3..-2) and not all(j < 0 for j in -3..0) and first(-2..2) == -2
  expect first(j in -3..3 if j > 5) == none and (last in {-2} or last in 0..3)
  player1: add(0)
  expect seen == {-2}

scenario "a set with numbers below zero is given":
  given seen = {-3, 0}
  expect seen == {-3, 0} and count(seen) == 2
""",
        tmp_path,
    )


def test_sets_with_numbers_below_zero_are_shown_as_they_are(tmp_path: Path) -> None:
    played = game(BELOW, tmp_path)
    for executor in ("reference", "generated"):
        match = played.start(2, seed=1, executor=executor)
        assert variable(match.view(0), "seen").text == "{-3, -1, 2}"


@pytest.mark.parametrize("executor", ["reference", "generated"])
def test_a_set_without_numbers_below_zero_does_not_take_them(executor: str, tmp_path: Path) -> None:
    text = "the game has:\n  low: -3..3 = -2\n  plain: set of 0..9 = {}\nplay:\n  plain = {low, 3}\n"
    with pytest.raises(RangeViolation):
        game(text, tmp_path).start(2, seed=1, executor=executor)


@pytest.mark.parametrize("line", ["first_player chooses n in -2..2", "first_player chooses some in up to 2 of -2..2"])
def test_numbers_below_zero_are_not_chosen_and_the_message_says_what_is(line: str, tmp_path: Path) -> None:
    from rulelang import api

    entry = tmp_path / "sketch.rules"
    entry.write_text(f'game sketch "Sketch":\n  players 2\nplay:\n  {line}\n')
    (fault,) = (d for d in api.check(entry).diagnostics if d.is_error)
    assert fault.code == "E0310"
    assert fault.help == "go over 0..4 and take 2 off: `n in 0..4`, then `n - 2`"
    assert [c for c, _ in faults('action go(p: Player, n: -1..1) "Go": settle\n', tmp_path)] == ["E0310"]


# ------------------------------------------------------------------ let in a value's cases


def test_a_values_cases_read_what_is_named_above_them(tmp_path: Path) -> None:
    assert_holds(
        """\
names p, q: Player
enum Power: nitro, brake
each Player has:
  fuel: 0..30 = 12
  at: 0..9 = 3
value worth(p) -> 0..99 =
  let behind = count(q in players if q.at <= p.at and q != p)
  let half = p.fuel / 2 rounded down, at most 5
  half * 2 if behind == 0
  half + behind otherwise
value push(nitro, n: 0..9) =
  let more = n + 1
  more * 2
value push(brake, n: 0..9) =
  let more = n - 1, at least 0
  more if more > 2
  0 otherwise
value digits(n: 0..99) -> 0..99, at most 3 deep =
  let rest = n / 10 rounded down
  let below = digits(rest)
  n if n < 10
  below + n % 10 otherwise
value shown(p) =
  let there = {q in players if q.at == p.at}
  let others = there - {p}
  others
adjust worth(p): +1 if p.at == 9

scenario "names":
  given player1.at = 4, player2.fuel = 7
  expect worth(player1) == 5 + 1 and worth(player2) == 6
  expect push(nitro, 4) == 10 and push(brake, 2) == 0 and push(brake, 5) == 4
  expect digits(9) == 9 and digits(57) == 12 and shown(player1) == {}
""",
        tmp_path,
    )


def test_a_let_of_a_value_follows_the_rules_of_names(tmp_path: Path) -> None:
    def codes(*lines: str) -> list[str]:
        return [code for code, _ in faults("value v(n: 0..9) =\n" + "".join(f"  {x}\n" for x in lines), tmp_path)]

    assert codes("let m = n + 1", "m") == []
    assert codes("let n = 3", "n") == ["E0202"]
    assert codes("let m = 3", "let m = 4", "m") == ["E0202"]
    assert codes("3 if n > 2", "let m = n", "4") == ["E0124"]
    assert codes("let m = 3") == ["E0124"]
    assert codes("let players = 3", "4") == ["E0203"]


# ------------------------------------------------------------------ conditions between generators


def test_a_condition_may_stand_behind_any_generator(tmp_path: Path) -> None:
    assert_holds(
        """\
names p: Player; c: Card; s: Space
board Space: square
  map \"\"\"
    . . .
  \"\"\"
kind Card "card":
  n: 1..4
  | n    |
  | 1..4 |
each Space has:
  card: slot for Card
the game has:
  stack: pile of Card
  hits(n: 1..3): 0..9 = 0
value skew = {i * 10 + j for i in 1..3 if i != 2, j in i..4 if j != 3}
value near = {n for c in Card if place(c) != none, n in neighbours(place(c))}
value ordered = count(1 for c in stack if c.n > 1, d in stack if d.n > c.n, e in 1..2 if e < d.n)
setup:
  move Card to stack
  move {c in Card if c.n == 2} to b1.card
whenever hits(j) < 3 for i in 1..2 if i == 2, j in 1..3 if j > i as bump: hits(j) += 1

scenario "in between":
  expect skew == {11, 12, 14, 34} and near == {a1, c1}
  expect ordered == 2 and hits(3) == 3 and hits(2) == 0
""",
        tmp_path,
    )


def test_a_generator_is_only_gone_over_where_the_condition_before_it_holds(tmp_path: Path) -> None:
    # Without the condition, 12 / 0 stops the game.
    assert_holds(
        """\
the game has:
  low: 0..3 = 0
value parts = {n + d for d in low..3 if d > 0, n in 0..12 / d rounded down if n > 3}
scenario "nothing is divided by 0":
  expect parts == 5..13
""",
        tmp_path,
    )


# ------------------------------------------------------------------ lines that go on

GOES_ON = """\
game sketch "Sketch":
  players 2

enum Lane: left,
  middle,
  right
names p, q: Player
each Player has:
  fuel: 0..30 = 12
  lane: Lane = left
value fine(p) -> flag = p.fuel > 3 and
  p.lane != middle or # a remark
  not
    p.fuel ==
      2
value more(p) = p.fuel *
  2 +
  3 -
  1
to use(p, n: 0..9): p.fuel -=
  n
play:
  first_player chooses one of:
    go "Go":
      needs first_player.fuel > 2 and
        first_player.lane in
          {left,
           right}
      use(first_player,
        3)
    stay "Stay": settle

scenario "it goes on":
  expect fine(player1) and
    more(player1) == 26
  player1: go
  expect player1.fuel == 9,
"""


def test_a_line_that_ends_in_an_operator_or_a_comma_goes_on(tmp_path: Path) -> None:
    assert_holds(GOES_ON.removesuffix(",\n") + "\n", tmp_path)


def test_what_goes_on_is_formatted_once_and_for_all() -> None:
    text = GOES_ON.removesuffix(",\n") + "\n"
    before = parse(SourceText("before", text))
    once = format_source(SourceText("sketch.rules", text))
    assert before.diagnostics == ()
    assert parse(SourceText("after", once)).module == before.module
    assert format_source(SourceText("sketch.rules", once)) == once
    assert "# a remark" in once


@pytest.mark.parametrize("end", ["and", "+", "==", ",", "not", "in"])
def test_a_line_that_ends_so_and_is_not_followed_further_in_is_refused(end: str) -> None:
    text = f"value some = 3 {end}\nvalue other = 4\n"
    codes = [(d.code, d.span.source.position(d.span.start)[0]) for d in parse(SourceText("x", text)).diagnostics]
    assert codes[0][0].startswith("E01")
    assert codes[0][1] == 1
