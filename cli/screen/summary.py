"""Events as one seat saw them -> a few lines that sum them up, a paragraph for each phase.

    The sand runs: Ubuso A rolls d6 for tech (8 times), says 31 (7 more before), reaches the next tech level.

Sentences are told, each where it was true for the last time, then what no sentence has told: what dice show, and what
numbers have come to. Sentences of one rule and one actor become one, those of one subject are joined; what lies deep in
the rules, or has several outcomes, is left out where there is no room for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import attrs
from rich.text import Text

from rulelang.knowledge.phrase import NameForm, Phrase, named, names_in, pieces, spliced
from rulelang.knowledge.redaction import listed, read
from rulelang.match.recording.events import Change, Event
from rulelang.screens.ending import enumerated
from rulelang.screens.narration import Levels, in_words, is_bare, sentence_of

from .narration import HANGING
from .styles import QUIET, Styles

_Said: TypeAlias = tuple[tuple[str, str], str]
"""The words of a clause around its seat, and its remark."""
SEVERAL = 3
"""The most outcomes of one rule that are told if there is room."""
MANY, FEW = 2, 2
"""The most words that are said again for the next clause, and the most in which it may then differ."""
MOST_LISTED = 6
"""The most ends of sentences with the same beginning that are all told."""
ALL, INNER, OUTER = 99, 3, 2
"""The depths down to which verbs are told: if there is room, if there is little, and if there is least."""


@attrs.frozen
class _Way:
    """One way to sum up: how deep verbs are told, how many outcomes of a rule, whether bare changes are, and whether all
    sentences on one subject are joined."""

    depth: int
    """The deepest level of the verbs that are told."""
    outcomes: int
    has_changes: bool = True
    by_subject: bool = True
    has_deep_changes: bool = False
    """Whether verbs that lie deeper are told if they changed something: `Reyes dies`."""
    is_once: bool = False
    """Whether what a rule does for an actor is told in the last phase alone in which it does so."""

    def tells(self, event: Event, level: int) -> bool:
        """Returns whether the sentence of an event at a level is told."""
        is_act = event.what in ("action", "option")
        return is_act or level <= self.depth or (self.has_deep_changes and bool(event.changes))


WAYS = (
    _Way(ALL, SEVERAL, by_subject=False),
    _Way(ALL, SEVERAL),
    _Way(ALL, 1),
    _Way(ALL, 1, has_changes=False),
    _Way(INNER, 1, has_changes=False, has_deep_changes=True),
    _Way(INNER, 1, has_changes=False),
    _Way(OUTER, 1, has_changes=False, has_deep_changes=True),
    _Way(OUTER, 1, has_changes=False),
)
"""As much is told as has room. The last way says least."""
FULL = 4
"""The number of ways, from the first, that tell verbs at all depths."""
BRIEFLY = (
    _Way(INNER, 1, has_changes=False, has_deep_changes=True),
    _Way(INNER, 1, has_changes=False),
    _Way(INNER, 1, has_changes=False, is_once=True),
    _Way(OUTER, 1, has_changes=False, has_deep_changes=True),
    _Way(OUTER, 1, has_changes=False),
    _Way(OUTER, 1, has_changes=False, has_deep_changes=True, is_once=True),
    _Way(OUTER, 1, has_changes=False, is_once=True),
)
"""The ways to tell earlier phases, for which there is less room."""


def summary(
    events: Sequence[Event], styles: Styles, width: int, rows: int, about: frozenset[str] | None = None
) -> list[Text]:
    """Returns paragraphs that fit into rows of so many columns: the last ones, as many as the shortest way leaves room
    for, in the fullest way that fits. Of variables, those in `about` are told, by default all."""
    ways = [list(_paragraphs(events, styles, way, about)) for way in WAYS]
    phases = [-1, *(phase for phase, _ in ways[0])]
    # Earlier phases are told briefly, and then left out, before what changed something in the last ones is.
    for brief in (*BRIEFLY, None):
        briefly = [] if brief is None else list(_paragraphs(events, styles, brief, about))
        is_deep = brief is not None and brief.depth > OUTER
        for since in phases:
            for way in ways[:FULL] if is_deep else ways[:-1]:
                some = [*(text for phase, text in briefly if phase < since), *_of(way, since)]
                if _fits(some, width, rows):
                    return some
    return next(
        (some for since in phases if _fits(some := _of(ways[-1], since), width, rows)), _of(ways[-1], phases[-1])
    )


def _of(paragraphs: list[tuple[int, Text]], since: int) -> list[Text]:
    """Returns the paragraphs from a phase on."""
    return [text for phase, text in paragraphs if phase >= since]


def _fits(paragraphs: list[Text], width: int, rows: int) -> bool:
    return sum(_rows(paragraph, width) for paragraph in paragraphs) <= rows


def _rows(paragraph: Text, width: int) -> int:
    return -(-max(len(paragraph) - width, 0) // max(width - HANGING, 1)) + 1


@attrs.frozen
class _Clause:
    """A sentence, and a remark on how often or after how many others it was true."""

    words: str
    remark: str = ""
    at: int = 0
    """The position, among the events, of the last one of which it was true."""

    @property
    def subject(self) -> str:
        """The name with which it begins; "" if it begins otherwise, or more than that one did the same."""
        first = next((name for name in names_in(self.words) if name.start == 0 and name.what != "member"), None)
        is_one = first is not None and self.words[first.end : first.end + 1] == " " and "; " not in self.words
        return self.words[: first.end] if first is not None and is_one else ""


def _paragraphs(
    events: Iterable[Event], styles: Styles, way: _Way, about: frozenset[str] | None
) -> Iterator[tuple[int, Text]]:
    """Yields a paragraph for each phase in which something was said, with the number of the phase."""
    phase: Event | None = None
    number = 0
    runs: dict[tuple[str, int | None], list[tuple[int, Event]]] = {}
    changes: list[tuple[int, str, Change]] = []
    actors: dict[int, int | None] = {}
    """By number of an event: who acted, here or in the rule that called it."""
    levels = Levels()
    some = list(_naming_what_was_seen(events))
    lasts = {(event.rule, event.actor): at for at, event in enumerate(some)}

    def gathered() -> Iterator[tuple[int, Text]]:
        told = (run for key, run in runs.items() if not way.is_once or run[-1][0] == lasts[key])
        clauses = [clause for run in told for clause in _clauses(run, styles.seats, way.outcomes)]
        for kind in _apart(changes, [clause.at for clause in clauses if way.outcomes > 1]) if way.has_changes else ():
            clauses += [_Clause(words, at=kind[-1][0]) for words in in_words((one[1:] for one in kind), about)]
        if clauses:
            heading = phase.text if phase is not None and phase.sentence else ""
            in_order = sorted(clauses, key=lambda clause: clause.at)
            joined = _together(in_order, styles.seats, apart=way.by_subject)
            yield number, _paragraph(heading, _by_subject(joined) if way.by_subject else joined, styles)
        runs.clear()
        changes.clear()

    for at, event in enumerate(some):
        actor = actors.get(event.cause) if event.actor is None and event.cause is not None else event.actor
        actors[event.number] = actor
        level = levels.of(event)
        if event.what == "phase" and not event.goes_on:
            # A choice that its phase repeats as a heading is told by the heading.
            repeated = next((key for key, run in runs.items() if run[-1][1].text == event.text), None)
            if repeated is not None:
                del runs[repeated]
            yield from gathered()
            phase, number = event, number + 1
        elif (event.sentence or is_bare(event)) and not event.goes_on and not event.is_untold:
            if way.tells(event, level):
                runs.setdefault((event.rule, event.actor), []).append((at, event))
        if not event.is_untold:
            who = "" if actor is None else named(styles.seats[actor], "seat")
            changes += [(at, who, change) for change in event.changes]
    yield from gathered()


def _apart(changes: Iterable[tuple[int, str, Change]], told: Sequence[int]) -> Iterator[list[tuple[int, str, Change]]]:
    """Yields the throws of dice between two sentences, each of which has a position, and then all other changes. Where
    several seats have thrown, their throws are told together."""
    some = list(changes)
    is_alone = len({who for _, who, change in some if change.what == "roll"}) == 1
    others: list[tuple[int, str, Change]] = []
    throws: dict[int, list[tuple[int, str, Change]]] = {}
    for change in some:
        before = sum(at <= change[0] for at in told) if is_alone else 0
        (throws.setdefault(before, []) if change[2].what == "roll" else others).append(change)
    yield from throws.values()
    if others:
        yield others


def _naming_what_was_seen(events: Iterable[Event]) -> Iterator[Event]:
    """Yields the events; a sentence also says which things lay open, without its naming them, when a verb that has no
    words moved them: `Red discards 2 cards (nitro, scan)`."""
    some = list(events)
    seen: dict[int, list[str]] = {}
    for event in some:
        if event.cause is not None and not event.sentence and not event.is_untold:
            openly = (change.told for change in event.changes if change.what == "move" and not change.covered)
            called = ((read(told.subject), told.noun[0]) for told in openly if told is not None)
            seen.setdefault(event.cause, []).extend(name for name, unknown in called if name != unknown)
    for event in some:
        names = seen.get(event.number)
        if names and event.sentence and event.what in ("action", "option", "verb") and not event.goes_on:
            yield attrs.evolve(event, sentence=(spliced((event.text, " (", listed(names), ")")),))
        else:
            yield event


def _clauses(run: list[tuple[int, Event]], seats: tuple[str, ...], outcomes: int) -> list[_Clause]:
    """Returns a clause for each outcome of a rule, with its count if above 1.

    If there are too many outcomes, not counting seats and other subjects that have the same one, only the last is told.
    """
    times: dict[str, list[int]] = {}
    for at, event in run:
        times.setdefault(sentence_of(event, seats), []).append(at)
    if len({_without_seat(sentence, seats) for sentence in times}) > outcomes:
        at, last = run[-1]
        if listing := _listing([sentence_of(event, seats) for _, event in run]):
            return [_Clause(listing, at=at)]
        return [_Clause(sentence_of(last, seats), f"({len(run) - 1} more before)", at)]
    return [_Clause(said, f"({len(at)} times)" if len(at) > 1 else "", at[-1]) for said, at in times.items()]


def _without_seat(sentence: str, seats: tuple[str, ...]) -> tuple[str, str]:
    """Returns the words before and behind the seat of which a sentence speaks first, else behind the name with which it
    begins; ("", sentence) without any."""
    who = next((seat for seat in seats if sentence.startswith(f"{seat} ")), None)
    if who is not None:
        return "", sentence[len(who) :]
    names = names_in(sentence)
    first = next((name for name in names if name.what == "seat"), next((n for n in names if n.start == 0), None))
    return ("", sentence) if first is None else (sentence[: first.start], sentence[first.end :])


def _together(clauses: list[_Clause], seats: tuple[str, ...], *, apart: bool = False) -> list[_Clause]:
    """Returns clauses, with neighbours joined that differ only in the seat or in the name with which they begin; those
    `apart` too, where the first is.

    >>> some = [_Clause(words) for words in ("Red pays 1 fuel", "Blue pays 1 fuel", "Red waits", "Pink pays 1 fuel")]
    >>> [clause.words for clause in _together(some, ("Red", "Blue", "Pink"))]
    ['Red pays 1 fuel; Blue too', 'Red waits', 'Pink pays 1 fuel']
    >>> [clause.words for clause in _together(some, ("Red", "Blue", "Pink"), apart=True)]
    ['Red pays 1 fuel; Blue and Pink too', 'Red waits']
    >>> goods = [_Clause(spliced((named(good, "member"), ": 1 more"))) for good in ("Iron", "Wood", "Clay")]
    >>> [clause.words for clause in _together(goods, ())]
    ['Iron, Wood and Clay: 1 more']
    """
    runs: list[tuple[_Said, list[_Clause]]] = []
    open: dict[_Said, int] = {}
    """By words: the run that others with these words may join."""
    latest: dict[str, int] = {}
    """By subject: the run of its latest clause; none of its clauses is told before an earlier one."""
    for clause in clauses:
        key = _without_seat(clause.words, seats), clause.remark
        run = open.get(key, len(runs))
        if run == len(runs) or latest.get(clause.subject, -1) > run or not (apart or run == len(runs) - 1):
            run = open[key] = len(runs)
            runs.append((key, []))
        runs[run][1].append(clause)
        if clause.subject:
            latest[clause.subject] = run
    found: list[_Clause] = []
    for ((before, behind), remark), (first, *others) in runs:
        names = [_named(c.words, len(before), len(c.words) - len(behind)) for c in (first, *others)]
        # Seats stay apart: each has thrown a die of its own.
        is_of_things = all(name.what != "seat" for said in names for name in names_in(said))
        if others and behind.startswith(":") and not before and is_of_things:
            words = spliced((enumerated(names), behind))
        else:
            words = spliced((first.words, "; ", enumerated(names[1:]), " too")) if others else first.words
        found.append(_Clause(words, remark, first.at))
    return found


def _named(words: str, start: int, end: int) -> str:
    """Returns the name at a place of a sentence."""
    forms: list[NameForm] = [name.what for name in names_in(words) if name.start == start]
    return named(str(words)[start:end], forms[0] if forms else "seat")


def _by_subject(clauses: list[_Clause]) -> list[_Clause]:
    """Returns clauses grouped by subject, in order of the first of each."""
    firsts: dict[str, int] = {}
    at = [firsts.setdefault(clause.subject, n) if clause.subject else n for n, clause in enumerate(clauses)]
    return [clause for _, clause in sorted(zip(at, clauses, strict=True), key=lambda pair: pair[0])]


def _capitalised(words: str) -> str:
    return Phrase(f"{words[:1].upper()}{words[1:]}", names_in(words))


def _shared(sentences: Sequence[str]) -> int:
    """Returns the number of words with which all sentences begin, if they are many and few follow; else 0.

    >>> _shared(("Ada is turned up on b4", "Ada is turned up on b6")), _shared(("Ada takes tin", "Ada takes iron"))
    (5, 0)
    """
    words = [pieces(sentence) for sentence in sentences]
    same = next((n for n, some in enumerate(zip(*words, strict=False)) if len(set(some)) > 1), 0)
    return same if same > MANY and all(len(some) - same <= FEW for some in words) else 0


def _listing(sentences: Sequence[str]) -> str:
    """Returns sentences with the same beginning as one, which lists their ends: `Ada flies the probe onto a1, a2`; "" if
    they are not of that kind. Three numbers and more are listed behind any beginning, and
    however often they come.

    >>> _listing([f"Ada says {n}" for n in (5, 5, 9)]), _listing([f"Ada says {n}" for n in range(9)])
    ('Ada says 5, 5, 9', 'Ada says 0, 1, …, 8')
    >>> _listing(["Ada takes tin", "Ada takes iron"])
    ''
    """
    words = [pieces(sentence) for sentence in sentences]
    are_alike = len(words) > FEW and len({tuple(some[:-1]) for some in words}) == 1
    are_numbers = are_alike and all(some[-1].isdecimal() for some in words)
    same = len(words[0]) - 1 if are_numbers else _shared(sentences)
    ends = [spliced(some[same:], " ") for some in words]
    if not same or (not are_numbers and len(set(ends)) < len(ends)):
        return ""
    if len(ends) > MOST_LISTED:
        ends = [*ends[:2], "…", ends[-1]]
    return spliced((spliced(words[0][:same], " "), " ", spliced(ends, ", ")))


def _paragraph(heading: str, clauses: list[_Clause], styles: Styles) -> Text:
    """Returns sentences behind a heading; those that begin with the same name are one: `Red waits, goes home.`"""
    text = styles(heading, "bold")
    joint, before, last = ": " if heading else "", "", ""
    for clause in clauses:
        subject = clause.subject
        if subject and subject == before:
            again = _shared((last, clause.words))
            words = spliced(pieces(clause.words)[again:], " ") if again else clause.words
            text.append(", ").append_text(styles(words) if again else styles(words)[len(subject) + 1 :])
        else:
            text.append(joint).append_text(styles(_capitalised(clause.words)))
        if clause.remark:
            text.append(f" {clause.remark}", QUIET)
        joint, before, last = ". ", subject, clause.words
    return text if text.plain.endswith((".", "!", "?")) else text.append(".")
