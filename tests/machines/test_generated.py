"""The generated machine: what it does by itself, and in lock step with the reference."""

from __future__ import annotations

import linecache
import random
from collections.abc import Callable, Sequence

import attrs
import pytest

from rulelang.errors import NoOption, RangeViolation, RunawayRules, RuntimeRules
from rulelang.ir.model import (
    And,
    Bind,
    Branch,
    Call,
    CallValue,
    Column,
    Const,
    Defer,
    GameRules,
    Local,
    Loop,
    Parameter,
    Repeat,
    Roll,
    Simultaneous,
    Source,
    Stop,
    ValueCase,
)
from rulelang.ir.model.vocabulary import AssignOperator
from rulelang.ir.numbers import Seat
from rulelang.ir.types import NONE, IntType
from rulelang.machines.generated import GeneratedMachine
from rulelang.machines.machine import Answer, Machine, Pending, Refusal
from rulelang.program.layout import OUTCOME, OUTCOME_RULE, WINNER, lay_out
from rulelang.program.packing import items, members
from rulelang.program.python.compiled import Compiled, compile_game
from tests.games.in_ir import GAMES, Build, StubChance, add, drawing, need, nim, op, put, read, sealed, tokens, when
from tests.generators.ir import random_game
from tests.oracle.reference import ReferenceMachine
from tests.seeds import few_of


class Recorder:
    """A trace that keeps what it is told, each time with the position that the machine shows it."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.size = machine, machine.layout.size
        self.told: list[tuple[object, ...]] = []

    def __getattr__(self, name: str) -> Callable[..., None]:
        def tell(*arguments: object) -> None:
            kept = arguments[:2] if name == "enter_phase" else arguments
            self.told.append((name, *kept, tuple(self.machine.row[: self.size])))

        return tell


def generated(game: GameRules, seed: int = 1, compiled: Compiled | None = None) -> GeneratedMachine:
    layout = lay_out(game)
    return GeneratedMachine(compiled or compile_game(game, layout), StubChance(seed, layout.counters))


def reference(game: GameRules, seed: int = 1) -> ReferenceMachine:
    layout = lay_out(game)
    return ReferenceMachine(game, StubChance(seed, layout.counters), layout)


def started(game: GameRules, seed: int = 1) -> GeneratedMachine:
    machine = generated(game, seed)
    machine.begin(len(game.seats), {})
    return machine


def value(machine: Machine, name: str, index: int = 0) -> int:
    state = next(state.id for state in machine.game.states if state.name == name)
    return machine.row[machine.layout.states[state] + index]


def outcome(act: Callable[[], None]) -> str:
    """Acts, and returns what went wrong."""
    try:
        act()
    except RuntimeRules as error:
        return f"{type(error).__name__} {error} at {error.site}"
    return ""


def listed(machine: Machine, seat: int) -> list[Answer] | str:
    """Returns a seat's options, or what went wrong with them."""
    try:
        return list(machine.options(Seat(seat)))
    except RuntimeRules as error:
        return str(error)


def answered(machine: Machine, seat: int, answer: Answer) -> str:
    """Answers, and returns what went wrong."""
    return outcome(lambda: machine.answer(Seat(seat), answer))


def play_in_lock_step(game: GameRules, seed: int, *, traced: bool, compiled: Compiled | None = None) -> int:
    """Plays a random game on both machines, comparing everything at every choice; returns how many answers it took."""
    one, other = generated(game, seed, compiled), reference(game, seed)
    size = one.layout.size
    told, wanted = Recorder(one), Recorder(other)
    if traced:
        one.trace, other.trace = told, wanted
    rng = random.Random(seed)
    players = rng.randint(min(2, len(game.seats)), len(game.seats))
    assert outcome(lambda: one.begin(players, {})) == outcome(lambda: other.begin(players, {}))
    answers = 0
    while True:
        assert one.row[:size] == other.row
        assert one.pending is None or one.spent == other.meter.spent
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
        assert answered(one, seat, answer) == answered(other, seat, answer)
        answers += 1


def strange_answers(game: GameRules, choice: int, rng: random.Random) -> list[Answer]:
    """Returns answers of every kind, most of them illegal."""
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


@pytest.mark.parametrize("seed", few_of(30))
def test_both_machines_play_random_rules_alike(seed: int) -> None:
    game = random_game(seed)
    compiled = compile_game(game, lay_out(game))
    for match in range(2):
        play_in_lock_step(game, match, traced=bool(match), compiled=compiled)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(15))
def test_both_machines_spend_alike_to_the_last_step(seed: int) -> None:
    """Each budget is traced with every second seed: the code is printed for it alone."""
    game = random_game(seed)
    for at, budget in enumerate((1, 7, 40, 150, 400, 1000), start=seed):
        small = attrs.evolve(game, steps=budget)
        compiled = compile_game(small, lay_out(small))
        for match in range(2):
            play_in_lock_step(small, match, traced=bool(at % 2), compiled=compiled)


# ------------------------------------------------------------------ choices


def test_who_takes_the_last_wins_nim() -> None:
    machine = started(nim())
    for taken in (3, 3, 3, 1):
        assert machine.pending is not None
        machine.answer(machine.pending.seats[0], (0, taken))
    assert machine.pending == Pending(0, (Seat(0),))
    machine.answer(Seat(0), (0, 2))
    assert machine.pending is None
    assert machine.row[OUTCOME : OUTCOME_RULE + 1] == [WINNER, 0b01, 2]


def test_a_lone_option_is_taken_without_asking() -> None:
    machine = started(nim())
    told = machine.trace = Recorder(machine)
    for taken in (3, 3, 3, 2):
        assert machine.pending is not None
        machine.answer(machine.pending.seats[0], (0, taken))
    assert ("forced", 0, 0, (0, 1)) in [event[:4] for event in told.told]
    assert machine.pending is None


def test_only_the_asked_seat_has_options() -> None:
    machine = started(nim())
    assert list(machine.options(Seat(0))) == [(0, 1), (0, 2), (0, 3)]
    assert list(machine.options(Seat(1))) == []
    assert machine.refusal(Seat(1), (0, 1)) == Refusal(None)


def test_a_refusal_names_the_parameter_or_the_need() -> None:
    machine = started(nim())
    for _ in range(3):
        assert machine.pending is not None
        machine.answer(machine.pending.seats[0], (0, 3))
    machine.answer(Seat(1), (0, 1))
    assert machine.refusal(Seat(0), (0, 3)) == Refusal(0, need=0)
    assert machine.refusal(Seat(0), (0, 4)) == Refusal(0, parameter=0)
    assert machine.refusal(Seat(0), (0,)) == Refusal(0, parameter=0)
    assert machine.refusal(Seat(0), (7, 1)) == Refusal(None)
    assert machine.refusal(Seat(0), (0, 1)) is None


def test_sealed_answers_change_nothing_until_the_last_is_in() -> None:
    machine = started(sealed())
    before = machine.row[: machine.layout.size]
    machine.answer(Seat(2), (0, 4))
    machine.answer(Seat(0), (0, 1))
    assert machine.pending == Pending(0, (Seat(1),))
    assert machine.row[: machine.layout.size] == before
    machine.answer(Seat(1), (0, 2))
    assert [value(machine, "coins", seat) for seat in range(3)] == [3, 2, 0]


def test_who_cannot_answer_in_secret_is_passed_over() -> None:
    machine = started(sealed())
    for seat, bid in ((0, 1), (1, 1), (2, 4)):
        machine.answer(Seat(seat), (0, bid))
    assert machine.pending == Pending(0, (Seat(0), Seat(1)))
    machine.answer(Seat(0), (0, 3))
    machine.answer(Seat(1), (0, 1))
    assert [value(machine, "skipped", seat) for seat in range(3)] == [0, 0, 1]


def test_of_things_that_are_alike_the_lowest_stand_for_all() -> None:
    machine = started(tokens())
    spent = [machine.game.choices[0].branches[0].parameters[0]]
    assert spent[0].interchange is not None
    sets = {option[1] for option in machine.options(Seat(0)) if option[0] == 0}
    assert 0b000001 in sets
    assert 0b000010 not in sets
    assert machine.allows(Seat(0), (0, 0b000010, 1))


def test_after_an_interrupt_the_choice_is_asked_anew() -> None:
    machine = started(tokens())
    machine.answer(Seat(0), (1, 0))
    assert machine.pending == Pending(0, (Seat(0),))
    assert value(machine, "marked", 0) == 1
    assert value(machine, "total", 0) == 0


def test_a_choice_without_option_is_an_error() -> None:
    with pytest.raises(NoOption, match="red must choose"):
        started(asking(Const(0), needs=0))


def test_nobody_can_be_asked() -> None:
    with pytest.raises(NoOption, match="nobody must choose"):
        started(asking(Const(NONE)))


@pytest.mark.long
def test_an_interrupt_that_is_forced_for_ever_is_stopped() -> None:
    with pytest.raises(RunawayRules):
        started(asking(Const(0), interrupt=True))


def asking(who: Const, *, needs: int = 1, interrupt: bool = False) -> GameRules:
    """A game that asks one question with one option."""
    b = Build("asking")
    branch = Branch("only", 0, (), (need(Const(needs)),), (), interrupt=interrupt)
    return b.game(b.procedure("play", (), (b.choice(who, branch),), stops=True))


# ------------------------------------------------------------------ piles


def test_a_pile_that_runs_empty_is_refilled_and_nothing_is_lost() -> None:
    machine = started(drawing(), seed=5)
    told = machine.trace = Recorder(machine)
    while machine.pending is not None:
        machine.answer(machine.pending.seats[0], next(iter(machine.options(machine.pending.seats[0]))))
        held: list[Sequence[int]] = [members(machine.row[slot]) for slot in zone_slots(machine, "hand")]
        held += [items(machine.row[slot]) for name in ("deck", "discards") for slot in zone_slots(machine, name)]
        held += [[machine.row[slot]] for slot in zone_slots(machine, "aside") if machine.row[slot] != NONE]
        assert sorted(thing for things in held for thing in things) == list(range(7))
    assert any(event[0] == "shuffle" for event in told.told)


def zone_slots(machine: Machine, name: str) -> range:
    zone = next(zone.id for zone in machine.game.zones if zone.name == name)
    first = machine.layout.zones[zone]
    return range(first, first + machine.layout.zone_sizes[zone])


# ------------------------------------------------------------------ at once


def at_once(*changes: tuple[int, int | None], operator: AssignOperator = "+", fuel: int = 3) -> GeneratedMachine:
    """Runs passes that each change one variable, by an amount, with a lower clamp."""
    b = Build("at_once", ("red", "blue", "green"))
    tank = b.state("fuel", IntType(0, 9), initial=Const(fuel))
    x = b.variable("x", b.player)
    body = tuple(
        when(op("==", x, seat), put(tank, to=amount, operator=operator, least=least))
        for seat, (amount, least) in enumerate(changes)
    )
    play = b.procedure("play", (), (Simultaneous(x, Source(read(b.all_players)), None, body),))
    return started(b.game(play))


def test_hits_are_added_up_and_clamped_once() -> None:
    assert value(at_once((-2, 0), (-2, 0)), "fuel") == 0
    assert value(at_once((-5, 0), (4, 0)), "fuel") == 2
    assert value(at_once((-5, None), (4, None)), "fuel") == 2


def test_what_leaves_its_range_at_once_is_refused() -> None:
    with pytest.raises(RangeViolation, match=r"`fuel` would become -1; it holds 0\.\.9"):
        at_once((-2, None), (-2, None))


def test_passes_must_agree() -> None:
    assert value(at_once((5, None), (5, None), operator="="), "fuel") == 5
    with pytest.raises(RangeViolation, match="`fuel` is changed in different ways at once"):
        at_once((5, None), (6, None), operator="=")
    with pytest.raises(RangeViolation, match="`fuel` is clamped in different ways at once"):
        at_once((-1, 0), (-1, 1))


def test_deferred_calls_run_after_the_block_in_pass_order() -> None:
    b = Build("deferred", ("red", "blue", "green"))
    log = b.state("log", IntType(0, 999))
    x, p = b.variable("x", b.player), b.variable("p", b.player)
    note = b.procedure("note", (p,), (put(log, to=op("+", op("*", read(log), 10), op("+", p, 1))),))
    calls = (Defer(note, (Local(x.id),)), add(log, by=0))
    play = b.procedure("play", (), (Simultaneous(x, Source(read(b.all_players)), op("!=", x, 1), calls),))
    assert value(started(b.game(play)), "log") == 13


def test_deferred_calls_may_ask() -> None:
    b = Build("deferred_asking", ("red", "blue", "green"))
    given = b.of_player("given", IntType(0, 9))
    x, p, n = b.variable("x", b.player), b.variable("p", b.player), b.variable("n", IntType(1, 3))
    give = Branch("give", 0, (Parameter(n, Source(op("range", 1, 3))),), (), (put(given, p, to=n),))
    gives = b.procedure("gives", (p,), (b.choice(Local(p.id), give),), stops=True)
    block = Simultaneous(x, Source(read(b.all_players)), op("!=", x, 1), (Defer(gives, (Local(x.id),)),))
    machine = started(b.game(b.procedure("play", (), (block,), stops=True)))
    assert machine.pending == Pending(0, (Seat(0),))
    machine.answer(Seat(0), (0, 2))
    assert machine.pending == Pending(0, (Seat(2),))
    machine.answer(Seat(2), (0, 3))
    assert machine.pending is None
    assert [value(machine, "given", seat) for seat in range(3)] == [2, 0, 3]
    assert machine.row[machine.layout.size :] == machine.compiled.idle


# ------------------------------------------------------------------ loops and values


def test_stop_leaves_the_loop_it_names() -> None:
    b = Build("loops")
    rounds = b.state("rounds", IntType(0, 99))
    outer, inner = b.loop(), b.loop()
    x, y = b.variable("x", IntType(0, 3)), b.variable("y", IntType(0, 3))
    body = (add(rounds, by=1), when(And((op("==", x, 1), op("==", y, 2))), Stop(outer)))
    loops = Loop(
        outer, x, Source(op("range", 0, 3)), (), None, (Loop(inner, y, Source(op("range", 0, 3)), (), None, body),)
    )
    count = b.procedure("count", (), (loops,))
    machine = started(b.game(b.procedure("play", (), (Call(count, ()), Call(count, ())))))
    assert value(machine, "rounds") == 14


def test_a_loop_without_end_is_stopped() -> None:
    b = Build("endless")
    spin = b.procedure("spin", (), (Repeat(b.loop(), None, None, ()),))
    with pytest.raises(RunawayRules, match="more than 8,000,000 steps without a choice"):
        started(b.game(b.procedure("play", (), (Call(spin, ()),))))


def test_a_value_that_calls_itself_too_deep_is_stopped() -> None:
    b = Build("deep")
    n = b.variable("n", IntType(0, 99))
    down = b.value("down", (n,), IntType(0, 99), ValueCase(None, CallValue(0, (op("-", n, 1),))), deep=6)
    state = b.state("n", IntType(0, 99))
    with pytest.raises(RunawayRules, match="`down` calls itself more than 6 deep"):
        started(b.game(b.procedure("play", (), (put(state, to=CallValue(down, (Const(9),))),))))


def test_a_number_out_of_range_is_told_with_its_line() -> None:
    b = Build("range")
    fuel = b.of_player("fuel", IntType(0, 99), Const(98))
    here, there = b.site(), b.site()
    p = b.variable("p", b.player)
    pay = b.procedure("pay", (p,), (add(fuel, p, by=5, site=here),))
    game = b.game(b.procedure("play", (), (Call(pay, (Const(0),), site=there),)))
    with pytest.raises(RangeViolation, match=r"`fuel` of red would become 103; it holds 0\.\.99") as caught:
        started(game)
    assert caught.value.site == here


def test_what_is_checked_in_one_branch_is_not_taken_for_known_after_it() -> None:
    b = Build("branches")
    fuel = b.of_player("fuel", IntType(0, 9), Const(4))
    leader = b.state("leader", b.player.or_none())
    seen = b.state("seen", IntType(0, 9, optional=True))
    p = b.variable("p", b.player.or_none())
    body = (
        Bind(p, read(leader)),
        when(op("!=", p, NONE), put(fuel, p, to=1)),
        put(seen, to=read(fuel, p, safe=False)),
    )
    machine = started(b.game(b.procedure("play", (), body)))
    assert value(machine, "seen") == NONE


# ------------------------------------------------------------------ rows and text


def test_a_fork_goes_its_own_way() -> None:
    machine = started(sealed())
    machine.answer(Seat(0), (0, 1))
    fork = machine.fork()
    fork.answer(Seat(1), (0, 1))
    fork.answer(Seat(2), (0, 1))
    assert machine.pending == Pending(0, (Seat(1), Seat(2)))
    assert value(machine, "coins") == 4
    assert value(fork, "coins") == 3


def test_the_control_state_is_idle_when_the_game_is_over() -> None:
    for build in GAMES.values():
        machine = started(build())
        machine.play_on(1, 10_000)
        assert machine.row[machine.layout.size :] == machine.compiled.idle


def test_positions_reached_on_two_ways_have_equal_rows() -> None:
    one, other = started(sealed()), started(sealed())
    for seat in (0, 1, 2):
        one.answer(Seat(seat), (0, 1))
    for seat in (2, 0, 1):
        other.answer(Seat(seat), (0, 1))
    assert one.row == other.row


def test_no_word_of_the_rules_becomes_code() -> None:
    hostile = 'x\nimport os #\u2028\x1b[31m\'"""'
    b = Build("hostile", (hostile, "blue"))
    state = b.state(hostile, IntType(0, 9))
    table = b.table(hostile, (IntType(0, 1),), IntType(0, 9), (1, 2))
    n = b.variable(hostile, IntType(0, 1))
    die = b.die(hostile, (1, 2))
    act = b.procedure(hostile, (n,), (put(state, to=Column(table, (Local(n.id),))), add(state, by=Roll(Const(die)))))
    choice = b.choice(
        Const(0), Branch(hostile, 0, (Parameter(n, Source(op("range", 0, 1))),), (), (Call(act, (Local(n.id),)),))
    )
    game = b.game(b.procedure("play", (), (choice,), stops=True))
    compiled = compile_game(game, lay_out(game))
    for traced in (False, True):
        assert compiled.source(traced).isascii()
        assert "import os" not in {line.strip() for line in compiled.source(traced).splitlines()}
        assert not any(
            word in line.partition("#")[0] for line in compiled.source(traced).splitlines() for word in ("os", "31m")
        )
    machine = generated(game, 1, compiled)
    machine.begin(2, {})
    machine.answer(Seat(0), (0, 1))
    assert value(machine, hostile) in (3, 4)


def test_the_text_is_there_for_tracebacks() -> None:
    machine = started(nim())
    code = machine.compiled.untraced.code.options[0].__code__
    line = linecache.getline(code.co_filename, code.co_firstlineno)
    assert line.startswith(f"def {code.co_name}(")
    assert line in machine.compiled.source()
