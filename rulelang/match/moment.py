"""The state of a match at one moment, apart from the row of its machine, as values that forks and undo share.

Moment      knowledge, what is under way, the chapters so far, the answers that lie sealed
Waiting     a step that stopped for a random outcome
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Literal, TypeAlias

import attrs

from rulelang.ir.numbers import Mask, Seat
from rulelang.knowledge.knowledge import Knowledge
from rulelang.machines.chance import NeedsChance
from rulelang.machines.chance import Outcome as Result
from rulelang.machines.machine import Answer, Machine
from rulelang.match.recording.events import Event
from rulelang.match.recording.frames import RuleFrame
from rulelang.match.recording.recorder import Guesses
from rulelang.match.recording.telling import NOTHING_TOLD, Thread, is_told_alike, told_to
from rulelang.match.recording.trail import NOTHING_LEFT, Trail


@attrs.frozen
class SeenEvents:
    """The events of one step as one viewer saw them."""

    events: tuple[Event, ...] = ()
    at: tuple[int, ...] = ()
    """By event: how many events there were in all before it, or before its last part."""
    thread: Thread = NOTHING_TOLD
    """How far the telling had come then."""


@attrs.frozen(eq=False)
class Chapter:
    """The events of one step, after those of the steps before it."""

    previous: Chapter | None
    answer: tuple[int, str, str] | None
    """Seat, choice and option of the answer that the step began with."""
    events: tuple[Event, ...]
    seen: dict[int, SeenEvents] = attrs.field(factory=dict)
    """By viewer's bit: the events as it saw them, once somebody asked."""
    is_told_alike: bool = True
    """Everybody has been told of each event up to here, with the same number."""
    only: Mask | None = None
    """In a re-deal: the bit of the one viewer whose past this is; nothing before can be read through other eyes."""
    end: int = 0
    """How many events there are up to here."""
    trail: Trail = NOTHING_LEFT
    listed: dict[Hashable, object] = attrs.field(factory=dict)
    """What re-deals of this moment have worked out, once somebody asked."""
    is_forgotten: bool = False
    """Whether it stands for what was let go, or was never told."""

    @classmethod
    def forgotten(cls, last: Chapter, viewers: int) -> Chapter:
        """Returns a chapter that replaces the others, up to the last: it keeps only how many events they had, and how many
        each viewer was told.
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
        is_forgotten: bool = False,
    ) -> Chapter:
        """Returns the chapter that comes after another (None: the first)."""
        end = (previous.end if previous is not None else 0) + len(events)
        alike = (previous is None or previous.is_told_alike) and all(map(is_told_alike, events))
        return cls(previous, answer, events, is_told_alike=alike, end=end, trail=trail, is_forgotten=is_forgotten)

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
    """Answers that lie sealed, by seat, and the position before the first of them."""

    answers: tuple[tuple[Seat, Answer], ...] = ()
    before: Machine | None = None


UNSEALED = SealedAnswers()
"""Nothing lies sealed."""


@attrs.frozen(eq=False)
class Moment:
    """The state of the game that is not in the machine's row."""

    knowledge: Knowledge
    frames: tuple[RuleFrame, ...] = ()
    events: int = 0
    chapter: Chapter | None = None
    seal: SealedAnswers = UNSEALED
    guesses: Guesses = attrs.field(factory=dict)
    """What the answers that lie sealed, or are being carried out, could have been where they are secret."""
    noted: Mapping[int, Mask] = attrs.field(factory=dict)
    """By local: who may know it."""

    def after(self, is_sealed: bool) -> Moment:
        """Returns the moment when the step is over: no step is under way unless answers are still sealed."""
        is_over = self.seal is UNSEALED and not self.guesses
        return self if is_sealed or is_over else attrs.evolve(self, seal=UNSEALED, guesses={})


RedealKind: TypeAlias = Literal["listed", "chain", "known"]
"""The ways in which a re-deal may be drawn; see `RedealRecord.how`."""


@attrs.frozen
class RedealRecord:
    """The record of how a re-deal was drawn."""

    how: RedealKind
    """listed: all that could have happened was listed, and drawn from by its weight. chain: something that could have
    happened, after a chain of small changes. known: it agrees with what the seat knows of each thing; nothing was played again.
    """
    courses: int = 0
    """How many courses of the match were listed."""
    length: int = 0
    """How many changes the chain has tried after its first course that fits."""
    looked: int = 0
    """How many positions were looked at for it."""

    @property
    def exact(self) -> bool:
        """Returns whether each course was drawn with its exact probability."""
        return self.how == "listed"

    @property
    def fits(self) -> bool:
        """Returns whether the match was replayed with it and showed the seat what it has seen."""
        return self.how in ("listed", "chain")


@attrs.frozen(eq=False)
class Waiting:
    """A step that waits for a random outcome."""

    act: Callable[[Machine], None]
    before: Machine
    moment: Moment
    answer: tuple[int, str, str] | None
    given: tuple[Result, ...]
    noted: int
    needs: NeedsChance
