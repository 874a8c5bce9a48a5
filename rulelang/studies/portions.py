"""A study and the length of its games -> how many games a chunk holds: some seconds of work, and chunks for many workers.

    portion(study, 21.0)        50_000 of a million random games of Connect Four

Invariant: it depends on the rules and the study alone, never on the speed of a machine or on who plays, so all write the same files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.errors import RulelangError
from rulelang.lab.mcts import ITERATIONS
from rulelang.lab.own_bots import is_own_bot
from rulelang.lab.planner import POSITIONS

if TYPE_CHECKING:
    from rulelang.api import Game
    from rulelang.studies.study import Study

SECONDS = 10.0
"""About as long takes a chunk on a machine of 2026, within a factor of ten for most games."""
PARTS = 20
"""A cell of many games has at least so many chunks, for the workers to share."""
MOST_CHUNKS = 1_000_000
"""The most chunks of a cell, even if they take longer: each is a file, and a task in the scheduler's memory."""
AT_RANDOM, ALONE, GREEDY, PLANNED, SEARCHED, OWN = 4e-7, 3e-4, 1e-3, 5e-5, 2e-4, 1e-2
"""Seconds for an answer in machine code, one of a bot that does not think, one of greedy, a position of planner, an
imagined game of mcts, an answer of a bot in somebody's file."""
LEAST_AT_RANDOM, LEAST, MOST = 50_000, 10, 200_000
"""The least games of a chunk, random ones and others, if that is no more than SECONDS of work; and the most."""
LEAST_SECONDS = 2.0
"""A chunk that takes less costs too much, since each is some files; only then are there fewer than PARTS."""
TRIED, TRIED_ANSWERS = 8, 2_000
"""The random games that say how long games are, and the most answers of each."""


def length_of(game: Game, players: int, study: Study) -> float:
    """Returns about how many answers a game has; 1 where the rules go wrong at once."""
    try:
        found = game.playouts(TRIED, players, 0, dict(study.options), at_most=TRIED_ANSWERS)
    except RulelangError:
        return 1.0
    return max(sum(found.lengths) / TRIED, 1.0)


def portion(study: Study, length: float) -> int:
    """Returns the number of games of a chunk, which `study.chunk` may say.

    >>> from rulelang.studies.study import Study
    >>> portion(Study("connect_four", ("random",), 1_000_000), 21.0), portion(Study("outspeed", ("greedy",), 400), 50.0)
    (50000, 40)
    >>> portion(Study("exit_velocity", ("random",), 10**9), 2_000.0), portion(Study("nim", ("mcts:800",), 400), 6.0)
    (12500, 10)
    >>> portion(Study("exit_velocity", ("greedy",), 10**9), 2_000.0)
    1000
    """
    if study.chunk:
        return study.chunk
    if study.is_random:
        answer, least = AT_RANDOM, LEAST_AT_RANDOM
    else:
        answer = sum(map(_seconds, study.bots)) / len(study.bots)
        least = max(LEAST, int(LEAST_SECONDS / (length * answer)))
    work, shared = int(SECONDS / (length * answer)), max(study.games // PARTS, least)
    return max(min(work, shared, MOST), -(-study.games // MOST_CHUNKS), 1)


def _seconds(bot: str) -> float:
    """Returns about how many seconds an answer of a bot takes."""
    if is_own_bot(bot):
        return OWN
    kind, *rest = bot.split(":")
    budget = int(rest[0]) if rest and rest[0].isdigit() else None
    match kind:
        case "greedy":
            return GREEDY
        case "planner":
            return PLANNED * (budget or POSITIONS)
        case "mcts":
            return SEARCHED * (budget or ITERATIONS)
        case _:  # a bot that does not think
            return ALONE
