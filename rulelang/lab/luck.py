"""Names -> a stream of numbers: where bots and playouts take their luck from, apart from the game's own dice.

Luck(7, "red").randrange(6)      # the same names, the same numbers, on every machine
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TypeVar

from rulelang.runtime.random import STEP, WORD, key_of, mixed

T = TypeVar("T")


class Luck:
    """A stream of numbers.

    >>> Luck(7, "red").randrange(6) == Luck(7, "red").randrange(6)
    True
    """

    __slots__ = ("_word",)

    def __init__(self, *names: int | str) -> None:
        self._word = key_of(*(str(name) for name in names))

    def randrange(self, stop: int, /) -> int:
        """Gives a number from 0 up to `stop`, exclusive."""
        self._word = (self._word + STEP) & WORD
        return mixed(self._word) * stop >> 64

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
        """Gives one of several."""
        return among[self.randrange(len(among))]
