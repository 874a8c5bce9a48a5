"""The course of a number over a game -> figures of that course: how high it stands, how much it changes, which way.

    aggregates(np.array([1.0, 3.0, 2.0]))["rise"]        2.0

AGGREGATES are those of Ludii's multi-metrics. Invariant: numbering the answers or the rounds otherwise changes nothing, only their
order counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from rulelang.studies.figures.estimates import Estimate, mean

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rulelang.studies.figures.tables import CellTables

Course: TypeAlias = "NDArray[Any]"
"""The values of one number in one game, one after another."""


def _median(course: Course) -> float:
    import numpy as np

    return float(np.median(course))


def _change(course: Course) -> float:
    return float(course[-1] - course[0]) / max(len(course) - 1, 1)


def _steps(course: Course) -> Course:
    return course[1:] - course[:-1]


def _direction(course: Course) -> float:
    import numpy as np

    return float(np.sign(_steps(course)).sum()) / max(len(course) - 1, 1)


def _slope(course: Course) -> float:
    import numpy as np

    time = np.arange(len(course)) - (len(course) - 1) / 2
    return float((time * course).sum() / max((time * time).sum(), 1e-12))


def _reversals(course: Course) -> float:
    import numpy as np

    signs = np.sign(_steps(course))
    signs = signs[signs != 0]
    return float((signs[1:] != signs[:-1]).sum()) / max(len(course) - 1, 1)


def _rise(course: Course) -> float:
    return float(max(_steps(course).max(initial=0.0), 0.0))


def _fall(course: Course) -> float:
    return float(max(-_steps(course).min(initial=0.0), 0.0))


AGGREGATES: tuple[tuple[str, Callable[[Course], float]], ...] = (
    ("mean", lambda course: float(course.mean())),
    ("median", _median),
    ("highest", lambda course: float(course.max())),
    ("lowest", lambda course: float(course.min())),
    ("variance", lambda course: float(course.var())),
    ("change", _change),
    ("direction", _direction),
    ("slope", _slope),
    ("reversals", _reversals),
    ("rise", _rise),
    ("fall", _fall),
)
"""What is said of a course: change and direction are of a step on average, reversals the share of steps that turn, rise and fall
the largest steps up and down, slope that of the line of least squares."""


def aggregates(course: Course) -> dict[str, float]:
    """Returns each of AGGREGATES for a course of one value or more.

    >>> import numpy as np
    >>> found = aggregates(np.array([1.0, 3.0, 2.0, 4.0]))
    >>> found["change"], found["slope"], found["fall"], round(found["reversals"], 2)
    (1.0, 0.8, 1.0, 0.67)
    """
    return {name: say(course) for name, say in AGGREGATES}


def courses(tables: CellTables) -> Iterator[tuple[str, Estimate]]:
    """Yields the aggregates of measures over the course of sampled games: of each seat's course, then their mean."""
    import numpy as np

    rows = tables.of("courses")
    for measure in tables.measures if rows else ():
        of = (rows["measure"] == measure) & ~np.isnan(rows["value"].astype(float))
        games, seats, values = rows["game"][of], rows["seat"][of], rows["value"][of].astype(float)
        if not len(games):
            continue
        # The rows of a game and seat follow each other in time.
        order = np.lexsort((rows["answer"][of], seats, games))
        games, seats, values = games[order], seats[order], values[order]
        begins = np.flatnonzero(np.r_[True, (games[1:] != games[:-1]) | (seats[1:] != seats[:-1])])
        each = [aggregates(course) for course in np.split(values, begins[1:])]
        blocks = tables.blocks_of(games[begins])
        for name, _ in AGGREGATES:
            yield f"{measure}.{name}", mean(np.array([one[name] for one in each]), blocks)
