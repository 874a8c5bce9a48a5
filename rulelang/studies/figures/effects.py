"""The cells of a grid, played on the same seeds -> how far each value of each name that is swept moves each metric.

    effects(study.axes, cells)        length: size=4 -2.0, size=6 +2.1; misere=yes -0.1, misere=no +0.1

The effect of a value is the mean over all cells that have it, less the mean over all cells: all other names are balanced
(a main effect of a full factorial design, Box, Hunter and Hunter 2005). A block's effect is one observation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from math import prod
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.studies.axes import Axis
from rulelang.studies.figures.comparing import amount, by_block
from rulelang.studies.figures.estimates import Estimate, mean
from rulelang.studies.figures.tables import CellTables

if TYPE_CHECKING:
    from numpy.typing import NDArray

Cells = Sequence[tuple[Mapping[str, str], CellTables]]
"""The cells of a study: their parameters and their tables."""


LEAST = 1e-9
"""The least width between two effects that is no error of rounding."""


@attrs.frozen
class MainEffect:
    """The distance by which one value of a name moves a metric from its mean over the grid."""

    metric: str
    axis: str
    value: str
    moved: Estimate

    @property
    def is_shown(self) -> bool:
        """Whether its interval leaves out 0."""
        low, high = self.moved.low, self.moved.high
        return low is not None and high is not None and not low <= 0 <= high

    def to_data(self) -> dict[str, Any]:
        """Returns it as plain data."""
        named = {"metric": self.metric, "name": self.axis, "value": self.value}
        return named | self.moved.to_data() | {"shown": self.is_shown}


def effects(axes: Sequence[Axis], cells: Cells) -> tuple[MainEffect, ...]:
    """Returns the effects of all values, over the blocks that all cells have; () where fewer than two names are swept, a
    cell has no games yet, or there are not two such blocks."""
    import numpy as np

    swept = [axis for axis in axes if len(axis.values) > 1]
    if len(swept) < 2 or len(cells) < prod(len(axis.values) for axis in axes):
        return ()
    common = reduce(np.intersect1d, (tables.blocks for _, tables in cells))
    if len(common) < 2:
        return ()
    found: list[MainEffect] = []
    for metric, grid in _grids([tables for _, tables in cells], common):
        apart = grid - grid.mean(axis=0)
        for axis in swept:
            for value in axis.values:
                of = [parameters[axis.name] == value for parameters, _ in cells]
                found.append(MainEffect(metric, axis.name, value, mean(apart[of].mean(axis=0), common)))
    return tuple(found)


def _grids(cells: Sequence[CellTables], common: NDArray[Any]) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yields each metric that is not the same everywhere: a row for each cell, a column for each common block.

    Of the seats' wins, it is the first one's: the others make up the rest.
    """
    import numpy as np

    told = [
        {name: values[np.isin(np.unique(tables.blocks), common)] for name, values in by_block(tables)}
        for tables in cells
    ]
    others = {f"win({seat})" for tables in cells for seat in tables.seats[1:]}
    for metric in told[0]:
        if metric not in others | {"completion"} and all(metric in one for one in told):
            grid = np.stack([one[metric] for one in told])
            if np.ptp(grid.mean(axis=1)):
                yield metric, grid


def extremes(found: Sequence[MainEffect]) -> dict[tuple[str, str], tuple[MainEffect, MainEffect]]:
    """Returns the values with the lowest and the highest effect, by metric and name, the names that move a metric most first; those that
    move it not at all are left out.

    >>> small, large = (MainEffect("length", "size", v, Estimate(m, m, m, 9)) for v, m in (("4", -1.0), ("5", 1.0)))
    >>> [low.value for low, high in extremes([large, small]).values()]
    ['4']
    """
    by_name: dict[tuple[str, str], list[MainEffect]] = {}
    for one in found:
        by_name.setdefault((one.metric, one.axis), []).append(one)
    ends = {name: (min(some, key=_size), max(some, key=_size)) for name, some in by_name.items()}
    metrics = list(dict.fromkeys(one.metric for one in found))
    widths = {name: _size(high) - _size(low) for name, (low, high) in ends.items()}
    order = sorted(ends, key=lambda name: (metrics.index(name[0]), -widths[name]))
    return {name: ends[name] for name in order if widths[name] > LEAST}


def _size(one: MainEffect) -> float:
    return one.moved.estimate


def strongest(found: Sequence[MainEffect]) -> str:
    """Returns a sentence on the name that moves each metric most.

    >>> small, large = (MainEffect("length", "size", v, Estimate(m, m, m, 9)) for v, m in (("4", -1.0), ("5", 1.0)))
    >>> strongest([small, large])
    'length depends most on size (-1.0 with 4, +1.0 with 5)'
    """
    told: dict[str, str] = {}
    for (metric, axis), (low, high) in extremes(found).items():
        if metric not in told and (low.is_shown or high.is_shown):
            ends = ", ".join(f"{amount(metric, _size(one), sign=True)} with {one.value}" for one in (low, high))
            told[metric] = f"{metric} depends most on {axis} ({ends})"
    return "; ".join(told.values()) or "no value is shown to move anything"
