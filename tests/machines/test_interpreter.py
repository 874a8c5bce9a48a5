"""The machine that goes from block to block: step by step the generated one's rows, and the reference's options and faults."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import attrs
import pytest

from rulelang import api
from rulelang.errors import RangeViolation, RunawayRules
from rulelang.ir.model import (
    Branch,
    Call,
    Const,
    Defer,
    GameRules,
    Local,
    Loop,
    Order,
    Parameter,
    Repeat,
    Return,
    Simultaneous,
    Source,
    Stop,
)
from rulelang.ir.numbers import Seat
from rulelang.ir.types import IntType
from rulelang.machines.chance import Seeded
from rulelang.machines.generated import GeneratedMachine
from rulelang.machines.interpreter import Interpreter
from rulelang.machines.machine import Answer, Chance, Machine, Pending
from rulelang.program.layout import lay_out
from rulelang.program.python.compiled import Compiled, compile_game
from tests.files import TESTS
from tests.games.at_once import DEALT, DEEP, HEIRS, NESTED, OUT
from tests.games.in_ir import GAMES, Build, StubChance, add, decline, need, op, read, when
from tests.games.written import game as written
from tests.generators.board_ir import board_game, game_in_turns
from tests.generators.ir import random_game
from tests.machines.attempts import attempt
from tests.machines.test_generated import Recorder, strange_answers
from tests.machines.test_history import LOOKED_AHEAD, SUPERKO
from tests.oracle.reference import ReferenceMachine
from tests.seeds import few_of

SHIPPED = ("empty_space", "exit_velocity", "exobase", "outspeed")
WRITTEN = sorted(path for folder in ("classics", "redeals", "games") for path in (TESTS / folder).glob("*.rules"))
MOST_LISTED = 200


pytestmark = pytest.mark.usefixtures("every_step_is_counted")


def listed(machine: Machine, seat: int) -> list[Answer]:
    """Returns the first options of a seat."""
    return list(islice(machine.options(Seat(seat)), MOST_LISTED))


def alike(machines: tuple[Machine, ...], act: Callable[[Machine], object]) -> object:
    """Does the same on each machine; returns what came of it on all of them."""
    found = [attempt(act, machine) for machine in machines]
    assert found == [found[0]] * len(machines)
    return found[0]


def chance_of(game: GameRules, seed: int) -> Chance:
    layout = lay_out(game)
    return StubChance(seed, layout.counters)


def in_lock_step(compiled: Compiled, chance: Chance, seed: int, *, traced: bool, most: int = 200) -> int:
    """Plays a random game on three machines, comparing everything at every choice; returns the number of answers."""
    game, layout = compiled.game, compiled.layout
    one, other = Interpreter(compiled, chance), GeneratedMachine(compiled, chance)
    third = ReferenceMachine(game, chance, layout)
    machines: tuple[Machine, ...] = one, other, third
    told = [Recorder(machine) for machine in machines]
    if traced:
        for machine, recorder in zip(machines, told, strict=True):
            machine.trace = recorder
    rng = random.Random(seed)
    players = rng.randint(min(2, len(game.seats)), len(game.seats))
    alike(machines, lambda machine: machine.begin(players, {}))
    for answers in range(most):
        assert one.row == other.row
        assert one.row[: layout.size] == third.row
        assert one.pending == other.pending == third.pending
        assert told[0].told == told[1].told == told[2].told
        for recorder in told:
            recorder.told.clear()
        if one.pending is None:
            return answers
        assert one.meter.spent == other.spent == third.meter.spent
        answer = looked_at(one, other, third, rng)
        if answer is None:
            return answers
        alike(machines, lambda machine, answer=answer: machine.answer(*answer))  # type: ignore[misc]
    return most


def looked_at(
    one: Interpreter, other: GeneratedMachine, third: ReferenceMachine, rng: random.Random
) -> tuple[Seat, Answer] | None:
    """Compares what machines say of a position; returns a random answer, None if the options cannot be listed."""
    machines: tuple[Machine, ...] = one, other, third
    assert one.pending is not None
    seat, game = rng.choice(one.pending.seats), one.game
    assert one.locals(seat) == other.locals(seat)
    options = alike(machines, lambda machine: listed(machine, seat))
    for stranger in range(len(game.seats)):
        alike(machines, lambda machine, stranger=stranger: machine.score(Seat(stranger)))  # type: ignore[misc]
        if stranger not in one.pending.seats:
            assert listed(one, stranger) == []
    for answer in strange_answers(game, one.pending.choice, rng):
        alike(machines, lambda machine, answer=answer: machine.refusal(seat, answer))  # type: ignore[misc]
    if not isinstance(options, list) or not options:
        return None
    found = rng.choice(options)
    assert one.allows(seat, found)
    return seat, found


@pytest.mark.parametrize("name", GAMES)
def test_a_small_game_goes_as_on_the_other_machines(name: str) -> None:
    game = GAMES[name]()
    compiled = compile_game(game, lay_out(game))
    for seed in range(8):
        in_lock_step(compiled, chance_of(game, seed), seed, traced=bool(seed % 2))


@pytest.mark.parametrize("seed", few_of(30))
def test_random_rules_go_as_on_the_other_machines(seed: int) -> None:
    game = random_game(seed)
    compiled = compile_game(game, lay_out(game))
    for match in range(2):
        in_lock_step(compiled, chance_of(game, match), match, traced=bool(match))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(0, 30, 2))
def test_random_rules_spend_as_much_to_the_last_step(seed: int) -> None:
    for budget in (1, 7, 40, 150, 400, 1000):
        game = attrs.evolve(random_game(seed), steps=budget)
        compiled = compile_game(game, lay_out(game))
        for match in range(2):
            in_lock_step(compiled, chance_of(game, match), match, traced=bool(match))


@pytest.mark.parametrize("seed", range(8))
def test_random_games_of_turns_and_boards_go_as_on_the_other_machines(seed: int) -> None:
    for game in (board_game(seed), game_in_turns(seed)):
        compiled = compile_game(game, lay_out(game))
        for match in range(2):
            in_lock_step(compiled, chance_of(game, match), match, traced=bool(match))


@pytest.mark.long
@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_a_game_of_the_tests_goes_as_on_the_other_machines(path: Path) -> None:
    game = api.load(path)
    compiled = compile_game(game.ir, game.internals.layout)
    for seed in range(2):
        chance = Seeded(seed, game.ir, game.internals.layout)
        assert in_lock_step(compiled, chance, seed, traced=bool(seed % 2), most=60) > 0


@pytest.mark.long
def test_chess_goes_as_on_the_other_machines() -> None:
    game = api.load(TESTS / "perft" / "chess.rules")
    compiled = compile_game(game.ir, game.internals.layout)
    for seed in range(2):
        chance = Seeded(seed, game.ir, game.internals.layout)
        assert in_lock_step(compiled, chance, seed, traced=bool(seed), most=10) > 3


@pytest.mark.long
@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_game_goes_as_on_the_other_machines(name: str) -> None:
    game = api.load(name)
    compiled = compile_game(game.ir, game.internals.layout)
    for seed in range(2):
        chance = Seeded(seed, game.ir, game.internals.layout)
        assert in_lock_step(compiled, chance, seed, traced=bool(seed), most=40) > 3


# ------------------------------------------------------------------ what a region may end with


def winding() -> GameRules:
    """Loops left from the middle of a step, returns out of them, rounds without a choice, moves at once that ask."""
    b = Build("winding", ("red", "blue", "green"))
    pot, few = b.state("pot", IntType(0, 999)), IntType(0, 3)
    outer, inner, middle = b.loop(), b.loop(), b.loop()
    p, o, x, y, z = (b.variable(name, b.player) for name in "poxyz")
    n, m, i, j, k = (b.variable(name, few) for name in "nmijk")
    numbers = Source(op("range", 0, 3))
    give = Branch(
        "give", 0, (Parameter(n, numbers),), (need(op("<=", n, op("mod", read(pot), 4)), 1),), (add(pot, by=n),)
    )
    gives = b.procedure(
        "gives",
        (p,),
        (
            Loop(
                b.loop(), i, numbers, (), None, (when(op("==", i, op("mod", read(pot), 9)), Return()), add(pot, by=1))
            ),
            b.choice(Local(p.id), give),
        ),
        stops=True,
    )
    note = b.procedure("note", (o,), (add(pot, by=o),))
    bet = Branch("bet", 0, (Parameter(m, numbers),), (), (add(pot, by=op("*", m, j)),))
    leaves = when(op("==", k, op("mod", read(pot), 5)), Stop(outer))
    turn = (
        when(op("==", op("mod", read(pot), 3), 0), Loop(middle, k, numbers, (), None, (leaves, add(pot, by=1)))),
        when(op("!=", op("mod", read(pot), 7), 1), b.choice(Local(x.id), bet, decline("fold", Stop(inner)))),
    )
    goes = b.procedure(
        "goes",
        (x,),
        (
            Repeat(
                outer,
                None,
                None,
                (
                    Loop(inner, j, numbers, (Order(True, Local(j.id)),), op("!=", j, 1), turn),
                    when(op(">", op("mod", read(pot), 50), 20), Return()),
                ),
                limit=3,
            ),
        ),
        stops=True,
    )
    everybody = Source(read(b.all_players))
    calls = (add(pot, by=1), Defer(gives, (Local(z.id),)), Defer(note, (Local(z.id),)))
    body = (
        Loop(b.loop(), y, everybody, (), None, (Call(goes, (Local(y.id),)),)),
        Simultaneous(z, everybody, op("!=", z, op("mod", read(pot), 3)), calls),
        Call(goes, (Const(1),)),
    )
    return b.game(b.procedure("play", (), body, stops=True))


@pytest.mark.parametrize("seed", range(12))
def test_loops_and_calls_are_left_from_anywhere_as_on_the_other_machines(seed: int) -> None:
    game = winding()
    in_lock_step(compile_game(game, lay_out(game)), chance_of(game, seed), seed, traced=bool(seed % 2))


def test_rules_that_end_without_a_finish_leave_nothing_behind() -> None:
    game = winding()
    machine = Interpreter(compile_game(game, lay_out(game)), chance_of(game, 0))
    ends = []
    for seed in range(12):
        rng = random.Random(seed)
        machine.begin(3, {})
        while machine.pending is not None:
            seat = machine.pending.seats[0]
            machine.answer(seat, rng.choice(listed(machine, seat)))
        ends.append(machine.row[machine.layout.size :])
    assert not any(map(any, ends))


def test_rounds_without_a_choice_come_to_their_end() -> None:
    b = Build("rounds")
    pot, n = b.state("pot", IntType(0, 9)), b.variable("n", IntType(0, 2))
    add_up = Branch("add_up", 0, (Parameter(n, Source(op("range", 0, 2))),), (), (add(pot, by=n),))
    body = (when(op("<", read(pot), 3), b.choice(Const(0), add_up)),)
    rules = b.game(b.procedure("play", (), (Repeat(b.loop(), None, None, body, limit=5),), stops=True))
    compiled = compile_game(rules, lay_out(rules))
    assert in_lock_step(compiled, chance_of(rules, 1), 1, traced=True) > 0
    machine = Interpreter(compiled, chance_of(rules, 1))
    machine.begin(2, {})
    machine.answer(Seat(0), (0, 2))
    with pytest.raises(RunawayRules, match="5"):
        machine.answer(Seat(0), (0, 2))


TEXTS = {
    "nested": NESTED,
    "dealt": DEALT,
    "out": OUT,
    "deep": DEEP,
    "heirs": HEIRS,
    "superko": SUPERKO,
    "ahead": LOOKED_AHEAD,
}


@pytest.mark.parametrize("name", TEXTS)
def test_what_happens_at_once_and_what_stood_before_go_as_on_the_other_machines(name: str, tmp_path: Path) -> None:
    found = written(TEXTS[name], tmp_path)
    compiled = compile_game(found.ir, found.internals.layout)
    chances = [Seeded(seed, found.ir, found.internals.layout) for seed in range(3)]
    plies = [in_lock_step(compiled, chance, seed, traced=seed == 1, most=60) for seed, chance in enumerate(chances)]
    assert sum(plies) > 6


CROWD = """\
game crowd "Crowd":
  players 4

names p, q: Player; n: 0..9

kind Card "card":
  n: 1..9
  | n    |
  | 1..9 |
names c: Card

each Player has:
  chair: slot for Card
  cried: 0..9 = 0
the game has:
  stack: pile of Card, seen by nobody

setup:
  move {c in Card} to stack
  shuffle(stack)
  for p in players: move 1 of stack to p.chair

action crowd(p, n: 1..3) "Crowd {n}":
  simultaneously for q in players:
    if q == first_player: eliminate(q)
    elif n > 1: move q.chair to p.chair
  if n > 1: move {c in Card} to box

action cry(p, n: 1..3) "Cry": p.cried += n

after eliminate(q):
  q chooses one of cry

play:
  repeat 2 times:
    for p in players by highest p: p chooses one of crowd
"""


def test_zones_that_hold_too_much_after_the_last_call_are_a_fault_though_they_are_emptied_then(tmp_path: Path) -> None:
    found = written(CROWD, tmp_path)
    compiled, chance = compile_game(found.ir, found.internals.layout), Seeded(1, found.ir, found.internals.layout)
    one, other = Interpreter(compiled, chance), GeneratedMachine(compiled, chance)
    machines: tuple[Machine, ...] = one, other, ReferenceMachine(found.ir, chance, found.internals.layout)
    alike(machines, lambda machine: machine.begin(4, {}))
    for seat in (3, 0):
        assert one.pending is not None
        assert one.pending.seats == (Seat(seat),)
        fault = alike(machines, lambda machine, seat=seat: machine.answer(Seat(seat), (0, 2)))  # type: ignore[misc]
    assert "would hold 3; it holds at most 1" in str(fault)
    assert one.row == other.row


def test_after_a_fault_in_what_happens_at_once_a_machine_takes_another_row_as_a_new_one_does() -> None:
    b = Build("after", ("red", "blue", "green"))
    pot, log = b.state("pot", IntType(0, 9)), b.state("log", IntType(0, 9))
    n, x, y = b.variable("n", IntType(0, 9)), b.variable("x", b.player), b.variable("y", b.player)
    note = b.procedure("note", (y,), (add(log, by=op("+", y, 1)),))
    everybody = Source(read(b.all_players))
    body = (Simultaneous(x, everybody, None, (Defer(note, (Local(x.id),)), add(pot, by=n))),)
    put_in = Branch("put_in", 0, (Parameter(n, Source(op("range", 0, 9))),), (), body)
    ask = b.choice(Const(0), put_in)
    rules = b.game(b.procedure("play", (), (Repeat(b.loop(), None, None, (ask,)),), stops=True))
    machine = Interpreter(compile_game(rules, lay_out(rules)), chance_of(rules, 1))
    machine.begin(3, {})
    before = machine.row[:]
    with pytest.raises(RangeViolation, match="`pot` would become 12"):
        machine.answer(Seat(0), (0, 4))
    machine.row = before
    machine.answer(Seat(0), (0, 1))
    assert machine.row[machine.layout.states[log]] == 1 + 2 + 3
    with pytest.raises(RangeViolation, match="`log` would become 12"):
        machine.answer(Seat(0), (0, 1))
    assert machine.at_once is None


# ------------------------------------------------------------------ in turns


def in_turns(compiled: Compiled, chance: Chance, seed: int, most: int) -> int:
    """Plays a random game on new machines of both sorts in turns, and on one generated machine; returns the answers."""
    rng, alone = random.Random(seed), GeneratedMachine(compiled, chance)
    sorts = Interpreter, GeneratedMachine
    alone.begin(compiled.game.players[1], {})
    row = alone.row[:]
    for answers in range(most):
        if alone.pending is None:
            return answers
        machine = rng.choice(sorts)(compiled, chance)
        machine.row = row[:]
        assert machine.pending == alone.pending
        seat = rng.choice(alone.pending.seats)
        answer = rng.choice(listed(alone, seat))
        assert attempt(machine.answer, seat, answer) == attempt(alone.answer, seat, answer)
        assert machine.row == alone.row
        row = machine.fork().row
    return most


@pytest.mark.long
@pytest.mark.parametrize("name", [*TEXTS, *SHIPPED])
def test_either_machine_goes_on_where_the_other_stopped(name: str, tmp_path: Path) -> None:
    found = written(TEXTS[name], tmp_path) if name in TEXTS else api.load(name)
    compiled = compile_game(found.ir, found.internals.layout)
    chances = [Seeded(seed, found.ir, found.internals.layout) for seed in range(3)]
    assert sum(in_turns(compiled, chance, seed, 80) for seed, chance in enumerate(chances)) > 6


@pytest.mark.parametrize("name", GAMES)
def test_either_machine_goes_on_where_the_other_stopped_in_a_small_game(name: str) -> None:
    rules = GAMES[name]()
    compiled = compile_game(rules, lay_out(rules))
    assert sum(in_turns(compiled, chance_of(rules, seed), seed, 80) for seed in range(4)) > 9


def test_a_row_that_is_laid_out_is_run_from_the_block_at_which_the_game_begins() -> None:
    rules = GAMES["sealed"]()
    compiled = compile_game(rules, lay_out(rules))
    one, other = (Interpreter(compiled, chance_of(rules, 1)) for _ in range(2))
    one.begin(3, {})
    other.lay_out(3, {})
    assert other.pending is None
    other.run_from(compiled.control.blocks.entries[rules.main])
    assert (other.row, other.meter.spent) == (one.row, one.meter.spent)


def test_a_fork_goes_its_own_way() -> None:
    rules = GAMES["sealed"]()
    machine = Interpreter(compile_game(rules, lay_out(rules)), chance_of(rules, 1))
    machine.begin(3, {})
    before, copy = machine.row[:], machine.fork()
    copy.answer(Seat(1), (0, 2))
    assert machine.row == before != copy.row
    assert copy.pending == Pending(0, (Seat(0), Seat(2)))


def test_a_fault_ends_the_game_and_leaves_no_question() -> None:
    b = Build("faulty")
    here = b.site()
    fuel = b.state("fuel", IntType(0, 9))
    n = b.variable("n", IntType(1, 9))
    burn = Branch("burn", 0, (Parameter(n, Source(op("range", 1, 9))),), (), (add(fuel, by=op("neg", n), site=here),))
    rules = b.game(b.procedure("play", (), (b.choice(Const(0), burn),), stops=True))
    machine = Interpreter(compile_game(rules, lay_out(rules)), chance_of(rules, 1))
    machine.begin(2, {})
    with pytest.raises(RangeViolation, match="`fuel` would become -4") as caught:
        machine.answer(Seat(0), (0, 4))
    assert caught.value.site == here
    assert machine.pending is None
    assert not any(machine.row[machine.layout.size :])
