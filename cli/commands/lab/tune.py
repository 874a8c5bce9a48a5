"""`rulelang lab tune GAME --vary NAME=1..9 --goal …`: the values that meet a goal."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from rulelang.diagnostics.render import escaped
from rulelang.errors import InvalidInput, RulelangError

from ...argument import GAME, load
from ...exits import Refused
from .playing import StudyAsked, StudyPlace, how_it_plays, where_it_runs, workers_of

if TYPE_CHECKING:
    from rulelang.studies.study import Study
    from rulelang.studies.tuning import Goal, Tuned


@click.command("tune")
@GAME
@click.option(
    "--vary", "varied", multiple=True, required=True, metavar="NAME=VALUES", help="As `lab sweep` takes them."
)
@click.option(
    "--goal", "goals", multiple=True, required=True, metavar="FORMULA", help="To be made small; of several, a front."
)
@how_it_plays(400, "Of a cell that stays to the end.")
@where_it_runs
def command(
    *, game: str, varied: tuple[str, ...], goals: tuple[str, ...], asked: StudyAsked, place: StudyPlace
) -> None:
    """Find the values of a GAME's names that meet a goal, by races of cells on the same seeds.

    A goal is a formula of means: win(SEAT), win(first), length, score, drawishness, completion, with + - * /, abs, min
    and max. What is left at the end is told by games on fresh seeds, and printed as a variant.

    \b
    Examples:
      rulelang lab tune outspeed --vary starting_fuel=6..18/2 --goal "abs(length - 40)"
      rulelang lab tune nim.rules --vary size=12..24 --goal "abs(win(first) - 0.5)" --bots mcts:50
      rulelang lab tune outspeed --vary Bonus.copies=1..4 --goal drawishness --goal length
    """
    from rulelang.studies.axes import Axis
    from rulelang.studies.tuning import goal_of

    load(game, quiet=True)
    try:
        wanted = tuple(map(goal_of, goals))
        study = asked.study(game, map(Axis.read, varied), sampled=0)
    except InvalidInput as error:
        raise click.UsageError(str(error)) from None
    with TemporaryDirectory() as made:
        _tune(study, place.out or Path(made) / "study", wanted, place)


def _tune(study: Study, path: Path, goals: tuple[Goal, ...], place: StudyPlace) -> None:
    from rulelang.studies.tuning import tuned

    try:
        found = tuned(study, path, goals, workers_of(place), lambda line: click.echo(line, err=True))
    except InvalidInput as error:
        raise click.UsageError(str(error)) from None
    except RulelangError as error:
        raise Refused(str(error)) from None
    for one in found:
        _tell(one, goals)


def _tell(one: Tuned, goals: tuple[Goal, ...]) -> None:
    """Prints a cell that is left: its values, its value for each goal, its variant."""
    click.echo(escaped(one.cell.label))
    for goal, reached in zip(goals, one.reached, strict=True):
        ends = "" if reached.low is None or reached.high is None else f" ({reached.low:.3f} to {reached.high:.3f})"
        click.echo(escaped(f"  {goal.text}: {reached.estimate:.3f}{ends} on {reached.blocks} fresh blocks"))
    click.echo()
    for line in one.variant.rstrip().split("\n") if one.variant else ("  (the game as it is)",):
        click.echo(escaped(line))
