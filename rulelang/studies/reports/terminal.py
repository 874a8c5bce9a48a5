"""A report -> its plots in letters, as a terminal and Markdown show them.

    for plot in plots(report):
        plot.caption             "How often each seat wins; ┊ is an equal share"
        plot.lines               "  red   50.4 %           ├─●─┊─┤", …

Blocks and lines are enough for all that is plotted, so no library draws them. What is not shown to differ has a hollow point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import attrs

from rulelang.diagnostics.render import columns_of
from rulelang.studies.figures.comparing import amount
from rulelang.studies.figures.effects import extremes, strongest
from rulelang.studies.figures.estimates import Estimate
from rulelang.studies.figures.ladder import ladder
from rulelang.studies.reports.report import CellReport, LengthBar, Report
from rulelang.studies.reports.sentences import shown

WIDTH = 32
"""The letters of an interval, less one."""
HEIGHT = 4
"""The lines of a histogram."""
MOST_WIDE = 60
"""About as many letters at most has a histogram."""
MOST_CELLS, MOST_ROWS = 4, 12
"""The most cells, and the most rows of a plot."""
EIGHTHS = " ▁▂▃▄▅▆▇█"


@attrs.frozen
class TextPlot:
    """A plot in letters, with the sentence above it."""

    caption: str
    lines: tuple[str, ...]


@attrs.frozen
class Row:
    """One interval of a plot: what it is of, the figure in words, and whether it is shown to differ."""

    label: str
    told: str
    figure: Estimate
    is_shown: bool = True


def plots(report: Report) -> Iterator[TextPlot]:
    """Yields the plots of a report: those that the page has, but for the headlines, which stand in its tables."""
    yield from _between_cells(report)
    equal = "" if _equal_share(report) is None else "; ┊ is an equal share"
    yield TextPlot(f"How often each seat wins{equal}", _seats(report))
    yield TextPlot("How long games are, in answers", tuple(_lengths(report.cells[:MOST_CELLS])))
    first = report.cells[0]
    where = f" ({first.label})" if len(report.cells) > 1 else ""
    for course in first.over_time:
        told = {seat: [one.estimate for one in moments] for seat, moments in course.by_seat.items()}
        yield TextPlot(f"{course.name} over a game{where}: {course.sentence}", tuple(_courses(told)))
    for beginning, caption, mark in NAMED:
        if lines := _named(first, beginning, mark):
            yield TextPlot(caption + where, lines)


NAMED = (
    ("use(", "How often each action is taken where it is offered", None),
    ("luck_share(", "How much of the variance of wins each source of chance explains alone", None),
    ("luck_share_score(", "How much of the variance of scores each source of chance explains alone", None),
    ("worth(", "How much more a seat wins that must take an action than one that must not; ┊ is no more", 0.0),
)
"""The beginnings of the names of figures that are plotted together, the captions, and what is marked."""


def _between_cells(report: Report) -> Iterator[TextPlot]:
    """Yields the plots of what differs between cells; each metric has a scale of its own."""
    moved = [
        (metric, _row(metric, f"{axis}={one.value}", one.moved, is_shown=one.is_shown))
        for (metric, axis), ends in extremes(report.effects).items()
        for one in ends
    ]
    if moved:
        caption = f"How far each swept name moves the mean over all cells (┊): {strongest(report.effects)}"
        yield TextPlot(caption, _by_metric(moved))
    others = [cell for cell in report.cells if cell.against]
    differing = [
        (one.name, _row(one.name, cell.label, one.apart, is_shown=one.is_shown))
        for cell in others
        for one in cell.against
        if one.difference
    ]
    if differing:
        bases = " or ".join(dict.fromkeys(report.base_of(cell).label for cell in others))
        yield TextPlot(f"What differs from {bases} (┊), on the same seeds; ○ is not shown", _by_metric(differing))
    if len(report.rungs) > 1:
        rows = [
            Row(f"{rung.higher} against {rung.lower}", shown("win(", rung.win), rung.win, rung.is_climbed)
            for rung in report.rungs
        ]
        caption = f"How often the higher one wins; ┊ is an equal share. {ladder(report.rungs)}"
        yield TextPlot(caption, intervals(rows, report.rungs[0].equal))


def _by_metric(rows: Sequence[tuple[str, Row]]) -> tuple[str, ...]:
    """Returns the intervals of each metric below its name, around 0."""
    metrics = dict.fromkeys(metric for metric, _ in rows)
    return tuple(
        line
        for metric in metrics
        for line in (f"  {metric}", *intervals([row for of, row in rows if of == metric], 0.0))
    )


def _row(metric: str, label: str, figure: Estimate, *, is_shown: bool) -> Row:
    return Row(label, amount(metric, figure.estimate, sign=True), figure, is_shown)


def _seats(report: Report) -> tuple[str, ...]:
    rows = [
        Row(f"{cell.label}: {seat}" if len(report.cells) > 1 else seat, shown("win(", one), one)
        for cell in report.cells[: 2 * MOST_CELLS]
        for seat in cell.tables.seats
        for one in (cell.metrics[f"win({seat})"],)
    ]
    return intervals(rows, _equal_share(report))


def _equal_share(report: Report) -> float | None:
    """Returns an equal share of the wins; None where cells differ in the number of players."""
    counts = {cell.players for cell in report.cells}
    return 1 / counts.pop() if len(counts) == 1 else None


def _named(cell: CellReport, beginning: str, mark: float | None) -> tuple[str, ...]:
    """Returns the figures of a cell whose names begin alike, the largest first; () if there are none."""
    found = [(name[len(beginning) : -1], one) for name, one in cell.metrics.items() if name.startswith(beginning)]
    found.sort(key=lambda pair: -pair[1].estimate)
    rows = [Row(name, shown(beginning, one), one) for name, one in found]
    if len(rows) <= MOST_ROWS:
        return intervals(rows, mark)
    half = MOST_ROWS // 2
    more = f"  … {len(rows) - 2 * half} more …"
    lines = intervals([*rows[:half], *rows[-half:]], mark)
    return (*lines[:half], more, *lines[half:])


# ---------------------------------------------------------------------------------------------- intervals


def intervals(rows: Sequence[Row], mark: float | None = None) -> tuple[str, ...]:
    """Returns a line for each interval, all on one scale; `mark` is a number that is marked on it.

    >>> sure, unsure = Estimate(0.75, 0.5, 1.0, 9), Estimate(0.25, 0.0, 1.0, 9)
    >>> print(*intervals([Row("red", "75 %", sure), Row("blue", "25 %", unsure, False)], 0.5), sep="\\n")
      red   75 %                  ├───────●───────┤
      blue  25 %  ├───────○───────┼───────────────┤
    """
    labels, told = (
        max((columns_of(row.label) for row in rows), default=0),
        max((len(row.told) for row in rows), default=0),
    )
    lines = drawn([row.figure for row in rows], mark, WIDTH, [row.is_shown for row in rows])
    return tuple(
        f"  {row.label}{' ' * (labels - columns_of(row.label))}  {row.told:>{told}}  {line}".rstrip()
        for row, line in zip(rows, lines, strict=True)
    )


def drawn(
    figures: Sequence[Estimate], mark: float | None = None, width: int = 24, are_shown: Sequence[bool] = ()
) -> list[str]:
    """Returns a line for each figure, on one scale: its interval, with the estimate in it.

    >>> drawn([Estimate(0.0, -1.0, 1.0, 9), Estimate(3.0, 2.0, 3.0, 9), Estimate(1.0, None, None, 1)])
    ['├─────●─────┤            ', '                  ├─────●', '            ●            ']
    """
    ends = [
        (one.estimate if one.low is None else one.low, one.estimate if one.high is None else one.high)
        for one in figures
    ]
    every = [*(end for pair in ends for end in pair), *([] if mark is None else [mark])]
    low, high = min(every, default=0.0), max(every, default=0.0)
    scale = (width / (high - low)) if high > low else 0.0

    def at(value: float) -> int:
        return round((value - low) * scale)

    found = []
    for number, (one, pair) in enumerate(zip(figures, ends, strict=True)):
        letters = [" "] * (width + 1)
        first, last = map(at, pair)
        letters[first : last + 1] = "─" * (last - first + 1)
        letters[first], letters[last] = "├", "┤"
        if mark is not None:
            letters[at(mark)] = (
                "┼" if first < at(mark) < last else "┊" if letters[at(mark)] == " " else letters[at(mark)]
            )
        letters[at(one.estimate)] = "●" if not are_shown or are_shown[number] else "○"
        found.append("".join(letters))
    return found


# ---------------------------------------------------------------------------------------------- heights


def _lengths(cells: Sequence[CellReport]) -> Iterator[str]:
    """Yields a histogram for each cell, all on the same scales."""
    low, high = min(cell.lengths[0].low for cell in cells), max(cell.lengths[-1].high for cell in cells)
    highest = max(bar.games / (bar.high - bar.low + 1) / cell.games for cell in cells for bar in cell.lengths)
    columns = min(high - low + 1, MOST_WIDE)
    wide = max(1, min(4, MOST_WIDE // columns))
    for cell in cells:
        if len(cells) > 1:
            yield f"  {cell.label}:"
        shares = _resampled(cell.lengths, low, high, columns)
        heights = [share / cell.games / highest for share in shares]
        yield from (f"  │{line}".rstrip() for line in bars(heights, HEIGHT, wide))
        left, right = f"{low}", f"{high}"
        yield f"  └{'─' * (columns * wide)}"
        yield f"   {left}{right:>{max(columns * wide - len(left), len(right) + 1)}}"


def _resampled(lengths: Iterable[LengthBar], low: int, high: int, columns: int) -> list[float]:
    """Returns the games of a length at each column: those of the bar in which the middle of the column lies."""
    step = (high - low + 1) / columns
    middles = [int(low + (at + 0.5) * step) for at in range(columns)]
    return [sum(b.games / (b.high - b.low + 1) for b in lengths if b.low <= middle <= b.high) for middle in middles]


def bars(heights: Sequence[float], lines: int, wide: int = 1) -> list[str]:
    """Returns columns of some heights, from 0 to 1, as lines from the top.

    >>> print(*bars([0.25, 1.0, 0.5, 0.0], 2, 2), sep="|\\n", end="|\\n")
      ██    |
    ▄▄████  |
    """
    eighths = [round(8 * lines * height) for height in heights]
    return [
        "".join(EIGHTHS[min(max(count - 8 * below, 0), 8)] * wide for count in eighths)
        for below in reversed(range(lines))
    ]


def _courses(by_seat: dict[str, list[float]]) -> Iterator[str]:
    """Yields a line of columns for each seat, all on one scale, between its first and its last number."""
    every = [value for course in by_seat.values() for value in course]
    low, high = min(every), max(every)
    labels = max(map(columns_of, by_seat))
    ends = {seat: (f"{course[0]:.1f}", f"{course[-1]:.1f}") for seat, course in by_seat.items()}
    wide = max(len(first) for first, _ in ends.values())
    for seat, course in by_seat.items():
        # The lowest number is drawn, too.
        heights = [(1 + 7 * (value - low) / (high - low)) / 8 if high > low else 0.5 for value in course]
        (line,) = bars(heights, 1, 3)
        yield f"  {seat}{' ' * (labels - columns_of(seat))}  {ends[seat][0]:>{wide}} {line} {ends[seat][1]}"
