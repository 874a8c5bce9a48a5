"""Walks woven IR one statement after another: the core of the reference machine.

Control flow is Python's own: a procedure is a generator that yields where the game asks; `stop`, `return` and `finish`
are exceptions. So no slot of the row holds the place in the rules.

    repeat:                                  # Repeat: a while loop
      p chooses one of take(n), or stop      # Ask: yield Pending(...); Stop: raise Stopped(loop)

Invariant: between answers `row` is as `program.layout` says, and `pending` names who must answer.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress

from rulelang.errors import RunawayRules, RuntimeRules
from rulelang.ir.model import (
    Ask,
    Branch,
    Call,
    Choice,
    Defer,
    Fail,
    Finish,
    Loop,
    Repeat,
    Return,
    Simultaneous,
    Statement,
    Stop,
    When,
)
from rulelang.ir.numbers import Seat
from rulelang.machines.evaluate import Locals
from rulelang.machines.legal import bind
from rulelang.machines.machine import Answer, Pending
from rulelang.machines.passes import Pass
from rulelang.machines.walk import Returned, Stopped, Walker
from rulelang.program.violations import no_end

Flow = Generator[Pending, tuple[Seat, Answer], None]
"""Running rules: yields the question that they wait for, and is sent a seat and its answer."""
AnswerFlow = Generator[Pending, tuple[Seat, Answer], tuple[Seat, Answer]]
"""The same; in the end returns the seat and its answer."""


class WalkInFrames(Walker):
    """A walk that may stop in the midst of a procedure; questions, set-up and the end are those of `Walker`."""

    _asked: tuple[Choice, Locals] | None = None
    _stops = 0
    """How often it has asked."""

    def _flow_of(self, body: tuple[Statement, ...], locals: Locals) -> Flow:
        for statement in body:
            self._hit(statement.site)
            self._at = self.layout.steps.site(statement)
            try:
                flow = self._flow_of_one(statement, locals)
                if flow is not None:
                    yield from flow
            except RuntimeRules as error:
                error.site = error.site or self.layout.steps.site(statement)
                raise

    def _flow_of_one(self, statement: Statement, locals: Locals) -> Flow | None:
        """Carries out a statement; returns the rest to run if it contains other statements or asks."""
        match statement:
            case When():
                return self._flow_of_when(statement, locals)
            case Loop():
                return self._flow_of_loop(statement, locals)
            case Repeat():
                return self._flow_of_repeat(statement, locals)
            case Simultaneous():
                return self._flow_at_once(statement, locals)
            case Call():
                return self._flow_of_call(
                    statement.procedure, self._arguments(statement.procedure, statement.arguments, locals)
                )
            case Defer():
                arguments = self._arguments(statement.procedure, statement.arguments, locals)
                if self._pass is None:
                    return self._flow_of_call(statement.procedure, arguments)
                self._deferred.append((statement.procedure, arguments))
            case Ask():
                choice = self.game.choices[statement.choice]
                self._hit(choice.site)
                return (self._ask_sealed if choice.sealed else self._ask)(choice, locals)
            case Stop():
                raise Stopped(statement.loop)
            case Return():
                raise Returned
            case Finish():
                self._finish(statement, locals)
            case Fail():
                raise RunawayRules(statement.message, statement.site)
            case _:  # `_change` carries out all other statements, which contain none
                self._change(statement, locals)
        return None

    def _flow_of_when(self, statement: When, locals: Locals) -> Flow:
        for condition, body, site in statement.branches:
            if self._holds(condition, locals):
                self._hit(site)
                yield from self._flow_of(body, locals)
                return
        yield from self._flow_of(statement.otherwise, locals)

    def _flow_of_loop(self, loop: Loop, locals: Locals) -> Flow:
        try:
            for member in self._settled(loop, locals):
                locals[loop.variable.id] = member
                self._at = self.layout.steps.site(loop)
                if self._holds(loop.condition, locals):
                    yield from self._flow_of(loop.body, locals)
        except Stopped as stop:
            if stop.loop != loop.id:
                raise

    def _flow_of_repeat(self, loop: Repeat, locals: Locals) -> Flow:
        times, each = self._optional(loop.times, locals), self.layout.steps.round(loop)
        done = since_choice = 0
        try:
            while times is None or done < times:
                self._pay(each, self.layout.steps.site(loop))
                if not self._holds(loop.condition, locals):
                    return
                if loop.limit is not None and since_choice == loop.limit:
                    raise no_end(loop.limit)
                stops = self._stops
                yield from self._flow_of(loop.body, locals)
                done += 1
                since_choice = since_choice + 1 if self._stops == stops else 0
        except Stopped as stop:
            if stop.loop != loop.id:
                raise

    def _flow_of_call(self, id: int, arguments: tuple[int, ...]) -> Flow:
        procedure = self.game.procedures[id]
        self._enter(id, arguments)
        locals = {variable.id: value for variable, value in zip(procedure.parameters, arguments, strict=True)}
        with suppress(Returned):
            yield from self._flow_of(procedure.body, locals)
        self._leave(id)

    def _ask(self, choice: Choice, locals: Locals) -> Flow:
        asking, site = True, self._at
        while asking:
            self._at = site
            seat, answer, is_forced = self._offered(choice, locals)
            if answer is None:
                yield from self._carry_out(choice.when_none, choice.site or site, locals)
                return
            if not is_forced:
                _, answer = yield from self._wait(choice, (seat,), locals)
            branch = choice.branches[answer[0]]
            yield from self._answered(branch, answer, site, locals)
            asking = branch.interrupt

    def _ask_sealed(self, choice: Choice, locals: Locals) -> Flow:
        site = self._at
        seats, owing = self._invited(choice, locals)
        answers: dict[int, Answer] = {}
        while owing:
            seat, answer = yield from self._wait(choice, tuple(sorted(owing)), locals)
            answers[seat] = answer
            owing.remove(seat)
        for seat in sorted(seats):
            self._let_choose(choice, seat, locals)
            if seat in answers:
                yield from self._answered(choice.branches[answers[seat][0]], answers[seat], site, locals)
            else:
                yield from self._carry_out(choice.when_none, choice.site or site, locals)

    def _wait(self, choice: Choice, seats: tuple[Seat, ...], locals: Locals) -> AnswerFlow:
        self._refuse_at_once()
        self._check_entered()
        self._asked = choice, locals
        self._stops += 1
        return (yield Pending(choice.id, seats))

    def _answered(self, branch: Branch, answer: Answer, site: int, locals: Locals) -> Flow:
        self._hit(branch.site)
        bind(branch, answer, locals)
        yield from self._carry_out(branch.body, branch.site or site, locals)

    def _carry_out(self, body: tuple[Statement, ...], site: int, locals: Locals) -> Flow:
        self._pay(self.layout.steps.branch(body), site)
        yield from self._flow_of(body, locals)

    def _flow_at_once(self, block: Simultaneous, locals: Locals) -> Flow:
        yield from self._flow_of_passes(block, locals)
        if self._pass is None:
            deferred, self._deferred = self._deferred, []
            outermost = self._entered is None
            for procedure, arguments in deferred:
                self._entered = {} if self._entered is None else self._entered
                yield from self._flow_of_call(procedure, arguments)
            if outermost:
                self._check_entered()

    def _flow_of_passes(self, block: Simultaneous, locals: Locals) -> Flow:
        """Runs the passes of a `simultaneously`, and merges what they wrote."""
        row, outer = self.row, self._pass
        counters = slice(self.layout.counters, self.layout.counters + self.layout.streams)
        passes: list[Pass] = []
        for member in self._look().paid(block.source, locals, self.layout.steps.round(block)):
            self._at = self.layout.steps.site(block)
            self.row, self._pass = list(row), Pass(self.game, self.layout)
            passes.append(self._pass)
            try:
                inner = {**locals, block.variable.id: member}
                if self._holds(block.condition, inner):
                    yield from self._flow_of(block.body, inner)
            except Returned:
                pass  # `return` leaves only its own pass, so that the result does not depend on the order of passes.
            finally:
                row[counters] = self.row[counters]
                self.row, self._pass = row, outer
        self._merge(passes)
