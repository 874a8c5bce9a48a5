"""A report -> one self-contained page: sentences, plots beside them, tables, the method.

    page(report_of(folder))        "<!doctype html>…"

Plots are drawn by Altair and stand in the page as SVG, so it needs neither scripts nor a network. Colours are those of
Okabe and Ito (2008), which the colour-blind tell apart.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

import attrs

from rulelang.errors import RulelangError
from rulelang.studies.figures.comparing import PairedDifference, by_block, is_share, verdict
from rulelang.studies.figures.courses import MOMENTS, OverTime
from rulelang.studies.figures.effects import MainEffect, extremes, strongest
from rulelang.studies.figures.estimates import Estimate
from rulelang.studies.figures.ladder import Rung, ladder
from rulelang.studies.reports.formats import METHOD
from rulelang.studies.reports.report import CellReport, Report
from rulelang.studies.reports.sentences import interval, sentences, shown

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
GREY = "#767676"
"""The colour of what chance may have made."""
MOST_CELLS = 8
"""The most cells that are drawn in one plot of distributions or differences."""
MOST_TOLD, MOST_PAIRS, MOST_COURSES = 3, 400, 8
"""The most cells whose differences are told beside their plot, pairs that are drawn, and numbers over time."""
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; }
h1, h2 { line-height: 1.2; } li { margin: .3rem 0; } figure { margin: 1.5rem 0; padding: 0 1.5rem; overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; } td, th { padding: .2rem .6rem; border-bottom: 1px solid #ddd; }
td + td, th + th { text-align: right; } .wide { overflow-x: auto; } svg { max-width: 100%; height: auto; overflow: visible; }
@media (prefers-color-scheme: dark) { body { background: #16181b; color: #e8e6e3; } td, th { border-color: #444; }
  figure { background: #fff; color: #1b1b1b; border-radius: 4px; padding: .5rem 1.5rem; } }
"""


def page(report: Report) -> str:
    """Returns the report as HTML; raises RulelangError if Altair is not installed."""
    parts = [f"<h1>{escape(report.title)}: a study</h1>", f"<p>{_about(report)}</p>", "<ul>"]
    parts += [f"<li>{escape(sentence)}</li>" for sentence in sentences(report)] + ["</ul>"]
    for caption, chart in _plots(report):
        parts.append(f"<figure><figcaption>{escape(caption)}</figcaption>{_svg(chart)}</figure>")
    parts.append("<h2>All figures</h2>")
    for cell in report.cells:
        parts += [
            f"<details><summary>{escape(cell.label)}, {cell.games:,} games</summary>",
            *_table(cell),
            "</details>",
        ]
    parts += ["<h2>Method</h2>", f"<p>{escape(METHOD)}</p>"]
    head = f"<meta charset='utf-8'><title>{escape(report.title)}: a study</title><style>{STYLE}</style>"
    head += "<meta name='viewport' content='width=device-width, initial-scale=1'>"
    return f"<!doctype html><html lang='en'><head>{head}</head><body><main>{''.join(parts)}</main></body></html>\n"


def _about(report: Report) -> str:
    games, bots = sum(cell.games for cell in report.cells), escape(", ".join(report.study.bots))
    return f"{games:,} games in {len(report.cells)} cell{'s' * (len(report.cells) > 1)}; bots: {bots}."


def _table(cell: CellReport) -> Iterator[str]:
    yield "<div class='wide'><table><tr><th>metric</th><th>estimate</th><th>95 %</th><th>blocks</th></tr>"
    for name, one in cell.metrics.items():
        yield f"<tr><td>{escape(name)}</td><td>{shown(name, one)}</td><td>{interval(name, one)}</td><td>{one.blocks}</td></tr>"
    yield "</table></div>"


def _altair() -> Any:
    try:
        importlib.import_module("vl_convert")
        return importlib.import_module("altair")
    except ImportError:
        raise RulelangError("plots need Altair: pip install 'rulelang[lab]'") from None


def _svg(chart: Any) -> str:
    made = importlib.import_module("vl_convert").vegalite_to_svg(chart.to_json())
    assert isinstance(made, str)
    return made[made.index("<svg") :]


def _plots(report: Report) -> Iterator[tuple[str, Any]]:
    """Yields captions and charts."""
    alt = _altair()
    colours = alt.Scale(range=list(COLOURS))
    if len(report.cells) > 1:
        yield "What each cell does, with intervals of 95 %", _sweep(alt, report)
    yield from _between_cells(alt, report)
    yield f"How often each seat wins; {_equal(report)}", _seats(alt, report, colours)
    yield "How long games are, in answers", _lengths(alt, report, colours)
    if courses := report.cells[0].over_time:
        where = f" of {report.cells[0].label}" if len(report.cells) > 1 else ""
        told = "; ".join(course.sentence for course in courses)
        yield f"How numbers go over a game{where}: {told}", _courses(alt, courses, colours)
    if (actions := _named(alt, report, "use(", "taken, %", COLOURS[2])) is not None:
        yield "How often each action is taken where it is offered", actions
    for beginning, results in (("luck_share(", "wins"), ("luck_share_score(", "scores")):
        if (luck := _named(alt, report, beginning, "part of the variance", COLOURS[4])) is not None:
            yield f"How much of the {results} each source of chance explains alone", luck
    if (worths := _named(alt, report, "worth(", "wins more, in points", COLOURS[3])) is not None:
        yield "How much more a seat wins that must take an action than one that must not", worths


def _equal(report: Report) -> str:
    """Returns the meaning of the broken lines: one for each number of players."""
    counts = sorted({cell.players for cell in report.cells[:MOST_CELLS]})
    return (
        "the line is an equal share"
        if len(counts) < 2
        else f"the lines are equal shares of {counts[0]} to {counts[-1]}"
    )


def _between_cells(alt: Any, report: Report) -> Iterator[tuple[str, Any]]:
    """Yields captions and charts of what differs between cells."""
    if ends := extremes(report.effects):
        yield f"How far each swept name moves the mean over all cells: {strongest(report.effects)}", _tornado(alt, ends)
    others = [cell for cell in report.cells if cell.against][:MOST_CELLS]
    if differences := [(cell.label, one) for cell in others for one in cell.against if one.difference]:
        bases = " or ".join(dict.fromkeys(report.base_of(cell).label for cell in others))
        told = "; ".join(f"{cell.label}: {verdict(cell.against)}" for cell in others[:MOST_TOLD])
        yield f"What differs from {bases}, on the same seeds. {told}", _paired(alt, differences)
    if len(others) == 1:
        pairs = _Pairs.of(report.base_of(others[0]), others[0])
        yield pairs.sentence, pairs.chart(alt)
    if len(report.rungs) > 1:
        yield (
            f"How often the higher one wins; ticks are equal shares. {ladder(report.rungs)}",
            _ladder(alt, report.rungs),
        )


def _tornado(alt: Any, ends: Mapping[tuple[str, str], tuple[MainEffect, MainEffect]]) -> Any:
    """Returns a panel for each metric: by name the lowest and the highest effect of its values, the widest name on top."""
    charts = []
    for metric in dict.fromkeys(metric for metric, _ in ends):
        names = [axis for of, axis in ends if of == metric]
        rows = [
            _scaled(metric, one.moved) | {"name": axis, "value": one.value, "effect": end}
            for axis in names
            for end, one in zip(("lowest", "highest"), ends[metric, axis], strict=True)
        ]
        base = alt.Chart(alt.Data(values=rows)).encode(y=alt.Y("name:N", sort=names, title=None))
        colour = alt.Color("effect:N", scale=alt.Scale(domain=["lowest", "highest"], range=[COLOURS[0], COLOURS[4]]))
        bars = base.mark_bar(height=14).encode(x=alt.X("estimate:Q", title=_titled(metric)), color=colour)
        lines = base.mark_rule().encode(x="low:Q", x2="high:Q")
        words = [
            base.transform_filter(f"datum.effect == '{end}'")
            .mark_text(align=align, dx=shift)
            .encode(x=x, text="value:N")
            for end, align, shift, x in (("lowest", "right", -4, "low:Q"), ("highest", "left", 4, "high:Q"))
        ]
        charts.append(alt.layer(bars, lines, *words).properties(width=360, height=28 * len(names)))
    return alt.concat(*charts, columns=1)


def _paired(alt: Any, differences: list[tuple[str, PairedDifference]]) -> Any:
    """Returns a panel for each metric: by cell its difference to the base, the blocks in pairs."""
    charts = []
    for metric in dict.fromkeys(one.name for _, one in differences):
        rows = [
            _scaled(metric, one.apart) | {"cell": label, "difference": "shown" if one.is_shown else "not shown"}
            for label, one in differences
            if one.name == metric
        ]
        colour, shape = _by_certainty(alt, "difference:N", ["shown", "not shown"])
        base = alt.Chart(alt.Data(values=rows)).encode(y=alt.Y("cell:N", sort=None, title=None), color=colour)
        points = base.mark_point(filled=True, size=60, opacity=1).encode(
            x=alt.X("estimate:Q", title=_titled(metric)), shape=shape
        )
        none = alt.Chart(alt.Data(values=[{"none": 0}])).mark_rule(strokeDash=[4, 3]).encode(x="none:Q")
        charts.append((base.mark_rule().encode(x="low:Q", x2="high:Q") + points + none).properties(width=240))
    return alt.concat(*charts, columns=2)


@attrs.frozen(eq=False)
class _Pairs:
    """The mean length of the games of each block in two cells, the blocks in pairs."""

    before: str
    after: str
    lengths: Mapping[tuple[float, float], int]
    """How many blocks have each pair of lengths."""

    @classmethod
    def of(cls, base: CellReport, cell: CellReport) -> _Pairs:
        """Returns the pairs of the blocks that both cells have."""
        import numpy as np

        told = [
            dict(zip(np.unique(one.tables.blocks).tolist(), dict(by_block(one.tables))["length"].tolist(), strict=True))
            for one in (base, cell)
        ]
        pairs = Counter((told[0][block], told[1][block]) for block in sorted(told[0].keys() & told[1].keys()))
        return cls(base.label, cell.label, pairs)

    @property
    def sentence(self) -> str:
        """A sentence on how many seeds have longer games, and how many shorter ones."""
        longer = sum(many for (before, after), many in self.lengths.items() if after > before)
        shorter = sum(many for (before, after), many in self.lengths.items() if after < before)
        whole = sum(self.lengths.values())
        return (
            f"How long games on the same seed are under {self.before} and under {self.after}: longer on {longer:,} "
            f"of {whole:,} seeds, shorter on {shorter:,}, as long on {whole - longer - shorter:,}"
        )

    def chart(self, alt: Any) -> Any:
        """Returns a point for each of the most frequent pairs, and the line on which games are as long."""
        most = sorted(self.lengths.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_PAIRS]
        rows = [{"before": before, "after": after, "seeds": many} for (before, after), many in most]
        ends = [min(min(pair) for pair in self.lengths), max(max(pair) for pair in self.lengths)]
        line = alt.Chart(alt.Data(values=[{"before": end, "after": end} for end in ends])).mark_line(
            color=GREY, strokeDash=[4, 3]
        )
        points = alt.Chart(alt.Data(values=rows)).mark_circle(color=COLOURS[0], opacity=0.6)
        x = alt.X("before:Q", title=f"answers, {self.before}", scale=alt.Scale(zero=False))
        y = alt.Y("after:Q", title=f"answers, {self.after}", scale=alt.Scale(zero=False))
        return (line.encode(x=x, y=y) + points.encode(x=x, y=y, size="seeds:Q")).properties(width=320, height=320)


def _ladder(alt: Any, climbing: tuple[Rung, ...]) -> Any:
    """Returns the wins of the higher budget by rung, with their intervals and the equal share."""
    rows = [
        _scaled("win(", rung.win)
        | {
            "rung": f"{rung.higher} against {rung.lower}",
            "equal": 100 * rung.equal,
            "wins": "more" if rung.is_climbed else "not shown",
        }
        for rung in climbing
    ]
    colour, shape = _by_certainty(alt, "wins:N", ["more", "not shown"])
    base = alt.Chart(alt.Data(values=rows)).encode(x=alt.X("rung:N", sort=None, title="rungs"), color=colour)
    points = base.mark_point(filled=True, size=60, opacity=1).encode(
        y=alt.Y("estimate:Q", title="wins, %", scale=alt.Scale(zero=False)), shape=shape
    )
    equal = base.mark_tick(thickness=2).encode(y="equal:Q", color=alt.value(COLOURS[6]))
    return (base.mark_rule().encode(y="low:Q", y2="high:Q") + points + equal).properties(
        width=max(240, 90 * len(rows)), height=200
    )


def _by_certainty(alt: Any, field: str, domain: list[str]) -> tuple[Any, Any]:
    """Returns the colour and the shape of points that are shown to differ, and of others."""
    return (
        alt.Color(field, scale=alt.Scale(domain=domain, range=[COLOURS[0], GREY])),
        alt.Shape(field, scale=alt.Scale(domain=domain, range=["circle", "diamond"])),
    )


def _courses(alt: Any, courses: tuple[OverTime, ...], colours: Any) -> Any:
    """Returns a panel for each number: by seat its mean over a game, with its interval."""
    charts = []
    for course in courses[:MOST_COURSES]:
        rows = [
            _scaled("", one) | {"seat": seat, "moment": moment}
            for seat, told in course.by_seat.items()
            for moment, one in zip(MOMENTS, told, strict=True)
        ]
        base = alt.Chart(alt.Data(values=rows)).encode(
            x=alt.X("moment:Q", title="part of the game, %"), color=alt.Color("seat:N", scale=colours, sort=None)
        )
        bands = base.mark_area(opacity=0.2).encode(y=alt.Y("low:Q", title=course.name), y2="high:Q")
        charts.append((bands + base.mark_line(point=True).encode(y="estimate:Q")).properties(width=360, height=200))
    return alt.concat(*charts, columns=2)


def _titled(metric: str) -> str:
    return f"{metric}, {'points' if is_share(metric) else 'difference'}"


def _sweep(alt: Any, report: Report) -> Any:
    """Returns a panel for each headline: its estimate and interval over the cells."""
    charts = []
    order = [cell.label for cell in report.cells]
    for name in report.headlines():
        rows = [_row(cell.label, name, cell) for cell in report.cells if name in cell.metrics]
        if not rows:
            continue
        base = alt.Chart(alt.Data(values=rows)).encode(x=alt.X("cell:N", sort=order, title=None))
        axis = alt.Y("estimate:Q", title=f"{name}{', %' if is_share(name) else ''}", scale=alt.Scale(zero=False))
        bars = base.mark_rule(color=COLOURS[0]).encode(y="low:Q", y2="high:Q")
        points = base.mark_circle(size=60, color=COLOURS[0], opacity=1).encode(y=axis)
        charts.append((bars + points).properties(width=max(180, 28 * len(rows)), height=160))
    return alt.concat(*charts, columns=3)


def _row(label: str, name: str, cell: CellReport) -> dict[str, Any]:
    return {"cell": label} | _scaled(name, cell.metrics[name])


def _scaled(name: str, one: Estimate) -> dict[str, Any]:
    """Returns an estimate and its interval as a row of a chart, shares in percent."""
    scale = 100 if is_share(name) else 1
    low = one.estimate if one.low is None else one.low
    high = one.estimate if one.high is None else one.high
    return {"estimate": scale * one.estimate, "low": scale * low, "high": scale * high}


def _seats(alt: Any, report: Report, colours: Any) -> Any:
    rows = [
        _row(cell.label, f"win({seat})", cell) | {"seat": seat}
        for cell in report.cells[:MOST_CELLS]
        for seat in cell.tables.seats
    ]
    equal = [{"share": 100 / players} for players in sorted({cell.players for cell in report.cells[:MOST_CELLS]})]
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("cell:N", sort=None, title=None), yOffset="seat:N", color=alt.Color("seat:N", scale=colours, sort=None)
    )
    points = base.mark_circle(size=50, opacity=1).encode(x=alt.X("estimate:Q", title="wins, %"))
    line = alt.Chart(alt.Data(values=equal)).mark_rule(strokeDash=[4, 3]).encode(x="share:Q")
    return (base.mark_rule().encode(x="low:Q", x2="high:Q") + points + line).properties(width=560)


def _lengths(alt: Any, report: Report, colours: Any) -> Any:
    rows = [
        {"cell": cell.label, "answers": (bar.low + bar.high) / 2, "games": 100 * bar.games / cell.games}
        for cell in report.cells[:MOST_CELLS]
        for bar in cell.lengths
    ]
    return (
        alt.Chart(alt.Data(values=rows))
        .mark_line(point=True)
        .encode(
            x=alt.X("answers:Q"),
            y=alt.Y("games:Q", title="games, %"),
            color=alt.Color("cell:N", scale=colours, sort=None),
        )
        .properties(width=560, height=200)
    )


MOST_ROWS = 40
"""The most actions of one plot."""


def _named(alt: Any, report: Report, beginning: str, title: str, colour: str) -> Any | None:
    """Returns the figures of the first cell that begin alike, the largest first; None if it has none."""
    cell = report.cells[0]
    names = [name for name in cell.metrics if name.startswith(beginning)]
    rows = [_row(name[len(beginning) : -1], name, cell) for name in names[:MOST_ROWS]]
    if not rows:
        return None
    base = alt.Chart(alt.Data(values=rows)).encode(y=alt.Y("cell:N", sort="-x", title=None))
    points = base.mark_circle(size=50, color=colour, opacity=1).encode(x=alt.X("estimate:Q", title=title))
    return (base.mark_rule(color=colour).encode(x="low:Q", x2="high:Q") + points).properties(width=560)
