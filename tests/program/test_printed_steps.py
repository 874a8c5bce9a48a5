"""Python printed from the low-level IR with words of any size: step by step the interpreter, or a trap where that
finds a fault."""

from __future__ import annotations

import random

import pytest

from rulelang import api
from rulelang.errors import RuntimeRules
from rulelang.ir.numbers import Seat
from rulelang.machines.chance import Seeded
from rulelang.machines.interpreter import Interpreter
from rulelang.program.layout import lay_out
from rulelang.program.python.compiled import Compiled, compile_game
from rulelang.program.python.support import Trap
from tests.files import TESTS
from tests.generators.board_ir import board_game, game_in_turns
from tests.generators.ir import random_game
from tests.program.printed import BOARDS, OTHERS, SHIPPED, Printed


def begun(compiled: Compiled, seed: int) -> Interpreter | None:
    """Returns a machine at the first choice of a random game; None if there is none."""
    machine = Interpreter(compiled, Seeded(seed, compiled.game, compiled.layout))
    try:
        machine.begin(random.Random(seed).randint(*compiled.game.players), {})
    except RuntimeRules:
        return None
    return None if machine.pending is None else machine


def in_lock_step(printed: Printed, seed: int, most: int) -> int:
    """Plays a random game on both; returns the number of answers. A trap stands for a fault and for nothing else."""
    machine, rng = begun(printed.compiled, seed), random.Random(seed)
    if machine is None:
        return 0
    assert isinstance(machine.chance, Seeded)
    draw = machine.chance.draw
    for answers in range(most):
        if machine.pending is None:
            return answers
        seat, row = rng.choice(machine.pending.seats), machine.row[:]
        try:
            found = list(machine.options(seat))
        except RuntimeRules:
            with pytest.raises(Trap):
                printed.options(row, row[printed.program.question] - 1, seat)
            return answers
        assert printed.options(row, row[printed.program.question] - 1, seat) == found
        answer = rng.choice(found)
        try:
            machine.answer(Seat(seat), answer)
        except RuntimeRules:
            with pytest.raises(Trap):
                printed.answer(row, seat, answer, draw)
            return answers
        assert printed.answer(row, seat, answer, draw) == machine.row
    return most


@pytest.mark.long
@pytest.mark.parametrize("name", [*(f"classics/{name}" for name in BOARDS), *OTHERS])
def test_a_game_goes_step_by_step_as_on_the_block_machine(name: str) -> None:
    game = api.load(TESTS / f"{name}.rules")
    printed = Printed(compile_game(game.ir, game.internals.layout))
    # The block machine takes seconds for a match of chess.
    assert sum(in_lock_step(printed, seed, 40) for seed in range(1 if name == "perft/chess" else 3)) > 5


@pytest.mark.long
@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_game_goes_step_by_step_as_on_the_block_machine(name: str) -> None:
    game = api.load(name)
    printed = Printed(compile_game(game.ir, game.internals.layout))
    assert sum(in_lock_step(printed, seed, 100) for seed in range(3)) > 100


@pytest.mark.long
def test_random_games_go_step_by_step_as_on_the_block_machine_and_trap_only_at_faults() -> None:
    plies = 0
    for make in (board_game, random_game, game_in_turns):
        for seed in range(12):
            game = make(seed)
            compiled = compile_game(game, lay_out(game))
            # Most random games are at fault before anybody is asked: printing those would show nothing.
            if any(begun(compiled, again) is not None for again in range(2)):
                printed = Printed(compiled)
                plies += sum(in_lock_step(printed, again, 60) for again in range(2))
    assert plies > 100
