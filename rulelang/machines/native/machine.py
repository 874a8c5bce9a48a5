"""Runs a game as machine code: the low-level IR, compiled by LLVM.

A native machine extends the generated one, with the same row. Machine code runs each step if it can and traps if it
cannot (`low.Trap`): on a fault of the rules, a spent budget, or more options than it lists. The row is then unchanged,
and the generated machine takes the step, with its messages; so it does until there is code. A traced step runs code of
its own, which notes what it tells (`telling`).

    NativeMachine(code.made(compiled), chance)      a machine; `game` prepares them
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import cast

from rulelang.errors import RulelangError
from rulelang.ir.numbers import Row, Seat
from rulelang.machines.chance import Watched, seeded_in
from rulelang.machines.generated import SILENT, GeneratedMachine
from rulelang.machines.handover import Unheard
from rulelang.machines.machine import Answer, Chance, Machine, Trace
from rulelang.machines.native.alone import NativeAlone
from rulelang.machines.native.batch import NativeBatch
from rulelang.machines.native.code import is_among
from rulelang.machines.native.engine import NativeMemory
from rulelang.machines.native.packed import PackedMachine
from rulelang.machines.native.telling import StepReading, TellingCode
from rulelang.machines.native.thinking.dealing import PlannedDeals
from rulelang.machines.native.thinking.greedy import GreedyCall
from rulelang.machines.native.thinking.planning import AheadCall
from rulelang.machines.native.thinking.search import CandidateTries
from rulelang.machines.offers.offer import Offer
from rulelang.program.llvm.called import MISSED
from rulelang.program.llvm.frame import (
    ENDED,
    GOING,
    LEFT,
    NO_BLOCK,
    RNG,
    STATUS,
    TRAPPED,
)
from rulelang.program.llvm.shape import ROOM
from rulelang.program.llvm.thinking.thought import COMPARED, LOOKED, MOST_COMPARED, OUTSIDE, WORTHS
from rulelang.program.python.compiled import StepModule
from rulelang.program.randomness import WORD, RandomStream, signed
from rulelang.program.results import (
    RESULTS,
    AheadTries,
    GreedyChoice,
    ManyGames,
    RedealPlan,
    ScoreSearch,
    TreeSearch,
    Tried,
    in_columns,
)

NOTHING: Row = []
"""The list of a row that lies packed alone."""
PIECE = 64
"""The number of playouts in one call while optimised code is on its way."""
FEW = 1_000
"""The most listed options that are looked through for one: unpacking the row takes as long."""


class NativeMachine(PackedMachine):
    """A `Machine` that runs machine code wherever it can."""

    __slots__ = ()

    def begin(self, players: int, options: Mapping[int, int]) -> None:
        """Sets up and runs to the first choice; see `Machine`."""
        if self._is_sooner_in_python(self.compiled.untraced if self.trace is None else self.compiled.traced):
            self._begin_again(players, options)
            return
        if self.trace is not None:
            self._begin_telling(players, options)
            return
        begun, key = self.native.begun, (players, *sorted(options.items()))
        if key in begun:
            self._packed, self.left = begun[key]
            self._row, self._is_lent, self._was, self.over = NOTHING, False, None, 0
            return
        words = self._load() if self._open(players, options) else None
        if words is not None:
            words.frame[LEFT] = self.left
            self._hand_keys(words, self.chance)
            self.native.run_on(words.row_at, words.frame_at, self.compiled.main)
            if self._took(words):
                if self._packed is not None and not any(self._packed[self.native.counters]) and not self._was:
                    # Without a draw, it is the same every time.
                    begun[key] = self._packed, self.left
                self._put_off_packed(lambda machine: machine.begin(players, options), None)
                return
        self._begin_again(players, options)

    def _is_sooner_in_python(self, code: StepModule) -> bool:
        """Returns whether Python does something once before machine code is loaded."""
        return not self.native.is_loaded and code.is_printed

    def _begin_again(self, players: int, options: Mapping[int, int]) -> None:
        """Begins on the generated machine."""
        if type(self.chance) is Watched:
            # The draws made while the row was laid out are made again.
            self.chance.drawn = []
        self._leave_list()
        super().begin(players, options)
        self._paid()

    def _paid(self) -> None:
        """Notes what a step in Python cost."""
        if not self.native.is_final:
            self.native.paid(self.compiled.half - self.left)

    def _open(self, players: int, options: Mapping[int, int]) -> bool:
        """Lays out the row before the first rule runs; returns whether that succeeded without a draw."""
        if seeded_in(self.chance) is None:
            # An explicit or scripted chance must not be asked twice for a result.
            return False
        try:
            self._row, self._is_lent = self.opening(players, options), False
            self._packed = self._was = None
        except RulelangError:
            return False
        if self.over or any(self.held[self._counters]):
            return False
        native, key = self.native, (players, *sorted(options.items()))
        if key not in native.opened and native.is_known:
            native.opened[key] = native.rows.packed(self._row)
        self._packed = native.opened.get(key)
        return True

    def answer(self, seat: Seat, answer: Answer) -> None:
        """Takes a legal answer and runs on; see `Machine`."""
        if self.trace is not None:
            self._answer_telling(seat, answer)
            return
        native, before = self.native, self._packed
        if before is None or self._was is not None or not native.is_final:
            before = self._ready()
            if before is None:
                self._answer_in_python(seat, answer)
                return
        question, row = before[self.compiled.question] - 1, before[:]
        given = answer if native.is_plain[question] else tuple(native.words_of(question, answer))
        keys = self._keys(self.chance) if native.shape.streams else native.no_keys
        left = native.take_answer(row, given, seat, keys)
        if left == MISSED:
            self._answer_in_python(seat, answer)
            return
        self._packed, self._row, self._is_lent, self._was = row, NOTHING, False, None
        self.left, self.over = left, 0
        if left < 0:
            self.left = -2 - left
            self.row[self.layout.size :] = self.compiled.idle
        if native.shape.streams:
            self._put_off_packed(lambda machine: machine.answer(seat, answer), before)

    def _answer_in_python(self, seat: Seat, answer: Answer) -> None:
        """Takes an answer on the generated machine."""
        self._leave_list()
        super().answer(seat, answer)
        self._paid()

    # -------------------------------------------------------------- traces

    def _begin_telling(self, players: int, options: Mapping[int, int]) -> None:
        """Begins with a trace."""
        code, (trace, self.trace) = self._telling_code(), (self.trace, None)
        try:
            # A row that is laid out without a draw tells nothing.
            is_open = code is not None and self._open(players, options) and self._packed_row() is not None
        finally:
            self.trace = trace
        if code is None or not is_open:
            self._begin_again(players, options)
            return
        words = self._load_telling(code)
        words.frame[LEFT] = self.left
        code.run_on(words.row_at, words.frame_at, self.compiled.main)
        self._tell(code, lambda: GeneratedMachine.begin(self, players, options))

    def _answer_telling(self, seat: Seat, answer: Answer) -> None:
        """Takes an answer with a trace."""
        if not self.native.is_final:
            self.native.keep_up()
        code = self._telling_code()
        if code is None or self._packed_row() is None:
            self._answer_in_python(seat, answer)
            if code is None and seeded_in(self.chance) is not None:
                self.native.told.after(self.compiled.half - self.left)
            return
        words = self._load_telling(code)
        self._give(words, self.peek(self.compiled.question) - 1, answer)
        code.answer(words.row_at, words.frame_at, seat)
        self._tell(code, lambda: self._answer_in_python(seat, answer))

    def _telling_code(self) -> TellingCode | None:
        """Returns the code of steps that tell a trace; None if it does not pay, or if draws do not come from a seed."""
        is_there = self.native.is_known and seeded_in(self.chance) is not None
        return self.native.told.code if is_there else None

    def _load_telling(self, code: TellingCode) -> NativeMemory:
        """Copies the row to the memory of such code; returns that."""
        words = code.words
        assert self._packed is not None
        words.row[: code.behind] = self._packed
        words.row[code.behind :] = code.nothing
        words.frame[STATUS], words.frame[code.count] = GOING, 0
        self._hand_keys(words, self.chance)
        return words

    def _tell(self, code: TellingCode, again: Callable[[], None]) -> None:
        """Tells the trace of the step that code has taken; has the generated machine take one that it could not
        finish, or in which the listener changed the row, from there on."""
        words, before, listed, trace = code.words, self._packed, self._row, self.trace
        assert before is not None
        assert trace is not None
        noted = words.frame[code.count]
        if noted > ROOM or not self._took(words):
            again()
            return
        if trace is SILENT:
            StepReading(self, code, trace, before).draw_again(
                tuple(words.frame[code.count + 1 : code.count + 1 + noted])
            )
            return
        # A listener may take steps of its own, with the same memory.
        is_over = words.frame[STATUS] == ENDED
        told, after = tuple(words.frame[code.count + 1 : code.count + 1 + noted]), self._packed
        row = self.row = listed[:] or self.native.rows.unpacked(before)
        row[self.compiled.question] = 0
        reading = StepReading(self, code, trace, before)
        if reading.read(told):
            if is_over:
                row[self.layout.size :] = self.compiled.idle
            else:
                self._packed = after
            self._is_lent = False
            return
        if type(self.chance) is Watched and reading.drawn:
            del self.chance.drawn[-len(reading.drawn) :]
        self.row, self.trace = (
            self.native.rows.unpacked(before),
            cast("Trace", Unheard(trace, reading.calls, reading.edits)),
        )
        try:
            again()
        finally:
            self.trace = trace

    # -------------------------------------------------------------- draws and answers

    def _put_off_packed(self, act: Callable[[Machine], None], before: array[int] | None) -> None:
        """Defers the draws of this step: when they are read, the same step runs again in Python."""
        watched, seeded, counters = self.chance, seeded_in(self.chance), self.native.counters
        if type(watched) is not Watched or seeded is None:
            return
        if before is not None and self._packed is not None and before[counters] == self._packed[counters]:
            return

        def again(machine: GeneratedMachine) -> None:
            if before is not None:
                machine.row = self.native.rows.unpacked(before)
            act(machine)

        self._put_off(watched, seeded, again)

    def options(self, seat: Seat) -> Iterable[Answer]:
        """Returns the legal answers of a seat, ascending; none for a seat that is not asked."""
        native, row = self.native, self._packed
        if row is None or self._was is not None or not native.is_final:
            if not native.is_final and self._is_sooner_in_python(self.compiled.untraced):
                return self._options_in_python(seat)
            row = self._ready()
        if self._found is not None:
            packed, asked, found = self._found
            if packed is row and asked == seat:
                return found[:]
        number, compiled = 0 if row is None else row[self.compiled.question], self.compiled
        if row is None or not number:
            return self._options_in_python(seat)
        slot = compiled.asked[number]
        if row[slot] != seat if slot == compiled.seat else seat not in self._pending(number, row[slot]).seats:
            return self._options_in_python(seat)
        words = native.list_answers(row, seat)
        if not words:
            return self._options_in_python(seat)
        found = native.listed[number - 1].get(words) or native.answers_listed(words, number - 1)
        self._found = row, seat, found
        return found[:]

    def allows(self, seat: Seat, answer: Answer) -> bool:
        """Returns whether an answer is legal: at once, if it is among the options that were listed last."""
        if self._found is not None:
            self._settle()
            packed, asked, found = self._found
            if packed is self._packed and asked == seat and len(found) <= FEW and answer in found:
                return True
        return self._lists(seat, answer) or super().allows(seat, answer)

    def _lists(self, seat: Seat, answer: Answer) -> bool:
        """Returns whether machine code lists an answer among a seat's options, unless there may be very many."""
        native, number = self.native, self.peek(self.compiled.question)
        if not number or not native.is_loaded or seat not in self._seats(number - 1):
            return False
        choice = self.game.choices[self.compiled.control.blocks.questions[number - 1].choice]
        is_one = bool(answer) and 0 <= answer[0] < len(choice.branches)
        if choice.has_sets or not is_one or len(answer) != 1 + len(choice.branches[answer[0]].parameters):
            return False
        if (row := self._ready()) is None:
            return False
        try:
            given = native.words_of(number - 1, answer)
        except OverflowError:
            return False  # no word holds such a number
        return is_among(given, array("q", native.list_answers(row, seat)), native.width)

    def _options_in_python(self, seat: Seat) -> Iterable[Answer]:
        """Returns the options that the generated machine finds, which reads the list."""
        self._row = self.held
        return super().options(seat)

    def play_on(self, rng: int, most: int) -> tuple[int, int]:
        """Plays at most `most` random answers; returns their number, and the next state of the rng.

        The generated machine carries out answers that trap, and all of them if the machine is traced.
        """
        if self.trace is not None:
            self._leave_list()
            return super().play_on(rng, most)
        self.native.compile()
        plies = 0
        while plies < most and self.pending is not None:
            words = self._load()
            if words is not None:
                self._hand_keys(words, self.chance)
                words.frame[RNG] = signed(rng)
                played = self.native.play_out(words.row_at, words.frame_at, most - plies)
                is_done = words.frame[STATUS] != TRAPPED
                if not is_done and played:
                    # The answer that trapped has spoilt the row, so those before it are given once more.
                    self._load()
                    words.frame[RNG] = signed(rng)
                    self.native.play_out(words.row_at, words.frame_at, played)
                plies, rng = plies + played, words.frame[RNG] & WORD
                if self._took(words) and is_done:
                    break
            if plies < most:
                drawn, seat = RandomStream(), self._seats(self.peek(self.compiled.question) - 1)[0]
                drawn.word = rng
                self._answer_in_python(seat, Offer(self, seat).pick(drawn.randrange))
                plies, rng = plies + 1, drawn.word
        return plies, rng

    def play_many(self, games: ManyGames) -> array[int]:
        """Plays many random games; see `playouts.batch.PlaysMany`."""
        native = self.native
        words = self._load() if not games.players or self._open(games.players, games.options) else None
        if words is None:
            return games.left_over()
        beginning = (self.compiled.main, self.left) if games.players else (NO_BLOCK, 0)
        start, streams = array("q", words.row), native.shape.streams
        if games.columns is not None:
            return native.counted.play(games, games.columns, start, beginning)
        words.frame[native.keys_at] = 1
        pieces: list[array[int]] = []
        done = 0
        while done < games.many:
            # Optimised code may come between two pieces.
            native.keep_up()
            piece = games.many - done if native.coming is None else min(PIECE, games.many - done)
            found = array("q", bytes(8 * RESULTS * piece))
            at = start.buffer_info()[0], found.buffer_info()[0], games.keys.buffer_info()[0] + 8 * streams * done
            which = signed(games.base), games.first + done, piece, games.most
            native.play_many(words.row_at, words.frame_at, *at, *which, *beginning)
            pieces.append(found)
            done += piece
        return in_columns(pieces)

    @property
    def is_ready(self) -> bool:
        """Whether many games can be played at full speed by now; has code compiled if not."""
        self.native.compile()
        self.native.keep_up()
        return self.native.is_loaded or self.native.is_final

    def begin_many(
        self, players: int, options: Mapping[int, int], keys: array[int], many: int, most: int
    ) -> NativeBatch | None:
        """Begins many games side by side; see `playouts.stepping.StepsMany`."""
        self.native.wait()
        words = self._load() if self._open(players, options) else None
        if words is None:
            return None
        return NativeBatch(self.native, words.row[:], keys, many, most, (self.compiled.main, self.left))

    def begin_alone(
        self, players: int, options: Mapping[int, int], step: Callable[[int], int], restart: Callable[[], int]
    ) -> NativeAlone | None:
        """Lays out a game that is stepped alone; see `playouts.stepper.StepsAlone`."""
        # Nothing but machine code runs between its steps, so it could not keep up.
        self.native.settle()
        words = self._load() if self._open(players, options) else None
        if words is None:
            return None
        return NativeAlone(self.native, words.row[:], (self.compiled.main, self.left), step, restart)

    # -------------------------------------------------------------- thinking

    def score(self, seat: Seat) -> int | None:
        """Returns the rules' `score` of a seat; see `Machine`."""
        self._settle()
        is_packed = self.native.thinks and self._packed is not None and self.trace is None
        words = self._load() if is_packed else None
        if words is not None:
            score: int = self.native.score(words.row_at, words.frame_at, seat)
            if words.frame[STATUS] == GOING:
                return score
        return super().score(seat)

    def worth_of_each(
        self, seat: Seat, answers: Sequence[Answer], first: int, thought: array[int]
    ) -> list[float] | None:
        """Returns the worth of the first answers to a seat; see `lab.policy.Thinks`."""
        words = self._thinking(thought)
        if words is None:
            return None
        some = answers[:MOST_COMPARED]
        given = self.native.padded(self.peek(self.compiled.question) - 1, some)
        words.thought[OUTSIDE : OUTSIDE + len(given)] = given
        done = self.native.worth_of_each(*words.all_at, seat, first, len(some))
        found = array("d", words.thought[WORTHS : WORTHS + done].tobytes()).tolist()
        self._end_thought(words, thought)
        return found

    def lead_after(
        self, seat: Seat, answer: Answer, dice: Chance, most: int, replies: int, thought: array[int]
    ) -> float | None:
        """Returns the lead after an answer with such dice; see `lab.policy.Thinks`."""
        words = self._thinking(thought)
        if words is None or not self._hand_keys(words, dice):
            return None
        self._give(words, self.peek(self.compiled.question) - 1, answer)
        before = thought[:]
        lead: float = self.native.play_ahead(*words.all_at, seat, most, replies)
        if self._end_thought(words, thought):
            return lead
        thought[:] = before
        return None

    def may_search(self) -> bool:
        """Returns whether machine code can search by now; has code compiled if not."""
        self.native.compile()
        return self._load() is not None

    def search(self, asked: TreeSearch, deals: Sequence[Machine]) -> list[Tried] | None:
        """Returns the root's options as a tree search has tried them; see `lab.at_once.Searches`."""
        rows = self._rows_of(deals)
        return None if rows is None else self.native.searched(rows, asked)

    def search_by_score(self, asked: ScoreSearch, deals: Sequence[Machine]) -> CandidateTries | None:
        """Returns the tries of candidates in re-deals; see `lab.at_once.Searches`."""
        rows = self._rows_of(deals)
        return (
            None
            if rows is None or asked.thought[COMPARED] > MOST_COMPARED
            else self.native.searched_by_score(rows, asked)
        )

    def tries_ahead(self, asked: AheadTries, deals: Sequence[Machine]) -> AheadCall | None:
        """Returns the tries of a few options in re-deals; see `lab.planner.PlaysAhead`."""
        can_think = self._thought_of() is not None and asked.thought[COMPARED] <= MOST_COMPARED
        rows = self._rows_of(deals) if can_think else None
        return None if rows is None else self.native.tries_ahead(rows, asked)

    def _rows_of(self, machines: Sequence[Machine]) -> list[array[int]] | None:
        """Returns the rows of machines of this code, packed; None if one is of another, or does not fit."""
        rows = [one._packed_row() for one in machines if isinstance(one, NativeMachine) and one.native is self.native]
        packed = [row for row in rows if row is not None]
        return packed if len(packed) == len(machines) else None

    def planned(self, plan: RedealPlan) -> PlannedDeals | None:
        """Returns the deals of a plan from this row; see `machines.machine.DealsByPlan`."""
        packed = self._thought_of(deals=True)
        question = self.peek(self.compiled.question) - 1
        return None if packed is None else PlannedDeals.of(self.native, packed, plan, question, self._in)

    def greedily(self, asked: GreedyChoice, before: object) -> GreedyCall | None:
        """Returns a choice in this row; see `lab.seat_view.ChoosesGreedily`."""
        packed, question = self._thought_of(), self.peek(self.compiled.question) - 1
        base = packed if before is None else before._thought_of() if isinstance(before, NativeMachine) else None
        return None if packed is None or base is None else GreedyCall.of(self.native, packed, base, asked, question)

    def _thought_of(self, *, deals: bool = False) -> array[int] | None:
        """Returns the packed row, in the memory of machine code; None if that cannot think about it, or only deal, or not
        yet."""
        if not self.native.is_final:
            self.native.compile()
        if self._load() is None:
            return None
        return self._packed if self.native.thinks or (deals and self.native.shape.deals) else None

    def _thinking(self, thought: array[int]) -> NativeMemory | None:
        """Returns the memory with the row and a thought in place; None if machine code cannot think about it."""
        if self._thought_of() is None or thought[COMPARED] > MOST_COMPARED:
            return None
        words = self.native.words
        words.frame[RNG] = thought[-1]
        words.thought[: len(thought) - 1] = thought[:-1]
        return words

    @staticmethod
    def _end_thought(words: NativeMemory, thought: array[int]) -> bool:
        """Takes over what a thought has used; returns whether machine code finished it."""
        thought[LOOKED], thought[-1] = words.thought[LOOKED], words.frame[RNG]
        is_done: bool = words.frame[STATUS] != TRAPPED
        if not is_done:
            # Forks need zeros behind their rows, and a trap leaves other words there.
            words.thought[:] = array("q", bytes(8 * len(words.thought)))
        return is_done
