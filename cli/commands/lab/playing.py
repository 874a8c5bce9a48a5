"""A study and where to play it -> a folder that is complete, with progress on the way."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from rulelang.errors import InvalidInput, RulelangError, RulesError

from ...exits import Refused, Unreadable
from ...waiting import waiting

if TYPE_CHECKING:
    from rulelang.studies.storage import Folder
    from rulelang.studies.study import Study
    from rulelang.studies.workers import Workers

Decorated = Callable[..., Any]


def where_it_runs(command: Decorated) -> Decorated:
    """Returns a command with the options that say where a study is played and kept."""
    for option in (
        click.option(
            "--scheduler", metavar="dask[:ADDRESS]", help="Play on a Dask cluster: one of your own, or one made here."
        ),
        click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes that play."),
        click.option(
            "--out", type=click.Path(path_type=Path), help="The study's folder; it goes on where it broke off."
        ),
    ):
        command = option(command)
    return command


def workers_of(scheduler: str | None, jobs: int) -> Workers:
    """Returns those who play; raises UsageError for an unknown scheduler."""
    from rulelang.studies.workers import Alone, Dask, Processes

    if scheduler is None:
        return Alone() if jobs == 1 else Processes(jobs)
    name, _, address = scheduler.partition(":")
    if name != "dask":
        raise click.UsageError(
            f"the scheduler is `dask` or `dask:ADDRESS`, such as dask:tcp://lab:8786; not {scheduler!r}"
        )
    return Dask(address or None, jobs)


def checked_bots(names: str) -> tuple[str, ...]:
    """Returns the names of bots between commas, also of those that see all; raises UsageError for an unknown one."""
    from rulelang.lab.cheating import OPEN, measured

    from ...seats import bot_called

    found = tuple(name.strip() for name in names.split(","))
    for name in found:
        bot_called(name.removesuffix(OPEN))
        try:
            measured(name)
        except KeyError:
            raise click.UsageError(f"{name} looks at nothing, so it cannot see all; greedy:open does") from None
    return found


def play_study(
    study: Study, out: Path | None, scheduler: str | None, jobs: int, then: Callable[[Folder], None]
) -> None:
    """Plays a study in its folder, or in one that is thrown away; `then` gets the folder.

    Ctrl-C leaves what was played; the same command goes on.
    """
    for name in study.bots:
        checked_bots(name)
    if out is None:
        with TemporaryDirectory() as made:
            _play(study, Path(made) / "study", scheduler, jobs, then)
    else:
        _play(study, out, scheduler, jobs, then)


def _play(study: Study, out: Path, scheduler: str | None, jobs: int, then: Callable[[Folder], None]) -> None:
    from rulelang.api import NoSuchGame
    from rulelang.studies.run import begin, run

    workers = workers_of(scheduler, jobs)
    try:
        with waiting("Checking the cells"):
            folder = begin(study, out)
        cells = list(folder.cells())
        total = len(cells) * study.games
        bar = click.progressbar(length=total, label="Games", file=sys.stderr, hidden=not sys.stderr.isatty())
        with bar:
            for _, many in run(folder, workers):
                bar.update(many)
    except NoSuchGame as error:
        raise Unreadable(str(error)) from None
    except RulesError as error:
        from ...argument import show

        show(error.diagnostics, err=True)
        raise Refused(f"{study.game} cannot be run") from None
    except InvalidInput as error:
        raise click.UsageError(str(error)) from None
    except RulelangError as error:
        raise Refused(str(error)) from None
    then(folder)
