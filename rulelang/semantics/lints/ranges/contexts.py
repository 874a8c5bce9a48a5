"""The facts that hold when a verb begins, from all the places that call it.

if at(n) != none: enter(n)        to enter(m): at(m) is not none
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.ir import model as ir
from rulelang.ir.walk import calls_in, rewrite, walk
from rulelang.semantics.lints.ranges.amounts import Amount
from rulelang.semantics.lints.ranges.known import KnownRanges, Writes, either

MOST_FACTS = 80
"""So much of what is known goes along with a call."""


@attrs.define
class Contexts:
    """Gathers what is known at each call, caller by caller."""

    game: ir.GameRules
    writes: Writes
    found: dict[int, list[KnownRanges]] = attrs.field(factory=dict)
    circles: frozenset[int] = frozenset()
    calls: dict[int, set[int]] = attrs.field(init=False)
    """By procedure: those that it calls."""

    def __attrs_post_init__(self) -> None:
        self.calls = {p.id: calls_in(self.game, p.body) for p in self.game.procedures}
        self.circles = frozenset(p for p in self.calls if self._comes_back(p))

    def _comes_back(self, start: int) -> bool:
        """Returns whether a procedure leads to itself."""
        seen: set[int] = set()
        waiting = [start]
        while waiting:
            called = self.calls[waiting.pop()]
            if start in called:
                return True
            waiting += called - seen
            seen |= called
        return False

    def note(self, procedure: int, arguments: tuple[tuple[ir.Expr, Amount], ...], known: KnownRanges) -> None:
        """Notes a call with its arguments and what they can be."""
        parameters = self.game.procedures[procedure].parameters
        hooked = [hook.procedure for hook in self.game.hooks if hook.of == procedure]
        known = known.forgetting(frozenset().union(*(self.writes.memory[id] for id in hooked)), self.writes.reads)
        self.found.setdefault(procedure, []).append(handed_over(parameters, arguments, known))

    def at(self, procedure: int) -> KnownRanges:
        """Returns the facts that hold when a procedure begins."""
        if procedure in self.circles:
            return KnownRanges()
        return either(self.found.get(procedure, ())) or KnownRanges()

    def callers_first(self) -> Iterator[ir.Procedure]:
        """Yields the procedures, each behind all that call it."""
        done: set[int] = set()
        order: list[int] = []
        for start in range(len(self.game.procedures)):
            waiting = [(start, False)]
            while waiting:
                id, finished = waiting.pop()
                if finished:
                    order.append(id)
                elif id not in done:
                    done.add(id)
                    waiting.append((id, True))
                    waiting.extend((other, False) for other in sorted(self.calls[id]) if other not in done)
        yield from (self.game.procedures[id] for id in reversed(order))


def handed_over(
    parameters: tuple[ir.Variable, ...], arguments: tuple[tuple[ir.Expr, Amount], ...], known: KnownRanges
) -> KnownRanges:
    """Returns facts about arguments as facts about the parameters that they are passed to."""
    names = {a: ir.Local(v.id) for v, (a, _) in zip(parameters, arguments, strict=True) if not isinstance(a, ir.Const)}
    own = {v.id for v in parameters}

    def put(node: object) -> object:
        return names.get(node, node) if isinstance(node, ir.Local | ir.Read | ir.InSlot | ir.Column) else node

    facts: dict[ir.Expr, Amount] = {}
    for expr, amount in list(known.facts.items())[-MOST_FACTS:]:
        named = rewrite(expr, put)
        bound = {name.id for node in walk(named) if isinstance(node, ir.Over) for name in node.names}
        if all(node.id in own | bound or node.id < 0 for node in walk(named) if isinstance(node, ir.Local)):
            facts[named] = amount
    for variable, (_, amount) in zip(parameters, arguments, strict=True):
        local = ir.Local(variable.id)
        facts[local] = amount if local not in facts else facts[local].meet(amount)
    return KnownRanges(facts)
