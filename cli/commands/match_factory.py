"""A game, the number of players and options -> a function from a seed to a match, which can be sent to other processes.

start_of("nim", 2, {})(7)       the match of nim with the seed 7
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from typing import TYPE_CHECKING, TypeVar

from ..argument import load

if TYPE_CHECKING:
    from rulelang.api import Game
    from rulelang.lab.arena import SeededStart
    from rulelang.lab.bots import Bot
    from rulelang.match.match import BareMatch

T = TypeVar("T")
U = TypeVar("U")

MANY = 100
"""So many games are played at once, one a core, unless somebody says how many."""


@cache
def _loaded(name: str) -> Game:
    """Returns a game, which is loaded once in each process; the command has told its warnings."""
    return load(name, quiet=True)


def are_traced(bots: tuple[Bot, ...]) -> bool:
    """Returns whether matches must be traced because some bot replays them for its re-deals."""
    return any(bot.redeals != "known" for bot in bots)


def start_of(name: str, players: int, options: Mapping[str, str], *, traced: bool = False) -> SeededStart:
    """Returns a function that starts a game's matches by their seeds; it can be sent to another process."""
    return partial(_start, name, players, options, traced)


def _start(name: str, players: int, options: Mapping[str, str], traced: bool, seed: int) -> BareMatch:
    return _loaded(name).start(players, seed, options, traced=traced)


def processes_for(games: int, jobs: int | None, names: Iterable[str], bots: tuple[Bot, ...]) -> int:
    """Returns the number of processes that play some games: `jobs` if that is given.

    If there are several, it waits for the machine code in which bots look ahead, so that processes forked from this one
    need not compile it.
    """
    processes = jobs or (os.cpu_count() or 1 if games >= MANY else 1)
    if processes > 1 and any(bot.looks_ahead for bot in bots):
        from rulelang.machines.executors import AUTO, Settles

        from ..progress_message import waiting

        found = [_loaded(name).internals.machine(AUTO) for name in dict.fromkeys(names)]
        prepared = [one for one in found if isinstance(one, Settles)]
        for one in prepared:
            one.compile()
        with waiting("Compiling the rules"):
            for one in prepared:
                one.settle()
    return processes


def spread(play: Callable[[T], U], tasks: Sequence[T], jobs: int) -> Iterator[U]:
    """Yields the results of tasks in their order, however many processes work on them."""
    if jobs == 1:
        yield from map(play, tasks)
        return
    # Ctrl-C is meant for this process; the others finish their present tasks.
    pool = ProcessPoolExecutor(jobs, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))
    try:
        yield from pool.map(play, tasks)
    finally:
        pool.shutdown(cancel_futures=True)
