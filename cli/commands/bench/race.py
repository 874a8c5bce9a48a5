"""Several ways to do the same thing -> how fast each is, against one of them.

Every round measures all contestants one after the other, in time of the CPU, and a ratio is one of two measurements of the
same round; the median over the rounds counts. So a machine that is busy or slow moves all of them alike.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import process_time
from typing import TypeAlias

import attrs

Work: TypeAlias = Callable[[], int]
"""Does a piece of work and says how much: plies, copies."""


@attrs.frozen
class Contestant:
    """One way to do it; the others of its race are compared with the one that `is_base`."""

    name: str
    work: Work | None
    is_base: bool = False
    timed: Callable[[float], tuple[int, float]] | None = None
    """In place of `work`: does about so many seconds of it, and returns how much and the seconds that it took."""

    def rate(self, seconds: float) -> float:
        """Returns the rate per second, measured over a number of repetitions."""
        if self.timed is not None:
            done, taken = self.timed(seconds)
            return done / max(taken, 1e-6)
        assert self.work is not None
        done, start = 0, process_time()
        while (taken := process_time() - start) < seconds or not done:
            done += self.work()
        return done / taken


@attrs.frozen
class Race:
    """Several ways to do the same thing."""

    name: str
    unit: str
    contestants: Callable[[], tuple[Contestant, ...]]
    """Makes them: games are loaded for races that are run."""


@attrs.frozen
class Figure:
    """The result of one contestant: how much a second, and the ratio to the base, with its least and greatest round."""

    race: str
    name: str
    unit: str
    rate: float
    ratio: float
    low: float
    high: float


def run(race: Race, seconds: float, rounds: int) -> list[Figure]:
    """Measures all contestants of a race, round by round; what only the first one pays for is paid before."""
    contestants = race.contestants()
    for contestant in contestants:
        contestant.rate(0.0)
    measured = [[contestant.rate(seconds) for contestant in contestants] for _ in range(rounds)]
    base = next((at for at, contestant in enumerate(contestants) if contestant.is_base), 0)
    figures = []
    for at, contestant in enumerate(contestants):
        ratios = [rates[at] / rates[base] for rates in measured]
        rate = median(rates[at] for rates in measured)
        figures.append(Figure(race.name, contestant.name, race.unit, rate, median(ratios), min(ratios), max(ratios)))
    return figures
