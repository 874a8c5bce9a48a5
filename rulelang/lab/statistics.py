"""Statistics of many games: rates with confidence intervals, and distributions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import atan, cos, erfc, pi, sin, sqrt

import attrs

CERTAINTY = 1.96
"""Standard deviations on either side of an interval with a confidence of 95 %."""
POWER = 0.8416
"""Standard deviations beyond the critical value at which a difference is detected with a power of 80 %."""


MANY = 2_000
"""The degrees of freedom beyond which t is as good as normal."""


def two_sided(t: float, freedom: int) -> float:
    """Returns the probability of a t at least this far from 0 by chance (Abramowitz and Stegun 26.7.3 and 26.7.4).

    For more than MANY degrees of freedom the normal approximation (26.7.8) holds to eight digits.

    >>> round(two_sided(2.228, 10), 3), round(two_sided(12.706, 1), 3), two_sided(0.0, 5)
    (0.05, 0.05, 1.0)
    >>> round(two_sided(1.96, 10**6), 3)
    0.05
    """
    if freedom > MANY:
        return erfc(abs(t) * (1 - 1 / (4 * freedom)) / sqrt(1 + t * t / (2 * freedom)) / sqrt(2))
    angle = atan(abs(t) / sqrt(freedom))
    square = cos(angle) ** 2
    term = sin(angle) * (cos(angle) if freedom % 2 else 1.0)
    total = term if freedom > 1 else 0.0
    for k in range(2 + freedom % 2, freedom - 1, 2):
        term *= square * (k - 1) / k
        total += term
    return max(0.0, 1.0 - (2 / pi * (angle + total) if freedom % 2 else total))


@lru_cache(maxsize=4096)
def student(freedom: int, chance: float = 0.05) -> float:
    """Returns the t that is exceeded on either side with a probability of `chance`.

    >>> round(student(10), 3), round(student(2), 3), round(student(39, 0.002), 2)
    (2.228, 4.303, 3.31)
    """
    low, high = 0.0, 1.0
    while two_sided(high, freedom) > chance:
        high *= 2
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if two_sided(middle, freedom) > chance else (low, middle)
    return high


def detectable(freedom: int, chance: float) -> float:
    """Returns the difference, in standard errors, that a t-test at a level detects with a power of 80 %.

    The power is that of the noncentral t (Abramowitz and Stegun 26.7.10); standard errors are estimates, which are too
    small on average if there are few blocks.

    >>> round(detectable(39, 0.05), 1), round(detectable(39, 0.05 / 20), 1)
    (2.9, 4.1)
    """
    certain, bias = student(freedom, chance), 1 - 1 / (4 * freedom)
    return (certain * bias + POWER * sqrt(1 + certain**2 / (2 * freedom))) / bias


def holm(chances: Sequence[float]) -> tuple[float, ...]:
    """Returns p-values corrected for their number, in the order given (Holm 1979).

    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    """
    ranked, highest = sorted(range(len(chances)), key=lambda i: chances[i]), 0.0
    found = [1.0] * len(chances)
    for place, i in enumerate(ranked):
        highest = max(highest, min(chances[i] * (len(chances) - place), 1.0))
        found[i] = highest
    return tuple(found)


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
    """The effective number of independent trials; None if each game is one."""

    @classmethod
    def of_blocks(cls, blocks: Iterable[tuple[float, int]]) -> Rate:
        """Returns the rate of games correlated in blocks, given as pairs of wins and games.

        Blocks are independent; the games within one are not. `worth` is the number of games divided by the design
        effect (Kish 1965): the variance between blocks against that of independent games. It is at most the number of
        games, and less where few blocks say how large that variance is (Student's t in place of the normal distribution).

        >>> apart = Rate.of_blocks([(1, 1), (0, 1), (1, 1), (0, 1)] * 25)
        >>> alike = Rate.of_blocks([(2, 2), (0, 2), (2, 2), (0, 2)] * 25)
        >>> apart.worth, round(alike.worth)
        (99.0, 98)
        """
        counted = list(blocks)
        won, games = sum(w for w, _ in counted), sum(n for _, n in counted)
        if not games:
            return cls(0.0, 0)
        rate, several = won / games, len(counted)
        if several == 1 or rate in (0, 1):
            # Blocks that all have the same rate do not show how games in a block are correlated, so each counts as one
            # trial.
            return cls(won, games, float(several))
        spread = sum((w - rate * n) ** 2 for w, n in counted) * several / (several - 1)
        alone = rate * (1 - rate) * games
        if not spread:
            return cls(won, games, float(games))
        sure = (student(games - 1) / student(several - 1)) ** 2
        return cls(won, games, min(sure * games * alone / spread, float(games)))

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
