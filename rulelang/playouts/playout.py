"""A machine -> a random game on it, without a match: for measuring speed, and for playing many games fast."""

from __future__ import annotations

from rulelang.machines.generated import GeneratedMachine
from rulelang.machines.machine import Machine
from rulelang.machines.offers.offer import Offer
from rulelang.playouts.rng import RandomStream

MOST_CHOICES = 10_000
"""The most choices of a random game; a longer one is cut short and counts as unfinished, never as a draw."""


def playout(machine: Machine, rng: RandomStream, most: int = MOST_CHOICES) -> int:
    """Plays random answers until the game is over (or `most` answers are given); returns the number of answers."""
    if isinstance(machine, GeneratedMachine):
        plies, rng.word = machine.play_on(rng.word, most)
        return plies
    plies = 0
    while (pending := machine.pending) is not None and plies < most:
        seat = pending.seats[0]
        machine.answer(seat, Offer(machine, seat).pick(rng.randrange))
        plies += 1
    return plies
