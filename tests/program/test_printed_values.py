"""Values that screens call, printed from the low-level IR: the functions of the generated machine, faults included."""

from __future__ import annotations

import random

import attrs
import pytest

from rulelang import api
from rulelang.errors import RuntimeRules
from rulelang.ir.model import CallValue, Const, GameRules, ScreenLine
from rulelang.ir.numbers import Row
from rulelang.ir.types import NONE, SetType, Type, first_of, size_of
from rulelang.machines.chance import Seeded
from rulelang.machines.generated import GeneratedMachine, value_functions
from rulelang.machines.machine import ValueFunction
from rulelang.machines.offers.offer import Offer
from rulelang.machines.walk import Evaluation
from rulelang.program.layout import Layout, lay_out
from rulelang.program.low import faults, lower_shown
from rulelang.program.low.words import bits_of
from rulelang.program.python.compiled import Compiled, compile_game
from rulelang.program.python.module import print_shown
from rulelang.program.python.playouts import long_tables
from rulelang.program.python.support import names
from tests.files import TESTS
from tests.games.in_ir import GAMES
from tests.generators.board_ir import board_game, game_in_turns
from tests.generators.ir import random_game
from tests.machines.attempts import attempt
from tests.program.printed import BOARDS, OTHERS, SHIPPED


def all_shown(game: GameRules) -> GameRules:
    """Returns a game with a screen that calls each of its values."""
    calls = tuple(CallValue(v.id, tuple(Const(NONE) for _ in v.parameters)) for v in game.values)
    return attrs.evolve(game, screen=(ScreenLine("line", None, arguments=calls),))


def functions_of(compiled: Compiled) -> dict[int, ValueFunction]:
    """Returns the printed functions."""
    program = lower_shown(compiled.game, compiled.layout, compiled.control)
    assert faults(program) == ()
    found = {**names(), "TABLES": long_tables(program)}
    exec(print_shown(program), found)
    printed: dict[int, ValueFunction] = found["SHOWN"]
    return value_functions(printed, compiled.game, compiled.layout)


def passed(type: Type, rng: random.Random) -> int:
    """Returns what may be passed for a parameter: a value of its type, rarely none."""
    if rng.randrange(8) == 0:
        return NONE
    if isinstance(type, SetType):
        return bits_of(type) & rng.getrandbits(200)
    return rng.randrange(first_of(type), first_of(type) + size_of(type))


def compare(compiled: Compiled, printed: dict[int, ValueFunction], row: Row, rng: random.Random) -> tuple[int, int]:
    """Compares all values in a position; returns their number, and that of the faults."""
    at_fault = 0
    for id, function in printed.items():

        def walked(row: Row, *arguments: int, id: int = id) -> int:
            call = CallValue(id, tuple(map(Const, arguments)))
            return Evaluation(row, compiled.game, compiled.layout).value(call, {})

        for _ in range(4):
            arguments = [passed(variable.type, rng) for variable in compiled.game.values[id].parameters]
            expected = attempt(walked, row, *arguments)
            assert attempt(function, row, *arguments) == expected, (id, arguments)
            at_fault += isinstance(expected, tuple)
    return 4 * len(printed), at_fault


def in_lock_step(game: GameRules, layout: Layout, seed: int, most: int) -> tuple[int, int]:
    """Plays a random game; returns the number of results that were compared, and of those that are faults."""
    compiled = compile_game(game, layout)
    printed, rng = functions_of(compiled), random.Random(seed)
    machine = GeneratedMachine(compiled, Seeded(seed, game, layout))
    found = []
    try:
        machine.begin(rng.randint(*game.players), {})
        for _ in range(most):
            found.append(compare(compiled, printed, machine.row, rng))
            if machine.pending is None:
                break
            seat = rng.choice(machine.pending.seats)
            machine.answer(seat, Offer(machine, seat).pick(rng.randrange))
    except RuntimeRules:
        pass  # the rules may be at fault
    return sum(number for number, _ in found), sum(faults for _, faults in found)


@pytest.mark.parametrize("name", [*(f"classics/{name}" for name in BOARDS), *OTHERS])
def test_all_values_of_a_game_are_those_of_a_walk_through_the_rules(name: str) -> None:
    game = api.load(TESTS / f"{name}.rules")
    in_lock_step(all_shown(game.ir), game.internals.layout, 1, 20)


@pytest.mark.long
@pytest.mark.parametrize("name", SHIPPED)
def test_values_of_a_shipped_game_are_those_of_a_walk_through_the_rules(name: str) -> None:
    game = api.load(name)
    assert in_lock_step(game.ir, game.internals.layout, 1, 30)[0] > 100
    assert in_lock_step(all_shown(game.ir), game.internals.layout, 2, 10)[0] > 500


@pytest.mark.parametrize("name", GAMES)
def test_all_values_of_a_small_game_are_those_of_a_walk_through_the_rules(name: str) -> None:
    game = all_shown(GAMES[name]())
    in_lock_step(game, lay_out(game), 1, 20)


@pytest.mark.long
def test_all_values_of_random_games_are_those_of_a_walk_through_the_rules_and_so_are_faults() -> None:
    compared = at_fault = 0
    for make in (board_game, random_game, game_in_turns):
        for seed in range(16):
            game = all_shown(make(seed))
            more, wrong = in_lock_step(game, lay_out(game), seed, 20)
            compared, at_fault = compared + more, at_fault + wrong
    assert compared > 500
    assert 0 < at_fault < compared
