"""The facts known at one place in the rules, and how they merge where branches meet.

if q.hand == {}: …      inside: this condition holds, and anyone who sees that play is here knows so
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from rulelang.ir import model as ir
from rulelang.ir.flow.secret import NOTHING, FlowLabel, Secret, joined

Opened = frozenset[tuple[int, tuple[ir.Expr, ...] | None]]
"""Zones whose things lie face up, each with its index, or None for every index; and variables that hold such things,
with the number that `of_variable` gives them in place of a zone.
"""


Shown = frozenset[tuple[ir.Expr, ir.Expr]]


def of_variable(state: int) -> int:
    """Returns the number that stands for a variable among opened zones."""
    return -1 - state


def is_opened(opened: Opened, zone: int | None, index: tuple[ir.Expr, ...] | None) -> bool:
    """Returns whether the things in a zone, or those that a variable holds, lie face up."""
    return any(zone == one and of in (None, index) for one, of in opened)


@attrs.define
class FlowFacts:
    """The facts known at one place of the rules."""

    labels: dict[int, FlowLabel] = attrs.field(factory=dict)
    """By local: the secrets that it depends on."""

    aliases: dict[int, ir.Expr] = attrs.field(factory=dict)
    """By local that is only another name for a local, a constant or a variable: that expression."""
    decided: FlowLabel = NOTHING
    """The secrets that decide whether play comes here, unless an act has since shown everyone that it did."""
    facts: tuple[ir.Expr, ...] = ()
    """The conditions that hold."""
    opened: Opened = frozenset()
    shown: Shown = frozenset()
    """The things, as they are named by where they lie, that some seats were shown: each with the seats."""
    is_left: bool = False
    """Whether the body has been left, so that play never comes here."""
    gone: FlowLabel = NOTHING
    """The secrets that decided ways out of the body on the way here, since the branch began."""

    def is_like(self, before: FlowFacts) -> bool:
        """Returns whether a round of a loop that begins with these
        facts has the same results as one that began with `before`.

        Locals bound in the round do not count, and conditions are not carried over.
        """
        return (
            self.decided <= before.decided
            and self.opened == before.opened
            and self.shown == before.shown
            and all(self.labels.get(local) == label for local, label in before.labels.items())
            and all(not label or local in before.labels for local, label in self.labels.items())
            and all(self.aliases.get(local) == before.aliases.get(local) for local in before.labels)
        )

    def is_opened(self, secret: Secret) -> bool:
        """Returns whether the things of a secret lie face up here."""
        return is_opened(self.opened, secret.zone, secret.index)

    def copy(self) -> FlowFacts:
        """Returns a copy for a branch."""
        return FlowFacts(
            dict(self.labels), dict(self.aliases), self.decided, self.facts, self.opened, self.shown, self.is_left
        )


@attrs.define
class CallFacts:
    """The merged calls of a procedure: secrets of its parameters, secrets that decide a call, opened zones."""

    labels: dict[int, FlowLabel] = attrs.field(factory=dict)
    decided: FlowLabel = NOTHING
    opened: Opened | None = None


def united(several: Sequence[Mapping[int, FlowLabel]]) -> dict[int, FlowLabel]:
    """Returns the secrets of each local after any of several branches."""
    found: dict[int, FlowLabel] = {}
    for labels in several:
        for id, label in labels.items():
            found[id] = joined(found.get(id, NOTHING), label)
    return found


def meet(place: FlowFacts, ways: Sequence[FlowFacts], before: FlowLabel, *, is_secret: bool = False) -> None:
    """Merges the branches of a statement; the condition decides nothing further, unless a branch leaves the body, or may.

    `is_secret`: which branch was taken is hidden, so what was seen of one that may leave does not show that it was taken.
    """
    coming = [way for way in ways if not way.is_left]
    left = NOTHING.union(*(way.decided for way in ways if way.is_left))
    left = left.union(*(way.gone if is_secret else way.gone & way.decided for way in coming))
    place.gone |= left
    if not coming:
        place.is_left, place.decided = True, left
        return
    place.decided = NOTHING.union(*(way.decided & before for way in coming)) | left
    place.labels = united([way.labels for way in coming])
    first, *rest = coming
    place.aliases = {k: v for k, v in first.aliases.items() if all(way.aliases.get(k) == v for way in rest)}
    place.facts = tuple(f for f in first.facts if all(f in way.facts for way in rest))
    place.opened = frozenset.intersection(*(way.opened for way in coming))
    place.shown = frozenset.intersection(*(way.shown for way in coming))


def merged(before: FlowFacts, place: FlowFacts) -> FlowFacts:
    """Returns the facts that hold both times that play comes to a place."""
    now = place.copy()
    now.labels = united([before.labels, now.labels])
    now.decided |= before.decided
    now.facts = tuple(f for f in now.facts if f in before.facts)
    now.opened &= before.opened
    now.shown &= before.shown
    now.aliases = {k: v for k, v in now.aliases.items() if before.aliases.get(k) == v}
    return now


def know(place: FlowFacts, named: Iterable[ir.Expr]) -> None:
    """Notes that everyone has seen the values of some locals."""
    for expr in named:
        if isinstance(expr, ir.Local):
            place.labels[expr.id] = NOTHING
