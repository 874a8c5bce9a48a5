"""The course of a game's scores -> a plot: a line for each seat, named at its end.

plot(course, ("Red", "Blue"), ink)      <svg class="plot" viewBox="0 0 480 240">…</svg>
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rulelang.pages.ink import Ink
from rulelang.pages.markup import Markup, element, rounded, together
from rulelang.session.after.course import ScoreCourse

WIDE, HIGH = 480.0, 220.0
LEFT, RIGHT, TOP, BOTTOM = 46.0, 118.0, 12.0, 26.0
"""The margins around the lines: for numbers, for names, and for the steps below."""
APART = 14.0
"""The least distance between names."""
LONGEST = 14
"""The most letters of a name."""


def plot(course: ScoreCourse, seats: Sequence[str], ink: Ink, at: int | None = None) -> Markup:
    """Returns the plot of a game's scores; `at` is a step to be marked."""
    known = [score for line in course.scores for score in line if score is not None]
    scale = _Scale(course.steps[-1], min(known), max(known))
    said = ", ".join(
        f"{name} {last}" for name, line in zip(seats, course.scores, strict=True) if (last := line[-1]) is not None
    )
    title = f"The course of the scores; at the end: {said}" if said else "The course of the scores"
    mark = None
    if at is not None:
        x = scale.across(at)
        mark = element("line", klass="now", x1=x, x2=x, y1=TOP, y2=HIGH - BOTTOM)
    return element(
        "svg",
        element("title", title),
        tuple(_axes(scale)),
        mark,
        tuple(_line(course.steps, line, scale, ink, name) for name, line in zip(seats, course.scores, strict=True)),
        tuple(_names(course, seats, scale, ink)),
        klass="plot",
        viewBox=f"0 0 {rounded(WIDE)} {rounded(HIGH)}",
        role="img",
        aria_label=title,
    )


class _Scale:
    """Turns steps and scores into coordinates."""

    def __init__(self, last: int, low: int, high: int) -> None:
        self.last, self.low, self.high = max(last, 1), low, max(high, low + 1)

    def across(self, step: int) -> float:
        """Returns the coordinate of a step."""
        return LEFT + (WIDE - LEFT - RIGHT) * step / self.last

    def down(self, score: int) -> float:
        """Returns the coordinate of a score."""
        return TOP + (HIGH - TOP - BOTTOM) * (self.high - score) / (self.high - self.low)

    def point(self, step: int, score: int) -> str:
        """Returns the point of a score, as a line lists it."""
        return f"{rounded(self.across(step))},{rounded(self.down(score))}"


def _axes(scale: _Scale) -> Iterator[Markup]:
    """Yields the lines of the least and the greatest score, of 0 between them, and the number of steps."""
    inside = [0] if scale.low < 0 < scale.high else []
    for score in (scale.low, *inside, scale.high):
        y = scale.down(score)
        yield element("line", klass="axis", x1=LEFT, x2=WIDE - RIGHT, y1=y, y2=y)
        yield element("text", str(score).replace("-", "−"), klass="tick", x=LEFT - 6, y=y + 4)
    yield element("text", f"step {scale.last}", klass="tick", x=scale.across(scale.last), y=HIGH - 8)


def _line(steps: Sequence[int], line: Sequence[int | None], scale: _Scale, ink: Ink, name: str) -> Markup:
    """Returns the line of a seat, with gaps where its score was not known."""
    pairs = zip(steps, line, strict=True)
    runs = [[*run] for is_known, run in groupby(pairs, lambda pair: pair[1] is not None) if is_known]
    drawn = (
        element(
            "polyline",
            klass=f"course ink-{ink.seats.get(name, 'grey')}",
            points=" ".join(scale.point(step, score) for step, score in run if score is not None),
        )
        for run in runs
    )
    return together(*drawn)


def _names(course: ScoreCourse, seats: Sequence[str], scale: _Scale, ink: Ink) -> Iterator[Markup]:
    """Yields the name and the last score of each seat, at the end of its line, none upon another."""
    ends = [
        (scale.down(line[-1]), name, line[-1])
        for name, line in zip(seats, course.scores, strict=True)
        if line[-1] is not None
    ]
    free = TOP
    for number, (y, name, score) in enumerate(sorted(ends, key=lambda end: end[0])):
        left = len(ends) - number - 1
        free = min(max(y, free), HIGH - BOTTOM - APART * left)
        shown = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
        at = WIDE - RIGHT + 8
        yield element("circle", klass=f"piece ink-{ink.seats.get(name, 'grey')}", cx=at, cy=free, r=4)
        words = f"{shown} {score}".replace(" -", " −")
        yield element("text", words, klass="end", x=WIDE - RIGHT + 16, y=free + 4)
        free += APART
