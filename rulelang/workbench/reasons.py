"""A log played again -> why something happened, why a variable is what it is, why an option was not there.

    red.fuel@12      step 12, red: program(left)  >  resolution  >  pay(red, 2) [OS-6.12]  >  red.fuel: 9 -> 7

A chain goes from the answer that set it off, over the rules that called each other, to the change; each rule with its clauses and
its place. Everything is read through somebody's eyes: what they may not know is covered in it as it is in their events.
"""

from __future__ import annotations

import re

import attrs

from rulelang.errors import UnknownOption
from rulelang.knowledge.redaction import read
from rulelang.log.replay import Replay
from rulelang.match.match import BareMatch
from rulelang.match.recording.events import Event
from rulelang.source import NOWHERE, Span
from rulelang.workbench.nearest import nearest


@attrs.frozen
class Link:
    """One link of a chain: an answer, a rule at work, or a change; with what it cites and where it stands."""

    what: str
    text: str
    clauses: tuple[str, ...] = ()
    span: Span = attrs.field(default=NOWHERE, repr=False, eq=False)

    @property
    def place(self) -> str:
        """`track.rules:12:3`, or "" where it stands nowhere."""
        return self.span.place if self.span is not NOWHERE else ""


def of_event(again: Replay, number: int, viewer: int | None, *, sees_all: bool) -> tuple[Link, ...]:
    """Returns the chain that leads to an event, with all its changes at the end; () where there is none."""
    events = _events(again, viewer, sees_all=sees_all)
    last = next((event for event in events if event.number == number), None)
    return () if last is None else (*_chain(again, events, last, viewer, sees_all), *_changes(last))


def of_variable(again: Replay, name: str, step: int, viewer: int | None, *, sees_all: bool) -> tuple[Link, ...]:
    """Returns the chain that leads to the last change of a variable or thing up to a step; () where nothing changed it."""
    known = again.at(step).event_count
    events = [event for event in _events(again, viewer, sees_all=sees_all) if event.number < known]
    for event in reversed(events):
        changes = [change for change in event.changes if read(change.subject) == name]
        if changes:
            return (*_chain(again, tuple(events), event, viewer, sees_all), Link("change", changes[-1].text))
    return ()


def _events(again: Replay, viewer: int | None, *, sees_all: bool) -> tuple[Event, ...]:
    return again.match.events if sees_all else again.match.events_for(viewer)


def _chain(
    again: Replay, events: tuple[Event, ...], last: Event, viewer: int | None, sees_all: bool
) -> tuple[Link, ...]:
    by_number = {event.number: event for event in events}
    found: list[Link] = []
    event: Event | None = last
    while event is not None:
        found.append(_rule(again.match, event))
        event = by_number.get(event.cause) if event.cause is not None and event.cause != event.number else None
    own = None if sees_all else "" if viewer is None else again.match.seats[viewer]
    return (_input(again, last.number, own), *reversed(found))


def _rule(match: BareMatch, event: Event) -> Link:
    span = next(
        (rule.span for rule in match.game.rules if rule.name == event.rule and rule.what == event.what), NOWHERE
    )
    sentence = read(event.sentence)
    text = read(event.call) + (f' "{sentence}"' if sentence else "")
    return Link(event.what, text, event.clauses, span)


def _changes(event: Event) -> tuple[Link, ...]:
    return tuple(Link("change", change.text) for change in event.changes)


def _input(again: Replay, number: int, own: str | None) -> Link:
    """Returns the answer that set an event off; of others than the seat `own` (None: of nobody), who it was alone."""
    for step, position in enumerate(again.positions):
        if position.match.event_count > number:
            if step == 0:
                return Link("input", "the set-up")
            return Link("input", f"step {step}, {_said(again, step, own)}")
    return Link("input", "the set-up")


def _said(again: Replay, step: int, own: str | None) -> str:
    with again.log.steps.opened() as log:
        line = log[step].lines[0]
    record = line.record
    if line.what == "choice" and own not in (None, record["seat"]):
        return f"an answer of {record['seat']}"
    return f"{record['seat']}: {record['option']}" if line.what == "choice" else f"undo to {record['to']}"


@attrs.frozen
class Absence:
    """Why an option is not there: the first `needs` that fails, in its own words, and the nearest that is there."""

    message: str
    clauses: tuple[str, ...]
    span: Span = attrs.field(repr=False, eq=False)
    nearest: str


def of_absence(match: BareMatch, text: str) -> Absence | None:
    """Returns why an option, written `red: take(3)`, may not be taken; None where it may. Raises UnknownOption."""
    option = text.partition(":")[2].strip() or text
    clauses: tuple[str, ...] = ()
    span = NOWHERE
    try:
        reason = match.why_not(text)
    except UnknownOption as error:
        message = str(error)
    else:
        if reason is None:
            return None
        message, clauses, span = reason.message, reason.clauses, reason.span
    seat = next((s for s in match.to_move if text.startswith(f"{match.seats[s]}:")), None)
    there = list(match.options_of(seat)) if seat is not None else list(match.options)
    near = nearest(option, there)
    return Absence(message, clauses, span, f"{match.seats[near.seat]}: {near.text}" if near is not None else "")


def is_option(text: str) -> bool:
    """Tells whether a text asks about an option, `red: take(3)`, rather than a variable."""
    return re.match(r"\w+:\s*\S", text) is not None
