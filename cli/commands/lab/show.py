"""`rulelang lab show FOLDER GAME`: one game of a study, as a log."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.diagnostics.render import escaped
from rulelang.errors import InvalidInput, RulelangError

from ...argument import FilePath
from ...exits import Refused

if TYPE_CHECKING:
    from rulelang.studies.run import Shown


@click.command("show")
@click.argument("folder", type=FilePath(file_okay=False))
@click.argument("number", metavar="GAME", type=click.IntRange(0))
@click.option("--cell", type=click.IntRange(0), default=0, show_default=True, help="The cell, by its number from 0.")
@click.option(
    "--bot", "own", multiple=True, metavar="FILE.py:NAME", help="A bot of yours that played: named here, it may run."
)
@click.option("--out", type=FilePath(dir_okay=False), help="The log.  [default: in the study's folder]")
@click.option("--web", is_flag=True, help="Look at it in a browser, with a timeline, as `rulelang replay --web` does.")
@click.option("--open/--no-open", "opens", default=True, help="With --web: whether to open the browser.")
def command(
    *, folder: Path, number: int, cell: int, own: tuple[str, ...], out: Path | None, web: bool, opens: bool
) -> None:
    """Play a GAME of a study again, by its number in the table `games`, and write its log.

    \b
    Examples:
      rulelang lab show fuel 17 --cell 3
      rulelang lab show fuel 17 --cell 3 --web
    """
    from rulelang import api
    from rulelang.studies.run import match_from
    from rulelang.studies.storage import Folder

    from ..serve import show_log

    try:
        shown = match_from(Folder(folder), cell, number, own)
    except InvalidInput as error:
        raise click.UsageError(str(error)) from None
    except RulelangError as error:
        raise Refused(str(error)) from None
    name = shown.name
    path = out or folder / "logs" / f"{cell:04}-{number}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    shown.log.save(path, replace=True)
    # With --web, programs read the address from the first line of the output.
    click.echo(escaped(f"{path}: {shown.fault or _ended(shown)}"), err=web)
    if not shown.is_same:
        click.echo(
            "  It went another way than in the study: a bot does not choose by its view and rng alone.", err=True
        )
    if web:
        show_log(path, name, opens=opens)
        return
    by = "" if name in api.games() else f" --game {shlex.quote(name)}"
    click.echo(escaped(f"  rulelang replay {path}{by}"))


def _ended(shown: Shown) -> str:
    """Returns how a game has ended, and who won it."""
    outcome, seats = shown.outcome, shown.log.header.players
    won = ", ".join(seats[seat] for seat in outcome.winners) if outcome is not None else "nobody"
    ended = f"{outcome.kind} in {outcome.rule}" if outcome is not None else "not ended"
    return f"{ended}, won by {won or 'nobody'}"
