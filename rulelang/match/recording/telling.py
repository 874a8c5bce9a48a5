"""Events -> the events that one viewer is told, with numbers of its own, so that secret events leave no gap.

    events                                       a viewer who may not see `b`
    7 | deal(red)      red.a: 0 -> 1             7 | deal(red)     red.a: 0 -> 1; red.c: 0 -> 1
    8 |   look(red)    seen by red alone
    9 | deal(red)      red.b: 0 -> 1
      |                red.c: 0 -> 1

An event that continues a rule is told as part of the rule's last event if no event was told in between, and not at all
if the viewer can see nothing of it. So courses that differ only in secrets are told to a viewer in the same events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulelang.ir.numbers import Mask
from rulelang.knowledge.redaction import EVERYONE
from rulelang.match.recording.call_stack import OpenEvent
from rulelang.match.recording.events import Change, Drawn, Event


@attrs.frozen
class Begun:
    """A running rule that began when some events had not been
    told: its depth, and the two numbers of its first event."""

    depth: int
    number: int
    told: int


@attrs.frozen
class Thread:
    """The progress of the telling to one viewer."""

    behind: int = 0
    """The number of events that were not told as events of their own."""
    begun: tuple[Begun, ...] = ()

    def told(self, number: int | None) -> int | None:
        """Returns the viewer's own number for the first event of a running rule."""
        return next((one.told for one in self.begun if one.number == number), number)


NOTHING_TOLD = Thread()


@attrs.frozen
class ToldEvent:
    """An event as a viewer reads it, and the numbers of the events that are part of it."""

    event: Event
    of: tuple[int, ...]


@attrs.define(eq=False, repr=False)
class _Pending:
    """An event that may still continue."""

    stand: Event
    number: int
    cause: int | None
    changes: list[Change]
    of: list[int]
    outcomes: list[Drawn] = attrs.field(factory=list)
    """The outcomes since its last part."""


@attrs.define(eq=False, repr=False)
class EventTelling:
    """Tells one viewer (a bit) events and outcomes one by one."""

    viewer: Mask
    thread: Thread = NOTHING_TOLD
    _pending: _Pending | None = None

    def hear(self, entry: Event | Drawn) -> Iterator[ToldEvent | Drawn]:
        """Yields the entries that can be told once another has come."""
        pending = self._pending
        if isinstance(entry, Drawn):
            if not entry.aware & self.viewer:
                return
            values = entry.values if entry.seers & self.viewer else ()
            seen = attrs.evolve(entry, values=values, stream=entry.called)
            if pending is None:
                yield seen
            else:
                pending.outcomes.append(seen)
            return
        stand, changes = self._read_as(entry), entry.changes_for(self.viewer)
        is_more = stand.goes_on or stand is not entry or stand.what == "game"
        if pending is not None and is_more and _rule_of(stand) == _rule_of(pending.stand):
            self.thread = attrs.evolve(self.thread, behind=self.thread.behind + 1)
            if changes:
                yield from pending.outcomes
                pending.outcomes = []
                pending.changes += changes
                pending.of.append(entry.number)
        elif is_more and not changes:
            self.thread = attrs.evolve(self.thread, behind=self.thread.behind + 1)
        else:
            yield from self.rest()
            number = entry.number - self.thread.behind
            if stand is entry and not is_more:
                self._begin(entry, number)
            self._pending = _Pending(stand, number, self.thread.told(stand.cause), changes, [entry.number])

    def rest(self) -> Iterator[ToldEvent | Drawn]:
        """Yields the entries held back because they could still have continued."""
        pending, self._pending = self._pending, None
        if pending is not None:
            yield ToldEvent(self._told(pending), tuple(pending.of))
            yield from pending.outcomes

    def _read_as(self, event: Event) -> Event:
        """Returns the event or, for a viewer who may not know of it, the continuation of the caller's event."""
        while not event.seers & self.viewer:
            assert event.around is not None
            event = event.around
        return event

    def _begin(self, event: Event, number: int) -> None:
        behind, begun = self.thread.behind, self.thread.begun
        if behind or begun:
            outer = tuple(one for one in begun if one.depth < event.depth)
            own = (Begun(event.depth, event.number, number),) if behind else ()
            self.thread = Thread(behind, (*outer, *own))

    def _told(self, pending: _Pending) -> Event:
        read = pending.stand.seen(self.viewer, tuple(pending.changes))
        return attrs.evolve(read, number=pending.number, cause=pending.cause)


def told_to(viewer: Mask, entries: Iterable[Event | Drawn], thread: Thread) -> tuple[list[ToldEvent], Thread]:
    """Returns the events of a step as a viewer reads them, and the progress of the telling after them."""
    telling = EventTelling(viewer, thread)
    found = [one for entry in entries for one in telling.hear(entry)]
    found += telling.rest()
    return [one for one in found if isinstance(one, ToldEvent)], telling.thread


def is_told_alike(event: Event | OpenEvent) -> bool:
    """Returns whether everyone is told of an event as an event of its own."""
    return event.seers == EVERYONE and (not event.goes_on or any(c.seers == EVERYONE for c in event.changes))


def _rule_of(event: Event) -> int | None:
    """Returns the number of the first event of the running rule; -1 if none is running."""
    if event.what == "game":
        return -1
    return event.cause if event.goes_on else event.number
