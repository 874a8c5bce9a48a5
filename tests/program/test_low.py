"""The low-level IR: what always holds of it, and what a checker finds in one that is broken."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from rulelang import api
from rulelang.ir import model as ir
from rulelang.ir.numbers import Slot
from rulelang.program.blocks import cut
from rulelang.program.control import control
from rulelang.program.layout import lay_out
from rulelang.program.low import Program, Unsupported, faults, lower, print_program
from rulelang.program.low import model as low
from tests.files import CLASSICS, TESTS
from tests.generators.board_ir import board_game, game_in_turns
from tests.generators.ir import random_game

BOARDS = ("breakthrough", "connect_four", "nim", "othello", "pig", "tic_tac_toe")


def lowered(game: ir.GameRules) -> Program:
    layout = lay_out(game)
    return lower(game, layout, control(game, layout, cut(game, layout.steps)))


def program(*body: low.Inst, parameters: int = 1, registers: int = 3) -> Program:
    function = low.Function("v0", "", parameters, registers, body)
    return Program((function,), ((1, 2, 3),), 4, 0, Slot(1), (), (), 8)


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_game_is_lowered_without_a_fault_and_alike_each_time(name: str) -> None:
    game = api.load(CLASSICS / f"{name}.rules").ir
    assert faults(lowered(game)) == ()
    assert print_program(lowered(game)) == print_program(lowered(game))


def test_chess_is_lowered_without_a_fault() -> None:
    assert faults(lowered(api.load(TESTS / "perft" / "chess.rules").ir)) == ()


@pytest.mark.long
def test_random_games_are_lowered_without_a_fault_or_refused_in_words() -> None:
    found = [said(board_game(seed)) for seed in range(60)]
    assert all(one == () for one in found if isinstance(one, tuple))
    assert found.count(()) > 30


@pytest.mark.long
def test_random_games_in_which_things_happen_at_once_are_lowered_without_a_fault_or_refused_in_words() -> None:
    found = [said(random_game(seed)) for seed in range(40)]
    assert {one for one in found if isinstance(one, str)} <= {
        "`simultaneously` within another",
        "`simultaneously` with deferred calls that ask",
    }
    assert all(one == () for one in found if isinstance(one, tuple))
    assert found.count(()) > 15


@pytest.mark.long
def test_random_games_with_zones_are_lowered_without_a_fault() -> None:
    assert [said(game_in_turns(seed)) for seed in range(20)] == [()] * 20


def test_a_set_of_a_number_that_is_never_in_range_is_no_trouble() -> None:
    assert said(board_game(2033)) == ()


def said(game: ir.GameRules) -> tuple[str, ...] | str:
    """Returns what is wrong with a game's program, or why there is none."""
    try:
        return faults(lowered(game))
    except Unsupported as missing:
        return str(missing)


@pytest.mark.usefixtures("refuses_histories")
def test_what_cannot_be_said_yet_is_named() -> None:
    with pytest.raises(Unsupported, match="positions"):
        lowered(api.load(TESTS / "games/echo.rules").ir)


POWER: Any = "**"
R0, R1, ONE = low.RegisterWord(0), low.RegisterWord(1), low.ConstWord(1)


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ((low.ReturnInst(R1),), "r1 is read before it is set"),
        ((low.IfInst(R0, (low.SetInst(1, ONE),)), low.ReturnInst(R1)), "r1 is read before it is set"),
        (
            (low.RepeatInst((low.IfInst(R0, (low.BreakInst(),)), low.SetInst(1, ONE))), low.ReturnInst(R1)),
            "r1 is read before it is set",
        ),
        (
            (low.WalkInst(2, R0, (low.SetInst(1, ONE), low.BreakInst())), low.ReturnInst(R1)),
            "r1 is read before it is set",
        ),
        ((low.BreakInst(),), "a break of 1 loops stands in 0"),
        ((low.RepeatInst((low.BreakInst(1),)),), "a break of 2 loops stands in 1"),
        ((low.CallInst(1, "v0", ()),), "v0 is called with 0 arguments"),
        ((low.CallInst(1, "v9", (R0,)),), "v9 is called with 1 arguments"),
        ((low.SetInst(3, ONE),), "there is no r3"),
        ((low.StoreInst(ONE, low.CellWord(low.ConstWord(4))),), "place 4 is not within 4"),
        ((low.ReturnInst(low.EntryWord(0, low.ConstWord(3))),), "place 3 is not within 3"),
        ((low.ReturnInst(low.EntryWord(1, ONE)),), "there is no table 1"),
        ((low.ReturnInst(low.BinaryWord(POWER, R0, ONE)),), "there is no operator **"),
        ((low.ReturnInst(low.ConstWord(2**5000)),), f"{2**5000} is too wide"),
        ((low.PutInst(0, ONE, ONE),), "there is no array 0"),
        ((low.ReturnInst(low.ItemWord(0, ONE)),), "there is no array 0"),
        ((low.ReturnInst(low.HasWord(R1, ONE)),), "r1 is read before it is set"),
        ((low.ReturnInst(low.BitWord(R1, 2)),), "r1 is read before it is set"),
        ((low.CallInst(1, "v0", (ONE,), 2),), "v0 does not return 2 words"),
    ],
)
def test_a_broken_program_is_found_out(body: tuple[low.Inst, ...], fault: str) -> None:
    assert f"v0: {fault}" in faults(program(*body))


@pytest.mark.parametrize(
    "body",
    [
        (low.IfInst(R0, (low.SetInst(1, ONE),), (low.SetInst(1, R0),)), low.ReturnInst(R1)),
        (low.IfInst(R0, (low.SetInst(1, ONE),), (low.TrapInst(),)), low.ReturnInst(R1)),
        (low.RepeatInst((low.SetInst(1, ONE), low.BreakInst())), low.ReturnInst(R1)),
        (low.WalkInst(1, R0, (low.StoreInst(low.ConstWord(2), R1),)), low.ReturnInst(R0)),
        (low.CallInst(1, "v0", (R0,)), low.ReturnInst(R1)),
    ],
)
def test_a_register_that_is_set_on_every_way_may_be_read(body: tuple[low.Inst, ...]) -> None:
    assert faults(program(*body)) == ()


def test_a_function_that_is_not_there_is_found_out() -> None:
    assert faults(attrs.evolve(program(low.ReturnInst(R0)), blocks=((0, "b0"),))) == ("there is no b0",)
