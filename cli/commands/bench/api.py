"""The races of the API as it is written: a random option of all that are listed, with nothing settled by hand."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...argument import load
from .race import Contestant, Race, Work

if TYPE_CHECKING:
    from rulelang.match.options.option import Option, Options

    Chooser = Callable[[Options, random.Random], Option]

BOARD = "connect_four"
"""The classic whose moves cost least, so that what the API adds shows most."""


SMALL = ("nim", "kuhn")
"""The classics so small that machine code gains least by the step."""
DRAWN = "exobase"
"""The game whose draws are asked for."""
MOST_DRAWN = 40
"""The most choices of its games."""


def api_races(checkout: Path | None, by_hand_in: Callable[[Path], Any]) -> Iterator[Race]:
    """Yields the races of the API: against Python written by hand, and on both executors in small games, which need a checkout;
    and of draws that are asked for."""
    if checkout is not None:
        yield Race(f"api: {BOARD}", "plies", partial(api, checkout, by_hand_in))
        for name in SMALL:
            path = str(checkout / "tests" / "classics" / f"{name}.rules")
            yield Race(f"api: {name}", "plies", partial(small, path))
    yield Race("api: draws asked for", "draws", drawn)


def api(checkout: Path, by_hand_in: Callable[[Path], Any]) -> tuple[Contestant, ...]:
    """Returns the contestants for random games through the API: options listed or picked, traced or not, events read
    or not, and on machine code."""
    path = str(checkout / "tests" / "classics" / f"{BOARD}.rules")
    by_hand, rng = by_hand_in(checkout / "benchmarks" / f"{BOARD}.py").playout, random.Random(7)
    return (
        Contestant("Python by hand", lambda: int(by_hand(rng)), is_base=True),
        Contestant("listed", played(path, listed, traced=False)),
        Contestant("listed, traced", played(path, listed)),
        Contestant("picked", played(path, picked, traced=False)),
        Contestant("picked, traced", played(path, picked)),
        Contestant("picked, all read", played(path, picked, reads=True)),
        Contestant("listed, generated", played(path, listed, traced=False, executor="generated")),
        Contestant("listed, native", played(path, listed, traced=False, executor="native")),
    )


def small(path: str) -> tuple[Contestant, ...]:
    """Returns the contestants for random games through the API on each executor."""
    return (
        Contestant("listed, generated", played(path, listed, traced=False, executor="generated"), is_base=True),
        Contestant("listed", played(path, listed, traced=False)),
        Contestant("listed, native", played(path, listed, traced=False, executor="native")),
    )


def drawn() -> tuple[Contestant, ...]:
    """Returns the contestants for draws whose results the caller picks, in matches with a trace and without."""
    return (
        Contestant("untraced", drawn_by_hand(traced=False), is_base=True),
        Contestant("traced", drawn_by_hand(traced=True)),
    )


def drawn_by_hand(*, traced: bool) -> Work:
    """Returns a function that plays a random game whose draws are asked for, and returns their number."""
    game, rng, seeds = load(DRAWN), random.Random(7), itertools.count()

    def play() -> int:
        match, draws = game.start(seed=next(seeds), traced=traced, explicit_chance=True), 0
        while match.inputs < MOST_DRAWN and (match.chance or match.to_move):
            if match.chance:
                match.play_chance(rng.choice(match.chance))
                draws += 1
            else:
                match.push(match.options.pick(rng.randrange))
        return draws

    return play


def listed(options: Options, rng: random.Random) -> Option:
    """Returns a random option of a list of all."""
    return rng.choice(list(options))


def picked(options: Options, rng: random.Random) -> Option:
    """Returns a random option that is picked without listing them."""
    return options.pick(rng)


def played(path: str, chosen: Chooser, *, traced: bool = True, reads: bool = False, executor: str = "auto") -> Work:
    """Returns a function that plays a random game and returns
    the number of choices; it `reads` the words of all events."""
    game, rng, seeds = load(path), random.Random(7), itertools.count()

    def play() -> int:
        match, plies = game.start(seed=next(seeds), traced=traced, executor=executor), 0
        while match.to_move:
            match.push(chosen(match.options, rng))
            plies += 1
        for event in match.events if reads else ():
            _ = event.text
        return plies

    return play
