"""The protocol between a `Match` and the machine that runs the rules: one running position.

`executors.EXECUTORS` names the machines: `interpreter.Interpreter` walks the IR, and notes what it comes by;
`generated.GeneratedMachine` runs Python printed from it, for play; `native` runs machine code. Given the same game, seed and answers they go through the same
rows (slots 0 up to `Layout.size`), offer the same options and make the same trace calls.

An answer is a tuple of ints: the branch, then its parameters (sets as masks).

    p chooses one of take, or pass        # answers: (0, 1), (0, 2), (0, 3), (1,)
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, Protocol, TypeAlias, runtime_checkable

import attrs

from rulelang.ir.model import Choice, EndForm, GameRules, PileEnd
from rulelang.ir.numbers import Row, Seat, Slot, Thing
from rulelang.program.control import Control
from rulelang.program.layout import Layout
from rulelang.program.results import RedealPlan

Answer: TypeAlias = tuple[int, ...]
ValueFunction: TypeAlias = Callable[..., int]
"""A function of a row and the arguments of a value. Raises RuntimeRules, with no place, where the value is at fault."""
LaidEnd: TypeAlias = PileEnd | Literal[""]
"""The end of a pile on which a thing is laid: "" is the top, and leaves a thing that is already in the pile in
place."""


@attrs.frozen
class Pending:
    """A pending question: a choice and the seats that still owe an answer, in seat order."""

    choice: int
    seats: tuple[Seat, ...]


@attrs.frozen
class Refusal:
    """The reason why an answer is not legal: `need` is the position among the branch's needs, or None if `parameter` (a
    position) is not in its domain, or both None if the branch itself is unknown.
    """

    branch: int | None
    need: int | None = None
    parameter: int | None = None


class Trace(Protocol):
    """The listener to a machine's steps, in order; None if nobody listens.

    During a call, `machine.row` is the position as the step sees
    it: in a pass of `simultaneously`, with that pass's changes.
    """

    def enter(self, rule: int, arguments: tuple[int, ...]) -> None:
        """Reports that a rule begins; after its arguments come the locals around it that its label reads."""

    def witness(self, id: int, values: tuple[int, ...]) -> None:
        """Reports that a local is about to be bound, with the values of the locals it depends on; see `Witness`."""

    def leave(self, rule: int) -> None: ...
    def set(self, state: int, index: int, old: int, new: int, site: int) -> None:
        """Reports a write that changed a variable, or one to a variable that holds things (see `Layout.pointers`)."""

    def set_again(self, state: int, index: int, value: int, site: int) -> None:
        """Reports a write that left a variable as it was, if not everybody may see the variable: who does not see it no
        longer knows its value."""

    def move(self, kind: int, thing: Thing, source: int, target: int, end: LaidEnd, site: int) -> None:
        """Reports that a thing moved between places; `end` is top or bottom for piles, else ""."""

    def shuffle(self, zone: int, place: int, site: int) -> None: ...
    def turn_up(self, kind: int, thing: Thing, site: int) -> None: ...
    def show(self, kind: int, thing: Thing, seats: int, part: int, site: int) -> None:
        """Reports that a thing was shown to some seats, or only the attribute in the table `part`; WHOLE for all of it."""

    def roll(self, stream: int, face: int) -> None: ...
    def pick(self, stream: int, value: int) -> None: ...
    def forced(self, choice: int, seat: Seat, answer: Answer) -> None:
        """Reports that a lone option was taken without asking, before its body runs."""

    def finish(self, how: EndForm, rule: int) -> None: ...
    def enter_phase(self, procedure: int, arguments: tuple[int, ...], machine: Machine) -> None:
        """Reports that a phase is about to begin (before `enter`): a scenario may write to `machine.row` here."""


class Silent:
    """A `Trace` that ignores everything; a base for listeners to a few events."""

    def enter(self, rule: int, arguments: tuple[int, ...]) -> None: ...
    def witness(self, id: int, values: tuple[int, ...]) -> None: ...
    def leave(self, rule: int) -> None: ...
    def set(self, state: int, index: int, old: int, new: int, site: int) -> None: ...
    def set_again(self, state: int, index: int, value: int, site: int) -> None: ...
    def move(self, kind: int, thing: int, source: int, target: int, end: str, site: int) -> None: ...
    def shuffle(self, zone: int, place: int, site: int) -> None: ...
    def turn_up(self, kind: int, thing: int, site: int) -> None: ...
    def show(self, kind: int, thing: int, seats: int, part: int, site: int) -> None: ...
    def roll(self, stream: int, face: int) -> None: ...
    def pick(self, stream: int, value: int) -> None: ...
    def forced(self, choice: int, seat: int, answer: Answer) -> None: ...
    def finish(self, how: str, rule: int) -> None: ...
    def enter_phase(self, procedure: int, arguments: tuple[int, ...], machine: Machine) -> None: ...


class Chance(Protocol):
    """A source of random outcomes. The streams' counters are in the row, at `Layout.counters`."""

    def roll(self, row: Row, stream: int, faces: tuple[int, ...]) -> int:
        """Returns a face (its number, not its position)."""

    def pick(self, row: Row, stream: int, among: list[int]) -> int:
        """Returns one of the values."""

    def shuffle(self, row: Row, stream: int, kind: int, things: list[Thing]) -> list[int]:
        """Returns the things in their new order, top first."""


class Machine(Protocol):
    """One running position."""

    row: Row
    trace: Trace | None
    chance: Chance

    @property
    def game(self) -> GameRules: ...

    @property
    def layout(self) -> Layout: ...

    @property
    def pending(self) -> Pending | None:
        """The choice that the game waits for; None when it is over."""

    @property
    def control(self) -> Control:
        """The slots that hold the control state of a running step."""

    @property
    def at_once(self) -> object | None:
        """The number of the `simultaneously` whose moves are being made, as a token for the trace; None outside."""

    def locals(self, seat: Seat) -> dict[int, int]:
        """Returns the values, by id, of the locals that the pending choice may read (its prompt, domains, needs and
        their words); others may be included.
        """

    def begin(self, players: int, options: Mapping[int, int]) -> None:
        """Sets up (option states get their values) and runs to the first choice."""

    def options(self, seat: Seat) -> Iterable[Answer]:
        """Returns the legal answers of an asked seat, each once, ascending (smaller sets first, then by members); of
        interchangeable things, the lowest stands for all. The result is a list if they are all found at once.
        """

    def allows(self, seat: Seat, answer: Answer) -> bool: ...

    def refusal(self, seat: Seat, answer: Answer) -> Refusal | None:
        """Returns the first reason against an answer: parameters
        left to right, then needs in order; None if it is legal.
        """

    def answer(self, seat: Seat, answer: Answer) -> None:
        """Takes a legal answer (not checked again) and runs to the next choice or the end."""

    def score(self, seat: Seat) -> int | None:
        """Returns the rules' `score` of a seat; None if they define none. Raises RuntimeRules."""

    @property
    def functions(self) -> Mapping[int, ValueFunction]:
        """Functions for values that screens call, by value: those of a bounded cost, without chance and recursion; none
        on a machine that walks the IR.
        """

    @property
    def holes(self) -> Mapping[int, ValueFunction]:
        """Functions of a row and a rule's arguments for what sentences compute, by number among the holes of all rules
        (`ir.facts.sentence_holes`); they raise Trap where that is at fault or costs much. None on a machine that walks the
        IR.
        """

    def fork(self) -> Machine:
        """Returns an independent copy with the same chance and no trace."""

    def rewritten(self, changes: Mapping[Slot, int]) -> Machine:
        """Returns such a copy, with other values in some slots."""


def asked_locals(machine: Machine, choice: Choice, seat: Seat) -> dict[int, int]:
    """Returns the values of the locals that a pending choice may read, by id, the chooser among them."""
    locals = machine.locals(seat)
    for name in (choice.variable, choice.actor):
        if name is not None:
            locals[name.id] = seat
    return locals


def clock_reading(elapsed: int, left: int) -> int:
    """Returns a clock's reading as it is stored: at most one unit more than was left, which means that time was up.

    >>> clock_reading(400, 5000), clock_reading(7200, 5000)
    (400, 5001)
    """
    return max(0, min(elapsed, left + 1))


# ------------------------------------------------------------------ re-deals


@attrs.frozen
class Dealt:
    """A deal that a machine has made by a plan (`program.results.RedealPlan`).

    machine    the position, but for the chance of the real one
    before     the position before the answers under seal, if there are any
    answers    these answers, in their order
    names      by kind: the name of each of its things
    dice       a random word for the dice
    rng        the word of the random numbers after it
    """

    machine: Machine
    before: Machine | None
    answers: tuple[Answer, ...]
    names: Mapping[int, Sequence[int]]
    dice: int
    rng: int


class MachineChoice(Protocol):
    """A choice that a machine makes by itself."""

    @property
    def players(self) -> int:
        """The number of players."""

    def deal(self, rng: int) -> int | None:
        """Deals with random numbers from a word on; returns the next word, or None if the machine cannot deal."""

    def best(self, thought: array[int], rng: int) -> Answer | None:
        """Returns the best answer by a policy (see `lab.policy.Thinks`); None if the machine cannot compare them.

        Random numbers from a word on say which answers are compared, and in which order.
        """


class Deals(Protocol):
    """The deals of a plan."""

    def deal(self, rng: int) -> Dealt | None:
        """Returns a deal with random numbers from a word on; None if it has to be made step by step."""

    def machines(self, rng: int, many: int) -> tuple[list[Machine], int] | None:
        """Returns the machines of so many deals, and the next word of the random numbers; None if one has to be made step by
        step."""

    def greedily(self, players: int, deals: int, stay: int, compared: int) -> MachineChoice | None:
        """Returns the choice of the seat in so many deals, for a match of some players: see `results.GreedyChoice`. None if
        the machine cannot make it."""


@runtime_checkable
class DealsByPlan(Protocol):
    """A machine that deals by itself."""

    def planned(self, plan: RedealPlan) -> Deals | None:
        """Returns the deals of a plan from the present row; None if the machine cannot do that."""
