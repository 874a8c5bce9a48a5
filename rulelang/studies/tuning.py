"""A grid of cells and goals -> the cells that meet them best, told on fresh seeds.

All cells are played on the same seeds. With one goal, after every round the worse half of them leaves the race and the
others play twice as many games (successive halving, Jamieson and Talwalkar 2016). Whoever is left is played again on
seeds that nobody has seen, and only these games say how good it is: the best that was seen is the luckiest, too.

    goal_of("abs(win(first) - 0.5)")({"win(first)": 0.53, …})        0.03

A goal is made of metrics that are means over blocks, numbers, + - * /, abs, min and max.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from math import ceil, log2
from pathlib import Path
from typing import Any

import attrs

from rulelang.diagnostics.suggest import hint
from rulelang.errors import InvalidInput
from rulelang.studies.figures.comparing import by_block
from rulelang.studies.figures.estimates import Estimate, of_means
from rulelang.studies.figures.tables import tables_of
from rulelang.studies.run import begin, run
from rulelang.studies.storage import Folder
from rulelang.studies.study import Study, StudyCell
from rulelang.studies.workers import Workers

LEAST = 20
"""The least games of a cell in the first round."""


FUNCTIONS = {"abs": abs, "min": min, "max": max}
"""The functions of a goal."""
MOST_LETTERS = 500
"""The most letters of a goal."""


@attrs.frozen
class Goal:
    """A formula over metrics."""

    text: str
    tree: ast.expr = attrs.field(eq=False, repr=False)

    def __call__(self, metrics: Mapping[str, float]) -> float:
        """Returns its value; raises InvalidInput for a metric that is not there, or a division by 0."""
        try:
            return _value(self.tree, metrics)
        except ZeroDivisionError:
            raise InvalidInput(f"the goal {self.text} divides by 0") from None


def goal_of(text: str) -> Goal:
    """Returns a goal from its words; raises InvalidInput for anything but a formula over metrics.

    >>> goal_of("abs(win(first) - 0.5) + length / 100")({"win(first)": 0.75, "length": 50})
    0.75
    """
    if len(text) > MOST_LETTERS:
        raise InvalidInput(f"a goal has at most {MOST_LETTERS} letters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InvalidInput(f"the goal {text!r} is not a formula; write one such as abs(win(first) - 0.5)") from None
    _check(tree)
    return Goal(text.strip(), tree)


def _check(node: ast.expr) -> None:
    """Raises InvalidInput if a part of a goal is no formula."""
    match node:
        case ast.Constant(value=int() | float()) | ast.Name():
            return
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            _check(operand)
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), left=left, right=right):
            _check(left)
            _check(right)
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]) if name in FUNCTIONS and parts:
            for part in parts:
                _check(part)
        case ast.Call(func=ast.Name(), args=[ast.Name()], keywords=[]):
            return
        case _:  # a tree of Python has many more kinds of nodes, none of which belongs into a formula
            raise InvalidInput(f"`{ast.unparse(node)}` has no place in a goal; write one such as abs(win(first) - 0.5)")


def _value(node: ast.expr, metrics: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.UnaryOp(operand=operand):
            return -_value(operand, metrics)
        case ast.BinOp(op=op, left=left, right=right):
            a, b = _value(left, metrics), _value(right, metrics)
            return (
                a + b
                if isinstance(op, ast.Add)
                else a - b
                if isinstance(op, ast.Sub)
                else (a * b if isinstance(op, ast.Mult) else a / b)
            )
        case ast.Call(func=ast.Name(id=name), args=parts) if name in FUNCTIONS:
            values = [_value(part, metrics) for part in parts]
            return float(abs(values[0]) if name == "abs" else FUNCTIONS[name](values))  # type: ignore[operator]
        case _:  # a name, or `win(first)`, which `_check` has seen
            name = ast.unparse(node)
            if name not in metrics:
                raise InvalidInput(f"no mean of blocks is called {name!r}{hint(name, metrics)}")
            return metrics[name]


@attrs.frozen
class Tuned:
    """A cell that is left: its value for each goal, on fresh seeds, and the text of its variant ("" for the game itself)."""

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
    tables = tables_of(folder, number, tuple(facts["seats"][: facts["cells"][number]["players"]]), folder.study())
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
