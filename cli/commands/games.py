"""`rulelang games`: the games that ship, their numbers of players, their variants."""

from __future__ import annotations

import json
from typing import Any

import click

from rulelang.texts.shipped import CATALOGUE, game_folders


@click.command("games")
@click.option("--json", "as_json", is_flag=True, help="Print a list for programs.")
def command(as_json: bool) -> None:
    """List the games that can be played, with their variants.

    \b
    Examples:
      rulelang games
      rulelang games --json
    """
    rows = [row for folder in game_folders() for row in (listed(folder.parent / CATALOGUE, folder.name),)]
    if as_json:
        click.echo(json.dumps({"games": rows}, indent=2))
        return
    from rich.table import Table

    from ..console import safe, terminal

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for title in ("game", "title", "players", "variants"):
        table.add_column(title, no_wrap=title == "game")
    for row in rows:
        names = ", ".join(str(v["name"]) for v in row["variants"])
        table.add_row(*(safe(str(cell)) for cell in (row["game"], row["title"], _range(row["players"]), names)))
    terminal().print(table)


def _range(players: list[int]) -> str:
    low, high = players
    return str(low) if low == high else f"{low}–{high}"


def listed(catalogue: Any, name: str) -> dict[str, Any]:
    """Returns the catalogue's entry of a game, else one made from its rules."""
    try:
        rows = json.loads(catalogue.read_text(encoding="utf-8"))["games"]
    except FileNotFoundError:
        rows = []
    return next((row for row in rows if row["game"] == name), None) or said_by_its_rules(name)


def said_by_its_rules(name: str) -> dict[str, Any]:
    """Returns the entry of a game made from its rules, which the
    catalogue must match; variants that cite the rulebook first.
    """
    from ..argument import load

    game = load(name)
    variants = [
        {"name": v.name.text, "of": v.of.text, "title": v.title.raw if v.title else v.name.text}
        for v in sorted(game.internals.loaded.variants, key=lambda variant: not variant.cites)
    ]
    return {"game": name, "title": game.title, "players": list(game.players), "variants": variants}
