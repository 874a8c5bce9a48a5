"""`rulelang log export LOGS… --out FOLDER`: logs as tables, for programs that read Parquet."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rulelang.diagnostics.render import escaped

from ...argument import FilePath
from ...exits import Refused
from ...logbook import log_files


@click.command("export")
@click.argument("logs", nargs=-1, required=True, type=FilePath())
@click.option("--out", required=True, type=FilePath(), metavar="FOLDER", help="A new folder, or an empty one.")
def command(*, logs: tuple[Path, ...], out: Path) -> None:
    """Write LOGS (files and folders) as tables: games, inputs, events and changes, each a Parquet file in a folder.

    `rulelang log query FOLDER` asks them; so does everything else that reads Parquet. Needs the extra `tables`.

    \b
    Examples:
      rulelang log export played/ --out tables/
      rulelang log export all.jsonl.zst --out tables/
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise Refused(f"{out} exists already and is not an empty folder; nothing is overwritten")
    archived(logs, out)
    click.echo(escaped(f"the tables are in {out}"))


def archived(logs: tuple[Path, ...], folder: Path) -> None:
    """Writes logs as tables into a folder; prints the number of unreadable logs to standard error."""
    from rulelang.log.reading import read_logs
    from rulelang.workbench.archive import Archive, library

    paths = log_files(logs)
    for name in ("pyarrow.parquet", "duckdb"):
        library(name)
    folder.mkdir(parents=True, exist_ok=True)
    with (
        Archive(folder) as archive,
        click.progressbar(paths, label="Logs", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar,
    ):
        for path in bar:
            archive.add(str(path), read_logs(path))
    if archive.unread:
        click.echo(f"{archive.unread} of {archive.games} logs cannot be read: `fault` in games says why", err=True)
