"""`rulelang lab sweep GAME NAME=1..9`: what each value does to the game."""

from __future__ import annotations

import click

from rulelang.errors import InvalidInput

from ...argument import GAME
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


@click.command("sweep")
@GAME
@click.argument("values", metavar="NAME=VALUES…", nargs=-1, required=True)
@how_it_plays(1_000, "Of each cell.")
@click.option(
    "--measure", "measures", multiple=True, metavar="NAME=EXPRESSION", help="A value at the end, of each seat p."
)
@click.option(
    "--repeats", type=click.IntRange(1, 1_000), default=1, show_default=True, help="Games on each seed: for luck."
)
@click.option(
    "--streams", type=click.IntRange(0), default=0, help="Seeds played again for each source of chance: its share."
)
@click.option(
    "--values", "valued", type=click.IntRange(0), default=0, help="Playouts that value a position: for drama."
)
@click.option(
    "--values-by", default="random", show_default=True, metavar="BOT", help="Who plays these playouts, in all seats."
)
@click.option("--sampled", type=click.IntRange(0), default=200, show_default=True, help="Games whose choices are kept.")
@TARGET
@CAP
@STOP
@click.option("--json", "as_json", is_flag=True, help="Print the figures for programs.")
@where_it_runs
def command(
    *,
    game: str,
    values: tuple[str, ...],
    asked: StudyAsked,
    measures: tuple[str, ...],
    repeats: int,
    streams: int,
    valued: int,
    values_by: str,
    sampled: int,
    targets: tuple[str, ...],
    caps: tuple[str, ...],
    stops: tuple[str, ...],
    as_json: bool,
    place: StudyPlace,
) -> None:
    """Play a GAME with each of the VALUES of some name of its rules, on the same seeds, and say what they do.

    A name is a constant, what the game or a player has at the start (fuel, Player.fuel), a value, an adjustment with a
    name, an option, a column of a table (Craft.price, Craft[name == gnat].price, Bonus.copies), a variant or a rule
    (jam=yes,no), or `players`. Values are 1..9, 1..9/2 or a, b, c. Each cell is a checked variant in the
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

    try:
        more = {"sampled": sampled, "values": valued, "repeats": repeats, "streams": streams, "stop": stop_of(stops)}
        more |= {"targets": lengths_of(targets), "caps": lengths_of(caps), "values_by": values_by}
        study = asked.study(game, map(Axis.read, values), measures=_measures(measures), **more)
    except InvalidInput as error:
        raise click.UsageError(str(error)) from None
    play_study(study, place, tell_data if as_json else tell)


def _measures(texts: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Returns the names and the expressions of measures; one without a name is called `measured`, the next `measured_2`."""
    found = list[tuple[str, str]]()
    for text in texts:
        name, equals, expression = (part.strip() for part in text.partition("="))
        if not (equals and name.isidentifier() and not expression.startswith("=")):
            others = sum(name.startswith("measured") for name, _ in found)
            name, expression = f"measured_{others + 1}" if others else "measured", text.strip()
        found.append((name, expression))
    return tuple(found)
