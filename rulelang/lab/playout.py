"""A machine -> the end of a random game on it, with nothing around: for measuring, and for many games fast."""

from __future__ import annotations

from rulelang.lab.rng import Luck
from rulelang.machines.machine import Machine
from rulelang.machines.offers.offer import Offer

MOST_PLIES = 100_000
"""A game that takes more choices is given up."""


def playout(machine: Machine, luck: Luck, most: int = MOST_PLIES) -> int:
    """Plays on at random until the game is over (or `most` answers are given), and gives how many answers it took."""
    plies = 0
    while (pending := machine.pending) is not None and plies < most:
        seat = pending.seats[0]
        machine.answer(seat, Offer(machine, seat).pick(luck.randrange))
        plies += 1
    return plies
