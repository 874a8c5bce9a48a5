"""`rulelang log …`: the commands for logs as files."""

from __future__ import annotations

import click

from . import cat, export, migrate, query

EPILOG = """\b
Examples:
  rulelang log
  rulelang log cat played/ --out all.jsonl.zst
  rulelang log query played/ "select winners, count(*) from games group by all"
  rulelang log export played/ --out tables/
  rulelang log migrate old.jsonl --out new.jsonl
"""


@click.group("log", epilog=EPILOG, invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """List the games that were played; ask many logs at once, move a log to newer rules, join and compress logs.

    Alone, it lists the last 100 games that were played to their end.
    """
    if context.invoked_subcommand is None:
        from .shelf import list_games

        list_games()


for one in (cat.command, query.command, export.command, migrate.command):
    command.add_command(one)
