"""`rulelang lab watch FOLDER`: the figures so far, until the study is complete."""

from __future__ import annotations

import time
from pathlib import Path

import click

from rulelang.errors import RulelangError

from ...argument import FilePath
from ...exits import Unreadable
from .report import tell_briefly


@click.command("watch")
@click.argument("folder", type=FilePath(file_okay=False))
@click.option("--every", type=click.FloatRange(0.1), default=5.0, show_default=True, help="Seconds between two looks.")
@click.option("--once", is_flag=True, help="Look once.")
def command(*, folder: Path, every: float, once: bool) -> None:
    """Say how far a study has come, and what it shows so far, until it is complete or Ctrl-C.

    \b
    Examples:
      rulelang lab watch fuel
      rulelang lab watch fuel --once
    """
    from rulelang.studies.storage import Folder

    study = Folder(folder)
    before = -1
    while True:
        try:
            cells = [study.games(cell["number"]) for cell in study.cells()]
            is_whole = all(study.is_whole(cell["number"]) for cell in study.cells())
            wanted = study.study().games * len(cells)
        except RulelangError as error:
            raise Unreadable(str(error)) from None
        if sum(cells) != before:
            before = sum(cells)
            click.echo(f"{before:,} of {wanted:,} games ({100 * min(before / wanted, 1):.0f} %)")
            if all(cells):
                tell_briefly(study)
                click.echo()
        if once or is_whole:
            return
        time.sleep(every)
