"""The impact of other rules on many logs -> a self-contained page of HTML with figures, bars, and causes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rulelang.workbench.impact import VERDICTS, Summary

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #222; background: #fff }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #ddd }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums } svg { max-width: 100% } .quiet { color: #666 }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818 } td, th { border-color: #444 } .quiet { color: #999 } }
"""
COLOURS = ("#2e7d32", "#1565c0", "#c62828", "#757575")
WIDTH, BAR, GAP = 640, 22, 6
LABEL = 150


def page(title: str, summary: Summary) -> str:
    """Returns the whole page."""
    verdicts = [(name, summary.verdicts[name]) for name in VERDICTS]
    steps = [(f"choices {10 * n} to {10 * n + 9}", count) for n, count in sorted(summary.first_steps.items())][:30]
    taken = [(f"{10 * n} %" if n == 10 else f"{10 * n} to {10 * n + 9} %", c) for n, c in sorted(summary.taken.items())]
    rows = "".join(
        f"<tr><td>{escape(g.because)}</td><td>{escape(', '.join(g.clauses))}</td><td class=n>{g.logs}</td>"
        f"<td class=n>{g.other_end}</td><td>{escape(g.sentence)}<br><span class=quiet>{escape(g.example)}</span></td></tr>"
        for g in summary.groups
    )
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title><style>{STYLE}</style>"
        f"<h1>{escape(title)}</h1><p>{summary.logs} logs</p>{_bars(verdicts, COLOURS)}"
        "<h2>Because of</h2><table><tr><th>change</th><th>clauses</th><th class=n>logs</th>"
        f"<th class=n>another end</th><th>for example</th></tr>{rows}</table>"
        f"<h2>Where they differ first</h2>{_bars(steps, COLOURS[1:2])}"
        f"<h2>How much of their choices stands</h2>{_bars(taken, COLOURS[:1])}</html>\n"
    )


def _bars(counts: Sequence[tuple[str, int]], colours: Sequence[str]) -> str:
    """Returns horizontal bars, each with its name and its number."""
    if not counts:
        return "<p class=quiet>none</p>"
    most = max(count for _, count in counts) or 1
    height, parts = len(counts) * (BAR + GAP), []
    for i, (name, count) in enumerate(counts):
        wide, y = count * (WIDTH - LABEL - 70) / most, i * (BAR + GAP)
        middle = y + BAR * 0.72
        parts.append(
            f'<text x="{LABEL - 8}" y="{middle:.1f}" text-anchor="end" fill="currentColor">{escape(name)}</text>'
            f'<rect x="{LABEL}" y="{y}" width="{wide:.1f}" height="{BAR}" fill="{colours[i % len(colours)]}"/>'
            f'<text x="{LABEL + wide + 6:.1f}" y="{middle:.1f}" fill="currentColor">{count}</text>'
        )
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" font-size="13">{"".join(parts)}</svg>'
    )
