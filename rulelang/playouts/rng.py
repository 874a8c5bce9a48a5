"""Names -> a stream of numbers: where bots and playouts take their luck from, apart from the game's own dice.

RandomStream(7, "red").randrange(6)      # the same names, the same numbers, on every machine
Dice(7, game, layout)            # dice to think with: what is compared with them meets the same luck
"""

from __future__ import annotations

from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Row
from rulelang.machines.chance import Seeded
from rulelang.program.layout import Layout
from rulelang.program.randomness import STEP, WORD, RandomStream, key_of, mixed

__all__ = ["Dice", "RandomStream"]


class Dice(Seeded):
    """Dice for looking ahead: in one position the next draw is the same whatever is thrown, so a larger die never shows less.

    Options that are compared from one position so meet the same luck (common random numbers), also where they throw
    different dice, which in the game itself have nothing to do with each other.
    """

    def __init__(self, seed: int | str, game: GameRules, layout: Layout) -> None:
        super().__init__(seed, game, layout)
        self.key = key_of(str(seed))
        """What each draw is mixed from."""
        self._counts = slice(layout.counters, layout.size)

    def draw(self, row: Row, stream: int) -> int:
        """Returns 64 bits for the draw that comes after as many as there were in all streams."""
        word = mixed((self.key + sum(row[self._counts]) * STEP) & WORD)
        row[self._counters + stream] += 1
        return word
