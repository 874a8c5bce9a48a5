"""Numbers of games, by block -> an estimate with an interval of 95 %.

The games of one seed are a block: they share their chance, so a block counts as one observation. A mean has Student's
interval on the means of blocks; a share has Wilson's, for the effective number of games (`lab.statistics.Rate`), which
also holds where all games went the same way; what is skewed has percentiles of 2,000 bootstrap samples of blocks.
Invariant: equal numbers give equal intervals; the bootstrap draws from a fixed seed.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.lab.statistics import CERTAINTY, Rate, student

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Blocks = NDArray[np.int64]

RESAMPLES = 2_000
"""The bootstrap samples of an interval."""
LEVEL = 0.05
"""One less the certainty of an interval."""


@attrs.frozen
class Estimate:
    """An estimate, its interval of 95 %, and the number of independent blocks behind it; None where nothing is known."""

    estimate: float
    low: float | None
    high: float | None
    blocks: int

    def to_data(self) -> dict[str, float | int | None]:
        """Returns it as plain data."""
        return {
            "estimate": _rounded(self.estimate),
            "low": None if self.low is None else _rounded(self.low),
            "high": None if self.high is None else _rounded(self.high),
            "blocks": self.blocks,
        }


def _rounded(value: float) -> float:
    """Returns a number with nine digits, which no rounding of another machine changes."""
    return float(f"{value:.9g}")


def block_means(values: Numbers, blocks: Blocks) -> Numbers:
    """Returns the mean of the values of each block, in ascending order of the blocks."""
    import numpy as np

    _, where = np.unique(blocks, return_inverse=True)
    return np.bincount(where, weights=values) / np.bincount(where)


def block_stack(columns: Numbers, blocks: Blocks) -> Numbers:
    """Returns the means of blocks of each column of a matrix."""
    import numpy as np

    return np.stack([block_means(column, blocks) for column in columns.T], axis=1)


def mean(values: Numbers, blocks: Blocks) -> Estimate:
    """Returns the mean of blocks' means with Student's interval.

    >>> import numpy as np
    >>> found = mean(np.array([1.0, 3.0, 2.0, 4.0]), np.array([0, 0, 1, 1]))
    >>> found.estimate, found.low < 2.5 < found.high, found.blocks
    (2.5, True, 2)
    """
    observed = block_means(values, blocks)
    count, middle = len(observed), float(observed.mean())
    if count < 2:
        return Estimate(middle, None, None, count)
    half = student(count - 1) * float(observed.std(ddof=1)) / sqrt(count)
    return Estimate(middle, middle - half, middle + half, count)


def share(values: Numbers, blocks: Blocks) -> Estimate:
    """Returns a share of games with Wilson's interval; a value is from 0 to 1, such as a shared win's part.

    >>> import numpy as np
    >>> found = share(np.zeros(20), np.arange(20))
    >>> found.estimate, found.low, round(found.high, 2)
    (0.0, 0.0, 0.16)
    """
    import numpy as np

    _, where = np.unique(blocks, return_inverse=True)
    won, games = np.bincount(where, weights=values), np.bincount(where)
    rate = Rate.of_blocks(zip(won.tolist(), games.tolist(), strict=True))
    return Estimate(rate.rate, rate.low, rate.high, len(games))


def ratio(top: Numbers, bottom: Numbers, blocks: Blocks) -> Estimate | None:
    """Returns the ratio of two sums with Student's interval of its linear form (Cochran 1977, 6.4); None if the lower
    sum is 0.

    >>> import numpy as np
    >>> found = ratio(np.array([1.0, 2.0]), np.array([2.0, 4.0]), np.array([0, 1]))
    >>> found.estimate, found.low, found.high
    (0.5, 0.5, 0.5)
    """
    import numpy as np

    _, where = np.unique(blocks, return_inverse=True)
    over, under = np.bincount(where, weights=top), np.bincount(where, weights=bottom)
    count, whole = len(over), float(under.sum())
    if not whole:
        return None
    middle = float(over.sum()) / whole
    if count < 2:
        return Estimate(middle, None, None, count)
    error = float((over - middle * under).std(ddof=1)) / (whole / count) / sqrt(count)
    half = student(count - 1) * error
    return Estimate(middle, middle - half, middle + half, count)


def quantile(values: Numbers, blocks: Blocks, part: float) -> Estimate:
    """Returns a quantile of games: its interval is between order statistics (Conover 1999, 3.2) where each game is a
    block, else from the bootstrap.

    >>> import numpy as np
    >>> quantile(np.arange(101.0), np.arange(101), 0.5)
    Estimate(estimate=50.0, low=40.0, high=60.0, blocks=101)
    """
    import numpy as np

    names, where = np.unique(blocks, return_inverse=True)
    if len(names) == len(values):
        ordered, count = np.sort(values), len(values)
        half = CERTAINTY * sqrt(count * part * (1 - part))
        ends = (max(int(count * part - half), 0), min(ceil(count * part + half) - 1, count - 1))
        return Estimate(float(np.quantile(ordered, part)), float(ordered[ends[0]]), float(ordered[ends[1]]), count)
    of = [values[where == i] for i in range(len(names))]
    return bootstrap(lambda at: float(np.quantile(np.concatenate([of[i] for i in at]), part)), len(names))


def of_means(say: Callable[[Any], float], columns: Numbers) -> Estimate:
    """Returns the estimate that a function makes from the means of some columns, which have a row for each block.

    The interval is from the bootstrap; of more than 2,000 blocks, whose means are normally distributed, from as many
    draws of that distribution.
    """
    import numpy as np

    count = len(columns)
    if count <= RESAMPLES:
        return bootstrap(lambda at: say(columns[at].mean(axis=0)), count)
    means, spread = columns.mean(axis=0), np.atleast_2d(np.cov(columns.T)) / count
    drawn = np.random.default_rng(count).multivariate_normal(means, spread, RESAMPLES, method="eigh")
    low, high = np.quantile([say(row) for row in drawn], [LEVEL / 2, 1 - LEVEL / 2])
    return Estimate(say(means), float(low), float(high), count)


def bootstrap(say: Callable[[Any], float], blocks: int) -> Estimate:
    """Returns the estimate that a function makes from all blocks, given as positions, with percentiles of resamples."""
    import numpy as np

    middle = say(np.arange(blocks))
    if blocks < 2:
        return Estimate(middle, None, None, blocks)
    rng = np.random.default_rng(blocks)
    found = [say(rng.integers(0, blocks, blocks)) for _ in range(RESAMPLES)]
    low, high = np.quantile(found, [LEVEL / 2, 1 - LEVEL / 2])
    return Estimate(middle, float(low), float(high), blocks)
