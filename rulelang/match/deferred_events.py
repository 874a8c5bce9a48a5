"""A step played without a trace -> its events and its knowledge, computed when they are read.

    match.push(option)     # runs the rules and records nothing
    match.events           # runs that step again on a copy of the row before it, with a trace

The same row, answer and seed lead to the same step, so a late reading finds what happened at the time. Only steps of a
match without listeners whose draws depend on its row alone (`Seeded`) are deferred; a machine whose forks replay the
game from its start (`reference`) is traced at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Protocol, TypeAlias, overload

import attrs

from rulelang.ir.numbers import Seat
from rulelang.machines.machine import Answer, Machine
from rulelang.match.recording.call_stack import RuleFrame
from rulelang.match.recording.events import AnsweredBy, Drawn, Entry, Event, Taken
from rulelang.match.state import Moment, SealedAnswers

Retelling: TypeAlias = tuple[Moment, tuple[Entry, ...]]
"""The moment after a step, and its journal entries."""


class OptionTaken(Protocol):
    """The seat, the answer and the words of an option that was taken: an `Option` has them."""

    @property
    def seat(self) -> Seat:
        """The seat that took it."""

    @property
    def answer(self) -> Answer:
        """The answer as the machine takes it."""

    @property
    def text(self) -> str:
        """The option in its written form."""


@attrs.frozen
class Teller:
    """The two functions that compute the results of the deferred steps of a match.

    retell     yields the results of each of several steps in a row; the first begins at a moment
    follow     yields the moment after each of several steps in a row, without words; the first begins at a moment
    """

    retell: Callable[[Moment, Sequence[Untold]], Iterator[Retelling]]
    follow: Callable[[Moment, Sequence[Untold]], Iterator[Moment]]


@attrs.define(eq=False)
class Untold:
    """A deferred step, which nobody has read yet: a value, not frozen because one is made at each choice."""

    stand: Moment | Untold
    """The state before it."""
    before: Machine | None
    option: OptionTaken | None
    """The option taken; None for the set-up, before which there is no machine."""
    number: int | None
    """The number of its first input; None if that depends on the step before."""
    seal: SealedAnswers
    """The answers under seal after it."""
    teller: Teller
    """The functions that compute its events and its knowledge."""
    _followed: Moment | None = None
    """The moment after it, computed without words."""
    _told: Retelling | None = None
    _glimpsed: Retelling | None = None

    @property
    def moment(self) -> Moment:
        """The moment after the step."""
        return self._retold()[0]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The journal entries of the step."""
        return self._retold()[1]

    @property
    def inputs(self) -> int:
        """The number of inputs up to its end."""
        steps, first = [self], self.number
        while first is None:
            assert isinstance(steps[-1].stand, Untold)
            steps.append(steps[-1].stand)
            first = steps[-1].number
        return first - 1 + sum(isinstance(entry, (Taken, Drawn)) for step in steps for entry in step.entries)

    def _retold(self) -> Retelling:
        if self._told is not None:
            return self._told
        steps, stand = [self], self.stand
        while isinstance(stand, Untold) and stand._told is None:
            steps.append(stand)
            stand = stand.stand
        moment = moment_at(stand)
        for teller, alike in groupby(reversed(steps), key=attrgetter("teller")):
            some = list(alike)
            for step, told in zip(some, teller.retell(moment, some), strict=True):
                step._told = told
                moment = told[0]
        assert self._told is not None
        return self._told

    def _retold_from(self, moment: Moment) -> Retelling:
        (told,) = self.teller.retell(moment, (self,))
        return told

    # -------------------------------------------------------------- glimpses

    def glimpse(self) -> Retelling:
        """Returns the results of the step alone: of earlier steps,
        only knowledge and the number of events are computed."""
        if self._told is not None or isinstance(self.stand, Moment) or self.stand._told is not None:
            return self._retold()
        if self._glimpsed is None:
            self._glimpsed = self._retold_from(self.stand._worded())
        return self._glimpsed

    def known(self) -> Moment:
        """Returns the moment after the step, whose events and open rules may have no words."""
        steps, step = list[Untold](), self
        while (moment := step._made) is None and isinstance(step.stand, Untold):
            steps.append(step)
            step = step.stand
        if moment is None:
            moment = step._retold()[0]  # The first step is retold in full, because the outermost rules begin there.
        if steps:
            for step, after in zip(steps[::-1], self.teller.follow(moment, steps[::-1]), strict=True):
                moment = step._followed = after
        return moment

    @property
    def _made(self) -> Moment | None:
        """The moment after the step, with words or without; None if nobody has asked for it yet."""
        return self._followed if self._told is None else self._told[0]

    def _worded(self) -> Moment:
        """Returns the moment after the step with the words of its
        open rules: the steps in which they began are retold."""
        known, worded = self.known(), dict[int, RuleFrame]()
        begun, step = list[Untold](), self
        for frame in reversed(known.frames):
            while isinstance(step.stand, Untold) and step.stand.known().events > frame.event:
                step = step.stand
            if not begun or begun[-1] is not step:
                begun.append(step)
        for step in reversed(begun):
            if step._told is None:
                assert isinstance(step.stand, Untold)
                before = step.stand.known()
                frames = tuple(worded.get(frame.event, frame) for frame in before.frames)
                after, _ = step._retold_from(attrs.evolve(before, frames=frames))
            else:
                after, _ = step._told
            worded |= {frame.event: frame for frame in after.frames}
        return attrs.evolve(known, frames=tuple(worded[frame.event] for frame in known.frames))


@attrs.frozen(eq=False)
class Reached:
    """A position, and the state of the match there; its machine is not to be played on."""

    machine: Machine
    stand: Moment | Untold


def since(stand: Moment | Untold, written: Moment | Untold) -> list[Untold]:
    """Returns the deferred steps up to a state of a match, from the one after `written` on."""
    steps: list[Untold] = []
    while isinstance(stand, Untold) and stand is not written:
        steps.append(stand)
        stand = stand.stand
    return steps[::-1]


def moment_at(stand: Moment | Untold) -> Moment:
    """Returns the moment of a state of a match."""
    return stand.moment if isinstance(stand, Untold) else stand


def known_at(stand: Moment | Untold) -> Moment:
    """Returns the moment of a state of a match, whose events and open rules may have no words."""
    return stand.known() if isinstance(stand, Untold) else stand


def told_late(known: Moment, tell: Callable[[], Moment]) -> Untold:
    """Returns a state of a match whose moment is told when somebody reads more of it than is known without words."""

    def retell(moment: Moment, steps: Sequence[Untold]) -> Iterator[Retelling]:
        yield tell(), ()

    def follow(moment: Moment, steps: Sequence[Untold]) -> Iterator[Moment]:
        return iter(())

    return Untold(known, None, None, 1, known.seal, Teller(retell, follow), followed=known)


@attrs.define(eq=False)
class Past:
    """The position before an answer: a value, not frozen because one is made at each choice."""

    previous: Past | None
    machine: Machine
    stand: Moment | Untold
    seat: Seat
    answer: Answer
    given_number: int | None
    """The number of the answer; None if it depends on the step before."""
    reading: int | None = None
    """The reading of a person's clock."""
    by: AnsweredBy | None = None
    """See `Taken.by`."""

    @property
    def number(self) -> int:
        """The number of the answer among all inputs."""
        if self.given_number is None:
            assert isinstance(self.stand, Untold)
            return self.stand.inputs + 1
        return self.given_number


class Events(Sequence[Event]):
    """The events of a deferred step, made when they are read; equal to a tuple of them."""

    __slots__ = ("_step",)

    def __init__(self, step: Untold) -> None:
        self._step = step

    def _all(self) -> tuple[Event, ...]:
        return tuple(entry for entry in self._step.entries if isinstance(entry, Event))

    @overload
    def __getitem__(self, at: int) -> Event: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Event, ...]: ...
    def __getitem__(self, at: int | slice) -> Event | tuple[Event, ...]:
        return self._all()[at]

    def __len__(self) -> int:
        return len(self._all())

    def __eq__(self, other: object) -> bool:
        return self._all() == tuple(other) if isinstance(other, (tuple, Events)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._all())

    def __add__(self, other: tuple[Event, ...] | Events) -> tuple[Event, ...]:
        return (*self._all(), *other)

    def __radd__(self, other: tuple[Event, ...]) -> tuple[Event, ...]:
        return (*other, *self._all())

    def __repr__(self) -> str:
        return repr(self._all())
