"""The generated machine: what it does by itself, and in lock step with the reference."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from rulelang.errors import NoOption, RangeViolation, RunawayRules, RuntimeRules
from rulelang.ir.model import (
    Bind,
    Branch,
    Call,
    CallValue,
    Const,
    Defer,
    Eliminate,
    Finish,
    Game,
    Local,
    Loop,
    Need,
    Over,
    Parameter,
    Repeat,
    Source,
    Stop,
    Together,
    ValueCase,
)
from rulelang.ir.types import NONE, IntType
from rulelang.program.layout import OUTCOME, OUTCOME_VALUE, lay_out
from rulelang.program.pycode import Compiled, compile_game
from rulelang.runtime.generated import GeneratedMachine
from rulelang.runtime.machine import Answer, Machine, Pending, Refusal
from rulelang.runtime.reference import ReferenceMachine
from tests.ir_games import GAMES, Build, StubChance, add, need, op, put, read, when


class Recorder:
    """A trace that keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[object, ...]] = []

    def __getattr__(self, name: str) -> Callable[..., None]:
        def tell(*arguments: object) -> None:
            self.told.append((name, *arguments[:2]) if name == "enter_phase" else (name, *arguments))

        return tell


def generated(game: Game, seed: int = 1, compiled: Compiled | None = None) -> GeneratedMachine:
    layout = lay_out(game)
    return GeneratedMachine(compiled or compile_game(game, layout), StubChance(seed, layout.counters))


def reference(game: Game, seed: int = 1) -> ReferenceMachine:
    layout = lay_out(game)
    return ReferenceMachine(game, StubChance(seed, layout.counters), layout)


def started(game: Game, seed: int = 1) -> GeneratedMachine:
    machine = generated(game, seed)
    machine.begin(len(game.seats), {})
    return machine


def value(machine: Machine, name: str, index: int = 0) -> int:
    state = next(state.id for state in machine.game.states if state.name == name)
    return machine.row[machine.layout.states[state] + index]


def outcome(machine: Machine, act: Callable[[], None]) -> str:
    """Acts, and gives what went wrong."""
    try:
        act()
    except RuntimeRules as error:
        return f"{type(error).__name__} {error} at {error.site}"
    return ""


def listed(machine: Machine, seat: int) -> list[Answer] | str:
    """Gives a seat's options, or what went wrong with them."""
    try:
        return list(machine.options(seat))
    except RuntimeRules as error:
        return str(error)


def play_in_lock_step(game: Game, seed: int, *, traced: bool, compiled: Compiled | None = None) -> int:
    """Plays a random game on both machines, comparing everything at every choice; gives how many answers it took."""
    one, other = generated(game, seed, compiled), reference(game, seed)
    size = one.layout.size
    told, wanted = Recorder(), Recorder()
    if traced:
        one.trace, other.trace = told, wanted  # type: ignore[assignment]
    rng = random.Random(seed)
    players = rng.randint(min(2, len(game.seats)), len(game.seats))
    assert outcome(one, lambda: one.begin(players, {})) == outcome(other, lambda: other.begin(players, {}))
    answers = 0
    while True:
        assert one.row[:size] == other.row
        assert all(type(slot) is int for slot in one.row)
        assert one.pending == other.pending
        assert told.told == wanted.told
        if one.pending is None:
            return answers
        seat = rng.choice(one.pending.seats)
        options = listed(one, seat)
        assert options == listed(other, seat)
        if isinstance(options, str):
            return answers
        assert all(one.allows(seat, option) for option in options)
        for answer in strange_answers(game, one.pending.choice, rng):
            assert one.refusal(seat, answer) == other.refusal(seat, answer)
        answer = rng.choice(options)
        assert outcome(one, lambda: one.answer(seat, answer)) == outcome(other, lambda: other.answer(seat, answer))
        answers += 1


def strange_answers(game: Game, choice: int, rng: random.Random) -> list[Answer]:
    """Gives answers of every kind, most of them illegal."""
    found: list[Answer] = [(), (-1,), (99,)]
    for number, branch in enumerate(game.choices[choice].branches):
        for extra in (-1, 0, 0, 0, 1):
            length = max(0, len(branch.parameters) + extra)
            found.append((number, *(rng.choice((NONE, -1, 0, 1, 2, 3, 5, 6, 7, 12, 2**40)) for _ in range(length))))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_both_machines_play_alike(name: str) -> None:
    game = GAMES[name]()
    compiled = compile_game(game, lay_out(game))
    for seed in range(8):
        play_in_lock_step(game, seed, traced=bool(seed % 2), compiled=compiled)
