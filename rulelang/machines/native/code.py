"""A game's machine code: compiled by LLVM from the low-level IR, or read where it is kept.

made(compiled, shelf).play_out(row_at, frame_at, most)      raises Unsupported for games that cannot be compiled yet
awaited(compiled, shelf)                                    at once; whoever cannot wait for code runs Python until it comes

Code that has to be compiled is plain at first, and optimised later (`tiers`); what was made last is kept. Kept code is
loaded when a machine first keeps up with it: LLVM takes longer to import than most games take to begin.
"""

from __future__ import annotations

import marshal
import threading
import weakref
from array import array
from collections.abc import Sequence
from functools import cached_property, partial
from itertools import chain
from typing import Any

from rulelang.errors import Unsupported
from rulelang.ir.walk import walk
from rulelang.machines.machine import Answer
from rulelang.machines.native.compiler import FirstCode, first_code
from rulelang.machines.native.counting import CountedGames
from rulelang.machines.native.engine import (
    AHEAD,
    ALONE,
    CALL,
    EACH,
    MANY,
    THREE,
    WITH_SEVERAL,
    Engine,
    NativeMemory,
    code_name,
    loaded,
    python_functions,
)
from rulelang.machines.native.optimiser import optimised
from rulelang.machines.native.rows import PackedRows
from rulelang.machines.native.telling import ToldSteps
from rulelang.machines.native.thinking.planning import AheadCall
from rulelang.machines.native.thinking.search import AskedOf, CandidateTries, SearchCall, TreeMemory, tried_in
from rulelang.machines.native.tiers import Arrived, Compiling, Optimising
from rulelang.program.llvm.frame import GOING, NO_DICE, STATUS
from rulelang.program.llvm.shape import Shape
from rulelang.program.python.compiled import Compiled
from rulelang.program.python.loadable import Shelf
from rulelang.program.results import AheadTries, ScoreSearch, SeatSight, TreeSearch, Tried

STEPS_A_NODE = 200
"""The steps that generated Python runs while a node of the IR is compiled; each answer takes at least as long."""

FEW_BYTES, MOST_LISTED = 512, 4_096
"""The most bytes of answers that are kept with what they stand for, and the most such lists of a question."""

COMPILED = "compiled"
"""The name under which a shelf notes that optimised code was kept, for some processor: it keeps the code's shape."""


class Native:
    """A game's machine code, with everything its machines share; without a shape, nothing has been compiled yet."""

    shape: Shape

    def __init__(
        self,
        compiled: Compiled,
        shape: Shape | None,
        engine: Engine | None = None,
        coming: Optimising | None = None,
        shelf: Shelf | None = None,
    ) -> None:
        self.compiled, self.told = compiled, ToldSteps(compiled, shelf)
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
        self._is_awaited = shape is None
        """Whether Python runs the game until there is code."""
        self._first: Arrived | Compiling | None = None
        """The first code, once it is being compiled beside the game."""
        self._paid = 0
        """The steps that Python has run for want of code."""
        self.is_known = False
        """Whether the shape of its code is known."""
        self.opened: dict[tuple[object, ...], array[int] | None] = {}
        """By players and options: the row before the first rule runs, where nothing was drawn so far; None if it does not
        fit."""
        self.begun: dict[tuple[object, ...], tuple[array[int], int]] = {}
        """The same at the first choice, where nothing was drawn on the way, with what is left of the budget then."""
        self.thinks = False
        """Whether it includes the policy that plays by the rules' `score`."""
        if shape is not None:
            self._know(shape)
        if engine is not None:
            self._enter(engine, coming)

    def _know(self, shape: Shape) -> None:
        """Lays out the memory that the code writes to."""
        self.shape, self.is_known, self.thinks = shape, True, shape.thought > 0
        self.words = NativeMemory(shape.row, shape.frame, shape.thought)
        self.behind, self.slots = shape.behind, shape.slots
        self.rows = PackedRows(shape)
        self.nothing = array("q", bytes(8 * (shape.row - shape.behind)))
        self.counters = slice(shape.counters, shape.counters + shape.streams)
        """The words with the number of draws from each stream."""
        self.width, self.offers, self.keys_at = shape.width, shape.offers, shape.keys_at
        self.dice = shape.keys_at + 1 + shape.streams
        """The word of a frame with the key of the dice of a thought."""
        self.sights: dict[SeatSight, array[int]] = {}
        """By what a seat sees: the words of its choices that are always the same."""
        self.keys: dict[str, array[int]] = {}
        """By seed: the words of a frame that let machine code roll dice."""
        self.no_keys = array("q", [NO_DICE])
        """Such words that let it roll none."""
        self.listed: list[dict[bytes, list[Answer]]] = [{} for _ in shape.answers]
        """By question: few answers by their words, since the same few come again and again."""
        self.lengths = [[1 + sum(widths) for widths in branches] for branches in shape.answers]
        self.is_plain = [all(width == 1 for widths in branches for width in widths) for branches in shape.answers]
        """By question: whether each part of its answers is a word."""

    @cached_property
    def tree(self) -> TreeMemory:
        """The memory of tree searches."""
        control = self.compiled.control
        questions, owing = control.blocks.questions, control.slots.owing
        asked = AskedOf([question.choice for question in questions], [owing.get(q.id, -1) for q in questions])
        return TreeMemory(self.shape, self.rows, asked)

    @property
    def is_loaded(self) -> bool:
        """Whether its functions can be called."""
        return bool(self._engines)

    def _enter(self, engine: Engine, coming: Optimising | None) -> None:
        """Calls the functions of some machine code from now on, until other code comes."""
        self._engines.append(engine)
        self._enter_steps()
        self.run_on = CALL(self.address("run_on"))
        self.play_out = CALL(self.address("play_out"))
        self.play_many = MANY(self.address("play_many"))
        self.pick_checked = ALONE(self.address("pick_checked"))
        self.step_many = ALONE(self.address("step_many"))
        self.search = ALONE(self.address("search"))
        if self.shape.deals:
            self.redeal = THREE(self.address("redeal"))
        if self.thinks:
            self.worth_of_each = EACH(self.address("worth_of_each"))
            self.play_ahead = AHEAD(self.address("play_ahead"))
            self.score = CALL(self.address("seat_score"))
            self.deal_unseen = THREE(self.address("deal_unseen"))
            self.rank = THREE(self.address("rank"))
            self.try_ahead = ALONE(self.address("try_ahead"))
        self._expect(coming)

    def _enter_steps(self) -> None:
        """Makes the functions that take single steps (`program.llvm.called`)."""
        row, frame = (array("q", bytes(8 * size)) for size in (self.shape.row, self.shape.frame))
        at = array("q", [row.buffer_info()[0], frame.buffer_info()[0]])
        state = (at.tobytes(), row, frame, self._engines[-1])
        names = ("take_answer", "list_answers")
        self.take_answer, self.list_answers = python_functions(self.address, dict.fromkeys(names, WITH_SEVERAL), state)

    def keep_up(self) -> None:
        """Loads code, and runs optimised code from now on if it is there; a call that has begun ends in the code it
        began in."""
        coming = self._awaited()
        if coming is not None and coming.code is not None:
            self._take(coming, coming.code)

    def settle(self) -> None:
        """Waits for optimised code and runs it from now on."""
        self.wait()
        coming = self._awaited()
        if coming is not None:
            self._take(coming, coming.wait())

    def wait(self) -> None:
        """Waits until there is some code, unless there can be none."""
        self.compile()
        if self._first is not None and self._first.is_own:
            self._first.wait()
        self.keep_up()

    def compile(self) -> None:
        """Has code compiled beside the game, unless it is there or on its way."""
        if not self.is_loaded and not self.is_final and self._first is None:
            with self._taking:
                if self._first is None:
                    self._begin()

    def paid(self, steps: int) -> None:
        """Notes what Python ran for want of code; has code compiled once that took about as long as to compile."""
        if self._first is None and not self.is_loaded:
            self._paid += STEPS_A_NODE + steps
            if self._paid > STEPS_A_NODE * self._nodes:
                self.compile()

    @cached_property
    def _nodes(self) -> int:
        return sum(1 for _ in walk(self.compiled.game))

    def _begin(self) -> None:
        kept = None if self._shelf is None else self._shelf.read(code_name())
        self._first = Arrived(kept) if kept is not None else Compiling(self.compiled.game)
        weakref.finalize(self, self._first.stop)

    def _awaited(self) -> Optimising | None:
        """Returns the optimised code on its way, once there is other code; a fork of the process that waited for it
        starts anew."""
        with self._taking:
            if not self.is_loaded:
                came = None
                if self._is_awaited:
                    came = self._came()
                    if came is None:
                        return None
                # Code of another processor, or none, if the shelf was emptied since: then it is made anew.
                shape, code, coming = _found(self.compiled, self._shelf, came)
                if self._is_awaited:
                    self._know(shape)
                self._enter(loaded(code), coming)
            if self.coming is not None and not self.coming.is_own:
                self._expect(Optimising(self.coming.text, self.coming.keep))
            return self.coming

    def _came(self) -> FirstCode | None:
        """Returns the first code if it is there; a fork of the process that waited for it starts anew."""
        if self._first is None:
            return None
        if not self._first.is_own:
            self._begin()
        code = self._first.code
        if code is None:
            return None
        try:
            came: FirstCode | None = marshal.loads(code) if code else first_code(self.compiled)
        except Unsupported:
            came = None
        # If there can be none, Python runs the game for good.
        self.is_final = came is None
        return came

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

    def searched(self, rows: Sequence[array[int]], asked: TreeSearch) -> list[Tried] | None:
        """Returns the options of a seat as a tree search has tried them, whose games begin in some packed rows in turn; None if
        it came to no end, or if some answers are secret where rows are kept."""
        if not self.shape.keyed and asked.forms.has_secrets:
            return None
        question = rows[0][self.compiled.question] - 1
        try:
            worths = SearchCall(self.tree, self.words, rows, asked, self._search).play(asked.games, asked.rng)
            read = partial(self.answers_in, question=question)
            return None if worths is None else tried_in(self.tree, lambda words: read(words)[0])
        finally:
            self.tree.shrink()

    def searched_by_score(self, rows: Sequence[array[int]], asked: ScoreSearch) -> CandidateTries:
        """Returns the tries of a few options of a seat, in some packed rows in turn."""
        self.tree.shrink()
        question = rows[0][self.compiled.question] - 1
        call = SearchCall(self.tree, self.words, rows, asked.tree, self._search)
        return CandidateTries(call, asked, partial(self.padded, question))

    def tries_ahead(self, rows: Sequence[array[int]], asked: AheadTries) -> AheadCall:
        """Returns the tries of a few options of a seat by the `score`, in some packed rows in turn."""
        padded = partial(self.padded, rows[0][self.compiled.question] - 1)
        return AheadCall(self.words, rows, asked, padded, self.width, self._try_ahead)

    def _search(self, given: int) -> int:
        # Optimised code may come between two calls.
        self.keep_up()
        played: int = self.search(given)
        return played

    def _try_ahead(self, given: int) -> int:
        self.keep_up()
        tries: int = self.try_ahead(given)
        return tries

    def laid(self, row: array[int]) -> NativeMemory:
        """Copies a packed row to the memory of machine code; returns that."""
        words = self.words
        words.row[: self.behind] = row
        if self.nothing:
            words.row[self.behind :] = self.nothing
        words.frame[STATUS] = GOING
        return words

    def words_of(self, question: int, answer: Answer) -> array[int]:
        """Returns an answer as words."""
        if self.is_plain[question]:
            return array("q", answer)
        widths = self.shape.answers[question][answer[0]]
        given = array("q", [answer[0]])
        for value, width in zip(answer[1:], widths, strict=True):
            given.frombytes(value.to_bytes(8 * width, "little", signed=True))
        return given

    def padded(self, question: int, answers: Sequence[Answer]) -> array[int]:
        """Returns several answers as words, each as long as the longest of the game."""
        if self.is_plain[question]:
            width, blank = self.width, (0,) * self.width
            return array("q", list(chain.from_iterable([(answer + blank)[:width] for answer in answers])))
        words, size = array("q", bytes(8 * self.width * len(answers))), self.width
        for at, answer in zip(range(0, len(words), size), answers, strict=True):
            given = self.words_of(question, answer)
            words[at : at + len(given)] = given
        return words

    def answers_listed(self, words: bytes, question: int) -> list[Answer]:
        """Returns the answers that `list_answers` has written for a question; few are kept, and must not be changed."""
        found, known = self.answers_in(array("q", words), question), self.listed[question]
        if len(words) <= FEW_BYTES and len(known) < MOST_LISTED:
            known[words] = found
        return found

    def answers_in(self, words: array[int], question: int) -> list[Answer]:
        """Returns the answers that machine code listed for a question."""
        width, widths = self.width, self.shape.answers[question]
        if self.is_plain[question]:
            lengths, padded = self.lengths[question], zip(*[iter(words.tolist())] * width, strict=True)
            if min(lengths) == width:
                return list(padded)
            return [answer[: lengths[answer[0]]] for answer in padded]
        return [_answer(words[i : i + width], widths[words[i]]) for i in range(0, len(words), width)]


def _answer(words: array[int], widths: tuple[int, ...]) -> Answer:
    """Returns an answer from words, given the width of each parameter."""
    parts, at = [words[0]], 1
    for width in widths:
        parts.append(int.from_bytes(words[at : at + width].tobytes(), "little", signed=True))
        at += width
    return tuple(parts)


def is_among(answer: array[int], listed: array[int], width: int) -> bool:
    """Returns whether an answer is one of several, each of which takes up so many words.

    >>> is_among(array("q", [1, 7]), array("q", [0, 7, 1, 8, 1, 7]), 2), is_among(array("q", [7, 1]), array("q", [0, 7, 1, 8]), 2)
    (True, False)
    """
    wanted, there = answer.tobytes(), listed.tobytes()
    at = there.find(wanted)
    while at >= 0 and at % (8 * width):
        at = there.find(wanted, at + 1)
    return at >= 0


def made(compiled: Compiled, shelf: Shelf | None = None) -> Native:
    """Returns the machine code of a game, kept or compiled; raises Unsupported for a game that cannot be compiled
    yet."""
    noted = None if shelf is None else shelf.read(COMPILED)
    if noted is not None:
        return Native(compiled, Shape(*marshal.loads(noted)), None, None, shelf)
    shape, code, coming = _found(compiled, shelf)
    return Native(compiled, shape, loaded(code), coming, shelf)


def awaited(compiled: Compiled, shelf: Shelf | None = None) -> Native:
    """Returns the machine code of a game at once: code that is kept, or code that arrives when somebody has compiled it."""
    noted = None if shelf is None else shelf.read(COMPILED)
    return Native(compiled, None if noted is None else Shape(*marshal.loads(noted)), None, None, shelf)


def _found(
    compiled: Compiled, shelf: Shelf | None, came: FirstCode | None = None
) -> tuple[Shape, bytes, Optimising | None]:
    """Returns a game's shape, its code for this processor, kept, compiled beside or compiled now, and optimised code on
    its way."""
    name = code_name()
    kept = None if shelf is None else shelf.read(name)
    shape, code, text = marshal.loads(kept) if kept is not None else came or first_code(compiled)
    if kept is None and shelf is not None:
        shelf.write(name, marshal.dumps((shape, code, text)))
    return Shape(*shape), code, Optimising(text, partial(_keep, shelf, name, shape)) if text else None


def _keep(shelf: Shelf | None, name: str, shape: tuple[Any, ...], code: bytes) -> None:
    """Keeps optimised code, which needs no text."""
    if shelf is not None:
        shelf.write(name, marshal.dumps((shape, code, b"")))
        shelf.write(COMPILED, marshal.dumps(shape))
