"""What was reasoned already: an answer serves wherever the same is known of what the question reads.

p.gold > 0, where n is 2 and p.gold is 1..9     asked again where n is 3: the first answer serves, for n is not read
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from rulelang.ir import model as ir
from rulelang.ir.walk import walk
from rulelang.semantics.lints.ranges.amounts import Amount
from rulelang.semantics.lints.ranges.known import Known

Facts = tuple[tuple[ir.Expr, Amount], ...]


@attrs.define
class Memory:
    """Answers by question and by the facts that the question may look at.

    A fact about an expression is looked at only where that very expression is met, so it cannot matter unless all that it reads is
    read by the question, through the values that it calls.
    """

    game: ir.Game
    answers: dict[tuple[object, ...], tuple[Any, int]] = attrs.field(factory=dict)
    """Each with the fuel that it takes."""
    bits: dict[tuple[str, int], int] = attrs.field(factory=dict)
    """What can be read, one bit each: locals, states, values, data."""
    own: dict[ir.Expr, int] = attrs.field(factory=dict)
    """What an expression itself reads."""
    whole: dict[ir.Expr, int] = attrs.field(factory=dict)
    """What it reads, with the values that it calls."""
    called: dict[int, int] = attrs.field(factory=dict)
    """What each value reads, with those that it calls."""

    def relevant(self, parts: Iterable[ir.Expr | None], known: Known) -> Facts:
        """Returns the facts that may matter to a question about some expressions."""
        if not known.facts:
            return ()
        read = 0
        for part in parts:
            if part is not None:
                read |= self.whole.get(part) or self._whole(part)
        if known.read is None:
            known.read = [(self._own(fact[0]), fact) for fact in known.facts.items()]
        return tuple([fact for own, fact in known.read if own | read == read])

    def _own(self, e: ir.Expr) -> int:
        found = self.own.get(e)
        if found is None:
            found = self.own[e] = self._direct(e)[0]
        return found

    def _whole(self, e: ir.Expr) -> int:
        found, values = self._direct(e)
        for value in values:
            found |= self._called(value)
        self.whole[e] = found
        return found

    def _called(self, value: int) -> int:
        """Returns what a value reads, through all values within reach of it."""
        if value not in self.called:
            found, waiting, seen = 0, [value], {value}
            while waiting:
                direct, values = self._direct(self.game.values[waiting.pop()])
                found |= direct
                waiting += values - seen
                seen |= values
            self.called[value] = found
        return self.called[value]

    def _direct(self, part: object) -> tuple[int, set[int]]:
        """Returns what a node reads by itself, and the values that it calls."""
        found, values = 0, set()
        for node in walk(part):
            kind = type(node)
            if kind is ir.Local and node.id >= 0:
                found |= self._bit("local", node.id)
            elif kind is ir.Read:
                found |= self._bit("state", node.state)
            elif kind is ir.CallValue:
                found |= self._bit("value", node.value)
                values.add(node.value)
            elif kind is ir.Cell or kind is ir.HasRow:
                found |= self._bit("data", node.data)
        return found, values

    def _bit(self, what: str, id: int) -> int:
        return self.bits.setdefault((what, id), 1 << len(self.bits))
