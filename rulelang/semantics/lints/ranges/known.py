"""The ranges known for expressions at one place in the rules, and the effect of statements on them.

if x < 4: …      inside: Read(x) is at most 3, until x is written to
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from rulelang.ir import model as ir
from rulelang.ir.model.traits import MOVED, SHOWN, writes
from rulelang.ir.walk import statements_in, walk
from rulelang.semantics.lints.ranges.amounts import Amount

EVERYWHERE = -1
"""Stands, among written states, for the contents of zones."""


@attrs.define(eq=False)
class KnownRanges:
    """The ranges of expressions that are narrower than their types."""

    facts: dict[ir.Expr, Amount] = attrs.field(factory=dict)

    read: list[tuple[int, tuple[ir.Expr, Amount]]] | None = attrs.field(default=None, init=False, repr=False)
    """Each fact with the bits of what it reads; computed by `memory` when first needed."""

    def knowing(self, expr: ir.Expr, amount: Amount) -> KnownRanges:
        return KnownRanges({**self.facts, expr: amount})

    def forgetting(self, written: frozenset[int], reads: Reads) -> KnownRanges:
        """Returns the ranges still known after writes to some states."""
        if not written or not self.facts:
            return self
        kept = {expr: amount for expr, amount in self.facts.items() if not reads.of(expr) & written}
        return self if len(kept) == len(self.facts) else KnownRanges(kept)


def either(ways: Iterable[KnownRanges | None]) -> KnownRanges | None:
    """Returns the ranges known where several branches meet; None if none of them is reachable."""
    known = [way for way in ways if way is not None]
    if not known:
        return None
    first, *others = known
    if not others:
        return first
    facts = {}
    for expr, amount in first.facts.items():
        for other in others:
            found = other.facts.get(expr)
            if found is None:
                break
            if found is not amount and found != amount:
                amount = amount.hull(found)
        else:
            facts[expr] = amount
    return KnownRanges(facts)


@attrs.define
class Reads:
    """The states that an expression reads, through the values and cells that it calls."""

    game: ir.GameRules
    memory: dict[object, frozenset[int]] = attrs.field(factory=dict)

    def of(self, expr: ir.Expr) -> frozenset[int]:
        if expr not in self.memory:
            self.memory[expr] = self._within(expr)
        return self.memory[expr]

    def _within(self, parts: object) -> frozenset[int]:
        found: set[int] = set()
        for node in walk(parts):
            match node:
                case ir.Read(state=state):
                    found.add(state)
                case ir.CallValue(value=value):
                    found |= self._declared(("value", value), self.game.values[value])
                case ir.Cell(data=data, column=column):
                    found |= self._declared(("data", data, column), self.game.data[data].columns[column])
                case (
                    ir.Contents()
                    | ir.InSlot()
                    | ir.TopOf()
                    | ir.PlaceOf()
                    | ir.OwnerOf()
                    | ir.FaceUp()
                    | ir.Occurrences()
                    | ir.Foreseen()
                ):
                    found.add(EVERYWHERE)
                case _:  # no other node reads by itself
                    pass
        return frozenset(found)

    def _declared(self, key: tuple[object, ...], declared: object) -> frozenset[int]:
        if key not in self.memory:
            # A recursive call reads no more than the rest of the body.
            self.memory[key] = frozenset()
            self.memory[key] = self._within(declared)
        return self.memory[key]


@attrs.define
class Writes:
    """The states that statements may write, through the verbs they call and the choices they ask."""

    game: ir.GameRules
    reads: Reads
    memory: dict[int, frozenset[int]] = attrs.field(init=False)
    """By procedure: the states that it may write."""

    def __attrs_post_init__(self) -> None:
        direct = {p.id: self._direct(p.body) for p in self.game.procedures}
        hooks: dict[int, set[int]] = {}
        for hook in self.game.hooks:
            hooks.setdefault(hook.of, set()).add(hook.procedure)
        self.memory = {id: written for id, (written, _) in direct.items()}
        standing = {w.procedure for w in self.game.whenevers}
        begun = {
            id: called | hooks.get(id, set()) | (standing if self._settles(id) else set())
            for id, (_, called) in direct.items()
        }
        grows = True
        while grows:
            grows = False
            for id, others in begun.items():
                more = self.memory[id].union(*(self.memory[other] for other in others))
                grows = grows or more != self.memory[id]
                self.memory[id] = more

    def of(self, *parts: object) -> frozenset[int]:
        """Returns the states that statements may write."""
        written, called = self._direct(parts)
        written = written.union(*(self.memory[id] for id in called))
        if any(isinstance(node, ir.Settle | ir.Ask) for node in walk(parts)):
            written = written.union(*(self.memory[w.procedure] for w in self.game.whenevers))
        return written

    def _settles(self, id: int) -> bool:
        procedure = self.game.procedures[id]
        return procedure.phase or any(isinstance(node, ir.Settle | ir.Ask) for node in walk(procedure.body))

    def _direct(self, parts: object) -> tuple[frozenset[int], set[int]]:
        written, called, asked = set[int](), set[int](), set[int]()
        waiting = [parts]
        while waiting:
            for statement in statements_in(waiting.pop()):
                written |= {EVERYWHERE if id in (MOVED, SHOWN) else id for id in writes(self.game, statement)}
                match statement:
                    case ir.Call(procedure=id) | ir.Defer(procedure=id):
                        called.add(id)
                    case ir.Ask(choice=choice) if choice not in asked:
                        asked.add(choice)
                        written |= {self.game.depth, *(clock.state for clock in self.game.clocks)}
                        waiting.append(self.game.choices[choice])
                    case _:  # no other statement calls or asks
                        pass
        return frozenset(written), called
