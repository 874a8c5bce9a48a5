"""The time to draw the screens of a game at every position: part of `rulelang bench`.

screens("outspeed")      ScreenTimes("outspeed", 1040, 9.8, 13.6, "greedy, seed 2, choice 31"): positions, milliseconds
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from random import Random
from statistics import median
from time import process_time
from typing import TYPE_CHECKING

import attrs

from ..argument import load

if TYPE_CHECKING:
    from rulelang.api import Game, Match

WIDTH, HEIGHT = 80, 24
GAMES = (("random", 1), ("random", 2), ("greedy", 1))
"""The games that are played: the bot of all seats, and the seed."""
DENSE, APART = 100, 16
"""Every position is drawn up to choice `DENSE`, later one in `APART`."""
MOST = 3_000
"""The most choices of a game."""
WARM = 3
"""The number of positions that are drawn before measuring, so that one-time work of the process is not counted."""
AGAIN = 3
"""How often a position that took the longest is drawn again, because something else may have run meanwhile."""


@attrs.frozen
class ScreenTimes:
    """The drawing times of one game's screens."""

    game: str
    positions: int
    median_ms: float
    worst_ms: float
    worst_at: str
    """The game that was played, and the position in it."""


def screens(name: str) -> ScreenTimes:
    """Returns the times to draw the screen of the asked seat at the positions of several games of bots."""
    game, taken, worst, worst_at = load(name, quiet=True), list[float](), 0.0, ""
    for bot, seed in GAMES:
        before: Match | None = None
        for number, match in _positions(game, bot, seed):
            if before is None and not taken:
                for _ in range(WARM):
                    _drawn(match)
            milliseconds = _drawn(match)
            if milliseconds > worst:
                milliseconds = min(milliseconds, *(_drawn_after(before or match, match) for _ in range(AGAIN)))
            if milliseconds > worst:
                worst, worst_at = milliseconds, f"{bot}, seed {seed}, choice {number}"
            taken.append(milliseconds)
            before = match
    return ScreenTimes(name, len(taken), median(taken), worst, worst_at)


def _positions(game: Game, bot: str, seed: int) -> Iterator[tuple[int, Match]]:
    """Yields the positions of a game of bots that are to be drawn, each with the number of choices before it."""
    from rulelang.lab.bots import bot as called
    from rulelang.lab.seat_view import SeatView
    from rulelang.playouts.rng import RandomStream

    counts = range(game.players[0], game.players[-1] + 1)
    match, rng = game.start(counts[seed % len(counts)], seed), Random(seed)
    for number in range(MOST):
        if not match.to_move:
            return
        if number < DENSE or number % APART == 0:
            yield number, match.fork()
        seat = match.to_move[0]
        if bot == "random":
            match.push(rng.choice(match.options_of(seat).first(60)))
        else:
            match.push(called(bot).choose(SeatView(match, seat, RandomStream(str(seed), "bot", seat, number))))


def _drawn_after(before: Match, match: Match) -> float:
    """Returns the time to draw a position when another one was drawn last, as in play."""
    _drawn(before)
    return _drawn(match)


def _drawn(match: Match) -> float:
    """Returns the time to draw the screen of the asked seat, in milliseconds."""
    from rich.console import Console

    from rulelang.screens.picture import picture

    from ..screen import draw
    from ..screen.styles import Styles

    seat = match.to_move[0]
    console = Console(width=WIDTH, height=HEIGHT, file=io.StringIO(), color_system=None, force_terminal=True)
    start = process_time()
    console.print(draw(picture(match, seat), Styles.of_match(match), console, HEIGHT))
    return (process_time() - start) * 1000
