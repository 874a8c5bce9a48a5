"""`rulelang sheets GAME`: the components of a game, to print and cut out."""

from __future__ import annotations

from pathlib import Path

import click

from ...argument import GAME, FilePath, load
from ...exits import Refused
from ...progress_message import waiting


@click.command("sheets")
@GAME
@click.option(
    "--html", required=True, type=FilePath(dir_okay=False), metavar="FILE", help="The page to write, a new file."
)
@click.option("--changes", is_flag=True, help="Of a variant, print only what it has otherwise.")
def command(*, game: str, html: Path, changes: bool) -> None:
    """Print the components of GAME for a test on paper, made from its rules alone.

    Cards with their values, texts and backs, tokens, boards, mats: one page with cut marks, for A4 or Letter. Print it
    from a browser.

    \b
    Examples:
      rulelang sheets outspeed --html outspeed.html
      rulelang sheets outspeed+sprint --changes --html sprint.html
    """
    from rulelang import disk
    from rulelang.pages.sheets import sheets

    about = load(game)
    if changes and not about.variants:
        raise click.UsageError("--changes says what a variant prints otherwise: name one, such as GAME+VARIANT")
    with waiting(f"Printing the components of {game}"):
        base = load(game.partition("+")[0], quiet=True) if changes else None
        page = sheets(about, base)
    try:
        disk.create(html, page.encode())
    except FileExistsError:
        raise Refused(f"{html} exists already; nothing is overwritten") from None
    click.echo(f"The components are in {html}")
