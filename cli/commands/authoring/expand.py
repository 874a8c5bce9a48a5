"""`rulelang expand GAME+VARIANT`: the game with its variants as one text that stands alone."""

from __future__ import annotations

import click

from ...argument import GAME, load


@click.command("expand")
@GAME
def command(game: str) -> None:
    """Print GAME with its variants as one file of rules.

    The file checks and plays as GAME does, also in an empty folder: what it includes is in it, and so are the scenarios
    that can be read with these variants and are not void. It needs no ledger.

    \b
    Examples:
      rulelang expand outspeed+sprint
      rulelang expand nim+misere > misere.rules
    """
    from rulelang.scenarios.run import scenarios_of, unreadable
    from rulelang.variants.expand import expand

    loaded = load(game)
    left_out = {node.title.raw for node in unreadable(loaded)}
    if left_out:
        many = f"{len(left_out)} scenarios" if len(left_out) > 1 else "a scenario"
        click.echo(f"left out: {many} of the game that cannot be read under these variants", err=True)
    scenarios = tuple(node for node in scenarios_of(loaded) if node.title.raw not in left_out)
    click.echo(expand(loaded.whole.module, scenarios), nl=False)
