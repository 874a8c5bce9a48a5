"""Events as a seat saw them -> a list of sentences, each with its clauses, grouped by phase.

news(events, ink, seats, game, ledger)      <ol class="news"><li class="depth-1">Green: Play nitro <a …>OS-5.6</a></li> …
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulelang.ir.model import GameRules
from rulelang.knowledge.phrase import spliced, split
from rulelang.knowledge.redaction import read
from rulelang.match.recording.events import Event
from rulelang.pages.drawings.die import die
from rulelang.pages.drawings.marks import mark_of
from rulelang.pages.ink import Ink
from rulelang.pages.markup import Markup, element, together
from rulelang.screens.colours import colour_in
from rulelang.screens.narration import ToldLine, told
from rulelang.screens.picture import on_screen
from rulelang.screens.touched import touched

MOST = 60
"""The most lines of news on a page."""


def news(
    events: Sequence[Event],
    ink: Ink,
    seats: tuple[str, ...],
    game: GameRules,
    ledger: Mapping[str, str],
    *,
    asks_why: bool = False,
) -> Markup:
    """Returns the lines that tell of events, the last ones if there are many; `ledger` has the sentences of clauses.

    Each line names the places that it touched; a page lights them up. With `asks_why`, each sentence can be clicked for the rules that led to it.
    """
    some = events[-MOST * 3 :]
    by_number = {event.number: event for event in some}
    lines = list(told(some, seats, on_screen(game)))
    shown = []
    for line in lines[-MOST:]:
        if line.is_heading:
            shown.append(element("li", ink.words(line.sentence), klass="phase"))
            continue
        event = by_number.get(-1 if line.number is None else line.number)
        tells_dice = bool(line.sentence) or any(" shows " in change for change in line.changes)
        changes = ink.words(spliced(line.changes, "; ")) if line.changes else None
        inside = (
            _sentence(line, ink, asks_why=asks_why),
            () if event is None or not tells_dice else tuple(_dice(event)),
            element("span", changes, klass="changes") if changes else None,
            tuple(_clauses(line.clauses, ledger)),
        )
        lights = None if event is None else ",".join(sorted(map(mark_of, touched(event, game))))
        klass = f"depth-{min(line.depth, 4)}"
        # The arrow keys lead to it from the list, which alone is a stop of the tab key.
        reached = "-1" if lights else None
        shown.append(element("li", inside, klass=klass, data_lights=lights or None, tabindex=reached))
    return element("ol", shown, klass="news")


def cited(said: str, ink: Ink, ledger: Mapping[str, str]) -> Markup:
    """Returns a sentence; the clauses that it cites at its end can be clicked."""
    words, *rest = split(said, " [")
    if len(rest) != 1 or not rest[0].endswith("]"):
        return ink.words(said)
    return together(ink.words(words), " ", tuple(_clauses(rest[0].removesuffix("]").split(", "), ledger)))


def _dice(event: Event) -> Iterator[Markup]:
    """Yields the dice that an event rolled."""
    for change in event.changes:
        if change.what == "roll":
            yield die(read(change.after), colour_in(read(change.subject)))


def _sentence(line: ToldLine, ink: Ink, *, asks_why: bool) -> Markup | None:
    if not line.sentence:
        return None
    if asks_why and line.number is not None:
        return element("button", ink.words(line.sentence), klass="event", type="button", data_ask=str(line.number))
    return element("span", ink.words(line.sentence))


def _clauses(clauses: Iterable[str], ledger: Mapping[str, str]) -> Iterator[Markup]:
    for clause in clauses:
        yield element("button", clause, klass="clause", type="button", data_what=clause, title=ledger.get(clause))
