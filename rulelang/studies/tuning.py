"""A grid of cells and goals -> the cells that meet them best, told on fresh seeds.

All cells are played on the same seeds. With one goal, after every round the worse half of them leaves the race and the
others play twice as many games (successive halving, Jamieson and Talwalkar 2016). Whoever is left is played again on
seeds that nobody has seen, and only these games say how good it is: the best that was seen is the luckiest, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, log2
from pathlib import Path
from typing import Any

import attrs

from rulelang.errors import InvalidInput
from rulelang.studies.comparing import by_block
from rulelang.studies.estimates import Estimate, of_means
from rulelang.studies.goals import Goal
from rulelang.studies.metrics import tables_of
from rulelang.studies.run import begin, run
from rulelang.studies.storage import Folder
from rulelang.studies.study import Study, StudyCell
from rulelang.studies.workers import Workers

LEAST = 20
"""The least games of a cell in the first round."""


@attrs.frozen
class Tuned:
    """A cell that is left: what it reaches of each goal, on fresh seeds, and the text of its variant ("" for the game itself)."""

    cell: StudyCell
    reached: tuple[Estimate, ...]
    variant: str


def tuned(
    study: Study, path: Path, goals: Sequence[Goal], workers: Workers, tell: Callable[[str], None]
) -> tuple[Tuned, ...]:
    """Returns the best cell, or of several goals all cells that no other one beats in every goal.

    `tell` gets a line after every round. Raises InvalidInput for a goal that names no mean of blocks.
    """
    rounds = 1 if len(goals) > 1 else max(ceil(log2(max(sum(1 for _ in study.cells()), 1))), 1)
    first = max(ceil(study.games / 2 ** (rounds - 1)), LEAST)
    # A round ends where a chunk does, so that the games of a round are all that is on the disk.
    folder = begin(attrs.evolve(study, chunk=first, games=first * 2 ** (rounds - 1)), path)
    left = [cell["number"] for cell in folder.cells()]
    for round_ in range(rounds):
        games = first * 2**round_
        for _ in run(folder, workers, left, games):
            pass
        values = {number: [one.estimate for one in _reached(folder, number, goals)] for number in left}
        if len(goals) > 1:
            left = [number for number in left if not any(_beats(values[other], values[number]) for other in left)]
        else:
            left = sorted(left, key=lambda number: (values[number], number))[: max(len(left) // 2, 1)]
        tell(f"{games} games of each: {len(left)} of {len(values)} cells left")
    return tuple(_told_afresh(folder, number, goals, workers) for number in left)


def _beats(one: Sequence[float], other: Sequence[float]) -> bool:
    """Returns whether one cell is at least as good in every goal, and better in some."""
    return all(a <= b for a, b in zip(one, other, strict=True)) and list(one) != list(other)


def _reached(folder: Folder, number: int, goals: Sequence[Goal]) -> list[Estimate]:
    """Returns how far a cell is from each goal."""
    import numpy as np

    facts = folder.facts()
    measures = tuple(name for name, _ in folder.study().measures)
    tables = tables_of(folder, number, tuple(facts["seats"][: facts["cells"][number]["players"]]), measures)
    if tables is None:
        raise InvalidInput("there is no game of this cell")
    found = dict(by_block(tables))
    found["win(first)"] = found[f"win({tables.seats[0]})"]
    names, columns = list(found), np.stack(list(found.values()), axis=1)

    def say(goal: Goal) -> Callable[[Any], float]:
        return lambda row: goal(dict(zip(names, map(float, row), strict=True)))

    return [of_means(say(goal), columns) for goal in goals]


def _told_afresh(folder: Folder, number: int, goals: Sequence[Goal], workers: Workers) -> Tuned:
    """Returns a cell as its games on fresh seeds say it is."""
    study = folder.study()
    cell = next(cell for cell in study.cells() if cell.number == number)
    axes = tuple(attrs.evolve(a, values=(w,)) for a, (_, w) in zip(study.axes, cell.parameters, strict=True))
    # Every block has a seed of its own, so the seeds behind all of them are fresh.
    fresh = attrs.evolve(
        study, axes=axes, seed=study.seed + study.games, bot_seed=study.bot_seed + study.games * study.repeats
    )
    again = begin(fresh, folder.path / "fresh" / f"{number:04}")
    for _ in run(again, workers):
        pass
    path = folder.variant(number)
    return Tuned(cell, tuple(_reached(again, 0, goals)), path.read_text("utf-8") if path.is_file() else "")
