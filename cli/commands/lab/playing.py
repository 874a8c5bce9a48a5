"""A study and where to play it -> a folder that is complete, with progress on the way."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING, Any

import attrs
import click

from rulelang.errors import InvalidInput, RulelangError, RulesError

from ...exits import Refused, Unreadable
from ...progress_message import waiting
from ...seats import OWN_BOTS, agreed_options

if TYPE_CHECKING:
    from rulelang.studies.axes import Axis
    from rulelang.studies.storage import Folder
    from rulelang.studies.study import Study
    from rulelang.studies.workers import Workers

Decorated = Callable[..., Any]


@attrs.frozen
class StudyAsked:
    """The number of games that is asked for, who plays them, and the first seeds."""

    games: int
    bots: str
    own_bots: tuple[str, ...]
    players: int | None
    options: tuple[str, ...]
    seed: int
    bot_seed: int

    def study(self, game: str, axes: Iterable[Axis], **more: Any) -> Study:
        """Returns a study of a game; raises UsageError for unknown bots, InvalidInput for too many cells."""
        from rulelang.studies.study import Study, limited

        bots, agreed = (
            checked_bots((*self.bots.split(","), *self.own_bots)),
            tuple(agreed_options(self.options).items()),
        )
        return limited(
            Study(game, bots, self.games, self.players, self.seed, self.bot_seed, agreed, tuple(axes), **more)
        )


@attrs.frozen
class StudyPlace:
    """The place where a study is kept, and those who play it."""

    out: Path | None
    jobs: int
    scheduler: str | None


def how_it_plays(games: int, about: str) -> Callable[[Decorated], Decorated]:
    """Returns a decorator that adds the options of `StudyAsked`, which the command gets as `asked`."""
    return gathering(
        StudyAsked,
        "asked",
        click.option("--games", type=click.IntRange(1), default=games, show_default=True, help=about),
        click.option(
            "--bots", default="greedy", show_default=True, help="Who plays: one bot in all seats, or several in turn."
        ),
        OWN_BOTS,
        click.option("--players", type=click.IntRange(1), help="How many play.  [default: as few as can]"),
        click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="What is agreed at the table."),
        click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the first game."),
        click.option(
            "--bot-seed", type=click.IntRange(0), default=0, show_default=True, help="Of the bots, in the first game."
        ),
    )


def where_it_runs(command: Decorated) -> Decorated:
    """Returns a command with the options of `StudyPlace`, which it gets as `place`."""
    add = gathering(
        StudyPlace,
        "place",
        click.option(
            "--out", type=click.Path(path_type=Path), help="The study's folder; it goes on where it broke off."
        ),
        click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes that play."),
        click.option(
            "--scheduler", metavar="dask[:ADDRESS]", help="Play on a Dask cluster: one of your own, or one made here."
        ),
    )
    return add(command)


def gathering(into: type, name: str, *options: Decorated) -> Callable[[Decorated], Decorated]:
    """Returns a decorator that adds options, whose values a command gets as one value of a class."""
    fields = [field.name for field in attrs.fields(into)]

    def add(command: Decorated) -> Decorated:
        @wraps(command)
        def gathered(**given: Any) -> Any:
            found = into(**{field: given.pop(field) for field in fields})
            return command(**{name: found}, **given)

        added: Decorated = gathered
        for option in reversed(options):
            added = option(added)
        return added

    return add


STOP = click.option(
    "--stop",
    "stops",
    multiple=True,
    metavar="FIGURE=WIDTH",
    help="Stop early, once FIGURE (or its difference) is known to ± WIDTH: win(first)=0.02.",
)


TARGET = click.option(
    "--target", "targets", multiple=True, metavar="LENGTH=NUMBER", help="How long games should be: length=40, rounds=8."
)
CAP = click.option(
    "--cap",
    "caps",
    multiple=True,
    metavar="LENGTH=NUMBER",
    help="Count the games that are longer: length=80, decisions=60.",
)


def lengths_of(texts: tuple[str, ...]) -> tuple[tuple[str, float], ...]:
    """Returns the lengths that `--target` or `--cap` names; raises InvalidInput."""
    from rulelang.studies.study import length_of

    pairs = [(name.strip(), value.strip()) for name, _, value in (text.partition("=") for text in texts)]
    return tuple((name, length_of(name, value)) for name, value in pairs)


def stop_of(texts: tuple[str, ...]) -> tuple[tuple[str, float], ...]:
    """Returns the figures that stop a study, from `--stop`; raises InvalidInput."""
    from rulelang.studies.study import width_of

    pairs = [(name.strip(), width.strip()) for name, _, width in (text.rpartition("=") for text in texts)]
    return tuple((name, width_of(name, width)) for name, width in pairs)


def workers_of(place: StudyPlace) -> Workers:
    """Returns those who play; raises UsageError for an unknown scheduler."""
    from rulelang.studies.workers import Alone, Dask, Processes

    if place.scheduler is None:
        return Alone() if place.jobs == 1 else Processes(place.jobs)
    name, _, address = place.scheduler.partition(":")
    if name != "dask":
        raise click.UsageError(
            f"the scheduler is `dask` or `dask:ADDRESS`, such as dask:tcp://lab:8786; not {place.scheduler!r}"
        )
    return Dask(address or None, place.jobs)


def checked_bots(names: Iterable[str]) -> tuple[str, ...]:
    """Returns the names of bots, also of those in files and of those that see all; raises UsageError for an unknown one."""
    from rulelang.lab.cheating import OPEN, measured
    from rulelang.studies.study import REST

    from ...seats import anyone_called

    found = tuple(name.strip() for name in names)
    for name in (name.removesuffix(REST) for name in found):
        anyone_called(name.removesuffix(OPEN))
        try:
            measured(name)
        except KeyError:
            raise click.UsageError(f"{name} reads no position, so it cannot see everything; greedy:open does") from None
    return found


def play_study(study: Study, place: StudyPlace, then: Callable[[Folder], None]) -> None:
    """Plays a study in its folder, or in one that is thrown away; `then` gets the folder.

    Ctrl-C leaves what was played; the same command goes on.
    """
    checked_bots((*study.bots, study.values_by))
    if place.out is None:
        with TemporaryDirectory() as made:
            _play(study, Path(made) / "study", place, then)
    else:
        _play(study, place.out, place, then)


EVERY = 3.0
"""Seconds between two looks at the figures while a study is played."""


def _play(study: Study, out: Path, place: StudyPlace, then: Callable[[Folder], None]) -> None:
    from rulelang.api import NoSuchGame
    from rulelang.studies.reports.progress import so_far
    from rulelang.studies.run import begin, complete

    workers = workers_of(place)
    try:
        with waiting("Checking the cells"):
            folder = begin(study, out)
        cells = list(folder.cells())
        total = len(cells) * study.games
        is_seen = sys.stderr.isatty()
        bar = click.progressbar(
            length=total, label="Games", file=sys.stderr, hidden=not is_seen, item_show_func=lambda told: told or ""
        )
        looked, told = monotonic(), ""
        with bar:
            for _, many in complete(folder, workers):
                if is_seen and monotonic() > looked + EVERY:
                    looked, told = monotonic(), so_far(folder)
                bar.update(many, told)
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
