"""The passes over the low-level IR: what each of them makes of a function, and that they keep its invariants."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import attrs
import pytest

from rulelang import api
from rulelang.ir import model as ir
from rulelang.ir.numbers import Slot
from rulelang.ir.types import NONE
from rulelang.program.blocks import cut
from rulelang.program.control import control
from rulelang.program.layout import lay_out
from rulelang.program.low import Program, faults, lower
from rulelang.program.low import model as low
from rulelang.program.low.passes.budgets import paid_at_once
from rulelang.program.low.passes.columns import in_columns
from rulelang.program.low.passes.conditions import apart, threaded, with_choices
from rulelang.program.low.passes.inlining import inlined, joined
from rulelang.program.low.passes.loops.counting import by_counting, over_sets
from rulelang.program.low.passes.loops.filters import filtered
from rulelang.program.low.passes.loops.peeling import peeled
from rulelang.program.low.passes.loops.unrolling import unrolled
from rulelang.program.low.passes.playouts import for_llvm, for_python, looking_once
from rulelang.program.low.passes.ranges.facts import compared
from rulelang.program.low.passes.ranges.folding import Body, Folding, folded
from rulelang.program.low.passes.ranges.here import Here
from rulelang.program.low.passes.ranges.memory import PassMemory
from rulelang.program.low.passes.recursion import without_tail_calls
from rulelang.program.low.passes.rewriting import Pass, rewritten
from rulelang.program.low.passes.seats import by_seat
from rulelang.program.low.passes.sharing import hoisted, shared
from rulelang.program.low.passes.unused import without_overwritten, without_unused
from rulelang.program.python.compiled import compile_game
from tests.files import CLASSICS
from tests.games.written import game
from tests.generators.board_ir import board_game
from tests.generators.low_ir import NOTHING, NOUGHT, ONE, op

BOARDS = ("breakthrough", "connect_four", "nim", "othello", "pig", "tic_tac_toe")
R0, R1, R2, R3 = (low.RegisterWord(i) for i in range(4))
OFFER, TRAP, OVER = low.OfferInst((NOUGHT, R1)), low.TrapInst(), low.GameOverInst()
BOUNDS = (low.Bounds(0, 3), low.Bounds(0, 1), low.Bounds(0, 5, none=True), low.Bounds(0, 5), low.Bounds(0, 15))
TABLE = (3, 1, 2, 1)


def cell(place: int) -> low.CellWord:
    return low.CellWord(low.ConstWord(place))


def program(*body: low.Inst, parameters: int = 0, registers: int = 4) -> Program:
    """A program of one block, whose slots hold what `BOUNDS` says."""
    block = low.Function("b1", "", parameters, registers, body)
    return Program((block,), (TABLE,), 5, 0, Slot(1), ((1, "b1"),), (), 1000, bounds=BOUNDS)


def with_function(before: Program, name: str, *body: low.Inst, parameters: int = 1) -> Program:
    return attrs.evolve(before, functions=(*before.functions, low.Function(name, "", parameters, 4, body)))


def body_of(after: Program, name: str = "b1") -> tuple[low.Inst, ...]:
    assert faults(after) == ()
    return next(f.body for f in after.functions if f.name == name)


# ------------------------------------------------------------------ all passes


def program_of(game: ir.GameRules) -> Program:
    layout = lay_out(game)
    return lower(game, layout, control(game, layout, cut(game, layout.steps)))


PRINTERS = (for_python, for_llvm)
"""What makes the passes for Python, those for machine code, and those for single steps."""


@pytest.mark.long
@pytest.mark.parametrize("printer", PRINTERS)
@pytest.mark.parametrize("name", BOARDS)
def test_after_each_pass_over_a_board_game_nothing_is_found(name: str, printer: Callable[[], tuple[Pass, ...]]) -> None:
    after = looking_once(program_of(api.load(CLASSICS / f"{name}.rules").ir))
    for number, improve in enumerate(printer()):
        after = improve(after)
        assert (number, faults(after)) == (number, ())


@pytest.mark.long
@pytest.mark.parametrize("printer", PRINTERS)
def test_after_each_pass_over_a_random_game_nothing_is_found(printer: Callable[[], tuple[Pass, ...]]) -> None:
    for seed in range(12):
        after = looking_once(program_of(board_game(seed)))
        for number, improve in enumerate(printer()):
            after = improve(after)
            assert (seed, number, faults(after)) == (seed, number, ())


@pytest.mark.long
@pytest.mark.parametrize("printer", PRINTERS)
def test_what_was_found_out_before_a_pass_changes_nothing_about_what_it_makes(
    printer: Callable[[], tuple[Pass, ...]],
) -> None:
    programs = [program_of(api.load(CLASSICS / f"{name}.rules").ir) for name in ("breakthrough", "nim")]
    for before in (*programs, *(program_of(board_game(seed)) for seed in range(6))):
        after = looking_once(before)
        for number, improve in enumerate(printer()):
            fresh = printer()[number](after)
            after = improve(after)
            assert after == fresh


def test_a_function_that_a_pass_leaves_as_it_is_stays_the_same_object() -> None:
    before = looking_once(program_of(api.load(CLASSICS / "nim.rules").ir))
    for improve in (*for_python(), *for_python()):
        before = improve(before)
    again, memory = folded(before, is_listed=True), PassMemory()
    for improve in (apart, threaded, without_unused, partial(folded, memory=memory, is_listed=True)):
        after = improve(again)
        assert after == again
        assert all(one is other for one, other in zip(after.functions, again.functions, strict=True))


# ------------------------------------------------------------------ range analysis


def test_a_check_that_cannot_fail_goes_and_one_that_can_stays() -> None:
    never = low.IfInst(op("outside", cell(3), low.ConstWord(6)), (TRAP,))
    maybe = low.IfInst(op("outside", cell(3), low.ConstWord(5)), (TRAP,))
    assert body_of(folded(program(never, maybe))) == (maybe,)


def test_a_number_that_can_only_be_missing_is_asked_for_that() -> None:
    check = low.IfInst(op("outside", cell(2), low.ConstWord(6)), (TRAP,))
    assert body_of(folded(program(check))) == (low.IfInst(op("==", cell(2), NOTHING), (TRAP,)),)


def test_behind_a_check_its_condition_is_known() -> None:
    missing = low.IfInst(op("==", R0, NOTHING), (TRAP,))
    body = (low.SetInst(0, cell(2)), missing, missing, low.ReturnInst(R0))
    assert body_of(folded(program(*body))) == (low.SetInst(0, cell(2)), missing, low.ReturnInst(R0))


def test_a_slot_that_was_just_written_or_read_is_not_read_again() -> None:
    body = (low.SetInst(0, cell(3)), low.StoreInst(low.ConstWord(4), R0), low.ReturnInst(op("+", cell(3), cell(4))))
    assert body_of(folded(program(*body)))[-1] == low.ReturnInst(op("+", R0, R0))


def test_a_slot_that_may_have_been_written_is_read_again() -> None:
    body = (low.SetInst(0, cell(3)), low.StoreInst(cell(4), NOUGHT), low.ReturnInst(cell(3)))
    assert body_of(folded(attrs.evolve(program(*body), bounds=(*BOUNDS[:4], low.Bounds(2, 4)))))[-1] == body[-1]


def test_what_a_loop_changes_is_not_known_in_it() -> None:
    more = low.SetInst(0, op("+", R0, ONE))
    enough = low.IfInst(op(">", R0, low.ConstWord(5)), (low.BreakInst(),))
    body = (low.SetInst(0, NOUGHT), low.RepeatInst((enough, more)), low.ReturnInst(R0))
    assert body_of(folded(program(*body))) == body


def test_a_word_is_never_put_where_it_does_not_exist() -> None:
    # Both ways of a choice are computed, so its condition must not take the guard out of the index.
    index = low.SelectWord(op("!=", R0, NOTHING), R0, NOUGHT)
    guarded = low.SelectWord(op("!=", R0, NOTHING), low.EntryWord(0, index), NOTHING)
    body = (low.SetInst(0, cell(2)), low.ReturnInst(guarded))
    assert body_of(folded(program(*body))) == body
    lazy = body_of(folded(program(*body), is_lazy=True))
    assert lazy[-1] == low.ReturnInst(low.SelectWord(op(">=", R0, NOUGHT), low.EntryWord(0, R0), NOTHING))


@pytest.mark.parametrize(
    ("name", "a", "b", "truth"),
    [
        ("==", low.Bounds(0, 3), low.Bounds(4, 9), 0),
        ("==", low.Bounds(0, 3, none=True), low.Bounds(1, 0, none=True), None),
        ("!=", low.Bounds(0, 3), low.Bounds(1, 0, none=True), 1),
        ("<", low.Bounds(0, 3, none=True), low.Bounds(4, 4), 1),
        (">=", low.Bounds(0, 3, none=True), low.Bounds(0, 0), None),
        ("outside", low.Bounds(0, 3, none=True), low.Bounds(4, 4), None),
        ("outside", low.Bounds(-3, -1), low.Bounds(4, 4), 1),
    ],
)
def test_none_is_below_all_numbers(name: low.BinaryName, a: low.Bounds, b: low.Bounds, truth: int | None) -> None:
    assert compared(name, a, b) == truth


# ------------------------------------------------------------------ calls and blocks


def test_a_small_function_is_put_in_where_it_is_called() -> None:
    start = program(low.CallInst(0, "v0", (cell(3),)), low.ReturnInst(R0))
    early = low.IfInst(op("==", R0, NOUGHT), (low.ReturnInst(ONE),))
    after = inlined(with_function(start, "v0", early, low.ReturnInst(NOUGHT)))
    assert [f.name for f in after.functions] == ["b1"]
    choice = low.IfInst(op("==", low.RegisterWord(4), NOUGHT), (low.SetInst(0, ONE),), (low.SetInst(0, NOUGHT),))
    assert body_of(after) == (low.SetInst(4, cell(3)), choice, low.ReturnInst(R0))


def test_a_return_from_a_loop_leaves_it() -> None:
    start = program(low.CallInst(0, "v0", (cell(3),)), low.ReturnInst(R0))
    loop = low.WalkInst(1, R0, (low.IfInst(R1, (low.ReturnInst(R1),)),))
    after = inlined(with_function(start, "v0", loop, low.ReturnInst(NOUGHT)))
    inside = low.WalkInst(
        5,
        low.RegisterWord(4),
        (low.IfInst(low.RegisterWord(5), (low.SetInst(0, low.RegisterWord(5)), low.BreakInst(0))),),
    )
    assert body_of(after) == (low.SetInst(4, cell(3)), low.SetInst(0, NOUGHT), inside, low.ReturnInst(R0))


def test_a_function_that_calls_itself_stays() -> None:
    start = program(low.CallInst(0, "v0", (cell(3),)), low.ReturnInst(R0))
    again = (low.CallInst(1, "v0", (R0,)), low.ReturnInst(op("-", R1, ONE)))
    before = with_function(start, "v0", low.IfInst(R0, again, (low.ReturnInst(NOUGHT),)))
    assert inlined(before) == before


def test_a_call_whose_result_is_returned_becomes_a_loop() -> None:
    start = program(low.CallInst(0, "v0", (cell(3),)), low.ReturnInst(R0))
    again = (low.CallInst(1, "v0", (op("-", R0, ONE),)), low.ReturnInst(R1))
    before = with_function(start, "v0", low.IfInst(R0, again, (low.ReturnInst(NOUGHT),)))
    loop = low.RepeatInst((low.IfInst(R0, (low.SetInst(0, op("-", R0, ONE)),), (low.ReturnInst(NOUGHT),)),))
    assert body_of(without_tail_calls(before), "v0") == (loop,)


def test_a_block_holds_the_block_behind_it() -> None:
    before = program(low.StoreInst(low.ConstWord(3), ONE), low.ReturnInst(low.ConstWord(2)))
    before = with_function(before, "b2", low.SetInst(0, cell(3)), low.ReturnInst(low.ConstWord(-1)), parameters=0)
    after = joined(attrs.evolve(before, blocks=((1, "b1"), (2, "b2"))))
    store = low.StoreInst(low.ConstWord(3), ONE)
    assert body_of(after) == (store, low.SetInst(4, cell(3)), low.ReturnInst(low.ConstWord(-1)))


def test_blocks_that_lead_to_each_other_are_put_in_once() -> None:
    before = with_function(program(low.ReturnInst(low.ConstWord(2))), "b2", low.ReturnInst(ONE), parameters=0)
    after = joined(attrs.evolve(before, blocks=((1, "b1"), (2, "b2"))))
    assert body_of(after) == (low.ReturnInst(ONE),)


# ------------------------------------------------------------------ loops


def test_a_loop_over_a_few_bits_is_unrolled() -> None:
    found = low.IfInst(low.CellWord(R1), (low.SetInst(0, ONE), low.BreakInst()))
    loop = low.WalkInst(1, low.ConstWord(6), (found,))
    after = folded(unrolled(program(low.SetInst(0, NOUGHT), loop, low.ReturnInst(R0))))
    second = low.IfInst(cell(2), (low.SetInst(0, ONE),))
    first = low.IfInst(cell(1), (low.SetInst(0, ONE),), (low.SetInst(4, low.ConstWord(2)), second))
    assert body_of(after) == (low.SetInst(0, NOUGHT), low.SetInst(5, ONE), first, low.ReturnInst(R0))


def test_a_loop_over_many_bits_stays() -> None:
    loop = low.WalkInst(1, low.ConstWord(2**20 - 1), (low.SetInst(0, R1),))
    assert unrolled(program(loop)) == program(loop)


def counting(limit: low.Word) -> low.RepeatInst:
    """A loop that counts in r0 how often a slot can be less than it."""
    more = low.SetInst(0, op("+", R0, ONE))
    return low.RepeatInst(
        (low.IfInst(op(">", R0, limit), (TRAP,)), low.IfInst(op("<", cell(0), R0), (low.BreakInst(),)), more)
    )


def test_the_first_round_of_a_loop_with_a_limit_stands_before_it_and_is_not_checked() -> None:
    begin, loop = low.SetInst(0, ONE), counting(low.ConstWord(7))
    rest = (low.SetInst(0, low.ConstWord(2)), loop)
    after = folded(peeled(program(begin, loop, low.ReturnInst(R0))))
    assert body_of(after) == (begin, low.IfInst(op(">=", cell(0), ONE), rest), low.ReturnInst(R0))


def test_a_loop_that_begins_at_any_number_or_has_any_limit_is_not_taken_apart() -> None:
    for begin, limit in ((cell(1), low.ConstWord(7)), (NOUGHT, cell(1))):
        before = program(low.SetInst(0, begin), counting(limit), low.ReturnInst(R0))
        assert peeled(before) == before


def test_a_loop_goes_over_the_members_that_its_body_asks_for() -> None:
    asked = low.IfInst(op("&", op(">>", R0, R1), ONE), (low.StoreInst(low.ConstWord(3), R1),))
    start = low.SetInst(0, cell(4))
    after = filtered(program(start, low.WalkInst(1, low.ConstWord(7), (asked,))))
    assert body_of(after) == (start, low.WalkInst(1, op("&", low.ConstWord(7), R0), asked.then))


def test_what_is_printed_on_a_member_is_known_in_advance() -> None:
    asked = low.IfInst(op("==", low.EntryWord(0, R1), ONE), (low.StoreInst(low.ConstWord(3), R1),))
    after = filtered(program(low.WalkInst(1, low.ConstWord(15), (asked,))))
    assert body_of(after) == (low.WalkInst(1, low.ConstWord(0b1010), asked.then),)


def test_members_with_the_same_number_on_them_are_looked_up_by_that_number() -> None:
    asked = low.IfInst(op("==", low.EntryWord(0, R1), R0), (low.StoreInst(low.ConstWord(4), R1),))
    after = filtered(program(low.SetInst(0, cell(3)), low.WalkInst(1, low.ConstWord(15), (asked,))))
    assert body_of(after)[-1] == low.WalkInst(1, low.EntryWord(1, R0), asked.then)
    assert after.tables[1] == (0, 0b1010, 0b100, 0b1, 0, 0)


def test_members_of_a_set_with_the_same_number_on_them_are_part_of_that_set() -> None:
    loop = low.WalkInst(0, cell(4), (low.IfInst(op("==", low.EntryWord(0, R0), R1), (OFFER,)),))
    after = filtered(program(low.SetInst(1, cell(3)), loop))
    named = op("&", cell(4), low.EntryWord(1, R1))
    assert body_of(after)[-1] == low.WalkInst(0, named, (OFFER,))
    assert after.tables[1] == (0, 0b1010, 0b0100, 0b0001, 0, 0)


def counted(*body: low.Inst, last: int) -> tuple[low.Inst, ...]:
    """A loop that counts with register 0 from 0 on, and keeps the number in register 1."""
    ends = low.IfInst(op(">", R0, low.ConstWord(last)), (low.BreakInst(),))
    return low.SetInst(0, NOUGHT), low.RepeatInst((ends, low.SetInst(1, R0), low.SetInst(0, op("+", R0, ONE)), *body))


def test_a_loop_that_counts_through_many_goes_over_a_set_and_back() -> None:
    many = low.WalkInst(1, low.ConstWord((1 << 81) - 1), (OFFER,))
    assert body_of(over_sets(program(*counted(OFFER, last=80)))) == (many,)
    (block,) = by_counting(program(many)).functions
    begins, loop = block.body
    assert block.registers == 5
    assert begins == low.SetInst(4, NOUGHT)
    assert isinstance(loop, low.RepeatInst)
    assert loop.body[1] == low.SetInst(1, low.RegisterWord(4))
    assert not faults(by_counting(program(many)))


@pytest.mark.parametrize(
    "body",
    [
        counted(low.SetInst(2, R0), last=80),
        counted(low.SetInst(0, cell(3)), last=80),
        (*counted(OFFER, last=80), low.StoreInst(low.ConstWord(3), R0)),
        counted(OFFER, last=5_000),
    ],
)
def test_a_counter_that_is_read_or_set_elsewhere_keeps_counting(body: tuple[low.Inst, ...]) -> None:
    assert body_of(over_sets(program(*body))) == body


def test_of_many_members_those_with_the_same_number_are_looked_up_in_sets_of_several_words() -> None:
    numbers = tuple(i % 6 for i in range(81))
    asked = low.IfInst(op("==", low.EntryWord(1, R1), R2), (OFFER,))
    before = program(low.SetInst(2, cell(2)), low.WalkInst(1, low.ConstWord((1 << 81) - 1), (asked,)))
    after = filtered(attrs.evolve(before, tables=(TABLE, numbers)))
    place = low.SelectWord(op("==", R2, low.ConstWord(NONE)), low.ConstWord(6), R2)
    assert body_of(after)[-1] == low.WalkInst(1, low.EntryWord(2, place, 2), (OFFER,))
    assert after.tables[2] == (*(sum(1 << i for i in range(at, 81, 6)) for at in range(6)), 0)


def test_what_a_loop_does_not_change_is_computed_before_it() -> None:
    asked = low.IfInst(op("==", cell(3), R1), (low.OfferInst((R1,)),))
    changed = low.IfInst(op("==", cell(3), R1), (low.StoreInst(low.ConstWord(3), R1),))
    after = body_of(hoisted(program(low.WalkInst(1, low.ConstWord(7), (asked,)))))
    test = low.IfInst(op("==", low.RegisterWord(4), R1), asked.then)
    assert after == (low.SetInst(4, cell(3)), low.WalkInst(1, low.ConstWord(7), (test,)))
    stays = program(low.WalkInst(1, low.ConstWord(7), (changed,)))
    assert hoisted(stays) == stays


# ------------------------------------------------------------------ words


def test_a_word_that_is_computed_twice_is_kept_until_it_may_change() -> None:
    entry = low.EntryWord(0, R0)
    body = (low.SetInst(0, cell(0)), low.SetInst(1, entry), low.SetInst(2, op("+", entry, ONE)))
    after = body_of(shared(program(*body, low.SetInst(0, ONE), low.ReturnInst(entry))))
    kept = low.RegisterWord(4)
    assert after[1:4] == (low.SetInst(4, entry), low.SetInst(1, kept), low.SetInst(2, op("+", kept, ONE)))
    assert after[-1] == low.ReturnInst(entry)


def test_a_word_that_a_condition_guards_is_not_computed_before_it() -> None:
    entry = low.EntryWord(0, R0)
    guarded = op("&", op("!=", R0, NOTHING), op("==", entry, ONE))
    body = (low.SetInst(0, cell(2)), low.IfInst(guarded, (low.ReturnInst(entry),)))
    assert shared(program(*body)) == program(*body)


def test_a_branch_that_chooses_a_value_becomes_a_word() -> None:
    branch = low.IfInst(op("==", cell(1), NOUGHT), (low.SetInst(0, ONE),), (low.SetInst(0, NOUGHT),))
    chosen = low.SetInst(0, low.SelectWord(branch.condition, ONE, NOUGHT))
    assert body_of(with_choices(program(branch, low.ReturnInst(R0)))) == (chosen, low.ReturnInst(R0))


def test_what_is_a_flag_only_where_it_is_chosen_stays_a_choice() -> None:
    chosen = low.SelectWord(op(">", R0, ONE), ONE, R0)
    assert body_of(folded(program(low.SetInst(0, cell(3)), low.ReturnInst(chosen))))[-1] == low.ReturnInst(chosen)


def test_branches_in_branches_that_choose_a_value_become_one_word() -> None:
    def none_of(*slots: int) -> tuple[low.Inst, ...]:
        if not slots:
            return ()
        return (low.IfInst(op("==", cell(slots[0]), ONE), (low.SetInst(0, NOUGHT),), none_of(*slots[1:])),)

    after = with_choices(program(low.SetInst(0, ONE), *none_of(0, 1, 3), low.ReturnInst(R0)))
    a, b, c = (op("==", cell(slot), ONE) for slot in (0, 1, 3))
    chosen = low.SelectWord(a, NOUGHT, low.SelectWord(b, NOUGHT, low.SelectWord(c, NOUGHT, ONE)))
    assert body_of(after) == (low.SetInst(0, chosen), low.ReturnInst(R0))


def test_branches_in_branches_that_do_more_than_to_choose_a_value_stay() -> None:
    stores = low.IfInst(op("==", cell(1), ONE), (low.SetInst(0, NOUGHT), low.StoreInst(NOUGHT, ONE)))
    before = program(low.SetInst(0, ONE), low.IfInst(op("==", cell(0), ONE), (low.SetInst(0, NOUGHT),), (stores,)))
    assert with_choices(before) == before


def test_a_branch_whose_word_exists_only_there_stays_a_branch() -> None:
    then = (low.SetInst(1, low.EntryWord(0, R0)),)
    body = (
        low.SetInst(0, cell(2)),
        low.SetInst(1, NOUGHT),
        low.IfInst(op("!=", R0, NOTHING), then),
        low.ReturnInst(R1),
    )
    assert with_choices(program(*body)) == program(*body)


def test_what_hangs_on_a_register_is_done_where_it_is_set() -> None:
    looks = low.IfInst(cell(1), (low.CallInst(1, "v0", (R2,)), low.SetInst(0, op(">", R1, NOUGHT))))
    body = (low.SetInst(2, ONE), low.SetInst(0, NOUGHT), looks, low.IfInst(R0, (OVER,)))
    before = with_function(program(*body), "v0", low.ReturnInst(R0))
    inside = (low.CallInst(1, "v0", (R2,)), low.IfInst(op(">", R1, NOUGHT), (OVER,)))
    assert body_of(threaded(before)) == (low.SetInst(2, ONE), low.IfInst(cell(1), inside))


def test_the_second_part_of_a_condition_gets_a_branch_of_its_own() -> None:
    one, other = op("==", cell(1), ONE), op("==", cell(3), ONE)
    after = apart(program(low.IfInst(op("&", one, other), (OVER,))))
    assert body_of(after) == (low.IfInst(one, (low.IfInst(other, (OVER,)),)),)


def test_a_column_of_a_table_is_a_table() -> None:
    entry = low.EntryWord(0, op("+", op("*", cell(1), low.ConstWord(2)), ONE))
    after = in_columns(program(low.ReturnInst(entry)))
    assert body_of(after) == (low.ReturnInst(low.EntryWord(1, cell(1))),)
    assert after.tables[1] == (1, 1)


def test_registers_that_nobody_reads_and_branches_that_do_nothing_go() -> None:
    body = (
        low.SetInst(0, cell(1)),
        low.SetInst(1, R0),
        low.IfInst(R1, ()),
        low.SetInst(2, cell(3)),
        low.ReturnInst(R2),
    )
    assert body_of(without_unused(program(*body))) == (low.ReturnInst(cell(3)),)


# ------------------------------------------------------------------ questions and steps


def test_a_register_that_is_set_anew_on_every_way_is_not_set_before() -> None:
    ways = low.IfInst(op("==", cell(0), ONE), (low.SetInst(0, ONE),), (low.SetInst(0, cell(3)),))
    after = without_overwritten(program(low.SetInst(0, NOUGHT), ways, low.ReturnInst(R0)))
    assert body_of(after) == (ways, low.ReturnInst(R0))


def test_a_register_that_one_way_or_another_round_reads_is_set_before() -> None:
    one_way = low.IfInst(op("==", cell(0), ONE), (low.SetInst(0, ONE),))
    ends = low.IfInst(op("==", R0, ONE), (low.BreakInst(),))
    again = low.RepeatInst((ends, low.SetInst(0, cell(1))))
    walk = low.WalkInst(1, cell(4), (low.SetInst(0, R1),))
    left = low.RepeatInst((low.SetInst(0, cell(3)), low.IfInst(cell(1), (low.BreakInst(),)), low.SetInst(0, ONE), ends))
    for reader in (one_way, again, walk, left):
        kept = program(*(() if reader is left else (low.SetInst(0, NOUGHT),)), reader, low.ReturnInst(R0))
        assert body_of(without_overwritten(kept)) == body_of(kept)


def test_a_register_keeps_what_it_holds_where_a_game_that_is_looked_ahead_ends() -> None:
    call = low.CallInst(0, "f", (), goes_on=True)
    before = with_function(program(low.SetInst(0, NOUGHT), call, low.ReturnInst(R0)), "f", OVER, parameters=0)
    assert body_of(without_overwritten(before)) == body_of(before)


def test_options_that_differ_by_seat_are_listed_apart() -> None:
    listed = low.Function("o0", "", 1, 2, (low.SetInst(1, low.SelectWord(op("==", R0, NOUGHT), ONE, NOUGHT)), OFFER))
    question = low.QuestionFunctions("o0", (), 1000)
    start = program(low.ReturnInst(low.ConstWord(-1)))
    before = attrs.evolve(start, functions=(*start.functions, listed), questions=(question,))
    after = body_of(folded(by_seat(before)), "o0")
    assert [order.values for order in low.offers(after)] == [(NOUGHT, ONE), (NOUGHT, NOUGHT)]


def test_a_block_pays_for_everything_at_once() -> None:
    pays = low.PayInst(low.ConstWord(5))
    body = (pays, low.IfInst(cell(1), (pays, OVER)), low.WalkInst(0, low.ConstWord(3), (pays,)))
    total = low.PayInst(low.ConstWord(20))
    assert body_of(paid_at_once(program(*body))) == (
        total,
        low.IfInst(cell(1), (OVER,)),
        low.WalkInst(0, low.ConstWord(3), ()),
    )


def test_a_block_that_repeats_something_that_costs_pays_each_time() -> None:
    body = (low.RepeatInst((low.PayInst(ONE), low.IfInst(cell(1), (low.BreakInst(),)))),)
    assert paid_at_once(program(*body)) == program(*body)


NESTED = (
    "names p: Player\nthe game has:\n  n: 0..99 = 0\nplay:\n  first_player chooses one of:\n    stay: settle\n    go:\n"
)
NESTED += (
    "".join("  " * (3 + i) + f"repeat {2 + i % 2} times:\n" for i in range(14)) + "  " * 17 + "n += 1, at most 99\n"
)


def test_loops_within_loops_are_analysed_a_few_times_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played, taken, original = game(NESTED, tmp_path), 0, Folding.body

    def counted(self: Folding, body: Body, here: Here) -> tuple[Body, Here | None]:
        nonlocal taken
        taken += 1
        assert taken < 20_000, "the analysis goes on and on"
        return original(self, body, here)

    monkeypatch.setattr(Folding, "body", counted)
    assert rewritten(
        lower(played.ir, played.internals.layout, compile_game(played.ir, played.internals.layout).control), for_llvm()
    ).functions
    assert taken
