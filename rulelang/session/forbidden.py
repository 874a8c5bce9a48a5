"""A pending choice and a seat -> the answers that the rules forbid now, in groups: for `?` at a prompt.

    Play a black hole …   32, such as Play a black hole on a8     You hold no black hole [ES-6.14]

Groups that continue the answer begun come first; those that a clause of the rulebook forbids come before the others.
"""

from __future__ import annotations

import attrs

from rulelang.ir.numbers import Seat
from rulelang.machines.machine import Answer
from rulelang.match.match import BareMatch
from rulelang.match.options.explain import Reason
from rulelang.match.options.option import Option
from rulelang.match.refused import refused
from rulelang.session.question import opening
from rulelang.source import Span


@attrs.frozen
class Forbidden:
    """A group of answers of one kind that the same `needs` forbids."""

    words: str
    """The words that they share in a menu: `Steal …`."""
    first: Option
    count: int
    reason: Reason
    """The reason why the first is forbidden."""


def forbidden(match: BareMatch, seat: Seat, begun: Answer = ()) -> tuple[Forbidden, ...]:
    """Returns the groups of answers that a seat cannot choose now; those of the answer `begun` come first."""
    choice = match.choice
    if choice is None:
        return ()
    alike: dict[tuple[str, Span], list[tuple[Option, Reason]]] = {}
    for option, reason in refused(match, seat):
        alike.setdefault((option.branch, reason.span), []).append((option, reason))
    found = []
    for some in alike.values():
        option, reason = some[0]
        words = opening(match.game, choice.branches[option.answer[0]])
        found.append(Forbidden(words, option, len(some), reason))
    return tuple(sorted(found, key=lambda one: (one.first.answer[:1] != begun[:1], not one.reason.clauses)))
