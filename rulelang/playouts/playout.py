"""A machine -> the end of a random game on it, with nothing around: for measuring, and for many games fast."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from rulelang.machines.machine import Machine
from rulelang.machines.offers.offer import Offer
from rulelang.playouts.rng import RandomStream

MOST_CHOICES = 10_000
"""A game that plays by itself is cut after so many choices: it counts as unfinished, never as a draw."""


@runtime_checkable
class PlaysOn(Protocol):
    """A machine that plays random games by itself."""

    def play_on(self, rng: int, most: int) -> tuple[int, int]:
        """Plays random answers to the end, or so many; returns how many, and the word of the rng after that."""


def playout(machine: Machine, rng: RandomStream, most: int = MOST_CHOICES) -> int:
    """Plays on at random until the game is over (or `most` answers are given), and gives how many answers it took."""
    if isinstance(machine, PlaysOn):
        plies, rng.word = machine.play_on(rng.word, most)
        return plies
    plies = 0
    while (pending := machine.pending) is not None and plies < most:
        seat = pending.seats[0]
        machine.answer(seat, Offer(machine, seat).pick(rng.randrange))
        plies += 1
    return plies
