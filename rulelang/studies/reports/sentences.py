"""A report -> its findings in sentences, the most important first.

sentences(report)        "The first seat wins 4.1 points more often than the average seat, ± 0.6.", …
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulelang.studies.figures.comparing import is_share, verdict
from rulelang.studies.figures.estimates import Estimate
from rulelang.studies.figures.ladder import ladder
from rulelang.studies.reports.report import CellReport, Report


def shown(name: str, one: Estimate) -> str:
    """Returns an estimate as people read it: a share in percent."""
    return f"{100 * one.estimate:.1f} %" if is_share(name) else number(one.estimate)


def interval(name: str, one: Estimate) -> str:
    """Returns an interval as people read it; `?` where one block says nothing about others."""
    if one.low is None or one.high is None:
        return "?"
    ends = (100 * one.low, 100 * one.high) if is_share(name) else (one.low, one.high)
    return f"{number(ends[0])} to {number(ends[1])}"


def number(value: float) -> str:
    return f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}"


def sentences(report: Report) -> Iterator[str]:
    """Yields the sentences of a report; each names its cell where there are several.

    Of more than three cells, only the first is told by itself, the others by their differences to it.
    """
    several = len(report.cells) > 1
    for cell in report.cells if len(report.cells) <= 3 else report.cells[:1]:
        where = f" ({cell.label})" if several else ""
        yield from (sentence + where + "." for sentence in _of_cell(cell))
    for cell in report.cells[1:]:
        if cell.against:
            yield f"{cell.label} against {report.base_of(cell).label}: {verdict(cell.against)}."
    if len(report.rungs) > 1:
        yield ladder(report.rungs) + "."
    for name, width in report.study.stop:
        yield f"{_stopped(report, f'{name} ± {width:g}')}."
    for fault in report.faults[:3]:
        who = "A bot" if fault.bot else "The rules"
        yield f"{who} went wrong in {fault.text}; `rulelang lab show` plays it again."


def _stopped(report: Report, by: str) -> str:
    """Returns a sentence on the games that a study which may stop early has played."""
    most, wanted = max(cell.games for cell in report.cells), report.study.games
    if most >= wanted:
        return f"It was to stop by {by}, and played all {wanted:,} games of some cell"
    return f"It stopped by {by} after at most {most:,} of {wanted:,} games of a cell"


def _of_cell(cell: CellReport) -> Iterator[str]:
    metrics = cell.metrics
    first = metrics.get("first_advantage")
    if first is not None and first.low is not None and first.high is not None:
        points, half = 100 * first.estimate, 50 * (first.high - first.low)
        if first.low > 0 or first.high < 0:
            word = "more" if points > 0 else "less"
            yield f"The first seat wins {abs(points):.1f} points {word} often than the average seat, ± {half:.1f}"
        else:
            yield f"No advantage of the first seat is shown ({points:.1f} points, ± {half:.1f})".replace(
                "(-0.0", "(0.0"
            )
    bots = sorted(set(cell.tables.games["bot"].tolist()))
    for bot in bots if len(bots) > 1 else ():
        yield f"{bot} wins {shown('win(', metrics[f'win({bot})'])} ({interval('win(', metrics[f'win({bot})'])}) of its seats"
    length = metrics["length"]
    yield f"A game takes {number(length.estimate)} answers on average ({interval('length', length)})"
    yield from _of_lengths(cell)
    sampled = len(set(cell.tables.of("actions").get("game", ())))
    for name, one in metrics.items():
        if name.startswith("use(") and one.high is not None and one.low is not None:
            action = name[4:-1]
            if metrics[f"offered({action})"].estimate * sampled < LEAST_OFFERS:
                continue
            if one.high < 0.01:
                yield f"Hardly anybody takes {action}: in {100 * one.estimate:.1f} % of the decisions that offer it"
            elif one.low > 0.95 and one.estimate < 1:
                yield f"Almost nobody leaves {action} out where it is offered ({100 * one.estimate:.1f} %)"
    yield from _of_choices(metrics)
    if metrics["completion"].estimate < 1:
        yield f"{100 * (1 - metrics['completion'].estimate):.1f} % of the games do not end by the rules"


def _of_lengths(cell: CellReport) -> Iterator[str]:
    """Yields how far lengths are from their targets, and how many games are above their caps."""
    for name, wanted in cell.tables.targets.items():
        found = cell.metrics.get(f"distance({name})")
        if found is not None:
            ends = interval(f"distance({name})", found)
            yield f"The {name} of a game is {number(found.estimate)} from {wanted:g} on average ({ends})"
    for name, most in cell.tables.caps.items():
        found = cell.metrics.get(f"above({name})")
        if found is not None:
            ends = interval("above(", found)
            yield f"The {name} is above {most:g} in {100 * found.estimate:.1f} % of the games ({ends})"
    for name in dict.fromkeys((*cell.tables.targets, *cell.tables.caps)):
        if name not in cell.metrics:
            why = "the rules count none" if name == "rounds" else "no game is sampled"
            yield f"The {name} of games are not known: {why}"


LEAST_OFFERS = 100
"""So often an action must have been offered before it is called dead or dominant."""
MOST_NAMED = 5
"""The most things that one sentence names."""


def _of_choices(metrics: Mapping[str, Estimate]) -> Iterator[str]:
    """Yields sentences of positions on the way, of forced play and of the reach of rules."""
    ahead = metrics.get("runaway_50")
    if ahead is not None and ahead.low is not None and ahead.low > 0:
        points, ends = 100 * ahead.estimate, interval("runaway_50", ahead)
        yield f"Who leads at half-time wins {points:.0f} points more often than an equal share ({ends})"
    for name, one in metrics.items():
        if name.startswith("hidden_worth(") and one.low is not None:
            yield f"{name[13:-1]} wins {100 * one.estimate:.1f} points more if it sees all ({interval(name, one)})"
    made = [(name[11:-1], one) for name, one in metrics.items() if name.startswith("luck_share(") and _is_certain(one)]
    for source, one in sorted(made, key=lambda pair: -pair[1].estimate)[:MOST_NAMED]:
        ends = interval("worth(", one)
        yield f"Of the variance of wins, {source} alone explains {100 * one.estimate:.0f} % ({ends})"
    forced = [(name[6:-1], one) for name, one in metrics.items() if name.startswith("worth(") and _is_certain(one)]
    for action, one in sorted(forced, key=lambda pair: -abs(pair[1].estimate))[:MOST_NAMED]:
        word, ends = "more" if one.estimate > 0 else "less", interval("worth(", _upright(one))
        yield f"Whoever must take {action} wins {100 * abs(one.estimate):.1f} points {word} than with other options ({ends})"
    never = [name[6:-1] for name, one in metrics.items() if name.startswith("fires(") and not one.estimate]
    if never:
        more = f" and {len(never) - MOST_NAMED} more" if len(never) > MOST_NAMED else ""
        yield f"No sampled game came to {', '.join(never[:MOST_NAMED])}{more}"


def _upright(one: Estimate) -> Estimate:
    """Returns how far an estimate is from 0, whichever way."""
    if one.estimate >= 0 or one.low is None or one.high is None:
        return one
    return Estimate(-one.estimate, -one.high, -one.low, one.blocks)


def _is_certain(one: Estimate) -> bool:
    """Returns whether an interval leaves out 0."""
    return one.low is not None and one.high is not None and not one.low <= 0 <= one.high
