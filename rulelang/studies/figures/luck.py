"""The games of a cell on shared seeds -> how much of their results is luck, and which source of chance it comes from.

luck_share                   of the variance of wins, what the seed of chance explains
luck_share(shuffle deck)     what this shuffle explains alone
luck_share_score(d6 face)    the same of scores
luck_span                    how far apart the first seat's wins are on the best and the worst tenth of seeds
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rulelang.studies.figures.estimates import Estimate, bootstrap
from rulelang.studies.figures.tables import CellTables

if TYPE_CHECKING:
    from numpy.typing import NDArray


def luck(tables: CellTables) -> Iterator[tuple[str, Estimate]]:
    """Yields the share of the variance of wins and scores that chance explains: all of it where seeds are played
    repeatedly, and each source where games are played again with it alone held.
    """
    if len(set(tables.games["bot"].tolist())) > 1:
        return
    for name, column in (("luck_share", "won"), ("luck_share_score", "score")):
        results = tables.by_seat(column).astype(float)
        if (whole := _repeated(results, tables.blocks)) is not None:
            yield from _explained(name, whole)
            if column == "won":
                yield "luck_span", _span(whole[:, :, 0].mean(axis=1))
        for source, again in _held(tables, results, column):
            yield from _explained(f"{name}({source})", again)


def _span(rates: NDArray[Any]) -> Estimate:
    """Returns the distance of the ninth tenth of the rates of seeds from the first (a trimmed span, arXiv 2503.02686)."""
    import numpy as np

    return bootstrap(lambda at: float(np.diff(np.quantile(rates[at], (0.1, 0.9)))[0]), len(rates))


def _repeated(results: NDArray[Any], blocks: NDArray[Any]) -> NDArray[Any] | None:
    """Returns results by block, repeat and seat; None unless all blocks are repeated equally often."""
    import numpy as np

    counts = np.unique(blocks, return_counts=True)[1]
    if counts.min() < 2 or counts.min() != counts.max():
        return None
    return results.reshape(len(counts), counts[0], -1)


def _held(tables: CellTables, results: NDArray[Any], column: str) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yields each source with the results by game and seat, of the game itself and of the one that shares only that source."""
    import numpy as np

    rows = tables.of("streams")
    for source in dict.fromkeys(rows["stream"].tolist()) if rows else ():
        its = rows["stream"] == source
        at = np.searchsorted(tables.by_game("game"), rows["game"][its][:: tables.players])
        again = rows[column][its].astype(float).reshape(-1, tables.players)
        yield source, np.stack([results[at], again], axis=1)


def _explained(name: str, results: NDArray[Any]) -> Iterator[tuple[str, Estimate]]:
    """Yields the share of the variance that lies between blocks, over all seats: the intraclass correlation of a one-way
    analysis of variance (Shrout and Fleiss 1979), no less than 0. `results` are by block, repeat and seat; nothing is
    yielded where some are unknown, all are equal, or there are fewer than three blocks.
    """
    import numpy as np

    blocks, repeats, _ = results.shape
    if blocks < 3 or np.isnan(results).any() or not results.std(axis=(0, 1)).any():
        return

    def share(at: Any) -> float:
        some = results[at]
        between = repeats * some.mean(axis=1).var(axis=0, ddof=1).sum()
        within = some.var(axis=1, ddof=1).mean(axis=0).sum()
        below = between + (repeats - 1) * within
        return float(max((between - within) / below, 0.0)) if below else 0.0

    yield name, bootstrap(share, blocks)
