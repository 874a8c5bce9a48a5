"""The pass that makes loops of values that count by calling themselves."""

from __future__ import annotations

import attrs
import pytest

from rulelang import api
from rulelang.ir.numbers import Slot
from rulelang.program.blocks import cut
from rulelang.program.control import control
from rulelang.program.layout import lay_out
from rulelang.program.low import Program, faults, lower
from rulelang.program.low import model as low
from rulelang.program.low.passes.recursion import with_loops
from tests.files import CLASSICS


def program(*body: low.Inst) -> Program:
    function = low.Function("v0", "", 2, 5, body)
    return Program((function,), ((1, 2, 3),), 4, 0, Slot(1), (), (), 8)


R0, R1, R2 = (low.RegisterWord(i) for i in range(3))
AGAIN = low.CallInst(2, "v0", (R0, low.BinaryWord("+", R1, low.ConstWord(1))))
FIRST = (low.ReturnInst(low.ConstWord(0)),)
ENOUGH = low.BinaryWord("==", low.CellWord(R1), R0)
RETURN = low.ReturnInst(low.RegisterWord(3))


def plus(more: int) -> low.SetInst:
    return low.SetInst(3, low.BinaryWord("+", low.ConstWord(more), R2))


def calls_itself(function: low.Function) -> bool:
    return any(isinstance(o, low.CallInst) and o.function == function.name for o in low.orders(function.body))


def test_the_discs_in_a_row_are_counted_by_a_loop() -> None:
    game = api.load(CLASSICS / "connect_four.rules").ir
    layout = lay_out(game)
    found = lower(game, layout, control(game, layout, cut(game, layout.steps)))
    assert not any(map(calls_itself, found.functions))
    assert any(isinstance(order, low.RepeatInst) for f in found.functions for order in low.orders(f.body))
    assert faults(found) == ()


def test_what_is_added_on_each_way_round_is_looked_at_once_at_the_end() -> None:
    too_many = low.IfInst(low.BinaryWord("outside", low.RegisterWord(3), low.ConstWord(7)), (low.TrapInst(),))
    before = program(low.IfInst(ENOUGH, FIRST, (AGAIN, plus(1), too_many, RETURN)))
    (after,) = with_loops(before).functions
    assert not calls_itself(after)
    assert low.orders(after.body).count(too_many) == 1
    assert faults(attrs.evolve(before, functions=(after,))) == ()


def test_a_result_that_is_looked_at_behind_both_ways_is_counted_too() -> None:
    too_many = low.IfInst(low.BinaryWord("outside", low.RegisterWord(3), low.ConstWord(7)), (low.TrapInst(),))
    found, never = (low.SetInst(3, low.ConstWord(number)) for number in (0, 7))
    before = program(low.IfInst(ENOUGH, (found,), (AGAIN, plus(1))), too_many, RETURN)
    (after,) = with_loops(before).functions
    assert not calls_itself(after)
    assert low.orders(after.body).count(too_many) == 1
    assert faults(attrs.evolve(before, functions=(after,))) == ()
    trapping = program(low.IfInst(ENOUGH, (never,), (AGAIN, plus(1))), too_many, RETURN)
    assert with_loops(trapping) == trapping


@pytest.mark.parametrize(
    "otherwise",
    [
        (AGAIN, plus(-1), RETURN),
        (AGAIN, AGAIN, plus(1), RETURN),
        (AGAIN, low.StoreInst(low.ConstWord(2), R2), plus(1), RETURN),
        (AGAIN, low.SetInst(3, low.BinaryWord("-", R0, R2)), RETURN),
        (AGAIN, plus(1), low.IfInst(low.BinaryWord(">", low.RegisterWord(3), R1), (low.TrapInst(),)), RETURN),
    ],
)
def test_other_functions_that_call_themselves_stay_as_they_are(otherwise: tuple[low.Inst, ...]) -> None:
    before = program(low.IfInst(ENOUGH, FIRST, otherwise))
    assert with_loops(before) == before
