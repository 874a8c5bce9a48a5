"""A report -> plain data, a table of CSV, Markdown.

data_of(report_of(folder))        {"cells": [{"parameters": {"size": 15}, "metrics": {"length": {…}}}], …}
markdown_of(report)               # Nim: a study …
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

import attrs

from rulelang.studies.figures.comparing import PairedDifference, amount, is_share
from rulelang.studies.reports.report import Report
from rulelang.studies.reports.sentences import interval, sentences, shown
from rulelang.studies.reports.terminal import plots

METHOD = """\
Each figure is of whole blocks: the games of one seed over all seatings (and repeats) are one observation. Means have
Student's interval on the means of blocks; shares have Wilson's, for the effective number of games (Korn and Graubard
1998); quantiles lie between order statistics (Conover 1999); ratios have the interval of their linear form (Cochran
1977); what is skewed has percentiles of 2,000 bootstrap samples of blocks. All intervals are at 95 %. Cells are played
on the same seeds, so their differences are paired by block, with p-values corrected by Holm (1979). The effect of a
swept value is the mean over the cells that have it less the mean over all cells, by block (a main effect; Box, Hunter
and Hunter 2005); its interval is not corrected. Games that were cut off or failed are counted in every share. The share of luck is an intraclass correlation (Shrout and Fleiss 1979)
over seats: of games on one seed, or of two games that share one source of chance (a first-order index of Sobol
1993). Choices and actions are of the sampled games, the first of each cell. `lift` is an association: who takes an
action may win more for another reason. A study that stops by itself has confidence sequences for all means of games
(Robbins 1970; Waudby-Smith et al. 2024), which hold however often one looks; its other intervals are those of a
fixed number of games."""


def data_of(report: Report) -> dict[str, Any]:
    """Returns all figures as plain data."""
    cells = [cell.to_data() for cell in report.cells]
    return {
        "title": report.title,
        "study": report.study.to_data(),
        "sentences": list(sentences(report)),
        "cells": cells,
        "effects": [one.to_data() for one in report.effects],
        "ladder": [rung.to_data() for rung in report.rungs],
        "faults": [attrs.asdict(fault) | {"text": fault.text} for fault in report.faults],
    }


def csv_of(report: Report) -> str:
    """Returns all figures, a line for each cell and figure, then one for each value that is swept and its effect."""
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    names = [axis.name for axis in report.study.axes]
    lines.writerow([*names, "metric", "estimate", "low", "high", "blocks", "p"])
    for cell in report.cells:
        for name, one, p in cell.figures():
            lines.writerow([*(cell.parameters[n] for n in names), name, *one.to_data().values(), p])
    for effect in report.effects:
        at = [effect.value if name == effect.axis else None for name in names]
        lines.writerow([*at, f"effect({effect.metric})", *effect.moved.to_data().values(), None])
    return out.getvalue()


def markdown_of(report: Report) -> str:
    """Returns the report as Markdown: sentences, plots, tables, the method."""
    study = report.study
    parts = [f"# {report.title}: a study", ""]
    parts += [f"{sum(cell.games for cell in report.cells):,} games, bots {', '.join(study.bots)}.", ""]
    parts += [f"- {sentence}" for sentence in sentences(report)]
    for plot in plots(report):
        parts += ["", f"{plot.caption}:", "", "```", *plot.lines, "```"]
    parts += ["", "## Figures", "", *_table(report, report.headlines())]
    for cell in report.cells[1:]:
        if cell.against:
            parts += ["", f"### {cell.label} against {report.base_of(cell).label}", "", *_differences(cell.against)]
    parts += ["", "## All metrics", ""]
    for cell in report.cells:
        parts += [f"### {cell.label}", "", "| metric | estimate | 95 % |", "| --- | ---: | --- |"]
        parts += [f"| {name} | {shown(name, one)} | {interval(name, one)} |" for name, one in cell.metrics.items()]
        parts += [""]
    parts += ["## Method", "", METHOD, ""]
    return "\n".join(parts)


def _table(report: Report, names: list[str]) -> Iterator[str]:
    yield "| cell | games | " + " | ".join(names) + " |"
    yield "| --- | ---: |" + " ---: |" * len(names)
    for cell in report.cells:
        found = [cell.metrics.get(name) for name in names]
        told = [
            "" if one is None else f"{shown(name, one)} ({interval(name, one)})"
            for name, one in zip(names, found, strict=True)
        ]
        yield f"| {cell.label} | {cell.games} | " + " | ".join(told) + " |"


def _differences(found: tuple[PairedDifference, ...]) -> Iterator[str]:
    yield "| metric | before | after | difference | 95 % | p |"
    yield "| --- | ---: | ---: | ---: | --- | ---: |"
    for one in found:
        scale = 100 if is_share(one.name) else 1
        before, after, low, high = (f"{scale * v:.2f}" for v in (one.before, one.after, one.low, one.high))
        mark = " *" if one.is_shown else ""
        difference = amount(one.name, one.difference, sign=True)
        yield f"| {one.name} | {before} | {after} | {difference}{mark} | {low} to {high} | {one.p:.3f} |"
