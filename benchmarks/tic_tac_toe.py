"""Tic-tac-toe as one would write it by hand in Python: what `rulelang bench` holds the same rules against.

The same game as tests/classics/tic_tac_toe.rules. Written for a reader, not for the clock.
"""

from __future__ import annotations

import random

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Game:
    """One position."""

    def __init__(self) -> None:
        self.marks: list[str | None] = [None] * 9
        self.mover = "cross"
        self.winner: str | None = None

    @property
    def is_over(self) -> bool:
        return self.winner is not None or all(self.marks)

    def legal_moves(self) -> list[int]:
        return [space for space, mark in enumerate(self.marks) if mark is None]

    def play(self, space: int) -> None:
        self.marks[space] = self.mover
        if any(all(self.marks[s] == self.mover for s in line) for line in LINES):
            self.winner = self.mover
        self.mover = "nought" if self.mover == "cross" else "cross"


def playout(rng: random.Random) -> int:
    """Plays one random game, and gives how many marks were made."""
    game, plies = Game(), 0
    while not game.is_over:
        game.play(rng.choice(game.legal_moves()))
        plies += 1
    return plies
