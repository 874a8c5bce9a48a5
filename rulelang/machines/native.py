"""A compiled game -> a running one whose steps are machine code: the low-level IR, compiled by LLVM.

A native machine is the generated one, with the same row. What it is asked is run by machine code where it can be; that says so where
it cannot (`low.Trap`): for a fault of the rules, a spent budget, more options than it lists. Then the row is as it was, and the
generated machine does the step, with its words. Traced steps are the generated machine's too.

    native(game, layout)(chance)      raises RulelangError without llvmlite, and for what cannot be compiled yet
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Iterator
from ctypes import CFUNCTYPE, c_int64, c_void_p
from typing import Any, Protocol

from rulelang.errors import RulelangError
from rulelang.ir.model import GameRules
from rulelang.machines.chance import Seeded, stream_keys
from rulelang.machines.generated import GeneratedMachine
from rulelang.machines.machine import Answer, Chance, Trace
from rulelang.program.layout import Layout
from rulelang.program.llvm import (
    COUNT,
    ENDED,
    GIVEN,
    GOING,
    LEFT,
    LUCK,
    STATUS,
    TRAPPED,
    frame_size,
    luck_at,
    offers_at,
    print_llvm,
)
from rulelang.program.low import Program, Unsupported, lower
from rulelang.program.pycode import Compiled, Shelf

CALL = CFUNCTYPE(c_int64, c_void_p, c_void_p)
PLAY = CFUNCTYPE(c_int64, c_void_p, c_void_p, c_int64)
MANY = CFUNCTYPE(c_int64, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_int64, c_int64, c_int64, c_int64)


class NativeMemory(threading.local):
    """Memory that machine code writes to, each thread's own: a row, and the frame beside it."""

    def __init__(self, row: int, frame: int) -> None:
        self.row, self.frame = array("q", bytes(8 * row)), array("q", bytes(8 * frame))
        self.row_at, self.frame_at = self.row.buffer_info()[0], self.frame.buffer_info()[0]


class Native:
    """A game's machine code, and what its machines share beside the generated Python."""

    def __init__(self, compiled: Compiled, program: Program, shelf: Shelf | None = None) -> None:
        self.compiled, self.program = compiled, program
        self.words = NativeMemory(program.row, frame_size(program))
        self.width, self.offers, self.luck = program.width, offers_at(program), luck_at(program)
        self.keys: dict[str, array[int]] = {}
        """By seed: what stands in a frame where dice may be thrown."""
        self.lengths = [
            [1 + len(branch.parameters) for branch in compiled.game.choices[question.choice].branches]
            for question in compiled.control.blocks.questions
        ]
        self._engine = engine(print_llvm(program), shelf)
        self.answer = CALL(self._engine.get_function_address("answer"))
        self.list_options = CALL(self._engine.get_function_address("list_options"))
        self.play_out = PLAY(self._engine.get_function_address("play_out"))
        self.play_many = MANY(self._engine.get_function_address("play_many"))


class NativeMachine(GeneratedMachine):
    """A `Machine` that runs machine code where it can."""

    __slots__ = ("native",)

    def __init__(self, native: Native, chance: Chance, trace: Trace | None = None) -> None:
        super().__init__(native.compiled, chance, trace)
        self.native = native

    def answer(self, seat: int, answer: Answer) -> None:
        """Takes a legal answer and runs on; see `Machine`."""
        native = self.native
        words = native.words
        if self.trace is not None or not self._load(words):
            super().answer(seat, answer)
            return
        words.frame[GIVEN : GIVEN + len(answer)] = array("q", answer)
        native.answer(words.row_at, words.frame_at)
        if not self._took(words):
            super().answer(seat, answer)

    def options(self, seat: int) -> Iterator[Answer]:
        """Returns the legal answers of a seat, ascending; none of a seat that is not asked."""
        number = self.row[self.compiled.question]
        words = self.native.words
        if not number or seat != self.row[self.compiled.seat] or not self._load(words):
            return super().options(seat)
        self.native.list_options(words.row_at, words.frame_at)
        frame = words.frame
        if frame[STATUS] != GOING:
            return super().options(seat)
        at, width = self.native.offers, self.native.width
        lengths = self.native.lengths[number - 1]
        flat = frame[at : at + frame[COUNT] * width].tolist()
        return iter([tuple(flat[i : i + lengths[flat[i]]]) for i in range(0, len(flat), width)])

    def play_on(self, luck: int, most: int) -> tuple[int, int] | None:
        """Plays random answers to the end, or so many; returns how many, and the word that luck is drawn from next.

        None where machine code cannot: then nothing has changed.
        """
        words = self.native.words
        if self.trace is not None or not self._load(words):
            return None
        words.frame[LUCK] = signed(luck)
        plies = self.native.play_out(words.row_at, words.frame_at, most)
        return (plies, words.frame[LUCK] & (2**64 - 1)) if self._took(words) else None

    def play_many(self, base: int, first: int, many: int, most: int, keys: list[int]) -> array[int]:
        """Plays many random games from here; see `playouts.batch.PlaysMany`."""
        words = self.native.words
        found = array("q", bytes(32 * many))
        if not self._load(words):
            found[3::4] = array("q", [TRAPPED] * many)
            return found
        start = array("q", words.row)
        handed = array("q", map(signed, keys))
        at = start.buffer_info()[0], found.buffer_info()[0], handed.buffer_info()[0]
        words.frame[self.native.luck] = 1
        self.native.play_many(words.row_at, words.frame_at, *at, signed(base), first, many, most)
        return found

    def fork(self) -> NativeMachine:
        """Returns an independent copy with the same chance and no trace."""
        copy = NativeMachine.__new__(NativeMachine)
        copy.native, copy.compiled = self.native, self.compiled
        copy.row, copy.chance = self.row[:], self.chance
        copy.trace = copy.entered = None
        copy.renew()
        return copy

    def _load(self, words: NativeMemory) -> bool:
        """Copies the row to where machine code finds it; tells whether it fits."""
        try:
            words.row[:] = array("q", self.row)
        except (OverflowError, TypeError):
            return False
        words.frame[STATUS] = GOING
        if self.native.program.streams:
            self._hand_luck(words)
        return True

    def _hand_luck(self, words: NativeMemory) -> None:
        """Gives machine code the keys of the random streams; none where luck is not from a seed alone."""
        native, chance = self.native, self.chance
        if type(chance) is not Seeded:
            words.frame[native.luck] = 0
            return
        keys = native.keys.get(chance.seed)
        if keys is None:
            native.keys.clear()
            keys = native.keys[chance.seed] = array("q", [1, *map(signed, stream_keys(chance.seed, self.game))])
        words.frame[native.luck : native.luck + len(keys)] = keys

    def _took(self, words: NativeMemory) -> bool:
        """Takes the row as machine code left it; tells whether it got through."""
        status = words.frame[STATUS]
        if status == TRAPPED:
            return False
        self.row[:] = words.row.tolist()
        self.left, self.over = words.frame[LEFT], 0
        if status == ENDED:
            self.row[self.layout.size :] = self.compiled.idle
        return True


def signed(word: int) -> int:
    """Returns 64 bits as a signed number."""
    return word - 2**64 if word >= 2**63 else word


# ------------------------------------------------------------------ compiling


class Engine(Protocol):
    """Machine code in memory, which is there as long as this is."""

    def get_function_address(self, name: str) -> int: ...


def binding() -> Any:
    """Returns llvmlite's binding, ready; raises RulelangError where it is not installed."""
    try:
        import llvmlite.binding as llvm
    except ImportError:
        raise RulelangError(
            "the native executor needs llvmlite: pip install 'rulelang[native]', or take executor=\"generated\""
        ) from None
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


def engine(text: str, shelf: Shelf | None = None) -> Engine:
    """Returns machine code for LLVM IR, from the shelf where it lies there: made for this processor by this LLVM."""
    llvm = binding()
    cpu, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_default_triple().create_target_machine(cpu=cpu, features=features, opt=2)
    module = llvm.parse_assembly(text)
    name = f"native {llvm.llvm_version_info} {target.triple} {cpu} {features}"
    kept = None if shelf is None else shelf.read(name)
    if kept is None:
        optimised(module, target)
    found = llvm.create_mcjit_compiler(module, target)

    def note(module: Any, code: bytes) -> None:
        if shelf is not None and kept is None:
            shelf.write(name, code)

    found.set_object_cache(note, lambda module: kept)
    found.finalize_object()
    return found  # type: ignore[no-any-return]


def optimised(module: Any, target: Any) -> None:
    """Verifies a module and makes it fast, in place."""
    llvm = binding()
    module.verify()
    builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(speed_level=2))
    builder.getModulePassManager().run(module, builder)


def native(game: GameRules, layout: Layout, shelf: Shelf | None = None) -> Callable[[Chance], NativeMachine]:
    """Returns what makes native machines; raises RulelangError without llvmlite, and for what cannot be compiled yet."""
    binding()
    compiled = Compiled(game, layout, shelf)
    try:
        program = lower(game, layout, compiled.control)
    except Unsupported as missing:
        raise RulelangError(
            f'the native executor cannot run {game.title} yet: it has {missing}; take executor="generated"'
        ) from None
    code = Native(compiled, program, shelf)
    return lambda chance: NativeMachine(code, chance)
