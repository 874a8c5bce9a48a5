"""`rulelang new NAME`: a small whole game to start from, which passes its own checks and scenarios.

nim/nim.rules    nim/rulebook.toml    nim/scenarios/first.rules
"""

from __future__ import annotations

from pathlib import Path

import click

from ...argument import FilePath
from ...exits import Refused


@click.command("new")
@click.argument("name")
@click.option("--title", help="What people call it; else made from the name.")
@click.option("--into", type=FilePath(file_okay=False), default=Path(), help="The folder for it.")
@click.option(
    "--like",
    default="heap",
    show_default=True,
    metavar="KIND",
    help="heap, empty, board, cards or dice; or a game that ships, for a variant of it.",
)
def command(name: str, title: str | None, into: Path, like: str) -> None:
    """Write a small game to start from, in a folder called NAME.

    It is complete: rules and scenarios, and a heap has a ledger of clauses, too. Nothing that exists is overwritten.

    \b
    Examples:
      rulelang new nim
      rulelang new space_race --title "Space Race" --into games
      rulelang new yams --like dice
      rulelang new rich --like outspeed
    """
    from rulelang.editing.templates import create_game, texts_of, title_of, variants_of
    from rulelang.errors import InvalidInput

    called = title if title is not None else title_of(name)
    try:
        texts = texts_of(name, called, like)
        entry = create_game(into, name, called, like)
    except InvalidInput as error:
        raise click.UsageError(str(error)) from None
    except FileExistsError:
        raise Refused(f"{into / name} exists already; nothing is overwritten") from None
    for path in texts:
        click.echo(f"wrote {entry.parent / path}")
    game = "+".join((str(entry), *variants_of(name, like)))
    click.echo(f"\nNow try\n  rulelang play {game}\n  rulelang test {game}\n  rulelang edit {game}")
