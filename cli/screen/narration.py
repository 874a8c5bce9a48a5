"""Events, as one seat saw them -> lines that tell what happened.

    Bonus
      Green: Play nitro  [OS-5.6]
        Green's nitro ignites  [OS-13.16]
        Green's fuel falls from 12 to 9

What a sentence says is not told again, nor what is untold. `briefly` tells the same in a few lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import assert_never

import attrs
from rich.console import Console
from rich.text import Text

from rulelang.knowledge.phrase import named, spliced
from rulelang.knowledge.redaction import listed, plain, read, with_article
from rulelang.match.recording.events import Change, Event, Told

from .styles import QUIET, Styles

DEEPEST = 6
"""Verbs inside of verbs are indented up to here."""
MOST_NAMED = 4
"""Things that are named when many go the same way."""
UNTOLD = ("turn", "round", "mover", "players")
"""Variables of the engine's own, that nobody needs to be told of."""
FEW = 2
"""Up to so many ways of the same things are told one by one."""
HANGING = 4
"""Columns that the other rows of a long line stand further in."""
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
    """Yields the lines that tell of events: a heading for a phase, a sentence with what it changed, bare changes.

    Of variables only those that the telling is `about` are named, by their written names; all, where nothing is said.
    """
    last: ToldLine | None = None
    for event in events:
        if event.is_untold:
            continue
        changes = tuple(_changes(change for change in event.changes if _is_told(change, about)))
        is_new = bool(event.sentence) and not event.goes_on
        if last is not None and not (is_new and event.what == "phase" and event.text == last.sentence):
            # A choice that its phase repeats as a heading is told by the heading.
            yield last
        last, depth = None, min(event.depth, DEEPEST)
        if is_new and event.what == "phase":
            yield ToldLine(0, event.text, is_heading=True)
        elif is_new:
            last = ToldLine(depth, _named(event, seats), changes, event.clauses)
            continue
        for change in changes:
            yield ToldLine(depth + 1, "", (change,))
    if last is not None:
        yield last


def narrate(events: Iterable[Event], styles: Styles, about: frozenset[str] | None = None) -> Iterator[Text]:
    """Yields the lines that tell of events, for a terminal: see `told`."""
    for line in told(events, styles.seats, about):
        indent = "  " * line.depth
        if line.is_heading:
            yield styles(line.sentence, "bold underline")
        elif line.sentence:
            text = styles(spliced((indent, line.sentence)))
            if line.changes:
                text.append("   ").append_text(styles(spliced(line.changes, "; "), QUIET))
            if line.clauses:
                text.append(f"  [{', '.join(line.clauses)}]", QUIET)
            yield text
        else:
            yield styles(spliced((indent, line.changes[0])), QUIET)


@attrs.define
class _Run:
    """The last of several events that are told as one, and how many there were."""

    last: Event
    times: int = 0
    is_same: bool = True
    """They read alike."""

    def add(self, event: Event) -> None:
        """Adds one more."""
        self.is_same = self.is_same and event.text == self.last.text
        self.last, self.times = event, self.times + 1

    @property
    def count(self) -> str:
        """The count in words; "" for one."""
        if self.times == 1:
            return ""
        return f"({self.times} times)" if self.is_same else f"({self.times - 1} more before)"


def briefly(events: Iterable[Event], styles: Styles) -> Iterator[Text]:
    """Yields the sentences of events alone, those of one rule and one actor as one line each, under the heading of their phase."""
    phase: Event | None = None
    runs: dict[tuple[str, int | None], _Run] = {}

    def gathered() -> Iterator[Text]:
        if runs and phase is not None and phase.sentence:
            yield styles(phase.text, "bold underline")
        for run in runs.values():
            line = styles(spliced(("  ", _named(run.last, styles.seats))))
            yield line.append(f"  {run.count}", QUIET) if run.count else line
        runs.clear()

    for event in events:
        if event.what == "phase" and not event.goes_on:
            # A choice that its phase repeats as a heading is told by the heading.
            repeated = next((key for key, run in runs.items() if run.last.text == event.text), None)
            if repeated is not None:
                del runs[repeated]
            yield from gathered()
            phase = event
        elif event.sentence and not event.goes_on and not event.is_untold and _is_outer(event):
            runs.setdefault((event.rule, event.actor), _Run(event)).add(event)
    yield from gathered()


def tell(console: Console, lines: Iterable[Text]) -> None:
    """Prints what is told, with a long line's other rows further in than its first."""
    for line in lines:
        indent = len(line.plain) - len(line.plain.lstrip()) + HANGING
        if line.cell_len <= console.width or indent * 2 > console.width:
            console.print(line)
            continue
        first = line.copy()
        first.truncate(indent)
        rest = line[indent:]
        for number, row in enumerate(rest.wrap(console, console.width - indent)):
            console.print(Text.assemble(first if number == 0 else " " * indent, row))


def _is_outer(event: Event) -> bool:
    return event.what in ("action", "option") or event.depth <= OUTER


def _named(event: Event, seats: tuple[str, ...]) -> str:
    if event.actor is None or event.says_who:
        return event.text
    return spliced((named(seats[event.actor], "seat"), ": ", event.text))


# ------------------------------------------------------------------ changes


def _is_told(change: Change, about: frozenset[str] | None) -> bool:
    if change.covered:
        return False
    if change.what == "set":
        name = read(change.subject).partition("(")[0].rpartition(".")[2]
        return name not in UNTOLD and (about is None or name in about)
    return change.what not in ("finish", "pick", "forced")


def _changes(changes: Iterable[Change]) -> Iterator[str]:
    """Yields the changes: things that went the same way together, and the destinations of like things from one place."""
    ways = [
        (_moved([c.told for c in some if c.told]) if what == "move" else None, before, after, some)
        for (what, before, after), same in groupby(changes, lambda c: (c.what, _place(c, 0), _place(c, 1)))
        for some in [list(same)]
    ]
    for (names, before), same_from in groupby(ways, lambda way: way[:2]):
        alike = list(same_from)
        places = [after for _, _, after, _ in alike]
        if names and len(places) > FEW:
            yield spliced((names.text, f" {names.goes} from ", before, " to each of ", _several(places)))
        elif names:
            yield from (spliced((names.text, f" {names.goes} from ", before, " to ", place)) for place in places)
        else:
            yield from (_told(change) for *_, some in alike for change in some)


def _place(change: Change, end: int) -> str:
    told = change.told
    return "" if told is None or change.what != "move" else read(told.after if end else told.before)


def _told(change: Change) -> str:
    told = change.told
    if told is None:
        return _rolled(read(change.subject), read(change.after)) if change.what == "roll" else change.text
    subject, before, after = read(told.subject), read(told.before), read(told.after)
    match told.how:
        case "falls" | "rises":
            return spliced((subject, f" {told.how} from ", before, " to ", after))
        case "is shown to":
            return spliced((subject, " is shown to ", after))
        case "is shuffled":
            return spliced(("Shuffled: ", subject))
        case "holds":
            return spliced((subject, " now: ", after))
        case "becomes":
            return spliced((subject, " is ", after, " now"))
        case "is revealed":
            return spliced((subject, " is revealed"))
        case "goes":
            return spliced((subject, " goes"))
        case _:
            assert_never(told.how)


def _rolled(die: str, face: str) -> str:
    """Returns the words for a die's face; a die named after its faces needs no noun.

    >>> _rolled("d6", "3"), _rolled("blue", "2")
    ('the d6 shows 3', 'the blue die shows 2')
    """
    has_number = any(map(str.isdigit, die))
    return f"the {die} shows {face}" if has_number or die.endswith("die") else f"the {plain(die)} die shows {face}"


@attrs.frozen
class _Moved:
    """Things that go the same way, in a few words, and the verb for as many."""

    text: str
    goes: str


def _moved(told: list[Told]) -> _Moved:
    (one, many), names = told[0].noun, [read(each.subject) for each in told]
    noun = one.partition(" ")[2]
    goes = "goes" if len(told) == 1 else "go"
    if len(set(names)) > MOST_NAMED:
        return _Moved(f"{len(names)} {many}", goes)
    text = listed(names, one, many)
    # A card has an article, a name of its own has none.
    return _Moved(
        with_article(text) if len(told) == 1 and noun and text.endswith(f" {noun}") and text != one else text, goes
    )


def _several(names: list[str]) -> str:
    """Returns several names in a few words.

    >>> _several(["red", "blue"]), _several(list("abcdef"))
    ('red, blue', 'a and 5 more')
    """
    return spliced(names, ", ") if len(names) <= MOST_NAMED else spliced((names[0], f" and {len(names) - 1} more"))
