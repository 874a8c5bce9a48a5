"""A replayed game and a viewer -> the course of each seat's score, as far as the viewer could know it at the time.

course_of(again, seat=0)      ScoreCourse(steps=(0, 1, 2, …), scores=((0, 0, 3, …), (0, None, None, …)))
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rulelang.api import replay
from rulelang.ir import model as ir
from rulelang.ir.types import NONE
from rulelang.log.reading import read_log
from rulelang.log.replay import Replay
from rulelang.match import inputs
from rulelang.match.match import BareMatch
from rulelang.screens.build import ScreenBuilder
from rulelang.session.table import GameTable

MOST_STEPS = 160
"""The most steps at which scores are computed; a longer game is sampled evenly."""


@attrs.frozen
class ScoreCourse:
    """The scores of a game at some of its steps."""

    steps: tuple[int, ...]
    scores: tuple[tuple[int | None, ...], ...]
    """By seat: its score after each of these steps; None where the viewer could not know it."""


def courses(table: GameTable, seats: Mapping[str, int | None]) -> dict[str, ScoreCourse | None]:
    """Returns the course for each of some viewers (None: a spectator) of a table whose log is on the disk.

    Raises LogError, OSError."""
    if table.log is None or table.match.game.score is None:
        return {}
    table.sync()
    again = replay(read_log(table.log), under=table.game, compares=False)
    return {name: course_of(again, seat) for name, seat in seats.items()}


def course_of(again: Replay, seat: int | None, *, sees_all: bool = False) -> ScoreCourse | None:
    """Returns the course of the scores as a seat (None: a spectator) could follow it; None where nothing is known of it."""
    value = again.match.game.score
    if value is None:
        return None
    path = [step for step in (0, *again.log.steps.standing) if step < len(again.positions)]
    steps = _sampled(path)
    rows = [_scores(again.glimpse(step), value, seat, sees_all=sees_all) for step in steps]
    if not any(score is not None for row in rows for score in row):
        return None
    return ScoreCourse(steps, tuple(zip(*rows, strict=True)))


def _sampled(path: list[int]) -> tuple[int, ...]:
    """Returns some steps, the first and the last among them.

    >>> len(_sampled([*range(1000)])), _sampled([*range(1000)])[-1], _sampled([0, 3])
    (160, 999, (0, 3))
    """
    if len(path) <= MOST_STEPS:
        return tuple(path)
    return tuple(path[i * (len(path) - 1) // (MOST_STEPS - 1)] for i in range(MOST_STEPS))


def _scores(match: BareMatch, value: int, seat: int | None, *, sees_all: bool) -> tuple[int | None, ...]:
    seen = match.opened() if sees_all else match
    said = ScreenBuilder.of(seen, inputs.viewer(None if sees_all else seat, match.players))
    found = (said.value(ir.CallValue(value, (ir.Const(one),))) for one in range(match.players))
    return tuple(None if score == NONE else score for score in found)
