"""Events as a seat saw them -> a list of sentences, each with its clauses; what they led to is folded beneath them.

news(events, ink, seats, game, ledger)      <ol class="news"><li><details …><summary>Green: Play nitro …</summary><ol …> …
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

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


@attrs.frozen
class _Line:
    """A line of news: its contents, and the marks of the places that it lights up."""

    level: int
    """Lines of a higher level that follow are what it led to; that of a phase is the lowest."""
    inside: Markup
    lights: str
    number: int | None

    def item(self, led_to: Sequence[_Line]) -> Markup:
        """Returns the line as an item of a list, with what it led to beneath it."""
        klass = "phase" if self.level < 0 else ""
        # The arrow keys lead to it from the list, which alone is a stop of the tab key.
        if not led_to:
            reached = "-1" if self.lights else None
            return element("li", self.inside, klass=klass, data_lights=self.lights or None, tabindex=reached)
        head = element("summary", self.inside, klass=klass, data_lights=self.lights or None, tabindex="-1")
        id = None if self.number is None else f"told-{self.number}"
        return element("li", element("details", head, _listed(led_to), id=id, open=True, data_keep="open"))


def _listed(lines: Sequence[_Line]) -> Markup:
    """Returns lines as a list of those that nothing before them led to."""
    found: list[Markup] = []
    at = 0
    while at < len(lines):
        end = next((i for i in range(at + 1, len(lines)) if lines[i].level <= lines[at].level), len(lines))
        found.append(lines[at].item(lines[at + 1 : end]))
        at = end
    return element("ol", found, klass="news")


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
    shown: list[_Line] = []
    for line in lines[-MOST:]:
        if line.is_heading:
            shown.append(_Line(-1, ink.words(line.sentence), "", line.number))
            continue
        event = by_number.get(-1 if line.number is None else line.number)
        tells_dice = bool(line.sentence) or any(" shows " in change for change in line.changes)
        changes = ink.words(spliced(line.changes, "; ")) if line.changes else None
        inside = together(
            _sentence(line, ink, asks_why=asks_why),
            () if event is None or not tells_dice else tuple(_dice(event)),
            element("span", changes, klass="changes") if changes else None,
            tuple(_clauses(line.clauses, ledger)),
        )
        lights = "" if event is None else ",".join(sorted(map(mark_of, touched(event, game))))
        shown.append(_Line(line.depth, inside, lights, line.number))
    return _listed(shown)


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
