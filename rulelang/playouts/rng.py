"""Names -> a stream of numbers: where bots and playouts take their luck from, apart from the game's own dice.

Luck(7, "red").randrange(6)      # the same names, the same numbers, on every machine
Dice(7, game, layout)            # dice to think with: what is compared with them meets the same luck
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TypeVar

from rulelang.ir.model import GameRules
from rulelang.machines.chance import STEP, WORD, Seeded, key_of, mixed
from rulelang.machines.machine import Row
from rulelang.program.layout import Layout

T = TypeVar("T")


class Luck:
    """A stream of numbers.

    >>> Luck(7, "red").randrange(6) == Luck(7, "red").randrange(6)
    True
    """

    __slots__ = ("word",)

    def __init__(self, *names: int | str) -> None:
        self.word = key_of(*(str(name) for name in names))

    def randrange(self, stop: int, /) -> int:
        """Returns a number from 0 up to `stop`, exclusive."""
        self.word = (self.word + STEP) & WORD
        drawn, bits = mixed(self.word), 64
        # Of so many numbers, one word would leave some out.
        while stop >> 32 > 1 << bits - 64:
            self.word = (self.word + STEP) & WORD
            drawn, bits = drawn << 64 | mixed(self.word), bits + 64
        return drawn * stop >> bits

    def shuffle(self, things: MutableSequence[T]) -> None:
        """Puts things in another order.

        >>> cards = [1, 2, 3, 4]
        >>> Luck(7, "red").shuffle(cards)
        >>> sorted(cards)
        [1, 2, 3, 4]
        """
        for i in range(len(things) - 1, 0, -1):
            j = self.randrange(i + 1)
            things[i], things[j] = things[j], things[i]

    def choose(self, among: Sequence[T]) -> T:
        """Returns one of several."""
        return among[self.randrange(len(among))]


class Dice(Seeded):
    """Dice for looking ahead: in one position the next draw is the same whatever is thrown, so a larger die never shows less.

    Options that are compared from one position so meet the same luck (common random numbers), also where they throw
    different dice, which in the game itself have nothing to do with each other.
    """

    def __init__(self, seed: int | str, game: GameRules, layout: Layout) -> None:
        super().__init__(seed, game, layout)
        self._key = key_of(str(seed))
        self._counts = slice(layout.counters, layout.size)

    def draw(self, row: Row, stream: int) -> int:
        """Returns 64 bits for the draw that comes after as many as there were in all streams."""
        word = mixed((self._key + sum(row[self._counts]) * STEP) & WORD)
        row[self._counters + stream] += 1
        return word
