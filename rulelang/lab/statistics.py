"""Many games -> how often something happened and how sure that is; how long they took."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

import attrs

CERTAINTY = 1.96
"""Standard deviations on either side: 95 in 100 such intervals hold the true rate."""


@attrs.frozen
class Rate:
    """How often something happened; a shared win counts as its part.

    >>> Rate(8, 10)
    Rate(wins=8, games=10)
    >>> round(Rate(8, 10).low, 2), round(Rate(8, 10).high, 2)
    (0.49, 0.94)
    """

    wins: float
    games: int

    @property
    def rate(self) -> float:
        """How often, from 0 to 1; 0 of no games."""
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
        n, square = self.games, CERTAINTY**2
        middle = (self.rate + square / (2 * n)) / (1 + square / n)
        half = CERTAINTY / (1 + square / n) * sqrt(self.rate * (1 - self.rate) / n + square / (4 * n * n))
        return max(middle - half, 0.0), min(middle + half, 1.0)


@attrs.frozen
class Spread:
    """How numbers are spread, in ascending order.

    >>> spread = Spread.of([5, 1, 3, 2, 4])
    >>> spread.lowest, spread.quantile(0.5), spread.highest, spread.mean
    (1, 3, 5, 3.0)
    """

    values: tuple[int, ...]

    @classmethod
    def of(cls, values: Iterable[int]) -> Spread:
        """Gives the spread of numbers, of which there must be some."""
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
        """Gives the number that such a part (0 to 1) of all lies below."""
        return self.values[min(int(part * len(self.values)), len(self.values) - 1)]
