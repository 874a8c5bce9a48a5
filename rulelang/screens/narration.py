"""Events as one seat saw them -> lines that tell of them, for a terminal and for a page alike.

told(events, match.seat_names)      ToldLine(1, "Green: Play nitro", ("Green's fuel falls from 12 to 9",), ("OS-5.6",))

Changes that a sentence has told, or that need not be told, are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import assert_never

import attrs

from rulelang.knowledge.phrase import named, spliced
from rulelang.knowledge.redaction import read, times, with_article
from rulelang.match.recording.events import Change, Event, Told
from rulelang.program.values import plain
from rulelang.prose.phrases import is_plural, predicate
from rulelang.prose.words import Plain
from rulelang.screens.ending import enumerated

DEEPEST = 6
"""The deepest indentation of verbs inside verbs."""
MOST_NAMED = 4
"""The most things that are named one by one if many move the same way."""
UNTOLD = ("turn", "round", "mover", "players")
"""The engine's own variables, whose changes are not told."""
FEW = 2
"""The most routes of the same things that are told one by one."""


@attrs.frozen
class ToldLine:
    """One line that tells of an event: the heading of a phase, a sentence with what it changed, or bare changes."""

    depth: int
    """The level of indentation."""
    sentence: str
    """The sentence; "" for bare changes."""
    changes: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    is_heading: bool = False
    number: int | None = None
    """The number of the event that it tells."""


def told(events: Iterable[Event], seats: tuple[str, ...], about: frozenset[str] | None = None) -> Iterator[ToldLine]:
    """Yields the lines that tell of events: a heading for a phase, a sentence with what it changed, bare changes.

    Only the variables in `about` (written names) are told; by default all are.
    """
    last: ToldLine | None = None
    levels = Levels()
    for event in events:
        level = levels.of(event)
        if event.is_untold:
            continue
        changes = tuple(_changes(change for change in event.changes if _is_told(change, about)))
        is_new = bool(event.sentence or is_bare(event)) and not event.goes_on
        if last is not None and not (is_new and event.what == "phase" and event.text == last.sentence):
            # A choice that its phase repeats as a heading is told by the heading.
            yield last
        last, depth = None, min(level, DEEPEST)
        if is_new and event.what == "phase":
            yield ToldLine(0, event.text, is_heading=True, number=event.number)
        elif is_new:
            last = ToldLine(depth, sentence_of(event, seats), changes, event.clauses, number=event.number)
            continue
        for change in changes:
            yield ToldLine(depth + 1, "", (change,), number=event.number)
    if last is not None:
        yield last


@attrs.define
class Levels:
    """The level of each event, of events in order: the number of rules around it of which people read, above all the
    course of the game."""

    _inside: dict[int, tuple[int, int]] = attrs.field(factory=dict)
    """By number of an event: its own level, and that of the events that its rule calls."""

    def of(self, event: Event) -> int:
        """Returns the level of an event, which is the next one. Where its caller was told before, all callers count."""
        own, within = self._inside.get(-1 if event.cause is None else event.cause, (event.depth, event.depth))
        level = own if event.goes_on else within
        is_told = event.cause is None or (not event.is_untold and bool(event.sentence or is_bare(event)))
        self._inside[event.number] = (own, within) if event.goes_on else (level, level + is_told)
        return level


def is_bare(event: Event) -> bool:
    """Returns whether somebody did what the rules give no words."""
    return event.actor is not None and event.what in ("action", "option") and not event.sentence


def sentence_of(event: Event, seats: tuple[str, ...]) -> str:
    """Returns the sentence of an event, which says who did it."""
    if event.actor is not None and is_bare(event):
        return spliced((named(seats[event.actor], "seat"), ": ", read(event.deed)))
    if event.actor is None or event.says_who:
        return event.text
    return spliced((named(seats[event.actor], "seat"), ": ", event.text))


# ------------------------------------------------------------------ changes


def in_words(changes: Iterable[tuple[str, Change]], about: frozenset[str] | None = None) -> tuple[str, ...]:
    """Returns sentences for what variables in `about` and dice have come to, given with who acted ("" for nobody).

    The changes of one variable are told as one. Where several have thrown, each throw says whose it is.
    """
    ends: dict[str, Change] = {}
    rolled: dict[str, list[Change]] = {}
    for who, change in ((who, one) for who, one in changes if _is_told(one, about)):
        if change.what == "roll":
            rolled.setdefault(who, []).append(change)
        elif change.what == "set" and change.told is not None:
            name = read(change.subject)
            ends[name] = _joined(ends[name], change) if name in ends else change
    return (*_throws(rolled), *(_told(c) for c in ends.values() if c.told is not None and not _is_idle(c.told)))


def change_in_words(change: Change) -> str:
    """Returns the sentence for one change: `Red's fuel falls from 9 to 7`."""
    return next(_changes([change]))


def _throws(rolled: Mapping[str, list[Change]]) -> Iterator[str]:
    """Yields sentences on what dice show, apart for each who threw them."""
    for who, changes in rolled.items():
        for words in _others(changes):
            yield spliced((who, ": ", words)) if who and len(rolled) > 1 else words


def _joined(first: Change, last: Change) -> Change:
    """Returns two changes of one variable as one."""
    before, after = first.told, last.told
    assert before is not None
    assert after is not None
    old, new = read(before.before), read(after.after)
    how = after.how
    if how in ("falls", "rises") and old.isdecimal() and new.isdecimal():
        how = "rises" if int(new) > int(old) else "falls"
    return attrs.evolve(last, before=first.before, told=attrs.evolve(after, how=how, before=before.before))


def _is_idle(told: Told) -> bool:
    return told.how in ("falls", "rises") and read(told.before) == read(told.after)


def _is_told(change: Change, about: frozenset[str] | None) -> bool:
    if change.covered:
        return False
    if change.what == "set":
        name = read(change.subject).partition("(")[0].rpartition(".")[2]
        return name not in UNTOLD and (about is None or name in about)
    return change.what not in ("finish", "pick", "forced")


def _changes(changes: Iterable[Change]) -> Iterator[str]:
    """Yields the changes in words: things with the same route together, and like things from one place together."""
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
            yield from _others([change for *_, some in alike for change in some])


def _others(changes: list[Change]) -> Iterator[str]:
    """Yields changes other than moves; what one die shows several times on end is told together."""
    for die, same in groupby(changes, lambda change: read(change.subject) if change.what == "roll" else ""):
        if die:
            yield _rolled(die, enumerated([read(change.after) for change in same]))
        else:
            yield from map(_told, same)


def _place(change: Change, end: int) -> str:
    told = change.told
    return "" if told is None or change.what != "move" else read(told.after if end else told.before)


def _told(change: Change) -> str:
    told = change.told
    if told is None:
        return change.text
    subject, before, after = read(told.subject), read(told.before), read(told.after)
    match told.how:
        case "falls" | "rises":
            how = told.how.removesuffix("s") if is_plural((Plain(subject),)) else told.how
            return spliced((subject, f" {how} from ", before, " to ", after))
        case "is shown to":
            return spliced((subject, " is shown to ", after))
        case "is shuffled":
            return spliced((subject, " are shuffled" if is_plural((Plain(subject),)) else " is shuffled"))
        case "holds":
            return spliced((subject, " now: ", after))
        case "is so":
            return spliced((subject, " ", predicate(before, so=after == "yes")))
        case "becomes":
            return spliced((subject, " is ", after, " now"))
        case "is revealed":
            return spliced((subject, " is revealed"))
        case "goes":
            return spliced((subject, " goes"))
        case _:
            assert_never(told.how)


def _rolled(die: str, faces: str) -> str:
    """Returns the words for what a die shows; a die named after its faces needs no noun.

    >>> _rolled("d6", "3 and 5"), _rolled("blue", "2")
    ('the d6 shows 3 and 5', 'the blue die shows 2')
    """
    has_number = any(map(str.isdigit, die))
    return f"the {die} shows {faces}" if has_number or die.endswith("die") else f"the {plain(die)} die shows {faces}"


@attrs.frozen
class _Moved:
    """Things that move the same way, in a few words, and the verb in the right number."""

    text: str
    goes: str


def _moved(told: list[Told]) -> _Moved:
    (one, many), names = told[0].noun, [read(each.subject) for each in told]
    noun = one.partition(" ")[2]
    goes = "goes" if len(told) == 1 else "go"
    if len(set(names)) > MOST_NAMED:
        return _Moved(f"{len(names)} {many}", goes)
    counts = Counter(names)
    # A common noun takes an article, a proper name does not.
    said = [
        with_article(name)
        if count == 1 and noun and name.endswith(f" {noun}") and name != one
        else times(name, count, one, many)
        for name, count in counts.items()
    ]
    return _Moved(enumerated(said), goes)


def _several(names: list[str]) -> str:
    """Returns several names in a few words.

    >>> _several(["red", "blue"]), _several(list("abcdef"))
    ('red, blue', 'a and 5 more')
    """
    return spliced(names, ", ") if len(names) <= MOST_NAMED else spliced((names[0], f" and {len(names) - 1} more"))
