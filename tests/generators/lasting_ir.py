"""A seed -> a random game in IR that seldom goes wrong, so that it lasts; `ir.random_game` mostly ends by a fault at once.

lasting_game(7)    numbers are kept in their ranges, nobody and nothing are replaced by somebody and something
wide_game(7)       the same with 63 to 300 cards: their sets take several words, and are sparse, so that going through
                   them stays cheap
"""

from __future__ import annotations

import attrs

from rulelang.ir.model import (
    Const,
    DirectedWay,
    Either,
    Expr,
    GameRules,
    Op,
    Parameter,
    Read,
    Roll,
    Source,
    ValueCase,
    Way,
)
from rulelang.ir.types import NONE, IntType, SetType
from tests.generators.ir import RandomGame, Scope

SIZES = 63, 64, 65, 66, 100, 126, 127, 128, 129, 130, 190, 192, 193, 255, 256, 257, 300
"""Numbers of cards, most of them about where one word more is taken."""
FEW = 6
RARELY = 0.02
"""The share of expressions that may go wrong."""


def within(value: Expr, low: int, high: int) -> Expr:
    """Returns a number, kept in a range."""
    return Op("max", (Const(low), Op("min", (Const(high), value))))


class LastingGame(RandomGame):
    """Builds a random game that seldom goes wrong."""

    bottom = 2
    rounds = 12
    ending = 0.01

    def _states(self) -> None:
        super()._states()
        self.other_die = self.b.die("blue", (0, 5, 6))
        if self.rng.random() < 0.3:
            # A hand holds as many as the position says.
            capacity = Op("+", (Read(self.nums[0][0], ()), Const(2)))
            self.b.zones[self.hand] = attrs.evolve(self.b.zones[self.hand], capacity=capacity)

    def _values(self) -> None:
        super()._values()
        scope, parameters = self._parameters(("player",))
        # Values are called more than once, so their results are kept while the score is computed.
        parts = [self._call(self.num_values, scope, 1) for _ in range(3)]
        total = self.num(scope, 2)
        for part in parts:
            total = Op("+", (total, self.sure(part)))
        self.score = self.b.value("score", parameters, IntType(-99, 99), ValueCase(None, within(total, -99, 99)))

    def game(self) -> GameRules:
        """Returns the game."""
        return attrs.evolve(super().game(), score=self.score)

    def drawn(self, scope: Scope) -> Expr:
        if self.rng.random() < 0.7:
            return super().drawn(scope)
        die = Either(self.flag(scope, 1), Const(self.die), Const(self.other_die))
        return Roll(die, self.num(scope, 0) if self.rng.random() < 0.4 else None)

    def num(self, scope: Scope, depth: int) -> Expr:
        return self.inside(self.some_num(scope, depth), -9, 30)

    def sure(self, found: Expr) -> Expr:
        return (
            self.there(found, self.rng.randint(0, 3)) if isinstance(found, Way | DirectedWay) else super().sure(found)
        )

    def small(self, scope: Scope, depth: int) -> Expr:
        return self.inside(super().small(scope, depth), 1, 4)

    def stack(self, scope: Scope, depth: int) -> Expr:
        return self.inside(super().small(scope, depth), 1, 2)

    def inside(self, found: Expr, low: int, high: int) -> Expr:
        """Returns a number that is not none, kept in a range where that is needed."""
        match found:
            case Const(value=value) if low <= value <= high:
                return found
            case _:
                return found if self.rng.random() < RARELY else within(self.sure(found), low, high)

    def divisor(self, scope: Scope) -> Expr:
        return Const(self.rng.choice((-7, -2, -1, 1, 2, 3, 4, 8)))

    def a_player(self, scope: Scope, depth: int) -> Expr:
        return self.there(super().a_player(scope, depth), self.rng.randint(0, 1))

    def a_card(self, scope: Scope, depth: int) -> Expr:
        return self.there(super().a_card(scope, depth), self.rng.choice(self.known_cards()[:-1]))

    def there(self, found: Expr, other: int) -> Expr:
        """Returns something, or some other thing if it is nothing."""
        match found:
            case Const(value=value) if value != NONE:
                return found
            case Const():
                return found if self.rng.random() < RARELY else Const(other)
            case _:
                is_sure = self.rng.random() >= RARELY
                return Either(Op("==", (found, Const(NONE))), Const(other), found) if is_sure else found


class WideGame(LastingGame):
    """Builds a random game of many cards."""

    def number_of_cards(self) -> int:
        return self.rng.choice(SIZES)

    def some_cards(self, size: int) -> int:
        found = 0
        for _ in range(self.rng.randint(0, FEW)):
            found |= 1 << self.rng.choice((self.rng.randrange(size), size - 1, 63, 62, 0)) % size
        return found

    def few_of(self, bits: int) -> int:
        return self.some_cards(bits.bit_length()) & bits

    def _parameter(self, scope: Scope) -> Parameter:
        """Returns a parameter; a set of cards is one of few of them, for all sets of many take too long to list."""
        found = super()._parameter(scope)
        if found.variable.type != SetType(self.card):
            return found
        return attrs.evolve(found, domain=Source(Const(self.some_cards(self.card.size))))

    def known_cards(self) -> tuple[int, ...]:
        last = self.card.size - 1
        return 0, 1, 62, min(63, last), min(64, last), last, NONE


def lasting_game(seed: int) -> GameRules:
    """Returns the random game of a seed that seldom goes wrong."""
    return LastingGame(seed).game()


def wide_game(seed: int) -> GameRules:
    """Returns the random game of many cards of a seed."""
    return WideGame(seed).game()
