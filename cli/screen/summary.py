"""Events as one seat saw them -> a few lines that sum them up, a paragraph for each phase.

    The sand runs: Ubuso A rolls d6 for tech (8 times), says 31 (7 more before), reaches the next tech level.

Only sentences are told. Those of one rule and one actor become one, those of one subject are joined; what lies deep in
the rules, or has several outcomes, is left out where there is no room for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import attrs
from rich.text import Text

from rulelang.knowledge.phrase import Phrase, named, names_in, spliced
from rulelang.match.recording.events import Event

from .ending import enumerated
from .narration import DEEPEST, HANGING, is_bare, sentence_of
from .styles import QUIET, Styles

SEVERAL = 3
"""The most outcomes of one rule that are told if there is room."""
OUTER = 2
"""The depth down to which verbs are told if there is little room."""
WAYS = ((DEEPEST, SEVERAL), (DEEPEST, 1), (OUTER, SEVERAL), (OUTER, 1))
"""How deep verbs and how many outcomes are told: as much as has room. The last says least."""


def summary(events: Sequence[Event], styles: Styles, width: int, rows: int) -> list[Text]:
    """Returns paragraphs that fit into rows of so many columns: the last ones, as many as the shortest way leaves room
    for, in the fullest way that fits."""
    ways = [list(_paragraphs(events, styles, depth, outcomes)) for depth, outcomes in WAYS]
    most = len(ways[-1])
    while most > 1 and not _fits(ways[-1][-most:], width, rows):
        most -= 1
    return next((some for way in ways if _fits(some := way[-most:], width, rows)), ways[-1][-most:])


def _fits(paragraphs: list[Text], width: int, rows: int) -> bool:
    return sum(_rows(paragraph, width) for paragraph in paragraphs) <= rows


def _rows(paragraph: Text, width: int) -> int:
    return -(-max(len(paragraph) - width, 0) // max(width - HANGING, 1)) + 1


@attrs.frozen
class _Clause:
    """A sentence, and a remark on how often or after how many others it was true."""

    words: str
    remark: str = ""

    @property
    def subject(self) -> str:
        """The name with which it begins; "" if it begins otherwise, or more than that one did the same."""
        first = next((name for name in names_in(self.words) if name.start == 0 and name.what != "member"), None)
        is_one = first is not None and self.words[first.end : first.end + 1] == " " and "; " not in self.words
        return self.words[: first.end] if first is not None and is_one else ""


def _paragraphs(events: Iterable[Event], styles: Styles, depth: int, outcomes: int) -> Iterator[Text]:
    """Yields a paragraph for each phase in which something was said."""
    phase: Event | None = None
    runs: dict[tuple[str, int | None], list[Event]] = {}

    def gathered() -> Iterator[Text]:
        clauses = [clause for run in _joined(runs) for clause in _clauses(run, styles.seats, outcomes)]
        if clauses:
            yield _paragraph(phase.text if phase is not None and phase.sentence else "", clauses, styles)
        runs.clear()

    for event in events:
        if event.what == "phase" and not event.goes_on:
            # A choice that its phase repeats as a heading is told by the heading.
            repeated = next((key for key, run in runs.items() if run[-1].text == event.text), None)
            if repeated is not None:
                del runs[repeated]
            yield from gathered()
            phase = event
        elif (event.sentence or is_bare(event)) and not event.goes_on and not event.is_untold:
            if event.what in ("action", "option") or event.depth <= depth:
                runs.setdefault((event.rule, event.actor), []).append(event)
    yield from gathered()


def _joined(runs: dict[tuple[str, int | None], list[Event]]) -> Iterator[list[Event]]:
    """Yields runs; consecutive runs of one rule with a single event each are joined."""
    for _, some in groupby(runs.items(), lambda item: item[0][0]):
        here = [run for _, run in some]
        if all(len(run) == 1 for run in here):
            yield [run[0] for run in here]
        else:
            yield from here


def _clauses(run: list[Event], seats: tuple[str, ...], outcomes: int) -> list[_Clause]:
    """Returns a clause for each outcome of a rule, with seats that have the same outcome joined in one.

    If there are too many outcomes, only the last is told, unless each seat has just one.
    """
    said = _together([sentence_of(event, seats) for event in run], seats)
    if len(said) <= max(outcomes, len({event.actor for event in run})):
        return said
    return [_Clause(sentence_of(run[-1], seats), f"({len(run) - 1} more before)")]


def _together(sentences: list[str], seats: tuple[str, ...]) -> list[_Clause]:
    """Returns each sentence once, with its count if above 1; sentences that differ only in the seat are joined.

    >>> _together(["Red pays 1 fuel", "Blue pays 1 fuel", "Red waits", "Red waits"], ("Red", "Blue"))
    [_Clause(words='Red pays 1 fuel; Blue too', remark=''), _Clause(words='Red waits', remark='(2 times)')]
    """
    times: dict[str, int] = {}
    for sentence in sentences:
        times[sentence] = times.get(sentence, 0) + 1
    alike: dict[tuple[str, int], list[str]] = {}
    for sentence, count in times.items():
        who = next((seat for seat in seats if sentence.startswith(f"{seat} ")), "")
        alike.setdefault((sentence[len(who) :], count), []).append(sentence)
    found: list[_Clause] = []
    for (rest, count), some in alike.items():
        others = [named(str(sentence)[: len(sentence) - len(rest)], "seat") for sentence in some[1:]]
        too = spliced(("; ", enumerated(others), " too")) if others else ""
        found.append(_Clause(spliced((some[0], too)), f"({count} times)" if count > 1 else ""))
    return found


def _capitalised(words: str) -> str:
    return Phrase(f"{words[:1].upper()}{words[1:]}", names_in(words))


def _paragraph(heading: str, clauses: list[_Clause], styles: Styles) -> Text:
    """Returns sentences behind a heading; those that begin with the same name are one: `Red waits, goes home.`"""
    text = styles(heading, "bold")
    joint, before = ": " if heading else "", ""
    for clause in clauses:
        subject = clause.subject
        if subject and subject == before:
            text.append(",").append_text(styles(clause.words)[len(subject) :])
        else:
            text.append(joint).append_text(styles(_capitalised(clause.words)))
        if clause.remark:
            text.append(f" {clause.remark}", QUIET)
        joint, before = ". ", subject
    return text if text.plain.endswith((".", "!", "?")) else text.append(".")
