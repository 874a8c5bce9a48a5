"""Somebody's question about a table, `why` or `what` -> the content of a dialog.

reasons(table, dialogue, "b2", ink)        why b2 may or may not be chosen, in the rule's words, with clauses
meanings(table, 0, "OS-7.11", ink)         the sentence of the clause
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulelang.errors import UnknownOption
from rulelang.ir.numbers import Seat
from rulelang.match.match import BareMatch
from rulelang.pages.ink import Ink
from rulelang.pages.markup import Markup, element, together
from rulelang.screens.what import Explained, explained
from rulelang.session.dialogue import Dialogue
from rulelang.session.references import cited, of_the_aim, saying, with_sentences
from rulelang.session.refusals import Forbidden, forbidden, grouped
from rulelang.session.table import GameTable
from rulelang.source import NOWHERE, Span
from rulelang.workbench.playback import Looker
from rulelang.workbench.reasons.breakdown import NumberAccount
from rulelang.workbench.reasons.legality import OptionStanding
from rulelang.workbench.reasons.why import Asker, why

MOST = 40
"""The most reasons in one dialog."""


def reasons(table: GameTable, dialogue: Dialogue | None, wanted: str, ink: Ink) -> Markup:
    """Returns why an answer is or is not on offer, or (for `?`) all that cannot be chosen now and why."""
    match = table.match
    if dialogue is None:
        return together(element("h2", "You are not asked now"))
    if wanted == "?":
        found = forbidden(match, dialogue.seat, dialogue.question.begun)
        head = "What you cannot do now" if found else "No rule forbids anything here"
        return together(element("h2", head), _forbidden(table, found, ink))
    head = element("h2", wanted)
    try:
        mention = dialogue.mentioned(wanted)
    except UnknownOption as error:
        return together(head, meanings(table, dialogue.seat, wanted, ink) or element("p", str(error)))
    outside = ((option, match.why_not(option)) for option in mention.outside)
    refused = [*mention.refused, *((option, reason) for option, reason in outside if reason is not None)]
    groups = grouped(match, refused, mention.lacks)
    offered = [element("li", ink.words(option.label)) for option in mention.offered[:MOST]]
    return together(
        head,
        _forbidden(table, groups, ink),
        (element("h3", "On offer"), element("ul", offered)) if offered else None,
        None if groups or offered else meanings(table, dialogue.seat, wanted, ink) or element("p", "No rule says so."),
    )


def meanings(table: GameTable, seat: Seat | None, word: str, ink: Ink) -> Markup:
    """Returns the meanings of a word on the page, or of a clause; "" if it has none."""
    match, game = table.match, table.game
    reader = seat if seat is not None else None
    found = () if reader is None else of_the_aim(match, reader, word, explained(match, reader, word))
    known = with_sentences(game, word, found) or saying(game, word)
    return together(_meaning(one, ink) for one in known[:4])


def chain(match: BareMatch, about: str, looker: Looker, ink: Ink) -> Markup:
    """Returns why an event, a value or an option came about, up to the rule, as a viewer may know it.

    Raises NoReason.
    """
    reason = why(match, about, Asker(looker.seat, looker.sees_all))
    head = element("h2", "Why?")
    match reason:
        case NumberAccount():
            rows = (element("li", ink.words(part.text), _cites(part.clauses)) for part in reason.parts)
            return together(head, element("p", f"{reason.name} = {reason.value}"), element("ul", rows))
        case OptionStanding():
            refusal = reason.refusal
            said = f"“{reason.option}” is on offer" if refusal is None else refusal.message
            rows = (element("li", ink.words(one.text), ": ", ", ".join(one.facts)) for one in reason.requirements)
            return together(head, element("p", said), element("ul", rows))
        case _:  # any other reason is a chain of events
            links = (element("li", ink.words(link.text), _cites(link.clauses), _place(link.span)) for link in reason)
            return together(head, element("ol", links, klass="chain"))


def _cites(clauses: tuple[str, ...]) -> Markup | None:
    return element("small", f" [{', '.join(clauses)}]") if clauses else None


def _place(span: Span) -> Markup | None:
    """Returns the file and the line of a rule, without the folders of this machine."""
    return None if span is NOWHERE else element("small", f" ({span.place.rpartition('/')[2]})")


def _meaning(one: Explained, ink: Ink) -> Markup:
    noun = f" ({one.noun})" if one.noun else ""
    return element(
        "section",
        element("h3", ink.words(one.name), element("small", noun)),
        element("p", ink.words(one.text)) if one.text else None,
        element("ul", (element("li", ink.words(fact)) for fact in one.facts)) if one.facts else None,
        element("p", ", ".join(one.clauses), klass="clauses") if one.clauses else None,
    )


def _forbidden(table: GameTable, found: Iterable[Forbidden], ink: Ink) -> Markup:
    return element("ul", tuple(_entries(table, found, ink)), klass="reasons")


def _entries(table: GameTable, found: Iterable[Forbidden], ink: Ink) -> Iterator[Markup]:
    for one in list(found)[:MOST]:
        is_one = one.count == 1 or one.label == one.words
        words = one.label if is_one else f"{one.words} ({one.count}, such as {one.label})"
        ledger = (element("blockquote", sentence) for sentence in cited(table.game, one.reason.clauses))
        yield element("li", element("b", ink.words(words)), element("p", ink.words(str(one.reason))), tuple(ledger))
