"""`rulelang check`: all faults in a game, in each of its variants and in its scenarios; and the lines that cost most."""

from __future__ import annotations

import json
import sys
from functools import partial
from typing import TYPE_CHECKING

import click

from ...argument import complete_game, counted, load, show
from ...exits import NOT_SO, Unreadable
from ...progress_message import waiting

if TYPE_CHECKING:
    from rulelang.diagnostics.model import Diagnostic
    from rulelang.playouts.line_costs import LineCosts


@click.command("check")
@click.argument("games", nargs=-1, required=True, shell_complete=complete_game, metavar="GAME...")
@click.option("--concise", is_flag=True, help="One line for each fault.")
@click.option("--json", "as_json", is_flag=True, help="Print the faults as data, with offsets, lines and columns.")
@click.option("--speed", is_flag=True, help="Play a few random games, and name the lines that take the most steps.")
def command(games: tuple[str, ...], concise: bool, as_json: bool, speed: bool) -> None:
    """Look for faults in rules, without running them.

    Each variant is checked as a whole game. Name variants to check that combination alone. Exit code 1 means errors;
    warnings do not count. With --speed, a few random games are played, always the same ones, with the fewest players.

    \b
    Examples:
      rulelang check outspeed
      rulelang check my/nim.rules --concise
      rulelang check outspeed+sprint+hungry --json
      rulelang check my/nim.rules --speed
    """
    if speed and as_json:
        raise click.UsageError("--speed prints sentences; leave --json out")
    found: dict[str, tuple[Diagnostic, ...]] = {name: faults(name) for name in games}
    if as_json:
        _print_json(found)
    for name, diagnostics in found.items() if not as_json else ():
        show(diagnostics, concise=concise)
        click.echo(f"{_short(name)}: {counted(diagnostics)}")
        if speed and not any(d.is_error for d in diagnostics):
            _print_costs(_short(name), costs(name))
    if any(d.is_error for diagnostics in found.values() for d in diagnostics):
        sys.exit(NOT_SO)


def faults(name: str) -> tuple[Diagnostic, ...]:
    """Returns the diagnostics of a game, each fault once, however many variants share it."""
    from rulelang import api
    from rulelang.driver import clean_texts

    try:
        loaded, variants = api.read(name)
    except api.NoSuchGame as error:
        raise Unreadable(str(error)) from None
    combinations = (variants,) if variants else loaded.combinations
    key = clean_texts.key_of(loaded, combinations)
    if key is not None and clean_texts.are_clean(key):
        return ()
    # The checks take longer to import than to read a game that was checked before.
    from rulelang.scenarios.run import lower_all
    from rulelang.workbench.changes.grouped_diagnostics import each_once

    with waiting(f"Checking {name}"):
        found = each_once(loaded, combinations, partial(api.check_loaded, loaded), lower_all)
    if key is not None and not found:
        clean_texts.keep(key)
    return found


def costs(name: str) -> LineCosts:
    """Returns the costs of the lines of a game without errors, with the fewest players."""
    from rulelang.playouts.line_costs import line_costs

    game = load(name, quiet=True)
    with waiting(f"Playing {name}"):
        return line_costs(game.ir, game.internals.layout, game.players[0])


def _print_costs(name: str, found: LineCosts) -> None:
    from rulelang.diagnostics.render import escaped

    if found.trouble:
        click.echo(f"{name}: a random game ended early: {escaped(found.trouble)}")
    a_choice = f"{round(found.steps / max(found.choices, 1)):,} steps a choice"
    if not found.dear:
        dearest = "".join(f"; {x.place} takes {found.steps_a_choice(x):,} of them" for x in found.lines[:1])
        click.echo(f"{name}: no line takes too many steps ({a_choice}{escaped(dearest)})")
        return
    click.echo(f"{name}: {a_choice}, most of them in")
    told = set[str]()
    for line in found.dear:
        click.echo(f"\n  {escaped(line.place)}   {line.share:.0%}, {found.steps_a_choice(line):,} steps a choice")
        click.echo(f"    {escaped(line.text)}")
        if line.instead not in {"", *told}:
            click.echo(f"    {escaped(line.instead)}")
        told.add(line.instead)


def _short(name: str) -> str:
    """Returns the name of a game without its path."""
    from pathlib import Path

    from rulelang.diagnostics.render import escaped

    path = Path(name)
    return escaped(path.resolve().name.removesuffix(".rules") if path.exists() else name)


def _print_json(found: dict[str, tuple[Diagnostic, ...]]) -> None:
    from rulelang.diagnostics.render import as_data

    everything = [d for diagnostics in found.values() for d in diagnostics]
    errors = sum(d.is_error for d in everything)
    data = {
        "games": [{"game": name, "diagnostics": [as_data(d) for d in ds]} for name, ds in found.items()],
        "errors": errors,
        "warnings": len(everything) - errors,
    }
    click.echo(json.dumps(data, indent=2))
