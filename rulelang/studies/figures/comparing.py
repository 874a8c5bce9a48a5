"""The tables of two cells that were played on the same seeds -> paired differences, corrected for their number.

    compared(base, cell)        length 61.2 -> 54.8, -6.4 (-8.1 to -4.7), p 0.0001

A block's difference is one observation; intervals are Student's at 95 %, p-values Holm's (1979). What is not shown says
what would have been: the difference that so many blocks show four times in five.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.lab.arena import FAULT, UNFINISHED
from rulelang.lab.statistics import detectable, holm, student, two_sided
from rulelang.studies.figures.estimates import Estimate, block_means
from rulelang.studies.figures.lengths import counted
from rulelang.studies.figures.tables import CellTables

if TYPE_CHECKING:
    from numpy.typing import NDArray

CERTAIN = 0.05
"""The level at which a difference counts as shown, after correction."""


@attrs.frozen
class PairedDifference:
    """One metric in two cells: both means, the mean of the blocks' differences, its interval, and a corrected p-value."""

    name: str
    before: float
    after: float
    low: float
    high: float
    p: float
    would_be_shown: float
    """The least difference that is shown four times in five, by as many blocks and comparisons."""
    blocks: int

    @property
    def difference(self) -> float:
        """The mean difference."""
        return self.after - self.before

    @property
    def apart(self) -> Estimate:
        """The mean difference with its interval."""
        return Estimate(self.difference, self.low, self.high, self.blocks)

    @property
    def is_shown(self) -> bool:
        """Whether there is a difference beyond chance."""
        return self.p < CERTAIN

    def to_data(self) -> dict[str, Any]:
        """Returns it as plain data."""
        data = {field.name: getattr(self, field.name) for field in attrs.fields(PairedDifference)}
        return data | {"difference": self.difference, "shown": self.is_shown}


def compared(before: CellTables, after: CellTables) -> tuple[PairedDifference, ...]:
    """Returns the differences of two cells with the same seats, over the blocks that both have."""
    import numpy as np

    ours, theirs = dict(by_block(before)), dict(by_block(after))
    first, second = np.unique(before.blocks), np.unique(after.blocks)
    common = np.intersect1d(first, second)
    if len(common) < 2:
        return ()
    one, other = np.isin(first, common), np.isin(second, common)
    names = [name for name in ours if name in theirs and name != "completion"]
    found = [_paired(name, ours[name][one], theirs[name][other], len(names)) for name in names]
    corrected = holm([one.p for one in found])
    return tuple(attrs.evolve(one, p=p) for one, p in zip(found, corrected, strict=True))


def by_block(tables: CellTables) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yields the means of blocks of all that can be compared game by game."""
    import numpy as np

    blocks, won = tables.blocks, tables.by_seat("won")
    yield "length", block_means(tables.by_game("answers").astype(float), blocks)
    for seat, name in enumerate(tables.seats):
        yield f"win({name})", block_means(won[:, seat], blocks)
    for name, (values, at) in counted(tables).items():
        if len(values) == len(blocks):
            if name == "rounds":
                yield name, block_means(values, at)
            if name in tables.targets:
                yield f"distance({name})", block_means(abs(values - tables.targets[name]), at)
            if name in tables.caps:
                yield f"above({name})", block_means((values > tables.caps[name]).astype(float), at)
    ends = tables.by_game("end")
    for name, end in (("unfinished", UNFINISHED), ("faults", FAULT)):
        yield name, block_means((ends == end).astype(float), blocks)
    yield "completion", block_means(((ends != UNFINISHED) & (ends != FAULT)).astype(float), blocks)
    if tables.players > 1:
        yield "drawishness", block_means((won.max(axis=1) < 1).astype(float), blocks)
    for name in ("score", *tables.measures):
        values = tables.by_seat(name).astype(float)
        if not np.isnan(values).any():
            yield name, block_means(values.mean(axis=1), blocks)


def _paired(name: str, before: NDArray[Any], after: NDArray[Any], comparisons: int) -> PairedDifference:
    """Returns one comparison, its p-value not yet corrected."""
    differences = after - before
    count, middle = len(differences), float(differences.mean())
    error = float(differences.std(ddof=1)) / sqrt(count)
    half = student(count - 1) * error
    p = two_sided(middle / error, count - 1) if error else (1.0 if not middle else 0.0)
    shown = detectable(count - 1, CERTAIN / comparisons) * error
    return PairedDifference(
        name, float(before.mean()), float(after.mean()), middle - half, middle + half, p, shown, count
    )


def is_share(name: str) -> bool:
    """Returns whether a metric is a share of games, told in percent."""
    return name.startswith(SHARES) or name in SHARE_NAMES


SHARES = ("win(", "won_with(", "advantage(", "ended(", "above(", "use(", "worth(", "lift(", "fires(", "hidden_worth(")
"""The beginnings of the names of metrics that are shares."""
SHARE_NAMES = frozenset(
    [
        "unfinished",
        "faults",
        "drawishness",
        "completion",
        "decision_share",
        "repetition",
        "first_advantage",
        "seat_advantage",
        "advantage_most",
        "luck_span",
        "comeback",
        "decided_at",
        "gap",
        "stake",
        "narrowness",
        "clear",
        "hidden_share",
        "drama",
        "drama_depth",
        "reach",
        "reach_per_game",
        "reach_clauses",
        "reach_clauses_per_game",
        "diverged",
        "runaway_25",
        "runaway_50",
        "runaway_75",
    ]
)
"""The names of the other ones."""


def verdict(found: Sequence[PairedDifference]) -> str:
    """Returns one sentence on the difference that is shown, or would have been.

    >>> verdict([PairedDifference("length", 10.0, 8.0, -2.5, -1.5, 0.001, 0.7, 200)])
    'shown: length -2.0'
    >>> verdict([PairedDifference("win(red)", 0.5, 0.51, -0.01, 0.03, 1.0, 0.028, 200)])
    'no difference is shown; one of 2.8 points in win(red) would have been'
    """
    shown = [one for one in found if one.is_shown]
    if shown:
        return "shown: " + "; ".join(f"{one.name} {amount(one.name, one.difference, sign=True)}" for one in shown)
    if not any(one.difference or one.would_be_shown for one in found):
        return "no difference at all: every pair of games went the same way"
    least = [one for one in found if one.would_be_shown][:2]
    told = [f"one of {amount(one.name, one.would_be_shown)} in {one.name}" for one in least]
    return f"no difference is shown; {' or '.join(told)} would have been"


def amount(name: str, value: float, *, sign: bool = False) -> str:
    """Returns a difference in words: points for shares."""
    plus = "+" if sign else ""
    return f"{100 * value:{plus}.1f} points" if is_share(name) else f"{value:{plus}.1f}"
