"""`rulelang edit GAME`: the texts of a game in a browser, with the game on the table beside them."""

from __future__ import annotations

import secrets
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..argument import GAME, load
from ..exits import Refused
from ..serving import HOME, LONGEST_OF_TEXTS, listening, names_of, need_pages, serve, table_of

if TYPE_CHECKING:
    from rulelang.api import Game


@click.command("edit")
@GAME
@click.option("--players", type=int, help="How many play.  [default: 4, or what the game allows]")
@click.option("--seed", help="A number or a word that the dice come from: the same seed, the same dice.")
@click.option("--seat", "seats", multiple=True, metavar="SEAT=WHO", help="Who sits where, as for `serve`.")
@click.option(
    "--pace", type=click.FloatRange(0, 60), default=0.3, show_default=True, help="Seconds between bots' choices."
)
@click.option("--port", type=click.IntRange(0, 65_535), default=8100, show_default=True, help="0 takes any free one.")
@click.option("--open/--no-open", "opens", default=True, help="Whether to open the browser.")
def command(
    *, game: str, players: int | None, seed: str | None, seats: tuple[str, ...], pace: float, port: int, opens: bool
) -> None:
    """Edit a GAME in a browser, with the game on the table beside its rules: each valid edit is played at once.

    The page writes only files of rules and ledgers in the folder of the GAME, and only when you save.

    \b
    Examples:
      rulelang edit my/nim
      rulelang edit my/nim.rules+misere --seed 7
    """
    need_pages()
    try:
        from rulelang.editing.application import application
    except ImportError:
        raise Refused("the workbench needs the extra: pip install 'rulelang[lsp]'") from None
    from rulelang.api import named
    from rulelang.editing.desk import Desk
    from rulelang.editing.texts.folder import GameFolder
    from rulelang.web.hall import Hall

    rules = _opened(game)
    secret, port_of = secrets.token_urlsafe(16), listening(HOME, port)
    with tempfile.TemporaryDirectory(prefix="rulelang-") as folder:
        hall = Hall(Path(folder), lambda _: rules, lambda _: desk.game, pace)
        table_of(hall, rules, "+".join((rules.id, *rules.variants)), players, seed, seats, allow_undo=True)
        desk = Desk(GameFolder.of(rules.internals.entry), named(game)[1], hall)
        address = f"http://{HOME}:{port_of.getsockname()[1]}/edit/{secret}"
        click.echo(address)
        click.echo("Ctrl-C stops it; what is not saved then is lost.")
        sys.stdout.flush()
        if opens:
            webbrowser.open(address)
        serve(application(desk, secret, names_of(port_of)), port_of, LONGEST_OF_TEXTS)


def _opened(name: str) -> Game:
    """Returns the game; ends the command if it cannot be played."""
    from rulelang.editing.texts.folder import playable
    from rulelang.errors import RulesError

    try:
        return load(name)
    except Refused as refused:
        # Its errors are told. Those of a scenario, or of a variant that is not in force, are mended in the workbench.
        try:
            return playable(name)
        except RulesError:
            raise refused from None
