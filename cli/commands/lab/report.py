"""`rulelang lab report FOLDER`: what a study says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.diagnostics.render import escaped
from rulelang.errors import RulelangError

from ...argument import FilePath
from ...console import print_table, terminal
from ...exits import Unreadable

if TYPE_CHECKING:
    from rulelang.studies.figures.estimates import Estimate
    from rulelang.studies.figures.report import Report
    from rulelang.studies.storage import Folder


@click.command("report")
@click.argument("folder", type=FilePath(file_okay=False))
@click.option("--html", type=FilePath(dir_okay=False), help="Write one self-contained page with plots.")
@click.option("--markdown", type=FilePath(dir_okay=False), help="Write all figures as Markdown.")
@click.option("--csv", "csv_file", type=FilePath(dir_okay=False), help="Write all figures as a table.")
@click.option("--json", "as_json", is_flag=True, help="Print all figures for programs.")
def command(*, folder: Path, html: Path | None, markdown: Path | None, csv_file: Path | None, as_json: bool) -> None:
    """Say what the study in a FOLDER shows, as far as it has been played: sentences first, then figures.

    \b
    Examples:
      rulelang lab report fuel
      rulelang lab report fuel --html fuel.html --csv fuel.csv
      rulelang lab report fuel --json
    """
    report = read(folder)
    try:
        if html is not None:
            from rulelang.studies.figures.plots import page

            html.write_text(page(report), "utf-8")
        if markdown is not None:
            markdown.write_text(report.markdown(), "utf-8")
        if csv_file is not None:
            csv_file.write_text(report.csv(), "utf-8")
    except RulelangError as error:
        raise Unreadable(str(error)) from None
    if as_json:
        click.echo(json.dumps(report.to_data(), indent=2))
    elif html is markdown is csv_file is None:
        _print(report)


def read(folder: Path) -> Report:
    """Returns the report of a folder; raises Unreadable if it holds no study, or none that was begun to be played."""
    from rulelang.studies.figures.report import report_of
    from rulelang.studies.storage import Folder

    try:
        return report_of(Folder(folder))
    except RulelangError as error:
        raise Unreadable(str(error)) from None


def tell(folder: Folder) -> None:
    """Prints the report of a study for people."""
    _print(read(folder.path))


def tell_data(folder: Folder) -> None:
    """Prints the figures of a study for programs."""
    click.echo(json.dumps(read(folder.path).to_data(), indent=2))


def _print(report: Report) -> None:
    from rulelang.studies.figures.report import interval, shown

    for sentence in report.sentences():
        click.echo(escaped(sentence))
    for name in report.headlines():
        found = [(cell.label, one) for cell in report.cells if (one := cell.metrics.get(name)) is not None]
        bars = drawn([one for _, one in found]) if len(found) > 1 and can_draw() else [""] * len(found)
        rows = [
            (f"  {escaped(label)}", shown(name, one), interval(name, one), bar)
            for (label, one), bar in zip(found, bars, strict=True)
        ]
        if rows:
            click.echo()
            print_table((name, "", "95 %", ""), rows)


WIDTH = 24
"""The letters of a plot."""


def can_draw() -> bool:
    """Returns whether the output is a terminal that shows more than ASCII."""
    console = terminal()
    return console.is_terminal and console.encoding.lower().startswith("utf")


def drawn(figures: list[Estimate]) -> list[str]:
    """Returns a line for each figure, on one scale: its interval, with the estimate in it.

    >>> from rulelang.studies.figures.estimates import Estimate
    >>> drawn([Estimate(0.0, -1.0, 1.0, 9), Estimate(3.0, 2.0, 3.0, 9), Estimate(1.0, None, None, 1)])
    ['├─────●─────┤            ', '                  ├─────●', '            ●            ']
    """
    ends = [
        (one.estimate if one.low is None else one.low, one.estimate if one.high is None else one.high)
        for one in figures
    ]
    low, high = min(end for end, _ in ends), max(end for _, end in ends)
    scale = (WIDTH / (high - low)) if high > low else 0.0

    def line(one: Estimate, left: float, right: float) -> str:
        first, middle, last = (round((value - low) * scale) for value in (left, one.estimate, right))
        letters = [" "] * first + ["─"] * (last - first + 1)
        letters[first], letters[last] = "├", "┤"
        letters[middle] = "●"
        return "".join(letters).ljust(WIDTH + 1)

    return [line(one, *pair) for one, pair in zip(figures, ends, strict=True)]
