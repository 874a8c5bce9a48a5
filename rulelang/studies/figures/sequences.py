"""The means of blocks, looked at again and again while they come in -> an interval that holds at every look at once.

    sequence(values, planned)       Estimate(0.52, 0.47, 0.57, 400)

Whoever looks often and stops at the first interval that pleases is deceived by Student's, which holds at one look alone. The
intervals of a confidence sequence all hold together, with 95 %, so one may stop by them for whatever reason, and the last one is
honest: Robbins' normal mixture (1970) with the standard deviation seen so far (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas,
"Time-uniform central limit theory", 2024). It is narrowest for a quarter of the blocks that are planned.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log, sqrt
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.diagnostics.suggest import hint
from rulelang.errors import InvalidInput
from rulelang.lab.statistics import CERTAINTY, holm, student
from rulelang.studies.figures.comparing import PairedDifference, by_block
from rulelang.studies.figures.estimates import LEVEL, Estimate
from rulelang.studies.figures.tables import CellTables, tables_of
from rulelang.studies.study import Study

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rulelang.studies.storage import Folder

LEAST_BLOCKS = 60
"""Nobody stops before so many blocks: the central limit theorem needs some."""
SOONEST = 4
"""The sequence is narrowest after the planned blocks over this."""


def sequence(values: NDArray[Any], planned: int, chance: float = LEVEL) -> Estimate:
    """Returns the mean of blocks with the interval of a confidence sequence; without one if all blocks are equal, or few.

    >>> import numpy as np
    >>> found = sequence(np.arange(100.0) % 2, 400)
    >>> found.estimate, round(found.low, 2), round(found.high, 2)
    (0.5, 0.35, 0.65)
    """
    count, middle = len(values), float(values.mean())
    spread = _spread(values)
    if count < LEAST_BLOCKS or not spread:
        return Estimate(middle, None, None, count)
    weight = count * _mixing(planned)
    half = spread * sqrt(2 * (weight + 1) / (count * weight) * log(sqrt(weight + 1) / chance))
    return Estimate(middle, middle - half, middle + half, count)


def always_valid(values: NDArray[Any], planned: int) -> float:
    """Returns the p-value of a mean of 0 that holds at every look: one over the mixture's likelihood ratio."""
    count, spread = len(values), _spread(values)
    if count < LEAST_BLOCKS or not spread:
        return 1.0
    weight = count * _mixing(planned)
    distance = (float(values.mean()) / spread) ** 2 * count
    return min(sqrt(weight + 1) * exp(-min(distance * weight / (2 * (weight + 1)), 700.0)), 1.0)


def _spread(values: NDArray[Any]) -> float:
    """Returns the standard deviation of blocks, larger where few of them say how large it is."""
    count = len(values)
    return float(values.std(ddof=1)) * student(count - 1) / CERTAINTY if count > 1 else 0.0


def _mixing(planned: int) -> float:
    """Returns the variance of the mixture that makes the sequence narrowest after a part of the planned blocks."""
    soonest = max(planned / SOONEST, LEAST_BLOCKS)
    return (-2 * log(LEVEL) + log(-2 * log(LEVEL) + 1)) / soonest


def means_of(tables: CellTables) -> Mapping[str, NDArray[Any]]:
    """Returns the means of blocks of all that a study can stop by."""
    found = dict(by_block(tables))
    return {**found, "win(first)": found[f"win({tables.seats[0]})"]}


def looked_often(metrics: Mapping[str, Estimate], tables: CellTables, planned: int) -> dict[str, Estimate]:
    """Returns the figures among some that are means of blocks, with intervals that hold at every look."""
    return {name: sequence(values, planned) for name, values in means_of(tables).items() if name in metrics}


def looked_at(
    found: tuple[PairedDifference, ...], before: CellTables, after: CellTables, planned: int
) -> tuple[PairedDifference, ...]:
    """Returns differences with intervals and p-values that hold at every look."""
    import numpy as np

    ours, theirs = means_of(before), means_of(after)
    first, second = np.unique(before.blocks), np.unique(after.blocks)
    common = np.intersect1d(first, second)
    told, chances = [], []
    for one in found:
        values = theirs[one.name][np.isin(second, common)] - ours[one.name][np.isin(first, common)]
        interval = sequence(values, planned)
        chances.append(always_valid(values, planned))
        low, high = interval.low, interval.high
        told.append(attrs.evolve(one, low=one.low if low is None else low, high=one.high if high is None else high))
    return tuple(attrs.evolve(one, p=p) for one, p in zip(told, holm(chances), strict=True))


def checked_stop(study: Study, seats: tuple[str, ...]) -> None:
    """Raises InvalidInput if a study stops by something that is no mean of blocks."""
    known = ["length", "win(first)", "unfinished", "faults", "completion", "drawishness", "score"]
    known += [f"win({seat})" for seat in seats] + [name for name, _ in study.measures]
    for name, _ in study.stop:
        if name not in known:
            raise InvalidInput(f"a study cannot stop by {name!r}{hint(name, known)} (it can by: {', '.join(known)})")


def undecided(folder: Folder) -> set[int]:
    """Returns the cells of a study that must go on: their stopping figures are not precise enough yet.

    A first cell goes on until the interval of each such figure is as narrow as asked, or, if there are others, as long as one of them
    goes on. Another cell does until its difference to the first one is shown, or known to be as small.
    """
    facts, study = folder.facts(), folder.study()
    numbers = [(int(cell["number"]), int(cell["players"])) for cell in facts["cells"]]
    found = {number: tables_of(folder, number, tuple(facts["seats"][:players]), study) for number, players in numbers}
    first: dict[int, int] = {}
    left = set()
    for number, players in numbers:
        base = first.setdefault(players, number)
        alone = [one for one, many in numbers if many == players] == [number]
        one, other = found[base], found[number]
        if (
            one is None
            or other is None
            or ((base != number or alone) and not _is_decided(study, one, other, max(len(numbers) - len(first), 1)))
        ):
            left |= {base, number}
    return left


def _is_decided(study: Study, base: CellTables, cell: CellTables, cells: int) -> bool:
    """Returns whether all that a study stops by is known of one cell, or of the differences of one from another."""
    import numpy as np

    chance = LEVEL / (len(study.stop) * cells)
    ours, theirs = means_of(cell), means_of(base)
    mine, other = np.unique(cell.blocks), np.unique(base.blocks)
    for name, width in study.stop:
        if name not in ours or name not in theirs:
            return False
        values = ours[name]
        if cell is not base:
            common = np.intersect1d(mine, other)
            values = values[np.isin(mine, common)] - theirs[name][np.isin(other, common)]
        found = sequence(values, study.blocks, chance)
        if found.low is None or found.high is None:
            return False
        is_shown = cell is not base and not found.low <= 0 <= found.high
        if found.high - found.low > 2 * width and not is_shown:
            return False
    return True
