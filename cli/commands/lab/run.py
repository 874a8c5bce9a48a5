"""`rulelang lab run STUDY.toml`: plays the study that a file describes."""

from __future__ import annotations

from pathlib import Path

import attrs
import click

from rulelang.errors import InvalidInput

from ...argument import FilePath
from ...exits import Unreadable
from .playing import StudyPlace, play_study, where_it_runs
from .report import tell


@click.command("run")
@click.argument("file", metavar="STUDY.toml", type=FilePath(dir_okay=False))
@where_it_runs
def command(*, file: Path, place: StudyPlace) -> None:
    """Play the study that a file describes, and print its report.

    \b
    The file says what `lab sweep` takes as words:
      game = "outspeed"
      players = [3, 4]
      bots = ["greedy", "random"]
      games = 400
      [options]
      [vary]
      starting_fuel = "6..18/2"
      "Bonus[power == nitro].copies" = [2, 4]
      [measure]
      fuel = "p.fuel"
      [stop]
      "win(first)" = 0.02

    \b
    Examples:
      rulelang lab run study.toml --out fuel --jobs 2
      rulelang lab run study.toml --out fuel --scheduler dask:tcp://lab:8786
    """
    from rulelang.studies.study import read_study

    try:
        study = read_study(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(f"{file} cannot be read: {getattr(error, 'strerror', None) or 'it is no UTF-8'}") from None
    except InvalidInput as error:
        raise click.UsageError(f"{file}: {error}") from None
    here = file.parent / study.game
    if here.exists() and not Path(study.game).exists():
        study = attrs.evolve(study, game=str(here))
    play_study(study, place, tell)
