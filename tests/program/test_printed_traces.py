"""Python printed from the low-level IR that tells a trace: call by call, each on the same row, as the interpreter tells it,
with outcomes from whatever source of chance."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import attrs
import pytest

from rulelang import api
from rulelang.errors import RuntimeRules
from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Row, Seat
from rulelang.ir.types import IntType
from rulelang.machines.chance import Scripted, Seeded, Watched
from rulelang.machines.handover import Heard
from rulelang.machines.interpreter import Interpreter
from rulelang.machines.machine import Answer, Chance, Trace
from rulelang.program.layout import lay_out
from rulelang.program.low import faults, lower, print_program
from rulelang.program.low import model as low
from rulelang.program.python.compiled import compile_game
from rulelang.program.python.memory import AT_ONCE
from rulelang.program.python.module import print_module
from rulelang.program.python.playouts import long_tables
from rulelang.program.python.support import PlayoutOver, Trap, names, no_draw
from tests.files import CLASSICS, TESTS
from tests.games.at_once import DEALT, NESTED, OUT
from tests.games.in_ir import GAMES
from tests.games.written import game as written
from tests.generators.board_ir import board_game, game_in_turns
from tests.generators.ir import random_game
from tests.machines.test_history import SUPERKO
from tests.program.printed import BOARDS, OTHERS, SHIPPED
from tests.seeds import rest_long

Call = tuple[str, str, int | None, Row]
"""A call of a trace, its arguments, the number of the block whose moves are being made, and the row of that moment."""

FINDS = """\
game finds "Finds":
  players 2..3

names p: Player; n: 1..6
die d6: 1..6
die odd: 1, 1, 3, 5

kind Card "card":
  n: 1..9
  | copies | n    |
  | 2      | 1..9 |
names c: Card

each Player has:
  hand: group of Card, seen by owner
  wish: Card? = none, seen by owner
  wishes: set of Card = {}, seen by owner
  sum: -99..999 = 0
the game has:
  stack: pile of Card, seen by nobody
  open: pile of Card, face up

setup:
  move {c in Card} to stack
  shuffle(stack)
  for p in players: move 3 of stack to p.hand

action find(p) "Find":
  p.sum += roll(d6, 2) + roll(odd)
  p.wish = random(p.hand)
  p.wishes = p.hand
  let found = random(stack)
  if found != none: move found to open bottom
  show(top(stack), p)

action rest(p) "Rest": p.sum += 1

play:
  repeat 9 times:
    for p in players: p chooses one of find, rest
"""


TOLD = {
    "nested": (NESTED, ["set"]),
    "dealt": (DEALT, ["move", "at once"]),
    "out": (OUT, ["set", "at once"]),
    "superko": (SUPERKO, ["set"]),
    "finds": (FINDS, ["roll", "pick", "move", "show", "shuffle"]),
}
"""Games in which things happen at once, by chance, or are only foreseen, and what each tells."""


class Listener:
    """A trace that keeps what it is told, and writes to the row where it is told of a phase."""

    def __init__(self, size: int, look: Callable[[], tuple[Row, object | None]], edits: dict[int, int]) -> None:
        self.size, self.look, self.edits = size, look, edits
        self.told: list[Call] = []
        self.blocks: list[object] = []

    def __getattr__(self, name: str) -> Callable[..., None]:
        def tell(*arguments: object) -> None:
            row, block = self.look()
            if block is not None and all(block is not known for known in self.blocks):
                self.blocks.append(block)
            number = next((i for i, known in enumerate(self.blocks) if known is block), None)
            kept = arguments[:2] if name == "enter_phase" else arguments
            self.told.append((name, repr(kept), number, row[: self.size]))
            if name == "enter_phase":
                machine = cast("Interpreter", arguments[2])
                for slot, value in self.edits.items():
                    machine.row[slot] = value

        return tell


@attrs.define(eq=False)
class Step:
    """A step of printed code, as a machine that its trace may look at."""

    row: Row
    memory: list[Any] = attrs.field(factory=list)


class Printed:
    """The functions of a printed module, run as a machine runs them."""

    def __init__(self, game: GameRules, *, is_traced: bool = True) -> None:
        self.compiled, self.is_traced = compile_game(game, lay_out(game)), is_traced
        layout, control = self.compiled.layout, self.compiled.control
        self.program = lower(self.compiled.game, layout, control, None, is_traced=is_traced, asks_chance=True)
        assert faults(self.program) == ()
        self.names: dict[str, Any] = {**names(), "TABLES": long_tables(self.program)}
        exec(print_module(self.program), self.names)

    def run(
        self, row: Row, answer: tuple[int, Answer] | None, chance: Chance, edits: dict[int, int]
    ) -> tuple[Row, list[Call]]:
        """Returns the row behind an answer, or behind the beginning, and what was told; raises Trap."""
        size = len(row)
        step = Step([*row, *[0] * self.program.scratch])
        trace = Listener(self.compiled.layout.size, lambda: (step.row, step.memory[AT_ONCE]), edits)
        given = () if answer is None else answer[1]
        step.memory = [
            self.program.half,
            None,
            given,
            no_draw,
            None,
            trace if self.is_traced else None,
            Heard(chance, slice(0)),
            step,
            None,
        ]
        try:
            block = self._started(step, answer)
            while block >= 0:
                block = self.names["BLOCKS"][block](step.row, step.memory)
        except PlayoutOver:
            return [*step.row[: self.compiled.layout.size], *self.compiled.idle], trace.told
        assert not any(step.row[size:])
        assert step.memory[AT_ONCE] is None
        return step.row[:size], trace.told

    def _started(self, step: Step, answer: tuple[int, Answer] | None) -> int:
        if answer is None:
            return self.compiled.main
        question = step.row[self.program.question] - 1
        step.row[self.program.question] = 0
        seats = (answer[0],) if self.program.questions[question].owing >= 0 else ()
        block: int = self.names["ANSWERS"][question][answer[1][0]](step.row, step.memory, *seats)
        return block


class LockStep:
    """A random game on the interpreter, each step of which printed code takes too.

    script    the faces of dice that come first, by die
    edits     what a listener writes to the row where it is told of a phase
    """

    def __init__(
        self,
        printed: Printed,
        seed: int,
        script: dict[str, list[int]] | None = None,
        edits: dict[int, int] | None = None,
    ) -> None:
        self.printed, self.edits, self.rng = printed, edits or {}, random.Random(seed)
        game, layout = printed.compiled.game, printed.compiled.layout
        self.players = self.rng.randint(*game.players)
        self.chances = [
            Watched(Scripted(Seeded(seed, game, layout), game, layout, rolls=script or {})) for _ in range(2)
        ]
        machine = self.machine = Interpreter(printed.compiled, self.chances[0])
        self.trace = Listener(layout.size, lambda: (machine.row, machine.at_once), self.edits)
        if printed.is_traced:
            machine.trace = cast("Trace", self.trace)
        self.counts: Counter[str] = Counter()
        """The steps, the traps where the machine finds no fault, and the calls of each name."""

    def play(self, most: int) -> Counter[str]:
        """Takes at most so many steps, up to a fault of the rules; returns what there was."""
        row, answer = self._opening(), None
        for _ in range(most if row else 0):
            if not self._step(row, answer) or self.machine.pending is None:
                break
            seat, row = self.rng.choice(self.machine.pending.seats), self.machine.row[:]
            try:
                answer = seat, self.rng.choice(list(self.machine.options(seat)))
            except RuntimeRules:
                break
        return self.counts

    def _opening(self) -> Row:
        """Returns the row before the first rule runs; [] if an initial value is at fault."""
        machine = Interpreter(self.printed.compiled, self.chances[1])
        try:
            machine.lay_out(self.players, {})
        except RuntimeRules:
            return []
        return machine.row

    def _step(self, row: Row, answer: tuple[int, Answer] | None) -> bool:
        """Takes a step on both; returns whether the game goes on."""
        self.trace.told.clear()
        self.trace.blocks.clear()
        for chance in self.chances if answer is not None else ():
            chance.drawn, chance.among, chance.order = [], [], []
        try:
            if answer is None:
                self.machine.begin(self.players, {})
            else:
                self.machine.answer(Seat(answer[0]), answer[1])
        except RuntimeRules:
            with pytest.raises(Trap):
                self.printed.run(row, answer, self.chances[1], self.edits)
            return False
        try:
            behind, told = self.printed.run(row, answer, self.chances[1], self.edits)
        except Trap:
            self.counts["traps"] += 1
            return True
        # What initial values roll is told before the first rule runs.
        before = len(self.trace.told) - len(told) if answer is None else 0
        assert told == self.trace.told[before:]
        assert behind == self.machine.row
        one, other = ((chance.drawn, chance.among, chance.order) for chance in self.chances)
        assert one == other
        self.counts.update(["steps", *(call[0] for call in told), *("at once" for call in told if call[2] is not None)])
        return True


def compared(game: GameRules, seeds: int, most: int) -> Counter[str]:
    """Plays random games; returns what there was in all."""
    printed = Printed(game)
    return sum((LockStep(printed, seed).play(most) for seed in range(seeds)), Counter[str]())


@pytest.mark.long
@pytest.mark.parametrize("name", [*(f"classics/{name}" for name in BOARDS), *OTHERS])
def test_a_game_tells_a_trace_what_the_block_machine_tells(name: str) -> None:
    # The block machine takes seconds for a match of chess.
    counts = compared(api.load(TESTS / f"{name}.rules").ir, 1 if name == "perft/chess" else 3, 40)
    assert counts["steps"] > 5
    assert counts["enter"] > counts["steps"] / 2
    assert not counts["traps"]


@pytest.mark.long
@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_game_tells_a_trace_what_the_block_machine_tells(name: str) -> None:
    counts = compared(api.load(name).ir, 3, 60)
    assert counts["steps"] > 100
    assert min(counts[call] for call in ("enter", "leave", "witness", "set", "move", "enter_phase")) > 10
    assert not counts["traps"]


@pytest.mark.parametrize("name", GAMES)
def test_a_game_in_ir_tells_a_trace_what_the_block_machine_tells(name: str) -> None:
    counts = compared(GAMES[name](), 3, 40)
    assert counts["steps"] > 5
    assert not counts["traps"]


@pytest.mark.parametrize(
    ("text", "calls"),
    TOLD.values(),
    ids=TOLD,
)
def test_what_happens_at_once_by_chance_or_is_only_foreseen_is_told_alike(
    text: str, calls: list[str], tmp_path: Path
) -> None:
    counts = compared(written(text, tmp_path).ir, 3, 40)
    assert counts["steps"] > 10
    assert all(counts[call] for call in calls)
    assert not counts["traps"]


@pytest.mark.long
def test_random_games_tell_a_trace_what_the_block_machine_tells() -> None:
    games = (make(seed) for make in (board_game, random_game, game_in_turns) for seed in range(12))
    counts = sum((compared(game, 2, 60) for game in games), Counter[str]())
    assert counts["steps"] > (100)
    assert counts["enter"] > counts["steps"] / 2
    assert not counts["traps"]


def test_outcomes_come_from_a_script_as_long_as_it_lasts() -> None:
    game = api.load(CLASSICS / "pig.rules").ir
    for is_traced in (True, False):
        step = LockStep(Printed(game, is_traced=is_traced), 3, script={game.dice[0].name: [6, 6, 2, 5, 1, 6, 6, 6]})
        assert step.play(60)["steps"] > 8


@pytest.mark.long
def test_a_listener_may_write_to_the_row_where_a_phase_begins() -> None:
    game = api.load("exobase").ir
    printed = Printed(game)
    layout = printed.compiled.layout
    state = next(s for s in game.states if isinstance(s.type, IntType) and s.name == "round")
    counts = LockStep(printed, 1, edits={layout.states[state.id]: 3}).play(30)
    assert counts["enter_phase"] > 3
    assert counts["steps"] > 10


def test_code_without_a_trace_is_told_nothing() -> None:
    game = api.load(CLASSICS / "kuhn.rules").ir
    compiled = compile_game(game, lay_out(game))
    assert "tell" not in print_program(lower(game, compiled.layout, compiled.control, None))
    assert "tell enter" in print_program(lower(game, compiled.layout, compiled.control, None, is_traced=True))


@pytest.mark.parametrize(
    "name", rest_long([*SHIPPED, "classics/kuhn", "games/tavern"], "outspeed", "classics/kuhn", "games/tavern")
)
def test_words_of_64_bits_tell_a_trace_too(name: str) -> None:
    game = (api.load(name) if name in SHIPPED else api.load(TESTS / f"{name}.rules")).ir
    compiled = compile_game(game, lay_out(game))
    program = lower(compiled.game, compiled.layout, compiled.control, is_traced=True)
    assert faults(program) == ()
    told = {
        order.tell for function in program.functions for order in function.orders if isinstance(order, low.TellInst)
    }
    assert told >= {"enter", "leave", "set"}
