"""Runs a compiled game: the machine that people play on.

The whole position, control state included, is one row, so a fork is a copy of a list. The functions come from
`program.pycode`; this module runs them from one choice to the next.

    machine = GeneratedMachine(compile_game(game, lay_out(game)), chance)
    machine.begin(2, {})
    machine.pending        # Pending(choice=0, seats=(0,))
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from rulelang.errors import RunawayRules, RuntimeRules
from rulelang.ir.model import CallValue, Const, GameRules
from rulelang.ir.numbers import Row, Seat
from rulelang.ir.steps import StepCosts
from rulelang.ir.types import NONE
from rulelang.machines.chance import Seeded
from rulelang.machines.evaluate import Evaluation
from rulelang.machines.machine import Answer, Chance, Pending, Refusal, Trace, ValueFunction
from rulelang.machines.meter import Meter
from rulelang.machines.offers.offer import MOST, Offer
from rulelang.program.control import Control
from rulelang.program.layout import Layout
from rulelang.program.packing import members
from rulelang.program.pycode import Compiled, GameCode, GameOver, rtlib
from rulelang.program.python.memory import FOUND, LEFT
from rulelang.program.python.playing import PlainCode
from rulelang.program.python.stops import ENDED, TRAPPED
from rulelang.program.python.support import PlayoutOver, Trap
from rulelang.program.randomness import MIXER, OTHER_MIXER, STEP, WORD, RandomStream
from rulelang.program.simultaneous import Entered

RTLIB = rtlib.__file__


class Overdrawn(Exception):
    """Raised when a question about the position may exceed its budget; it is asked again, with every step counted."""


class QueryMachine:
    """The machine that printed code sees while it answers a question about the position: it has a budget of its own."""

    __slots__ = ("chance", "entered", "left", "over", "row", "trace")

    def __init__(self, left: int, chance: Chance, trace: Trace | None) -> None:
        self.left, self.over = left, 0
        self.chance, self.trace = chance, trace
        self.row: Row = []
        self.entered: Entered | None = None

    def note(self) -> None:
        """Raises Overdrawn, because the budget is spent."""
        raise Overdrawn

    def aside(self, trace: Trace | None) -> QueryMachine:
        """Returns the machine for a step that is only foreseen, which pays from the same budget; `take_up` ends it."""
        return QueryMachine(self.left, self.chance, trace)

    def take_up(self, other: QueryMachine) -> None:
        """Takes over the rest of the budget."""
        self.left = other.left


class CloseLook(Meter):
    """The machine that printed code sees while every step of a question is counted; it finds the line that spent the
    budget."""

    __slots__ = ("chance", "code", "entered", "row", "steps", "trace")

    def __init__(self, code: GameCode, steps: StepCosts, chance: Chance, trace: Trace | None) -> None:
        self.code, self.steps = code, steps
        self.chance, self.trace = chance, trace
        self.row: Row = []
        self.entered: Entered | None = None
        self.renew()

    def note(self) -> None:
        """Pays from the second half of the budget, for the line being run."""
        self.pass_on(_line_run(self.code))

    def look(self, most: int = 0) -> CloseLook:
        """Returns itself: every step is counted."""
        return self

    def aside(self, trace: Trace | None) -> CloseLook:
        """Returns the machine for a step that is only foreseen, which pays from the same budget; `take_up` ends it."""
        other = CloseLook(self.code, self.steps, self.chance, trace)
        other.take_up(self)
        return other

    def take_up(self, other: CloseLook) -> None:
        """Takes over the rest of the budget."""
        self.left, self.over = other.left, other.over
        if other.over:
            self.eaten = other.eaten


def _line_run(code: GameCode) -> int:
    """Returns the site of the innermost printed line being run."""
    frame, site = sys._getframe(2), 0
    while not site and frame is not None and frame.f_code.co_filename in (code.file, __file__, RTLIB):
        if frame.f_code.co_filename == code.file:
            site = code.sites[frame.f_lineno - 1]
        frame = frame.f_back  # type: ignore[assignment]
    return site


class GeneratedMachine(Meter):
    """A `Machine` that runs printed Python. Its row has the control state behind the layout's slots."""

    __slots__ = ("chance", "compiled", "entered", "listed", "row", "trace")

    def __init__(self, compiled: Compiled, chance: Chance, trace: Trace | None = None) -> None:
        self.compiled = compiled
        self.row: Row = [0] * (compiled.layout.size + len(compiled.idle))
        self.chance = chance
        self.trace = trace
        self.entered: Entered | None = None
        """The zones whose bounds are checked after the moves of a `simultaneously`; None at every choice."""
        self.listed: tuple[Row, list[Answer]] | None = None
        """The row behind the last answer, and the options that were listed to see whether there are any."""

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

    def note(self) -> None:
        """Pays from the second half of the budget, for the line being run."""
        self.pass_on(_line_run(self._code()))

    def look(self, most: int = 0) -> QueryMachine:
        """Returns the machine that pays for a question about the position; up to `most` steps are not counted one by
        one.
        """
        return QueryMachine(self.steps.budget - most, self.chance, self.trace)

    def aside(self, trace: Trace | None) -> GeneratedMachine:
        """Returns the machine for a step that is only foreseen, which pays from the same budget; `take_up` ends it."""
        other = self.fork()
        other.trace = trace
        other.take_up(self)
        return other

    def take_up(self, other: GeneratedMachine) -> None:
        """Takes over the rest of the budget."""
        self.left, self.over = other.left, other.over
        if other.over:
            self.eaten = other.eaten

    @property
    def pending(self) -> Pending | None:
        """The choice that the game waits for; None when it is over."""
        row, compiled = self.row, self.compiled
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
        return self.entered

    def locals(self, seat: Seat) -> dict[int, int]:
        """Returns the values of the locals that the pending choice may read; see `Machine`."""
        return {variable: self.row[slot] for variable, slot in self.compiled.control.slots.variables.items()}

    def _seats(self, question: int) -> tuple[Seat, ...]:
        owing = self.compiled.control.slots.owing.get(question)
        return (Seat(self.row[self.compiled.seat]),) if owing is None else tuple(map(Seat, members(self.row[owing])))

    def _code(self) -> GameCode:
        return self.compiled.untraced if self.trace is None else self.compiled.traced

    # -------------------------------------------------------------- running

    def begin(self, players: int, options: Mapping[int, int]) -> None:
        """Sets up and runs to the first choice; see `Machine`."""
        code = self._code()
        self.renew()
        key = (players, *sorted(options.items()))
        try:
            known = self.compiled.openings.get(key)
            if known is not None:
                row = self.row = known[0][:]
                self.left = known[1]
            else:
                row = self.row = self._opening(code, players, options)
                if not any(row[self.layout.counters : self.layout.size]) and not self.over:
                    # Without a draw, it is the same every time.
                    self.compiled.openings[key] = row[:], self.left
            block = code.main
            while block >= 0:
                block = code.blocks[block](row, self)
        except (GameOver, RuntimeRules, RecursionError) as end:
            self._end(code, end)

    def _opening(self, code: GameCode, players: int, options: Mapping[int, int]) -> Row:
        """Returns the row before the first rule runs."""
        game, layout = self.game, self.layout
        row = self.row = [0] * layout.size + self.compiled.idle
        for zone in game.zones:
            if zone.form == "slot":
                start = layout.zones[zone.id]
                row[start : start + layout.zone_sizes[zone.id]] = [NONE] * layout.zone_sizes[zone.id]
        for kind in game.kinds:
            if kind.movable:
                box = next(zone for zone in game.zones if zone.kind == kind.id and zone.name == "box")
                row[layout.zones[box.id]] = (1 << kind.size) - 1
                row[layout.places[kind.id] : layout.places[kind.id] + kind.size] = [box.first_place] * kind.size
                row[layout.faces[kind.id] : layout.faces[kind.id] + kind.size] = [1] * kind.size
        everybody = (1 << players) - 1
        given = {**options, game.all_players: everybody, game.players_left: everybody, game.mover: NONE}
        for state, value in given.items():
            row[layout.states[state]] = value
        code.start(row, self, given)
        return row

    def answer(self, seat: Seat, answer: Answer) -> None:
        """Takes a legal answer and runs on; see `Machine`."""
        row, compiled = self.row, self.compiled
        question = row[compiled.question] - 1
        if self.trace is None:
            plain = compiled.plain.code or compiled.plain.after(1)
            if plain is not None and plain.is_stepped and self._answered(plain, question, answer):
                return
        code = compiled.untraced if self.trace is None else compiled.traced
        row[compiled.question] = 0
        self.left, self.over = compiled.half, 0
        try:
            block = code.answers[question][answer[0]](row, self, seat, answer)
            while block >= 0:
                block = code.blocks[block](row, self)
        except (GameOver, RuntimeRules, RecursionError) as end:
            self._end(code, end)

    def _answered(self, plain: PlainCode, question: int, answer: Answer) -> bool:
        """Takes an answer by code that tells no faults; returns whether it could, and leaves the row alone if not.

        The budget pays for the most that its blocks can cost; where that is too much, it could not.
        """
        row, chance, blocks = self.row, self.chance, plain.blocks
        draw = chance.draw if isinstance(chance, Seeded) else None
        if self.layout.streams and draw is None:
            return False
        before = row[:]
        memory: list[Any] = [self.compiled.half, None, answer, draw]
        row[self.compiled.question] = 0
        try:
            block = plain.answers[question][answer[0]](row, memory)
            while block >= 0:
                block = blocks[block](row, memory)
        except PlayoutOver:
            row[self.layout.size :] = self.compiled.idle
        except (Trap, RecursionError):
            row[:] = before
            return False
        self.left, self.over = memory[LEFT], 0
        asked = row[self.compiled.question] - 1
        self.listed = (row[:], memory[FOUND]) if asked >= 0 and plain.looked[asked] else None
        return True

    def _end(self, code: GameCode, end: GameOver | RuntimeRules | RecursionError) -> None:
        """Ends the game, by the rules or because of a fault, which is then raised with its place."""
        self.row[self.layout.size :] = self.compiled.idle
        self.entered = None
        if isinstance(end, RecursionError):
            raise RunawayRules("the rules call each other too deep") from None
        if isinstance(end, RuntimeRules):
            end.site = end.site or code.site_of(end.__traceback__)
            raise end

    def score(self, seat: Seat) -> int | None:
        """Returns the rules' `score` of a seat; see `Machine`."""
        score = self._code().score
        if score is None or self.game.score is None:
            return None
        try:
            return score(self.row, self, seat)
        except Overdrawn:
            return Evaluation(self.row, self.game, self.layout).score(seat)

    @property
    def functions(self) -> Mapping[int, ValueFunction]:
        """Functions for values that screens call; see `Machine`."""
        return self.compiled.functions

    def fork(self) -> GeneratedMachine:
        """Returns an independent copy with the same chance and no trace."""
        copy = GeneratedMachine.__new__(GeneratedMachine)
        copy.compiled = self.compiled
        copy.row = self.row[:]
        copy.chance = self.chance
        copy.trace = None
        copy.entered = None
        copy.listed = self.listed
        copy.left, copy.over = self.compiled.half, 0
        return copy

    def play_on(self, rng: int, most: int) -> tuple[int, int]:
        """Plays at most `most` random answers; returns their number, and the next state of the rng."""
        plain = self.compiled.plain.after(0)
        if plain is None or self.trace is not None or not isinstance(self.chance, Seeded):
            answers, rng = self._play_on(rng, most)
            self.compiled.plain.after(answers)
            return answers, rng
        play = plain.play_on
        answers = 0
        while answers < most and self.row[self.compiled.question]:
            before = self.row[:]
            more, behind, stopped = play(self.row, rng, most - answers, self.chance.draw)
            if stopped == ENDED:
                self.row[self.layout.size :] = self.compiled.idle
            if stopped == TRAPPED:
                # The answers before the one that trapped are given again, on the row that was there.
                self.row = before
                play(self.row, rng, more, self.chance.draw)
                last, behind = self._play_on(behind, 1)
                more += last
            answers, rng = answers + more, behind
        return answers, rng

    def _play_on(self, rng: int, most: int) -> tuple[int, int]:
        """Plays random answers step by step; see `play_on`."""
        row, question, seats = self.row, self.compiled.question, self.compiled.seat
        code, owing = self._code(), self.compiled.control.slots.owing
        blocks, options, branches = code.blocks, code.options, code.answers
        half, answers, drawn = self.compiled.half, 0, RandomStream()
        try:
            while (number := row[question] - 1) >= 0 and answers < most:
                seat = self._seats(number)[0] if number in owing else row[seats]
                try:
                    found = options[number](row, self, seat)
                except Overdrawn:
                    found = None
                if type(found) is list and len(found) <= MOST:
                    # `RandomStream.randrange`, inlined because a call would take twice as long.
                    rng = (rng + STEP) & WORD
                    word = ((rng ^ (rng >> 30)) * MIXER) & WORD
                    word = ((word ^ (word >> 27)) * OTHER_MIXER) & WORD
                    answer = found[(word ^ (word >> 31)) * len(found) >> 64]
                else:
                    drawn.word = rng
                    answer = Offer(self, Seat(seat)).pick(drawn.randrange)
                    rng = drawn.word
                answers += 1
                row[question] = 0
                self.left, self.over = half, 0
                block = branches[number][answer[0]](row, self, seat, answer)
                while block >= 0:
                    block = blocks[block](row, self)
        except (GameOver, RuntimeRules, RecursionError) as end:
            self._end(code, end)
        return answers, rng

    # -------------------------------------------------------------- options

    def options(self, seat: Seat) -> Iterable[Answer]:
        """Returns the legal answers of a seat, ascending; none for a seat that is not asked."""
        row, compiled = self.row, self.compiled
        number = row[compiled.question]
        if not number:
            return ()
        slot = compiled.asked[number]
        if row[slot] != seat if slot == compiled.seat else seat not in self._pending(number, row[slot]).seats:
            return ()
        plain = compiled.plain.code
        listed = self._listed(plain, number - 1, seat) if plain is not None and plain.is_stepped else None
        if listed is not None:
            return listed
        code = compiled.untraced if self.trace is None else compiled.traced
        try:
            found = code.options[number - 1](row, self, seat)
            return found if type(found) is list else self._one_by_one(found, seat)
        except Overdrawn:
            return self._one_by_one(self._looked_through(seat), seat)
        except RecursionError:
            raise RunawayRules("the rules call each other too deep") from None

    def _listed(self, plain: PlainCode, question: int, seat: Seat) -> list[Answer] | None:
        """Returns the options of the seat that is asked, by code that tells no faults; None if it cannot."""
        if self.listed is not None and self.listed[0] == self.row:
            return self.listed[1][:]
        try:
            return plain.options[question](self.row, [self.compiled.half, None, (), None], seat)
        except (Trap, RecursionError):
            return None

    def _one_by_one(self, answers: Iterable[Answer], seat: Seat) -> Iterator[Answer]:
        given = 0
        try:
            for answer in answers:
                yield answer
                given += 1
        except Overdrawn:
            try:
                yield from islice(self._looked_through(seat), given, None)
            except RecursionError:
                raise RunawayRules("the rules call each other too deep") from None
        except RecursionError:
            raise RunawayRules("the rules call each other too deep") from None

    def _looked_through(self, seat: Seat) -> Iterable[Answer]:
        """Repeats a question with every step counted, to find where the budget ends."""
        code = self.compiled.counted
        found: Iterable[Answer] = code.options[self.row[self.compiled.question] - 1](
            self.row, self._closely(code), seat
        )
        return found

    def _closely(self, code: GameCode) -> CloseLook:
        return CloseLook(code, self.steps, self.chance, self.trace)

    def allows(self, seat: Seat, answer: Answer) -> bool:
        """Returns whether an answer is legal."""
        return self.refusal(seat, answer) is None

    def refusal(self, seat: Seat, answer: Answer) -> Refusal | None:
        """Returns the first reason why an answer is not legal; see `Machine`."""
        number = self.row[self.compiled.question]
        if not number or seat not in self._seats(number - 1):
            return Refusal(None)
        try:
            reason = self._code().refusals[number - 1](self.row, self, seat, answer)
        except Overdrawn:
            code = self._code()
            reason = code.refusals[number - 1](self.row, self._closely(code), seat, answer)
        return None if reason is None else Refusal(*reason)


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
