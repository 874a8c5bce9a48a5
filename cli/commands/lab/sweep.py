"""`rulelang lab sweep GAME NAME=1..9`: what each value does to the game."""

from __future__ import annotations

from pathlib import Path

import click

from rulelang.errors import InvalidInput

from ...argument import GAME
from ...seats import agreed_options
from .playing import checked_bots, play_study, where_it_runs
from .report import tell, tell_data


@click.command("sweep")
@GAME
@click.argument("values", metavar="NAME=VALUES…", nargs=-1, required=True)
@click.option("--games", type=click.IntRange(1), default=1_000, show_default=True, help="Of each cell.")
@click.option(
    "--bots", default="greedy", show_default=True, help="Who plays: one bot in all seats, or several in turn."
)
@click.option("--players", type=click.IntRange(1), help="How many play.  [default: as few as can]")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="What is agreed at the table.")
@click.option(
    "--measure", "measures", multiple=True, metavar="NAME=EXPRESSION", help="A value at the end, of each seat p."
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the first game.")
@click.option(
    "--bot-seed", type=click.IntRange(0), default=0, show_default=True, help="Of the bots, in the first game."
)
@click.option(
    "--repeats", type=click.IntRange(1, 1_000), default=1, show_default=True, help="Games on each seed: for luck."
)
@click.option(
    "--values", "valued", type=click.IntRange(0), default=0, help="Playouts that value a position: for drama."
)
@click.option("--sampled", type=click.IntRange(0), default=200, show_default=True, help="Games whose choices are kept.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures for programs.")
@where_it_runs
def command(
    *,
    game: str,
    values: tuple[str, ...],
    games: int,
    bots: str,
    players: int | None,
    options: tuple[str, ...],
    measures: tuple[str, ...],
    seed: int,
    bot_seed: int,
    repeats: int,
    valued: int,
    sampled: int,
    as_json: bool,
    out: Path | None,
    jobs: int,
    scheduler: str | None,
) -> None:
    """Play a GAME with each of the VALUES of some name of its rules, on the same seeds, and say what they do.

    A name is a constant, an option, a column of a table (Craft.price, Craft[name == gnat].price, Bonus.copies), a
    variant or a rule (jam=yes,no), or `players`. Values are 1..9, 1..9/2 or a, b, c. Each cell is a checked variant in the
    study's folder, which anybody can play.

    \b
    Examples:
      rulelang lab sweep outspeed starting_fuel=6..18/2 --games 400
      rulelang lab sweep exit_velocity players=2..4 --bots random --games 10000 --jobs 2
      rulelang lab sweep outspeed bots=greedy/random,planner:500/greedy --games 100
      rulelang lab sweep outspeed "Bonus.copies=1..4" hungry=yes,no --out tokens
      rulelang lab sweep outspeed starting_fuel=9,12 --measure "fuel=p.fuel" --json
    """
    from rulelang.studies.axes import Axis
    from rulelang.studies.study import Study, limited

    try:
        axes = tuple(map(Axis.read, values))
        study = limited(
            Study(
                game,
                checked_bots(bots),
                games,
                players,
                seed,
                bot_seed,
                tuple(agreed_options(options).items()),
                axes,
                tuple(_measure(text) for text in measures),
                sampled=sampled,
                values=valued,
                repeats=repeats,
            )
        )
    except InvalidInput as error:
        raise click.UsageError(str(error)) from None
    play_study(study, out, scheduler, jobs, tell_data if as_json else tell)


def _measure(text: str) -> tuple[str, str]:
    """Returns the name and the expression of a measure; without a name, the expression is both."""
    name, equals, expression = text.partition("=")
    if equals and name.strip().isidentifier() and not expression.startswith("="):
        return name.strip(), expression.strip()
    return "measure", text.strip()
