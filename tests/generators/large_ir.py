"""A seed -> a random game in IR that computes with the largest numbers there are, and with larger ones on the way.

large_game(7)      compares, adds up, orders and keeps numbers about -2147483648, the form in which none is kept
"""

from __future__ import annotations

import attrs

from rulelang.ir.model import (
    Adjustment,
    Assign,
    AssignOperator,
    CallValue,
    Comparison,
    Comprehension,
    Const,
    Either,
    Expr,
    GameRules,
    Op,
    Order,
    Over,
    Place,
    Read,
    Statement,
    ValueCase,
)
from rulelang.ir.types import LARGEST, NONE, IntType
from tests.generators.ir import SEATS, Scope
from tests.generators.lasting_ir import LastingGame, within

NUMBERS = 1, 2, 3, 1 << 15, 46_341, 1 << 30, (1 << 30) + 1, LARGEST - 1, LARGEST, LARGEST
"""Numbers that lead out of 32, 53, 61 and 64 bits when they are added or multiplied."""


class LargeGame(LastingGame):
    """Builds a random game of large numbers, and of up to nine seats, whose ranking takes several words."""

    most_seats = len(SEATS)

    def _states(self) -> None:
        super()._states()
        b, whole = self.b, IntType(-LARGEST, LARGEST)
        self.sums = [
            (b.state("credit", whole, initial=Const(LARGEST)), ()),
            (b.state("debt", whole, initial=Const(-LARGEST)), ()),
            (b.state("perhaps", IntType(-LARGEST, LARGEST, optional=True)), ()),
            (b.of_player("worth", whole, Const(self.number())), ("player",)),
        ]

    def _values(self) -> None:
        self.worths: list[tuple[int, tuple[str, ...]]] = []
        for name, is_sure in (("assets", True), ("rest", False)):
            scope, parameters = self._parameters(("player",))
            cases = [ValueCase(self.flag(scope, 1), self.kept(scope, 2))]
            cases += [ValueCase(None, self.kept(scope, 2))] if is_sure else []
            type = IntType(-LARGEST, LARGEST, optional=not is_sure)
            value = self.b.value(name, parameters, type, *cases)
            amounts = (Const(self.number()), self.kept(scope, 1))
            changes = tuple(
                Adjustment(what, self.rng.choice(amounts), None)
                for what in self.rng.choices(("+", "+", "times", "set", "least", "most"), k=self.rng.randint(0, 2))
            )
            self.b.values[value] = attrs.evolve(self.b.values[value], adjustments=changes)
            self.worths.append((value, ("player",)))
        super()._values()

    def number(self) -> int:
        """Returns a large number, or its opposite."""
        return self.rng.choice((1, -1)) * self.rng.choice(NUMBERS)

    def large(self, scope: Scope, depth: int) -> Expr:
        """Returns a number that may take more than 32 bits."""
        if depth <= 0:
            return self.pick_one(
                lambda: Const(self.number()),
                lambda: self.some_sum(scope),
                lambda: Op("-", (Const(-LARGEST), Const(1))),
            )
        less = depth - 1
        return self.pick_one(
            lambda: self.large(scope, 0),
            lambda: self.some_sum(scope),
            lambda: Op(self.rng.choice(("+", "-", "*")), (self.large(scope, less), self.large(scope, less))),
            lambda: Op(self.rng.choice(("+", "-", "*")), (self.large(scope, less), self.num(scope, less))),
            lambda: Op(self.rng.choice(("min", "max")), (self.large(scope, less), self.large(scope, less))),
            lambda: Op(self.rng.choice(("neg", "abs")), (self.large(scope, less),)),
            lambda: Op(
                self.rng.choice(("mod", "floordiv", "ceildiv")),
                (self.large(scope, less), self.rng.choice((self.large(scope, 0), self.divisor(scope)))),
            ),
            lambda: Either(self.flag(scope, less), self.large(scope, less), self.large(scope, less)),
            lambda: self.over(scope, less, self.rng.choice(("sum", "min", "max"))),
            lambda: CallValue(self.rng.choice(self.worths)[0], (self.a_player(scope, 0),)) if self.worths else Const(1),
        )

    def some_sum(self, scope: Scope) -> Expr:
        """Returns what a variable holds: any number, or none."""
        found = Read(*self._place(self.sums, scope, 0, sure=True))
        return found if self.rng.random() < 0.2 else self.there(found, self.number())

    def kept(self, scope: Scope, depth: int) -> Expr:
        """Returns a number, mostly of 32 bits."""
        found = self.large(scope, depth)
        return found if self.rng.random() < 0.2 else within(found, -LARGEST, LARGEST)

    def inside(self, found: Expr, low: int, high: int) -> Expr:
        return found if self.rng.random() < 0.05 else super().inside(found, low, high)

    def some_num(self, scope: Scope, depth: int) -> Expr:
        return self.large(scope, depth) if self.rng.random() < 0.3 else super().some_num(scope, depth)

    def over(self, scope: Scope, depth: int, what: Comprehension) -> Over:
        found = super().over(scope, depth, what)
        if what not in ("sum", "min", "max") or found.value is None or self.rng.random() < 0.3:
            return found
        value = Op(self.rng.choice(("+", "*", "-")), (found.value, Const(self.number())))
        return attrs.evolve(found, value=value)

    def flag(self, scope: Scope, depth: int) -> Expr:
        if depth <= 0 or self.rng.random() < 0.7:
            return super().flag(scope, depth)
        compare: Comparison = self.rng.choice(("<", "<=", ">", ">=", "==", "!="))
        other = Const(NONE) if self.rng.random() < 0.2 else self.large(scope, depth - 1)
        return Op(compare, (self.large(scope, depth - 1), other))

    def keys(self, scope: Scope) -> tuple[Order, ...]:
        found = super().keys(scope)
        return (Order(self.rng.random() < 0.5, self.large(scope, 1)), *found) if self.rng.random() < 0.5 else found

    def assign(self, scope: Scope) -> Statement:
        if self.rng.random() < 0.6:
            return super().assign(scope)
        state, index, _ = self._place(self.sums, scope, 1, sure=True)
        is_sure = not self.b.states[state].type.optional
        operator: AssignOperator = self.rng.choice(("=", "+", "+")) if is_sure else "="
        least, most = (Const(end) if self.rng.random() < 0.9 else None for end in (-LARGEST, LARGEST))
        return Assign(Place(state, index), operator, self.large(scope, 2), least, most)


def large_game(seed: int) -> GameRules:
    """Returns the random game of large numbers of a seed."""
    return LargeGame(seed).game()
