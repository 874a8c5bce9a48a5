"""Connect Four as one would write it by hand in Python: what `rulelang bench` holds the same rules against.

The same game as tests/classics/connect_four.rules, with a board of columns and a look along the four lines through the
disc that was dropped. Written for a reader, not for the clock.
"""

from __future__ import annotations

import random

WIDTH, HEIGHT = 7, 6
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Game:
    """One position: discs by column, from the bottom."""

    def __init__(self) -> None:
        self.columns: list[list[str]] = [[] for _ in range(WIDTH)]
        self.mover = "red"
        self.winner: str | None = None

    @property
    def is_over(self) -> bool:
        return self.winner is not None or all(len(column) == HEIGHT for column in self.columns)

    def legal_moves(self) -> list[int]:
        return [i for i, column in enumerate(self.columns) if len(column) < HEIGHT]

    def play(self, column: int) -> None:
        self.columns[column].append(self.mover)
        if self._makes_four(column, len(self.columns[column]) - 1):
            self.winner = self.mover
        self.mover = "yellow" if self.mover == "red" else "red"

    def _disc(self, column: int, row: int) -> str | None:
        if 0 <= column < WIDTH and 0 <= row < len(self.columns[column]):
            return self.columns[column][row]
        return None

    def _run(self, column: int, row: int, across: int, up: int) -> int:
        count = 0
        while self._disc(column + across, row + up) == self.mover:
            column, row, count = column + across, row + up, count + 1
        return count

    def _makes_four(self, column: int, row: int) -> bool:
        return any(
            self._run(column, row, across, up) + self._run(column, row, -across, -up) >= 3 for across, up in DIRECTIONS
        )


def playout(rng: random.Random) -> int:
    """Plays one random game, and gives how many discs were dropped."""
    game, plies = Game(), 0
    while not game.is_over:
        game.play(rng.choice(game.legal_moves()))
        plies += 1
    return plies
