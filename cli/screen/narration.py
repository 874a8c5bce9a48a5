"""Events, as one seat saw them -> lines that tell what happened.

    Bonus
      Green: Play nitro  [OS-5.6]
        Green's nitro ignites  [OS-13.16]
        Green's fuel falls from 12 to 9

What a sentence says is not told again, nor what is untold. `briefly` tells the same in a few lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

import attrs
from rich.text import Text

from rulelang.knowledge.redaction import read
from rulelang.match.recording.events import Change, Event

from .styles import QUIET, Ink

DEEPEST = 6
"""Verbs inside of verbs are indented up to here."""
MOST_NAMED = 4
"""Things that are named when many go the same way."""
UNTOLD = ("turn", "round", "mover")
"""Variables of the engine's own, that nobody needs to be told of."""
OUTER = 2
"""Verbs so deep inside of others are told of in brief; deeper ones are not."""


@attrs.frozen
class ToldLine:
    """One line that tells of an event: the heading of a phase, a sentence with what it changed, or bare changes."""

    depth: int
    """How deep it is indented."""
    sentence: str
    """"" where there are changes alone."""
    changes: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    is_heading: bool = False


def told(events: Iterable[Event], seats: tuple[str, ...], about: frozenset[str] | None = None) -> Iterator[ToldLine]:
    """Yields the lines that tell of events.

    Of variables only those that the telling is `about` are named, by their written names; all, where nothing is said.
    """
    for event in events:
        if event.is_untold:
            continue
        changes = tuple(_changes(change for change in event.changes if _is_told(change, about)))
        depth = min(event.depth, DEEPEST)
        if event.what == "phase" and not event.goes_on:
            yield ToldLine(0, event.text, is_heading=True)
        elif event.sentence and not event.goes_on:
            yield ToldLine(depth, _named(event, seats), changes, event.clauses)
            continue
        for change in changes:
            yield ToldLine(depth + 1, "", (change,))


def narrate(events: Iterable[Event], ink: Ink, about: frozenset[str] | None = None) -> Iterator[Text]:
    """Yields the lines that tell of events, for a terminal: see `told`."""
    for line in told(events, ink.seats, about):
        indent = "  " * line.depth
        if line.is_heading:
            yield ink(line.sentence, "bold underline")
        elif line.sentence:
            text = ink(indent + line.sentence)
            if line.changes:
                text.append("   ").append_text(ink("; ".join(line.changes), QUIET))
            if line.clauses:
                text.append(f"  [{', '.join(line.clauses)}]", QUIET)
            yield text
        else:
            yield ink(f"{indent}{line.changes[0]}", QUIET)


@attrs.define
class _Run:
    """The last of several events that are told as one, and how many there were."""

    last: Event
    times: int = 0


def briefly(events: Iterable[Event], ink: Ink) -> Iterator[Text]:
    """Yields the sentences of events alone, those of one rule and one actor as one line each, under the heading of their phase."""
    phase: Event | None = None
    runs: dict[tuple[str, int | None], _Run] = {}

    def gathered() -> Iterator[Text]:
        if runs and phase is not None:
            yield ink(phase.text, "bold underline")
        for run in runs.values():
            line = ink(f"  {_named(run.last, ink.seats)}")
            yield line.append(f"  (the last of {run.times})", QUIET) if run.times > 1 else line
        runs.clear()

    for event in events:
        if event.what == "phase" and not event.goes_on:
            yield from gathered()
            phase = event
        elif event.sentence and not event.goes_on and not event.is_untold and _is_outer(event):
            run = runs.setdefault((event.rule, event.actor), _Run(event))
            run.last, run.times = event, run.times + 1
    yield from gathered()


def _is_outer(event: Event) -> bool:
    return event.what in ("action", "option") or event.depth <= OUTER


def _named(event: Event, seats: tuple[str, ...]) -> str:
    return event.text if event.actor is None or event.says_who else f"{seats[event.actor]}: {event.text}"


# ------------------------------------------------------------------ changes


def _is_told(change: Change, about: frozenset[str] | None) -> bool:
    if change.is_covered:
        return False
    if change.what == "set":
        name = read(change.subject).partition("(")[0].rpartition(".")[2]
        return name not in UNTOLD and (about is None or name in about)
    return change.what not in ("finish", "pick")


def _changes(changes: Iterable[Change]) -> Iterator[str]:
    """Yields what changed: things that went the same way together, and where the like of them went from one place."""
    ways = [
        (_several([read(c.told.subject) for c in some if c.told]) if what == "move" else "", before, after, some)
        for (what, before, after), same in groupby(changes, lambda c: (c.what, _place(c, 0), _place(c, 1)))
        for some in [list(same)]
    ]
    for (names, before), alike in groupby(ways, lambda way: way[:2]):
        if names:
            places = [after for _, _, after, _ in alike]
            each = "each of " if len(places) > 1 else ""
            goes = "goes" if names.count(",") == 0 and not names[0].isdigit() and " more" not in names else "go"
            yield f"{names} {goes} from {before} to {each}{_several(places)}"
        else:
            yield from (_told(change) for *_, some in alike for change in some)


def _place(change: Change, end: int) -> str:
    told = change.told
    return "" if told is None or change.what != "move" else read(told.after if end else told.before)


def _told(change: Change) -> str:
    told = change.told
    if told is None:
        return f"{read(change.subject)} shows {read(change.after)}" if change.what == "roll" else change.text
    subject, before, after = read(told.subject), read(told.before), read(told.after)
    match told.how:
        case "falls" | "rises":
            return f"{subject} {told.how} from {before} to {after}"
        case "is shown to":
            return f"{subject} is shown to {after}"
        case "is shuffled":
            return f"{subject}: shuffled"
        case "becomes":
            return f"{subject} is {after} now"
        case _:
            return f"{subject} {told.how}"


def _several(names: list[str]) -> str:
    """Returns several names in a few words.

    >>> _several(["a card", "a card", "nitro"]), _several(list("abcdef"))
    ('2 × a card, nitro', 'a and 5 more')
    """
    counts = Counter(names)
    if len(counts) > MOST_NAMED:
        return f"{names[0]} and {len(names) - 1} more"
    return ", ".join(name if count == 1 else f"{count} × {name}" for name, count in counts.items())
