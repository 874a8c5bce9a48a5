"""A step of a match, replayed by the interpreter -> the numbers from which each of its changes was computed.

    red.energy: 4 -> 1       due = load(red) = 3: base 2, +1 strength

A change is computed from the expressions of its line, and from those that gave their locals their values: `let`s, and
the arguments of verbs. After the first condition in a step that depends on a secret, the seats that may not know it
are told nothing more of the step, since the lines that ran would reveal it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

import attrs

from rulelang.errors import RuntimeRules
from rulelang.ir.model import (
    Assign,
    Bind,
    Choice,
    Expr,
    Loop,
    Move,
    Op,
    Pick,
    Repeat,
    Roll,
    Simultaneous,
    Source,
    Statement,
    Variable,
)
from rulelang.ir.numbers import Slot
from rulelang.ir.walk import read_in, walk
from rulelang.knowledge.redaction import EVERYONE, NOBODY
from rulelang.knowledge.visibility import is_inner
from rulelang.machines.chance import Tape
from rulelang.machines.evaluate import Locals, sequence
from rulelang.machines.interpreter import CutRules, Interpreter
from rulelang.machines.machine import Answer, Chance, Silent
from rulelang.machines.passes import Write
from rulelang.match.disclosures import answer_again, draws_until
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from rulelang.match.position import Position
from rulelang.workbench.reasons.breakdown import Accounting, NumberAccount


@attrs.frozen
class Working:
    """The result of one expression, with its adjustments; for `seers` only."""

    accounts: tuple[NumberAccount, ...]
    seers: int

    def seen(self, viewer: int | None) -> tuple[NumberAccount, ...]:
        """Returns the accounts that a viewer (a bit; None: one who sees all) may read."""
        return self.accounts if viewer is None or self.seers == EVERYONE or self.seers & viewer else ()


def workings_of(match: BareMatch, number: int) -> dict[tuple[str, int], tuple[Working, ...]]:
    """Returns the workings behind the changes of the step that
    an input began, by sort and place among those of the step.

    Places count the changes of one sort, `set` or `move`, over all events of the step. The result is empty for a step
    that cannot be replayed: the set-up, or one that was taken back or dropped.
    """
    earlier = match.earlier()
    at = next((i for i, (_, past) in enumerate(earlier) if past.number == number), None)
    draws = draws_until(match.internals.moment.chapter)
    if at is None or draws is None or match.internals.placed is not None:
        return {}
    before, past = earlier[at]
    rules = CutRules(match.game, match.internals.layout, match.position.machine.control)
    machine = _Explaining(rules, Tape(draws, match.internals.layout))
    machine.begin(match.players, match.given)
    for _, one in earlier[:at]:
        answer_again(machine, one)
    if machine.row[: match.internals.layout.size] != before.position.row[: match.internals.layout.size]:
        return {}
    again = before.internals.played_by(machine, _Counting(machine))
    machine.midst = lambda: again.internals.midst
    choice = before.position.choice
    assert choice is not None
    option = Option(past.seat, choice.name, past.answer, choice.branches[past.answer[0]].name, "")
    with suppress(RuntimeRules):
        again.push(option, elapsed=past.reading)
    return machine.found


class _Explaining(Interpreter):
    """An interpreter that collects the numbers behind each change of the step that it plays."""

    def __init__(self, rules: CutRules, chance: Chance) -> None:
        super().__init__(rules, chance)
        self.midst: Callable[[], Position] | None = None
        self.found: dict[tuple[str, int], tuple[Working, ...]] = {}
        self.now: tuple[Working, ...] = ()
        """The workings of the line that is running."""
        self._told = EVERYONE
        """The viewers who may know which lines have run so far."""
        self._of: dict[int, tuple[Working, ...]] = {}
        """By local: the workings behind its value."""
        self._passed: dict[int, tuple[Working, ...]] = {}
        """By slot: the workings behind the writes of passes of `simultaneously`."""

    # -------------------------------------------------------------- workings of lines

    def _change(self, statement: Statement, locals: Locals) -> None:
        if self.midst is None:
            super()._change(statement, locals)
            return
        before = self._in_pass()
        match statement:
            case Assign(place=place):
                self.now = self._worked_from((*place.index, statement.value, statement.least, statement.most), locals)
            case Move(count=count, to=to):
                self.now = self._worked_from((count, *to.index), locals)
            case Bind(variable=variable):
                self._of[variable.id] = self._worked_from((statement.value, statement.least, statement.most), locals)
            case _:  # no other statement computes a number
                pass
        super()._change(statement, locals)
        for slot, writes in self._in_pass().items():
            if writes != before.get(slot):
                self._passed[slot] = (*self._passed.get(slot, ()), *self.now)
        self.now = ()

    def _in_pass(self) -> dict[Slot, tuple[Write, ...]]:
        """Returns the writes of the running pass of `simultaneously` so far, by slot."""
        return {} if self._pass is None else {slot: tuple(writes) for slot, writes in self._pass.writes.items()}

    def _arguments(self, procedure: int, arguments: tuple[Expr, ...], locals: Locals) -> tuple[int, ...]:
        if self.midst is not None:
            for variable, argument in zip(self.game.procedures[procedure].parameters, arguments, strict=True):
                self._of[variable.id] = self._worked_from((argument,), locals)
        return super()._arguments(procedure, arguments, locals)

    def _write(self, slot: Slot, value: int, site: int) -> None:
        if self._pass is None and slot in self._passed:
            self.now = self._passed.pop(slot)
        super()._write(slot, value, site)

    def _worked_from(self, parts: tuple[Expr | None, ...], locals: Locals) -> tuple[Working, ...]:
        """Returns the present values of some expressions, and the sources of the locals in them."""
        exprs = [expr for part in parts if part is not None for expr in _without_chance(part)]
        accounts, seers = self._looked(exprs, locals)
        told = tuple(account for account in accounts if account.is_telling)
        own = (Working(told, seers & self._told),) if told else ()
        before = [one for local in sorted(read_in(*exprs)) for one in self._of.get(local, ())]
        return (*(Working(one.accounts, one.seers & self._told) for one in before), *own)

    def _looked(self, exprs: list[Expr], locals: Locals) -> tuple[tuple[NumberAccount, ...], int]:
        """Returns the accounts of some expressions, and the viewers who may know everything that they read; NOBODY on
        a fault."""
        assert self.midst is not None
        midst = self.midst()
        look = Accounting(
            self.row,
            self.game,
            self.layout,
            visibility=midst.visibility,
            knowledge=midst.knowledge,
            told=midst.witnesses.told(locals, self.row),
        )
        try:
            look.values(tuple(exprs), locals)
        except (RuntimeRules, KeyError):
            return look.accounts, 0
        return look.accounts, look.seers

    # -------------------------------------------------------------- conditions that decide which lines run

    def _holds(self, condition: Expr | None, locals: Locals) -> bool:
        self._asked_about([condition], locals)
        return super()._holds(condition, locals)

    def _settled(self, loop: Loop, locals: Locals) -> list[int]:
        self._went_over(loop.source, loop.variable, tuple(key.value for key in loop.keys), locals)
        return super()._settled(loop, locals)

    def _passes(self, block: Simultaneous, locals: Locals) -> None:
        self._went_over(block.source, block.variable, (), locals)
        super()._passes(block, locals)

    def _times(self, loop: Repeat, locals: Locals) -> int | None:
        self._asked_about([loop.times], locals)
        return super()._times(loop, locals)

    def _first_two(self, choice: Choice, locals: Locals) -> tuple[Answer | None, Answer | None]:
        if self.midst is not None and not choice.open:
            self._told = NOBODY
        return super()._first_two(choice, locals)

    def _went_over(self, source: Source, variable: Variable, keys: tuple[Expr, ...], locals: Locals) -> None:
        if self.midst is None:
            return
        self._asked_about([source.mask, source.pile], locals)
        for member in sequence(source, self._question(), locals) if keys else ():
            self._asked_about(list(keys), {**locals, variable.id: member})

    def _asked_about(self, exprs: Sequence[Expr | None], locals: Locals) -> None:
        if self.midst is not None:
            self._told &= self._looked([expr for expr in exprs if expr is not None], locals)[1]


def _without_chance(expr: Expr) -> Iterator[Expr]:
    """Yields an expression that draws nothing; of a sum with a roll in it, the parts that draw nothing."""
    if not any(isinstance(node, (Roll, Pick)) for node in walk(expr)):
        yield expr
    elif isinstance(expr, Op):
        for argument in expr.arguments:
            yield from _without_chance(argument)


class _Counting(Silent):
    """A trace that counts the changes of each sort, and notes the workings behind each."""

    def __init__(self, machine: _Explaining) -> None:
        self._machine = machine
        self._count = {"set": 0, "move": 0}

    def _note(self, what: str) -> None:
        if self._machine.now:
            self._machine.found[what, self._count[what]] = self._machine.now
        self._count[what] += 1

    def set(self, state: int, index: int, old: int, new: int, site: int) -> None:
        """Counts the change of a variable, unless events leave it out."""
        game = self._machine.game
        if not game.states[state].scratch and not is_inner(game, state):
            self._note("set")

    def move(self, kind: int, thing: int, source: int, target: int, end: str, site: int) -> None:
        """Counts the move of a thing."""
        self._note("move")
