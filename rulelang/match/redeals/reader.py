"""A step, run once more with the eyes of a seat -> the formulas that hold because the step went as it did.

    for c in p.hand if c.colour == k: c.told = k
        c got a mark, which p sees       its colour is k
        d got none                       its colour is not

What is decided in a way that the seat does not see tells it nothing; where that is not clear, the reader says that
something may have been missed.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol

import attrs

from rulelang.errors import RuntimeRules
from rulelang.ir.model import (
    Assign,
    BeginBody,
    Bind,
    Choice,
    EndBody,
    Expr,
    Loop,
    Move,
    Repeat,
    Simultaneous,
    Statement,
    Witness,
)
from rulelang.ir.numbers import Row, Seat
from rulelang.machines.chance import Tape
from rulelang.machines.evaluate import Locals
from rulelang.machines.interpreter import CutRules, Interpreter
from rulelang.machines.machine import Answer, Silent
from rulelang.match.deferred_events import Past
from rulelang.match.match import BareMatch
from rulelang.match.redeals.formulas import Formula, negated
from rulelang.match.redeals.inference import SeatReading, Term, ThingSet, UnknownThing
from rulelang.match.redeals.steps import TellingLines, parts_of
from rulelang.program.layout import flat
from rulelang.program.packing import members


class Seer(Protocol):
    """A seat that follows a step."""

    @property
    def seat(self) -> Seat: ...

    @property
    def bit(self) -> int: ...

    def inference(self, row: Row, unsure: frozenset[int]) -> SeatReading: ...

    def learn(self, formula: Formula) -> None: ...

    def miss(self) -> None: ...

    def passed(self) -> None: ...


@attrs.define(eq=False)
class _Passing(Silent):
    """A trace that tells a seat of each passage of a thing."""

    seer: Seer

    def move(self, kind: int, thing: int, source: int, target: int, end: str, site: int) -> None:
        self.seer.passed()

    def turn_up(self, kind: int, thing: int, site: int) -> None:
        self.seer.passed()

    def show(self, kind: int, thing: int, seats: int, part: int, site: int) -> None:
        self.seer.passed()

    def shuffle(self, zone: int, place: int, site: int) -> None:
        self.seer.passed()


def follow(steps: TellingLines, seer: Seer, before: BareMatch | None, past: Past | None, after: BareMatch) -> bool:
    """Lets a seat follow the step between two stops (None: the set-up); returns whether it went as it had gone."""
    chapter, machine = after.internals.moment.chapter, after.position.machine
    assert chapter is not None
    rules = CutRules(after.game, after.internals.layout, machine.control)
    draws = (value if isinstance(value, tuple) else (value,) for value in (draw.value for draw in chapter.trail.draws))
    reader = StepReader(rules, Tape(draws, after.internals.layout), steps, seer)
    try:
        if before is None or past is None:
            reader.begin(after.players, after.given)
        else:
            reader.go_on(before, past.seat, past.answer, past.reading)
    except (RuntimeRules, StopIteration):
        return False
    size = after.internals.layout.size
    return reader.row[:size] == after.position.row[:size]


class StepReader(Interpreter):
    """A machine that takes a step and tells a seat what it could conclude."""

    def __init__(self, rules: CutRules, chance: Tape, steps: TellingLines, seer: Seer) -> None:
        super().__init__(rules, chance, _Passing(seer))
        self._steps, self._seer = steps, seer
        self._bound: dict[int, Term] = {}
        """By local: its value as the seat may work it out."""
        self._is_lost = False
        """Whether a way was taken that the seat cannot tell from others: what is done from there on tells it nothing."""

    def go_on(self, before: BareMatch, seat: Seat, answer: Answer, reading: int | None) -> None:
        """Takes an answer at a stop, with the time that it took."""
        choice = before.choice
        assert choice is not None
        self.row = list(before.position.machine.row)
        if choice.clock is not None and reading is not None:
            self.row[self.layout.states[self.game.clocks[choice.clock].reading]] = reading
        self.answer(seat, answer)

    # -------------------------------------------------------------- conditions

    def _eyes(self, locals: Locals) -> tuple[SeatReading, dict[int, Term]]:
        reader = self._seer.inference(self.row, self._steps.unsure(locals, self._seer.seat))
        return reader, {**reader.locals(locals), **{id: term for id, term in self._bound.items() if id in locals}}

    def _holds(self, condition: Expr | None, locals: Locals) -> bool:
        holds = super()._holds(condition, locals)
        if condition is not None and self._steps.is_told(condition):
            reader, known = self._eyes(locals)
            formula = reader.formula(condition, known)
            if not isinstance(formula, bool):
                self._is_lost |= not self._shows(condition, locals)
                self._learn(formula if holds else negated(formula))
        return holds

    def _lose(self) -> None:
        self._is_lost = True
        self._seer.miss()

    def _learn(self, formula: Formula) -> None:
        if self._is_lost:
            self._lose()
        else:
            self._seer.learn(formula)

    def _shows(self, condition: Expr, locals: Locals) -> bool:
        """Returns whether the seat sees which way was taken."""
        if id(condition) not in self._steps.ways:
            return False
        body, others = self._steps.ways[id(condition)]
        taken = self._seen_of(body, locals)
        ways = [self._seen_of(other, locals) for other in others]
        return taken is not None and all(way is not None and way != taken for way in ways)

    def _seen_of(self, body: tuple[Statement, ...], locals: Locals) -> list[Hashable] | None:
        """Returns the changes by a body that a seat would see; None if they are not simply said."""
        seen: list[Hashable] = []
        for statement in body:
            match statement:
                case Assign():
                    change = self._seen_change(statement, locals)
                    if change is None:
                        return None
                    seen += change
                case Move():
                    seen.append(id(statement))
                case Witness() | BeginBody() | EndBody():
                    pass
                case _:  # any other statement may do anything
                    return None
        return seen

    def _seen_change(self, assign: Assign, locals: Locals) -> list[Hashable] | None:
        state = self.game.states[assign.place.state]
        try:
            at = flat(state.dimensions, self._values(assign.place.index, locals))
            value = self._value(assign.value, locals)
        except (RuntimeRules, KeyError):
            return None
        if at < 0 or assign.operator != "=" or assign.least is not None or assign.most is not None:
            return None
        if not self._seer.inference(self.row, frozenset()).visibility.of_cell(state, at, self.row) & self._seer.bit:
            return []
        slot = self.layout.states[state.id] + at
        return [] if self.row[slot] == value else [(slot, value)]

    # -------------------------------------------------------------- lines

    def _change(self, statement: Statement, locals: Locals) -> None:
        if not any(self._steps.is_told(part) for part in parts_of(statement)):
            super()._change(statement, locals)
            return
        match statement:
            case Assign():
                self._written(statement, locals)
            case Bind(variable=variable, value=value, least=None, most=None) if not self._steps.secrets.draws(value):
                reader, known = self._eyes(locals)
                term = reader.term(value, known)
                super()._change(statement, locals)
                self._bound[variable.id] = term
            case Move():
                self._moved(statement, locals)
                super()._change(statement, locals)
            case _:  # what any other line tells is not worked out
                self._seer.miss()
                super()._change(statement, locals)

    def _written(self, assign: Assign, locals: Locals) -> None:
        state, (reader, known) = self.game.states[assign.place.state], self._eyes(locals)
        term = reader.term(assign.value, known)
        indices = [reader.term(part, known) for part in assign.place.index]
        at = flat(state.dimensions, self._values(assign.place.index, locals))
        super()._change(assign, locals)
        if not all(isinstance(index, int | UnknownThing) for index in indices):
            self._seer.miss()
        elif (
            isinstance(term, int | UnknownThing) or not reader.visibility.of_cell(state, at, self.row) & self._seer.bit
        ):
            pass  # A thing is pointed at where it lies, which tells nothing of it.
        elif assign.operator != "=" or assign.least is not None or assign.most is not None or at < 0:
            self._seer.miss()
        else:
            self._learn(reader.same(term, self.row[self.layout.states[state.id] + at]))

    def _moved(self, move: Move, locals: Locals) -> None:
        reader, known = self._eyes(locals)
        counted = [part for part in (move.count, *move.to.index) if part is not None and self._steps.is_told(part)]
        if any(not isinstance(reader.term(part, known), int) for part in counted):
            self._lose()
        if not self._steps.is_told(move.what):
            return
        things = None if move.what.mask is None or move.what.pile is not None else reader.term(move.what.mask, known)
        if isinstance(things, ThingSet) and move.count is None:
            gone = members(max(self._value(move.what.mask, locals), 0)) if move.what.mask is not None else []
            for thing, formula in things.parts:
                self._learn(formula if thing in gone else negated(formula))
        elif not isinstance(things, int):
            self._lose()

    def _settled(self, loop: Loop, locals: Locals) -> list[int]:
        if self._steps.is_told(loop.source) or any(self._steps.is_told(key.value) for key in loop.keys):
            reader, known = self._eyes(locals)
            things = None if loop.source.mask is None else reader.term(loop.source.mask, known)
            is_known = isinstance(things, int) or (
                isinstance(things, ThingSet) and all(f is True for _, f in things.parts)
            )
            if loop.keys or loop.source.pile is not None or not is_known:
                self._lose()
        return super()._settled(loop, locals)

    def _times(self, loop: Repeat, locals: Locals) -> int | None:
        if loop.times is not None and self._steps.is_told(loop.times):
            reader, known = self._eyes(locals)
            if not isinstance(reader.term(loop.times, known), int):
                self._lose()
        return super()._times(loop, locals)

    def _passes(self, block: Simultaneous, locals: Locals) -> None:
        if self._steps.is_told(block.source):
            self._lose()
        super()._passes(block, locals)

    def _arguments(self, procedure: int, arguments: tuple[Expr, ...], locals: Locals) -> tuple[int, ...]:
        terms: dict[int, Term] = {}
        for variable, argument in zip(self.game.procedures[procedure].parameters, arguments, strict=True):
            self._bound.pop(variable.id, None)
            if self._steps.is_told(argument):
                reader, known = self._eyes(locals)
                terms[variable.id] = reader.term(argument, known)
        found = super()._arguments(procedure, arguments, locals)
        self._bound |= terms
        return found

    def _offered(self, choice: Choice, locals: Locals) -> tuple[Seat, Answer | None, bool]:
        if self._steps.of_choice(choice).at_all:
            self._seer.miss()
        return super()._offered(choice, locals)
