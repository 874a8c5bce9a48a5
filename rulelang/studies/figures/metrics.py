"""The tables of a cell -> its metrics: the figures that say what the rules do, each with an interval.

    metrics_of(tables)["win(first)"]        Estimate(0.52, 0.49, 0.55, 1000)

METRICS is the list of all families; each turns the tables into some named estimates. The definitions are those of
`docs/lab.md`. Invariant: a game that was cut off or failed is counted in every share, never dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

from rulelang.lab.arena import FAULT, UNFINISHED
from rulelang.studies.figures.estimates import Estimate, block_means, bootstrap, mean, of_means, quantile, ratio, share

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Named = Iterator[tuple[str, Estimate]]
MOST_NAMES = 60
"""The most actions, and the most endings, that get figures of their own: those seen most often."""
AHEAD = 0.9
"""The share of playouts from which on a game counts as decided."""


@attrs.frozen(eq=False)
class CellTables:
    """The tables of one cell as arrays by column; one that has no rows is empty."""

    seats: tuple[str, ...]
    games: Mapping[str, NDArray[Any]]
    decisions: Mapping[str, NDArray[Any]]
    actions: Mapping[str, NDArray[Any]]
    values: Mapping[str, NDArray[Any]]
    measures: tuple[str, ...] = ()

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.seats)

    def by_game(self, column: str) -> NDArray[Any]:
        """Returns a column of the games with one entry a game, which all its seats share."""
        return self.games[column][:: self.players]

    def by_seat(self, column: str) -> NDArray[Any]:
        """Returns a column of the games as a matrix: a row a game, a column a seat."""
        return self.games[column].reshape(-1, self.players)

    @property
    def blocks(self) -> NDArray[np.int64]:
        """The block of each game."""
        return self.by_game("block")


def tables_of(folder: Any, cell: int, seats: tuple[str, ...], measures: tuple[str, ...] = ()) -> CellTables | None:
    """Returns the tables of a cell of a `Folder`, as far as they are there; None if no game is."""
    found: dict[str, dict[str, Any]] = {}
    for name in ("games", "decisions", "actions", "values"):
        table = folder.table(name, cell)
        found[name] = {} if table is None else {n: _array(table[n]) for n in table.column_names}
    if not found["games"]:
        return None
    return CellTables(seats, found["games"], found["decisions"], found["actions"], found["values"], measures)


def _array(column: Any) -> NDArray[Any]:
    """Returns a column of Arrow as an array; words are looked up once each."""
    import numpy as np

    if not hasattr(column.type, "value_type"):
        found: NDArray[Any] = column.to_numpy()
        return found
    whole = column.combine_chunks()
    words = np.array(whole.dictionary.to_pylist(), dtype=object)
    return words[whole.indices.to_numpy()] if len(words) else np.array([], dtype=object)


def metrics_of(tables: CellTables) -> dict[str, Estimate]:
    """Returns all metrics of a cell by name, in the order of METRICS."""
    return {name: estimate for family in METRICS for name, estimate in family.of(tables)}


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
    for name in _frequent(named):
        yield f"ended({name})", share((named == name).astype(float), blocks)


def _words(ends: NDArray[Any], rules: NDArray[Any]) -> NDArray[Any]:
    import numpy as np

    return np.array([f"{end} in {rule}" if rule else str(end) for end, rule in zip(ends, rules, strict=True)])


def _frequent(names: NDArray[Any]) -> list[str]:
    """Returns the most frequent names, most frequent first."""
    import numpy as np

    found, counts = np.unique(names, return_counts=True)
    return [str(found[i]) for i in np.lexsort((found, -counts))[:MOST_NAMES]]


def _wins(tables: CellTables) -> Named:
    """Yields who wins: each seat, each bot where several play, the advantage of a seat, and the balance."""
    won, blocks = tables.by_seat("won"), tables.blocks
    for seat, name in enumerate(tables.seats):
        yield f"win({name})", share(won[:, seat], blocks)
    yield "win(first)", share(won[:, 0], blocks)
    bots = tables.games["bot"]
    if len(set(bots.tolist())) > 1:
        every = tables.games["block"]
        for name in sorted(set(bots.tolist())):
            yield f"win({name})", share(tables.games["won"][bots == name], every[bots == name])
    if tables.players > 1:
        means = _stacked(won, blocks)
        yield "seat_advantage", of_means(lambda rates: float(rates.max() - rates.mean()), means)
        yield "first_advantage", mean(won[:, 0] - won.mean(axis=1), blocks)
        yield "balance", of_means(lambda rates: float(1 - rates.max() + rates.min()), means)


def _stacked(by_seat: NDArray[Any], blocks: NDArray[Any]) -> NDArray[Any]:
    """Returns the means of blocks of each seat's column."""
    import numpy as np

    return np.stack([block_means(by_seat[:, seat], blocks) for seat in range(by_seat.shape[1])], axis=1)


def _luck(tables: CellTables) -> Named:
    """Yields the share of the variance of wins that the games' chance explains, where chance is played repeatedly."""
    import numpy as np

    blocks = tables.blocks
    counts = np.unique(blocks, return_counts=True)[1]
    if len(counts) < 3 or counts.min() < 2 or counts.min() != counts.max():
        return
    won = tables.by_seat("won")[:, 0].reshape(-1, counts[0])

    def explained(at: Any) -> float:
        some, repeats = won[at], won.shape[1]
        between = repeats * some.mean(axis=1).var(ddof=1)
        within = some.var(axis=1, ddof=1).mean()
        below = between + (repeats - 1) * within
        return float(max((between - within) / below, 0.0)) if below else 0.0

    if len(set(tables.games["bot"].tolist())) == 1:
        yield "luck_share", bootstrap(explained, len(won))


# ---------------------------------------------------------------------------------------------- length and scores


def _length(tables: CellTables) -> Named:
    """Yields how long games are, in answers."""
    answers, blocks = tables.by_game("answers").astype(float), tables.blocks
    yield "length", mean(answers, blocks)
    for name, part in (("length_p10", 0.1), ("length_median", 0.5), ("length_p90", 0.9)):
        yield name, quantile(answers, blocks, part)


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
            yield "margin", mean(ordered[:, -1] - ordered[:, -2], blocks)
    for measure in tables.measures:
        values = tables.by_seat(measure).astype(float)
        there = ~np.isnan(values).any(axis=1)
        if there.any():
            yield measure, mean(values[there].mean(axis=1), tables.blocks[there])
            for seat, name in enumerate(tables.seats if tables.players > 1 else ()):
                yield f"{measure}({name})", mean(values[there][:, seat], tables.blocks[there])


# ---------------------------------------------------------------------------------------------- choices and actions


def _choices(tables: CellTables) -> Named:
    """Yields the share of real decisions in sampled games, the number of their options, and the size of the game's tree."""
    import numpy as np

    if not tables.decisions:
        return
    games, options = tables.decisions["game"], tables.decisions["options"].astype(float)
    yield "decision_share", ratio((options > 1).astype(float), np.ones(len(options)), games)  # type: ignore[misc]
    real = options > 1
    if real.any():
        logs = mean(np.log(options[real]), games[real])
        low, high = (None if end is None else float(np.exp(end)) for end in (logs.low, logs.high))
        yield "options", Estimate(float(np.exp(logs.estimate)), low, high, logs.blocks)
    names, where = np.unique(games, return_inverse=True)
    yield "tree_log10", mean(np.bincount(where, weights=np.log10(np.maximum(options, 1))).astype(float), names)
    leaders = tables.decisions["leader"].astype(float)
    if not np.isnan(leaders).all():
        yield "lead_changes", mean(_changes(leaders, where), names)


def _changes(leaders: NDArray[Any], game: NDArray[Any]) -> NDArray[Any]:
    """Returns the number of changes of the lead in each game: of the seat that leads alone, ties between left out."""
    import numpy as np

    known = ~np.isnan(leaders)
    who, of = leaders[known], game[known]
    changed = (who[1:] != who[:-1]) & (of[1:] == of[:-1])
    return np.bincount(of[1:][changed], minlength=int(game.max()) + 1).astype(float)


def _actions(tables: CellTables) -> Named:
    """Yields how often each action is taken where it is offered, and how much more its takers win (an association)."""
    import numpy as np

    if not tables.actions:
        return
    names, taken = tables.actions["action"], tables.actions["taken"].astype(float)
    offered, won = tables.actions["offered"].astype(float), tables.actions["won"]
    for name in _frequent(names):
        of = names == name
        use = ratio(taken[of], np.maximum(offered[of], taken[of]), tables.actions["game"][of])
        if use is not None:
            yield f"use({name})", use
        did, games = taken[of] > 0, tables.actions["game"][of]
        if 1 < did.sum() < of.sum() - 1:
            yield f"lift({name})", _difference(won[of], did, games)


def _difference(won: NDArray[Any], did: NDArray[Any], games: NDArray[Any]) -> Estimate:
    """Returns the mean share of the win of those who did something less that of those who could have."""
    import numpy as np

    _, where = np.unique(games, return_inverse=True)
    parts = (did * won, did.astype(float), ~did * won, (~did).astype(float))
    columns = np.stack([np.bincount(where, weights=part).astype(float) for part in parts], axis=1)
    return of_means(lambda m: float(m[0] / max(m[1], 1e-9) - m[2] / max(m[3], 1e-9)), columns)


# ---------------------------------------------------------------------------------------------- tension


def _tension(tables: CellTables) -> Named:
    """Yields drama, comebacks, uncertainty and the moment of decision, from the values of positions on the way."""
    import numpy as np

    if not tables.values:
        return
    players, won = tables.players, tables.by_seat("won")
    values = tables.values["value"].reshape(-1, players)
    games, answers = tables.values["game"][::players], tables.values["answer"][::players]
    known = np.isin(games, np.flatnonzero(won.max(axis=1) > 0))
    figures: dict[str, list[float]] = {"drama": [], "decided_at": [], "uncertainty": [], "comeback": []}
    for game in np.unique(games[known]):
        of, share_of = values[games == game], won[game] / won[game].sum()
        ours = of @ share_of
        figures["drama"].append(float((of.max(axis=1) - ours).mean()))
        figures["comeback"].append(float(ours.min() < 1 / (2 * players)))
        open_ = np.flatnonzero(ours < AHEAD)
        length = max(int(tables.by_game("answers")[game]), 1)
        after = int(answers[games == game][open_[-1]]) if len(open_) else 0
        figures["decided_at"].append(min(after / length, 1.0))
        if players > 1:
            parts = of / np.maximum(of.sum(axis=1, keepdims=True), 1e-12)
            figures["uncertainty"].append(
                float((-parts * np.log(np.maximum(parts, 1e-12))).sum(axis=1).mean() / np.log(players))
            )
    for name, found in figures.items():
        if found:
            yield name, mean(np.array(found), np.arange(len(found)))


class Family(NamedTuple):
    """Some metrics that are computed together: what they are about, and the function that yields them."""

    about: str
    of: Callable[[CellTables], Named]


METRICS = (
    Family("who wins", _wins),
    Family("how games end", _endings),
    Family("how long games are", _length),
    Family("scores and measures", _scores),
    Family("skill and luck", _luck),
    Family("what there is to choose", _choices),
    Family("actions", _actions),
    Family("tension", _tension),
)
"""The families of metrics, in the order in which they are reported."""
