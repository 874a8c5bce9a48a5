"""Rows as machine code reads them: each slot is a word, and the words of wide sets and piles lie behind all slots.

rows = PackedRows(shape)
packed = rows.packed(row)            # None if some value is too large for its words
rows.rewritten(packed, {7: 3})       # a copy with another value in a slot
rows.unpacked(packed)                # the row as a list
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from itertools import compress
from operator import itemgetter

from rulelang.ir.numbers import Row, Slot
from rulelang.machines.native.engine import places_of
from rulelang.program.llvm.shape import Shape


class PackedRows:
    """The rows of one game."""

    def __init__(self, shape: Shape) -> None:
        self._slots, self._bytes = shape.slots, 8 * (shape.behind - shape.slots)
        self._places = places_of(shape)
        self._wide_of = _values_at([slot for slot, _, _ in self._places])
        """Returns the values of the wide slots in a row."""
        self._whose = [place for place in self._places for _ in range((place[2] - place[1]) // 8)]
        """By word behind the slots: the slot that it belongs to, and where that slot's bytes begin and end."""
        self.words = {
            slot: slice(shape.slots + start // 8, shape.slots + end // 8) for slot, start, end in self._places
        }
        """By wide slot: its words."""

    def place(self, slot: Slot) -> tuple[int, int]:
        """Returns the first word of a slot, and the number of its words."""
        words = self.words.get(slot)
        return (slot, 1) if words is None else (words.start, words.stop - words.start)

    def packed(self, row: Row) -> array[int] | None:
        """Returns a row in words; None if it does not fit."""
        try:
            if not self._places:
                return array("q", row)
            plain, more = row[:], bytearray(self._bytes)
            # Most sets and piles are empty.
            for slot, start, end in compress(self._places, self._wide_of(row)):
                more[start:end] = row[slot].to_bytes(end - start, "little", signed=True)
                plain[slot] = 0
            packed = array("q", plain)
            packed.frombytes(more)
        except (OverflowError, TypeError):
            return None
        return packed

    def rewritten(self, packed: array[int], changes: Mapping[Slot, int]) -> array[int] | None:
        """Returns a copy with other values in some slots; None if one does not fit."""
        copy = packed[:]
        try:
            for slot, value in changes.items():
                words = self.words.get(slot)
                if words is None:
                    copy[slot] = value
                else:
                    copy[words] = array("q", value.to_bytes(8 * (words.stop - words.start), "little", signed=True))
        except OverflowError:
            return None
        return copy

    def unpacked(self, packed: array[int]) -> Row:
        """Returns the row as a list."""
        row = packed[: self._slots].tolist()
        if self._whose:
            behind = packed[self._slots :]
            more = behind.tobytes()
            # Most sets and piles are empty.
            for slot, start, end in set(compress(self._whose, behind)):
                row[slot] = int.from_bytes(more[start:end], "little", signed=True)
        return row


def _values_at(slots: list[int]) -> Callable[[Row], tuple[int, ...]]:
    # Of one slot, `itemgetter` returns the value alone.
    return itemgetter(*slots) if len(slots) > 1 else lambda row: tuple(row[slot] for slot in slots)
