"""The state of a match at one moment, apart from the row of its machine, as values that forks and undo share.

Moment      knowledge, the running rules, the chapters so far, the sealed answers
Waiting     a step that stopped for a random outcome
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property
from typing import Literal, TypeAlias

import attrs

from rulelang.ir.model import Choice
from rulelang.ir.numbers import Mask, Seat
from rulelang.knowledge.knowledge import Knowledge
from rulelang.machines.explicit import Explicit, NeedsChance
from rulelang.machines.machine import Answer, Chance, Machine
from rulelang.match.recording.call_stack import RuleFrame
from rulelang.match.recording.events import Drawn, Event
from rulelang.match.recording.recorder import Recorder
from rulelang.match.recording.step_record import NOTHING_LEFT, Trail
from rulelang.match.recording.telling import NOTHING_TOLD, Thread, is_told_alike, told_to
from rulelang.match.recording.viewer_text import SecretAnswers
from rulelang.program.equivalence import SETTLED, OpenOrders


@attrs.frozen
class SeenEvents:
    """The events of one step as one viewer saw them."""

    events: tuple[Event, ...] = ()
    at: tuple[int, ...] = ()
    """By event: the number of all events before it, or before its last part."""
    thread: Thread = NOTHING_TOLD
    """The progress of the telling after them."""


@attrs.define(eq=False)
class Chapter:
    """The events of one step, after those of the steps before it: a value, not frozen because one is made at each choice."""

    previous: Chapter | None
    answer: tuple[int, str, str] | None
    """Seat, choice and option of the answer that the step began with."""
    events: tuple[Event, ...]
    seen: dict[int, SeenEvents] = attrs.field(factory=dict)
    """By viewer's bit: the events as it saw them, once somebody asked."""
    is_told_alike: bool = True
    """Whether everybody has been told of each event up to here, with the same number."""
    only: Mask | None = None
    """In a re-deal: the bit of the only viewer for whom the past up to here can be read."""
    end: int = 0
    """The number of events up to here."""
    trail: Trail = NOTHING_LEFT
    listed: dict[Hashable, object] = attrs.field(factory=dict)
    """A cache for re-deals of this moment."""
    is_forgotten: bool = False
    """Whether it stands for events that were dropped, or never recorded."""

    @classmethod
    def forgotten(cls, last: Chapter, viewers: int) -> Chapter:
        """Returns a chapter that replaces all up to `last`: it keeps
        only the numbers of their events, in all and by viewer.
        """
        seen: dict[int, SeenEvents] = {}
        if not last.is_told_alike:
            seen = {bit: SeenEvents(thread=last.seen_by(bit).thread) for bit in (Mask(1 << v) for v in range(viewers))}
        return cls(None, None, (), seen, last.is_told_alike, only=last.only, end=last.end, is_forgotten=True)

    @classmethod
    def of(
        cls,
        previous: Chapter | None,
        answer: tuple[int, str, str] | None,
        events: tuple[Event, ...],
        trail: Trail = NOTHING_LEFT,
    ) -> Chapter:
        """Returns the chapter that comes after another (None: the first)."""
        end = (previous.end if previous is not None else 0) + len(events)
        alike = (previous is None or previous.is_told_alike) and all(map(is_told_alike, events))
        return cls(previous, answer, events, is_told_alike=alike, end=end, trail=trail)

    @classmethod
    def wordless(
        cls, previous: Chapter | None, answer: tuple[int, str, str], events: tuple[Event, ...], count: int
    ) -> Chapter:
        """Returns the chapter of a step with a number of events; `events` are those, without words, or () if they and
        all earlier ones are told alike.
        """
        end = (previous.end if previous is not None else 0) + count
        alike = (previous is None or previous.is_told_alike) and not events
        return cls(previous, answer, events, is_told_alike=alike, end=end, is_forgotten=True)

    def seen_by(self, viewer: Mask) -> SeenEvents:
        """Returns its events as a viewer (a bit) saw them."""
        waiting: list[tuple[Chapter, Mask]] = []
        thread, bit = NOTHING_TOLD, viewer if self.only is None else self.only
        last: Chapter | None = self
        while last is not None:
            bit = bit if last.only is None else last.only
            if bit in last.seen:
                thread = last.seen[bit].thread
                break
            waiting.append((last, bit))
            last = last.previous if last.previous is not None and not last.previous.is_told_alike else None
        for chapter, eyes in reversed(waiting):
            told, thread = told_to(eyes, chapter.events, thread)
            first = chapter.end - len(chapter.events)
            begins = chapter.events[0].number if chapter.events else 0
            ends = tuple(first + one.of[-1] - begins for one in told)
            chapter.seen[eyes] = SeenEvents(tuple(one.event for one in told), ends, thread)
        return self.seen[viewer if self.only is None else self.only]


@attrs.frozen(eq=False)
class SealedAnswers:
    """The answers under seal, by seat, and the position before the first of them."""

    answers: tuple[tuple[Seat, Answer], ...] = ()
    before: Machine | None = None

    def after(self, seat: Seat, answer: Answer, machine: Machine, choice: Choice) -> SealedAnswers:
        """Returns the answers under seal after an answer to a machine; UNSEALED once everyone has answered."""
        seal, asked = self, machine.pending
        if choice.sealed:
            seal = SealedAnswers((*seal.answers, (seat, answer)), seal.before or machine)
        return seal if not seal.answers or (asked is not None and len(asked.seats) > 1) else UNSEALED


UNSEALED = SealedAnswers()
"""No answers under seal."""


@attrs.frozen(eq=False, slots=False)
class Renamed:
    """The knowledge in a re-deal, worked out when somebody reads it: few who look ahead in one do."""

    before: Knowledge
    """The knowledge in the position that was dealt anew."""
    viewer: Seat
    """The seat that could not tell the two apart."""
    names: Mapping[int, Sequence[int]]
    """By kind: the new name of each thing."""

    @cached_property
    def knowledge(self) -> Knowledge:
        """The knowledge in the re-deal."""
        changed = {kind: tuple(names) for kind, names in self.names.items() if list(names) != sorted(names)}
        return self.before.renamed(self.viewer, changed)


@attrs.define(eq=False)
class Moment:
    """The state of the game that is not in the machine's row: a value, not frozen because one is made at each choice."""

    known: Knowledge | Renamed = attrs.field(alias="knowledge")
    frames: tuple[RuleFrame, ...] = ()
    events: int = 0
    chapter: Chapter | None = None
    seal: SealedAnswers = UNSEALED
    guesses: SecretAnswers = attrs.field(factory=dict)
    """The possible values of secret answers that are under seal or being carried out."""
    noted: Mapping[int, Mask] = attrs.field(factory=dict)
    """By local: the viewers who may know it."""
    orders: OpenOrders = SETTLED
    """The piles whose order explicit chance has not been asked for yet."""

    @property
    def knowledge(self) -> Knowledge:
        """The knowledge of each seat."""
        return self.known.knowledge if isinstance(self.known, Renamed) else self.known

    def dealt(self, known: Renamed, seal: SealedAnswers) -> Moment:
        """Returns the moment in a re-deal."""
        # A quarter of the time of `evolve`.
        return Moment(known, self.frames, self.events, self.chapter, seal, self.guesses, self.noted)

    def after(self, is_sealed: bool) -> Moment:
        """Returns the moment after the step, without guesses and seals unless answers are still under seal."""
        is_over = self.seal is UNSEALED and not self.guesses
        return self if is_sealed or is_over else attrs.evolve(self, seal=UNSEALED, guesses={})

    def with_orders(self, chance: Chance) -> Moment:
        """Returns the moment with the orders of piles that a step with some chance has left open."""
        orders = chance.left if isinstance(chance, Explicit) else SETTLED
        return self if orders is self.orders else attrs.evolve(self, orders=orders)

    def recorded(
        self,
        recorder: Recorder,
        is_sealed: bool,
        answer: tuple[int, str, str] | None,
        entries: Sequence[Event | Drawn],
    ) -> Moment:
        """Returns the moment after a step, or after as much of it as a recorder has heard."""
        events = tuple(entry for entry in entries if isinstance(entry, Event))
        chapter, after = Chapter.of(self.chapter, answer, events, recorder.trail(entries)), self.after(is_sealed)
        noted, orders = recorder.noted, self.orders
        return Moment(
            recorder.knowledge, recorder.frames, recorder.events, chapter, after.seal, after.guesses, noted, orders
        )


BUDGET = 2000
"""The positions that a re-deal may visit by default."""
RedealKind: TypeAlias = Literal["listed", "chain", "known"]
"""The ways in which a bot may ask for re-deals; see `RedealRecord.how`."""

RedealWay: TypeAlias = RedealKind | Literal["counted"]
"""The ways in which a re-deal may be drawn."""


@attrs.frozen
class RedealRecord:
    """The record of how a re-deal was drawn."""

    how: RedealWay
    """counted: all that others did was understood, so the deals that agree with it
    were counted, and one was drawn. listed: all possible courses were listed, and
    one was drawn by its weight. chain: a possible course was found by a chain of
    small changes. known: the position agrees with what the seat knows of each thing,
    and with what it understood of the others, and nothing was replayed.
    """
    courses: int = 0
    """The number of courses that were listed."""
    length: int = 0
    """The number of changes that the chain has tried after its first fitting course."""
    looked: int = 0
    """The number of positions visited."""

    @property
    def exact(self) -> bool:
        """Returns whether each course was drawn with its exact probability."""
        return self.how in ("counted", "listed")

    @property
    def fits(self) -> bool:
        """Returns whether the seat would have seen in it everything that it has seen."""
        return self.how != "known"


@attrs.frozen(eq=False)
class Waiting:
    """A step that waits for a random outcome."""

    act: Callable[[Machine], None]
    before: Machine
    moment: Moment
    answer: tuple[int, str, str] | None
    given: tuple[int, ...]
    known: tuple[object, ...]
    """What the draws of the step may give, as far as it has come; see `Explicit`."""
    settles: bool
    """Whether only a machine that settles draws can take the step; see `machines.settling`."""
    noted: int
    needs: NeedsChance
    machine: Machine
    """The position in which chance is asked: the row as the step has left it so far …"""
    midst: Moment
    """… and the rest of it."""
