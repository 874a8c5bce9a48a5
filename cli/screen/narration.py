"""Events, as one seat saw them -> lines that tell what happened.

Bonus
  green: Play nitro  [OS-5.6]
    green's nitro ignites  [OS-13.16]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from rich.text import Text

from rulelang.runtime.events import Change, Event
from rulelang.runtime.words import read

from .ink import QUIET, Ink

CHOSEN = ("action", "option")
"""What somebody chose to do: its sentence does not say who."""
MOST_NAMED = 4
"""Things that are named when many go the same way."""
UNTOLD = ("turn", "round", "mover")
"""Variables of the engine's own, that nobody needs to be told of."""


def narrate(events: Iterable[Event], seats: tuple[str, ...]) -> Iterator[Text]:
    """Gives the lines that tell of events: a heading for a phase, a sentence with what it changed, bare changes."""
    ink = Ink(seats)
    for event in events:
        changes = list(_changes(event.changes))
        if event.what == "phase" and not event.goes_on:
            yield ink(event.text, "bold underline")
        elif event.sentence and not event.goes_on:
            yield _sentence(event, seats, changes, ink)
            continue
        for change in changes:
            yield ink(f"{_indent(event)}  {change}", QUIET)


def _indent(event: Event) -> str:
    return "  " * min(event.depth, 6)


def _sentence(event: Event, seats: tuple[str, ...], changes: list[str], ink: Ink) -> Text:
    sentence = event.text
    if event.what in CHOSEN:
        found = re.match(r"\w+\((\w+)", read(event.call))
        if found and found.group(1) in seats:
            sentence = f"{found.group(1)}: {sentence}"
    line = ink(_indent(event) + sentence)
    if changes:
        line.append("   ").append_text(ink("; ".join(changes), QUIET))
    if event.clauses:
        line.append(f"  [{', '.join(event.clauses)}]", QUIET)
    return line


# ------------------------------------------------------------------ changes


def _changes(changes: tuple[Change, ...]) -> Iterator[str]:
    """Gives what changed, things that went the same way together."""
    told = (change for change in changes if read(change.subject) not in UNTOLD and change.what != "finish")
    for (what, before, after), some in groupby(told, lambda c: (c.what, read(c.before), read(c.after))):
        if what == "move":
            yield f"{_several([read(change.subject) for change in some])}: {before} → {after}"
        else:
            yield from (change.text.replace(" -> ", " → ") for change in some)


def _several(names: list[str]) -> str:
    """Gives several names in a few words.

    >>> _several(["a card", "a card", "nitro"]), _several(list("abcdef"))
    ('2 × a card, nitro', 'a and 5 more')
    """
    counts = Counter(names)
    if len(counts) > MOST_NAMED:
        return f"{names[0]} and {len(names) - 1} more"
    return ", ".join(name if count == 1 else f"{count} × {name}" for name, count in counts.items())
