"""A game's machine code: compiled by LLVM from the low-level IR, or read where it is kept.

made(compiled, shelf).play_out(row_at, frame_at, most)      raises Unsupported for games that cannot be compiled yet

Code that has to be compiled is plain at first, and optimised later (`tiers`); what was made last is kept. Kept code is
loaded when a machine first keeps up with it: LLVM takes longer to import than most games take to begin.
"""

from __future__ import annotations

import marshal
import threading
import weakref
from array import array
from collections.abc import Callable
from functools import partial
from operator import itemgetter
from typing import Any

from rulelang.ir.numbers import Row
from rulelang.machines.executors import COMPILED
from rulelang.machines.machine import Answer
from rulelang.machines.native.counting import CountedGames
from rulelang.machines.native.engine import (
    AFTER,
    AHEAD,
    ALONE,
    CALL,
    MANY,
    Engine,
    NativeMemory,
    code_name,
    loaded,
    places_of,
)
from rulelang.machines.native.optimiser import PLAIN, object_code, optimised, packed
from rulelang.machines.native.telling import ToldSteps
from rulelang.machines.native.tiers import Optimising
from rulelang.program.llvm.shape import Shape
from rulelang.program.python.compiled import Compiled
from rulelang.program.python.loadable import Shelf


class Native:
    """A game's machine code, with everything its machines share."""

    def __init__(
        self,
        compiled: Compiled,
        shape: Shape,
        engine: Engine | None,
        coming: Optimising | None = None,
        shelf: Shelf | None = None,
    ) -> None:
        self.compiled, self.shape, self.told = compiled, shape, ToldSteps(compiled, shelf)
        self.counted = CountedGames(compiled, shelf)
        self._shelf = shelf
        self._engines: list[Engine] = []
        """All code that was ever run: some thread may still be inside code that was replaced."""
        self._taking = threading.Lock()
        self.coming: Optimising | None = None
        """The optimised code that is to replace this code; None once it runs."""
        self.is_final = False
        """Whether it is loaded and will not be replaced."""
        self._stopping: weakref.finalize[[], Native] | None = None
        self.thinks = shape.thought > 0
        """Whether it includes the policy that plays by the rules' `score`."""
        self.words = NativeMemory(shape.row, shape.frame, shape.thought)
        self.behind, self.slots = shape.behind, shape.slots
        self.wide_words = shape.behind - shape.slots
        self.places = places_of(shape)
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
        if engine is not None:
            self._enter(engine, coming)

    @property
    def is_loaded(self) -> bool:
        """Whether its functions can be called."""
        return bool(self._engines)

    def _enter(self, engine: Engine, coming: Optimising | None) -> None:
        """Calls the functions of some machine code from now on, until other code comes."""
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
        self._expect(coming)

    def keep_up(self) -> None:
        """Loads code, and runs optimised code from now on if it is there; a call that has begun ends in the code it
        began in."""
        coming = self._awaited()
        if coming is not None and coming.code is not None:
            self._take(coming, coming.code)

    def settle(self) -> None:
        """Waits for optimised code and runs it from now on."""
        coming = self._awaited()
        if coming is not None:
            self._take(coming, coming.wait())

    def _awaited(self) -> Optimising | None:
        """Returns the optimised code on its way, once there is other code; a fork of the process that waited for it
        starts anew."""
        with self._taking:
            if not self.is_loaded:
                # Code of another processor, or none, if the shelf was emptied since: then it is made anew.
                _, code, coming = _found(self.compiled, self._shelf)
                self._enter(loaded(code), coming)
            if self.coming is not None and not self.coming.is_own:
                self._expect(Optimising(self.coming.text, self.coming.keep))
            return self.coming

    def _take(self, coming: Optimising, code: bytes) -> None:
        with self._taking:
            if self.coming is coming:
                self._enter(loaded(code or optimised(coming.text)), None)

    def _expect(self, coming: Optimising | None) -> None:
        if self._stopping is not None:
            self._stopping.detach()
        self.coming, self.is_final = coming, coming is None
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


def made(compiled: Compiled, shelf: Shelf | None = None) -> Native:
    """Returns the machine code of a game, kept or compiled; raises Unsupported for a game that cannot be compiled
    yet."""
    noted = None if shelf is None else shelf.read(COMPILED)
    if noted is not None:
        return Native(compiled, Shape(*marshal.loads(noted)), None, None, shelf)
    shape, code, coming = _found(compiled, shelf)
    return Native(compiled, shape, loaded(code), coming, shelf)


def _found(compiled: Compiled, shelf: Shelf | None) -> tuple[Shape, bytes, Optimising | None]:
    """Returns a game's shape, its code for this processor, kept or compiled, and optimised code on its way."""
    name = code_name()
    kept = None if shelf is None else shelf.read(name)
    shape, code, text = _compiled(compiled) if kept is None else marshal.loads(kept)
    if kept is None and shelf is not None:
        shelf.write(name, marshal.dumps((shape, code, text)))
    return Shape(*shape), code, Optimising(text, partial(_keep, shelf, name, shape)) if text else None


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
        shelf.write(COMPILED, marshal.dumps(shape))
