"""`rulelang check`: all faults in a game, in each of its variants and in its scenarios, without running it."""

from __future__ import annotations

import json
import sys
from functools import partial
from typing import TYPE_CHECKING

import click

from ...argument import complete_game, counted, show
from ...exits import NOT_SO, Unreadable
from ...progress_message import waiting

if TYPE_CHECKING:
    from rulelang.diagnostics.model import Diagnostic


@click.command("check")
@click.argument("games", nargs=-1, required=True, shell_complete=complete_game, metavar="GAME...")
@click.option("--concise", is_flag=True, help="One line for each fault.")
@click.option("--json", "as_json", is_flag=True, help="Print the faults as data, with offsets, lines and columns.")
def command(games: tuple[str, ...], concise: bool, as_json: bool) -> None:
    """Look for faults in rules, without running them.

    Each variant is checked as a whole game. Name variants to check that combination alone. Exit code 1 means errors;
    warnings do not count.

    \b
    Examples:
      rulelang check outspeed
      rulelang check my/nim.rules --concise
      rulelang check outspeed+sprint+hungry --json
    """
    found: dict[str, tuple[Diagnostic, ...]] = {name: faults(name) for name in games}
    if as_json:
        _print_json(found)
    for name, diagnostics in found.items() if not as_json else ():
        show(diagnostics, concise=concise)
        click.echo(f"{_short(name)}: {counted(diagnostics)}")
    if any(d.is_error for diagnostics in found.values() for d in diagnostics):
        sys.exit(NOT_SO)


def faults(name: str) -> tuple[Diagnostic, ...]:
    """Returns the diagnostics of a game, each fault once, however many variants share it."""
    from rulelang import api
    from rulelang.scenarios.run import lower_all
    from rulelang.workbench.changes.grouped_diagnostics import each_once

    try:
        loaded, variants = api.read(name)
    except api.NoSuchGame as error:
        raise Unreadable(str(error)) from None
    combinations = (variants,) if variants else loaded.combinations
    with waiting(f"Checking {name}"):
        return each_once(loaded, combinations, partial(api.check_loaded, loaded), lower_all)


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
