"""The tables of a cell -> its metrics: the figures that say what the rules do, each with an interval.

    metrics_of(tables)["win(first)"]        Estimate(0.52, 0.49, 0.55, 1000)

METRICS is the list of all families; each turns the tables into some named estimates. The definitions are those of
`docs/lab.md`. Invariant: a game that was cut off or failed is counted in every share, never dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import log10
from typing import TYPE_CHECKING, Any, NamedTuple

from rulelang.lab.arena import FAULT, UNFINISHED
from rulelang.lab.cheating import OPEN
from rulelang.studies.figures.choosing import actions, choices, frequent, hidden, reach, weights
from rulelang.studies.figures.courses import courses
from rulelang.studies.figures.estimates import Estimate, block_means, block_stack, mean, of_means, share
from rulelang.studies.figures.lengths import lengths
from rulelang.studies.figures.luck import luck
from rulelang.studies.figures.tables import CellTables
from rulelang.studies.figures.tension import tension

if TYPE_CHECKING:
    from numpy.typing import NDArray

Named = Iterator[tuple[str, Estimate]]


def metrics_of(tables: CellTables) -> dict[str, Estimate]:
    """Returns all metrics of a cell by name, in the order of METRICS."""
    return {name: estimate for family in METRICS for name, estimate in family.of(tables)}


def wins_and_length(tables: CellTables) -> dict[str, Estimate]:
    """Returns how often the first seat wins and how long games are, by name."""
    wins = {"win(first)": share(tables.by_seat("won")[:, 0], tables.blocks)} if tables.players > 1 else {}
    return wins | {"length": mean(tables.by_game("answers").astype(float), tables.blocks)}


# ---------------------------------------------------------------------------------------------- endings and wins


def _endings(tables: CellTables) -> Named:
    """Yields how games end: completion, drawishness, and the share of each ending by kind and rule."""
    ends, blocks = tables.by_game("end"), tables.blocks
    broken = (ends == UNFINISHED) | (ends == FAULT)
    yield "completion", share((~broken).astype(float), blocks)
    yield "unfinished", share((ends == UNFINISHED).astype(float), blocks)
    yield "faults", share((ends == FAULT).astype(float), blocks)
    if tables.players > 1:
        yield "drawishness", share((tables.by_seat("won").max(axis=1) < 1).astype(float), blocks)
    named = _words(ends, tables.by_game("rule"))
    for name in frequent(named):
        yield f"ended({name})", share((named == name).astype(float), blocks)


def _words(ends: NDArray[Any], rules: NDArray[Any]) -> NDArray[Any]:
    import numpy as np

    return np.array([f"{end} in {rule}" if rule else str(end) for end, rule in zip(ends, rules, strict=True)])


def _wins(tables: CellTables) -> Named:
    """Yields who wins: each seat, each bot where several play, the advantage of a seat, and the balance."""
    won, blocks = tables.by_seat("won"), tables.blocks
    for seat, name in enumerate(tables.seats):
        yield f"win({name})", share(won[:, seat], blocks)
    yield "win(first)", share(won[:, 0], blocks)
    yield from _bots(tables)
    if tables.players > 1:
        means = block_stack(won, blocks)
        apart = won - won.mean(axis=1, keepdims=True)
        yield "first_advantage", mean(apart[:, 0], blocks)
        for seat, name in enumerate(tables.seats):
            yield f"advantage({name})", mean(apart[:, seat], blocks)
        yield "seat_advantage", _chosen(means, lambda rates, some: some[:, rates.argmax()] - some.mean(axis=1))
        yield "advantage_most", of_means(lambda rates: float(abs(rates - rates.mean()).max()), means)
        yield "seats_alike", _alike(means)
        gap = _chosen(means, lambda rates, some: some[:, rates.argmax()] - some[:, rates.argmin()])
        middle, low, high = (
            None if end is None else min(max(1 - end, 0.0), 1.0) for end in (gap.estimate, gap.high, gap.low)
        )
        yield "balance", Estimate(middle or 0.0, low, high, gap.blocks)


def _bots(tables: CellTables) -> Named:
    """Yields, where several bots play, how often each wins, in Elo too, and what a bot gains by seeing all."""
    bots, won, every = tables.games["bot"], tables.games["won"], tables.games["block"]
    names = sorted(set(bots.tolist()))
    if len(names) < 2:
        return
    wins = {name: share(won[bots == name], every[bots == name]) for name in names}
    for name, win in wins.items():
        yield f"win({name})", win
    for name, win in wins.items():
        middle, low, high = (_elo(end, tables.players) for end in (win.estimate, win.low, win.high))
        if middle is not None:
            yield f"elo({name})", Estimate(middle, low, high, win.blocks)
    for name in names:
        if name + OPEN in names:
            seeing, blind = (block_means(won[bots == one], every[bots == one]) for one in (name + OPEN, name))
            yield f"hidden_worth({name})", mean(seeing - blind, _count(seeing))


def _count(values: NDArray[Any]) -> NDArray[Any]:
    import numpy as np

    return np.arange(len(values))


def _elo(win: float | None, players: int) -> float | None:
    """Returns how many points of Elo a part of the wins is above an equal one; None where it is not finite."""
    if win is None or not 0 < win < 1:
        return None
    return 400 * log10(win * (players - 1) / (1 - win)) if players > 1 else None


def _chosen(means: NDArray[Any], say: Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]) -> Estimate:
    """Returns the mean of what is said of seats that are chosen by their rates in one half of the blocks and told by the other.

    The best of several estimates is too high, so that in a fair game its lead would be above 0; told by other games it is not.
    """
    import numpy as np

    halves = means[::2], means[1::2]
    told = []
    for choosing, telling in (halves, halves[::-1]):
        if len(choosing) and len(telling):
            told.append(say(choosing.mean(axis=0), telling))
    if not told:
        return Estimate(float(say(means.mean(axis=0), means).mean()), None, None, len(means))
    values = np.concatenate(told)
    return mean(values, _count(values))


SHUFFLES = 2_000
"""The permutations of seats within blocks that say how often chance alone parts the seats as far."""


def _alike(means: NDArray[Any]) -> Estimate:
    """Returns the chance that seats that are alike lie as far apart: the share of permutations within blocks that part some
    seat from the mean as far (Good 2005, 3.1); of more than 2,000 blocks, of draws from the normal distribution with their spread.
    """
    import numpy as np

    count, seats = means.shape
    rng, apart = np.random.default_rng(count), means - means.mean(axis=1, keepdims=True)
    if count <= SHUFFLES:
        leads = np.array([abs(rng.permuted(apart, axis=1).mean(axis=0)).max() for _ in range(SHUFFLES)])
    else:
        drawn = rng.normal(size=(SHUFFLES, seats))
        drawn -= drawn.mean(axis=1, keepdims=True)
        leads = abs(drawn).max(axis=1) * ((apart**2).mean(axis=1).sum() * seats / (seats - 1)) ** 0.5 / count
    found = share((leads >= abs(apart.mean(axis=0)).max() - 1e-12).astype(float), np.arange(SHUFFLES))
    low = None if found.low is None else min(found.low, found.estimate)
    return Estimate(found.estimate, low, found.high, count)


# ---------------------------------------------------------------------------------------------- scores


def _scores(tables: CellTables) -> Named:
    """Yields the scores at the end, by seat and over all, the margin between the first and the second, and measures."""
    import numpy as np

    scores = tables.by_seat("score").astype(float)
    there = ~np.isnan(scores).any(axis=1)
    if there.any():
        scores, blocks = scores[there], tables.blocks[there]
        yield "score", mean(scores.mean(axis=1), blocks)
        for seat, name in enumerate(tables.seats if tables.players > 1 else ()):
            yield f"score({name})", mean(scores[:, seat], blocks)
        if tables.players > 1:
            ordered = np.sort(scores, axis=1)
            margin = ordered[:, -1] - ordered[:, -2]
            yield "margin", mean(margin, blocks)
            parts = np.stack([margin, scores.mean(axis=1), (scores**2).mean(axis=1)], axis=1)
            if scores.std():
                yield "margin_spread", of_means(_in_spreads, block_stack(parts, blocks))
    for measure in tables.measures:
        values = tables.by_seat(measure).astype(float)
        there = ~np.isnan(values).any(axis=1)
        if there.any():
            yield measure, mean(values[there].mean(axis=1), tables.blocks[there])
            for seat, name in enumerate(tables.seats if tables.players > 1 else ()):
                yield f"{measure}({name})", mean(values[there][:, seat], tables.blocks[there])


def _in_spreads(means: NDArray[Any]) -> float:
    """Returns a margin in standard deviations of scores, from the means of the margin, the scores and their squares."""
    return float(means[0] / max(means[2] - means[1] ** 2, 1e-12) ** 0.5)


class Family(NamedTuple):
    """Some metrics that are computed together: what they are about, and the function that yields them."""

    about: str
    of: Callable[[CellTables], Named]


METRICS = (
    Family("who wins", _wins),
    Family("how games end", _endings),
    Family("how long games are", lengths),
    Family("scores and measures", _scores),
    Family("measures on the way", courses),
    Family("skill and luck", luck),
    Family("what there is to choose", choices),
    Family("how much hangs on a choice", weights),
    Family("what is hidden", hidden),
    Family("tension", tension),
    Family("actions", actions),
    Family("rules", reach),
)
"""The families of metrics, in the order in which they are reported."""
