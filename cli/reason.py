"""A reason -> lines for people, or data for programs: for `why`, as a command and at a prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from .question_topic import is_of_option, subject

if TYPE_CHECKING:
    from rulelang.ir.numbers import Seat
    from rulelang.match.match import BareMatch
    from rulelang.source import Span
    from rulelang.workbench.reasons.breakdown import NumberAccount, NumberPart
    from rulelang.workbench.reasons.legality import OptionStanding, Requirement
    from rulelang.workbench.reasons.why import Answer, Asker, Link

    Citing: TypeAlias = Callable[[tuple[str, ...], Span], str]
    """Returns the end of a line, which cites clauses and a place in the rules."""


def reason_for(match: BareMatch, question: str, eyes: Asker) -> Answer:
    """Returns the reason for what a question is about, as people put it; raises NoReason.

    An option may be asked for as `why` takes it, or by its words, if the asker is, or sees, a seat that has to choose.
    """
    from contextlib import suppress

    from rulelang.workbench.reasons.why import NoReason, why

    about = subject(question, tuple(zip(match.seats, match.seat_names, strict=True)))
    try:
        return why(match, question, eyes)
    except NoReason as error:
        trouble = error
    with suppress(NoReason):
        return why(match, about, eyes)
    seat, _, words = about.rpartition(": ")
    asked = [one for one in match.to_move if seat in ("", match.seats[one]) and (eyes.sees_all or one == eyes.seat)]
    if match.to_move and not asked and is_of_option(question):
        trouble = NoReason(f"{'a spectator' if eyes.seat is None else match.seats[eyes.seat]} does not choose here")
    for one in asked if not words.isdecimal() else ():
        found = _standing_said(match, one, words, eyes)
        if isinstance(found, str):
            trouble = NoReason(found) if seat or about != question else trouble
        else:
            return found
    with suppress(NoReason):  # red.fuel 7
        return why(match, about.rpartition(" ")[0] or about, eyes)
    raise trouble


def _standing_said(match: BareMatch, seat: Seat, words: str, eyes: Asker) -> OptionStanding | str:
    """Returns the standing of the option of a seat that words mention, one that is refused first; else a sentence on
    the words."""
    from rulelang.errors import UnknownOption
    from rulelang.session.dialogue import Dialogue
    from rulelang.session.fallback_reply import no_answer
    from rulelang.session.prompt_builder import opening
    from rulelang.workbench.reasons.legality import OptionStanding, standing_of

    dialogue = Dialogue.of(match, seat)
    try:
        found = dialogue.mentioned(words)
    except UnknownOption as error:
        return str(error)
    for option in (*(option for option, _ in found.refused[:1]), *found.offered[:1], *found.outside[:1]):
        return standing_of(match, option, eyes.bit(match))
    for lack in found.lacks:
        return OptionStanding(opening(match.game, dialogue.choice, lack.answer), lack.reason, ())
    return no_answer(match, seat, words, [option.label for option in dialogue.options], is_at_prompt=False)


def lines_of(reason: Answer, *, at_play: bool = False) -> Iterator[str]:
    """Yields the lines of a reason; details are indented. People who are `at_play` read words, and no places in the rules."""
    cited = _clauses if at_play else _cited
    from rulelang.workbench.reasons.breakdown import NumberAccount
    from rulelang.workbench.reasons.legality import OptionStanding

    match reason:
        case NumberAccount():
            yield from _account(reason, "", cited)
        case OptionStanding():
            yield from _standing(reason, cited)
        case _:  # any other reason is a chain of events
            depth = 0
            for link in (one for one in reason if one.said or not at_play):
                yield f"{'  ' * depth}{link.said if at_play else link.text}{cited(link.clauses, link.span)}"
                depth += link.what not in ("value", "adjustment", "change")


def data_of(reason: Answer) -> dict[str, object]:
    """Returns a reason as plain data: its `chain`, its `account`, or whether an option is `offered`, with its needs."""
    from rulelang.workbench.reasons.breakdown import NumberAccount
    from rulelang.workbench.reasons.legality import OptionStanding

    match reason:
        case NumberAccount():
            return {"account": _account_data(reason)}
        case OptionStanding(refusal=refusal):
            data: dict[str, object] = {"option": reason.option, "offered": refusal is None}
            if refusal is not None:
                data |= {"because": refusal.message, **_cited_data(refusal.clauses, refusal.span)}
                data["nearest"] = reason.nearest
            return data | {"needs": [_requirement_data(one) for one in reason.requirements]}
        case _:  # any other reason is a chain of events
            return {"chain": [{"what": one.what, **_part_data(one)} for one in reason]}


def _requirement_data(one: Requirement) -> dict[str, object]:
    return {**_part_data(one), "facts": list(one.facts), "accounts": [_account_data(a) for a in one.accounts]}


def _account_data(account: NumberAccount) -> dict[str, object]:
    return {
        "call": account.call,
        "name": account.name,
        "value": account.value,
        "parts": [_part_data(part) for part in account.parts],
        "idle": [_part_data(part) for part in account.idle],
        "inner": [_account_data(inner) for inner in account.inner],
    }


def _part_data(part: NumberPart | Link | Requirement) -> dict[str, object]:
    return {"text": part.text, **_cited_data(part.clauses, part.span)}


def _cited_data(clauses: tuple[str, ...], span: Span) -> dict[str, object]:
    return {"clauses": list(clauses), "place": _place(span)}


def _account(account: NumberAccount, indent: str, cited: Citing, *, is_whole: bool = True) -> Iterator[str]:
    yield f"{indent}{account.name} = {account.value}"
    for part in account.parts:
        yield f"{indent}  {part.text}{cited(part.clauses, part.span)}"
    for part in account.idle if is_whole else ():
        yield f"{indent}  (does not apply: {part.text}{cited(part.clauses, part.span)})"
    for inner in account.inner:
        yield from _account(inner, f"{indent}  ", cited, is_whole=is_whole)


def _standing(standing: OptionStanding, cited: Citing) -> Iterator[str]:
    refusal = standing.refusal
    if refusal is None:
        yield f"“{standing.option}” is on offer"
    else:
        yield f"“{standing.option}”: {refusal.message}{cited(refusal.clauses, refusal.span)}"
    for one in standing.requirements:
        facts = f": {', '.join(one.facts)}" if one.facts else ""
        place = cited(one.clauses, one.span) if refusal is None else ""
        yield f"  {one.text}{facts}{place}"
        for account in one.accounts:
            yield from _account(account, "    ", cited, is_whole=refusal is not None)
    if standing.nearest:
        yield f"the nearest on offer is “{standing.nearest}”"


def _cited(clauses: tuple[str, ...], span: Span) -> str:
    place = _place(span)
    return _clauses(clauses, span) + (f"  ({place})" if place else "")


def _clauses(clauses: tuple[str, ...], _: Span) -> str:
    return f" [{', '.join(clauses)}]" if clauses else ""


def _place(span: Span) -> str:
    from rulelang.source import NOWHERE

    return "" if span is NOWHERE else span.place
