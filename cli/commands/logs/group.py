"""`rulelang log …`: the commands for logs as files."""

from __future__ import annotations

import click

from . import cat, export, migrate, query

EPILOG = """\b
Examples:
  rulelang log cat played/ --out all.jsonl.zst
  rulelang log query played/ "select winners, count(*) from games group by all"
  rulelang log export played/ --out tables/
  rulelang log migrate old.jsonl --out new.jsonl
"""


@click.group("log", epilog=EPILOG)
def command() -> None:
    """Ask many logs at once, move a log to newer rules, join and compress logs."""


for one in (cat.command, query.command, export.command, migrate.command):
    command.add_command(one)
