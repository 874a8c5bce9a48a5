"""Statistics of many games: rates with confidence intervals, and distributions."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

import attrs

CERTAINTY = 1.96
"""Standard deviations on either side: 95 in 100 such intervals hold the true rate."""


@attrs.frozen
class Rate:
    """A rate of occurrence; a shared win counts as its share.

    The interval is Wilson's, for the effective number of independent trials (Korn and Graubard 1998).

    >>> round(Rate(8, 10).low, 2), round(Rate(8, 10).high, 2)
    (0.49, 0.94)
    """

    wins: float
    games: int
    worth: float | None = None
    """How many independent trials say as much; None: each game is one."""

    @classmethod
    def of_blocks(cls, blocks: Iterable[tuple[float, int]]) -> Rate:
        """Returns the rate of games correlated in blocks, given as pairs of wins and games.

        Blocks are independent; the games within one are not. `worth` is the number of games divided by the design
        effect (Kish 1965): the variance between blocks against that of independent games. It is at most the number of
        games.

        >>> apart = Rate.of_blocks([(1, 1), (0, 1), (1, 1), (0, 1)] * 25)
        >>> alike = Rate.of_blocks([(2, 2), (0, 2), (2, 2), (0, 2)] * 25)
        >>> apart.worth, round(alike.worth)
        (99.0, 99)
        """
        counted = list(blocks)
        won, games = sum(w for w, _ in counted), sum(n for _, n in counted)
        if not games:
            return cls(0.0, 0)
        rate, several = won / games, len(counted)
        if several == 1 or rate in (0, 1):
            # Blocks that all came out alike say nothing of how games hang together: each counts once.
            return cls(won, games, float(several))
        spread = sum((w - rate * n) ** 2 for w, n in counted) * several / (several - 1)
        alone = rate * (1 - rate) * games
        return cls(won, games, min(games * alone / spread, float(games)) if spread else float(games))

    @property
    def rate(self) -> float:
        """The rate, from 0 to 1; 0 without games."""
        return self.wins / self.games if self.games else 0.0

    @property
    def low(self) -> float:
        """The lower end of Wilson's interval."""
        return self._interval()[0]

    @property
    def high(self) -> float:
        """The upper end of Wilson's interval."""
        return self._interval()[1]

    def _interval(self) -> tuple[float, float]:
        if not self.games:
            return 0.0, 1.0
        n, square = self.games if self.worth is None else self.worth, CERTAINTY**2
        middle = (self.rate + square / (2 * n)) / (1 + square / n)
        half = CERTAINTY / (1 + square / n) * sqrt(self.rate * (1 - self.rate) / n + square / (4 * n * n))
        return max(middle - half, 0.0), min(middle + half, 1.0)


@attrs.frozen
class Spread:
    """The distribution of some numbers, kept in ascending order.

    >>> spread = Spread.of([5, 1, 3, 2, 4])
    >>> spread.lowest, spread.quantile(0.5), spread.highest, spread.mean
    (1, 3, 5, 3.0)
    """

    values: tuple[int, ...]

    @classmethod
    def of(cls, values: Iterable[int]) -> Spread:
        """Returns the distribution of numbers; there must be at least one."""
        return cls(tuple(sorted(values)))

    @property
    def lowest(self) -> int:
        return self.values[0]

    @property
    def highest(self) -> int:
        return self.values[-1]

    @property
    def mean(self) -> float:
        return sum(self.values) / len(self.values)

    def quantile(self, part: float) -> int:
        """Returns the quantile for a fraction from 0 to 1."""
        return self.values[min(int(part * len(self.values)), len(self.values) - 1)]
