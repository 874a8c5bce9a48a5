"""`rulelang scenario LOG --at STEP`: a step of a game as the shortest scenario that can be found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.diagnostics.render import escaped

from ...argument import FilePath, complete_game
from ...exits import Refused
from ...logbook import replayed

if TYPE_CHECKING:
    from rulelang.api import Game
    from rulelang.match.match import BareMatch


@click.command("scenario")
@click.argument("log", type=FilePath())
@click.option("--at", "step", type=click.IntRange(min=1), help="The answer that it ends with.  [default: the last]")
@click.option("--expect", "expects", multiple=True, metavar="CONDITION", help="What it shows, in place of all changes.")
@click.option("--title", default="", help="What it is called.  [default: the answer]")
@click.option(
    "--position",
    "whole",
    is_flag=True,
    help="Print where it stands after that answer, for `rulelang play --from FILE`.",
)
@click.option("--game", shell_complete=complete_game, help="By these rules, if not those that the log names.")
def command(log: Path, step: int | None, expects: tuple[str, ...], title: str, whole: bool, game: str | None) -> None:
    """Print a step of a LOG as a scenario: the position, the answers and their effects.

    It passes as it is printed, cites the clauses of the rules that were at work, and is as short as it can be: whatever can go
    without the last answer losing its meaning is left out. --at counts the answers that were not taken back, from 1.

    \b
    Examples:
      rulelang scenario race.jsonl --at 17
      rulelang scenario race.jsonl --at 17 --position > here.rules
      rulelang scenario race.jsonl --at 17 --expect "red.zone == 7" >> my/scenarios/boards.rules
    """
    from rulelang.workbench.excerpt import NoExcerpt, excerpt

    rules, again = replayed(log, game)
    if again.difference is not None:
        raise Refused(f"these rules do not play this log: {again.difference.error}")
    match = again.match
    last = len(match.earlier())
    if not last:
        raise Refused("nothing was answered in this game")
    if whole:
        _print_position(rules, match, step or last)
        return
    try:
        found = excerpt(rules, match, step or last, title, expects)
    except NoExcerpt as error:
        raise Refused(str(error)) from None
    for line in found.text.splitlines():
        click.echo(escaped(line))
    click.echo(f"{found.tried} scenarios were played to find it", err=True)


def _print_position(rules: Game, match: BareMatch, step: int) -> None:
    """Prints the whole position after an answer, hidden things included."""
    from rulelang.api.positions import written_position
    from rulelang.errors import InvalidInput

    earlier = match.earlier()
    if not 1 <= step <= len(earlier):
        raise Refused(f"there are steps 1 to {len(earlier)}: answers that were not taken back")
    after = match if step == len(earlier) else earlier[step][0]
    try:
        text = written_position(rules.internals, after.position)
    except InvalidInput as error:
        raise Refused(str(error)) from None
    for line in text.splitlines():
        click.echo(escaped(line))
