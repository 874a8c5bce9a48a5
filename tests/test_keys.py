"""What is read outside of a variable's keys, and steps over the edge."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.errors import RangeViolation
from rulelang.source import Source
from rulelang.syntax.parser import parse
from rulelang.syntax.printing.printer import format_source
from tests.written import assert_holds, faults, game

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
    assert_holds(
        KEYS
        + """
scenario "inside":
  expect there(4) == 3 and there(7) == none and there(0) == none and inside(9)
  player1: ask_first(7)
  expect seen == none

scenario "at none is none":
  player1: at_none(8)
  expect seen == none
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
        assert match.view(0)["seen"].value == seen


@pytest.mark.parametrize("read", ["at(7)", "at(0)", "at(2 + 3)", "first_player.row(3)", "at(5 + n)"])
def test_a_key_that_is_certainly_outside_is_an_error(read: str, tmp_path: Path) -> None:
    text = f"{KEYS}value odd(n: 0..9) = {read}\n"
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
    ],
)
def test_a_step_over_the_edge_is_warned_of(shape: str, line: str, codes: list[str], tmp_path: Path) -> None:
    assert [code for code, _ in faults(STEPS.format(shape=shape, line=line), tmp_path)] == codes


def test_a_value_with_a_lone_condition_is_printed_as_a_block() -> None:
    text = "value there(n) = at(n) if n in 1..4\n"
    once = format_source(Source("x.rules", text))
    assert once == "value there(n) =\n  at(n) if n in 1..4\n"
    assert parse(Source("x", once)).module == parse(Source("x", text)).module
