"""Rules that would run for ever end within their budget of steps, on both executors at the same line."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from rulelang.errors import RunawayRules
from rulelang.ir.model import STEPS
from tests.written import game

LITTLE = 300_000
"""Both executors are compared with a smaller budget, for the reference takes a microsecond or two for each step."""

HEAD = """\
game sketch "Sketch":
  players 2
names p: Player
the game has:
  n: 0..9 = 0
"""
ASKS = """\
play:
  turns p from first_player:
    p chooses one of:
      go "Go": n = 1
      stay "Stay": settle
"""
PAIRS = "sum(1 for a in 1..4000, b in 1..4000 if a + b == 7)"


def chain(line: str, last: str, most: int = 40) -> str:
    return "".join(line.format(i=i, j=i + 1) for i in range(1, most)) + last.format(i=most)


STARTS = {
    "nested for": (
        "play:\n  for a in 1..4000:\n    for b in 1..4000:\n      for c in 1..4000: n = 1\n",
        "for c in 1..4000: n = 1",
    ),
    "repeat": ("play:\n  repeat while n == 0:\n    n = 0\n", "repeat while n == 0:"),
    "sum": (f"play:\n  n = min({PAIRS}, 9)\n", "n = min(sum("),
    "verbs that double": (
        chain("to v{i}():\n  v{j}()\n  v{j}()\n", "to v{i}(): n = 1\n") + "play:\n  v1()\n",
        "v3",
    ),
    "a verb that calls itself twice": (
        "to v(k: 0..99) at most 50 deep:\n  if k < 45:\n    v(k + 1)\n    v(k + 1)\nplay:\n  v(0)\n",
        "if k < 45:",
    ),
    "values that double": (
        chain("value v{i}(a: 0..9) = min(v{j}(a), v{j}(0))\n", "value v{i}(a: 0..9) = min(n + a, 9)\n")
        + "play:\n  n = v1(2)\n",
        "n = v1(2)",
    ),
    "a value that calls itself for each": (
        "value f(k: 0..99, j: 0..4095) -> 0..9, at most 90 deep = 1 if k == 0 else"
        " min(sum(f(k - 1, i) for i in 0..4095), j, 9)\nplay:\n  n = f(60, 1)\n",
        "n = f(60, 1)",
    ),
    "a large set": ("play:\n  n = min(count({(a + b) % 4096 for a in 1..4000, b in 1..4000}), 9)\n", "n = min(count("),
    "a cell": (
        f"data costs(i: 1..2):\n  cost: 0..9\n  | i | cost |\n  | 1 | min({PAIRS}, 9) |\n  | 2 | 3 |\n"
        "play:\n  n = costs(1).cost\n",
        "n = costs(1).cost",
    ),
    "set-up": (f"value big = {PAIRS}\nthe game has:\n  m: 0..9 = min(big, 9)\nplay: settle\n", "m"),
    "dice": ("die d: 1, 2\nplay:\n  for a in 1..4000:\n    n = min(roll(d, 4000), 9)\n", "n = min(roll(d, 4000), 9)"),
}


@pytest.mark.parametrize("name", STARTS)
def test_what_would_run_for_ever_ends_and_the_line_is_named(name: str, tmp_path: Path) -> None:
    rules, line = STARTS[name]
    played = game(HEAD + rules, tmp_path)
    with pytest.raises(RunawayRules, match=f"more than {STEPS:,} steps without a choice") as ended:
        played.start(2)
    assert line in str(ended.value)


@pytest.mark.parametrize("name", STARTS)
def test_both_executors_end_at_the_same_line(name: str, tmp_path: Path) -> None:
    played = game(HEAD + STARTS[name][0], tmp_path)
    little = attrs.evolve(played, ir=attrs.evolve(played.ir, steps=LITTLE))
    said = []
    for executor in ("generated", "reference"):
        with pytest.raises(RunawayRules) as ended:
            little.start(2, executor=executor)
        said.append((str(ended.value), ended.value.site))
    assert said[0] == said[1]
