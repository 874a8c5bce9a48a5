"""`rulelang log`: the finished games that are kept."""

from __future__ import annotations

from datetime import datetime

import click
from platformdirs import user_data_path

from rulelang.diagnostics.render import escaped

from ...console import print_table


def list_games() -> None:
    """Prints the games that were played to their end at this computer, the newest first."""
    from rulelang.session.after.shelf import finished

    folder = user_data_path("rulelang") / "games"
    games = finished(folder)
    if not games:
        click.echo(
            "No finished games are kept yet: `rulelang play` keeps them. (rulelang log --help for logs of your own)"
        )
        return
    rows = (
        [
            datetime.fromtimestamp(one.path.stat().st_mtime).strftime("%Y-%m-%d %H:%M"),
            escaped(one.game),
            escaped(one.said),
            escaped(one.path.name),
        ]
        for one in games
    )
    print_table(("played", "game", "", "log"), rows)
    click.echo(f"They are in {folder}; rulelang replay {folder / games[0].path.name} shows the last one.")
