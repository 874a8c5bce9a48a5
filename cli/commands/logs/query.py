"""`rulelang log query LOGS… SQL`: a query of many games at once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import indent
from typing import TYPE_CHECKING

import click

from rulelang.diagnostics.render import escaped

from ...argument import FilePath
from ...console import print_table
from ...exits import Refused
from ...progress_message import waiting
from .export import archived

if TYPE_CHECKING:
    from rulelang.workbench.archive import QueryResult


MOST_SHOWN = 1_000
"""The most rows that a table shows."""


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
            _ask(logs[0], question, as_json=as_json)
            return
        with TemporaryDirectory() as folder:
            archived(logs, Path(folder))
            _ask(Path(folder), question, as_json=as_json)
    except BadQuestion as error:
        raise Refused(str(error)) from None


def _ask(folder: Path, question: str, *, as_json: bool) -> None:
    """Prints the answer to a query. Raises BadQuestion."""
    from rulelang.workbench.archive import answered

    with ExitStack() as stack:
        with waiting("Looking for the answer"):
            answer = stack.enter_context(answered(folder, question))
        if as_json:
            for piece in _document(answer):
                click.echo(piece, nl=False)
        else:
            _print(answer)


def _document(answer: QueryResult) -> Iterator[str]:
    """Yields the answer as one JSON document, row by row.

    >>> from rulelang.workbench.archive import QueryResult
    >>> "".join(_document(QueryResult(("n",), iter([(1,)])))) == json.dumps({"columns": ["n"], "rows": [{"n": 1}]}, indent=2) + "\\n"
    True
    """
    yield f'{{\n  "columns": {indent(json.dumps(list(answer.columns), indent=2), "  ").lstrip()},\n  "rows": ['
    between = "\n"
    for row in answer.rows:
        told = json.dumps(dict(zip(answer.columns, row, strict=True)), indent=2, default=str)
        yield between + indent(told, "    ")
        between = ",\n"
    yield "]\n}\n" if between == "\n" else "\n  ]\n}\n"


def _print(answer: QueryResult) -> None:
    """Prints the answer as a table; of a long one the first rows, and their number in all."""
    shown = list(islice(answer.rows, MOST_SHOWN))
    count = len(shown) + sum(1 for _ in answer.rows)
    if answer.columns:
        print_table(answer.columns, ([_said(value) for value in row] for row in shown))
    if count > len(shown):
        click.echo(f"the first {len(shown)} of {count} rows (--json prints all)")
    else:
        click.echo(f"{count} row{'s' if count != 1 else ''}")


def _said(value: object) -> str:
    """Returns a value in words for people."""
    if value is None:
        return "-"
    if isinstance(value, list | tuple):
        return escaped(", ".join(map(_said, value)))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return escaped(f"{value:.4g}" if isinstance(value, float) else str(value))
