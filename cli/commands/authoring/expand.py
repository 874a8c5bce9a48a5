"""`rulelang expand GAME+VARIANT`: the game with its variants as one text that stands alone."""

from __future__ import annotations

import click

from ...argument import GAME, load


@click.command("expand")
@GAME
def command(game: str) -> None:
    """Print GAME with its variants as one file of rules.

    The file checks and plays as GAME does, also in an empty folder: what it includes is in it, and so are the scenarios
    that hold with these variants. It needs no ledger.

    \b
    Examples:
      rulelang expand outspeed+sprint
      rulelang expand nim+misere > misere.rules
    """
    from rulelang.variants.expand import expand

    whole = load(game).whole
    click.echo(expand(whole.module, whole.scenarios), nl=False)
