"""A report -> one self-contained page: sentences, plots beside them, tables, the method.

    page(report_of(folder))        "<!doctype html>…"

Plots are drawn by Altair and stand in the page as SVG, so it needs neither scripts nor a network. Colours are those of
Okabe and Ito (2008), which the colour-blind tell apart.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from html import escape
from typing import Any

from rulelang.errors import RulelangError
from rulelang.studies.figures.comparing import is_share
from rulelang.studies.figures.report import METHOD, CellReport, Report, interval, shown

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
MOST_CELLS = 8
"""The most cells that are drawn in one plot of distributions."""
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; }
h1, h2 { line-height: 1.2; } li { margin: .3rem 0; } figure { margin: 1.5rem 0; overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; } td, th { padding: .2rem .6rem; border-bottom: 1px solid #ddd; }
td + td, th + th { text-align: right; } .wide { overflow-x: auto; } svg { max-width: 100%; height: auto; }
@media (prefers-color-scheme: dark) { body { background: #16181b; color: #e8e6e3; } td, th { border-color: #444; }
  figure { background: #fff; border-radius: 4px; padding: .5rem; } }
"""


def page(report: Report) -> str:
    """Returns the report as HTML; raises RulelangError if Altair is not installed."""
    parts = [f"<h1>{escape(report.title)}: a study</h1>", f"<p>{_about(report)}</p>", "<ul>"]
    parts += [f"<li>{escape(sentence)}</li>" for sentence in report.sentences()] + ["</ul>"]
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
    yield "How often each seat wins; the line is an equal share", _seats(alt, report, colours)
    yield "How long games are, in answers", _lengths(alt, report, colours)
    if (actions := _named(alt, report, "use(", "taken, %", COLOURS[2])) is not None:
        yield "How often each action is taken where it is offered", actions
    for beginning, results in (("luck_share(", "wins"), ("luck_share_score(", "scores")):
        if (luck := _named(alt, report, beginning, "part of the variance", COLOURS[4])) is not None:
            yield f"How much of the {results} each source of chance explains alone", luck
    if (worths := _named(alt, report, "worth(", "wins more, in points", COLOURS[3])) is not None:
        yield "How much more a seat wins that must take an action than one that must not", worths


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
    one, scale = cell.metrics[name], 100 if is_share(name) else 1
    low = one.estimate if one.low is None else one.low
    high = one.estimate if one.high is None else one.high
    return {"cell": label, "estimate": scale * one.estimate, "low": scale * low, "high": scale * high}


def _seats(alt: Any, report: Report, colours: Any) -> Any:
    rows = [
        _row(cell.label, f"win({seat})", cell) | {"seat": seat}
        for cell in report.cells[:MOST_CELLS]
        for seat in cell.tables.seats
    ]
    equal = [{"share": 100 / max(report.cells[0].players, 1)}]
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("cell:N", sort=None, title=None), yOffset="seat:N", color=alt.Color("seat:N", scale=colours, sort=None)
    )
    points = base.mark_circle(size=50, opacity=1).encode(x=alt.X("estimate:Q", title="wins, %"))
    line = alt.Chart(alt.Data(values=equal)).mark_rule(strokeDash=[4, 3]).encode(x="share:Q")
    return (base.mark_rule().encode(x="low:Q", x2="high:Q") + points + line).properties(width=560)


def _lengths(alt: Any, report: Report, colours: Any) -> Any:
    import numpy as np

    rows: list[dict[str, Any]] = []
    for cell in report.cells[:MOST_CELLS]:
        answers = cell.tables.by_game("answers")
        # One bar an answer, unless that would be more bars than anybody can read.
        width = max(1, (int(answers.max()) - int(answers.min())) // 40)
        counts, edges = np.histogram(answers, bins=np.arange(answers.min() - 0.5, answers.max() + width + 0.5, width))
        share = 100 * counts / max(int(counts.sum()), 1)
        middles = (edges[:-1] + edges[1:]) / 2
        rows += [
            {"cell": cell.label, "answers": float(x), "games": float(y)} for x, y in zip(middles, share, strict=True)
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
