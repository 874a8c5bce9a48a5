"""Breakthrough as one would write it by hand in Python: what `rulelang bench` holds the same rules against.

The same game as tests/classics/breakthrough.rules. Written for a reader, not for the clock.
"""

from __future__ import annotations

import random

SIZE = 8
FORWARD = {"black": 1, "white": -1}
FAR_ROW = {"black": SIZE - 1, "white": 0}
Move = tuple[int, int, int, int]


class Game:
    """One position: men by column and row."""

    def __init__(self) -> None:
        self.men: list[list[str | None]] = [["black"] * 2 + [None] * 4 + ["white"] * 2 for _ in range(SIZE)]
        self.left = {"black": 2 * SIZE, "white": 2 * SIZE}
        self.mover, self.other = "black", "white"
        self.winner: str | None = None

    @property
    def is_over(self) -> bool:
        return self.winner is not None

    def legal_moves(self) -> list[Move]:
        moves = []
        for x in range(SIZE):
            for y in range(SIZE):
                to = y + FORWARD[self.mover]
                if self.men[x][y] == self.mover and 0 <= to < SIZE:
                    for across in (-1, 0, 1):
                        if 0 <= x + across < SIZE and self._may_enter(x + across, to, across):
                            moves.append((x, y, x + across, to))
        return moves

    def _may_enter(self, x: int, y: int, across: int) -> bool:
        man = self.men[x][y]
        return man is None or (man == self.other and across != 0)

    def play(self, move: Move) -> None:
        x, y, to_x, to_y = move
        if self.men[to_x][to_y] is not None:
            self.left[self.other] -= 1
        self.men[to_x][to_y], self.men[x][y] = self.mover, None
        if to_y == FAR_ROW[self.mover] or not self.left[self.other]:
            self.winner = self.mover
        self.mover, self.other = self.other, self.mover


def playout(rng: random.Random) -> int:
    """Plays one random game, and gives how many moves were made."""
    game, plies = Game(), 0
    while not game.is_over:
        game.play(rng.choice(game.legal_moves()))
        plies += 1
    return plies
