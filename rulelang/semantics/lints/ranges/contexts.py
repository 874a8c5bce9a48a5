"""The facts that hold when a verb begins, merged from all its calls.

if at(n) != none: enter(n)        to enter(m): at(m) is not none
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.ir import model as ir
from rulelang.ir.walk import calls_in, read_in, rewrite, walk
from rulelang.semantics.lints.ranges.amounts import Amount
from rulelang.semantics.lints.ranges.known import KnownRanges, Writes, either

MOST_FACTS = 80
"""The most facts that a call passes on."""


@attrs.define
class Contexts:
    """Gathers the facts known at each call, callers first."""

    game: ir.GameRules
    writes: Writes
    found: dict[int, list[KnownRanges]] = attrs.field(factory=dict)
    handed: list[tuple[int, KnownRanges]] = attrs.field(factory=list)
    """The facts noted so far, each with the procedure that it is for."""
    circles: frozenset[int] = frozenset()
    calls: dict[int, set[int]] = attrs.field(init=False)
    """By procedure: the procedures that it calls."""
    parts: dict[ir.Expr, tuple[frozenset[ir.Expr], set[int]]] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.calls = {p.id: calls_in(self.game, p.body) for p in self.game.procedures}
        self.circles = frozenset(p for p in self.calls if self._comes_back(p))

    def _comes_back(self, start: int) -> bool:
        """Returns whether a procedure can reach itself."""
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
        """Notes a call with its arguments and their possible values."""
        parameters = self.game.procedures[procedure].parameters
        hooked = [hook.procedure for hook in self.game.hooks if hook.of == procedure]
        known = known.forgetting(frozenset().union(*(self.writes.memory[id] for id in hooked)), self.writes.reads)
        self.hand(procedure, self.handed_over(parameters, arguments, known))

    def hand(self, procedure: int, known: KnownRanges) -> None:
        """Notes the facts that hold when a procedure is called somewhere."""
        self.found.setdefault(procedure, []).append(known)
        self.handed.append((procedure, known))

    def at(self, procedure: int) -> KnownRanges:
        """Returns the facts that hold when a procedure begins."""
        if procedure in self.circles:
            return KnownRanges()
        return either(self.found.get(procedure, ())) or KnownRanges()

    def around(self, procedure: ir.Procedure) -> tuple[object, ...]:
        """Returns the other parts of the game that an examination of a procedure looks at: choices that it asks, their
        rules, and the heads and writes of what may run meanwhile."""
        asked: dict[int, ir.Choice] = {}
        waiting = _asks(procedure)
        while waiting:
            id = waiting.pop()
            if id not in asked:
                asked[id] = self.game.choices[id]
                waiting += _asks(asked[id])
        ids = {branch.rule for choice in asked.values() for branch in choice.branches} | {procedure.rule}
        rules = tuple(self.game.rules[id] for id in sorted(id for id in ids if id is not None))
        called = [self.game.procedures[id] for id in sorted(self.calls[procedure.id])]
        heads = tuple((one.id, one.parameters, self.writes.memory[one.id]) for one in called)
        others = [*(one.procedure for one in self.game.whenevers), *(one.procedure for one in self.game.hooks)]
        return tuple(asked.values()), rules, heads, tuple(self.writes.memory[id] for id in others)

    def callers_first(self) -> Iterator[ir.Procedure]:
        """Yields the procedures, each after all its callers."""
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
        self, parameters: tuple[ir.Variable, ...], arguments: tuple[tuple[ir.Expr, Amount], ...], known: KnownRanges
    ) -> KnownRanges:
        """Returns facts about arguments as facts about the parameters that they are passed to."""
        passed = zip(parameters, arguments, strict=True)
        names = {a: ir.Local(v.id) for v, (a, _) in passed if isinstance(a, _NAMEABLE)}
        own = {v.id for v in parameters}

        def put(node: object) -> object:
            return names.get(node, node) if isinstance(node, _NAMEABLE) else node

        facts: dict[ir.Expr, Amount] = {}
        for expr, amount in list(known.facts.items())[-MOST_FACTS:]:
            nameable, read = self._parts(expr)
            if not nameable.isdisjoint(names):
                expr = rewrite(expr, put)
                read = self._parts(expr)[1]
            if read <= own:
                facts[expr] = amount
        for variable, (_, amount) in zip(parameters, arguments, strict=True):
            local = ir.Local(variable.id)
            facts[local] = amount if local not in facts else facts[local].meet(amount)
        return KnownRanges(facts)

    def _parts(self, fact: ir.Expr) -> tuple[frozenset[ir.Expr], set[int]]:
        """Returns the parts of a fact that may be arguments, and the locals that it reads."""
        if fact not in self.parts:
            nameable = frozenset(node for node in walk(fact) if isinstance(node, _NAMEABLE))
            self.parts[fact] = nameable, read_in(fact)
        return self.parts[fact]


def _asks(part: object) -> list[int]:
    """Returns the choices that statements ask."""
    return [node.choice for node in walk(part) if isinstance(node, ir.Ask)]


_NAMEABLE = (ir.Local, ir.Read, ir.InSlot, ir.Column)
