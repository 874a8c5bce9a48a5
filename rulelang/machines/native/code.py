"""A game's machine code: compiled by LLVM from the low-level IR, or read where it is kept.

made(compiled, shelf).play_out(row_at, frame_at, most)      raises Unsupported for games that cannot be compiled yet

Code that has to be compiled is plain at first, and optimised later (`tiers`); what was made last is kept.
"""

from __future__ import annotations

import marshal
import threading
import weakref
from array import array
from collections.abc import Callable
from ctypes import CFUNCTYPE, c_double, c_int64, c_void_p, cast, pythonapi
from functools import partial
from operator import itemgetter
from typing import Any, Protocol

from rulelang.errors import RulelangError
from rulelang.ir.numbers import Row
from rulelang.machines.executors import COMPILED
from rulelang.machines.machine import Answer
from rulelang.machines.native.optimiser import PLAIN, object_code, optimised, packed, target
from rulelang.machines.native.tiers import Optimising
from rulelang.program.llvm.alone import INTERPRETER
from rulelang.program.llvm.shape import Shape
from rulelang.program.python.compiled import Compiled
from rulelang.program.python.loadable import Shelf

ALONE = CFUNCTYPE(c_int64, c_void_p)
CALL = CFUNCTYPE(c_int64, c_void_p, c_void_p, c_int64)
AFTER = CFUNCTYPE(c_double, c_void_p, c_void_p, c_void_p, c_int64, c_int64)
AHEAD = CFUNCTYPE(c_double, c_void_p, c_void_p, c_void_p, c_int64, c_int64, c_int64)
MANY = CFUNCTYPE(c_int64, *[c_void_p] * 5, *[c_int64] * 6)


class NativeMemory(threading.local):
    """Memory that machine code writes to, one for each thread: a row, a frame beside it, and the words of a thought."""

    def __init__(self, row: int, frame: int, thought: int) -> None:
        self.row, self.frame, self.thought = (array("q", bytes(8 * size)) for size in (row, frame, thought))
        self.row_at, self.frame_at, self.thought_at = (
            memory.buffer_info()[0] for memory in (self.row, self.frame, self.thought)
        )
        self.all_at = self.row_at, self.frame_at, self.thought_at


class Native:
    """A game's machine code, with everything its machines share."""

    def __init__(self, compiled: Compiled, shape: Shape, engine: Engine, coming: Optimising | None = None) -> None:
        self.compiled, self.shape = compiled, shape
        self._engines: list[Engine] = []
        """All code that was ever run: some thread may still be inside code that was replaced."""
        self._taking = threading.Lock()
        self.coming = coming
        """The optimised code that is to replace this code; None once it runs."""
        self._stopping = None if coming is None else weakref.finalize(self, coming.stop)
        self.thinks = shape.thought > 0
        """Whether it includes the policy that plays by the rules' `score`."""
        self.words = NativeMemory(shape.row, shape.frame, shape.thought)
        self.behind, self.slots = shape.behind, shape.slots
        self.wide_words = shape.behind - shape.slots
        self.places = _places(shape)
        """The slots whose words lie behind all slots, and where the bytes of each begin and end there."""
        self.wide_of = _values_at([slot for slot, _, _ in self.places])
        """Returns the values of these slots in a row."""
        self.whose = [place for place in self.places for _ in range((place[2] - place[1]) // 8)]
        """By word behind the slots: the slot that it belongs to, and where that slot's bytes begin and end."""
        self.nothing = array("q", bytes(8 * (shape.row - shape.behind)))
        self.counters = slice(shape.counters, shape.counters + shape.streams)
        """The words with the number of draws from each stream."""
        self.width, self.offers, self.keys_at = shape.width, shape.offers, shape.keys_at
        self.dice = shape.keys_at + 1 + shape.streams
        """The word of a frame with the key of the dice of a thought."""
        self.keys: dict[str, array[int]] = {}
        """By seed: the words of a frame that let machine code roll dice."""
        self.lengths = [[1 + sum(widths) for widths in branches] for branches in shape.answers]
        self.is_plain = [all(width == 1 for widths in branches for width in widths) for branches in shape.answers]
        """By question: whether each part of its answers is a word."""
        self._enter(engine)

    def _enter(self, engine: Engine) -> None:
        """Calls the functions of some machine code from now on."""
        self._engines.append(engine)
        self.answer = CALL(self.address("answer"))
        self.list_options = CALL(self.address("list_options"))
        self.run_on = CALL(self.address("run_on"))
        self.play_out = CALL(self.address("play_out"))
        self.play_many = MANY(self.address("play_many"))
        self.pick_checked = ALONE(self.address("pick_checked"))
        self.step_many = ALONE(self.address("step_many"))
        if self.thinks:
            self.value_after = AFTER(self.address("value_after"))
            self.play_ahead = AHEAD(self.address("play_ahead"))
            self.score = CALL(self.address("seat_score"))

    def keep_up(self) -> None:
        """Runs optimised code from now on if it is there; a call that has begun ends in the code it began in."""
        coming = self._awaited()
        if coming is not None and coming.code is not None:
            self._take(coming, coming.code)

    def settle(self) -> None:
        """Waits for optimised code and runs it from now on."""
        coming = self._awaited()
        if coming is not None:
            self._take(coming, coming.wait())

    def _awaited(self) -> Optimising | None:
        """Returns the optimised code on its way; a fork of the process that waited for it starts anew."""
        with self._taking:
            if self.coming is not None and not self.coming.is_own:
                self._expect(Optimising(self.coming.text, self.coming.keep))
            return self.coming

    def _take(self, coming: Optimising, code: bytes) -> None:
        with self._taking:
            if self.coming is coming:
                self._enter(loaded(code or optimised(coming.text)))
                self._expect(None)

    def _expect(self, coming: Optimising | None) -> None:
        if self._stopping is not None:
            self._stopping.detach()
        self.coming = coming
        self._stopping = None if coming is None else weakref.finalize(self, coming.stop)

    def address(self, name: str) -> int:
        """Returns the address of a function."""
        return self._engines[-1].get_function_address(name)

    def answers_in(self, words: array[int], question: int) -> list[Answer]:
        """Returns the answers that machine code listed for a question."""
        width, widths = self.width, self.shape.answers[question]
        if self.is_plain[question]:
            flat, lengths = words.tolist(), self.lengths[question]
            return [tuple(flat[i : i + lengths[flat[i]]]) for i in range(0, len(flat), width)]
        return [_answer(words[i : i + width], widths[words[i]]) for i in range(0, len(words), width)]


def _places(shape: Shape) -> list[tuple[int, int, int]]:
    places, start = [], 0
    for slot, _, width in shape.wide:
        places.append((slot, start, start + 8 * width))
        start += 8 * width
    return places


def _values_at(slots: list[int]) -> Callable[[Row], tuple[int, ...]]:
    # Of one slot, `itemgetter` returns the value alone.
    return itemgetter(*slots) if len(slots) > 1 else lambda row: tuple(row[slot] for slot in slots)


def _answer(words: array[int], widths: tuple[int, ...]) -> Answer:
    """Returns an answer from words, given the width of each parameter."""
    parts, at = [words[0]], 1
    for width in widths:
        parts.append(int.from_bytes(words[at : at + width].tobytes(), "little", signed=True))
        at += width
    return tuple(parts)


class Engine(Protocol):
    """Machine code in memory; it is freed with this object."""

    def get_function_address(self, name: str) -> int: ...


def binding() -> Any:
    """Returns llvmlite's binding, initialised; raises RulelangError if it is not installed."""
    try:
        import llvmlite.binding as llvm
    except ImportError:
        raise RulelangError(
            "the native executor needs llvmlite: pip install 'rulelang[native]', or take executor=\"generated\""
        ) from None
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for name, _, _ in INTERPRETER:
        llvm.add_symbol(name, cast(getattr(pythonapi, name), c_void_p).value)
    return llvm


def code_name() -> str:
    """Returns the name under which machine code is kept, which contains the processor and the version of LLVM."""
    llvm = binding()
    cpu, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    return f"machine code {llvm.llvm_version_info} {llvm.get_default_triple()} {cpu} {features}"


def loaded(code: bytes) -> Engine:
    """Returns object code in memory, ready to run."""
    llvm = binding()
    found = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target(PLAIN))
    found.add_object_file(llvm.ObjectFileRef.from_data(code))
    found.finalize_object()
    return found  # type: ignore[no-any-return]


def made(compiled: Compiled, shelf: Shelf | None = None) -> Native:
    """Returns the machine code of a game, kept or compiled; raises Unsupported for a game that cannot be compiled
    yet."""
    name = code_name()
    kept = None if shelf is None else shelf.read(name)
    shape, code, text = _compiled(compiled) if kept is None else marshal.loads(kept)
    if kept is None and shelf is not None:
        shelf.write(name, marshal.dumps((shape, code, text)))
    coming = Optimising(text, partial(_keep, shelf, name, shape)) if text else None
    return Native(compiled, Shape(*shape), loaded(code), coming)


def _compiled(compiled: Compiled) -> tuple[tuple[Any, ...], bytes, bytes]:
    """Returns a game's shape, its plain code, and the packed text from which optimised code is made."""
    # The printing modules are slow to import, and not needed when the code is kept.
    from rulelang.program.llvm.module import print_llvm
    from rulelang.program.low import lower

    program = lower(compiled.game, compiled.layout, compiled.control)
    text = print_llvm(program)
    return Shape.of(program).data, object_code(text.encode(), PLAIN), packed(text)


def _keep(shelf: Shelf | None, name: str, shape: tuple[Any, ...], code: bytes) -> None:
    """Keeps optimised code, which needs no text."""
    if shelf is not None:
        shelf.write(name, marshal.dumps((shape, code, b"")))
        shelf.write(COMPILED, b"")


def is_kept(shelf: Shelf | None) -> bool:
    """Returns whether a game's optimised code is kept, so that nothing is left to compile."""
    try:
        kept = None if shelf is None else shelf.read(code_name())
    except RulelangError:
        return False
    return kept is not None and not marshal.loads(kept)[2]
