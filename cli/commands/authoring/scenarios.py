"""`rulelang test GAME`: plays the scenarios of a game, and reports for each that fails the difference and its place."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from rulelang.diagnostics.render import escaped

from ...argument import GAME, OneOf, load, note_unnamed, warn
from ...console import style_for
from ...exits import NOT_SO, Refused
from ...progress_message import waiting

if TYPE_CHECKING:
    from rulelang.api import Game
    from rulelang.source import Span
    from rulelang.workbench.changes.variant_scenarios import Met


@click.command("test")
@GAME
@click.option("--json", "as_json", is_flag=True, help="Print the results for programs.")
@click.option("-k", "--only", metavar="WORDS", help="Only scenarios with these words in their names.")
@click.option("--all", "with_variants", is_flag=True, help="Each variant of the game too.")
@click.option("-q", "--quiet", is_flag=True, help="Only those that fail.")
@click.option(
    "--executor",
    type=OneOf(["both", "reference", "generated"]),
    default="both",
    show_default=True,
    help="What plays them; both must agree.",
)
@click.option("--strict", is_flag=True, help="Scenarios of the game that a variant changes count as failures too.")
@click.option("--void", "void", is_flag=True, help="Print `void` lines for those that a variant changes.")
@click.option("--write", is_flag=True, help="With --void: append the lines to their variants.")
def command(
    *,
    game: str,
    as_json: bool,
    only: str | None,
    with_variants: bool,
    quiet: bool,
    executor: str,
    strict: bool,
    void: bool,
    write: bool,
) -> None:
    """Play the scenarios of a GAME. Exit code 1 means that one fails, or that -k matches none.

    With variants, scenarios of the game that they change are listed with the operation that does it, and are no failure.

    \b
    Examples:
      rulelang test outspeed
      rulelang test outspeed+sprint -k legs
      rulelang test my.rules+rich --void
      rulelang test my/nim.rules --json
    """
    from rulelang.workbench.changes.variant_scenarios import meet

    base = load(game, quiet=True)
    names = [game]
    if with_variants:
        names += [f"{game}+{v.name.text}" for v in base.internals.loaded.variants if v.name.text not in base.variants]
    games = {name: base if name == game else load(name, quiet=True) for name in names}
    warn(diagnostic for about in games.values() for diagnostic in about.diagnostics)
    if not with_variants:
        note_unnamed(base, game)
    with waiting(f"Playing the scenarios of {game}"):
        results = [(name, met) for name, about in games.items() for met in meet(about, only, executor=executor)]
    if not results and only is not None:
        raise Refused(_no_match(game, only, games.values()))
    if void or write:
        _void(games, results, write=write)
        return
    if as_json:
        click.echo(json.dumps({"scenarios": [_data(name, met) for name, met in results]}, indent=2))
    else:
        _print(results, games, quiet=quiet, strict=strict)
    if any(met.counts or (strict and not met.result.passed) for _, met in results):
        sys.exit(NOT_SO)


def report(name: str, head: str) -> None:
    """Plays the scenarios of a game; prints those that count as failures, and the summary after `head`."""
    from rulelang.workbench.changes.variant_scenarios import meet

    game = load(name, quiet=True)
    met = meet(game, executor="both")
    for one in met:
        if one.counts:
            _print_one(one, counts=True)
    click.echo(escaped(head) + (_verdict(met, game) if met else "there are no scenarios: nothing is tested"))


def _void(games: dict[str, Game], results: list[tuple[str, Met]], *, write: bool) -> None:
    """Prints `void` lines for the scenarios that the variants change, or appends each to its variant."""
    from rulelang.workbench.changes.variant_scenarios import voids
    from rulelang.workbench.voiding import written

    for name, game in games.items():
        lines = voids(tuple(met for of, met in results if of == name))
        if not write:
            for _, line in lines:
                click.echo(escaped(line))
            continue
        for path, count in written(game, lines):
            click.echo(f"{path}: {count} more void")


def _no_match(name: str, only: str, games: Iterable[Game]) -> str:
    """Returns the message for a -k that matches no scenario."""
    from rulelang.diagnostics.suggest import suggest
    from rulelang.scenarios.run import scenarios_of

    titles = dict.fromkeys(node.title.raw for game in games for node in scenarios_of(game))
    words = dict.fromkeys(word for title in titles for word in (title, *title.split()))
    near = suggest(only, words)
    hint = f"; did you mean `{near}`?" if near else ""
    return f"none of the {len(titles)} scenarios of {name} has `{only}` in its name{hint}"


def _data(name: str, met: Met) -> dict[str, object]:
    result = met.result
    return {
        "game": name,
        "name": result.name,
        "clauses": list(result.clauses),
        "passed": result.passed,
        "group": met.group.value,
        "because": [edit.name for edit in met.culprits],
        "seconds": round(result.seconds, 4),
        "faults": [{"message": fault.message, "place": fault.span.place} for fault in result.faults],
    }


def _print(results: list[tuple[str, Met]], games: dict[str, Game], *, quiet: bool, strict: bool) -> None:
    from rulelang.workbench.changes.variant_scenarios import grouped

    for name, game in games.items():
        met = tuple(one for of, one in results if of == name)
        if len(games) > 1:
            click.echo(name)
        for head, group in grouped(met) if game.variants else (("", met),):
            shown = [(one, one.counts or (strict and not one.result.passed)) for one in group]
            shown = [(one, counts) for one, counts in shown if counts or not quiet]
            if shown and head:
                click.echo(head)
            for one, counts in shown:
                _print_one(one, counts=counts)
        if met:
            click.echo(_verdict(met, game))
    if not results:
        click.echo("there are no scenarios: nothing is tested")


def _print_one(met: Met, *, counts: bool) -> None:
    style, result = style_for(sys.stdout), met.result
    cites = style("remark", escaped(f"  [{', '.join(result.clauses)}]")) if result.clauses else ""
    by = escaped(f"  by: {' and '.join(edit.name for edit in met.culprits)}") if met.culprits else ""
    if result.passed:
        click.echo(f"{style('good', 'ok  ')}  {escaped(result.name)}{cites}")
    elif not counts:
        click.echo(f"{style('warning', 'changed')}  {escaped(result.name)}{cites}{by}")
    else:
        click.echo(f"{style('bad', 'FAIL')}  {escaped(result.name)}{cites}{by}")
        for fault in result.faults:
            click.echo(_said(fault.message, fault.span))


def _verdict(met: tuple[Met, ...], game: Game) -> str:
    from rulelang.workbench.changes.variant_scenarios import summary

    seconds = sum(one.result.seconds for one in met)
    if game.variants:
        return f"{summary(met)}  ({seconds:.1f} s)"
    failed = sum(not one.result.passed for one in met)
    word = "scenario" if len(met) == 1 else "scenarios"
    verdict = f"{failed} of {len(met)} {word} fail{'s' * (failed == 1)}" if failed else f"{len(met)} {word}, all pass"
    return f"{verdict}  ({seconds:.1f} s)"


def _said(message: str, span: Span) -> str:
    """Returns the difference with its line, as a diagnostic without a code."""
    from rulelang.diagnostics.model import Diagnostic, Label
    from rulelang.diagnostics.render import render_full

    style = style_for(sys.stdout)
    text = render_full(
        Diagnostic("", message, Label(span, "")), style=lambda role, t: "" if role == "error" else style(role, t)
    )
    return text.removeprefix(": ")
