"""Memos of machine code: a value that a score asks for again in one position is worked out once, and paid for again."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from rulelang import api
from rulelang.ir.numbers import Seat
from rulelang.machines.chance import Seeded
from rulelang.playouts.rng import RandomStream
from rulelang.program import low
from rulelang.program.llvm.frame import LEFT, STATUS
from rulelang.program.llvm.module import print_llvm
from rulelang.program.llvm.shape import Shape
from rulelang.program.python.compiled import Compiled

pytest.importorskip("llvmlite")

from rulelang.machines.native.code import Native
from rulelang.machines.native.engine import loaded
from rulelang.machines.native.machine import NativeMachine
from rulelang.machines.native.optimiser import OPTIMISED, object_code

RULES = """
game heaps "Heaps":
  players 2
  seats first, second

names p: Player; h, o: Heap
enum Heap: here, there, left, right, above

the game has:
  size(h): 0..9 = 3

action take(p, h):
  needs size(h) > 0
  size(h) -= 1

play:
  turns p from first_player:
    p chooses one of take
    if all(size(h) == 0 for h in Heap): finish with winner p

value peak(p) -> 0..99 = max(size(h) + weight(h) for h in Heap)
value weight(h) -> 0..50 = sum(size(o) for o in Heap if o != h)
value lightest(p) -> Heap? = first(h in Heap by lowest weight(h))
value score(p) -> 0..999 = 3 * peak(p) + peak(p) + (peak(p) if lightest(p) != none else 0)
"""


@pytest.fixture
def game(tmp_path: Path) -> api.Game:
    (tmp_path / "heaps.rules").write_text(RULES)
    return api.load(tmp_path / "heaps.rules")


def without_memos(program: low.Program) -> low.Program:
    return attrs.evolve(program, functions=tuple(attrs.evolve(f, memo=()) for f in program.functions))


def test_values_that_a_score_asks_for_twice_and_that_go_through_something_are_kept(game: api.Game) -> None:
    compiled = Compiled(game.ir, game.internals.layout)
    program = low.lower(game.ir, game.internals.layout, compiled.control)
    assert {f.about for f in program.functions if f.memo} == {"value peak", "value weight"}
    assert low.faults(program) == ()


@pytest.mark.long
def test_a_score_comes_to_the_same_with_memos_and_costs_as_many_steps(game: api.Game) -> None:
    compiled = Compiled(game.ir, game.internals.layout)
    program = low.lower(game.ir, game.internals.layout, compiled.control)
    codes = [
        Native(compiled, Shape.of(one), loaded(object_code(print_llvm(one).encode(), OPTIMISED)))
        for one in (program, without_memos(program))
    ]
    machines = [NativeMachine(code, Seeded(5, game.ir, game.internals.layout)) for code in codes]
    for machine in machines:
        machine.begin(2, {})
    rng, scores = RandomStream(5), set[int | None]()
    for _ in range(14):
        seat = machines[0].pending.seats[0]  # type: ignore[union-attr]
        answers = list(machines[0].options(seat))
        answer = answers[rng.randrange(len(answers))]
        found = [(machine.score(Seat(0)), machine.native.words.frame[LEFT]) for machine in machines]
        assert found[0] == found[1]
        assert [machine.native.words.frame[STATUS] for machine in machines] == [0, 0]
        assert found[0][0] == super(NativeMachine, machines[0].fork()).score(Seat(0))
        scores.add(found[0][0])
        for machine in machines:
            machine.answer(seat, answer)
    assert len(scores) > 5
