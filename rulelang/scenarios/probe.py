"""A machine's trace -> the running rules, and those that have begun since the last line that asked.

expect event out_of_fuel(red)        searched for in `happened`
after travel(green): expect …        `on_leave` is called right when that verb completes
given red.zone = 3 at bonus          `on_phase` is called right before that phase, and may write to the row
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from rulelang.ir.model import EndForm, GameRules
from rulelang.ir.numbers import Seat, Thing
from rulelang.machines.machine import Answer, Machine

ProbedCall = tuple[int, tuple[int, ...]]
"""A rule and its arguments."""


@attrs.define
class RuleProbe:
    """A `Trace`. Phases are numbered as they begin, from 1."""

    game: GameRules
    on_phase: Callable[[int, tuple[int, ...]], None]
    on_leave: Callable[[ProbedCall], None]
    happened: list[ProbedCall] = attrs.field(factory=list)
    """The rules that have begun since `forget`."""
    taken: dict[int, tuple[int, Answer]] = attrs.field(factory=dict)
    """By seat: the choice and the answer last taken without asking."""
    began: set[int] = attrs.field(factory=set)
    """All rules that have begun."""
    chosen: set[tuple[int, int]] = attrs.field(factory=set)
    """All options that were chosen or taken, by choice and branch."""
    _running: list[tuple[ProbedCall, int]] = attrs.field(factory=list)
    """The running rules, each with its number as a phase, or 0 if it is not a phase."""
    _phases: int = 0

    def forget(self) -> None:
        """Forgets what has happened so far."""
        self.happened.clear()
        self.taken.clear()

    @property
    def phase(self) -> int:
        """The number of the innermost running phase; 0 if none is running."""
        return next((number for _, number in reversed(self._running) if number), 0)

    def is_over(self, phase: int) -> bool:
        """Returns whether a phase has ended."""
        return phase > 0 and all(number != phase for _, number in self._running)

    def enter(self, rule: int, arguments: tuple[int, ...]) -> None:
        """Notes that a rule begins."""
        number = 0
        if self.game.rules[rule].what == "phase":
            self._phases += 1
            number = self._phases
        self._running.append(((rule, arguments), number))
        self.happened.append((rule, arguments))
        self.began.add(rule)

    def leave(self, rule: int) -> None:
        """Notes that a rule ends, together with everything that ran inside it."""
        while self._running:
            call, _ = self._running.pop()
            if call[0] == rule:
                self.on_leave(call)
                return

    def witness(self, id: int, values: tuple[int, ...]) -> None:
        """Does nothing."""

    def enter_phase(self, procedure: int, arguments: tuple[int, ...], machine: Machine) -> None:
        """Reports that a phase is about to begin, so that the givens can be written."""
        self.on_phase(procedure, arguments)

    def set(self, state: int, index: int, old: int, new: int, site: int) -> None:
        """Does nothing."""

    def set_again(self, state: int, index: int, value: int, site: int) -> None:
        """Does nothing."""

    def move(self, kind: int, thing: Thing, source: int, target: int, end: str, site: int) -> None:
        """Does nothing."""

    def shuffle(self, zone: int, place: int, site: int) -> None:
        """Does nothing."""

    def turn_up(self, kind: int, thing: Thing, site: int) -> None:
        """Does nothing."""

    def show(self, kind: int, thing: Thing, seats: int, part: int, site: int) -> None:
        """Does nothing."""

    def roll(self, stream: int, face: int) -> None:
        """Does nothing."""

    def pick(self, stream: int, value: int) -> None:
        """Does nothing."""

    def forced(self, choice: int, seat: Seat, answer: Answer) -> None:
        """Notes that a lone option was taken without asking."""
        self.taken[seat] = choice, answer
        self.chosen.add((choice, answer[0]))

    def finish(self, how: EndForm, rule: int) -> None:
        """Does nothing."""
