"""`rulelang test GAME`: plays the scenarios of a game, and says of each that fails what differed and where."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from ..argument import GAME, load, warn
from ..console import style_for
from ..exits import NOT_SO, Refused

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
@click.option(
    "--executor",
    type=click.Choice(["both", "reference", "generated"]),
    default="both",
    show_default=True,
    help="What plays them; both must agree.",
)
def command(*, game: str, as_json: bool, only: str | None, with_variants: bool, quiet: bool, executor: str) -> None:
    """Play the scenarios of a GAME. Exit code 1 means that one fails, or that -k matches none.

    \b
    Examples:
      rulelang test outspeed
      rulelang test outspeed+sprint -k legs
      rulelang test my/nim.rules --json
    """
    from rulelang.scenarios.run import run_scenarios

    base = load(game, quiet=True)
    names = [game]
    if with_variants:
        names += [f"{game}+{v.name.text}" for v in base.loaded.variants if v.name.text not in base.variants]
    games = {name: base if name == game else load(name, quiet=True) for name in names}
    warn(diagnostic for about in games.values() for diagnostic in about.diagnostics)
    results = [
        (name, result) for name, about in games.items() for result in run_scenarios(about, only, executor=executor)
    ]
    if not results and only is not None:
        raise Refused(_no_match(game, only, games.values()))
    if as_json:
        click.echo(json.dumps({"scenarios": [_data(name, result) for name, result in results]}, indent=2))
    else:
        _print(results, several=len(names) > 1, quiet=quiet)
    if not all(result.passed for _, result in results):
        sys.exit(NOT_SO)


def _no_match(name: str, only: str, games: Iterable[Game]) -> str:
    """Returns what to say where no scenario has the words that were asked for in its name."""
    from rulelang.diagnostics.suggest import suggest
    from rulelang.scenarios.run import scenarios_of

    titles = dict.fromkeys(node.title.raw for game in games for node in scenarios_of(game))
    words = dict.fromkeys(word for title in titles for word in (title, *title.split()))
    near = suggest(only, words)
    hint = f"; did you mean `{near}`?" if near else ""
    return f"none of the {len(titles)} scenarios of {name} has `{only}` in its name{hint}"


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
    if not results:
        click.echo("there are no scenarios: nothing is tested")
        return
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
