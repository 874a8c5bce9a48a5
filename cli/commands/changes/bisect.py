"""`rulelang bisect LOG --from A --to B`: finds the edit between two rule sets that makes a log differ."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from rulelang.diagnostics.render import escaped

from ...argument import FilePath, complete_game, load
from ...exits import Unreadable
from ...logbook import game_under, read
from ...progress_message import waiting


@click.command("bisect")
@click.argument("log", type=FilePath())
@click.option(
    "--from", "before", metavar="A", shell_complete=complete_game, help="By default, the rules that the log names."
)
@click.option(
    "--to", "after", metavar="B", required=True, shell_complete=complete_game, help="The rules under which it differs."
)
@click.option("--json", "as_json", is_flag=True, help="Print it for programs.")
def command(log: Path, before: str | None, after: str, *, as_json: bool) -> None:
    """Find the edit between the rules A and B that makes a LOG differ: an operation of a variant, or a changed declaration.

    \b
    Examples:
      rulelang bisect race.jsonl --to outspeed+hungry+sprint
      rulelang bisect race.jsonl --from old/outspeed.rules --to new/outspeed.rules
    """
    from rulelang.errors import LogError
    from rulelang.workbench.changes.edits import Edits
    from rulelang.workbench.divergence import is_well_up_to, retell

    found = read(log)
    first = load(before) if before is not None else game_under(found.header, None)
    second = game_under(found.header, after)
    try:
        with waiting(f"Playing {log} under both rules"):
            told, own = retell(found, second), retell(found, first)
    except LogError as error:
        raise Unreadable(f"{log}: {error}") from None
    edits = Edits.of(first, second)
    with waiting("Looking for the edits that do it"):
        blamed = edits.culprits(is_well_up_to(told)) if told.differences else ()
    said = told.first.sentence if told.first is not None else ""
    if as_json:
        data: dict[str, Any] = {"edits": len(edits.all), "agrees": not told.differences, "difference": said}
        data["because"] = [{"edit": e.name, "clauses": list(e.clauses), "place": e.span.place} for e in blamed]
        data["differs_before"] = bool(own.differences)
        click.echo(json.dumps(data, indent=2))
        return
    if not told.differences:
        click.echo("the log does not differ under these rules")
        return
    click.echo(escaped(said))
    for edit in blamed:
        cited = f" [{', '.join(edit.clauses)}]" if edit.clauses else ""
        click.echo(escaped(f"because of {edit.name}{cited} ({edit.span.place})"))
    if not blamed and own.first is not None:
        click.echo(f"none of {len(edits.all)} edits: the log differs under the first rules too")
        click.echo(escaped(f"  {own.first.sentence}"))
    elif len(blamed) > 1:
        click.echo("without all of these together it does not differ; without fewer it does")
