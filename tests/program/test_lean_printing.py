"""What printed Python does once, or not at all, plays as the rules that are interpreted as they are written."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from rulelang import load
from rulelang.errors import RuntimeRules
from rulelang.machines.chance import Seeded
from rulelang.program.python.compiled import compile_game
from tests.views import variable

CELLS = """\
game cells "Cells":
  players 2
  seats red, blue

names p, q: Player; s, t: Space; n: 1..3

board Space: square
  map \"\"\"
    . . .
    . . .
    . . .
  \"\"\"

names d: Direction

each Space has:
  mark: Player? = none

the game has:
  some: flag = no
  full: flag = no
  owned: flag = no
  line: flag = no
  edge: flag = no
  corner: flag = no
  mine: 0..9 = 0
  free: 0..9 = 0
  next_row: 0..9? = none
  long: 0..5 = 0

value goal(p) -> 1..3 = 1 if p == red else 3
value far(s: Space?, d, k: 0..5) -> 0..5, at most DEEP deep =
  k if s == none
  far(step(s, d), d, k + 1) otherwise

action put(p, s):
  needs s.mark == none
  needs s.row != goal(p) or all(t.mark != none for t in Space if t.row != goal(p))
  s.mark = p
  some = any(t.mark == p for t in Space if t != s)
  owned = any(t.mark == p for t in Space)
  full = all(t.mark != none for t in Space)
  line = any(all(t.mark == p for t in Space if t.row == n) for n in 1..3)
  edge = any(t.mark == p for t in Space if t.row == goal(p))
  corner = any(t.mark == p for t in Space if t.row + t.column == 4 and t.row != t.column)
  mine = count(t in Space if t.mark == p)
  free = count(t in Space if t.mark == none)
  next_row = min(n for n in {1, 2, 3} if n > s.row)
  long = far(s, north, 0)

action take(p, s):
  needs s.mark != none and s.mark != p
  needs s.row in {goal(p), 2}
  s.mark = none

play:
  turns p from red: p chooses one of put, take
"""


def written(text: str, folder: Path, deep: int = 4) -> Path:
    path = folder / "cells.rules"
    path.write_text(text.replace("DEEP", str(deep)), encoding="utf-8")
    return path


def test_questions_of_all_cells_are_asked_at_once_and_come_to_the_same(tmp_path: Path) -> None:
    game = load(written(CELLS, tmp_path))
    assert " in enumerate(S[" in compile_game(game.ir, game.internals.layout).source()
    for seed in range(6):
        machines = [
            game.internals.machine(name)(Seeded(seed, game.ir, game.internals.layout))
            for name in ("reference", "generated")
        ]
        for machine in machines:
            machine.begin(2, {})
        rng = Random(seed)
        for _ in range(60):
            pending = machines[0].pending
            assert pending is not None
            offered = [list(machine.options(pending.seats[0])) for machine in machines]
            assert offered[0] == offered[1]
            answer = rng.choice(offered[0])
            for machine in machines:
                machine.answer(pending.seats[0], answer)
            size = game.internals.layout.size
            assert machines[0].row[:size] == machines[1].row[:size]


def test_a_value_that_calls_itself_last_of_all_is_a_loop_and_goes_as_deep_as_it_says(tmp_path: Path) -> None:
    game = load(written(CELLS, tmp_path, deep=3))
    text = compile_game(game.ir, game.internals.layout).source()
    name = re.search(r"def (v\d+)\(.*# value far", text)
    assert name is not None
    body = text[name.end() :].split("\ndef ")[0]
    assert "while True:" in body
    assert f"{name[1]}(" not in body
    for executor in ("reference", "generated"):
        match = game.start(seed=1, executor=executor)
        match.play("put(a3)")
        assert variable(match.state, "long").value == 3


def test_a_value_that_is_a_loop_is_too_deep_with_the_same_words(tmp_path: Path) -> None:
    game = load(written(CELLS, tmp_path, deep=2))
    said = []
    for executor in ("reference", "generated"):
        with pytest.raises(RuntimeRules) as caught:
            game.start(seed=1, executor=executor).play("put(a3)")
        said.append(str(caught.value))
    assert said[0] == said[1]
    assert "far" in said[0]
