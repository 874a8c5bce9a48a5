"""The course of a number over a game -> figures of that course: how high it stands, how much it changes, which way.

    aggregates(np.array([1.0, 3.0, 2.0]))["rise"]        2.0

AGGREGATES are those of Ludii's multi-metrics. Invariant: numbering the answers or the rounds otherwise changes nothing, only their
order counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

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
    """Yields the aggregates over the course of sampled games: of measures, of values and scores where positions were valued, by
    seat; of the number of options, the margin between the first and the second score, and the share that is hidden."""
    import numpy as np

    for number, (games, answers, seats, values) in (*_values(tables), *_numbers(tables), *_of_all(tables)):
        if not len(games):
            continue
        # The rows of a game and seat follow each other in time.
        order = np.lexsort((answers, seats, games))
        games, seats, values = games[order], seats[order], values[order]
        begins = np.flatnonzero(np.r_[True, (games[1:] != games[:-1]) | (seats[1:] != seats[:-1])])
        each = [aggregates(course) for course in np.split(values, begins[1:])]
        blocks = tables.blocks_of(games[begins])
        for name, _ in AGGREGATES:
            yield f"{number}.{name}", mean(np.array([one[name] for one in each]), blocks)


def _values(tables: CellTables) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yields the values of positions on the way as `_numbers` yields other numbers."""
    if "value" in (rows := tables.of("values")):
        yield "value", _known(*(rows[name] for name in ("game", "answer", "seat", "value")))


def _of_all(tables: CellTables) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yields the numbers of a position that belong to no seat, as `_numbers` yields others: each game has one course."""
    import numpy as np

    for name, table in (("options", "decisions"), ("margin", "decisions"), ("hidden", "looks")):
        rows = tables.of(table)
        if name in rows:
            values = rows[name] / rows["cells"] if name == "hidden" else rows[name]
            yield name, _known(rows["game"], rows["answer"], np.zeros(len(values), dtype=np.int16), values)


MOMENTS = tuple(range(0, 101, 10))
"""The moments of a game, in percent of its answers, at which a number over time is told."""


@attrs.frozen
class OverTime:
    """The course of a number over a game: by seat, its mean at each of MOMENTS."""

    name: str
    by_seat: Mapping[str, tuple[Estimate, ...]]

    @property
    def sentence(self) -> str:
        """Its beginning, middle and end, over all seats."""
        first, half, last = (
            sum(course[at].estimate for course in self.by_seat.values()) / len(self.by_seat)
            for at in (0, len(MOMENTS) // 2, -1)
        )
        return f"{self.name} goes from {first:.1f} to {last:.1f} on average; at half-time it is {half:.1f}"


def over_time(tables: CellTables) -> Iterator[OverTime]:
    """Yields the course of the score, where positions were valued, and of each measure, over sampled games."""
    for name, (games, answers, seats, values) in _numbers(tables):
        by_seat = {
            title: _at_moments(tables, games[seats == seat], answers[seats == seat], values[seats == seat])
            for seat, title in enumerate(tables.seats)
            if (seats == seat).any()
        }
        if by_seat:
            yield OverTime(name, by_seat)


def _numbers(tables: CellTables) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yields the names of numbers, with their values on the way: columns of games, answers, seats and values."""
    import numpy as np

    if rows := tables.of("values"):
        # Positions are valued before answers only, so the score at the end comes from the table of games.
        ends = tables.games
        last = np.isin(ends["game"], rows["game"])
        columns = ("game", "game"), ("answer", "answers"), ("seat", "seat"), ("score", "score")
        yield "score", _known(*(np.concatenate([rows[now], ends[then][last]]) for now, then in columns))
    if rows := tables.of("courses"):
        for measure in tables.measures:
            of = rows["measure"] == measure
            yield measure, _known(*(rows[name][of] for name in ("game", "answer", "seat", "value")))


def _known(games: Course, answers: Course, seats: Course, values: Course) -> tuple[Course, ...]:
    """Returns the rows whose value is known, in the order of games and answers."""
    import numpy as np

    values = values.astype(float)
    order = np.lexsort((answers, games))
    order = order[~np.isnan(values[order])]
    return games[order], answers[order], seats[order], values[order]


def _at_moments(tables: CellTables, games: Course, answers: Course, values: Course) -> tuple[Estimate, ...]:
    """Returns the mean of a seat's number at each moment: in each game, the last value that was seen by then."""
    import numpy as np

    begins = np.flatnonzero(np.r_[True, games[1:] != games[:-1]])
    lengths = tables.by_game("answers")[np.searchsorted(tables.by_game("game"), games[begins])].astype(float)
    moments = np.array(MOMENTS)
    seen = [
        course[np.maximum(np.searchsorted(at, moments * length / 100, side="right") - 1, 0)]
        for at, course, length in zip(np.split(answers, begins[1:]), np.split(values, begins[1:]), lengths, strict=True)
    ]
    blocks = tables.blocks_of(games[begins])
    return tuple(mean(column, blocks) for column in np.stack(seen, axis=1))
