"""Events, as one seat saw them -> lines that tell what happened.

    Bonus
      green: Play nitro  [OS-5.6]
        green's nitro ignites  [OS-13.16]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rich.text import Text

from rulelang.runtime.events import Change, Event
from rulelang.runtime.words import read

from .ink import QUIET, Ink

CHOSEN = ("action", "option")
"""What somebody chose to do: its sentence does not say who."""
UNTOLD = ("turn", "round", "mover")
"""Variables of the engine's own, that nobody needs to be told of."""


def narrate(events: Iterable[Event], seats: tuple[str, ...], *, clauses: bool = True) -> Iterator[Text]:
    """Gives a line for each event that changed or said something."""
    ink = Ink(seats)
    for event in events:
        changes = [change.text for change in event.changes if _is_told(change)]
        if event.what == "phase" and not event.goes_on:
            yield ink(event.text, "bold underline")
        elif event.goes_on or not event.sentence:
            yield from (_plain(event, change, ink) for change in changes)
            continue
        else:
            yield _line(event, seats, changes, ink, clauses)
            continue
        yield from (_plain(event, change, ink) for change in changes)


def _is_told(change: Change) -> bool:
    return read(change.subject) not in UNTOLD and change.what != "finish"


def _indent(event: Event) -> str:
    return "  " * min(event.depth, 6)


def _line(event: Event, seats: tuple[str, ...], changes: list[str], ink: Ink, clauses: bool) -> Text:
    sentence = event.text
    if event.what in CHOSEN:
        found = re.match(r"\w+\((\w+)", read(event.call))
        if found and found.group(1) in seats:
            sentence = f"{found.group(1)}: {sentence}"
    line = ink(_indent(event) + sentence)
    if changes:
        line.append("   ").append_text(ink("; ".join(changes), QUIET))
    if clauses and event.clauses:
        line.append(f"  [{', '.join(event.clauses)}]", QUIET)
    return line


def _plain(event: Event, change: str, ink: Ink) -> Text:
    return ink(f"{_indent(event)}  {change}", QUIET)
