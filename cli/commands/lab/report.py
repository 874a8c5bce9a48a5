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
    from rulelang.studies.reports.report import Report
    from rulelang.studies.storage import Folder


@click.command("report")
@click.argument("folder", type=FilePath(file_okay=False))
@click.option("--html", type=FilePath(dir_okay=False), help="Write one self-contained page with plots.")
@click.option("--markdown", type=FilePath(dir_okay=False), help="Write all figures as Markdown.")
@click.option("--csv", "csv_file", type=FilePath(dir_okay=False), help="Write all figures as a table.")
@click.option("--json", "as_json", is_flag=True, help="Print all figures for programs.")
@click.option("--plots/--no-plots", "plotted", default=None, help="Draw plots in letters.  [default: in a terminal]")
def command(
    *,
    folder: Path,
    html: Path | None,
    markdown: Path | None,
    csv_file: Path | None,
    as_json: bool,
    plotted: bool | None,
) -> None:
    """Say what the study in a FOLDER shows, as far as it has been played: sentences first, then figures.

    \b
    Examples:
      rulelang lab report fuel
      rulelang lab report fuel --html fuel.html --csv fuel.csv
      rulelang lab report fuel --json
    """
    from rulelang.studies.reports.formats import csv_of, data_of, markdown_of

    report = read(folder)
    try:
        if html is not None:
            from rulelang.studies.reports.page import page

            html.write_text(page(report), "utf-8")
        if markdown is not None:
            markdown.write_text(markdown_of(report), "utf-8")
        if csv_file is not None:
            csv_file.write_text(csv_of(report), "utf-8")
    except RulelangError as error:
        raise Unreadable(str(error)) from None
    if as_json:
        click.echo(json.dumps(data_of(report), indent=2))
    elif html is markdown is csv_file is None:
        _print(report, can_draw() if plotted is None else plotted)


def read(folder: Path) -> Report:
    """Returns the report of a folder; raises Unreadable if it holds no study, or none that was begun to be played."""
    from rulelang.studies.reports.report import report_of
    from rulelang.studies.storage import Folder

    try:
        return report_of(Folder(folder))
    except RulelangError as error:
        raise Unreadable(str(error)) from None


def tell(folder: Folder) -> None:
    """Prints the report of a study for people."""
    _print(read(folder.path), can_draw())


def tell_briefly(folder: Folder) -> None:
    """Prints the report of a study for people, without plots."""
    _print(read(folder.path), False)


def tell_data(folder: Folder) -> None:
    """Prints the figures of a study for programs."""
    from rulelang.studies.reports.formats import data_of

    click.echo(json.dumps(data_of(read(folder.path)), indent=2))


def _print(report: Report, plotted: bool) -> None:
    from rulelang.studies.reports.sentences import interval, sentences, shown
    from rulelang.studies.reports.terminal import drawn, plots

    for sentence in sentences(report):
        click.echo(escaped(sentence))
    for name in report.headlines():
        found = [(cell.label, one) for cell in report.cells if (one := cell.metrics.get(name)) is not None]
        bars = drawn([one for _, one in found]) if len(found) > 1 and plotted else [""] * len(found)
        rows = [
            (f"  {escaped(label)}", shown(name, one), interval(name, one), bar)
            for (label, one), bar in zip(found, bars, strict=True)
        ]
        if rows:
            click.echo()
            print_table((name, "", "95 %", ""), rows)
    for plot in plots(report) if plotted else ():
        click.echo()
        click.echo(escaped(plot.caption))
        for line in plot.lines:
            click.echo(escaped(line))


def can_draw() -> bool:
    """Returns whether the output is a terminal that shows more than ASCII."""
    console = terminal()
    return console.is_terminal and console.encoding.lower().startswith("utf")
