"""Values that call themselves, or each other, as deep as they say: the same on every executor, however deep."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import attrs
import pytest

from rulelang.api import Game
from rulelang.errors import RunawayRules
from rulelang.ir.model import STEPS, CallValue, Const
from rulelang.machines.meter import Account
from rulelang.machines.walk import evaluate
from rulelang.program.layout import lay_out
from tests.games.written import faults, game
from tests.seeds import rest_long
from tests.views import variable

ASKED = """\
names p: Player
the game has:
  found: 0..999999999 = 0
play:
  turns p from first_player:
    p chooses one of:
      look(n: 0..4095) "Look at {n}": found = v(n)
      rest "Rest": settle
"""
MUTUAL = """\
value v(n: 0..4095) -> 0..4095, at most 5 deep = w(n - 1) + 1 if n > 0 else 0
value w(n: 0..4095) -> 0..4095, at most 9 deep = v(n - 1) + 1 if n > 0 else 0
"""
NAMED = """\
value v(n: 0..4095) -> 0..4095, at most 5 deep =
  let rest = v(n - 1) + sum(i for i in 1..n) * 0 + max(n, 3) * 0 if n > 0 else 0
  rest + rest - rest + 1 if n > 0
  0 otherwise
"""
BY_TABLE = """\
value v(n: 0..4095) -> 0..4095, at most 5 deep = row(n).worth if n > 0 else 0
data row(n: 0..4095):
  worth: 0..4095
  | n       | worth            |
  | 1..4095 | v(max(n, 1) - 1) + 1 |
"""
DEEPEST = "value v(n: 0..4095) -> 0..4095, at most 4096 deep = "
LARGE = """\
board Space: square
  map \"\"\"
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
  \"\"\"
names s, t, u: Space
value v(n: 0..4095) -> 0..4095, at most 4096 deep = count(w(n, {a1, b2}))
value w(n: 0..4095, seen: set of Space) -> set of Space, at most 4096 deep =
  seen if n == 0
  w(n - 1, seen) + {t in Space if count(u in neighbours(t) if u in seen) > 3} if n > 150
  w(n - 1, {t in Space if t in seen or any(u in neighbours(t) if u == j7)}) otherwise
"""


Look: TypeAlias = Callable[..., int | str]


@pytest.fixture(params=rest_long(["reference", "generated", "native"], "generated"))
def look(request: pytest.FixtureRequest, tmp_path: Path) -> Look:
    """What a value comes to on an executor, or the words of the fault."""
    if request.param == "native":
        pytest.importorskip("llvmlite")

    def look(rules: str, n: int, steps: int = STEPS) -> int | str:
        played = game(ASKED + rules, tmp_path)
        short = attrs.evolve(played.internals, ir=attrs.evolve(played.ir, steps=steps))
        match = Game(short).start(2, seed=1, executor=request.param)
        try:
            match.play(f"look({n})")
        except RunawayRules as stopped:
            return str(stopped)
        return variable(match.view(None), "found").value  # type: ignore[return-value]

    return look


@pytest.mark.parametrize(("rules", "most"), [(MUTUAL, 11), (NAMED, 5), (BY_TABLE, 5)])
def test_calls_of_a_value_count_whatever_comes_between(rules: str, most: int, look: Look) -> None:
    assert look(rules, most) == most
    assert "`v` calls itself more than 5 deep" in str(look(rules, most + 1))


@pytest.mark.parametrize(
    "body",
    [
        "v(n - 1) + 1 if n > 0 else 0",
        "sum(v(n - i) for i in {1}) + 1 if n > 0 else 0",
        "max(0, min(4095, 1 + (v(n - 1) if n > 1 or n == 1 else 0))) if n > 0 else 0",
    ],
)
def test_a_value_goes_as_deep_as_the_largest_board_is_large(body: str, look: Look) -> None:
    assert look(f"{DEEPEST}{body}\n", 4095) == 4095


def test_a_large_value_goes_as_deep(look: Look) -> None:
    assert look(LARGE, 300) == 4


def test_values_that_call_each_other_go_as_deep(look: Look) -> None:
    rules = MUTUAL.replace("at most 5", "at most 4096").replace("at most 9", "at most 4096")
    assert look(rules, 4095) == 4095


def test_what_was_found_before_costs_as_much_again(look: Look) -> None:
    rules = "value v(n: 0..4095) -> 0..999999999, at most 50 deep = v(n - 1) + v(n - 2) if n > 1 else n\n"
    assert look(rules, 10, steps=20_000) == 55
    assert "more than 20,000 steps without a choice" in str(look(rules, 25, steps=20_000))


def test_a_deep_value_costs_the_same_wherever_it_is_asked_for(tmp_path: Path) -> None:
    rules = game(f"{ASKED}{DEEPEST}v(n - 1) + 1 if n > 0 else 0\n", tmp_path).ir
    layout = lay_out(rules)

    def spent(frames: int) -> int:
        if frames:
            return spent(frames - 1)
        meter = Account(layout.steps)
        evaluate(CallValue(0, (Const(300),)), [0] * layout.size, {}, rules, layout, meter=meter)
        return meter.spent

    assert spent(0) == spent(300) == spent(600)


@pytest.mark.parametrize("deep", ["4097", "-1", "2000000000"])
def test_how_deep_a_value_goes_is_bounded(deep: str, tmp_path: Path) -> None:
    said = faults(f"value v(n: 0..9) -> 0..9, at most {deep} deep = v(n - 1) if n > 0 else 0\n", tmp_path)
    assert said == [("E0406", "a value calls itself up to 4096 deep")]
