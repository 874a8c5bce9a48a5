"""Cells in which a bot plays itself at a lower budget, or the bot before it -> the rungs of a ladder of skill, and how high it is climbed.

    bots = ["mcts:64/mcts:32*", "mcts:128/mcts:64*"]                  two rungs, one against all others
    bots = ["greedy/random", "planner/greedy", "mcts/planner"]        three

A rung is climbed if the higher budget wins more than an equal share, for certain: a game in which more thought helps no more has a
short ladder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise, takewhile
from typing import Any

import attrs

from rulelang.studies.figures.estimates import Estimate
from rulelang.studies.study import REST, table_of


@attrs.frozen
class Rung:
    """One rung: the budgets, or the bots where they are no budgets of one; the part of the win that the higher one has in a seat, that in Elo, and an equal share."""

    lower: int | str
    higher: int | str
    win: Estimate
    elo: Estimate | None
    equal: float

    @property
    def is_climbed(self) -> bool:
        """Whether the higher budget wins more for certain."""
        return self.win.low is not None and self.win.low > self.equal

    def to_data(self) -> dict[str, Any]:
        """Returns it as plain data."""
        elo = None if self.elo is None else self.elo.to_data()
        told = {"lower": self.lower, "higher": self.higher, "win": self.win.to_data(), "elo": elo}
        return told | {"equal": self.equal, "climbed": self.is_climbed}


def rungs(cells: Iterable[tuple[Mapping[str, str], int, Mapping[str, Estimate]]]) -> tuple[Rung, ...]:
    """Returns the rungs among cells, given by their parameters, players and metrics, the lowest first.

    If each cell's second bot is the first one of the cell before it, these are the rungs; else those of a bot that plays itself
    at another budget.
    """
    tables = [
        (
            tuple(dict.fromkeys(name.removesuffix(REST) for name in table_of(parameters.get("bots", "")))),
            players,
            metrics,
        )
        for parameters, players, metrics in cells
    ]
    pairs = [(names, players, metrics) for names, players, metrics in tables if len(names) == 2]
    alike = [pair for pair in pairs if len({_budget(name)[0] for name in pair[0]}) == 1]
    if len(alike) < len(pairs) > 1 and all(low[0][0] == high[0][1] for low, high in pairwise(pairs)):
        return tuple(_rung(lower, higher, higher, players, metrics) for (higher, lower), players, metrics in pairs)
    found = []
    for names, players, metrics in alike:
        (lower, _), (higher, best) = sorted((_budget(name)[1], name) for name in names)
        if lower:
            found.append(_rung(lower, higher, best, players, metrics))
    return tuple(sorted(found, key=lambda rung: (rung.lower, rung.higher)))


def _rung(lower: int | str, higher: int | str, best: str, players: int, metrics: Mapping[str, Estimate]) -> Rung:
    return Rung(lower, higher, metrics[f"win({best})"], metrics.get(f"elo({best})"), 1 / players)


def _budget(name: str) -> tuple[str, int]:
    """Returns a bot's name without its budget, and the budget; 0 if it has none.

    >>> _budget("mcts:64"), _budget("greedy"), _budget("mine.py:Deep:9")
    (('mcts', 64), ('greedy', 0), ('mine.py:Deep', 9))
    """
    kind, _, budget = name.rpartition(":")
    return (kind, int(budget)) if kind and budget.isdecimal() else (name, 0)


def ladder(found: tuple[Rung, ...]) -> str:
    """Returns the height of a ladder of two rungs or more as a sentence.

    >>> sure = Estimate(0.75, 0.7, 0.8, 200)
    >>> ladder((Rung(32, 64, sure, Estimate(191.0, 150.0, 240.0, 200), 0.5), Rung(64, 128, sure, None, 0.5)))
    'More thought wins on 2 of 2 rungs in a row, from 32 to 128; they are 191 points of Elo'
    """
    climbed = list(takewhile(lambda rung: rung.is_climbed, found))
    who = "More thought" if isinstance(found[0].lower, int) else "The next bot"
    if not climbed:
        return f"{who} wins no more for certain, from {found[0].lower} to {found[0].higher} on"
    points = sum(rung.elo.estimate for rung in climbed if rung.elo is not None)
    where = f"from {climbed[0].lower} to {climbed[-1].higher}"
    return f"{who} wins on {len(climbed)} of {len(found)} rungs in a row, {where}; they are {points:.0f} points of Elo"
