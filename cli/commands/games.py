"""`rulelang games`: the games that ship, who can play them, their variants."""

from __future__ import annotations

import json

import click

from ..argument import load


@click.command("games")
@click.option("--json", "as_json", is_flag=True, help="Print a list for programs.")
def command(as_json: bool) -> None:
    """List the games that can be played, with their variants.

    \b
    Examples:
      rulelang games
      rulelang games --json
    """
    rows = _games()
    if as_json:
        click.echo(json.dumps({"games": rows}, indent=2))
        return
    from rich.table import Table

    from ..console import safe, terminal

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for title in ("game", "title", "players", "variants"):
        table.add_column(title, no_wrap=title == "game")
    for row in rows:
        players, variants = row["players"], row["variants"]
        assert isinstance(players, list)
        assert isinstance(variants, list)
        names = ", ".join(str(v["name"]) for v in variants)
        table.add_row(*(safe(str(cell)) for cell in (row["game"], row["title"], _range(players), names)))
    terminal().print(table)


def _range(players: list[int]) -> str:
    low, high = players
    return str(low) if low == high else f"{low}–{high}"


def _games() -> list[dict[str, object]]:
    from rulelang import api

    rows: list[dict[str, object]] = []
    for name in api.games():
        game = load(name)
        variants = [
            {"name": v.name.text, "of": v.of.text, "title": v.title.raw if v.title else v.name.text}
            for v in game.loaded.variants
        ]
        rows.append({"game": name, "title": game.title, "players": list(game.players), "variants": variants})
    return rows
