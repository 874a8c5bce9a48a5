"""The games of a cell -> how long they are, in answers, in decisions (answers with two options or more) and in rounds.

    length, length_p10, length_median, length_p90, length_spread      so for decisions and rounds
    distance(length)          how far a game is from the length that a study wants, on average
    above(length)             the share of games that are longer than a study allows

Rounds are those that the rules count. Decisions are those of sampled games; of random games, which machine code plays by itself,
rounds are, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rulelang.studies.figures.estimates import Estimate, block_stack, mean, of_means, quantile, share
from rulelang.studies.figures.tables import CellTables

if TYPE_CHECKING:
    from numpy.typing import NDArray

QUANTILES = (("p10", 0.1), ("median", 0.5), ("p90", 0.9))


def lengths(tables: CellTables) -> Iterator[tuple[str, Estimate]]:
    """Yields each length's mean, spread and quantiles, its mean distance to its target, and the share of games above its cap."""
    for name, (values, blocks) in counted(tables).items():
        if len(values):
            yield name, mean(values, blocks)
            squares = block_stack(values[:, None] ** [[1, 2]], blocks)
            yield f"{name}_spread", of_means(_spread, squares)
            for part, at in QUANTILES:
                yield f"{name}_{part}", quantile(values, blocks, at)
            if name in tables.targets:
                yield f"distance({name})", mean(abs(values - tables.targets[name]), blocks)
            if name in tables.caps:
                yield f"above({name})", share((values > tables.caps[name]).astype(float), blocks)


def _spread(means: NDArray[Any]) -> float:
    """Returns the standard deviation over the mean, from the means of a number and of its square."""
    return float(max(means[1] - means[0] ** 2, 0) ** 0.5 / max(means[0], 1e-12))


def counted(tables: CellTables) -> dict[str, tuple[NDArray[Any], NDArray[Any]]]:
    """Returns each length of the games of which it is known, with their blocks."""
    import numpy as np

    found = {"length": (tables.by_game("answers").astype(float), tables.blocks)}
    if rows := tables.of("decisions"):
        games, where = np.unique(rows["game"], return_inverse=True)
        real = np.bincount(where, weights=rows["options"] > 1).astype(float)
        found["decisions"] = real, tables.blocks_of(games)
    if "rounds" in tables.games:
        rounds = tables.by_game("rounds").astype(float)
        known = ~np.isnan(rounds)
        found["rounds"] = rounds[known], tables.blocks[known]
    return found
