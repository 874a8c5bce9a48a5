"""`rulelang dump`: a game as text after a stage of the compiler."""

from __future__ import annotations

import click

from ...argument import GAME, OneOf, counted, show, split
from ...exits import Refused, Unreadable

STAGES = ("tree", "ir", "woven", "python", "lir", "playouts")
FORMER = {"low": "lir"}
"""Names that stages had before."""


@click.command("dump")
@GAME
@click.option("--stage", type=OneOf(STAGES, FORMER), default="woven", show_default=True, help="Which form to print.")
def command(game: str, stage: str) -> None:
    """Print GAME as the compiler sees it after a stage.

    `tree` is the text as nodes, variants applied; `ir` what it means, with a type for everything; `woven` the procedures
    that all executors run; `python` the code of the usual one, `lir` the integer code from which that and the native one are made,
    `playouts` the Python that plays many random games of a small game. The forms are for reading and may change.

    \b
    Examples:
      rulelang dump nim --stage tree
      rulelang dump outspeed+sprint --stage ir > sprint.ir
    """
    from rulelang.driver.chain import Unit
    from rulelang.driver.dump import dump
    from rulelang.errors import RulesError
    from rulelang.texts.reader import Disk, NothingToRead, find_entry

    base, variants = split(game)
    try:
        text = dump(Unit(Disk(), find_entry(base), variants), stage)
    except NothingToRead as error:
        raise Unreadable(str(error)) from None
    except RulesError as error:
        show(error.diagnostics)
        raise Refused(f"{game} does not reach this stage: {counted(error.diagnostics)}") from None
    click.echo(text, nl=False)
