"""`rulelang lab compare A B`: two games on the same seeds."""

from __future__ import annotations

import click

from rulelang.errors import InvalidInput

from ...argument import complete_game
from .playing import (
    CAP,
    STOP,
    TARGET,
    StudyAsked,
    StudyPlace,
    how_it_plays,
    lengths_of,
    play_study,
    stop_of,
    where_it_runs,
)
from .report import tell, tell_data


@click.command("compare")
@click.argument("before", shell_complete=complete_game)
@click.argument("after", shell_complete=complete_game)
@how_it_plays(400, "Of each of the two.")
@TARGET
@CAP
@STOP
@click.option("--json", "as_json", is_flag=True, help="Print the figures for programs.")
@where_it_runs
def command(
    *,
    before: str,
    after: str,
    asked: StudyAsked,
    targets: tuple[str, ...],
    caps: tuple[str, ...],
    stops: tuple[str, ...],
    as_json: bool,
    place: StudyPlace,
) -> None:
    """Play two games on the same seeds and report the differences, or the smallest that would have shown.

    With `--stop win(first)=0.02` they play no more games than it takes to show a difference, or that it is no larger.

    \b
    Examples:
      rulelang lab compare outspeed outspeed+sprint --games 200
      rulelang lab compare nim my/nim.rules+misere --bots random --games 100000 --jobs 2 --out misere
      rulelang lab compare nim nim+misere --bots random --games 100000 --stop "win(first)=0.01"
    """
    from rulelang.studies.axes import Axis

    if before == after:
        raise click.UsageError(f"{before} is compared with itself; name two games, such as {before} {before}+VARIANT")
    try:
        more = {"targets": lengths_of(targets), "caps": lengths_of(caps), "stop": stop_of(stops)}
        study = asked.study(before, [Axis("game", (before, after))], **more)
    except InvalidInput as error:
        raise click.UsageError(str(error)) from None
    play_study(study, place, tell_data if as_json else tell)
