"""Facts known at one place of the rules, and how they merge where branches meet.

if q.hand == {}: …      inside: anyone who sees that play is here may know that
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from rulelang.ir import model as ir
from rulelang.ir.flow.secret import NOTHING, Label, Secret

Opened = frozenset[tuple[int, tuple[ir.Expr, ...] | None]]
"""Zones whose things lie face up, each with its index, or None for all of it."""


@attrs.define
class FlowFacts:
    """The facts known at one place of the rules."""

    labels: dict[int, Label] = attrs.field(factory=dict)
    """By local: what it depends on."""
    aliases: dict[int, ir.Expr] = attrs.field(factory=dict)
    """By local that is another, or a constant: that."""
    decided: Label = NOTHING
    """What decides that the game comes here, and nobody has been shown since."""
    facts: tuple[ir.Expr, ...] = ()
    """The conditions that hold."""
    opened: Opened = frozenset()
    is_left: bool = False
    """The game never comes here."""

    def is_opened(self, secret: Secret) -> bool:
        """Returns whether the contents of a zone lie face up here."""
        return any(zone == secret.zone and index in (None, secret.index) for zone, index in self.opened)

    def copy(self) -> FlowFacts:
        """Returns a copy for a branch."""
        return attrs.evolve(self, labels=dict(self.labels), aliases=dict(self.aliases))


def united(several: Sequence[Mapping[int, Label]]) -> dict[int, Label]:
    """Returns the secrets of each local after any of several branches."""
    found: dict[int, Label] = {}
    for labels in several:
        for id, label in labels.items():
            found[id] = found.get(id, NOTHING) | label
    return found


def know(place: FlowFacts, named: Iterable[ir.Expr]) -> None:
    """Notes that everyone has seen what some locals stand for."""
    for expr in named:
        if isinstance(expr, ir.Local):
            place.labels[expr.id] = NOTHING
