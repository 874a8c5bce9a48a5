"""`rulelang rulebook GAME`: the rules in prose, as Markdown or as a page."""

from __future__ import annotations

from pathlib import Path

import click

from ...argument import GAME, FilePath, load
from ...exits import Refused
from ...progress_message import waiting


@click.command("rulebook")
@GAME
@click.option(
    "--html",
    type=FilePath(dir_okay=False),
    metavar="FILE",
    help="Write one page that needs nothing else, to a new file.",
)
@click.option("--sheet", is_flag=True, help="Of a variant, print only what it changes.")
def command(*, game: str, html: Path | None, sheet: bool) -> None:
    """Print the rules of GAME as people read them, made from its .rules alone.

    The aim, an overview and an example of a turn (a scenario whose title begins with "an example"); then what is in the box,
    set-up, the course of play, actions with what forbids them, ends and terms, with the clauses that the rules cite. A
    variant's changes stand in front.

    \b
    Examples:
      rulelang rulebook outspeed
      rulelang rulebook outspeed --html outspeed.html
      rulelang rulebook outspeed+sprint --sheet
    """
    from rulelang import disk
    from rulelang.rulebook.printed.book import changes_of, document_of
    from rulelang.rulebook.printed.markdown import markdown
    from rulelang.rulebook.printed.page import page

    about = load(game)
    if sheet and not about.variants:
        raise click.UsageError("a sheet says what a variant changes: name one, such as GAME+VARIANT")
    with waiting(f"Printing the rules of {game}"):
        document = changes_of(game) if sheet else document_of(game)
    if html is None:
        click.echo(markdown(document), nl=False)
        return
    try:
        disk.create(html, page(document).encode())
    except FileExistsError:
        raise Refused(f"{html} exists already; nothing is overwritten") from None
    click.echo(f"The rules are in {html}")
