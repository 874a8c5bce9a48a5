"""A seed -> a random game in IR whose values call each other in a circle, some of them by way of a table.

circular_game(7)   a value goes up to four deep, so that many a call goes too deep
"""

from __future__ import annotations

import attrs

from rulelang.ir.model import CallValue, Cell, Const, Expr, GameRules, Local, Op, ValueCase
from rulelang.ir.types import IntType
from tests.generators.ir import RandomGame


class CircularGame(RandomGame):
    """Builds a random game with two or three values that call each other."""

    circle: range

    def _recursive(self) -> None:
        first = len(self.b.values)
        self.circle = range(first, first + self.rng.randint(2, 3))
        for id in self.circle:
            scope, parameters = self._parameters(("small",))
            own = Local(parameters[0].id)
            more = self.rng.choice((self.num(scope, 1), self.onwards(own)))
            cases = (
                ValueCase(Op("<=", (own, Const(self.bottom))), self.num(scope, 1)),
                ValueCase(None, Op("+", (self.onwards(own), more))),
            )
            self.b.value(f"circle{id}", parameters, IntType(-99, 99), *cases, deep=self.rng.randint(0, 4))
        self.num_values += [(id, ("small",)) for id in self.circle]

    def onwards(self, own: Expr) -> Expr:
        """Returns a call of one of the values, for a number that is mostly smaller, or a cell that may make one."""
        return Cell(0, 1, (self.less(own), Const(0))) if self.rng.random() < 0.3 else self.called(own)

    def called(self, own: Expr) -> Expr:
        """Returns a call of one of the values."""
        return CallValue(self.rng.choice(self.circle), (self.less(own),))

    def less(self, own: Expr) -> Expr:
        """Returns a number that is mostly smaller."""
        return Op("-", (own, Const(self.rng.choice((0, 0, 1, 1)))))

    def _table(self) -> None:
        super()._table()
        table = self.data[0]
        cost, gain = table.columns
        own = Local(table.parameters[0].id)
        cells = tuple(self.called(own) if self.rng.random() < 0.5 else cell for cell in gain.cells)
        gain = attrs.evolve(gain, type=IntType(-99, 99), cells=cells)
        self.data[0] = attrs.evolve(table, columns=(cost, gain))


def circular_game(seed: int) -> GameRules:
    """Returns the random game with a circle of values of a seed."""
    return CircularGame(seed).game()
