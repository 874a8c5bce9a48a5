"""Passes over loops that fill sets: what is there already, what is sifted first, and what is filled word by word."""

from __future__ import annotations

import attrs
import pytest

from rulelang.program.low import Program, faults
from rulelang.program.low import model as low
from rulelang.program.low.passes.loops.counting import by_words
from rulelang.program.low.passes.loops.filters import filtered
from rulelang.program.low.passes.loops.numbering import numbered
from rulelang.program.low.passes.loops.sifting import sifted
from tests.generators.low_ir import NOUGHT, ONE, op
from tests.program.test_passes import body_of, cell, program, with_function

R0, R1, R2, R3 = (low.RegisterWord(i) for i in range(4))
ALL = low.ConstWord((1 << 12) - 1)
OFFER = low.OfferInst((NOUGHT, R1))


def fill(into: int, member: int, value: low.Word = NOUGHT) -> tuple[low.Inst, ...]:
    """Fills a register with the members whose slot has a value."""
    x = low.RegisterWord(member)
    added = low.SetInst(into, op("|", low.RegisterWord(into), op("<<", ONE, x)))
    asked = low.IfInst(op("==", low.CellWord(op("&", x, low.ConstWord(3))), value), (added,))
    return low.SetInst(into, NOUGHT), low.WalkInst(member, ALL, (asked,))


def kept(register: int, slot: int) -> low.Inst:
    return low.StoreInst(low.ConstWord(slot), low.RegisterWord(register))


def test_a_set_that_is_there_is_not_filled_again() -> None:
    again = (*fill(0, 1), *fill(2, 3), kept(0, 3), kept(2, 4))
    start, _ = fill(2, 3)
    assert body_of(numbered(program(*again))) == (*fill(0, 1), start, low.SetInst(2, R0), kept(0, 3), kept(2, 4))


@pytest.mark.parametrize(
    "between",
    [
        kept(0, 3),  # the row may hold something else
        low.SetInst(0, ONE),  # the set is gone
        low.IfInst(cell(4), (kept(0, 3),)),
        low.WalkInst(3, ALL, (low.SetInst(0, R3),)),
    ],
)
def test_a_set_that_may_have_changed_is_filled_again(between: low.Inst) -> None:
    again = (*fill(0, 1), between, *fill(2, 3), kept(0, 3), kept(2, 4))
    assert body_of(numbered(program(*again))) == again


GIVES = low.GiveInst((NOUGHT, ONE))


@pytest.mark.parametrize("gives", [GIVES, low.CallInst(None, "h1", ())])
def test_a_set_that_follows_from_another_answer_is_filled_again(gives: low.Inst) -> None:
    again = (*fill(0, 1, low.GivenWord(1)), gives, *fill(2, 3, low.GivenWord(1)), kept(0, 3), kept(2, 4))
    before = with_function(program(*again), "h1", GIVES, parameters=0)
    assert body_of(numbered(before)) == again


def test_a_set_that_is_written_on_a_way_that_ends_is_still_there() -> None:
    ends = low.IfInst(cell(4), (kept(0, 3), low.GameOverInst()))
    again = (*fill(0, 1), ends, *fill(2, 3), kept(2, 4), kept(0, 4))
    start, _ = fill(2, 3)
    assert body_of(numbered(program(*again))) == (*fill(0, 1), ends, start, low.SetInst(2, R0), kept(2, 4), kept(0, 4))


def test_a_loop_that_leaves_something_to_its_next_round_is_not_left_out() -> None:
    grows = low.WalkInst(1, ALL, (low.SetInst(0, op("+", R0, ONE)),))
    twice = (low.SetInst(0, cell(3)), grows, grows, kept(0, 4))
    assert body_of(numbered(program(*twice))) == twice


def test_members_are_sifted_before_anything_is_done_for_them() -> None:
    condition = op("==", low.CellWord(op("&", R1, low.ConstWord(3))), NOUGHT)
    after = sifted(program(low.WalkInst(1, ALL, (low.IfInst(condition, (OFFER,)),))))
    start, loop = fill(4, 1)
    assert body_of(after) == (start, loop, low.WalkInst(1, low.RegisterWord(4), (OFFER,)))


@pytest.mark.parametrize(
    "done",
    [
        (low.StoreInst(R1, ONE), OFFER),  # the next condition may read it
        (OFFER, low.BreakInst()),
        (low.SetInst(2, R1),),
        (low.PayInst(ONE), OFFER),
    ],
)
def test_members_whose_conditions_what_is_done_may_change_are_not_sifted(done: tuple[low.Inst, ...]) -> None:
    body = (low.WalkInst(1, ALL, (low.IfInst(low.CellWord(op("&", R1, low.ConstWord(3))), done),)),)
    assert body_of(sifted(program(*body))) == body


def test_the_members_of_a_set_of_several_words_are_not_sifted_into_one() -> None:
    condition = op("==", low.CellWord(op("&", R1, low.ConstWord(3))), NOUGHT)
    body = (low.WalkInst(1, low.ConstWord((1 << 81) - 1), (low.IfInst(condition, (OFFER,)),)),)
    assert body_of(sifted(program(*body))) == body


def test_a_loop_that_adds_every_member_is_a_union() -> None:
    loop = low.WalkInst(1, cell(4), (low.SetInst(0, op("|", R0, op("<<", ONE, R1))),))
    after = filtered(program(low.SetInst(0, cell(3)), loop, kept(0, 4)))
    assert body_of(after)[1] == low.SetInst(0, op("|", R0, cell(4)))


def test_a_set_of_several_words_is_filled_word_by_word() -> None:
    added = low.SetInst(0, op("|", R0, low.BitWord(R1, 2)))
    asked = low.IfInst(op("==", low.EntryWord(0, op("&", R1, low.ConstWord(3))), ONE), (added,))
    loop = low.WalkInst(1, low.ConstWord((1 << 81) - 1), (asked,))
    block = low.Function("b1", "", 0, 4, (low.SetInst(0, NOUGHT), loop), widths=(2, 1, 1, 1))
    after = by_words(Program((block,), ((3, 1, 2, 1),), 5, 0, program().seat, ((1, "b1"),), (), 1000))
    (found,) = after.functions
    masks = [order.mask for order in found.orders if isinstance(order, low.WalkInst)]
    assert masks == [low.ConstWord((1 << 64) - 1), low.ConstWord((1 << 17) - 1)]
    assert found.widths == (2, 1, 1, 1, 1, 1, 2, 1, 1, 2)
    assert faults(attrs.evolve(after, functions=(found,))) == ()
