"""A pending choice and a seat -> the answers that the rules forbid now, in groups: for `?` at a prompt.

    Play a black hole …   32, such as Play a black hole on a8     You hold no black hole [ES-6.14]

Groups that continue the answer begun come first, then those of which no answer can be chosen; those that a clause of the
rulebook forbids come before the others, and among them those that meet the most conditions.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from rulelang.ir.numbers import Seat
from rulelang.machines.legal import abolished_by, agreed_in
from rulelang.machines.machine import Answer
from rulelang.machines.offers.offer import MOST
from rulelang.match.match import BareMatch
from rulelang.match.options.explain import Reason
from rulelang.match.options.option import Option
from rulelang.match.refused import Lack, lacking, refused
from rulelang.session.prompt_builder import opening
from rulelang.session.question import Question
from rulelang.source import Span

MOST_BESIDE = 3
"""The most groups that are told beside an option that is the only one."""


@attrs.frozen
class Forbidden:
    """A group of answers of one kind that the same rule forbids, or for which too little is there."""

    words: str
    """The words that they share in a menu: `Steal …`."""
    label: str
    """The words of the first, up to what cannot be chosen."""
    answer: Answer
    count: int
    reason: Reason
    """The reason why the first is forbidden."""


def forbidden(match: BareMatch, seat: Seat, begun: Answer = ()) -> tuple[Forbidden, ...]:
    """Returns the groups of answers that a seat cannot choose now; those of the answer `begun` come first.

    What is never allowed in this game is left out: nobody would look for it.
    """
    gone = _abolished(match)
    found = tuple(
        one
        for one in grouped(match, refused(match, seat), lacking(match, seat))
        if one.answer[0] not in gone or one.answer[:1] == begun[:1]
    )
    some = {option.answer[0] for option in match.options_of(seat).first(MOST)} if found else set[int]()
    return tuple(
        sorted(
            found,
            key=lambda one: (
                one.answer[:1] != begun[:1],
                one.answer[0] in some,
                not one.reason.clauses,
                -_conditions_met(match, one),
            ),
        )
    )


def _conditions_met(match: BareMatch, one: Forbidden) -> int:
    """Returns how many conditions such an answer meets before the
    one that forbids it: with more, it is nearer to be allowed."""
    assert match.choice is not None
    needs = match.choice.branches[one.answer[0]].needs
    spans = [match.game.sites[need.site].span for need in needs]
    return spans.index(one.reason.span) if one.reason.span in spans else 0


def beside_a_lone_option(match: BareMatch, seat: Seat, asked: Question) -> tuple[Forbidden, ...]:
    """Returns the answers that the rules forbid beside the only line of a question; () if it has several lines.

    Only what can be chosen in no way is told, and only a few, the first for each option.
    """
    if asked.begun or asked.members or asked.numbers or len(asked.lines) != 1:
        return ()
    offered = {option.answer[0] for option in asked.lines[0].options}
    found: dict[int, Forbidden] = {}
    for one in forbidden(match, seat):
        if one.answer[0] not in offered:
            found.setdefault(one.answer[0], one)
    return tuple(found.values())[:MOST_BESIDE]


def _abolished(match: BareMatch) -> frozenset[int]:
    """Returns the numbers of the branches that can be chosen in no position."""
    if match.choice is None:
        return frozenset()
    agreed = agreed_in(match.game, match.position.layout.states, match.position.row)
    return frozenset(at for at, branch in enumerate(match.choice.branches) if abolished_by(branch, agreed) is not None)


def grouped(match: BareMatch, options: Iterable[tuple[Option, Reason]], lacks: Iterable[Lack]) -> tuple[Forbidden, ...]:
    """Returns forbidden options in groups, each of one branch and
    one rule; of what lacks, the nearest to be there first."""
    choice = match.choice
    if choice is None:
        return ()
    near = sorted(lacks, key=lambda one: (-len(one.answer), -one.there))
    alike: dict[tuple[int, Span], list[tuple[Option | Lack, Reason]]] = {}
    together: list[tuple[Option | Lack, Reason]] = [*options, *((one, one.reason) for one in near)]
    for one, reason in together:
        alike.setdefault((one.answer[0], reason.span), []).append((one, reason))
    return tuple(
        Forbidden(
            opening(match.game, choice, first.answer[:1]),
            opening(match.game, choice, first.answer) if isinstance(first, Lack) else first.label,
            first.answer,
            len(some),
            reason,
        )
        for some in alike.values()
        for first, reason in some[:1]
    )
