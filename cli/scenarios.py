"""`rulelang test GAME`: plays the scenarios of a game, and says of each that fails what differed and where."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from .argument import GAME, load
from .console import style_for
from .exits import NOT_SO

if TYPE_CHECKING:
    from rulelang.api import Game
    from rulelang.scenarios.run import ScenarioResult
    from rulelang.source import Span


@click.command("test")
@GAME
@click.option("--json", "as_json", is_flag=True, help="Print the results for programs.")
@click.option("-k", "--only", metavar="WORDS", help="Only scenarios with these words in their names.")
@click.option("--all", "with_variants", is_flag=True, help="Each variant of the game too.")
@click.option("-q", "--quiet", is_flag=True, help="Only those that fail.")
@click.option("--executor", type=click.Choice(["reference", "generated"]), default="reference", show_default=True)
def command(*, game: str, as_json: bool, only: str | None, with_variants: bool, quiet: bool, executor: str) -> None:
    """Play the scenarios of a GAME. Exit code 1 means that one fails.

    \b
    Examples:
      rulelang test outspeed
      rulelang test outspeed+sprint -k legs
      rulelang test my/nim.rules --json
    """
    base = load(game)
    names = [game]
    if with_variants:
        names += [f"{game}+{v.name.text}" for v in base.loaded.variants if v.name.text not in base.variants]
    results: list[tuple[str, ScenarioResult]] = []
    for name in names:
        results += [(name, result) for result in _run(base if name == game else load(name), only, executor)]
    if as_json:
        click.echo(json.dumps({"scenarios": [_data(name, result) for name, result in results]}, indent=2))
    else:
        _print(results, several=len(names) > 1, quiet=quiet)
    if not all(result.passed for _, result in results):
        sys.exit(NOT_SO)


def _run(game: Game, only: str | None, executor: str) -> tuple[ScenarioResult, ...]:
    from rulelang.scenarios.run import run_scenarios

    return run_scenarios(game, only, executor)


def _data(name: str, result: ScenarioResult) -> dict[str, object]:
    return {
        "game": name,
        "name": result.name,
        "clauses": list(result.clauses),
        "passed": result.passed,
        "seconds": round(result.seconds, 4),
        "faults": [{"message": fault.message, "place": fault.span.place} for fault in result.faults],
    }


def _print(results: list[tuple[str, ScenarioResult]], *, several: bool, quiet: bool) -> None:
    from rulelang.diagnostics.render import escaped

    style = style_for(sys.stdout)
    last = None
    for name, result in results:
        if several and name != last:
            click.echo(name)
            last = name
        if result.passed and quiet:
            continue
        mark = style("good", "ok  ") if result.passed else style("bad", "FAIL")
        cites = style("remark", escaped(f"  [{', '.join(result.clauses)}]")) if result.clauses else ""
        click.echo(f"{mark}  {escaped(result.name)}{cites}")
        for fault in result.faults:
            click.echo(_said(fault.message, fault.span))
    failed = sum(not result.passed for _, result in results)
    seconds = sum(result.seconds for _, result in results)
    word = "scenario" if len(results) == 1 else "scenarios"
    verdict = f"{failed} of {len(results)} {word} fail" if failed else f"{len(results)} {word}, all pass"
    click.echo(f"{verdict}  ({seconds:.1f} s)")


def _said(message: str, span: Span) -> str:
    """Gives what differed, with its line: like a diagnostic, but it has no code."""
    from rulelang.diagnostics.model import Diagnostic, Label
    from rulelang.diagnostics.render import render_full

    style = style_for(sys.stdout)
    text = render_full(
        Diagnostic("", message, Label(span, "")), style=lambda role, t: "" if role == "error" else style(role, t)
    )
    return text.removeprefix(": ")
