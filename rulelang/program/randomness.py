"""The arithmetic of seeded randomness: keys for texts, and well-mixed words.

mixed((key_of("7", "yellow") + count * STEP) & WORD)      # 64 bits for a roll of a die: seed, stream, number of
earlier rolls
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, MutableSequence, Sequence
from hashlib import blake2b
from typing import TypeVar

from rulelang.ir.model import Kind

T = TypeVar("T")
WORD = 2**64 - 1
STEP = 0x9E3779B97F4A7C15
MIXER, OTHER_MIXER = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def mixed(word: int) -> int:
    """Returns 64 well-mixed bits for the 64 given, by the finalizer of SplitMix64, which is a bijection.

    >>> hex(mixed(1))
    '0x5692161d100b05e5'
    """
    word = ((word ^ (word >> 30)) * MIXER) & WORD
    word = ((word ^ (word >> 27)) * OTHER_MIXER) & WORD
    return word ^ (word >> 31)


def key_of(*texts: str) -> int:
    """Returns 64 bits for a sequence of texts; those of different sequences are unrelated."""
    return int.from_bytes(_digest(b"".join(map(coded, texts))), "little")


def coded(text: str) -> bytes:
    """Returns a text as bytes that begin with their number, so that no sequence of texts is coded as another."""
    code = text.encode("utf-8", "surrogatepass")
    return len(code).to_bytes(8, "little") + code


def keys_in(codes: Iterable[bytes]) -> array[int]:
    """Returns the key of each of some sequences of texts that are coded, as signed words.

    >>> keys_in([coded("7") + coded("die")])[0] == signed(key_of("7", "die"))
    True
    """
    keys = array("q", b"".join(map(_digest, codes)))
    if sys.byteorder == "big":
        keys.byteswap()
    return keys


def _digest(code: bytes) -> bytes:
    return blake2b(code, digest_size=8).digest()


def signed(word: int) -> int:
    """Returns an unsigned word of 64 bits as a signed number.

    >>> signed(WORD), signed(7)
    (-1, 7)
    """
    return word - 2**64 if word >= 2**63 else word


def written_keys(kind: Kind) -> list[int]:
    """Returns 64 bits for each thing of a kind, derived from its written form and its number among things written
    alike."""
    keys, seen = [], dict[str, int]()
    for name in kind.names:
        copy = seen[name] = seen.get(name, -1) + 1
        keys.append(key_of(name, str(copy)))
    return keys


class RandomStream:
    """A stream of random numbers, determined by its seed and name.

    >>> RandomStream(7, "red").randrange(6) == RandomStream(7, "red").randrange(6)
    True
    """

    __slots__ = ("word",)

    def __init__(self, *names: int | str) -> None:
        self.word = key_of(*(str(name) for name in names))

    @classmethod
    def at(cls, word: int) -> RandomStream:
        """Returns the stream that begins at a word of 64 bits."""
        stream = cls.__new__(cls)
        stream.word = word
        return stream

    def randrange(self, stop: int, /) -> int:
        """Returns a number from 0 up to `stop`, exclusive."""
        word = self.word = (self.word + STEP) & WORD
        # What `mixed` does, without a call: bots draw by the hundred.
        word = ((word ^ (word >> 30)) * MIXER) & WORD
        word = ((word ^ (word >> 27)) * OTHER_MIXER) & WORD
        drawn, bits = word ^ (word >> 31), 64
        # So wide a range needs more than one word, or some numbers would never come up.
        while stop >> 32 > 1 << bits - 64:
            self.word = (self.word + STEP) & WORD
            drawn, bits = drawn << 64 | mixed(self.word), bits + 64
        return drawn * stop >> bits

    def shuffle(self, things: MutableSequence[T]) -> None:
        """Shuffles a sequence in place.

        >>> cards = [1, 2, 3, 4]
        >>> RandomStream(7, "red").shuffle(cards)
        >>> sorted(cards)
        [1, 2, 3, 4]
        """
        word = self.word
        for i in range(len(things) - 1, 0, -1):
            # What `randrange` does, without a call: a re-deal shuffles all that is hidden.
            word = (word + STEP) & WORD
            drawn = ((word ^ (word >> 30)) * MIXER) & WORD
            drawn = ((drawn ^ (drawn >> 27)) * OTHER_MIXER) & WORD
            j = (drawn ^ (drawn >> 31)) * (i + 1) >> 64
            things[i], things[j] = things[j], things[i]
        self.word = word

    def choose(self, among: Sequence[T]) -> T:
        """Returns a random item of a sequence."""
        return among[self.randrange(len(among))]
