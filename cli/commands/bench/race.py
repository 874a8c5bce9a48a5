"""Several ways to do the same thing -> the speed of each, relative to one of them.

Every round measures all contestants one after another, in CPU time. A ratio is that of two measurements in the same
round, and the median over the rounds counts, so a busy or slow machine affects all contestants alike.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time
from typing import TypeAlias

import attrs

Work: TypeAlias = Callable[[], int]
"""A function that does a piece of work and returns its amount: plies, copies."""


@attrs.frozen
class Contestant:
    """One way to do the work of a race; the others are compared with the one that `is_base`."""

    name: str
    work: Work | None
    is_base: bool = False
    timed: Callable[[float], tuple[int, float]] | None = None
    """Replaces `work`: works for about a number of seconds; returns the amount and the seconds that it took."""

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
    """Makes the contestants, so that games are loaded only for races that are run."""


@attrs.frozen
class Figure:
    """The result of one contestant: its rate per second, and
    its ratio to the base, with the least and greatest round."""

    race: str
    name: str
    unit: str
    rate: float
    ratio: float
    low: float
    high: float


def run(race: Race, seconds: float, rounds: int) -> list[Figure]:
    """Measures all contestants of a race, round by round, after a run that warms up."""
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


def childrens_time() -> float:
    """Returns the seconds of the CPU that this process's children have taken; on Windows, the time of day."""
    try:
        from resource import RUSAGE_CHILDREN, getrusage
    except ImportError:
        return perf_counter()
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
