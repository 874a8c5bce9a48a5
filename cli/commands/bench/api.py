"""The races of the API as it is written: a random option of all that are listed, with nothing settled by hand; and with random
outcomes from outside."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

from ...argument import load
from .race import Contestant, Race, Work

if TYPE_CHECKING:
    from rulelang.match.options.option import Option, Options

    Chooser = Callable[[Options, random.Random], Option]

BOARD = "connect_four"
"""The classic whose moves cost least, so that what the API adds shows most."""
SMALL = ("nim", "pig", "kuhn", "tic_tac_toe")
"""Classics with so few choices, and so cheap ones, that calls of machine code could cost more than they save."""
CHANCE = "exobase"
"""The game that ships whose traced steps with random outcomes from outside take longest."""
LONGEST = 60
"""The choices and random outcomes of a match in which outcomes are given."""


def api_races(checkout: Path | None, by_hand_in: Callable[[Path], Any]) -> Iterator[Race]:
    """Yields the races of the API: against Python written by hand, and of its executors in small games, which need a
    checkout; and of random outcomes from outside."""
    if checkout is not None:
        yield Race(f"api: {BOARD}", "plies", partial(api, checkout, by_hand_in))
        for name in SMALL:
            path = str(checkout / "tests" / "classics" / f"{name}.rules")
            yield Race(f"api: {name}", "plies", partial(executors, path))
    yield Race(f"api: outcomes of {CHANCE}", "draws", outcomes)


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


def executors(path: str) -> tuple[Contestant, ...]:
    """Returns the contestants for random games of a small game on each executor that is meant for play."""
    base = Contestant("generated", played(path, listed, traced=False, executor="generated"), is_base=True)
    if find_spec("llvmlite") is None:
        return (base,)
    return (
        base,
        Contestant("native", played(path, listed, traced=False, executor="native")),
        Contestant("generated, traced", played(path, listed, executor="generated")),
        Contestant("native, traced", played(path, listed, executor="native")),
    )


def outcomes() -> tuple[Contestant, ...]:
    """Returns the contestants for random outcomes that are given from outside, with and without a trace."""
    return (
        Contestant("untraced", None, is_base=True, timed=partial(_given, traced=False)),
        Contestant("traced", None, timed=partial(_given, traced=True)),
    )


def _given(seconds: float, *, traced: bool) -> tuple[int, float]:
    """Returns the number of random outcomes that are given in about a number of seconds, and the seconds that they take;
    choices in between are not counted."""
    game, rng, taken, draws = load(CHANCE), random.Random(7), 0.0, 0
    while taken < seconds or not draws:
        match = game.start(explicit_chance=True, traced=traced)
        for _ in range(LONGEST):
            if match.chance:
                outcome, start = rng.choice(match.chance), process_time()
                match.play_chance(outcome)
                taken, draws = taken + process_time() - start, draws + 1
            elif match.to_move:
                match.push(match.options.pick(rng))
            else:
                break
    return draws, taken


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
