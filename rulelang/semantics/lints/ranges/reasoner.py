"""The shared base of the reasoning: the game, remembered answers, and the questions that its parts ask each other.

reasoner.amount(x, known)            expressions.py
reasoner.members(s, known)           sets.py
reasoner.assume(x < 4, known)        assumptions.py
reasoner.learn(x, of 0..3, known)    consequences.py
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import TypeVar

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import Type
from rulelang.ir.walk import is_larger, rewrite, walk
from rulelang.semantics.lints.ranges.amounts import ANYTHING, Amount
from rulelang.semantics.lints.ranges.known import KnownRanges
from rulelang.semantics.lints.ranges.memory import AnswerMemory, Remembered

T = TypeVar("T")

DEEP = 4
"""The depth of nested calls of values that are examined."""
ENOUGH = 12000
"""The fuel for one line of the rules: the number of expressions examined before values count as their types say."""
LARGE = 600
"""The most nodes of a value that is examined."""
SETS = frozenset({"union", "minus", "inter", "single", "range"})
OFF_EDGE = Amount(1, 2**31 - 1)
SOMETHING = ANYTHING.without_none()


@attrs.define
class Reasoner(ABC):
    """Reasons about the expressions of one game."""

    game: ir.GameRules
    memory: AnswerMemory
    types: dict[int, Type] = attrs.field(init=False)
    """The types of locals, by id."""
    rolling: frozenset[tuple[int, int]] = attrs.field(init=False)
    """The columns with cells that throw dice, so that each read may give another value."""
    steps: frozenset[int] = frozenset()
    """The tables of the next space in a direction."""
    declared: frozenset[int] = frozenset()
    """The values with a declared type: one of type `T?` is meant to be none at times."""
    columns: dict[tuple[int, tuple[Amount, ...]], Amount] = attrs.field(factory=dict)
    rows: dict[tuple[int, tuple[Amount, ...]], frozenset[int]] = attrs.field(factory=dict)
    random: dict[ir.Expr, bool] = attrs.field(factory=dict)
    fuel: int = 0
    """The number of expressions that may still be examined before values are no longer examined."""
    deep: int = 0
    """The number of nested values that may still be examined for an amount."""
    opened: dict[tuple[int, tuple[ir.Expr, ...]], ir.Value] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.types = self.memory.types
        self.rolling = frozenset(
            (data.id, number)
            for data in self.game.data
            for number, column in enumerate(data.columns)
            if any(isinstance(n, ir.Draw) for n in walk(column))
        )

    # -------------------------------------------------------------- the questions

    @abstractmethod
    def amount(self, e: ir.Expr, known: KnownRanges) -> Amount:
        """Returns the possible values of an expression; any number for a set."""

    @abstractmethod
    def worked_out(self, value: ir.Value, known: KnownRanges) -> Amount:
        """Returns the possible results of a value's cases and adjustments."""

    @abstractmethod
    def printed(self, data: ir.DataTable, column: ir.DataColumn, known: KnownRanges) -> Amount:
        """Returns the numbers in the cells of a column, in the rows whose keys agree with what is known of them."""

    @abstractmethod
    def adjusted(self, found: Amount, adjustments: tuple[ir.Adjustment, ...], known: KnownRanges) -> Amount:
        """Returns the possible results of adjusting a number."""

    @abstractmethod
    def members(self, e: ir.Expr, known: KnownRanges) -> Amount:
        """Returns the possible members of a set, as bits."""

    @abstractmethod
    def is_set(self, e: ir.Expr) -> bool:
        """Returns whether an expression is a set."""

    @abstractmethod
    def is_some(self, e: ir.Expr, known: KnownRanges) -> bool:
        """Returns whether a set is certain to have members."""

    @abstractmethod
    def going_over(self, source: ir.Source, known: KnownRanges) -> Amount:
        """Returns the possible members of a source, as bits."""

    @abstractmethod
    def is_some_source(self, source: ir.Source, known: KnownRanges) -> bool:
        """Returns whether a source is certain to have members."""

    @abstractmethod
    def is_one_to_go_over(self, e: ir.Over, known: KnownRanges) -> bool:
        """Returns whether a comprehension is certain to have a member that passes."""

    @abstractmethod
    def entering(
        self,
        names: tuple[ir.Variable, ...],
        sources: tuple[ir.Source, ...],
        condition: ir.Expr | None,
        known: KnownRanges,
    ) -> KnownRanges | None:
        """Returns the facts about the names of a loop whose condition holds; None if it never has a round."""

    @abstractmethod
    def assume(self, e: ir.Expr, known: KnownRanges, *, holds: bool = True, deep: int = DEEP) -> KnownRanges | None:
        """Returns the facts known if a condition holds, or fails; None if that is impossible."""

    @abstractmethod
    def belongs(self, x: ir.Expr, s: ir.Expr, known: KnownRanges, deep: int) -> KnownRanges | None:
        """Returns the facts known if something is a member of a set; None if that is impossible."""

    @abstractmethod
    def has_row(self, data: int, arguments: tuple[ir.Expr, ...], known: KnownRanges) -> KnownRanges | None:
        """Returns the facts known if data has a row for some keys; None if that is impossible."""

    @abstractmethod
    def learn(self, e: ir.Expr, to: Amount, known: KnownRanges) -> KnownRanges | None:
        """Returns the facts known if an expression is also within an amount; None if that is impossible."""

    # -------------------------------------------------------------- what was asked before

    def once(
        self,
        question: tuple[object, ...],
        read: Iterable[ir.Expr | None],
        known: KnownRanges,
        answer: Callable[[KnownRanges], T],
    ) -> T:
        """Returns an answer, from memory if the question was asked before under the same relevant facts.

        A remembered answer takes as much fuel as it took at first, so that answers do not depend on earlier questions.
        """
        memory, parts = self.memory, self.memory.read(read)
        key = (question, self.deep, memory.relevant(parts, known))
        remembered = memory.answers.get(key)
        if remembered is None or remembered.fuel > self.fuel:
            # An answer for which the fuel ran out is valid only for the same amount of fuel.
            remembered = memory.answers.get((key, self.fuel))
        if remembered is not None:
            self.fuel -= remembered.fuel
            found: T = remembered.answer
            return found
        before = self.fuel
        found = answer(known)
        memory.worked_out += 1
        memory.answers[key if self.fuel >= 0 else (key, before)] = Remembered(found, before - self.fuel, parts)
        return found

    def once_learned(
        self,
        question: tuple[object, ...],
        read: Iterable[ir.Expr | None],
        known: KnownRanges,
        answer: Callable[[KnownRanges], KnownRanges | None],
    ) -> KnownRanges | None:
        """Returns the facts known after a question, as `once` finds them; the additions are remembered."""
        more = self.once(question, read, known, lambda before: _added(before, answer(before)))
        if more is None:
            return None
        return KnownRanges({**known.facts, **more}) if more else known

    # -------------------------------------------------------------- what expressions are

    def open(self, e: ir.CallValue) -> ir.Value | None:
        """Returns a value with the arguments of a call in place
        of its parameters; None if that is too large or recursive.
        """
        if self.fuel < 0:
            return None
        key = e.value, e.arguments
        if key not in self.opened:
            value = self.game.values[e.value]
            given = {v.id: a for v, a in zip(value.parameters, e.arguments, strict=True)}

            def put(node: object) -> object:
                return given.get(node.id, node) if isinstance(node, ir.Local) else node

            parts = (value.cases, value.adjustments)
            large = value.deep is not None or is_larger(parts, LARGE) or is_larger(e.arguments, LARGE // 4)
            if large:
                return None
            cases, adjustments = rewrite(parts, put)
            self.opened[key] = attrs.evolve(value, cases=cases, adjustments=adjustments)
        return self.opened[key]

    def is_random(self, e: ir.Expr) -> bool:
        """Returns whether an expression draws on chance, so that each evaluation may differ."""
        found = self.random.get(e)
        if found is None:
            found = self.random[e] = any(self._throws(node) for node in walk(e))
        return found

    def _throws(self, node: object) -> bool:
        if isinstance(node, ir.Cell):
            return (node.data, node.column) in self.rolling
        return isinstance(node, ir.Draw)


def _added(before: KnownRanges, after: KnownRanges | None) -> dict[ir.Expr, Amount] | None:
    """Returns the facts that are new or have changed; None if `after` is None."""
    if after is None or after is before:
        return None if after is None else {}
    had = before.facts
    return {e: now for e, now in after.facts.items() if (old := had.get(e)) is not now and old != now}


def somebody(e: ir.Over, test: ir.Expr | None) -> ir.Expr:
    """Returns the same expression for all comprehensions with equal sources and conditions, whatever their names."""
    ids = {name.id: -1 - i for i, name in enumerate(e.names)}

    def put(node: object) -> object:
        return ir.Local(ids[node.id]) if isinstance(node, ir.Local) and node.id in ids else node

    sources, condition = rewrite((e.sources, test), put)
    return ir.Over("any", (), sources, None, condition)


def renamed(e: ir.Expr, id: int, to: ir.Expr) -> ir.Expr:
    """Returns an expression with another in place of a local."""
    changed: ir.Expr = rewrite(e, lambda node: to if node == ir.Local(id) else node)
    return changed
