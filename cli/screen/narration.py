"""Events, as one seat saw them -> lines that tell what happened.

Bonus
  green: Play nitro  [OS-5.6]
    green's nitro ignites  [OS-13.16]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby, zip_longest

from rich.text import Text

from rulelang.knowledge.redaction import read
from rulelang.match.events import Change, Event

from .styles import QUIET, Ink

CHOSEN = ("action", "option")
"""What somebody chose to do: its sentence does not say who."""
MOST_NAMED = 4
"""Things that are named when many go the same way."""
UNTOLD = ("turn", "round", "mover")
"""Variables of the engine's own, that nobody needs to be told of."""


def narrate(events: Iterable[Event], seats: tuple[str, ...], about: frozenset[str] | None = None) -> Iterator[Text]:
    """Gives the lines that tell of events: a heading for a phase, a sentence with what it changed, bare changes.

    Of variables only those that the telling is `about` are named, by their names; all, where nothing is said.
    """
    ink = Ink(seats)
    for event in events:
        changes = list(_changes(change for change in event.changes if _is_told(change, about)))
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


def _is_told(change: Change, about: frozenset[str] | None) -> bool:
    if change.what == "set":
        name = read(change.subject).partition("(")[0].rpartition(".")[2]
        return name not in UNTOLD and (about is None or name in about)
    return change.what != "finish"


def _changes(changes: Iterable[Change]) -> Iterator[str]:
    """Gives what changed: things that went the same way together, and where the like of them went from one place."""
    told = list(changes)
    told = [change for change, next in zip_longest(told, told[1:]) if not _is_moved_next(change, next)]
    moved = [
        (_several([read(change.subject) for change in some]) if what == "move" else "", before, after, some)
        for (what, before, after), same in groupby(told, lambda c: (c.what, read(c.before), read(c.after)))
        for some in [list(same)]
    ]
    for (names, before), alike in groupby(moved, lambda group: group[:2]):
        if names:
            places = [after for _, _, after, _ in alike]
            yield f"{names}: {before} → {'each of ' if len(places) > 1 else ''}{_several(places)}"
        else:
            yield from (_told(change) for *_, some in alike for change in some)


def _told(change: Change) -> str:
    return f"drawn: {read(change.after)}" if change.what == "pick" else change.text.replace(" -> ", " → ")


def _is_moved_next(change: Change, next: Change | None) -> bool:
    """Says whether a thing was picked at random to be moved: the move tells it."""
    return (
        change.what == "pick" and next is not None and (next.what, read(next.subject)) == ("move", read(change.after))
    )


def _several(names: list[str]) -> str:
    """Gives several names in a few words.

    >>> _several(["a card", "a card", "nitro"]), _several(list("abcdef"))
    ('2 × a card, nitro', 'a and 5 more')
    """
    counts = Counter(names)
    if len(counts) > MOST_NAMED:
        return f"{names[0]} and {len(names) - 1} more"
    return ", ".join(name if count == 1 else f"{count} × {name}" for name, count in counts.items())
