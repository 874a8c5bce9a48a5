"""A machine -> the end of a random game on it, with nothing around: for measuring, and for many games fast."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from rulelang.machines.machine import Machine
from rulelang.machines.offers.offer import Below, Offer
from rulelang.playouts.rng import RandomStream

MOST_CHOICES = 10_000
"""A game that plays by itself is cut after so many choices: it counts as unfinished, never as a draw."""


@runtime_checkable
class PlaysOut(Protocol):
    """A machine that goes from choice to choice by itself."""

    def play_out(self, below: Below, most: int) -> int:
        """Plays random answers to the end, or so many, and returns how many; `below(n)` draws a number from 0 up to n, exclusive."""


@runtime_checkable
class PlaysOn(Protocol):
    """A machine that plays random games by itself."""

    def play_on(self, rng: int, most: int) -> tuple[int, int] | None:
        """Plays random answers to the end, or so many; returns how many, and the word of the rng after that.

        None where it cannot: then nothing has changed.
        """


def playout(machine: Machine, rng: RandomStream, most: int = MOST_CHOICES) -> int:
    """Plays on at random until the game is over (or `most` answers are given), and gives how many answers it took."""
    done = machine.play_on(rng.word, most) if isinstance(machine, PlaysOn) else None
    if done is not None:
        plies, rng.word = done
        return plies
    if isinstance(machine, PlaysOut):
        return machine.play_out(rng.randrange, most)
    plies = 0
    while (pending := machine.pending) is not None and plies < most:
        seat = pending.seats[0]
        machine.answer(seat, Offer(machine, seat).pick(rng.randrange))
        plies += 1
    return plies
