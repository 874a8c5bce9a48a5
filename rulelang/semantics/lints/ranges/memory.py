"""Remembers conclusions: an answer is valid wherever the facts that the question reads are the same.

p.gold > 0, where n is 2 and p.gold is 1..9     asked again where n is 3: the answer is reused, since it does not read n
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import Type
from rulelang.ir.walk import walk
from rulelang.semantics.lints.ranges.amounts import Amount
from rulelang.semantics.lints.ranges.known import KnownRanges

KnownFacts = tuple[tuple[ir.Expr, Amount], ...]
FactKey = tuple[str, int]
"""What can be read: "local", "state", "value", "data" or "table", and an id."""
MOST_ANSWERS = 40_000
"""The number of answers beyond which the next check starts with an empty memory."""


@attrs.frozen
class Remembered:
    """An answer, the fuel that it took, and the parts that it depends on, as bits."""

    answer: Any
    fuel: int
    read: int


@attrs.define
class AnswerMemory:
    """Answers by question and by the facts that may matter to it.

    A fact about an expression is used only where the same expression occurs, so it cannot matter unless the question
    reads everything that the fact reads, directly or through the values that it calls.
    """

    game: ir.GameRules
    types: dict[int, Type] = attrs.field(factory=dict)
    """The types of locals, by id."""
    ground: tuple[object, ...] = ()
    """The data on which every answer may depend."""
    parts: dict[FactKey, object] = attrs.field(factory=dict)
    """By part: the data on which answers that read it depend."""
    answers: dict[tuple[object, ...], Remembered] = attrs.field(factory=dict)
    worked_out: int = 0
    """The number of answers computed in this check rather than remembered."""
    bits: dict[FactKey, int] = attrs.field(factory=dict)
    """The bit of each part."""
    own: dict[ir.Expr, int] = attrs.field(factory=dict)
    """By expression: the parts that it reads itself, as bits."""
    whole: dict[ir.Expr, int] = attrs.field(factory=dict)
    """By expression: the parts that it reads, directly or through values, as bits."""
    changed: int = 0
    """The parts that are others than in the memory before, as bits."""
    called: dict[int, int] = attrs.field(factory=dict)
    """By value: the parts that it reads, directly or through other values, as bits."""

    @classmethod
    def of(
        cls,
        game: ir.GameRules,
        types: dict[int, Type],
        steps: frozenset[int],
        declared: frozenset[int],
        before: AnswerMemory | None = None,
    ) -> AnswerMemory:
        """Returns a memory for a game and the types of its locals, with those answers of an earlier memory that depend on
        nothing that has changed."""
        memory = cls(game, types, _ground(game, steps), _parts(game, types, declared))
        if before is None or before.ground != memory.ground or len(before.answers) > MOST_ANSWERS:
            return memory
        changed = 0
        for part, bit in before.bits.items():
            if memory.parts.get(part) != before.parts.get(part):
                changed |= bit
        memory.bits, memory.own, memory.changed = before.bits, before.own, changed
        memory.answers, memory.whole = before.answers, before.whole
        if changed:
            memory.answers = {key: one for key, one in before.answers.items() if not one.read & changed}
            memory.whole = {e: read for e, read in before.whole.items() if not read & changed}
        return memory

    def reading(self, *parts: object) -> int:
        """Returns the parts that nodes of a game read, directly or through values, as bits."""
        found, values = self._direct(parts)
        for value in values:
            found |= self._called(value)
        return found

    def read(self, parts: Iterable[ir.Expr | None]) -> int:
        """Returns the parts that expressions read, directly or through values, as bits."""
        read = 0
        for part in parts:
            if part is not None:
                read |= self.whole.get(part) or self._whole(part)
        return read

    def relevant(self, read: int, known: KnownRanges) -> KnownFacts:
        """Returns the facts that may matter to a question that reads these parts."""
        if not known.facts:
            return ()
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
        """Returns the parts that a value reads, directly or through other values, as bits."""
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
        """Returns the parts that a node reads itself, as bits, and the values that it calls."""
        found, values = 0, set()
        for node in walk(part):
            kind = type(node)
            if kind is ir.Local and node.id >= 0:
                found |= self._bit("local", node.id)
            elif kind is ir.Read or kind is ir.Place:
                found |= self._bit("state", node.state)
            elif kind is ir.CallValue:
                found |= self._bit("value", node.value)
                values.add(node.value)
            elif kind is ir.Cell or kind is ir.HasRow:
                found |= self._bit("data", node.data)
            elif kind is ir.Column:
                found |= self._bit("table", node.table)
        return found, values

    def _bit(self, what: str, id: int) -> int:
        return self.bits.setdefault((what, id), 1 << len(self.bits))


# ------------------------------------------------------------------ what answers hang on


def _ground(game: ir.GameRules, steps: frozenset[int]) -> tuple[object, ...]:
    kinds = tuple((kind.name, kind.size) for kind in game.kinds)
    zones = tuple(zone.kind for zone in game.zones)
    seats = (game.players, game.players_left, game.all_players)
    return (kinds, zones, game.dice, seats, steps)


def _parts(game: ir.GameRules, types: dict[int, Type], declared: frozenset[int]) -> dict[FactKey, object]:
    found: dict[FactKey, object] = {("state", state.id): state.type for state in game.states}
    found |= {("local", id): type for id, type in types.items()}
    found |= {("table", table.id): (table.dimensions, table.type, table.values) for table in game.tables}
    for value in game.values:
        cases = tuple((case.condition, case.value) for case in value.cases)
        head = (value.parameters, value.type, value.deep, value.id in declared)
        found["value", value.id] = (head, cases, _adjusted(value.adjustments))
    for data in game.data:
        columns = tuple((column.type, column.cells, _adjusted(column.adjustments)) for column in data.columns)
        found["data", data.id] = (data.parameters, data.keys, data.rows, columns)
    return found


def _adjusted(adjustments: tuple[ir.Adjustment, ...]) -> tuple[object, ...]:
    return tuple((one.what, one.amount, one.condition) for one in adjustments)
