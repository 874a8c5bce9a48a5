"""Many games -> how often who wins, with how sure that is."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import attrs

from rulelang.lab.bots import Bot, play_on
from rulelang.runtime.match import Match

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


def win_rates(start: Callable[[int], Match], bots: tuple[Bot, ...], games: int) -> tuple[Rate, ...]:
    """Plays games with the seeds 0, 1, 2, …, and gives each seat's rate of winning.

    `start` gives the match of a seed; untraced ones are much faster.
    """
    wins = [0.0] * len(bots)
    for seed in range(games):
        match = start(seed)
        for _ in play_on(match, bots, seed):
            pass
        winners = match.outcome.winners if match.outcome else ()
        for seat in winners:
            wins[seat] += 1 / len(winners)
    return tuple(Rate(won, games) for won in wins)
