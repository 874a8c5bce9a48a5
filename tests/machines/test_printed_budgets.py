"""Rules that run on, in printed Python: it spends what the interpreter spends, and ends at the same line."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from rulelang import api
from rulelang.errors import RunawayRules, RuntimeRules
from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Row, Seat
from rulelang.machines.chance import Seeded
from rulelang.machines.interpreter import Interpreter
from rulelang.machines.machine import Answer
from rulelang.machines.meter import Account, Meter
from rulelang.machines.offers.offer import Offer
from rulelang.program.layout import Layout, lay_out
from rulelang.program.python.compiled import compile_game
from rulelang.program.python.support import Trap
from tests.files import TESTS
from tests.games.in_ir import GAMES
from tests.generators.board_ir import board_game, game_in_turns
from tests.generators.ir import random_game
from tests.machines.test_budget import STARTS, little
from tests.program.printed import Printed
from tests.seeds import rest_long

pytestmark = pytest.mark.usefixtures("every_step_is_counted")
SPENT = "steps without a choice"


class Both:
    """The interpreter, and printed Python on a row and a meter of its own."""

    def __init__(self, game: GameRules, layout: Layout, seed: int) -> None:
        self.compiled = compile_game(game, layout)
        self.chance = Seeded(seed, game, layout)
        self.machine = Interpreter(self.compiled, self.chance)
        self.printed = Printed(self.compiled)
        self.meter = Account(layout.steps)
        self.row: Row = []

    def begin(self, players: int) -> RuntimeRules | None:
        """Begins on both; returns the fault, if there is one."""
        fault = self._fault(lambda: self.machine.begin(players, {}))
        other = Interpreter(self.compiled, self.chance)

        def begin() -> None:
            other.lay_out(players, {})
            self.row = self.printed.main(other.row, self.chance.draw, other.meter)

        return self._compare(fault, begin, other.meter)

    def answer(self, seat: Seat, answer: Answer) -> RuntimeRules | None:
        """Takes an answer on both; returns the fault, if there is one."""
        fault = self._fault(lambda: self.machine.answer(seat, answer))
        self.meter.renew()

        def take() -> None:
            self.row = self.printed.answer(self.row, seat, answer, self.chance.draw, self.meter)

        return self._compare(fault, take, self.meter)

    def _compare(self, fault: RuntimeRules | None, act: Callable[[], None], meter: Meter) -> RuntimeRules | None:
        try:
            said = self._fault(act)
        except Trap:
            # Only faults other than a spent budget are left to others.
            assert fault is not None
            assert SPENT not in str(fault)
            return fault
        assert (type(fault), str(fault)) == (type(said), str(said))
        if fault is None or said is None:
            assert self.row == self.machine.row
            assert meter.spent == self.machine.meter.spent
        else:
            assert fault.site == said.site
        return fault

    def _fault(self, act: Callable[[], None]) -> RuntimeRules | None:
        try:
            act()
        except RuntimeRules as fault:
            return fault
        return None


def in_lock_step(game: GameRules, seed: int, most: int = 40) -> RuntimeRules | None:
    """Plays a random game on both; returns the fault at which it ends, if it does."""
    both, rng = Both(game, lay_out(game), seed), random.Random(seed)
    fault = both.begin(rng.randint(*game.players))
    for _ in range(most):
        if fault is not None or both.machine.pending is None:
            return fault
        seat = rng.choice(both.machine.pending.seats)
        try:
            answer = Offer(both.machine, seat).pick(rng.randrange)
        except RuntimeRules:
            return None
        fault = both.answer(seat, answer)
    return fault


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in STARTS if name != "set-up"])
def test_what_would_run_for_ever_ends_at_the_same_line(name: str, tmp_path: Path) -> None:
    fault = in_lock_step(little(STARTS[name][0], tmp_path).ir, 1)
    assert isinstance(fault, RunawayRules)
    assert SPENT in str(fault)
    assert fault.site


@pytest.mark.long
def test_random_rules_spend_as_much_to_the_last_step() -> None:
    ended = 0
    for make in (board_game, random_game, game_in_turns):
        for seed in range(6):
            for budget in (1, 7, 40, 150, 400, 1000):
                fault = in_lock_step(attrs.evolve(make(seed), steps=budget), seed)
                ended += fault is not None and SPENT in str(fault)
    assert ended > 20


@pytest.mark.parametrize("name", GAMES)
def test_small_games_spend_as_much_to_the_last_step(name: str) -> None:
    for budget in (7, 40, 150, 400, 1000, 20_000):
        in_lock_step(attrs.evolve(GAMES[name](), steps=budget), budget)


@pytest.mark.parametrize(
    "name",
    rest_long(["redeals/whist", "redeals/liars_dice", "games/tavern", "games/stack", "classics/ko"], "redeals/whist"),
)
def test_a_game_of_the_tests_spends_as_much_to_the_last_step(name: str) -> None:
    game = api.load(TESTS / f"{name}.rules").ir
    for budget in (28, 60, 150, 400, 1000, 3000, 20_000):
        in_lock_step(attrs.evolve(game, steps=budget), budget)
