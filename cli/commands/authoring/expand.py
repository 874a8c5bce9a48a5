"""`rulelang expand GAME+VARIANT`: the game with its variants as one text that stands alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...argument import GAME, load

if TYPE_CHECKING:
    from rulelang.api import Game


def expanded(game: Game) -> tuple[str, int]:
    """Returns a game with its variants as one text, and the number of scenarios that its variants leave out of it."""
    from rulelang.scenarios.run import scenarios_of, unreadable
    from rulelang.variants.expand import expand

    left_out = {node.title.raw for node in unreadable(game)}
    scenarios = tuple(node for node in scenarios_of(game) if node.title.raw not in left_out)
    return expand(game.internals.whole.module, scenarios), len(left_out)


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
    text, left_out = expanded(load(game))
    if left_out:
        many = f"{left_out} scenarios" if left_out > 1 else "a scenario"
        click.echo(f"left out: {many} of the game that cannot be read under these variants", err=True)
    click.echo(text, nl=False)
