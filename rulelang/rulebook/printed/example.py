"""A game -> an example of a turn, as its printed rulebook tells it.

example(api.load("outspeed"))     Section("example", "An example of a turn", (StepList((Item("Green takes the left …"),)),))

It is the scenario that the game calls an example; without one, the game is played from its start, and chance says how.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from rulelang.api import Game
from rulelang.errors import RulelangError
from rulelang.match.match import BareMatch
from rulelang.prose.words import Plain, Term
from rulelang.rulebook.printed.model import Item, Section, StepList
from rulelang.scenarios.run import carried_out, scenarios_of
from rulelang.screens.narration import ToldLine, told

CALLED = "an example"
"""The words with which the title of an example begins."""
BY_CHANCE = "How a game may begin"
"""The title of an example that nobody has written."""
MOST_LINES = 12
"""The most lines of an example that nobody has written."""
MOST_CHOICES = 12
"""The most choices in it."""
STEP = 7
"""The stride with which it goes through the options, so that it takes now this one and now that."""


def example(game: Game) -> Section | None:
    """Returns the section that tells an example of a turn; None for a game that cannot be begun."""
    for node in scenarios_of(game):
        title = node.title.raw
        if title.casefold().startswith(CALLED):
            try:
                match, before = carried_out(game, node, seed=1)
            except RulelangError:  # `rulelang scenario` reports what is wrong with it
                continue
            return _section(title, _lines(match, before))
    try:
        match = game.start(seed=1)
        before = match.event_count
        for count in range(MOST_CHOICES):
            if match.outcome is not None or not match.to_move:
                break
            options = match.options
            match.play(options[STEP * (count + 1) % len(options)])
    except RulelangError:
        return None
    return _section(BY_CHANCE, islice(_lines(match, before), MOST_LINES))


def _lines(match: BareMatch, before: int) -> Iterator[ToldLine]:
    """Yields the lines on what happened after some events, with the headings just before."""
    events = match.opened().events
    while before and (events[before - 1].what == "phase" or not events[before - 1].sentence):
        before -= 1
    return told(events[before:], match.seat_names)


def _section(title: str, lines: Iterable[ToldLine]) -> Section | None:
    """Returns the section of some lines, each with its changes; an event without a sentence belongs to the line before."""
    items: list[Item] = []
    for line in lines:
        said = [f"{_begun(text)}." for text in (line.sentence, *line.changes) if text]
        if line.is_heading:
            items.append(Item((Term(line.sentence),)))
        elif line.sentence or not items or _is_heading(items[-1]):
            items.append(Item((Plain(" ".join(said)),), line.clauses))
        else:
            last = items[-1]
            items[-1] = Item((*last.words, Plain(f" {' '.join(said)}")), last.clauses)
    while items and _is_heading(items[-1]):
        items.pop()  # the heading of a phase in which nothing has happened yet
    if not items:
        return None
    return Section("example", title[:1].upper() + title[1:], (StepList(tuple(items)),))


def _is_heading(item: Item) -> bool:
    return isinstance(item.words[0], Term)


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]
