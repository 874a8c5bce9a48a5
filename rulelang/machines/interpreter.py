"""The interpreter: runs woven IR, and tells what went wrong where faster code does not say.

The place in the rules is in the row, behind `Layout.size` (`program.control`), so it can take any step of an executor
that runs regions, from the row as it was before the step, and such an executor can take the next. `walk` runs what
cannot stop; here is only what leads from block to block.

    machine = Interpreter(compiled, chance)
    machine.row = list(other.row)              # a row of another machine, at a choice
    machine.answer(seat, answer)               # the step that it could not take, with its messages

Invariant: after each step the row is slot by slot that of the generated machine, the control state included.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, assert_never

import attrs

from rulelang.errors import RunawayRules, RuntimeRules
from rulelang.ir.model import Choice, Expr, GameRules, Loop, Repeat, Simultaneous
from rulelang.ir.numbers import Row, Seat, Slot
from rulelang.ir.types import first_of
from rulelang.machines.evaluate import Evaluator, Locals
from rulelang.machines.machine import Answer, Chance, Pending, Trace
from rulelang.machines.walk import Finished, Returned, Stopped, Walker
from rulelang.program import blocks as bl
from rulelang.program.blocks import Block, BlockStep, QuestionBlocks
from rulelang.program.control import Control, control
from rulelang.program.deferred import INNER, OUTERMOST, CallQueue
from rulelang.program.layout import Layout
from rulelang.program.packing import ITEM, ITEM_MASK, mask_of, members, pack
from rulelang.program.violations import no_end

STOPPED = -1
"""Stands for the next block where the game waits, and behind `main`."""


class CutGame(Protocol):
    """A game whose procedures that may stop are cut into blocks."""

    @property
    def game(self) -> GameRules: ...

    @property
    def layout(self) -> Layout: ...

    @property
    def control(self) -> Control: ...


@attrs.frozen
class CutRules:
    """A game that is cut into blocks, and nothing else of its code."""

    game: GameRules
    layout: Layout
    control: Control

    @classmethod
    def of(cls, game: GameRules, layout: Layout) -> CutRules:
        """Returns a game cut into blocks."""
        return cls(game, layout, control(game, layout, bl.cut(game, layout.steps)))


class StepLocals(dict[int, int]):
    """The locals of a step; those that outlive their region are also written to their slots."""

    def __init__(self, row: Row, slots: Mapping[int, Slot]) -> None:
        super().__init__({id: row[slot] for id, slot in slots.items()})
        self._row, self._slots = row, slots

    def __setitem__(self, id: int, value: int) -> None:
        super().__setitem__(id, value)
        slot = self._slots.get(id)
        if slot is not None:
            self._row[slot] = value


class Interpreter(Walker):
    """A `Machine` that goes from block to block. Its row has the control state behind the layout's slots.

    `hits` collects the sites that ran or were evaluated, `refused` those of the needs that `refusal` met.
    """

    def __init__(
        self,
        cut: CutGame,
        chance: Chance,
        trace: Trace | None = None,
        *,
        hits: set[int] | None = None,
        refused: set[int] | None = None,
    ) -> None:
        super().__init__(cut.game, chance, cut.layout, trace, hits=hits, refused=refused)
        self._cut = cut
        self._blocks, self._slots = cut.control.blocks, cut.control.slots
        self.row = [0] * self._slots.size
        self._locals: Locals = {}
        """The locals of the running step."""
        self._answer: tuple[Seat, Answer] = Seat(0), ()
        """The answer that is being carried out, and whose it is; () where a seat has no option."""

    @property
    def control(self) -> Control:
        """The slots that hold the control state of a running step."""
        return self._cut.control

    def fork(self) -> Interpreter:
        """Returns an independent copy with the same chance and no trace."""
        copy = Interpreter(self._cut, self.chance)
        copy.row = self.row[:]
        return copy

    def rewritten(self, changes: Mapping[Slot, int]) -> Interpreter:
        """Returns such a copy, with other values in some slots."""
        copy = self.fork()
        for slot, value in changes.items():
            copy.row[slot] = value
        return copy

    # -------------------------------------------------------------- steps

    def begin(self, players: int, options: Mapping[int, int]) -> None:
        """Sets up and runs to the first choice; see `Machine`."""
        self.lay_out(players, options)
        self.run_from(self._blocks.entries[self.game.main])

    def lay_out(self, players: int, options: Mapping[int, int]) -> None:
        """Sets up the row before the first rule runs, which pays from the same budget."""

        def opening() -> int:
            self._set_up(players, options)
            self.row += [0] * (self._slots.size - self.layout.size)
            return STOPPED

        self.meter.renew()
        self._run_to_stop(opening)

    def _blank_row(self) -> Row:
        # The same list, which its owner reads meanwhile.
        self.row[:] = super()._blank_row()
        return self.row

    def run_from(self, block: int) -> None:
        """Runs from the start of a block to the next choice, with what is left of the budget."""
        self._run_to_stop(lambda: block)

    def answer(self, seat: Seat, answer: Answer) -> None:
        """Takes a legal answer and runs on; see `Machine`."""
        question = self._blocks.questions[self.row[self._slots.question] - 1]
        self.row[self._slots.question] = 0
        self.meter.renew()
        if question.turn < 0:
            self._run_to_stop(lambda: self._take(question, seat, answer))
        else:
            self._run_to_stop(lambda: self._keep(question, seat, answer))

    def _run_to_stop(self, first: Callable[[], int]) -> None:
        """Runs blocks until the game waits or ends, by its rules or by a fault, which is raised."""
        try:
            self._locals = StepLocals(self.row, self._slots.variables)
            block = first()
            while block != STOPPED:
                block = self._run_block(self._blocks.blocks[block])
        except Finished:
            self._end()
        except RuntimeRules:
            self._end()
            raise
        except RecursionError:
            self._end()
            raise RunawayRules("the rules call each other too deep") from None

    def _end(self) -> None:
        """Clears the control state."""
        self.row[self.layout.size :] = [0] * (self._slots.size - self.layout.size)
        self._deferred, self._entered = [], None

    # -------------------------------------------------------------- questions

    @property
    def pending(self) -> Pending | None:
        """The choice that the game waits for; None when it is over."""
        number = self.row[self._slots.question]
        if not number:
            return None
        question = self._blocks.questions[number - 1]
        owing = self._slots.owing.get(question.id)
        seats = [self.row[self._slots.seat]] if owing is None else members(self.row[owing])
        return Pending(question.choice, tuple(map(Seat, seats)))

    def locals(self, seat: Seat) -> dict[int, int]:
        """Returns the values of the locals that the pending choice may read; see `Machine`."""
        return {id: self.row[slot] for id, slot in self._slots.variables.items()}

    def _asked_of(self, seat: Seat) -> tuple[Choice, Locals] | None:
        pending = self.pending
        if pending is None or seat not in pending.seats:
            return None
        choice, locals = self.game.choices[pending.choice], self.locals(seat)
        self._let_choose(choice, seat, locals)
        return choice, locals

    # -------------------------------------------------------------- blocks

    def _run_block(self, block: Block) -> int:
        """Runs a block; returns the next one."""
        site = block.site
        try:
            for step, site in block.steps:
                self._at = site
                self._do(step)
            self._at = site = block.site
            self._hit(site)
            return self._next(block)
        except Stopped as stop:
            self._forget(block.loops[block.loops.index(stop.loop) :])
            return self._blocks.exits[stop.loop]
        except Returned:
            return self._return(block.procedure)
        except RuntimeRules as error:
            error.site = error.site or site
            raise

    def _do(self, step: BlockStep) -> None:
        match step:
            case bl.Begin(procedure=id):
                parameters = self.game.procedures[id].parameters
                self._enter(id, tuple(self._locals[variable.id] for variable in parameters))
            case bl.StartLoop(loop=loop):
                first = first_of(loop.variable.type)
                self._hit(loop.site)
                order = [member - first for member in self._settled(loop, self._locals)]
                self.row[self._slots.orders[loop.id]] = pack(order)
            case bl.StartRepeat(loop=repeat):
                self._hit(repeat.site)
                self._start_repeat(repeat)
            case bl.ForgetLoops(loops=loops):
                self._forget(loops)
            case bl.BindAnswer(question=question, branch=branch):
                self._bind_answer(self.game.choices[self._blocks.questions[question].choice], branch)
            case _:  # any other step is a statement
                self._run((step,), self._locals)

    def _next(self, block: Block) -> int:
        """Carries out the end of a block; returns the next one."""
        match block.end:
            case bl.Goto(to=to):
                return to
            case bl.Split(branches=branches, otherwise=otherwise):
                return self._way(branches, otherwise)
            case bl.NextTurn(loop=loop, body=body, exit=exit):
                return body if self._takes_turn(loop) else exit
            case bl.NextRound(loop=repeat, body=body, exit=exit):
                if self._takes_round(repeat):
                    return body
                self._forget((repeat.id,))
                return exit
            case bl.Enter(procedure=id, arguments=arguments, then=then):
                return self._go_in(id, self._arguments(id, arguments, self._locals), then)
            case bl.Leave(procedure=id):
                return self._return(id)
            case bl.Asking(question=id):
                question = self._blocks.questions[id]
                return self._ask_one(question) if question.turn < 0 else self._ask_all(question)
            case bl.NextAnswer(question=id, exit=exit):
                return self._next_answer(self._blocks.questions[id], exit)
            case bl.RunSimultaneous(block=at_once, calls=calls):
                self._queue_calls(at_once, Slot(self._slots.deferred[calls]))
                return calls
            case bl.NextDeferred(exit=exit):
                return self._next_deferred(block.id, exit)
            case _:
                assert_never(block.end)

    def _way(self, branches: tuple[tuple[Expr, int, int], ...], otherwise: int) -> int:
        """Returns the block of the first condition that holds."""
        for condition, target, site in branches:
            if self._holds(condition, self._locals):
                self._hit(site)
                return target
        return otherwise

    # -------------------------------------------------------------- loops

    def _forget(self, loops: tuple[int, ...]) -> None:
        for loop in loops:
            for slots in (self._slots.orders, self._slots.times, self._slots.rounds):
                if loop in slots:
                    self.row[slots[loop]] = 0

    def _takes_turn(self, loop: Loop) -> bool:
        """Binds the next thing that a `for` goes over; returns whether there is one."""
        slot = self._slots.orders[loop.id]
        while order := self.row[slot]:
            self.row[slot] = order >> ITEM
            self._locals[loop.variable.id] = (order & ITEM_MASK) - 1 + first_of(loop.variable.type)
            if self._holds(loop.condition, self._locals):
                return True
        return False

    def _start_repeat(self, repeat: Repeat) -> None:
        times = self._times(repeat, self._locals)
        if times is not None:
            self.row[self._slots.times[repeat.id]] = max(times, 0)
        if repeat.id in self._slots.rounds:
            self.row[self._slots.rounds[repeat.id]] = 0

    def _takes_round(self, repeat: Repeat) -> bool:
        """Pays for another round of a `repeat`; returns whether there is one."""
        times = self._slots.times.get(repeat.id)
        if times is not None and not self.row[times]:
            return False
        self._pay(self.layout.steps.round(repeat), self._at)
        if not self._holds(repeat.condition, self._locals):
            return False
        if repeat.limit is not None:
            rounds = self._slots.rounds[repeat.id]
            if self.row[rounds] == repeat.limit:
                raise no_end(repeat.limit)
            self.row[rounds] += 1
        if times is not None:
            self.row[times] -= 1
        return True

    # -------------------------------------------------------------- procedures

    def _go_in(self, id: int, arguments: tuple[int, ...], then: int) -> int:
        """Calls a cut procedure, which returns to `then`."""
        for variable, value in zip(self.game.procedures[id].parameters, arguments, strict=True):
            self._locals[variable.id] = value
        if id in self._slots.addresses:
            self.row[self._slots.addresses[id]] = then
        return self._blocks.entries[id]

    def _begin_phase(self, procedure: int, arguments: tuple[int, ...]) -> None:
        if self.trace is not None:
            self.trace.enter_phase(procedure, arguments, self)

    def _return(self, id: int) -> int:
        """Ends a cut procedure; returns the block to which it returns."""
        self._leave(id)
        address = self._slots.addresses.get(id)
        back = self.control.returns[id] if address is None else self.row[address]
        first, last = self._slots.areas[id]
        self.row[first:last] = [0] * (last - first)
        if back == STOPPED:
            self.row[self._slots.seat] = 0
        return back

    # -------------------------------------------------------------- choices

    def _ask_one(self, question: QuestionBlocks) -> int:
        """Puts a question to a seat, unless there is nothing to ask."""
        choice = self.game.choices[question.choice]
        self._hit(choice.site)
        seat, answer, is_forced = self._offered(choice, dict(self._locals))
        if answer is None:
            self._answer = seat, ()
            return question.none
        if is_forced:
            return self._take(question, seat, answer)
        return self._wait_for(question, seat)

    def _wait_for(self, question: QuestionBlocks, seat: Seat) -> int:
        self.row[self._slots.question], self.row[self._slots.seat] = question.id + 1, seat
        for slot in self._slots.rounds.values():
            self.row[slot] = 0
        self._check_entered()
        return STOPPED

    def _take(self, question: QuestionBlocks, seat: Seat, answer: Answer) -> int:
        self._answer = seat, answer
        return question.branches[answer[0]]

    def _bind_answer(self, choice: Choice, branch: int | None) -> None:
        """Begins the action that a seat has chosen, or the fallback if it has no option."""
        seat, answer = self._answer
        self._let_choose(choice, seat, self._locals)
        if branch is not None:
            self._bind_parameters(choice.branches[branch], answer, self._locals)
        body = choice.when_none if branch is None else choice.branches[branch].body
        self._pay(self.layout.steps.branch(body), self._at)

    # -------------------------------------------------------------- sealed choices

    def _ask_all(self, question: QuestionBlocks) -> int:
        """Puts a question to several seats at once; all of them get their turn, those without an option too."""
        choice = self.game.choices[question.choice]
        self._hit(choice.site)
        seats, owing = self._invited(choice, dict(self._locals))
        self.row[self._slots.todo[question.id]] = mask_of(seats)
        self.row[self._slots.owing[question.id]] = mask_of(owing)
        for seat in range(len(self.game.seats)):
            self._write_answer(question, Seat(seat), ())
        return self._wait_for(question, Seat(0)) if owing else question.turn

    def _keep(self, question: QuestionBlocks, seat: Seat, answer: Answer) -> int:
        """Keeps an answer under seal until all are in."""
        self._write_answer(question, seat, (answer[0] + 1, *answer[1:]))
        owing = self._slots.owing[question.id]
        self.row[owing] &= ~(1 << seat)
        if self.row[owing]:
            self.row[self._slots.question] = question.id + 1
            return STOPPED
        return question.turn

    def _write_answer(self, question: QuestionBlocks, seat: Seat, written: tuple[int, ...]) -> None:
        first, last = self._kept_at(question, seat)
        self.row[first:last] = [*written, *[0] * (last - first - len(written))]

    def _kept_at(self, question: QuestionBlocks, seat: Seat) -> tuple[Slot, Slot]:
        """Returns the first slot of a seat's answer, and the one behind its last."""
        width = self._slots.widths[question.id]
        first = self._slots.answers[question.id] + seat * width
        return Slot(first), Slot(first + width)

    def _next_answer(self, question: QuestionBlocks, exit: int) -> int:
        """Breaks the seal of the next seat's answer; returns the block that carries it out."""
        todo = members(self.row[self._slots.todo[question.id]])
        if not todo:
            return exit
        seat = Seat(todo[0])
        self.row[self._slots.todo[question.id]] = mask_of(todo[1:])
        first, last = self._kept_at(question, seat)
        number, *values = self.row[first:last]
        self._write_answer(question, seat, ())
        if not number:
            self._answer = seat, ()
            return question.none
        parameters = self.game.choices[question.choice].branches[number - 1].parameters
        return self._take(question, seat, (number - 1, *values[: len(parameters)]))

    # -------------------------------------------------------------- deferred calls

    def _queue_calls(self, block: Simultaneous, slot: Slot) -> None:
        """Runs the passes of a `simultaneously`; what they put off waits in a slot."""
        self._passes(block, self._locals)
        calls, self._deferred = self._deferred, []
        queue = [(procedure, *arguments) for procedure, arguments in calls]
        self.row[slot] = CallQueue(self.game).pack_calls(queue, self._entered is None)

    def _next_deferred(self, block: int, exit: int) -> int:
        """Makes the next call that was put off; returns the block behind its call."""
        slot = self._slots.deferred[block]
        queue = self.row[slot]
        if queue in (OUTERMOST, INNER):
            if queue == OUTERMOST:
                self._check_entered()
            self.row[slot] = 0
            return exit
        self._entered = {} if self._entered is None else self._entered
        (procedure, *arguments), self.row[slot] = CallQueue(self.game).next_call(queue)
        if procedure in self._blocks.entries:
            return self._go_in(procedure, tuple(arguments), block)
        self._call(procedure, tuple(arguments))
        return block


class Examiner(Interpreter):
    """Answers questions about one position, which share the values that they work out: a list of refusals asks for the
    same ones again and again, and pays for each as if it were alone."""

    def __init__(self, cut: CutGame, chance: Chance, row: Row) -> None:
        super().__init__(cut, chance)
        self.row = row[:]
        self._memo: dict[tuple[int, ...], tuple[int, int]] = {}
        # What a recursive value costs depends on what is known, so each question finds that out by itself.
        self._is_shared = all(value.deep is None for value in self.game.values)

    def _question(self) -> Evaluator:
        look = super()._question()
        if self._is_shared:
            look.memo = self._memo
        return look
