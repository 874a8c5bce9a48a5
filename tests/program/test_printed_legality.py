"""What printed Python calls a legal answer: what the interpreter accepts, whoever makes the answer up."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import pytest

from rulelang import api
from rulelang.errors import RuntimeRules
from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Seat
from rulelang.ir.types import NONE
from rulelang.machines.chance import Seeded
from rulelang.machines.interpreter import Examiner, Interpreter
from rulelang.machines.machine import Answer
from rulelang.program.layout import lay_out
from rulelang.program.python.compiled import compile_game
from rulelang.program.python.support import Trap
from tests.files import TESTS
from tests.games.in_ir import GAMES
from tests.generators.board_ir import board_game, game_in_turns
from tests.generators.ir import random_game
from tests.machines.test_generated import strange_answers
from tests.program.printed import BOARDS, OTHERS, SHIPPED, Printed

STRANGE = (NONE, -1, -(2**70), 0, 1, 2, 3, 5, 12, 63, 64, 70, 2**40, 2**64, 2**200)
MOST_LISTED = 60


def neighbours(answer: Answer, rng: random.Random) -> Iterator[Answer]:
    """Yields answers like another, with one parameter changed, one missing or one too many."""
    yield answer
    yield answer[:-1]
    yield (*answer, 0)
    for place in range(1, len(answer)):
        for value in (
            answer[place] + 1,
            answer[place] - 1,
            answer[place] ^ 1 << rng.randrange(70),
            rng.choice(STRANGE),
        ):
            yield (*answer[:place], value, *answer[place + 1 :])


def is_accepted(machine: Interpreter, seat: Seat, answer: Answer) -> bool | None:
    """Returns whether the interpreter accepts an answer; None where finding out is a fault."""
    try:
        return machine.refusal(seat, answer) is None
    except RuntimeRules:
        return None


def compare(machine: Interpreter, printed: Printed, seat: Seat, answers: list[Answer]) -> int:
    """Compares what becomes of some answers; returns the number of those that printed Python leaves to others."""
    question, left = machine.row[printed.program.question] - 1, 0
    for answer in answers:
        expected = is_accepted(machine, seat, answer)
        try:
            assert printed.allows(machine.row, question, seat, answer) == expected, answer
        except Trap:
            left += 1
    return left


def in_lock_step(game: GameRules, printed: Printed, seed: int, most: int) -> tuple[int, int]:
    """Plays a random game; returns the number of answers that were compared, and of those left to others."""
    compiled = printed.compiled
    machine, rng = Interpreter(compiled, Seeded(seed, game, compiled.layout)), random.Random(seed)
    compared = left = 0
    try:
        machine.begin(rng.randint(*game.players), {})
        for _ in range(most):
            if machine.pending is None:
                break
            seat = rng.choice(machine.pending.seats)
            options = list(islice(machine.options(seat), MOST_LISTED))
            answers = strange_answers(game, machine.pending.choice, rng)
            answers += [other for option in options for other in neighbours(option, rng)]
            # Options lie close together, so many have the same neighbours.
            answers = list(dict.fromkeys(answers))
            left += compare(Examiner(compiled, machine.chance, machine.row), printed, seat, answers)
            compared += len(answers)
            machine.answer(seat, rng.choice(options))
    except (RuntimeRules, IndexError):
        # A fault, or sets of which none is among the first.
        pass
    return compared, left


@pytest.mark.long
@pytest.mark.parametrize("name", [*(f"classics/{name}" for name in BOARDS), *OTHERS])
def test_a_game_accepts_the_same_answers(name: str) -> None:
    game = api.load(TESTS / f"{name}.rules")
    printed = Printed(compile_game(game.ir, game.internals.layout))
    # A match of chess takes seconds on the block machine.
    seeds, most = (1, 15) if name == "perft/chess" else (3, 30)
    found = [in_lock_step(game.ir, printed, seed, most) for seed in range(seeds)]
    assert sum(compared for compared, _ in found) > 50
    assert not any(left for _, left in found)


@pytest.mark.long
@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_game_accepts_the_same_answers(name: str) -> None:
    game = api.load(name)
    compared, left = in_lock_step(game.ir, Printed(compile_game(game.ir, game.internals.layout)), 1, 60)
    assert compared > 500
    assert not left


@pytest.mark.parametrize("name", GAMES)
def test_a_small_game_accepts_the_same_answers(name: str) -> None:
    game = GAMES[name]()
    printed = Printed(compile_game(game, lay_out(game)))
    for seed in range(3):
        in_lock_step(game, printed, seed, 40)


@pytest.mark.long
def test_random_games_accept_the_same_answers_or_leave_them_to_others_where_rules_are_at_fault() -> None:
    compared = left = 0
    for make in (board_game, random_game, game_in_turns):
        for seed in range(12):
            game = make(seed)
            printed = Printed(compile_game(game, lay_out(game)))
            for match in range(3):
                more, more_left = in_lock_step(game, printed, match, 40)
                compared, left = compared + more, left + more_left
    assert compared > 3000
    assert left < compared // 20
