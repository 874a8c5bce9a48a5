"""Cells in which a bot plays itself at a lower budget -> the rungs of a ladder of skill, and how high it is climbed.

    bots = ["mcts:64/mcts:32", "mcts:128/mcts:64"]      two rungs

A rung is climbed if the higher budget wins more than an equal share, for certain: a game in which more thought helps no more has a
short ladder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Any

import attrs

from rulelang.studies.figures.estimates import Estimate


@attrs.frozen
class Rung:
    """One rung: the budgets, the part of the win that the higher one has in a seat, that in Elo, and an equal share."""

    lower: int
    higher: int
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
    """Returns the rungs among cells, given by their parameters, players and metrics, the lowest first."""
    found = []
    for parameters, players, metrics in cells:
        names = dict.fromkeys(name.strip() for name in parameters.get("bots", "").split("/"))
        budgets = {_budget(name): name for name in names}
        if len(names) == 2 and 0 not in budgets and len({name.split(":")[0] for name in names}) == 1:
            lower, higher = sorted(budgets)
            best = budgets[higher]
            found.append(Rung(lower, higher, metrics[f"win({best})"], metrics.get(f"elo({best})"), 1 / players))
    return tuple(sorted(found, key=lambda rung: (rung.lower, rung.higher)))


def _budget(name: str) -> int:
    """Returns the budget in a bot's name; 0 if it has none.

    >>> _budget("mcts:64"), _budget("greedy")
    (64, 0)
    """
    words = name.split(":")
    return int(words[1]) if len(words) == 2 and words[1].isdecimal() else 0


def ladder(found: tuple[Rung, ...]) -> str:
    """Returns the height of a ladder of two rungs or more as a sentence.

    >>> sure = Estimate(0.75, 0.7, 0.8, 200)
    >>> ladder((Rung(32, 64, sure, Estimate(191.0, 150.0, 240.0, 200), 0.5), Rung(64, 128, sure, None, 0.5)))
    'More thought wins on 2 of 2 rungs in a row, from 32 to 128; they are 191 points of Elo'
    """
    climbed = list(takewhile(lambda rung: rung.is_climbed, found))
    if not climbed:
        return f"More thought wins no more for certain, from {found[0].lower} to {found[0].higher} on"
    points = sum(rung.elo.estimate for rung in climbed if rung.elo is not None)
    where = f"from {climbed[0].lower} to {climbed[-1].higher}"
    return f"More thought wins on {len(climbed)} of {len(found)} rungs in a row, {where}; they are {points:.0f} points of Elo"
