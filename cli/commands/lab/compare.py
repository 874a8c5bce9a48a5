"""`rulelang lab compare A B`: two games on the same seeds."""

from __future__ import annotations

from pathlib import Path

import click

from ...argument import complete_game
from ...seats import agreed_options
from .playing import checked_bots, play_study, where_it_runs
from .report import tell, tell_data


@click.command("compare")
@click.argument("before", shell_complete=complete_game)
@click.argument("after", shell_complete=complete_game)
@click.option("--games", type=click.IntRange(1), default=400, show_default=True, help="Of each of the two.")
@click.option(
    "--bots", default="greedy", show_default=True, help="Who plays: one bot in all seats, or several in turn."
)
@click.option("--players", type=click.IntRange(1), help="How many play.  [default: as few as can]")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="What is agreed at both tables.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the first game.")
@click.option(
    "--bot-seed", type=click.IntRange(0), default=0, show_default=True, help="Of the bots, in the first game."
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures for programs.")
@where_it_runs
def command(
    *,
    before: str,
    after: str,
    games: int,
    bots: str,
    players: int | None,
    options: tuple[str, ...],
    seed: int,
    bot_seed: int,
    as_json: bool,
    out: Path | None,
    jobs: int,
    scheduler: str | None,
) -> None:
    """Play two games on the same seeds and say in what they differ, or what difference would have been seen.

    \b
    Examples:
      rulelang lab compare outspeed outspeed+sprint --games 200
      rulelang lab compare nim my/nim.rules+misere --bots random --games 100000 --jobs 2 --out misere
    """
    from rulelang.studies.axes import Axis
    from rulelang.studies.study import Study

    if before == after:
        raise click.UsageError(f"{before} is compared with itself; name two games, such as {before} {before}+VARIANT")
    agreed = tuple(agreed_options(options).items())
    axes = (Axis("game", (before, after)),)
    study = Study(before, checked_bots(bots), games, players, seed, bot_seed, agreed, axes)
    play_study(study, out, scheduler, jobs, tell_data if as_json else tell)
