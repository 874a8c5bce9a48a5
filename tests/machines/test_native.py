"""The native machine: ply by ply the generated one, as far as it goes; and what it says where it does not."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from ctypes import CFUNCTYPE, c_int64
from pathlib import Path
from typing import Any

import pytest

from rulelang import api
from rulelang.cache import users_folder
from rulelang.errors import RulelangError, Unsupported
from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Seat
from rulelang.lab.bots import Bot, bot, looks_ahead
from rulelang.machines.chance import Dice, Scripted, Seeded, stream_keys
from rulelang.machines.executors import Settles
from rulelang.machines.generated import GeneratedMachine
from rulelang.machines.machine import Answer, Machine
from rulelang.playouts.playout import playout
from rulelang.playouts.rng import RandomStream
from rulelang.playouts.stepping import Stepped
from rulelang.program import low
from rulelang.program.blocks import cut
from rulelang.program.control import control
from rulelang.program.layout import lay_out
from rulelang.program.low.passes.playouts import for_machine_code
from rulelang.program.python.compiled import compile_game
from rulelang.program.results import LEFT_OVER, ManyGames
from rulelang.session import table
from tests.files import CLASSICS, SMALL_GAMES, TESTS
from tests.fuzz import executors
from tests.games.written import game
from tests.generators.board_ir import board_game, game_in_turns
from tests.generators.ir import random_game
from tests.machines.attempts import attempt
from tests.oracle.reference import ReferenceMachine
from tests.seeds import rest_long

pytest.importorskip("llvmlite")

from rulelang.machines.native.code import made
from rulelang.machines.native.engine import loaded
from rulelang.machines.native.machine import NativeMachine
from rulelang.machines.native.optimiser import OPTIMISED, PLAIN, object_code

CARDS = (
    "classics/kuhn",
    "redeals/leduc",
    "redeals/leduc_stakes",
    "redeals/whist",
    "redeals/dice",
    "redeals/guessing",
    "games/stack",
    "games/hop",
    "games/tavern",
    "redeals/passing",
)
SHIPPED = ("empty_space", "exit_velocity", "exobase", "outspeed")
BOARDS = ("breakthrough", "connect_four", "nim", "othello", "pig", "tic_tac_toe")


pytestmark = [pytest.mark.usefixtures("every_step_is_counted", "code_is_optimised"), pytest.mark.optimised]


def listed(machine: Machine, seat: int) -> list[Answer]:
    return list(machine.options(Seat(seat)))


def in_lock_step(one: Machine, other: Machine, seed: int, most: int = 200) -> int:
    """Plays a random game on both, comparing all there is; returns how many answers it took."""
    rng = random.Random(seed)
    players = rng.randint(*other.game.players)
    assert attempt(one.begin, players, {}) == attempt(other.begin, players, {})
    for answers in range(most):
        assert one.row == other.row
        assert one.pending == other.pending
        if other.pending is None:
            return answers
        assert (one.left, one.over) == (other.left, other.over)  # type: ignore[attr-defined]
        seat = rng.choice(other.pending.seats)
        found = attempt(listed, one, seat)
        assert found == attempt(listed, other, seat)
        assert attempt(listed, one, seat + 1) == attempt(listed, other, seat + 1)
        if not isinstance(found, list) or not found:
            return answers
        answer = rng.choice(found)
        assert attempt(one.answer, seat, answer) == attempt(other.answer, seat, answer)
    return most


@pytest.mark.parametrize("name", rest_long(BOARDS, "nim"))
def test_a_board_game_goes_ply_by_ply_as_on_the_generated_machine(name: str) -> None:
    game = api.load(CLASSICS / f"{name}.rules")
    chance = Seeded(1, game.ir, game.internals.layout)
    for seed in range(10):
        assert (
            in_lock_step(game.internals.machine("native")(chance), game.internals.machine("generated")(chance), seed)
            > 3
        )


@pytest.mark.long
@pytest.mark.parametrize("name", CARDS)
def test_a_game_of_cards_and_secrets_goes_ply_by_ply_as_on_the_generated_machine(name: str) -> None:
    game = api.load(TESTS / f"{name}.rules")
    for seed in range(8):
        chance = Seeded(seed, game.ir, game.internals.layout)
        assert (
            in_lock_step(game.internals.machine("native")(chance), game.internals.machine("generated")(chance), seed)
            > 0
        )


@pytest.mark.long
@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_game_goes_ply_by_ply_and_in_one_go_as_on_the_generated_machine(name: str) -> None:
    game = api.load(name)
    native_machine, generated_machine = game.internals.machine("native"), game.internals.machine("generated")
    for seed in range(3):
        chance = Seeded(seed, game.ir, game.internals.layout)
        one, other = native_machine(chance), generated_machine(chance)
        assert in_lock_step(one, other, seed, 60) > 3
        rngs = RandomStream("game", seed), RandomStream("game", seed)
        assert playout(one, rngs[0], 200) == playout(other, rngs[1], 200)
        assert (one.row, rngs[0].word) == (other.row, rngs[1].word)


@pytest.mark.long
def test_chess_goes_ply_by_ply_as_on_the_generated_machine() -> None:
    game = api.load(TESTS / "perft" / "chess.rules")
    chance = Seeded(1, game.ir, game.internals.layout)
    assert (
        in_lock_step(game.internals.machine("native")(chance), game.internals.machine("generated")(chance), 1, 40) > 3
    )


def machines(game: GameRules, seed: int) -> tuple[NativeMachine, GeneratedMachine]:
    layout = lay_out(game)
    compiled = compile_game(game, layout)
    code = made(compiled)
    code.settle()
    chance = Seeded(seed, game, layout)
    return NativeMachine(code, chance), GeneratedMachine(compiled, chance)


@pytest.mark.long
def test_random_games_go_ply_by_ply_as_on_the_generated_machine_faults_included() -> None:
    plies = 0
    for seed in range(12):
        try:
            one, other = machines(board_game(seed), seed)
        except Unsupported:
            continue
        for again in range(3):
            plies += in_lock_step(one.fork(), other.fork(), again)
    assert plies > 40


@pytest.mark.long
def test_random_games_in_which_things_happen_at_once_go_as_on_the_generated_machine_faults_included() -> None:
    plies = 0
    for seed in range(12):
        try:
            one, other = machines(random_game(seed), seed)
        except Unsupported:
            continue
        for again in range(3):
            plies += in_lock_step(one.fork(), other.fork(), again)
    assert plies > 10


@pytest.mark.long
@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_game_is_played_by_machine_code_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = api.load(name)
    machine = game.internals.machine("native")(Seeded(3, game.ir, game.internals.layout))
    for step in ("begin", "answer", "options"):
        monkeypatch.setattr(GeneratedMachine, step, lambda *_: pytest.fail("the generated machine was asked"))
    machine.begin(game.players[0], {})
    assert playout(machine, RandomStream("alone"), 300) > 30


@pytest.mark.parametrize("name", rest_long(SHIPPED, "outspeed"))
def test_options_that_are_all_found_at_once_come_as_a_list_of_the_callers_own(name: str) -> None:
    game = api.load(name)
    machine = game.internals.machine("native")(Seeded(3, game.ir, game.internals.layout))
    machine.begin(game.players[0], {})
    assert machine.pending is not None
    seat = machine.pending.seats[0]
    first, again = machine.options(seat), machine.options(seat)
    assert type(first) is type(again) is list
    again.clear()
    assert machine.options(seat) == first != []


@pytest.mark.long
def test_a_batch_of_playouts_is_the_same_on_both_executors() -> None:
    for name in (*SHIPPED, str(CLASSICS / "pig.rules"), str(TESTS / "redeals" / "leduc.rules")):
        game = api.load(name)
        assert game.playouts(3, seed=5, executor="native", at_most=300) == game.playouts(
            3, seed=5, executor="generated", at_most=300
        )


@pytest.mark.long
def test_random_games_with_zones_go_ply_by_ply_as_on_the_generated_machine_faults_included() -> None:
    plies = 0
    for seed in range(10):
        one, other = machines(game_in_turns(seed), seed)
        for again in range(3):
            plies += in_lock_step(one.fork(), other.fork(), again)
    assert plies > 20


@pytest.mark.parametrize("name", rest_long(BOARDS, "nim", "pig"))
def test_a_random_game_is_the_same_game_in_one_go(name: str) -> None:
    game = api.load(CLASSICS / f"{name}.rules")
    chance = Seeded(1, game.ir, game.internals.layout)
    for seed in range(10):
        for most in (3, 100_000):
            one, other = game.internals.machine("native")(chance), game.internals.machine("generated")(chance)
            rngs = RandomStream("game", seed), RandomStream("game", seed)
            for machine in (one, other):
                machine.begin(game.players[0], {})
            assert playout(one, rngs[0], most) == playout(other, rngs[1], most)
            assert rngs[0].word == rngs[1].word
            assert one.row == other.row


@pytest.mark.long
def test_random_games_of_random_rules_are_the_same_games_in_one_go_faults_included() -> None:
    plies = rewritten = 0
    for seed in range(16):
        game = board_game(seed)
        layout = lay_out(game)
        program = low.lower(game, layout, control(game, layout, cut(game, layout.steps)))
        rewritten += for_machine_code(program) is not None
        machine, generated = machines(game, seed)
        players = game.players[0] + seed % (game.players[1] - game.players[0] + 1)
        begun = attempt(machine.begin, players, {})
        assert begun == attempt(generated.begin, players, {})
        for again in range(3 if begun is None else 0):
            one, other = machine.fork(), generated.fork()
            found = attempt(one.play_on, again, 150)
            assert found == attempt(other.play_on, again, 150)
            assert (one.row, one.pending) == (other.row, other.pending)
            plies += found[0] if isinstance(found, tuple) and isinstance(found[0], int) else 0
    assert rewritten > 8
    assert plies > 50


@pytest.mark.parametrize("name", BOARDS)
def test_random_games_of_a_board_game_are_played_by_machine_code_alone(name: str) -> None:
    game = api.load(CLASSICS / f"{name}.rules")
    machine = game.internals.machine("native")(Seeded(1, game.ir, game.internals.layout))
    assert isinstance(machine, NativeMachine)
    keys = stream_keys((f"1:{number}" for number in range(40)), game.ir)
    assert LEFT_OVER not in machine.play_many(ManyGames(game.players[0], {}, 7, 0, 40, 10_000, keys))[40:80]


def test_a_match_is_the_same_match_traced_or_not_with_its_log() -> None:
    game = api.load(CLASSICS / "othello.rules")
    for traced in (False, True):
        one = game.start(seed=3, executor="native", traced=traced)
        other = game.start(seed=3, executor="generated", traced=traced)
        rng = random.Random(3)
        while one.to_move:
            assert [option.text for option in one.options] == [option.text for option in other.options]
            option = rng.randrange(len(one.options))
            told = one.play(one.options[option]), other.play(other.options[option])
            assert told[0] == told[1]
            assert one.key == other.key
        assert one.outcome == other.outcome
        if traced:
            assert one.log.text == other.log.text


def test_dice_that_do_not_come_from_a_seed_alone_are_thrown_all_the_same() -> None:
    game = api.load(CLASSICS / "pig.rules")
    for chance in (
        Dice(1, game.ir, game.internals.layout),
        Scripted(Seeded(1, game.ir, game.internals.layout), game.ir, game.internals.layout),
    ):
        for seed in range(3):
            assert (
                in_lock_step(
                    game.internals.machine("native")(chance), game.internals.machine("generated")(chance), seed
                )
                > 3
            )
    one, other = (game.start(seed=5, executor=executor, traced=False) for executor in ("native", "generated"))
    for _ in range(40):
        one.play(one.options[0])
        other.play(other.options[0])
        assert one.key == other.key


@pytest.mark.parametrize("name", rest_long(["classics/pig", "redeals/leduc", "games/tavern"], "classics/pig"))
def test_dice_and_shuffles_of_a_match_are_drawn_by_machine_code_and_can_still_be_read(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = api.load(TESTS / f"{name}.rules")
    one, other = (game.start(seed=5, executor=executor) for executor in ("native", "generated"))
    asked, drawn = list[object](), 0
    for step in ("begin", "answer"):
        was = getattr(GeneratedMachine, step)

        def counted(machine: GeneratedMachine, *given: object, was: Callable[..., None] = was) -> None:
            asked.extend([machine] if isinstance(machine, NativeMachine) else [])
            was(machine, *given)

        monkeypatch.setattr(GeneratedMachine, step, counted)
    rng = random.Random(5)
    for _ in range(60):
        assert one.drawn == other.drawn
        assert one.position.row == other.position.row
        drawn += len(one.drawn)
        if not one.to_move:
            break
        option = rng.randrange(len(one.options))
        one.push(one.options[option])
        other.push(other.options[option])
    assert drawn > 0
    assert asked == []
    assert one.log.text == other.log.text


def test_draws_that_nobody_reads_are_not_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    match, steps = api.load(CLASSICS / "pig.rules").start(seed=5, executor="native", traced=False), list[object]()
    was = GeneratedMachine.answer

    def counted(machine: GeneratedMachine, *given: object) -> None:
        steps.append(machine)
        was(machine, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(GeneratedMachine, "answer", counted)
    for _ in range(30):
        match.push(match.options[0])
    assert steps == []
    assert len(match.drawn) == len(steps) == 1


def test_a_fork_goes_its_own_way() -> None:
    game = api.load(CLASSICS / "nim.rules")
    machine = game.internals.machine("native")(Seeded(1, game.ir, game.internals.layout))
    machine.begin(2, {})
    before, copy = list(machine.row), machine.fork()
    copy.answer(Seat(0), next(iter(copy.options(Seat(0)))))
    assert machine.row == before != copy.row


def test_a_row_that_was_written_to_counts_and_one_that_was_looked_at_is_as_before() -> None:
    game = api.load(CLASSICS / "nim.rules")
    machine = game.internals.machine("native")(Seeded(0, game.ir, game.internals.layout))
    machine.begin(2, {})
    options = listed(machine, 0)
    held = game.internals.layout.states[next(state.id for state in game.ir.states if state.name == "heap")]
    copy = machine.fork()
    assert copy.row[held] > 1
    assert listed(copy, 0) == options
    copy.row[held] = 1
    assert len(listed(copy, 0)) < len(options)
    assert len(listed(copy.fork(), 0)) < len(options)
    assert listed(machine, 0) == options


def test_options_of_one_row_are_listed_once_however_often_its_forks_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    game = api.load(CLASSICS / "nim.rules")
    machine = game.internals.machine("native")(Seeded(0, game.ir, game.internals.layout))
    machine.begin(2, {})
    options = listed(machine, 0)
    with monkeypatch.context() as patch:
        patch.setattr(NativeMachine, "_load", lambda self, words: pytest.fail("listed again"))
        assert listed(machine, 0) == listed(machine.fork(), 0) == options
    assert listed(machine, 1) == []
    machine.answer(Seat(0), options[0])
    assert listed(machine, 0) == []
    assert listed(machine, 1)


@pytest.mark.long
def test_a_random_game_goes_on_where_machine_code_gives_up_in_the_middle(tmp_path: Path) -> None:
    path = tmp_path / "more.rules"
    path.write_text(MANY.replace('"Add {n} and {m}":', '"Add {n} and {m}":\n  needs total > 40 or n + m < 9'))
    game = api.load(path)
    for seed in range(2):
        found = []
        for executor in ("native", "generated"):
            machine, rng = (
                game.internals.machine(executor)(Seeded(1, game.ir, game.internals.layout)),
                RandomStream(seed),
            )
            machine.begin(2, {})
            found.append((playout(machine, rng), machine.row, rng.word))
        assert found[0] == found[1]
        assert found[0][0] > 4


@pytest.mark.long
def test_more_options_than_machine_code_lists_are_still_listed(tmp_path: Path) -> None:
    path = tmp_path / "many.rules"
    path.write_text(MANY)
    game = api.load(path)
    chance = Seeded(1, game.ir, game.internals.layout)
    one, other = game.internals.machine("native")(chance), game.internals.machine("generated")(chance)
    assert in_lock_step(one, other, 1) > 1
    assert len(list(api.load(path).start(seed=1, executor="native").options)) == 80 * 80


MANY = """\
game many "Many":
  players 2

the game has:
  total: 0..100000

action add(p: Player, n: 1..80, m: 1..80) "Add {n} and {m}":
  total += n * m

play:
  turns p from first_player:
    p chooses one of add
    if total > 4000: finish with winner p
"""


@pytest.mark.usefixtures("refuses_histories")
def test_a_game_that_cannot_be_compiled_yet_says_why() -> None:
    with pytest.raises(RulelangError, match=r"cannot run .* yet: it has positions; take"):
        api.load(SMALL_GAMES / "echo.rules").start(executor="native")


def test_without_llvmlite_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    with pytest.raises(RulelangError, match=r"rulelang\[native\]"):
        api.load(CLASSICS / "nim.rules").start(executor="native")


def test_machine_code_is_kept_and_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))
    path = CLASSICS / "nim.rules"
    first = api.load(path)
    before = set(users_folder().glob("code-*.bin"))
    first.internals.machine("native")
    assert len({*users_folder().glob("code-*.bin")} - before) == 2  # the code, and that there is some
    monkeypatch.setattr("rulelang.machines.native.compiler.object_code", lambda *_: pytest.fail("compiled again"))
    monkeypatch.setattr("rulelang.machines.native.code.Optimising", lambda *_: pytest.fail("optimised again"))
    monkeypatch.setattr(low, "lower", lambda *_: pytest.fail("lowered again"))
    again = api.load(path)
    chance = Seeded(1, again.ir, again.internals.layout)
    assert in_lock_step(again.internals.machine("native")(chance), again.internals.machine("generated")(chance), 1) > 3


def test_a_start_without_machine_code_does_not_load_llvm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("rulelang.machines.native.engine.binding", lambda: pytest.fail("LLVM was loaded"))
    assert api.load("outspeed").start(seed=1).options


def test_without_llvmlite_the_fastest_executor_is_generated_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulelang.machines.executors.find_spec", lambda name: None)
    match = api.load(CLASSICS / "breakthrough.rules").start(seed=1)
    assert type(match.position.machine) is GeneratedMachine


@pytest.mark.parametrize(("name", "is_small"), [("tic_tac_toe", True), ("breakthrough", False)])
def test_a_match_of_small_rules_is_played_in_python_though_machine_code_is_ready(
    name: str, is_small: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = api.load(CLASSICS / f"{name}.rules")
    assert game.is_small == is_small
    game.internals.machine("native")
    assert isinstance(game.start(seed=1).position.machine, NativeMachine) is not is_small
    assert isinstance(game.start(seed=1, executor="native").position.machine, NativeMachine)
    begun: list[Stepped | None] = []
    begin = NativeMachine.begin_many

    def watched(machine: NativeMachine, *given: Any) -> Stepped | None:
        begun.append(begin(machine, *given))
        return begun[-1]

    monkeypatch.setattr(NativeMachine, "begin_many", watched)
    game.play_batch(2)
    assert len(begun) == 1
    assert begun[0] is not None


def test_after_many_matches_small_rules_are_played_in_machine_code_and_go_as_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("rulelang.api.internals.PLAYED_IN_PYTHON", 2)
    game = api.load(CLASSICS / "pig.rules")
    first = [game.start(seed=7) for _ in range(2)]
    assert all(type(match.position.machine) is GeneratedMachine for match in first)
    game.start(seed=7)
    prepared = game.internals.machine("auto")
    assert isinstance(prepared, Settles)
    prepared.settle()
    later, rng = game.start(seed=7), random.Random(7)
    assert type(later.position.machine) is NativeMachine
    while first[0].to_move:
        option = rng.choice(list(first[0].options))
        assert option in later.options
        first[0].push(option)
        later.push(option)
    assert later.journal == first[0].journal


def test_matches_that_several_threads_step_go_as_alone() -> None:
    game = api.load(CLASSICS / "pig.rules")
    game.internals.machine("native")

    def played(seed: int) -> list[int]:
        match, rng = game.start(seed=seed, executor="native", traced=False), random.Random(seed)
        while match.to_move:
            match.push(rng.choice(list(match.options)))
        return match.position.row[:]

    alone, interval = [played(seed) for seed in range(40)], sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            assert list(threads.map(played, range(40))) == alone
    finally:
        sys.setswitchinterval(interval)


@pytest.mark.parametrize("seats", [(None, None), (bot("random"), None), (bot("greedy"), None), (None, bot("mcts:9"))])
def test_a_table_has_machine_code_for_bots_that_look_ahead_alone(seats: tuple[Bot | None, ...]) -> None:
    match = table.begin(api.load(CLASSICS / "breakthrough.rules"), "breakthrough", 2, seats).match
    assert isinstance(match.position.machine, NativeMachine) == any(map(looks_ahead, seats))


def test_options_are_those_of_a_set_up_that_machine_code_left_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    game = api.load(CLASSICS / "nim.rules")
    one, other = (
        game.internals.machine(executor)(Seeded(1, game.ir, game.internals.layout))
        for executor in ("native", "generated")
    )
    with monkeypatch.context() as patched:
        patched.setattr(NativeMachine, "_took", lambda *_: False)
        one.begin(2, {})
    other.begin(2, {})
    assert list(one.options(Seat(0))) == list(other.options(Seat(0))) != []


NARROW = """game narrow "Narrow":
  players 2
  seats red, blue

names p: Player

the game has:
  n: 0..99 = 0
  m: 0..20 = 0

action never(p, a: 1..3, b: 1..3) "Never {a} {b}":
  needs n > 99 "Not yet"
  n = 0
action one(p) "One":
  needs n % 3 != 1 "Not now"
  n += 1
action two(p) "Two":
  needs n % 3 != 2 "Not now"
  n += 2
  m += 1

play:
  turns p from first_player:
    p chooses one of never, one, two
    if m >= 5: stop
  finish with winner first_player
"""
"""The longest answer is never legal, and a lone one is taken."""


def test_a_lone_answer_is_taken_where_a_longer_one_is_never_legal() -> None:
    game = api.check_text(NARROW).game
    assert game is not None
    assert list(game.start(executor="native", traced=False).options)
    assert game.playouts(20, executor="native").lengths == game.playouts(20, executor="generated").lengths


IN_A_ROW = """
names p: Player
the game has:
  heap: 1..6 = 1
  total: 0..9999 = 0
action take(p, n: 1..6):
  needs n == heap
  total += count(k in 1..40 if k * k % 7 + k % 5 < n), at most 9999
  heap = heap % 6 + 1
action rest(p): total += 1
play:
  turns p from first_player:
    p chooses one of take
    p chooses one of take
    p chooses one of take, rest
    if total > 300: finish with winner {p}
"""
"""Lone answers are taken one after the other, and each decides what a loop counts that reads nothing else."""


def test_what_follows_from_a_lone_answer_is_found_anew_for_the_next(tmp_path: Path) -> None:
    assert executors.played_alike("", game(IN_A_ROW, tmp_path).ir, 0) > 0


def test_numbers_that_no_word_holds_are_not_among_the_options(tmp_path: Path) -> None:
    rules = game(IN_A_ROW, tmp_path)
    rules.settle("native")
    machine = rules.start(executor="native", lone="asked").position.machine
    assert machine.allows(Seat(0), (0, 1))
    assert not any(machine.allows(Seat(0), (0, number)) for number in (2**63, -(2**63) - 1, 2**70))


def test_there_is_no_test_for_the_name_of_an_executor_outside_of_their_list() -> None:
    tested = re.compile(r"""(==|!=|\bin\b)\s*\(?["'](native|generated|reference)["']""")
    room = Path(api.__file__).parent.parent
    found = {path.name for path in room.rglob("*.py") if tested.search(path.read_text(encoding="utf-8"))}
    assert found - {"executors.py"} == set()


def test_machine_code_is_bytes_that_can_be_loaded() -> None:
    for number in (7, 8):
        for effort in (PLAIN, OPTIMISED):
            code = loaded(object_code(f"define i64 @answer() {{\n  ret i64 {number}\n}}\n".encode(), effort))
            assert CFUNCTYPE(c_int64)(code.get_function_address("answer"))() == number


@pytest.mark.long
@pytest.mark.parametrize("seed", [100037, 200048])
def test_a_thing_shown_from_a_pile_that_there_is_not_is_a_fault_on_every_executor(seed: int) -> None:
    game = random_game(seed)
    layout = lay_out(game)
    one, other = machines(game, seed)
    reference = ReferenceMachine(game, Seeded(seed, game, layout), layout)
    found = [attempt(machine.begin, game.players[0], {}) for machine in (one, other, reference)]
    assert "`stacks` has no 3" in str(found[0])
    assert found == [found[0]] * 3


def as_the_reference_plays(seed: int) -> None:
    """Plays a random game on machine code, generated Python and the reference, comparing variables, options and faults."""
    game = random_game(seed)
    layout = lay_out(game)
    all = *machines(game, seed), ReferenceMachine(game, Seeded(seed, game, layout), layout)
    rng = random.Random(0)
    players = rng.randint(*game.players)
    found = [attempt(machine.begin, players, {}) for machine in all]
    while found == [None] * 3 and all[-1].pending is not None:
        assert all[0].row[: layout.size] == all[1].row[: layout.size] == all[2].row[: layout.size]
        seat = rng.choice(all[-1].pending.seats)
        listings = [attempt(listed, machine, seat) for machine in all]
        assert listings == [listings[0]] * 3
        if not isinstance(listings[0], list) or not listings[0]:
            return
        answer = rng.choice(listings[0])
        found = [attempt(machine.answer, seat, answer) for machine in all]
    assert found == [found[0]] * 3


@pytest.mark.long
@pytest.mark.parametrize("seed", [100162, 200234])
def test_a_key_that_there_is_not_is_a_fault_even_where_nobody_needs_what_is_there(seed: int) -> None:
    as_the_reference_plays(seed)


@pytest.mark.long
@pytest.mark.parametrize("first", range(300, 336, 12))
def test_random_games_go_as_on_the_reference(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # Code that is not optimised is compiled in a tenth of the time.
    monkeypatch.setattr("rulelang.machines.native.code.Optimising", lambda *_: None)
    for seed in range(first, first + 12):
        as_the_reference_plays(seed)


def test_an_option_that_was_listed_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each answer that was played unpacked the row, and was checked by generated Python."""
    game = api.load("empty_space")
    game.settle("native")
    match = game.start(seed=1, executor="native", traced=False)
    rng = random.Random(2)
    monkeypatch.setattr(GeneratedMachine, "allows", lambda *_: pytest.fail("it is asked of generated Python"))
    for _ in range(40):
        match.play(match.options.pick(rng))
