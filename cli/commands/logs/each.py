"""`replay` of a file with several logs: the result of each in a line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulelang.diagnostics.render import escaped

from ...exits import NOT_SO, UNREADABLE
from ...logbook import counted, game_under

if TYPE_CHECKING:
    from rulelang.api import Game
    from rulelang.log.reading import ReadLog
    from rulelang.workbench.divergence_report import Policy


def each(path: Path, under: str | None, policy: Policy, bots: str | None, *, as_json: bool) -> None:
    """Replays each log of a file; ends the command with 3 if one cannot be read, else with 1 if one differs."""
    results = []
    for nth, found in enumerate(_results(path, under, policy, bots), start=1):
        if as_json:
            results.append({"nth": nth, **found})
            continue
        said = found["fault"] or found["difference"] or f"{counted(found['choices'])} agree"
        click.echo(escaped(f"{nth:>6}  {said}"))
        results.append(found)
    if as_json:
        click.echo(json.dumps({"logs": results}, indent=2))
    else:
        agreeing = sum(not found["fault"] and not found["difference"] for found in results)
        click.echo(f"{agreeing} of {len(results)} logs agree with the rules (--nth N shows one)")
    if any(found["fault"] for found in results):
        sys.exit(UNREADABLE)
    if any(found["difference"] for found in results):
        sys.exit(NOT_SO)


def _results(path: Path, under: str | None, policy: Policy, bots: str | None) -> Iterator[dict[str, Any]]:
    from rulelang.errors import LogError
    from rulelang.log.reading import read_logs

    for log in read_logs(path):
        found: dict[str, Any] = {"choices": 0, "difference": "", "fault": ""}
        if isinstance(log, LogError):
            yield {**found, "fault": str(log)}
            continue
        try:
            difference = _difference(
                log, _rules(log.header.game, log.header.variants, under), under is not None, policy, bots
            )
        except LogError as error:
            yield {**found, "fault": str(error)}
            continue
        yield {**found, "choices": log.choices, "difference": difference}


@cache
def _rules(game: str, variants: tuple[str, ...], under: str | None) -> Game:
    """Loads the rules of a log, or those given, once for all logs with the same rules."""
    from rulelang.log.format import Header

    return game_under(Header(game, (), None, variants), under)


def _difference(log: ReadLog, game: Game, is_other: bool, policy: Policy, bots: str | None) -> str:
    """Returns the first difference of a log in words; "" for none."""
    from rulelang.api import replay
    from rulelang.workbench.divergence import retell

    if is_other:
        told = retell(log, game, policy, bots)
        return told.first.sentence if told.first is not None else ""
    found = replay(log, under=game).difference
    return f"line {found.line}: the log has {found.logged}, the rules give {found.played}" if found is not None else ""
