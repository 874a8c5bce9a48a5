"""Walks woven IR that asks nothing, one statement after another: the core of the interpreter.

Control flow is Python's own: a procedure is a call, a `repeat` a while loop; `stop`, `return` and `finish` are
exceptions. `interpreter` carries out what may stop, from block to block.

    repeat 2 times:                          # Repeat: a while loop
      if heap == 0: stop                     # When: an if; Stop: raise Stopped(loop)
      heap -= 1                              # Assign: `effects`

Invariant: between statements `row` is as `program.layout` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

import attrs

from rulelang.errors import NoOption, RunawayRules, RuntimeRules
from rulelang.ir.model import (
    Ask,
    Branch,
    Call,
    Choice,
    Defer,
    Expr,
    Fail,
    Finish,
    GameRules,
    Loop,
    Order,
    Over,
    Repeat,
    Return,
    Simultaneous,
    Statement,
    StateVariable,
    Stop,
    When,
)
from rulelang.ir.numbers import Row, Seat, Slot
from rulelang.ir.types import NONE, IntType, Type
from rulelang.machines.effects import Changes
from rulelang.machines.evaluate import Evaluator, Locals, ranked
from rulelang.machines.legal import bind, is_offered, legal, refusal
from rulelang.machines.machine import Answer, Chance, Refusal, Trace, ValueFunction
from rulelang.machines.meter import Meter, part_of_account
from rulelang.machines.passes import Pass
from rulelang.program.layout import (
    GROUP,
    LOST,
    OUTCOME,
    OUTCOME_RULE,
    OUTCOME_VALUE,
    RANKING,
    SCORE,
    UNDECIDED,
    WINNER,
    Layout,
    index_at,
    lay_out,
)
from rulelang.program.packing import mask_of
from rulelang.program.values import within
from rulelang.program.violations import no_end, slot_violation

CODES = {"winner": WINNER, "ranking": RANKING, "score": SCORE, "lost": LOST, "undecided": UNDECIDED}


class Stopped(Exception):
    """`stop`: unwinds to the loop that it leaves."""

    def __init__(self, loop: int) -> None:
        self.loop = loop


class Returned(Exception):
    """`return`: unwinds to the caller of the procedure."""


class Finished(Exception):
    """`finish`: unwinds everything."""


class _NoChance:
    """A chance without outcomes, because a foreseen procedure draws nothing."""

    def __getattr__(self, name: str) -> object:
        raise RuntimeRules("nothing random can be foreseen")


@attrs.define(eq=False, repr=False)
class Evaluation(Evaluator):
    """An evaluation that walks the procedures of which it foresees the end."""

    def in_row(self, row: Row, meter: Meter) -> Evaluation:
        """Returns an evaluation in another row; see `Evaluator`."""
        return Evaluation(row, self.game, self.layout, meter=meter)

    def foresee(self, procedure: int, arguments: tuple[int, ...]) -> Row:
        """Returns the row after a procedure; see `Evaluator`."""
        machine = Walker(self.game, _NoChance(), self.layout)  # type: ignore[arg-type]
        machine.meter = self.meter
        machine.row = list(self.row)
        machine.run_alone(procedure, arguments)
        if self.game.checkpoint is not None:
            machine.run_alone(self.game.checkpoint, ())
        return machine.row


class Walker(Changes):
    """A walk through the rules, and answers to questions about the position that it has come to.

    `hits` collects the sites that ran or were evaluated, `refused` those of the needs that `refusal` met.
    """

    evaluation = Evaluation

    def __init__(
        self,
        game: GameRules,
        chance: Chance,
        layout: Layout | None = None,
        trace: Trace | None = None,
        *,
        hits: set[int] | None = None,
        refused: set[int] | None = None,
    ) -> None:
        super().__init__(game, layout or lay_out(game), chance, trace, hits)
        self.refused = refused
        self._deferred: list[tuple[int, tuple[int, ...]]] = []

    def run_alone(self, procedure: int, arguments: tuple[int, ...]) -> None:
        """Runs one procedure that asks nothing, whatever is pending; `finish` ends it."""
        with suppress(Finished):
            self._call(procedure, arguments)

    # -------------------------------------------------------------- questions

    def options(self, seat: Seat) -> Iterator[Answer]:
        """Yields the legal answers of a seat; none for a seat that is not asked."""
        asked = self._asked_of(seat)
        return legal(*asked, self._question()) if asked else iter(())

    def allows(self, seat: Seat, answer: Answer) -> bool:
        """Returns whether an answer is legal."""
        asked = self._asked_of(seat)
        return asked is not None and refusal(asked[0], answer, asked[1], self._question()) is None

    def refusal(self, seat: Seat, answer: Answer) -> Refusal | None:
        """Returns the first reason why an answer is not legal; see `Machine`."""
        asked = self._asked_of(seat)
        if asked is None:
            return Refusal(None)
        found = refusal(asked[0], answer, asked[1], self._question())
        if found is None:
            return None
        reason, need = found
        if need is not None and self.refused is not None:
            self.refused.add(need.site)
        return reason

    def _asked_of(self, seat: Seat) -> tuple[Choice, Locals] | None:
        """Returns the choice that a seat is asked and the locals that it reads; a walk by itself asks nobody."""
        return None

    def score(self, seat: Seat) -> int | None:
        """Returns the rules' `score` of a seat; see `Machine`."""
        look = self._question()
        look.meter = part_of_account(self.layout)
        return look.score(seat)

    @property
    def functions(self) -> Mapping[int, ValueFunction]:
        """No functions, because this machine walks the IR; see `Machine`."""
        return {}

    @property
    def holes(self) -> Mapping[int, ValueFunction]:
        """No functions, because this machine walks the IR; see `Machine`."""
        return {}

    # -------------------------------------------------------------- set-up

    def _blank_row(self) -> Row:
        return [0] * self.layout.size

    def _set_up(self, players: int, options: Mapping[int, int]) -> None:
        game, layout = self.game, self.layout
        self.row = self._blank_row()
        for zone in game.zones:
            if zone.form == "slot":
                start = layout.zones[zone.id]
                self.row[start : start + layout.zone_sizes[zone.id]] = [NONE] * layout.zone_sizes[zone.id]
        for kind in game.kinds:
            if kind.movable:
                box = next(zone for zone in game.zones if zone.kind == kind.id and zone.name == "box")
                self.row[layout.zones[box.id]] = (1 << kind.size) - 1
                self.row[layout.places[kind.id] : layout.places[kind.id] + kind.size] = [box.first_place] * kind.size
                self.row[layout.faces[kind.id] : layout.faces[kind.id] + kind.size] = [1] * kind.size
        given = {game.all_players: (1 << players) - 1, game.players_left: (1 << players) - 1, game.mover: NONE}
        for state in game.states:
            if state.id in given or state.id in options:
                self.row[layout.states[state.id]] = given.get(state.id, options.get(state.id, 0))
        for state in game.states:
            if state.id not in given and state.id not in options:
                self._initialise(state)

    def _initialise(self, state: StateVariable) -> None:
        start = self.layout.states[state.id]
        if state.initial is not None:
            self._pay(self.layout.steps.initial(state) * self.layout.state_sizes[state.id], state.site)
        try:
            self._initial_values(state, start)
        except RuntimeRules as error:
            error.site = error.site or state.site
            raise

    def _initial_values(self, state: StateVariable, start: Slot) -> None:
        for i in range(self.layout.state_sizes[state.id]):
            index = index_at(state.dimensions, i)
            locals = {name.id: value for name, (value, _) in zip(state.initial_names, index, strict=False)}
            value = default_of(state.type) if state.initial is None else self._value(state.initial, locals)
            if not within(state.type, value):
                raise slot_violation(self.game, self.layout, start + i, value, state.site)
            self.row[start + i] = value

    # -------------------------------------------------------------- statements

    def _run(self, body: tuple[Statement, ...], locals: Locals) -> None:
        for statement in body:
            self._hit(statement.site)
            self._at = self.layout.steps.site(statement)
            # Verbs that call each other are walked by calls inside calls: each level takes as few as it can.
            try:
                match statement:
                    case When():
                        self._when(statement, locals)
                    case Loop():
                        self._loop(statement, locals)
                    case Repeat():
                        self._repeat(statement, locals)
                    case Simultaneous():
                        self._simultaneous(statement, locals)
                    case Call():
                        arguments = self._arguments(statement.procedure, statement.arguments, locals)
                        self._call(statement.procedure, arguments)
                    case _:  # any other statement contains none
                        self._step(statement, locals)
            except RuntimeRules as error:
                error.site = error.site or self.layout.steps.site(statement)
                raise

    def _step(self, statement: Statement, locals: Locals) -> None:
        """Carries out a statement that contains no other."""
        match statement:
            case Defer():
                arguments = self._arguments(statement.procedure, statement.arguments, locals)
                if self._pass is None:
                    self._call(statement.procedure, arguments)
                else:
                    self._deferred.append((statement.procedure, arguments))
            case Ask():
                raise RuntimeRules("nothing is chosen in what is foreseen")
            case Stop():
                raise Stopped(statement.loop)
            case Return():
                raise Returned
            case Finish():
                self._finish(statement, locals)
            case Fail():
                raise RunawayRules(statement.message, statement.site)
            case _:  # `_change` carries out all other statements
                self._change(statement, locals)

    def _arguments(self, procedure: int, arguments: tuple[Expr, ...], locals: Locals) -> tuple[int, ...]:
        called = self.game.procedures[procedure]
        return self._look().arguments(called.name, called.parameters, arguments, locals)

    def _when(self, statement: When, locals: Locals) -> None:
        for condition, body, site in statement.branches:
            if self._holds(condition, locals):
                self._hit(site)
                self._run(body, locals)
                return
        self._run(statement.otherwise, locals)

    def _loop(self, loop: Loop, locals: Locals) -> None:
        try:
            for member in self._settled(loop, locals):
                locals[loop.variable.id] = member
                self._at = self.layout.steps.site(loop)
                if self._holds(loop.condition, locals):
                    self._run(loop.body, locals)
        except Stopped as stop:
            if stop.loop != loop.id:
                raise

    def _settled(self, loop: Loop, locals: Locals) -> list[int]:
        """Pays for what a loop goes over, and returns it in the loop's order."""

        def key(order: Order, member: int) -> int:
            return self._value(order.value, {**locals, loop.variable.id: member})

        whole = self._look().paid(loop.source, locals, self.layout.steps.round(loop))
        return [member for group in ranked(whole, loop.keys, key) for member in group]

    def _repeat(self, loop: Repeat, locals: Locals) -> None:
        times, each, done = self._times(loop, locals), self.layout.steps.round(loop), 0
        try:
            while times is None or done < times:
                self._pay(each, self.layout.steps.site(loop))
                if not self._holds(loop.condition, locals):
                    return
                if loop.limit is not None and done == loop.limit:
                    raise no_end(loop.limit)
                self._run(loop.body, locals)
                done += 1
        except Stopped as stop:
            if stop.loop != loop.id:
                raise

    def _times(self, loop: Repeat, locals: Locals) -> int | None:
        return self._optional(loop.times, locals)

    def _call(self, id: int, arguments: tuple[int, ...]) -> None:
        procedure = self.game.procedures[id]
        self._enter(id, arguments)
        locals = {variable.id: value for variable, value in zip(procedure.parameters, arguments, strict=True)}
        with suppress(Returned):
            self._run(procedure.body, locals)
        self._leave(id)

    def _enter(self, id: int, arguments: tuple[int, ...]) -> None:
        """Tells the trace that a procedure begins, and pays for it."""
        procedure = self.game.procedures[id]
        if procedure.phase:
            self._begin_phase(id, arguments)
        if procedure.rule is not None and self.trace is not None:
            self.trace.enter(procedure.rule, arguments)
        if procedure.body:
            self._pay(self.layout.steps.procedure(id), self.layout.steps.site(procedure.body[0]))

    def _begin_phase(self, procedure: int, arguments: tuple[int, ...]) -> None:
        """Tells the trace that a phase is about to begin, so that a scenario may write to the row."""

    def _leave(self, id: int) -> None:
        """Tells the trace that a procedure ends."""
        rule = self.game.procedures[id].rule
        if rule is not None and self.trace is not None:
            self.trace.leave(rule)

    # -------------------------------------------------------------- choices

    def _offered(self, choice: Choice, locals: Locals) -> tuple[Seat, Answer | None, bool]:
        """Binds the seat that is to choose; returns it, its first option, and whether that is taken without asking."""
        assert choice.who is not None
        seat = Seat(self._value(choice.who, locals))
        self._let_choose(choice, seat, locals)
        first, second = (None, None) if seat == NONE else self._first_two(choice, locals)
        if first is None and choice.empty == "error":
            raise self._no_option(choice, seat)
        is_forced = first is not None and choice.forced and second is None
        if first is not None and is_forced and self.trace is not None:
            self.trace.forced(choice.id, seat, first)
        return seat, first, is_forced

    def _invited(self, choice: Choice, locals: Locals) -> tuple[list[Seat], list[Seat]]:
        """Returns the seats that a sealed choice asks, and those among them that have an option."""
        assert choice.source is not None
        seats: list[Seat] = []
        owing: list[Seat] = []
        for seat in map(Seat, self._sequence(choice.source, locals)):
            self._let_choose(choice, seat, locals)
            if self._holds(choice.condition, locals):
                seats.append(seat)
                if self._can_answer(choice, seat, locals):
                    owing.append(seat)
        return seats, owing

    def _bind_parameters(self, branch: Branch, answer: Answer, locals: Locals) -> None:
        bind(branch, answer, locals)

    def _can_answer(self, choice: Choice, seat: Seat, locals: Locals) -> bool:
        can = self._first_two(choice, locals)[0] is not None
        if not can and choice.empty == "error":
            raise self._no_option(choice, seat)
        return can

    def _no_option(self, choice: Choice, seat: Seat) -> NoOption:
        name = self.game.seats[seat] if 0 <= seat < len(self.game.seats) else "nobody"
        return NoOption(f"{name} must choose and has nothing to choose from", choice.site)

    def _first_two(self, choice: Choice, locals: Locals) -> tuple[Answer | None, Answer | None]:
        if not choice.forced:
            for number, branch in enumerate(choice.branches):
                if is_offered(choice, branch) and not branch.parameters and not branch.needs:
                    return (number,), None
        found = legal(choice, locals, self._look())
        return next(found, None), next(found, None) if choice.forced else None

    def _let_choose(self, choice: Choice, seat: Seat, locals: Locals) -> None:
        """Binds the names of the chooser."""
        for name in (choice.variable, choice.actor):
            if name is not None:
                locals[name.id] = seat

    # -------------------------------------------------------------- at once

    def _simultaneous(self, block: Simultaneous, locals: Locals) -> None:
        self._passes(block, locals)
        if self._pass is None:
            deferred, self._deferred = self._deferred, []
            outermost = self._entered is None
            for procedure, arguments in deferred:
                self._entered = {} if self._entered is None else self._entered
                self._call(procedure, arguments)
            if outermost:
                self._check_entered()

    def _passes(self, block: Simultaneous, locals: Locals) -> None:
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
                    self._run(block.body, inner)
            except Returned:
                pass  # `return` leaves only its own pass, so that the result does not depend on the order of passes.
            finally:
                row[counters] = self.row[counters]
                self.row, self._pass = row, outer
        self._merge(passes)

    # -------------------------------------------------------------- the end

    def _finish(self, end: Finish, locals: Locals) -> None:
        self._refuse_at_once()
        self._check_entered()
        self.row[OUTCOME_VALUE] = self._result(end, locals)
        self.row[OUTCOME_RULE] = end.rule
        self.row[OUTCOME] = CODES[end.how]
        if self.trace is not None and end.how != "undecided":
            self.trace.finish(end.how, end.rule)
        raise Finished

    def _result(self, end: Finish, locals: Locals) -> int:
        if end.value is None:
            return 0
        if end.how != "ranking":
            return self._value(end.value, locals)
        assert isinstance(end.value, Over)
        packed = 0
        for i, group in enumerate(self._look().groups(end.value, locals)):
            packed |= mask_of(group) << (GROUP * i)
        return packed


def default_of(type: Type) -> int:
    """Returns a type's default initial value: none, else the lowest number, no, the first thing or the empty set."""
    if type.optional:
        return NONE
    return type.low if isinstance(type, IntType) else 0


def evaluate(
    expr: Expr,
    row: Row,
    locals: Locals,
    game: GameRules,
    layout: Layout,
    *,
    chance: Chance | None = None,
    hits: set[int] | None = None,
    meter: Meter | None = None,
) -> int:
    """Returns the value of an expression in a row; `hits` collects the site of each case, adjustment and cell used.

    Raises RangeViolation (a value, a division, arithmetic with
    NONE) and RunawayRules (too deep a recursion, too many steps).
    """
    return Evaluation(row, game, layout, chance, hits, meter or part_of_account(layout)).value(expr, locals)
