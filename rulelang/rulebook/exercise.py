"""Random games -> the number of games in which each site of the rules ran.


exercise(game, games=100)[17]      # the number of games, out of 100, in which the site 17 ran
"""

from __future__ import annotations

from collections import Counter

from rulelang import api
from rulelang.errors import RulelangError
from rulelang.machines.chance import Seeded
from rulelang.machines.executors import Noted
from rulelang.machines.offers.offer import Offer
from rulelang.program.randomness import STEP, WORD, key_of, mixed

MOST_ANSWERS = 1000
"""The most answers of a random game, which is then broken off."""
MOST_OPTIONS = 200
"""The most options among which a random player chooses."""


def exercise(game: api.Game, games: int, seed: int | str = 0) -> Counter[int]:
    """Returns, by site, the number of random games in which it ran; the games cycle through the numbers of players."""
    low, high = game.players
    counts: Counter[int] = Counter()
    for number in range(games):
        counts.update(_hits(game, low + number % (high - low + 1), f"{seed}/{number}"))
    return counts


def _hits(game: api.Game, players: int, seed: str) -> set[int]:
    hits: set[int] = set()
    chance = Seeded(seed, game.ir, game.internals.layout)
    machine = game.internals.machine("reference")(chance, Noted(hits))
    word = key_of("exercise", seed)
    try:
        machine.begin(players, {})
        for _ in range(MOST_ANSWERS):
            if machine.pending is None:
                break
            seat = machine.pending.seats[0]
            answers = Offer(machine, seat).first(MOST_OPTIONS)
            if not answers:
                break
            word = mixed((word + STEP) & WORD)
            machine.answer(seat, answers[word % len(answers)])
    except RulelangError:
        pass  # A fault of the rules ends this game; the sites that ran before it still count.
    return hits
