"""Measures a long log: opening it, and going to a step in it, in milliseconds of the CPU."""

from __future__ import annotations

import random
from functools import partial
from io import BytesIO
from statistics import median
from time import process_time
from typing import TYPE_CHECKING

from ...argument import load

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulelang.workbench.playback import Playback

NAME = "a log of 2,000 choices"
GAME, CHOICES = "exit_velocity", 2_000
"""The largest game, and a number of choices that a random game of it exceeds."""
STEPS = (1_999, 1_000, 500, 1_500, 1)
"""The steps to which it jumps."""


def long_log(rounds: int) -> dict[str, float]:
    """Returns the times of opening it, of first jumps into it, and of the worst one where a viewer has looked ahead."""
    from rulelang import api
    from rulelang.log.reading import parse_log
    from rulelang.workbench.playback import Looker, Playback

    game, rng = load(GAME, quiet=True), random.Random(7)
    match = game.start(game.players[0], seed="bench")
    for _ in range(CHOICES):
        match.push(match.options.pick(rng.randrange))
    text = match.log.text.encode()

    def opened() -> Playback:
        return Playback(api.replay(parse_log(BytesIO(text)), under=game, compares=False), Looker())

    def first(step: int) -> Callable[[], object]:
        playback = opened()
        return lambda: _seen(playback, step)

    looked_at = opened()
    for _ in looked_at.ahead():
        pass
    return {
        f"open {NAME}": _milliseconds(rounds, lambda: opened),
        f"jump to the middle of {NAME}, at once": _milliseconds(rounds, partial(first, CHOICES // 2)),
        f"jump to the end of {NAME}, at once": _milliseconds(rounds, partial(first, CHOICES)),
        "jump to any step of it, a moment later": max(
            _milliseconds(rounds, partial(partial, _seen, looked_at, step)) for step in STEPS
        ),
    }


def _seen(playback: Playback, step: int) -> None:
    """Goes to a step, and computes everything that is shown there."""
    playback.go(step)
    playback.events()
    playback.picture_before()
    playback.picture()


def _milliseconds(rounds: int, prepared: Callable[[], Callable[[], object]]) -> float:
    prepared()()
    taken = []
    for _ in range(rounds):
        work = prepared()
        start = process_time()
        work()
        taken.append(process_time() - start)
    return median(taken) * 1000
