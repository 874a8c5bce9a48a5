"""Plain and optimised machine code: that they do the same, and that the second replaces the first between two calls."""

from __future__ import annotations

import marshal
import os
import pickle
import random
import subprocess
import sys
from array import array
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import pytest

from rulelang import api
from rulelang.errors import Unsupported
from rulelang.ir.model import GameRules
from rulelang.lab.bots import bot, play_on
from rulelang.machines.chance import Seeded
from rulelang.playouts.playout import playout
from rulelang.playouts.rng import RandomStream
from rulelang.program import low
from rulelang.program.layout import Layout, lay_out
from rulelang.program.llvm.module import print_llvm
from rulelang.program.llvm.shape import Shape
from rulelang.program.python.compiled import Compiled, compile_game
from rulelang.program.results import ManyGames
from tests.files import CLASSICS
from tests.generators.board_ir import board_game
from tests.machines.test_native import in_lock_step
from tests.seeds import rest_long

pytest.importorskip("llvmlite")

from rulelang.machines.native import code, compiler, engine, telling, tiers
from rulelang.machines.native.code import COMPILED, Native, awaited, made
from rulelang.machines.native.compiler import first_code
from rulelang.machines.native.engine import loaded
from rulelang.machines.native.game import NativeGame
from rulelang.machines.native.machine import PIECE, NativeMachine
from rulelang.machines.native.optimiser import OPTIMISED, PLAIN, object_code, optimised, packed

pytestmark = [pytest.mark.usefixtures("every_step_is_counted"), pytest.mark.optimised]

SHIPPED = ("empty_space", "exit_velocity", "exobase", "outspeed")
NIM = CLASSICS / "nim.rules"


@pytest.fixture(autouse=True)
def nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))


def both(game: GameRules, layout: Layout) -> list[Native]:
    """Returns a game's plain and its optimised code."""
    compiled = Compiled(game, layout)
    program = low.lower(game, layout, compiled.control)
    text = print_llvm(program).encode()
    return [Native(compiled, Shape.of(program), loaded(object_code(text, effort))) for effort in (PLAIN, OPTIMISED)]


def play_alike(game: GameRules, layout: Layout, seeds: range, most: int) -> int:
    """Plays random games on both codes, in lock step and in one go; returns how many answers were compared."""
    codes, answers = both(game, layout), 0
    for seed in seeds:
        chance = Seeded(seed, game, layout)
        one, other = (NativeMachine(code, chance) for code in codes)
        answers += in_lock_step(one, other, seed, most)
    found = [
        NativeMachine(code, chance).play_many(
            ManyGames(game.players[0], {}, 7, 0, 40, 300, array("q", range(40 * len(game.streams))))
        )
        for code in codes
    ]
    assert found[0] == found[1]
    return answers


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["exit_velocity", "outspeed", *(f"classics/{name}" for name in ("othello", "pig", "ko", "connect_four"))]
)
def test_plain_and_optimised_code_do_the_same_to_every_row(name: str) -> None:
    game = api.load(CLASSICS.parent / f"{name}.rules" if "/" in name else name)
    assert play_alike(game.ir, game.internals.layout, range(3), 60) > 5


@pytest.mark.long
def test_plain_and_optimised_code_do_the_same_in_random_games_faults_included() -> None:
    answers = 0
    for seed in range(40, 46):
        game = board_game(seed)
        answers += play_alike(game, lay_out(game), range(2), 60)
    assert answers > 40


class Arriving:
    """Optimised code that is there after a number of looks."""

    is_own, text, keep = True, b"", staticmethod(lambda code: None)

    def __init__(self, text: bytes, looks: int) -> None:
        self._code, self._looks = optimised(text), looks

    @property
    def code(self) -> bytes | None:
        self._looks -= 1
        return self._code if self._looks < 0 else None

    def wait(self) -> bytes:
        return self._code

    def stop(self) -> None:
        pass


def arriving_after(looks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code, "Optimising", lambda text, keep: Arriving(text, looks))


@pytest.mark.parametrize("looks", rest_long([0, 1, 2, 5, 11, 12, 40], 5))
def test_optimised_code_takes_over_in_the_middle_of_a_game(looks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    arriving_after(looks, monkeypatch)
    game = api.load(CLASSICS / "connect_four.rules")
    native, chance = game.internals.machine("native"), Seeded(1, game.ir, game.internals.layout)
    assert in_lock_step(native(chance), game.internals.machine("generated")(chance), looks) > 6


@pytest.mark.long
@pytest.mark.parametrize("looks", [0, 1, 2, 3, 100])
@pytest.mark.parametrize("threads", [1, 2])
def test_playouts_are_the_same_whenever_optimised_code_arrives(
    looks: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    arriving_after(looks, monkeypatch)
    game = api.load(CLASSICS / "pig.rules")
    found = game.playouts(3 * PIECE + 5, seed=4, executor="native", threads=threads, at_most=200)
    assert found == game.playouts(3 * PIECE + 5, seed=4, executor="generated", at_most=200)


@pytest.mark.long
def test_many_games_side_by_side_are_the_same_whenever_optimised_code_arrives(monkeypatch: pytest.MonkeyPatch) -> None:
    arriving_after(9, monkeypatch)
    game, rng = api.load(CLASSICS / "connect_four.rules"), random.Random(5)
    batches = [game.play_batch(10, seed=3, executor=executor) for executor in ("native", "generated")]
    while any(batches[0].counts):
        assert list(batches[0].counts) == list(batches[1].counts)
        picks = [rng.randrange(count) if count else -1 for count in batches[0].counts]
        for batch in batches:
            batch.step(picks)
    assert batches[0].results == batches[1].results


def test_plain_code_is_kept_until_optimised_code_replaces_it(monkeypatch: pytest.MonkeyPatch) -> None:
    game = api.load(NIM)
    native = made(compile_game(game.ir, game.internals.layout), game.internals._kept_code)
    again = api.load(NIM)
    monkeypatch.setattr(low, "lower", lambda *_: pytest.fail("lowered again"))
    made(compile_game(again.ir, again.internals.layout), again.internals._kept_code)
    native.settle()
    assert native.coming is None
    assert game.internals._kept_code is not None
    assert game.internals._kept_code.read(COMPILED) is not None
    monkeypatch.setattr(code, "Optimising", lambda *_: pytest.fail("optimised again"))
    kept = made(compile_game(again.ir, again.internals.layout), again.internals._kept_code)
    kept.keep_up()
    assert kept.is_final


class FirstArriving:
    """The first code of a game, which is there after a number of looks."""

    is_own = True

    def __init__(self, game: GameRules, looks: int) -> None:
        self._code, self._looks = marshal.dumps(first_code(Compiled(game, lay_out(game)))), looks

    @property
    def code(self) -> bytes | None:
        self._looks -= 1
        return self._code if self._looks < 0 else None

    def wait(self) -> bytes:
        self._looks = 0
        return self._code

    def stop(self) -> None:
        pass


def first_code_after(looks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code, "Compiling", lambda game: FirstArriving(game, looks))
    monkeypatch.setattr(code, "Optimising", lambda text, keep: None)


@pytest.mark.parametrize("looks", rest_long([0, 1, 2, 5, 40], 2, 40))
def test_machine_code_takes_over_from_python_in_the_middle_of_a_game(
    looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    first_code_after(looks, monkeypatch)
    game = api.load(CLASSICS / "connect_four.rules")
    prepared, chance = game.internals.machine("auto"), Seeded(1, game.ir, game.internals.layout)
    assert isinstance(prepared, NativeGame)
    prepared.compile()
    machine = prepared(chance)
    assert in_lock_step(machine, game.internals.machine("generated")(chance), looks) > 6
    assert isinstance(machine, NativeMachine)
    assert machine.native.is_loaded == (looks < 40)


@pytest.mark.parametrize("looks", rest_long([0, 3, 100], 3))
@pytest.mark.parametrize("threads", [1, 2])
def test_playouts_are_the_same_whenever_machine_code_arrives(
    looks: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    first_code_after(looks, monkeypatch)
    game = api.load(CLASSICS / "pig.rules")
    found = game.playouts(40, seed=4, threads=threads, at_most=200)
    assert found == game.playouts(40, seed=4, executor="generated", at_most=200)
    counted = game.playouts(20, seed=4, counts=["hold"])
    assert counted == game.playouts(20, seed=4, counts=["hold"], executor="generated")


@pytest.mark.long
@pytest.mark.parametrize("looks", [0, 7, 10**9])
def test_bots_choose_the_same_whenever_machine_code_arrives(looks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = api.load("outspeed")

    def chosen(executor: str) -> list[str]:
        match = game.start(seed=5, executor=executor, traced=False)
        return [str(option) for option in islice(play_on(match, (bot("greedy"),) * 3, 5), 8)]

    expected = chosen("generated")
    first_code_after(looks, monkeypatch)
    assert chosen("auto") == expected


def test_a_game_that_cannot_be_compiled_is_played_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise Unsupported("positions")

    monkeypatch.setattr("rulelang.program.low.lower", refused)
    monkeypatch.setattr(code, "Compiling", lambda game: tiers.Arrived(compiler.answered(pickle.dumps(game))))
    game = api.load(CLASSICS / "breakthrough.rules")
    assert game.playouts(3, seed=1) == game.playouts(3, seed=1, executor="generated")
    machine = game.internals.machine("auto")(Seeded(1, game.ir, game.internals.layout))
    assert isinstance(machine, NativeMachine)
    assert (machine.native.is_final, machine.native.is_loaded) == (True, False)


@pytest.mark.long
@pytest.mark.parametrize("process", ["none can start", "it fails"])
def test_first_code_is_compiled_here_where_no_other_process_can(process: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if process == "none can start":
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
    else:
        monkeypatch.setattr(pickle, "dumps", lambda *_: b"these are no rules")
    game = api.load(CLASSICS / "breakthrough.rules")
    game.settle("auto")
    machine = game.internals.machine("auto")(Seeded(1, game.ir, game.internals.layout))
    assert isinstance(machine, NativeMachine)
    assert machine.native.is_final
    machine.begin(2, {})
    assert playout(machine, RandomStream(1)) > 1


def test_first_code_comes_from_another_process_and_plain_code_that_is_kept_at_once() -> None:
    game = api.load(CLASSICS / "breakthrough.rules")
    native = awaited(compile_game(game.ir, game.internals.layout), game.internals._kept_code)
    assert (native.is_known, native.is_loaded) == (False, False)
    native.wait()
    assert native.is_loaded
    again = awaited(compile_game(game.ir, game.internals.layout), game.internals._kept_code)
    again.compile()
    again.keep_up()
    assert again.is_loaded


def test_code_is_compiled_beside_a_match_that_is_played_for_as_long_as_that_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RULELANG_CACHE", "off")
    first_code_after(0, monkeypatch)
    game, rng = api.load(CLASSICS / "breakthrough.rules"), random.Random(1)
    for seed in range(4_000):
        match = game.start(seed=seed, traced=False)
        while match.to_move:
            match.push(match.options[rng.randrange(len(match.options))])
        machine = match.position.machine
        assert isinstance(machine, NativeMachine)
        if machine.native.is_loaded:
            break
    else:
        pytest.fail("no machine code came")
    assert seed > 0


@pytest.mark.parametrize("traced", [True, False])
def test_machine_code_that_is_kept_is_loaded_at_the_first_answer(traced: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    api.load(NIM).settle()
    other = api.load(NIM).start(seed=1, executor="generated", traced=traced)
    assert list(other.options)
    with monkeypatch.context() as patched:
        patched.setattr(engine, "binding", lambda: pytest.fail("LLVM was loaded"))
        match = api.load(NIM).start(seed=1, executor="native", traced=traced)
        assert [*map(str, match.options)] == [*map(str, other.options)]
    machine = match.position.machine
    assert isinstance(machine, NativeMachine)
    assert not machine.native.is_loaded
    while match.options:
        match.push(match.options[-1])
        other.push(other.options[-1])
        assert [*map(str, match.options)] == [*map(str, other.options)]
        assert machine.native.is_loaded
    assert match.log.text == other.log.text


@pytest.mark.long
def test_code_of_another_processor_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    api.load(NIM).settle()
    for room in (code, engine, telling):
        monkeypatch.setattr(room, "code_name", lambda: "machine code of another processor")
    game = api.load(NIM)
    native = made(compile_game(game.ir, game.internals.layout), game.internals._kept_code)
    native.keep_up()
    assert native.coming is not None
    native.settle()
    assert game.internals._kept_code is not None
    assert game.internals._kept_code.read("machine code of another processor") is not None


@pytest.mark.long
def test_without_a_cache_code_is_optimised_for_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_CACHE", "off")
    game = api.load(NIM)
    native = made(compile_game(game.ir, game.internals.layout), game.internals._kept_code)
    assert native.coming is not None
    assert native.coming.wait() == optimised(native.coming.text)


@pytest.mark.parametrize("process", rest_long(["none can start", "it fails", "there is no interpreter"], "it fails"))
def test_code_is_optimised_here_where_no_other_process_can(process: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match process:
        case "none can start":
            monkeypatch.setattr(sys, "executable", "/nowhere/python")
        case "it fails":
            monkeypatch.setattr(tiers, "optimiser", SimpleNamespace(__file__="/nowhere/optimiser.py"))
        case _:
            monkeypatch.setattr(sys, "executable", "")
    game = api.load(NIM)
    native = made(compile_game(game.ir, game.internals.layout))
    native.settle()
    assert native.coming is None
    machine = NativeMachine(native, Seeded(2, game.ir, game.internals.layout))
    machine.begin(2, {})
    assert playout(machine, RandomStream(1)) > 1


@pytest.mark.long
def test_a_game_that_nobody_holds_is_not_optimised_any_further(monkeypatch: pytest.MonkeyPatch) -> None:
    game = api.load("exit_velocity")
    native = made(compile_game(game.ir, game.internals.layout))
    coming = native.coming
    assert coming is not None
    del native
    assert coming.wait() == b""


def test_optimised_code_that_comes_twice_is_the_same_and_broken_text_gives_none() -> None:
    text = packed("define i64 @one(i64 %a) {\n  %b = add i64 %a, 0\n  ret i64 %b\n}\n")
    kept: list[bytes] = []
    assert [tiers.Optimising(text, kept.append).wait() for _ in range(2)] == [optimised(text)] * 2 == kept
    assert tiers.Optimising(b"this is no text", kept.append).wait() == b""
    assert len(kept) == 2


SHORT = """
import sys
from rulelang import api
match = api.load(sys.argv[1]).start(seed=1, executor="native")
match.push(match.options[0])
print(len(match.options) > 0, match.position.machine.native.coming is not None)
"""


@pytest.mark.long
@pytest.mark.parametrize("cache", ["kept", "off"])
def test_a_process_that_ends_before_its_code_is_optimised_says_nothing(cache: str, tmp_path: Path) -> None:
    env = {**os.environ, "RULELANG_CACHE": "off" if cache == "off" else str(tmp_path / "cache")}
    for _ in range(3):
        command = [sys.executable, "-X", "dev", "-c", SHORT, "outspeed"]
        done = subprocess.run(command, check=False, env=env, capture_output=True, text=True, timeout=600)
        assert (done.returncode, done.stdout, done.stderr) == (0, "True True\n", "")
    assert not [path.name for path in tmp_path.rglob("*.part")]


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_optimises_for_itself() -> None:
    game = api.load(NIM)
    native = made(compile_game(game.ir, game.internals.layout))
    coming = native.coming
    assert coming is not None
    child = os.fork()
    if not child:
        status = 1
        try:
            native.settle()
            status = 0 if native.coming is None else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert coming.wait() == optimised(coming.text)
