"""Othello as one would write it by hand in Python: what `rulelang bench` holds the same rules against.

The same game as tests/classics/othello.rules; who cannot move passes, which is a move of its own (None). Written for a
reader, not for the clock.
"""

from __future__ import annotations

import random

SIZE = 8
DIRECTIONS = [(across, down) for across in (-1, 0, 1) for down in (-1, 0, 1) if across or down]


class Game:
    """One position: discs by column and row."""

    def __init__(self) -> None:
        self.discs: list[list[str | None]] = [[None] * SIZE for _ in range(SIZE)]
        self.discs[3][3] = self.discs[4][4] = "white"
        self.discs[3][4] = self.discs[4][3] = "black"
        self.mover, self.other = "black", "white"
        self.is_over = False

    def flanked(self, column: int, row: int) -> list[tuple[int, int]]:
        """Returns the discs that the mover would turn over."""
        if self.discs[column][row] is not None:
            return []
        turned = []
        for across, down in DIRECTIONS:
            line = []
            x, y = column + across, row + down
            while 0 <= x < SIZE and 0 <= y < SIZE and self.discs[x][y] == self.other:
                line.append((x, y))
                x, y = x + across, y + down
            if line and 0 <= x < SIZE and 0 <= y < SIZE and self.discs[x][y] == self.mover:
                turned += line
        return turned

    def legal_moves(self) -> list[tuple[int, int] | None]:
        found = [(x, y) for x in range(SIZE) for y in range(SIZE) if self.flanked(x, y)]
        return [*found] or [None]

    def play(self, move: tuple[int, int] | None) -> None:
        if move is not None:
            column, row = move
            for x, y in [*self.flanked(column, row), move]:
                self.discs[x][y] = self.mover
        self.mover, self.other = self.other, self.mover
        if self.legal_moves() == [None]:
            self.mover, self.other = self.other, self.mover
            self.is_over = self.legal_moves() == [None]
            self.mover, self.other = self.other, self.mover


def playout(rng: random.Random) -> int:
    """Plays one random game, and gives how many moves were made; who must pass is not asked."""
    game, plies = Game(), 0
    while not game.is_over:
        moves = game.legal_moves()
        plies += moves != [None]
        game.play(rng.choice(moves))
    return plies
