"""Ints <-> the things that they stand for: masks (sets, groups) and packed piles.

A mask has bit i set when value i is in. A pile is packed, 16 bits a thing (its index + 1), the top in the low bits,
so an empty pile is 0 and nothing else is.

    group {0, 3}            0b1001
    pile, top first: 4, 0   0x0001_0005
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import cast

from rulelang.ir.numbers import Thing

ITEM = 16
"""The bits of one thing in a pile."""
ITEM_MASK = (1 << ITEM) - 1


def members(mask: int) -> list[int]:
    """Returns the values in a mask, ascending.

    >>> members(0b1001)
    [0, 3]
    """
    return list(_members(mask))


@lru_cache(1024)  # Whoever asks for the members of a set soon asks again: a copy takes a tenth of the time.
def _members(mask: int) -> tuple[int, ...]:
    found = []
    while mask:
        bit = mask & -mask
        found.append(bit.bit_length() - 1)
        mask ^= bit
    return tuple(found)


def things_of(mask: int) -> list[Thing]:
    """Returns the things in a mask, ascending."""
    return cast(list[Thing], members(mask))


def mask_of(values: Iterable[int]) -> int:
    """Returns the mask of some values.

    >>> mask_of([3, 0, 3])
    9
    """
    mask = 0
    for value in values:
        mask |= 1 << value
    return mask


def items(pile: int) -> list[Thing]:
    """Returns the things in a pile, top first.

    >>> items(0x0001_0005)
    [4, 0]
    """
    found: list[int] = []
    while pile:
        found.append((pile & ITEM_MASK) - 1)
        pile >>= ITEM
    return cast(list[Thing], found)


def pack(things: Iterable[int]) -> int:
    """Returns the pile of these things, top first.

    >>> hex(pack([4, 0]))
    '0x10005'
    """
    pile = at = 0
    for thing in things:
        pile |= (thing + 1) << at
        at += ITEM
    return pile


def pile_mask(pile: int) -> int:
    """Returns the things in a pile as a mask.

    >>> pile_mask(0x0001_0005)
    17
    """
    mask = 0
    while pile:
        mask |= 1 << ((pile & ITEM_MASK) - 1)
        pile >>= ITEM
    return mask


def pile_size(pile: int) -> int:
    """Returns the number of things in a pile."""
    return (pile.bit_length() + ITEM - 1) // ITEM


def top(pile: int, none: int) -> int:
    """Returns the top thing, or `none` of an empty pile."""
    return (pile & ITEM_MASK) - 1 if pile else none


def take_item(pile: int, thing: Thing) -> int:
    """Returns the pile without a thing; the pile itself if the thing is not in it.

    >>> take_item(0x0001_0005, 4)
    1
    """
    wanted = thing + 1
    rest, at = pile, 0
    while rest:
        if rest & ITEM_MASK == wanted:
            return (rest >> ITEM) << at | pile & ((1 << at) - 1)
        rest >>= ITEM
        at += ITEM
    return pile


def push(pile: int, thing: Thing, end: str) -> int:
    """Returns the pile with a thing laid on its `end`, "top" or "bottom".

    >>> items(push(0x0001_0005, 7, "bottom"))
    [4, 0, 7]
    """
    if end == "bottom":
        return pile | (thing + 1) << (ITEM * pile_size(pile))
    return pile << ITEM | (thing + 1)
