"""The command: prints the results of the races, and compares them with stored ratios."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, TypeAlias

import attrs
import click

from rulelang.diagnostics.render import escaped
from rulelang.diagnostics.suggest import hint

from ...argument import complete_game
from ...exits import Refused
from .first_runs import first_runs
from .long_log import NAME as LONG_LOG
from .long_log import long_log
from .race import Figure, Race, childrens_time, run
from .races import SHIPPED, checked_out, races
from .typing import NAME as TYPING
from .typing import typing
from .verdicts import NAME as VERDICTS
from .verdicts import verdicts

if TYPE_CHECKING:
    from ..screen_benchmark import ScreenTimes

FALLEN = 0.8
"""A ratio has fallen if it is less than this part of the stored one."""


@click.command("bench")
@click.argument("game", required=False, shell_complete=complete_game)
@click.option("--seconds", default=0.3, show_default=True, help="For each contestant in each round.")
@click.option("--rounds", default=5, show_default=True, help="Of which the median counts.")
@click.option("--only", metavar="WORDS", help="Only races with these words in their names.")
@click.option("--keep", type=click.Path(dir_okay=False, path_type=Path), help="Write the ratios to a file.")
@click.option(
    "--against",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Fail where a ratio is less than four fifths of the one in this file.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures for programs.")
def command(
    *,
    game: str | None,
    seconds: float,
    rounds: int,
    only: str | None,
    keep: Path | None,
    against: Path | None,
    as_json: bool,
) -> None:
    """Measure how fast games run here, in time of the CPU, as ratios within one run.

    Random games of all games that ship, or of GAME: from the rules on each executor, and through the API. Board games
    against Python and C written by hand and against OpenSpiel, where these are there; boards that are searched against
    OpenSpiel's rollouts; a fork against a bare copy, re-deals of card games against the match played anew, the choices
    of bots, the API as it is written against Python by hand, what is done with logs against a playout, letters typed
    into the largest game until its diagnostics are there, edits until the scenarios are judged and the table has
    followed, what it takes to start, and the screens of the games at the positions of several games.

    \b
    Examples:
      rulelang bench
      rulelang bench my_game.rules
      rulelang bench --only othello --rounds 9
      rulelang bench --only screens
      rulelang bench --only redeals
      rulelang bench --only bots
      rulelang bench --only api
      rulelang bench --only logs
      rulelang bench --only verdicts
      rulelang bench --only boards
    """
    found, there = [], tuple(races(game))
    for race in there:
        if only is None or only.casefold() in race.name.casefold():
            figures = run(race, seconds, max(rounds, 1))
            found += figures
            if not as_json:
                _print(figures)
    is_held = keep is not None or against is not None
    drawn = _screens(game) if not is_held and (only is None or only.casefold() in SCREENS) else []
    guides = {} if is_held or game is not None else _guides(max(rounds, 1), only)
    if not found and not drawn and not guides:
        names = (*(race.name for race in there), SCREENS, LONG_LOG, TYPING, VERDICTS)
        raise Refused(f"no race has `{only}` in its name{hint(str(only), names)}")
    if as_json:
        data = {"figures": [attrs.asdict(f) for f in found], "guides_ms": guides}
        click.echo(json.dumps({**data, "screens": [attrs.asdict(one) for one in drawn]}, indent=2))
    for one in drawn if not as_json else ():
        took = f"median {one.median_ms:,.1f} ms, worst {one.worst_ms:,.1f} ms ({one.worst_at}) of {one.positions:,} positions"
        click.echo(f"{SCREENS if one is drawn[0] else '':<20} {escaped(Path(one.game).stem):<24}{took}")
    for name, figure in guides.items() if not as_json else ():
        click.echo(f"{name:<68}{figure:>12,.0f}{'' if name.endswith('scenarios') else ' ms'}")
    if game is None and only is None and checked_out() is None and not as_json:
        click.echo("\nThe classic games and what is written by hand are in the checkout only: run this there for them.")
    if keep is not None:
        keep.write_text(json.dumps(_ratios(found), indent=2) + "\n", encoding="utf-8")
    if against is not None:
        _compare(found, json.loads(against.read_text(encoding="utf-8")), there, seconds, max(rounds, 1))


SCREENS = "screens"


def _screens(game: str | None) -> list[ScreenTimes]:
    """Returns the times of the screens of a game, or of each game that ships."""
    from rulelang import api

    from ..screen_benchmark import screens

    return [screens(name) for name in (api.games() if game is None else (game,))]


def _print(figures: list[Figure]) -> None:
    for i, figure in enumerate(figures):
        title = figure.race if i == 0 else ""
        rate, spread = f"{figure.rate:,.0f} {figure.unit}/s", f"({figure.low:.2f} to {figure.high:.2f})"
        click.echo(f"{title:<20} {figure.name:<24}{rate:>22}{figure.ratio:>9.2f} × {spread}")
    click.echo()


def _ratios(figures: list[Figure]) -> dict[str, dict[str, float]]:
    """Returns the ratios by race and contestant."""
    ratios: dict[str, dict[str, float]] = {}
    for figure in figures:
        ratios.setdefault(figure.race, {})[figure.name] = round(figure.ratio, 4)
    return ratios


Kept: TypeAlias = dict[str, dict[str, float]]
"""Stored ratios, by race and contestant."""


def _compare(found: list[Figure], kept: Kept, there: tuple[Race, ...], seconds: float, rounds: int) -> None:
    """Raises Refused if a ratio has fallen, in its race and when the race is run once more; ratios without a
    counterpart are passed over.
    """
    first = _fallen(found, kept)
    again = [race for race in there if race.name in {figure.race for figure in first}]
    second = _fallen([figure for race in again for figure in run(race, seconds, rounds)], kept)
    words = [
        f"{one.race}, {one.name}: {max(one.ratio, other.ratio):.2f} × in place of {kept[one.race][one.name]:.2f} ×"
        for one in first
        for other in second
        if (one.race, one.name) == (other.race, other.name)
    ]
    if words:
        raise Refused("\n".join(("more than a fifth slower than the stored ratios:", *words)))


def _fallen(figures: list[Figure], kept: Kept) -> list[Figure]:
    return [one for one in figures if one.ratio < FALLEN * kept.get(one.race, {}).get(one.name, 0.0)]


# ------------------------------------------------------------------ guides


def _guides(rounds: int, only: str | None) -> dict[str, float]:
    """Returns milliseconds of the CPU for a long log and, if
    everything is measured, for starting, each in a fresh interpreter.
    """
    wanted = "" if only is None else only.casefold()
    log = long_log(rounds) if wanted in LONG_LOG else {}
    log |= typing() if wanted in TYPING else {}
    log |= first_runs(checked_out(), wanted)
    log |= verdicts(wanted)
    if only is not None:
        return log
    empty = _milliseconds(["-c", "pass"], rounds)
    return {
        "an empty interpreter": empty,
        "import rulelang, beyond it": _milliseconds(["-c", "import rulelang"], rounds) - empty,
        "rulelang --help, whole": _milliseconds(["-m", "cli", "--help"], rounds),
        "rulelang games, whole": _milliseconds(["-m", "cli", "games"], rounds),
        **{f"load and start {name}, whole": _milliseconds(["-c", STARTED.format(name)], rounds) for name in SHIPPED},
        **log,
    }


STARTED = "import rulelang; list(rulelang.load('{}').start(traced=False).options)"
"""What a program does that starts an unchanged game."""


def _milliseconds(words: list[str], rounds: int) -> float:
    """Returns the time of the CPU that a fresh interpreter takes, in milliseconds."""
    taken = []
    for _ in range(rounds + 1):
        start = childrens_time()
        subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
        taken.append(childrens_time() - start)
    return median(taken[1:]) * 1000
