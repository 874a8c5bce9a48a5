"""What is read outside of a variable's keys, and steps over the edge."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.errors import RangeViolation
from rulelang.ir.types import NONE
from rulelang.source import SourceText
from rulelang.syntax.parser import parse
from rulelang.syntax.printing.printer import format_source
from tests.games.written import assert_holds, faults, game
from tests.views import variable

KEYS = """\
names p: Player
the game has:
  at(x: 1..4): 0..9 = 3
  seen: 0..9? = 0
each Player has:
  row(n: -2..2): 0..9 = 5
value there(n: 0..9) = at(n) if n in 1..4
value inside(n: 0..9) = any(at(i) == 3 for i in 0..n if i > 0 and i < 5)
play:
  first_player chooses one of:
    read(n: 0..9) "Read": seen = at(n)
    row_of(n: 0..9) "Row": seen = first_player.row(n - 4)
    ask_first(n: 0..9) "Ask first": seen = there(n)
    at_none(n: 0..9) "None": seen = at(there(n))
"""


def test_a_condition_in_front_is_the_way_to_mean_none(tmp_path: Path) -> None:
    risky = ("read(", "row_of(", "at_none(")
    kept = "".join(line for line in KEYS.splitlines(keepends=True) if not line.strip().startswith(risky))
    assert_holds(
        kept
        + """
scenario "inside":
  expect there(4) == 3 and there(7) == none and there(0) == none and inside(9)
  player1: ask_first(7)
  expect seen == none

scenario "at none is none":
  expect at(there(8)) == none
""",
        tmp_path,
    )


@pytest.mark.parametrize("executor", ["reference", "generated"])
@pytest.mark.parametrize(
    ("answer", "words"), [("read(0)", "`at` has no 0"), ("read(7)", "`at` has no 7"), ("row_of(1)", "`row` has no -3")]
)
def test_reading_outside_of_the_keys_stops_the_game(answer: str, words: str, executor: str, tmp_path: Path) -> None:
    match = game(KEYS, tmp_path).start(2, seed=1, executor=executor)
    with pytest.raises(RangeViolation, match=words) as stopped:
        match.play(answer)
    assert stopped.value.site


@pytest.mark.parametrize("executor", ["reference", "generated"])
def test_what_lies_within_the_keys_is_read(executor: str, tmp_path: Path) -> None:
    for answer, seen in (("read(4)", 3), ("row_of(2)", 5), ("ask_first(3)", 3)):
        match = game(KEYS, tmp_path).start(2, seed=1, executor=executor)
        match.play(answer)
        assert variable(match.view(0), "seen").value == seen


@pytest.mark.parametrize("read", ["at(7)", "at(0)", "at(2 + 3)", "first_player.row(3)", "at(5 + n)"])
def test_a_key_that_is_certainly_outside_is_an_error(read: str, tmp_path: Path) -> None:
    text = f"{KEYS}value odd(n: 0..9) = {read}\n"
    assert [code for code, _ in faults(text, tmp_path)] == ["E0316"]


ZONES = """\
names p: Player; c: Card
kind Card "card":
  n: 1..6
  | n    |
  | 1..6 |
the game has:
  shelf(x: 1..4): group of Card
  stack(x: 1..4): pile of Card
  spot(x: 1..4): slot for Card
  seen: 0..9? = 0
each Player has:
  box_of(x: 0..2): group of Card
data price(n: 1..4, dear: flag):
  gold: 0..9 = 0
  | n      | dear | gold |
  | {1, 2} |      | 3    |
  | 4      | yes  | 5    |
data worth(n: 1..4):
  gold: 0..99 = 0
  | n | gold      |
  | 1 | 3         |
  | 2 | 3 + n     |
setup:
  move Card(1) to shelf(2)
play:
  first_player chooses one of:
    count_at(n: 0..9) "Count": seen = count(shelf(n))
    holds(n: 0..9) "Holds":
      if Card(1) in shelf(n): seen = 7
    top_of(n: 0..9) "Top": seen = top(stack(n)).n
    lying(n: 0..9) "Lies": seen = spot(n).n
    walk(n: 0..9) "Walk":
      for c in shelf(n): seen = c.n
    own(n: 0..9) "Own": seen = count(first_player.box_of(n))
    cost(n: 0..9) "Cost": seen = price(n, yes).gold
    value_of(n: 0..9) "Worth": seen = worth(n).gold
    is_there(n: 0..9) "There":
      if price(n, yes) != none: seen = price(n, yes).gold
"""


@pytest.mark.parametrize("executor", ["reference", "generated"])
@pytest.mark.parametrize("action", ["count_at", "holds", "top_of", "lying", "walk", "own", "cost", "value_of"])
def test_reading_a_zone_or_a_table_outside_of_its_keys_stops_the_game(
    action: str, executor: str, tmp_path: Path
) -> None:
    match = game(ZONES, tmp_path).start(2, seed=1, executor=executor)
    with pytest.raises(RangeViolation, match=r"has no 7: it is for \d\.\.\d") as stopped:
        match.play(f"{action}(7)")
    assert stopped.value.site


@pytest.mark.parametrize("executor", ["reference", "generated"])
def test_zones_and_tables_are_read_within_their_keys(executor: str, tmp_path: Path) -> None:
    seen = {
        "count_at(2)": 1,
        "holds(2)": 7,
        "walk(2)": 1,
        "cost(4)": 5,
        "cost(3)": NONE,
        "value_of(2)": 5,
        "is_there(9)": 0,
    }
    for answer, value in seen.items():
        match = game(ZONES, tmp_path).start(2, seed=1, executor=executor)
        match.play(answer)
        assert variable(match.view(0), "seen").value == value, answer


@pytest.mark.parametrize(
    "read",
    [
        "count(shelf(7))",
        "top(stack(0))",
        "spot(5) == none",
        "count(first_player.box_of(3))",
        "price(5, no).gold",
        "price(0, no) == none",
    ],
)
def test_a_key_of_a_zone_or_a_table_that_is_certainly_outside_is_an_error(read: str, tmp_path: Path) -> None:
    text = f"{ZONES}value odd = {read}\n"
    assert [code for code, _ in faults(text, tmp_path)] == ["E0316"]


STEPS = """\
names s: Lane
board Lane: {shape}
  map \"\"\"
    . . .
  \"\"\"
the game has:
  at: Lane = a1
  maybe: Lane? = a1
to go():
  {line}
"""


@pytest.mark.parametrize(
    ("shape", "line", "codes"),
    [
        ("track", "at = step(at, forward)", ["W0510"]),
        ("ring", "at = step(at, forward)", []),
        ("track", "maybe = step(at, forward)", []),
        ("track", "if step(at, forward) != none: at = step(at, forward)", []),
        ("track", "if step(at, forward) in {b1, c1}: at = step(at, forward)", []),
        ("ring", "at = step(maybe, forward)", ["W0510"]),
        ("ring", "if maybe != none: at = step(maybe, forward)", []),
    ],
)
def test_a_step_over_the_edge_is_warned_of(shape: str, line: str, codes: list[str], tmp_path: Path) -> None:
    assert [code for code, _ in faults(STEPS.format(shape=shape, line=line), tmp_path)] == codes


def test_a_value_with_a_lone_condition_is_printed_as_a_block() -> None:
    text = "value there(n) = at(n) if n in 1..4\n"
    once = format_source(SourceText("x.rules", text))
    assert once == "value there(n) =\n  at(n) if n in 1..4\n"
    assert parse(SourceText("x", once)).module == parse(SourceText("x", text)).module
