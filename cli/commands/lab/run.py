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
      bots = ["greedy", "mine.py:careful"]
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
    from rulelang.lab.own_bots import FILE
    from rulelang.studies.study import read_study, table_of

    try:
        study = read_study(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(f"{file} cannot be read: {getattr(error, 'strerror', None) or 'it is no UTF-8'}") from None
    except InvalidInput as error:
        raise click.UsageError(f"{file}: {error}") from None

    def seen(name: str) -> str:
        return _beside(file, *name.partition(FILE))

    axes = tuple(
        attrs.evolve(axis, values=tuple("/".join(map(seen, table_of(words))) for words in axis.values))
        if axis.name == "bots"
        else axis
        for axis in study.axes
    )
    bots, by = tuple(map(seen, study.bots)), seen(study.values_by)
    game = _beside(file, study.game)
    play_study(attrs.evolve(study, game=game, bots=bots, axes=axes, values_by=by), place, tell)


def _beside(file: Path, path: str, mark: str = "", name: str = "") -> str:
    """Returns the name of a game or bot in a study's file, such as `mine` `.py:` `careful`, with its path as seen from here
    if it lies beside that file."""
    end = mark.removesuffix(":")
    here = file.parent / (path + end)
    return (
        f"{here}{mark[len(end) :]}{name}" if here.exists() and not Path(path + end).exists() else f"{path}{mark}{name}"
    )
