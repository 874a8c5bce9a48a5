"""The choices of sampled games -> the options, the stakes, the option that was taken, the rules that it reached."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rulelang.lab.statistics import Rate
from rulelang.studies.figures.estimates import Estimate, bootstrap, mean, of_means, ratio, share
from rulelang.studies.figures.tables import ArrayColumns, CellTables

if TYPE_CHECKING:
    from numpy.typing import NDArray

Named = Iterator[tuple[str, Estimate]]
MOST_NAMES = 60
"""The most actions, things and endings that get figures of their own: those seen most often."""
MOST_RULES = 300
"""The most rules that get figures of their own."""
CLEAR = 2.0
"""A decision is clear if the best option is better than the second by so many standard errors."""
RARE = 0.01
"""A rule that was not seen may be reached in this share of games at most, or nobody knows."""


def frequent(names: NDArray[Any]) -> list[str]:
    """Returns the most frequent names, most frequent first."""
    import numpy as np

    found, counts = np.unique(names, return_counts=True)
    return [str(found[i]) for i in np.lexsort((found, -counts))[:MOST_NAMES]]


def choices(tables: CellTables) -> Named:
    """Yields the share of real decisions in sampled games, the number of their options, and the size of the game's tree."""
    import numpy as np

    rows = tables.of("decisions")
    if not rows:
        return
    games, options = tables.blocks_of(rows["game"]), rows["options"].astype(float)
    real = options > 1
    yield "decision_share", share(real.astype(float), games)
    if real.any():
        logs = mean(np.log(options[real]), games[real])
        low, high = (None if end is None else float(np.exp(end)) for end in (logs.low, logs.high))
        yield "options", Estimate(float(np.exp(logs.estimate)), low, high, logs.blocks)
        yield "options_mean", mean(options[real], games[real])
    names, where = np.unique(rows["game"], return_inverse=True)
    blocks = tables.blocks_of(names)
    yield "tree_log10", mean(np.bincount(where, weights=np.log10(np.maximum(options, 1))).astype(float), blocks)
    yield "forced_streak", mean(_streaks(rows, where), blocks)
    repeated = rows["repeated"].astype(float)
    compared = ~np.isnan(repeated)
    if compared.any():
        yield "repetition", share(repeated[compared], games[compared])
    leaders = rows["leader"].astype(float)
    if not np.isnan(leaders).all():
        yield "lead_changes", mean(_changes(leaders, where), blocks)


def _streaks(rows: ArrayColumns, game: NDArray[Any]) -> NDArray[Any]:
    """Returns the longest run of answers without a choice that a seat has in each game."""
    import numpy as np

    found = np.zeros(int(game.max()) + 1)
    runs: dict[tuple[int, int], int] = {}
    for of, seat, options in zip(game.tolist(), rows["seat"].tolist(), rows["options"].tolist(), strict=True):
        runs[of, seat] = runs.get((of, seat), 0) + 1 if options == 1 else 0
        found[of] = max(found[of], runs[of, seat])
    return found


def _changes(leaders: NDArray[Any], game: NDArray[Any]) -> NDArray[Any]:
    """Returns the number of changes of the lead in each game: of the seat that leads alone, ties between left out."""
    import numpy as np

    known = ~np.isnan(leaders)
    who, of = leaders[known], game[known]
    changed = (who[1:] != who[:-1]) & (of[1:] == of[:-1])
    return np.bincount(of[1:][changed], minlength=int(game.max()) + 1).astype(float)


def weights(tables: CellTables) -> Named:
    """Yields how much hangs on a decision, and what each action is worth by forced play, where options were compared."""

    rows = tables.of("weights")
    if rows:
        blocks = tables.blocks_of(rows["game"])
        yield "gap", mean(rows["gap"], blocks)
        yield "stake", mean(rows["stake"], blocks)
        yield "narrowness", mean(rows["narrow"], blocks)
        clear = (rows["gap"] > CLEAR * rows["error"]) & (rows["gap"] > 0)
        yield "clear", share(clear.astype(float), blocks)
    rows = tables.of("worths")
    for name in frequent(rows["action"]) if rows else ():
        of = rows["action"] == name
        yield f"worth({name})", mean(rows["worth"][of], tables.blocks_of(rows["game"][of]))


def hidden(tables: CellTables) -> Named:
    """Yields the share of a position that the seat that acts does not see."""
    rows = tables.of("looks")
    if rows:
        found = ratio(rows["hidden"].astype(float), rows["cells"].astype(float), tables.blocks_of(rows["game"]))
        if found is not None:
            yield "hidden_share", found


def actions(tables: CellTables) -> Named:
    """Yields how often each action, and each with a thing in it, is offered and taken in a game, how often it is taken where it
    is offered, how often its takers win, and how much more than those who leave it (an association)."""
    import numpy as np

    rows = tables.of("actions")
    if not rows:
        return
    names, taken, games = rows["action"], rows["taken"].astype(float), tables.blocks_of(rows["game"])
    offered, won = rows["offered"].astype(float), rows["won"]
    with_things, numbers = np.array(["(" in name for name in names]), np.unique(rows["game"])
    found = _variety(names[~with_things], taken[~with_things], games[~with_things])
    if found is not None:
        yield "variety", found
    for name in (*frequent(names[~with_things]), *frequent(names[with_things])):
        of = names == name
        use = _used(taken[of], np.maximum(offered[of], taken[of]), games[of])
        if use is not None:
            yield f"use({name})", use
        for what, times in (("offered", offered), ("taken", taken)):
            yield f"{what}({name})", mean(_in_each(numbers, rows["game"][of], times[of]), tables.blocks_of(numbers))
        did = taken[of] > 0
        if did.any():
            yield f"won_with({name})", share(won[of][did], games[of][did])
        if 1 < did.sum() < of.sum() - 1:
            yield f"lift({name})", _difference(won[of], did, games[of])


def _used(taken: NDArray[Any], offered: NDArray[Any], blocks: NDArray[Any]) -> Estimate | None:
    """Returns the share of offers that are taken, with Wilson's interval, which also holds where none is; None without offers."""
    import numpy as np

    _, where = np.unique(blocks, return_inverse=True)
    took, could = np.bincount(where, weights=taken), np.bincount(where, weights=offered).astype(int)
    if not could.any():
        return None
    rate = Rate.of_blocks((t, o) for t, o in zip(took.tolist(), could.tolist(), strict=True) if o)
    return Estimate(rate.rate, rate.low, rate.high, len(took))


def _in_each(games: NDArray[Any], of: NDArray[Any], times: NDArray[Any]) -> NDArray[Any]:
    """Returns the sum of some numbers in each game; 0 in those of which there is none."""
    import numpy as np

    return np.bincount(np.searchsorted(games, of), weights=times, minlength=len(games))


def _variety(names: NDArray[Any], taken: NDArray[Any], blocks: NDArray[Any]) -> Estimate | None:
    """Returns how evenly actions are taken: the entropy of their shares over its maximum; None for a single action."""
    import numpy as np

    kinds, which = np.unique(names, return_inverse=True)
    several, where = np.unique(blocks, return_inverse=True)
    if len(kinds) < 2:
        return None
    counts = np.zeros((len(several), len(kinds)))
    np.add.at(counts, (where, which), taken)

    def evenness(at: NDArray[Any]) -> float:
        shares = counts[at].sum(axis=0) / max(counts[at].sum(), 1)
        known = shares[shares > 0]
        return float(-(known * np.log(known)).sum() / np.log(len(kinds)))

    return bootstrap(evenness, len(several))


def _difference(won: NDArray[Any], did: NDArray[Any], blocks: NDArray[Any]) -> Estimate:
    """Returns the mean share of the win of those who did something less that of those who could have."""
    import numpy as np

    _, where = np.unique(blocks, return_inverse=True)
    parts = (did * won, did.astype(float), ~did * won, (~did).astype(float))
    columns = np.stack([np.bincount(where, weights=part).astype(float) for part in parts], axis=1)
    return of_means(lambda m: float(m[0] / max(m[1], 1e-9) - m[2] / max(m[3], 1e-9)), columns)


def reach(tables: CellTables) -> Named:
    """Yields the share of rules, and of clauses they cite, that games reach, and the share of games that reach each."""
    import numpy as np

    rows = tables.of("rules")
    if not rows:
        return
    names, games = rows["rule"], tables.blocks_of(rows["game"])
    fired = rows["times"] > 0
    cites = np.array([name.startswith("[") for name in names])
    for name, of in (("reach", ~cites), ("reach_clauses", cites)):
        if of.any():
            yield f"{name}_per_game", ratio(fired[of].astype(float), np.ones(int(of.sum())), games[of])  # type: ignore[misc]
    each = {name: share(fired[names == name].astype(float), games[names == name]) for name in dict.fromkeys(names)}
    for name, in_brackets in (("reach", False), ("reach_clauses", True)):
        found = [one for rule, one in each.items() if rule.startswith("[") == in_brackets]
        if found:
            yield name, _reached(found)
    for name in sorted(each, key=lambda name: each[name].estimate)[:MOST_RULES]:
        yield f"fires({name})", each[name]


def _reached(each: list[Estimate]) -> Estimate:
    """Returns the share of rules that began in some game, which is certain, and at most those that may in RARE of all games."""
    began = sum(one.estimate > 0 for one in each) / len(each)
    may = sum(one.estimate > 0 or one.high is None or one.high >= RARE for one in each) / len(each)
    return Estimate(began, began, may, each[0].blocks)


def diverging(before: CellTables, after: CellTables) -> Named:
    """Yields the share of sampled games that go another way than under the first cell's rules, and the answer at which they do.

    Both cells play the same game up to there: an answer differs in who gives it, in how many options there are, or in what is taken.
    """
    import numpy as np

    one, other = (_by_game(tables.of("decisions")) for tables in (before, after))
    common = sorted(one.keys() & other.keys())
    if not common:
        return
    firsts = [_parting(one[game], other[game]) for game in common]
    parted = np.array([first is not None for first in firsts])
    blocks = after.blocks_of(np.array(common))
    yield "diverged", share(parted.astype(float), blocks)
    at = np.array([first for first in firsts if first is not None], dtype=float)
    if len(at):
        apart = [at[blocks[parted] == block] for block in np.unique(blocks[parted])]
        yield (
            "diverged_at",
            bootstrap(lambda some: float(np.median(np.concatenate([apart[i] for i in some]))), len(apart)),
        )


def _by_game(rows: ArrayColumns) -> dict[int, list[tuple[Any, ...]]]:
    found: dict[int, list[tuple[Any, ...]]] = {}
    columns = [rows[name].tolist() for name in ("game", "seat", "options", "action")] if rows else []
    for game, *decision in zip(*columns, strict=True):
        found.setdefault(game, []).append(tuple(decision))
    return found


def _parting(one: list[tuple[Any, ...]], other: list[tuple[Any, ...]]) -> int | None:
    """Returns the number of the first answer that differs; None if none does."""
    if one == other:
        return None
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
