"""`rulelang log query LOGS… SQL`: a question to many games at once."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from rulelang.diagnostics.render import escaped

from ...argument import FilePath
from ...exits import Refused
from ...waiting import waiting
from ..arena import print_table
from .export import archived

if TYPE_CHECKING:
    from rulelang.workbench.archive import Answer


@click.command("query")
@click.argument("logs", nargs=-1, required=True, type=FilePath())
@click.argument("question", metavar="SQL")
@click.option("--json", "as_json", is_flag=True, help="Print the answer for programs.")
def command(*, logs: tuple[Path, ...], question: str, as_json: bool) -> None:
    """Ask LOGS (files, folders, or one folder that `log export` wrote) a question in SQL.

    There are four tables: games, inputs, events and changes; `game` is the number by which their rows belong together. The
    question can read these and nothing else. Needs the extra `tables`.

    \b
    Examples:
      rulelang log query played/ "select * from games where 'red' in winners"
      rulelang log query played/ "select distinct log from games join events using (game)
          where call ilike 'play_boon(%blackout%)' and round < 5"
      rulelang log query tables/ "select rule, count(*) from events group by rule" --json
    """
    from rulelang.workbench.archive import BadQuestion, is_archive

    try:
        if len(logs) == 1 and is_archive(logs[0]):
            _print(_answered(logs[0], question), as_json=as_json)
            return
        with TemporaryDirectory() as folder:
            archived(logs, Path(folder))
            _print(_answered(Path(folder), question), as_json=as_json)
    except BadQuestion as error:
        raise Refused(str(error)) from None


def _answered(folder: Path, question: str) -> Answer:
    from rulelang.workbench.archive import answer

    with waiting("Looking for the answer"):
        return answer(folder, question)


def _print(found: Answer, *, as_json: bool) -> None:
    if as_json:
        rows = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
        click.echo(json.dumps({"columns": list(found.columns), "rows": rows}, indent=2, default=str))
        return
    if found.columns:
        print_table(found.columns, ([_said(value) for value in row] for row in found.rows))
    click.echo(f"{len(found.rows)} row{'s' if len(found.rows) != 1 else ''}")


def _said(value: object) -> str:
    """Returns a value as people read it."""
    if value is None:
        return "-"
    if isinstance(value, list | tuple):
        return escaped(", ".join(map(_said, value)))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return escaped(f"{value:.4g}" if isinstance(value, float) else str(value))
