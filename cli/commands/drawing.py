"""The time to draw the screens of a game at every position: part of `rulelang bench`.

screens("outspeed")      ScreenTimes("outspeed", 131, 3.1, 8.7): positions, median and worst in milliseconds of CPU
"""

from __future__ import annotations

import io
from random import Random
from statistics import median
from time import process_time

import attrs

from ..argument import load

WIDTH, HEIGHT = 80, 24
MOST = 250
"""The most positions of a game that are drawn."""
WARM = 3
"""The number of positions that are drawn before measuring, so that one-time work of the process is not counted."""


@attrs.frozen
class ScreenTimes:
    """The drawing times of one game's screens."""

    game: str
    positions: int
    median_ms: float
    worst_ms: float


def screens(name: str, players: int | None = None, seed: int = 5) -> ScreenTimes:
    """Returns the times to draw the screen of the asked seat at every position of a random game."""
    from rich.console import Console

    from rulelang.screens.picture import picture
    from rulelang.session.seats import usual_players

    from ..screen import draw
    from ..screen.styles import Styles

    game = load(name, quiet=True)
    match, rng, taken = game.start(players or usual_players(game.players), seed), Random(seed), list[float]()
    for _ in range(MOST):
        if not match.to_move:
            break
        seat = match.to_move[0]
        console = Console(width=WIDTH, height=HEIGHT, file=io.StringIO(), color_system=None, force_terminal=True)
        start = process_time()
        console.print(draw(picture(match, seat), Styles.of_match(match), console, HEIGHT))
        taken.append((process_time() - start) * 1000)
        match.push(rng.choice(match.options_of(seat).first(60)))
    counted = taken[WARM:] or taken
    return ScreenTimes(name, len(counted), median(counted), max(counted))
