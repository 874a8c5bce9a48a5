"""Indices of variables, zones and tables -> their places in the row or table, and whether they are within bounds.

p.fuel               # 12 + r0, 1
board[x, y]          # 20 + 8 * r0 + r1 (20 where that is outside), r0 outside 8 | …
"""

from __future__ import annotations

from math import prod

from rulelang.ir.types import IntType, Type, first_of, size_of
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.function import Builder
from rulelang.program.low.words import KnownWord, both


def position(
    f: Builder, base: int, dimensions: tuple[Type, ...], index: list[KnownWord], words_each: int = 1
) -> tuple[low.Word, low.Word]:
    """Returns `base` + the row-major position of an index, `base` where it is outside, and whether it is inside."""
    word: low.Word = low.ConstWord(base)
    inside: low.Word = low.ConstWord(1)
    parts = []
    for i, (type, part) in enumerate(zip(dimensions, index, strict=True)):
        first, last = first_of(type), first_of(type) + size_of(type) - 1
        stride = words_each * prod(size_of(later) for later in dimensions[i + 1 :])
        if part.value is None and (part.none or part.low < first or part.high > last):
            part = f.named(part)
        inside = both(
            inside, words.inside(part, first, last) if part.value is None else _is_in(part.value, first, last)
        )
        parts.append((part.word, first, stride))
    for part_word, first, stride in parts:
        word = _sum(word, _times(part_word, stride), -first * stride)
    return (word if inside == low.ConstWord(1) else words.chosen(inside, word, low.ConstWord(base))), inside


def _is_in(value: int, first: int, last: int) -> low.Word:
    return low.ConstWord(int(first <= value <= last))


def _times(word: low.Word, stride: int) -> low.Word:
    if isinstance(word, low.ConstWord):
        return low.ConstWord(word.value * stride)
    return word if stride == 1 else low.BinaryWord("*", word, low.ConstWord(stride))


def _sum(word: low.Word, more: low.Word, offset: int) -> low.Word:
    base = 0
    if isinstance(word, low.BinaryWord) and word.name == "+" and isinstance(word.left, low.ConstWord):
        base, word = word.left.value, word.right
    elif isinstance(word, low.ConstWord):
        base, word = word.value, low.ConstWord(0)
    if isinstance(more, low.ConstWord):
        base, more = base + more.value, low.ConstWord(0)
    terms = [term for term in (word, more) if term != low.ConstWord(0)]
    base += offset
    if not terms:
        return low.ConstWord(base)
    total = terms[0] if len(terms) == 1 else low.BinaryWord("+", *terms)
    return low.BinaryWord("+", low.ConstWord(base), total) if base else total


def guarded(known: KnownWord, inside: low.Word, otherwise: KnownWord) -> KnownWord:
    """Returns a word, or `otherwise` where an index is out of bounds."""
    if inside == low.ConstWord(1):
        return known
    if inside == low.ConstWord(0):
        return otherwise
    return words.hull(low.SelectWord(inside, known.word, otherwise.word), known, otherwise)


def keyed(f: Builder, types: tuple[Type, ...], index: list[KnownWord]) -> list[KnownWord]:
    """Returns an index; traps where a number in it is outside the range of its key."""
    return [
        f.within(part, type) if isinstance(type, IntType) else part for type, part in zip(types, index, strict=True)
    ]
