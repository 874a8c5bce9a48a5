"""The values of positions on the way -> how open a game stays: drama, changes of the lead, runaway, the moment of decision.

A position's value is each seat's mean part of the win in playouts from there. A seat leads if its value is within two standard
errors of the best one. Figures are means of sampled games, paired with their blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.studies.figures.estimates import Estimate, mean, of_means
from rulelang.studies.figures.tables import CellTables

if TYPE_CHECKING:
    from numpy.typing import NDArray

Named = Iterator[tuple[str, Estimate]]
AHEAD = 0.9
"""The share of playouts from which on a game counts as decided."""
SURE = 2.0
"""So many standard errors below the best value a seat does not lead."""
QUARTERS = (25, 50, 75)
"""The moments of a game, in percent of its answers, at which figures are told."""


@attrs.frozen(eq=False)
class _Course:
    """The valued positions of one game, in order: their answers, and by seat values, errors and scores; and for each answer of
    the game the seat that gave it, and whether it had two options or more."""

    players: int
    length: int
    answers: NDArray[Any]
    values: NDArray[Any]
    errors: NDArray[Any]
    scores: NDArray[Any]
    won: NDArray[Any]
    seats: NDArray[Any]
    real: NDArray[Any]

    @property
    def ours(self) -> NDArray[Any]:
        """The value of the winner at each position; of several, their mean."""
        found: NDArray[Any] = self.values @ (self.won / self.won.sum())
        return found

    def at(self, percent: int) -> int:
        """Returns the index of the last valued position before a moment of the game."""
        import numpy as np

        return max(int(np.searchsorted(self.answers, self.length * percent / 100, side="right")) - 1, 0)

    @property
    def leads(self) -> NDArray[Any]:
        """Whether a seat leads: a row for each position, a column for each seat."""
        found: NDArray[Any] = self.values >= self.values.max(axis=1, keepdims=True) - SURE * self.errors
        return found

    def turnovers(self) -> int:
        """Returns how often the lead changes: whoever led alone before, or came after that, is no longer among those who lead."""
        count, last = 0, None
        for leads in self.leads:
            if last is not None and not (leads & last).any():
                count += 1
                last = leads
            elif leads.sum() == 1:
                last = leads
        return count

    def dead_time(self) -> int:
        """Returns the decisions that those who do not win still have once the game is decided."""
        return int((self.real[self.open_until() :] & (self.won[self.seats[self.open_until() :]] == 0)).sum())

    def open_until(self) -> int:
        """Returns the first answer after which the winner's value stays at AHEAD or above."""
        import numpy as np

        low = np.flatnonzero(self.ours < AHEAD)
        if not len(low):
            return 0
        after = int(low[-1]) + 1
        return int(self.answers[after]) if after < len(self.answers) else self.length

    def entropy(self) -> NDArray[Any]:
        """Returns how uncertain each position is: 0 if one seat wins for sure, 1 if all are as likely to."""
        import numpy as np

        parts = self.values / np.maximum(self.values.sum(axis=1, keepdims=True), 1e-12)
        found: NDArray[Any] = (-parts * np.log(np.maximum(parts, 1e-12))).sum(axis=1) / np.log(self.players)
        return found


def _courses(tables: CellTables) -> Iterator[tuple[int, _Course]]:
    """Yields the sampled games that somebody won, with their numbers."""
    import numpy as np

    rows, players = tables.of("values"), tables.players
    games, won, lengths = tables.by_game("game"), tables.by_seat("won"), tables.by_game("answers")
    values, errors, scores = (rows[name].astype(float).reshape(-1, players) for name in ("value", "error", "score"))
    of, answers, decisions = rows["game"][::players], rows["answer"][::players], tables.of("decisions")
    for game in np.unique(of):
        at = int(np.searchsorted(games, game))
        if won[at].max() > 0:
            here = of == game
            length, parts = max(int(lengths[at]), 1), (values[here], errors[here], scores[here])
            its = decisions["game"] == game
            given = decisions["seat"][its], decisions["options"][its] > 1
            yield int(game), _Course(players, length, answers[here], *parts, won[at], *given)


def tension(tables: CellTables) -> Named:
    """Yields the figures of tension, where positions were valued."""
    import numpy as np

    if not tables.of("values"):
        return
    figures: dict[str, list[float]] = {}
    games: list[int] = []
    for game, course in _courses(tables):
        games.append(game)
        for name, value in _of_course(course):
            figures.setdefault(name, []).append(value)
    blocks = tables.blocks_of(np.array(games, dtype=np.int64))
    for name, found in figures.items():
        values = np.array(found)
        if not np.isnan(values).any():
            yield name, mean(values, blocks)
    if tables.players > 1 and games:
        yield from _held(tables, blocks)


def _of_course(course: _Course) -> Iterator[tuple[str, float]]:
    ours, behind = course.ours, course.values.max(axis=1) - course.ours
    yield "drama", float(behind.mean())
    yield "drama_depth", float(behind.max())
    yield "comeback", float(ours.min() < 1 / (2 * course.players))
    until = course.open_until()
    yield "decided_at", min(until / course.length, 1.0)
    yield "decided_left", float(course.dead_time())
    if course.players == 1:
        return
    turnovers = course.turnovers()
    yield "turnovers", float(turnovers)
    yield "turnovers_per_100", 100 * turnovers / max(int(course.real.sum()), 1)
    entropy = course.entropy()
    yield "uncertainty", float(entropy.mean())
    for percent in QUARTERS:
        yield f"uncertainty_{percent}", float(entropy[course.at(percent)])
    yield "uncertainty_slope", _slope(course.answers / course.length, entropy)
    for percent in QUARTERS:
        leads = course.leads[course.at(percent)]
        # Of several who lead, each is as good a guess.
        part = float((leads & (course.won > 0)).any() / leads.sum()) if leads.any() else 0.0
        yield f"runaway_{percent}", part - 1 / course.players


def _slope(moments: NDArray[Any], values: NDArray[Any]) -> float:
    """Returns the slope of a line through some points; 0 where there is only one."""
    apart = moments - moments.mean()
    below = float(apart @ apart)
    return float(apart @ (values - values.mean())) / below if below else 0.0


def _held(tables: CellTables, blocks: NDArray[Any]) -> Named:
    """Yields how well half-time tells the end: the correlation of values with wins, and of scores with final scores."""
    import numpy as np

    middles, ends = [], []
    scored: list[tuple[NDArray[Any], NDArray[Any]]] = []
    final = tables.by_seat("score").astype(float)
    for game, course in _courses(tables):
        at = course.at(50)
        middles.append(course.values[at])
        ends.append(course.won)
        scored.append((course.scores[at], final[int(np.searchsorted(tables.by_game("game"), game))]))
    found = _correlation(np.stack(middles), np.stack(ends), blocks)
    if found is not None:
        yield "runaway_value", found
    if not any(isnan(value) for now, then in scored for value in (*now, *then)):
        found = _correlation(np.stack([now for now, _ in scored]), np.stack([then for _, then in scored]), blocks)
        if found is not None:
            yield "runaway_score", found


def _correlation(now: NDArray[Any], then: NDArray[Any], blocks: NDArray[Any]) -> Estimate | None:
    """Returns the correlation of what seats are ahead by at two moments, from the bootstrap over blocks."""
    import numpy as np

    now, then = now - now.mean(axis=1, keepdims=True), then - then.mean(axis=1, keepdims=True)
    _, where = np.unique(blocks, return_inverse=True)
    products = ((now * then).sum(axis=1), (now * now).sum(axis=1), (then * then).sum(axis=1))
    columns = np.stack([np.bincount(where, weights=product).astype(float) for product in products], axis=1)
    if not columns[:, 1].sum() or not columns[:, 2].sum():
        return None
    return of_means(lambda m: float(m[0] / max((m[1] * m[2]) ** 0.5, 1e-12)), columns)
