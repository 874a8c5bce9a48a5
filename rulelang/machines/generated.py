"""Runs a compiled game: the machine that people play on.

The whole position, control state included, is one row, and a step writes to a copy of it, so a fork copies nothing. The
functions are printed from the low-level IR (`program.python`); this module runs them from one choice to the next. Where
they trap, at a fault of the rules above all, the step is taken again by the machine that goes from block to block and
says what is wrong.

    machine = GeneratedMachine(compile_game(game, lay_out(game)), chance)
    machine.begin(2, {})
    machine.pending        # Pending(choice=0, seats=(0,))
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, TypeAlias, cast

from rulelang.errors import RulelangError, RunawayRules
from rulelang.ir.model import CallValue, Const, GameRules
from rulelang.ir.numbers import Row, Seat, Slot
from rulelang.ir.steps import PART, StepCosts
from rulelang.machines.chance import ChanceDraw, Seeded, Watched, drawing_in
from rulelang.machines.handover import Again, Count, Heard, Unheard
from rulelang.machines.interpreter import Examiner, Interpreter
from rulelang.machines.machine import Answer, Chance, Pending, Refusal, Silent, Trace, ValueFunction
from rulelang.machines.meter import Account, Meter
from rulelang.machines.offers.offer import MOST, Offer
from rulelang.machines.walk import Evaluation
from rulelang.program.control import Control
from rulelang.program.layout import OUTCOME, OUTCOME_VALUE, Layout
from rulelang.program.packing import members
from rulelang.program.python.compiled import Compiled, Memory, StepCode
from rulelang.program.python.memory import AT_ONCE, CHANCE, FOUND, LEFT
from rulelang.program.python.playing import Draw, PlainCode
from rulelang.program.python.stops import ENDED, TRAPPED
from rulelang.program.python.support import PlayoutOver, Trap, no_draw
from rulelang.program.randomness import MIXER, OTHER_MIXER, STEP, WORD, RandomStream, mixed
from rulelang.program.results import ManyGames, result_of

Start: TypeAlias = Callable[[StepCode, Row, Memory], int]
"""Begins a step; returns the next block, or -1."""
SILENT = Silent()
"""Listens where nobody does, but some source of chance must be asked for each outcome."""
IDLE: Memory = []
"""The memory where the game waits."""


class GeneratedMachine(Meter):
    """A `Machine` that runs printed Python. Its row has the control state behind the layout's slots.

    A step writes to a new list, so forks share the row until somebody asks for it, who may write to it.
    """

    __slots__ = (
        "_examiner",
        "_is_lent",
        "_memory",
        "_row",
        "_stand_in",
        "_too_many",
        "chance",
        "compiled",
        "listed",
        "trace",
    )

    def __init__(self, compiled: Compiled, chance: Chance, trace: Trace | None = None) -> None:
        self.compiled = compiled
        self._row: Row = [0] * (compiled.layout.size + len(compiled.idle))
        self._is_lent = False
        """Whether a caller has the row, which no other machine shares then."""
        self.chance = chance
        self.trace = trace
        self.listed: tuple[Row, list[Answer]] | None = None
        """The list with the row behind the last answer, and the options found there to see whether there are any."""
        self._memory = IDLE
        """The memory of the running step."""
        self._examiner: Examiner | None = None
        """The machine that was last asked about a position."""
        self._too_many: Row | None = None
        """The row behind the options that last cost too much to list: listing them again would cost as much."""
        self._stand_in: Interpreter | None = None
        """The machine that takes the running step, if it trapped."""

    @property
    def row(self) -> Row:
        """The row, for callers who may write to it: they ask for it again after each step."""
        if self._stand_in is not None:
            # Of what happens at once, it makes each move on a row of its own.
            return self._stand_in.row
        if not self._is_lent:
            self._row, self._is_lent = self._row[:], True
        return self._row

    @row.setter
    def row(self, row: Row) -> None:
        self._row, self._is_lent = row, True

    @property
    def held(self) -> Row:
        """The row, for reading."""
        return self._row

    @property
    def game(self) -> GameRules:
        return self.compiled.game

    @property
    def layout(self) -> Layout:
        return self.compiled.layout

    # -------------------------------------------------------------- steps

    @property
    def steps(self) -> StepCosts:  # type: ignore[override]
        """The costs of running the rules."""
        return self.compiled.layout.steps

    @property
    def pending(self) -> Pending | None:
        """The choice that the game waits for; None when it is over."""
        row, compiled = self._row, self.compiled
        number = row[compiled.question]
        if not number:
            return None
        asked = row[compiled.asked[number]]
        return compiled.pending[number].get(asked) or self._pending(number, asked)

    def _pending(self, number: int, asked: int) -> Pending:
        """Returns the pending choice of a question, from its number and the slot that holds the asked seats."""
        known = self.compiled.pending[number]
        if asked not in known:
            choice = self.compiled.control.blocks.questions[number - 1].choice
            known[asked] = Pending(choice, self._seats(number - 1))
        pending: Pending = known[asked]
        return pending

    @property
    def control(self) -> Control:
        """The slots that hold the control state of a running step."""
        return self.compiled.control

    @property
    def at_once(self) -> object | None:
        """The number of the `simultaneously` whose moves are being made, as a token for the trace; None outside."""
        if self._stand_in is not None:
            return self._stand_in.at_once
        return self._memory[AT_ONCE] if len(self._memory) > AT_ONCE else None

    def locals(self, seat: Seat) -> dict[int, int]:
        """Returns the values of the locals that the pending choice may read; see `Machine`."""
        return {variable: self.held[slot] for variable, slot in self.compiled.control.slots.variables.items()}

    def _seats(self, question: int) -> tuple[Seat, ...]:
        owing = self.compiled.control.slots.owing.get(question)
        row = self.held
        return (Seat(row[self.compiled.seat]),) if owing is None else tuple(map(Seat, members(row[owing])))

    # -------------------------------------------------------------- running

    def begin(self, players: int, options: Mapping[int, int]) -> None:
        """Sets up and runs to the first choice; see `Machine`."""
        begun, key = self.compiled.begun, (players, *sorted(options.items()))
        if self.trace is None and key in begun:
            self._row, self.left = begun[key]
            self._is_lent, self.over = False, 0
            return
        self._row, self._is_lent = self.opening(players, options), False
        left, over, main = self.left, self.over, self.compiled.main

        def again(machine: Interpreter) -> None:
            machine.meter.left, machine.meter.over = left, over
            if over:
                machine.meter.eaten = self.eaten
            machine.run_from(main)

        self._run((), lambda code, row, memory: main, again)
        if self.trace is None and not self.over and not any(self._row[self._counters]):
            # Without a draw, it is the same every time, unless a listener writes to the row, as the givens of a scenario.
            begun[key] = self._row, self.left

    def opening(self, players: int, options: Mapping[int, int]) -> Row:
        """Returns the row before the first rule runs, not to be written to, which pays from the budget of the first step.

        Raises RuntimeRules where an initial value is at fault.
        """
        key = (players, *sorted(options.items()))
        known = self.compiled.openings.get(key)
        if known is not None:
            self.left, self.over = known[1], 0
            return known[0]
        machine = Interpreter(self.compiled, self.chance, self.trace)
        self.row = machine.row
        machine.lay_out(players, options)
        self.take_over(machine.meter)
        if not self.over and not any(machine.row[self._counters]):
            # Without a draw, it is the same every time.
            self.compiled.openings[key] = machine.row, self.left
        return machine.row

    def answer(self, seat: Seat, answer: Answer) -> None:
        """Takes a legal answer and runs on; see `Machine`."""
        compiled, question = self.compiled, self._row[self.compiled.question] - 1
        if self.trace is None:
            plain = compiled.plain.code or compiled.plain.after(1)
            if plain is not None and plain.is_stepped and self._answered(plain, question, seat, answer):
                return
        self.left, self.over = compiled.half, 0

        def start(code: StepCode, row: Row, memory: Memory) -> int:
            row[compiled.question] = 0
            begin = code.answers[question][answer[0]]
            return begin(row, memory, seat) if code.keeps[question] else begin(row, memory)

        self._run(answer, start, lambda machine: machine.answer(seat, answer))

    def _run(self, answer: Answer, start: Start, again: Callable[[Interpreter], None]) -> None:
        """Runs from the block that `start` returns to the next choice; where code traps, `again` takes the step."""
        left, seeded = self.left, drawing_in(self.chance) if self.trace is None else None
        code = (self.compiled.traced if seeded is None else self.compiled.untraced).code
        memory: Memory = self._telling(answer) if seeded is None else [left, None, answer, seeded.draw, self]
        before, blocks = self._row[:] if self._is_lent else self._row, code.blocks
        row = [*before, *[0] * code.scratch] if code.scratch else before[:]
        # A listener reads the row while it changes.
        self._row, self._is_lent, self._memory = row, True, memory
        try:
            block = start(code, row, memory)
            while block >= 0:
                block = blocks[block](row, memory)
        except PlayoutOver:
            row[self.layout.size :] = self.compiled.idle
        except RunawayRules:
            row[self.layout.size :] = self.compiled.idle
            raise
        except (Trap, RecursionError):
            self.left = left
            self._hand_over(before, answer, start, again)
            return
        finally:
            self._memory, self._is_lent = IDLE, False
        self.left = memory[LEFT]
        if code.scratch:
            del row[len(before) :]
        if seeded is not None:
            self._put_off_draws(seeded, before, left, lambda machine: machine._run(answer, start, again))

    def _put_off_draws(self, seeded: Seeded, before: Row, left: int, act: Callable[[GeneratedMachine], None]) -> None:
        """Defers the draws of a step: when they are read, it is taken again."""
        chance, counters = self.chance, self._counters
        if type(chance) is not Watched or self._row[counters] == before[counters]:
            return

        def again(machine: GeneratedMachine) -> None:
            machine.row, machine.left, machine.over = before[:], left, 0
            act(machine)

        self._put_off(chance, seeded, again)

    def _put_off(self, chance: Watched, seeded: Seeded, again: Callable[[GeneratedMachine], None]) -> None:
        """Has draws made when they are read, by a machine of its own that takes the step again."""

        def draws() -> list[ChanceDraw]:
            watched = Watched(seeded)
            again(GeneratedMachine(self.compiled, watched, SILENT))
            return watched.drawn

        chance.put_off(draws)

    @property
    def _counters(self) -> slice:
        """The slots with the number of draws from each stream."""
        return slice(self.layout.counters, self.layout.counters + self.layout.streams)

    def _telling(self, answer: Answer) -> Memory:
        """Returns the memory of a step that asks any source of chance, and that somebody may listen to."""
        heard = Heard(self.chance, self._counters)
        return [self.left, None, answer, no_draw, self, self.trace or SILENT, heard, self, None]

    # -------------------------------------------------------------- traps

    def _hand_over(
        self,
        before: Row,
        answer: Answer,
        start: Start,
        again: Callable[[Interpreter], None],
    ) -> None:
        """Has another machine take a step that trapped, from the row before it."""
        memory = self._memory
        heard: Heard | None = memory[CHANCE] if len(memory) > CHANCE else None
        told = self._told(before, answer, start, heard) if heard is not None and self.trace is not None else 0
        self._row = before[:]
        trace = None if self.trace is None or heard is None else cast("Trace", Unheard(self.trace, told, heard.edits))
        machine = Interpreter(self.compiled, self.chance if heard is None else Again(heard), trace)
        machine.row, self._stand_in = self._row, machine
        try:
            again(machine)
        finally:
            self._stand_in = None
            self.take_over(machine.meter)

    def _told(self, before: Row, answer: Answer, start: Start, heard: Heard) -> int:
        """Returns the number of calls that the trace has heard of a step up to its trap."""
        count, code = Count(heard.edits), self.compiled.traced.code
        self._row = [*before, *[0] * code.scratch]
        self.over = 0
        memory = [self.left, None, answer, no_draw, self, count, Again(heard), self, None]
        with suppress(Trap, RecursionError):
            block = start(code, self._row, memory)
            while block >= 0:
                block = code.blocks[block](self._row, memory)
        self.over = 0
        return count.calls

    def _answered(self, plain: PlainCode, question: int, seat: Seat, answer: Answer) -> bool:
        """Takes an answer by code that tells no faults; returns whether it could, and leaves the row alone if not.

        The budget pays for the most that its blocks can cost; where that is too much, it could not.
        """
        compiled, blocks, seeded = self.compiled, plain.blocks, None
        if compiled.layout.streams and (seeded := drawing_in(self.chance)) is None:
            return False
        before = self._row[:] if self._is_lent else self._row
        row, half = before[:], compiled.half
        memory: list[Any] = [half, None, answer, None if seeded is None else seeded.draw]
        row[compiled.question] = 0
        try:
            block = plain.answers[question][answer[0]](row, memory)
            while block >= 0:
                block = blocks[block](row, memory)
        except PlayoutOver:
            row[compiled.layout.size :] = compiled.idle
        except (Trap, RecursionError):
            return False
        self._row, self._is_lent, self.left, self.over = row, False, memory[LEFT], 0
        asked = row[compiled.question] - 1
        self.listed = (row, memory[FOUND]) if asked >= 0 and plain.looked[asked] else None
        if seeded is not None:
            self._put_off_draws(seeded, before, half, lambda machine: machine.answer(seat, answer))
        return True

    def score(self, seat: Seat) -> int | None:
        """Returns the rules' `score` of a seat; see `Machine`."""
        code = self.compiled.asking
        if code.score is None:
            return None
        row = self.held + [0] * code.scratch if code.scratch else self.held
        try:
            return code.score(row, [self.steps.budget // PART, None, (), no_draw], seat)
        except (Trap, PlayoutOver, RecursionError):
            return self._examined().score(seat)

    @property
    def functions(self) -> Mapping[int, ValueFunction]:
        """Functions for values that screens call; see `Machine`."""
        compiled = self.compiled
        if compiled.screen_values is None:
            compiled.screen_values = value_functions(compiled.functions, self.game, self.layout)
        return compiled.screen_values

    @property
    def holes(self) -> Mapping[int, ValueFunction]:
        """Functions for what sentences compute; see `Machine`."""
        return self.compiled.holes

    def fork(self) -> GeneratedMachine:
        """Returns an independent copy with the same chance and no trace."""
        copy = GeneratedMachine.__new__(GeneratedMachine)
        copy.compiled = compiled = self.compiled
        copy._row = self._row[:] if self._is_lent else self._row
        copy._is_lent = False
        copy.chance = self.chance
        copy.trace = copy._stand_in = copy._examiner = copy._too_many = None
        copy.listed = self.listed
        copy._memory = IDLE
        copy.left = compiled.half
        copy.over = 0
        return copy

    def rewritten(self, changes: Mapping[Slot, int]) -> GeneratedMachine:
        """Returns such a copy, with other values in some slots."""
        copy = self.fork()
        row = copy.row if changes else []
        for slot, value in changes.items():
            row[slot] = value
        return copy

    def play_on(self, rng: int, most: int) -> tuple[int, int]:
        """Plays at most `most` random answers; returns their number, and the next state of the rng."""
        plain = self.compiled.plain.after(0)
        if plain is None or self.trace is not None or not isinstance(self.chance, Seeded):
            return self._play_on(rng, most)
        play = plain.play_on
        answers = 0
        while answers < most and self._row[self.compiled.question]:
            before = self._row
            self._row, self._is_lent = before[:], False
            more, behind, stopped = play(self._row, rng, most - answers, self.chance.draw)
            if stopped == ENDED:
                self._row[self.layout.size :] = self.compiled.idle
            if stopped == TRAPPED:
                # The answers before the one that trapped are given again, on the row that was there.
                self._row = before[:]
                play(self._row, rng, more, self.chance.draw)
                last, behind = self._play_on(behind, 1)
                more += last
            answers, rng = answers + more, behind
        return answers, rng

    @property
    def is_ready(self) -> bool:
        """Whether many games can be played at full speed by now."""
        return True

    def play_many(self, games: ManyGames) -> array[int]:
        """Plays many random games; see `playouts.batch.PlaysMany`. Those whose rules are counted, those of a game whose
        code is not printed, and those that trap, are left over."""
        columns = games.left_over()
        if games.columns is not None:
            return columns
        plain, streams = self.compiled.plain.after(games.many), self.layout.streams
        players, options = games.players, games.options
        if plain is None or self.trace is not None or (players and not self._begins_alike(players, options)):
            return columns
        start, question, play = self.held, self.compiled.question, plain.play_on
        for i in range(games.many):
            row = start[:]
            draw = self._draw_by(games.keys[streams * i : streams * (i + 1)]) if streams else no_draw
            plies, _, stopped = play(row, mixed((games.base + (games.first + i) * STEP) & WORD), games.most, draw)
            if stopped != TRAPPED:
                is_over = stopped == ENDED or not row[question]
                columns[i :: games.many] = array(
                    "q", result_of(plies, row[OUTCOME], row[OUTCOME_VALUE], is_over=is_over)
                )
        return columns

    def _begins_alike(self, players: int, options: Mapping[int, int]) -> bool:
        """Begins a game; returns whether every game begins so, since the rules drew nothing up to the first choice."""
        try:
            self.begin(players, options)
        except RulelangError:
            return False
        return not any(self.held[self._counters])

    def _draw_by(self, keys: array[int]) -> Draw:
        """Returns a function that draws from streams whose keys are known."""
        chance = Seeded("", self.game, self.layout)
        chance.know(keys)
        return chance.draw

    def _play_on(self, rng: int, most: int) -> tuple[int, int]:
        """Plays random answers step by step; see `play_on`."""
        answers, drawn = 0, RandomStream()
        while (pending := self.pending) is not None and answers < most:
            seat = pending.seats[0]
            found = self.options(seat)
            if type(found) is list and len(found) <= MOST:
                # `RandomStream.randrange`, inlined because a call would take twice as long.
                rng = (rng + STEP) & WORD
                word = ((rng ^ (rng >> 30)) * MIXER) & WORD
                word = ((word ^ (word >> 27)) * OTHER_MIXER) & WORD
                answer = found[(word ^ (word >> 31)) * len(found) >> 64]
            else:
                drawn.word = rng
                answer = Offer(self, seat).pick(drawn.randrange)
                rng = drawn.word
            answers += 1
            self.answer(seat, answer)
        return answers, rng

    # -------------------------------------------------------------- options

    def options(self, seat: Seat) -> Iterable[Answer]:
        """Returns the legal answers of a seat, ascending; none for a seat that is not asked."""
        row, compiled = self._row, self.compiled
        number = row[compiled.question]
        if not number:
            return ()
        listed = self.listed
        if listed is not None and listed[0] is row:
            return listed[1][:] if row[compiled.seat] == seat else ()
        slot = compiled.asked[number]
        if row[slot] != seat if slot == compiled.seat else seat not in self._pending(number, row[slot]).seats:
            return ()
        if self._too_many is row or (number in compiled.wide and Offer(self, seat).is_wide):
            self._too_many = self._row
            return self._examined().options(seat)
        plain = compiled.plain.code
        if plain is not None and plain.is_stepped:
            try:
                return plain.options[number - 1](row, [compiled.half, None, (), None], seat)
            except (Trap, RecursionError):
                pass  # `suppress` would take longer than the list.
        code = compiled.asking
        if code.scratch:
            row = row + [0] * code.scratch
        try:
            return code.options[number - 1](row, [code.budgets[number - 1], None, (), no_draw], seat)
        except (Trap, RecursionError):
            if not self.game.choices[compiled.control.blocks.questions[number - 1].choice].has_sets:
                self._demand_budget(code.options[number - 1], row, (), seat)
            # Sets may be very many, so that machine yields them one by one.
            self._too_many = self._row
            return self._examined().options(seat)

    def _demand_budget(
        self, question: Callable[[Row, Memory, int], object], row: Row, answer: Answer, seat: Seat
    ) -> None:
        """Asks again about the position that trapped; raises
        RunawayRules if the cost of the question is at fault."""
        meter = Account(self.steps)
        with suppress(Trap, RecursionError):
            question(row, [meter.left, None, answer, no_draw, meter], seat)

    def _examined(self) -> Examiner:
        """Returns a machine at this position that answers questions about it, however much they cost."""
        if self._examiner is None or self._examiner.row != self.held:
            self._examiner = Examiner(self.compiled, self.chance, self.held)
        return self._examiner

    def allows(self, seat: Seat, answer: Answer) -> bool:
        """Returns whether an answer is legal."""
        row, compiled, number = self.held, self.compiled, self.held[self.compiled.question]
        if not number or seat not in self._seats(number - 1):
            return False
        branches = self.game.choices[compiled.control.blocks.questions[number - 1].choice].branches
        if not answer or not 0 <= answer[0] < len(branches):
            return False
        if len(answer) != 1 + len(branches[answer[0]].parameters):
            return self._examined().allows(seat, answer)
        code = compiled.asking
        if code.scratch:
            row = row + [0] * code.scratch
        try:
            return code.legal[number - 1](row, [self.steps.budget, None, answer, no_draw], seat) == 1
        except (Trap, RecursionError):
            self._demand_budget(code.legal[number - 1], row, answer, seat)
            return self._examined().allows(seat, answer)

    def refusal(self, seat: Seat, answer: Answer) -> Refusal | None:
        """Returns the first reason why an answer is not legal; see `Machine`."""
        return None if self.allows(seat, answer) else self._examined().refusal(seat, answer)


def value_functions(printed: Mapping[int, ValueFunction], game: GameRules, layout: Layout) -> dict[int, ValueFunction]:
    """Returns printed functions of values as screens call them: where one traps, the rules are walked, which tells the
    fault in words."""
    return {id: _or_walked(function, id, game, layout) for id, function in printed.items()}


def _or_walked(printed: ValueFunction, id: int, game: GameRules, layout: Layout) -> ValueFunction:
    def function(row: Row, *arguments: int) -> int:
        try:
            return printed(row, *arguments)
        except Trap:
            return Evaluation(row, game, layout).value(CallValue(id, tuple(map(Const, arguments))), {})

    return function
