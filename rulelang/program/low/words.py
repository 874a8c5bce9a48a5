"""Words with their bounds and whether they may be none, and arithmetic on them.

heap - n        # KnownWord(BinaryWord("-", CellWord(…), RegisterWord(1)), low=-3, high=11)
"""

from __future__ import annotations

from typing import Literal, assert_never

import attrs

from rulelang.errors import Unsupported
from rulelang.ir.model import Calculation, Comparison, SetOperator
from rulelang.ir.types import NONE, SetType, Type, first_of, offset_of, size_of
from rulelang.program.low.model import (
    BITS,
    BinaryName,
    BinaryWord,
    BitWord,
    CellWord,
    ConstWord,
    EntryWord,
    GivenWord,
    HasWord,
    ItemWord,
    RegisterWord,
    SelectWord,
    UnaryWord,
    Word,
)
from rulelang.program.low.widths import words_for
from rulelang.program.operators import operate

FARTHEST = 63
"""The most bits by which a word is shifted at once."""
WIDEST = 4096
"""The most members of a set that is built; larger sets are only iterated."""
SAFE = 2**61
"""The bound below which the sum of two numbers cannot overflow a word."""
SUMMED, MULTIPLIED = 2**59, 2**30
"""The bounds of numbers whose sum, or product, is safe."""


@attrs.frozen
class KnownWord:
    """A word and its bounds; for a set, `high` has every bit that may be set."""

    word: Word
    low: int
    high: int
    none: bool = False
    is_set: bool = False

    @property
    def value(self) -> int | None:
        """The number itself, where it is known."""
        return self.word.value if isinstance(self.word, ConstWord) else None

    @property
    def condition(self) -> Word:
        """1 where it is more than 0, else 0."""
        if self.value is not None:
            return ConstWord(int(self.value > 0))
        if not self.none and not self.is_set and (self.low, self.high) in ((0, 1), (0, 0), (1, 1)):
            return self.word
        return BinaryWord("!=" if self.is_set and not self.none else ">", self.word, ConstWord(0))


def number(value: int) -> KnownWord:
    """Returns the word of a known number, or of none."""
    return KnownWord(ConstWord(value), value, value) if value != NONE else KnownWord(ConstWord(NONE), 0, 0, none=True)


def truth(word: Word) -> KnownWord:
    """Returns the word of a condition, 0 or 1."""
    return number(int(bool(word.value))) if isinstance(word, ConstWord) else KnownWord(word, 0, 1)


def known_set(word: Word, bits: int) -> KnownWord:
    """Returns a set whose possible members are `bits`."""
    return KnownWord(word, 0, bits, is_set=True)


def words_of(type: Type) -> int:
    """Returns the number of words for a value of a type."""
    return words_for(bits_of(type).bit_length()) if isinstance(type, SetType) else 1


def typed(word: Word, type: Type) -> KnownWord:
    """Returns a word known to be a value of a type, or none if the type is optional."""
    if isinstance(type, SetType):
        return attrs.evolve(known_set(word, bits_of(type)), none=type.optional)
    low, high = limits(type)
    return KnownWord(word, low, high, none=type.optional)


def limits(type: Type) -> tuple[int, int]:
    """Returns the least and the greatest value of a type that is not a set."""
    try:
        return first_of(type), first_of(type) + size_of(type) - 1
    except ValueError:
        raise Unsupported(f"values of {type}") from None


def bits_of(type: SetType) -> int:
    """Returns the mask of all bits that a set of a type can have."""
    low, high = limits(type.element)
    offset = offset_of(type.element)
    return (1 << high + offset + 1) - (1 << max(low + offset, 0)) if high + offset >= 0 else 0


def fits(known: KnownWord, type: Type) -> bool:
    """Returns whether every value that a word can have is in a type."""
    if known.none and not type.optional:
        return False
    if known.value == NONE:
        return True
    if isinstance(type, SetType):
        return not known.high & ~bits_of(type)
    low, high = limits(type)
    return low <= known.low and known.high <= high


def outside(known: KnownWord, type: Type) -> Word:
    """Returns the condition that a word is not a value of a type."""
    if isinstance(type, SetType):
        wrong: Word = BinaryWord("!=", BinaryWord("&", known.word, ConstWord(~bits_of(type))), ConstWord(0))
    else:
        low, high = limits(type)
        wrong = beyond(known.word, low, high)
    if not known.none:
        return wrong
    missing = BinaryWord("==", known.word, ConstWord(NONE))
    return both(negated(missing), wrong) if type.optional else either(missing, wrong)


def beyond(word: Word, low: int, high: int) -> Word:
    """Returns the condition that a number is not from `low` to `high`."""
    lifted = word if not low else BinaryWord("-", word, ConstWord(low))
    return BinaryWord("outside", lifted, ConstWord(high - low + 1))


def hull(word: Word, a: KnownWord, b: KnownWord) -> KnownWord:
    """Returns a word whose bounds cover those of two others."""
    if NONE in (a.value, b.value):
        one = b if a.value == NONE else a
        return attrs.evolve(one, word=word, none=True)
    is_set = a.is_set or b.is_set
    high = a.high | b.high if is_set else max(a.high, b.high)
    return KnownWord(word, min(a.low, b.low), high, a.none or b.none, is_set)


def in_words(known: KnownWord) -> KnownWord:
    """Returns the same value; raises Unsupported if it may be too large for words of 64 bits."""
    if known.value is None and known.is_set and known.high.bit_length() > WIDEST:
        raise Unsupported(f"sets of {known.high.bit_length()} members (at most {WIDEST})")
    if known.value is None and not known.is_set and not (known.low >= -SAFE and known.high <= SAFE):
        raise Unsupported("numbers of more than 61 bits")
    return known


# ------------------------------------------------------------------ conditions


def negated(word: Word) -> Word:
    """Returns the opposite of a condition."""
    if isinstance(word, ConstWord):
        return ConstWord(int(not word.value))
    match word:
        case BinaryWord(name="==", left=left, right=right):
            return BinaryWord("!=", left, right)
        case BinaryWord(name="!=", left=left, right=right):
            return BinaryWord("==", left, right)
        case _:  # any other word is compared with 0
            return BinaryWord("==", word, ConstWord(0))


def both(a: Word, b: Word) -> Word:
    """Returns whether two conditions hold."""
    if isinstance(a, ConstWord):
        return b if a.value else ConstWord(0)
    if isinstance(b, ConstWord):
        return a if b.value else ConstWord(0)
    return BinaryWord("&", a, b)


def either(a: Word, b: Word) -> Word:
    """Returns whether one of two conditions holds."""
    if isinstance(a, ConstWord):
        return ConstWord(1) if a.value else b
    if isinstance(b, ConstWord):
        return ConstWord(1) if b.value else a
    return BinaryWord("|", a, b)


def chosen(condition: Word, then: Word, otherwise: Word) -> Word:
    """Returns one of two words."""
    if isinstance(condition, ConstWord):
        return then if condition.value else otherwise
    return SelectWord(condition, then, otherwise)


def compared(name: Comparison, a: KnownWord, b: KnownWord) -> KnownWord:
    """Returns a comparison; an ordering does not hold if either side is none."""
    if a.value is not None and b.value is not None:
        return number(operate(name, (a.value, b.value)))
    word: Word = BinaryWord(name, a.word, b.word)
    if name in ("==", "!="):
        return truth(word)
    if a.is_set or b.is_set:
        raise Unsupported("sets that are ordered")
    if NONE in (a.value, b.value):
        return number(0)
    less, more = (a, b) if name in ("<", "<=") else (b, a)
    if less.none:
        word = both(BinaryWord("!=", less.word, ConstWord(NONE)), word)
    if more.none and less.low < NONE:  # no other number is below none
        word = both(BinaryWord("!=", more.word, ConstWord(NONE)), word)
    return truth(word)


# ------------------------------------------------------------------ numbers


def farthest(known: KnownWord) -> int:
    """Returns how far from 0 a number can be."""
    return max(abs(known.low), abs(known.high))


def calculated(name: Calculation, a: KnownWord, b: KnownWord) -> KnownWord:
    """Returns a calculation with two numbers that are not none; its result is, where it comes to that number."""
    if name in ("min", "max"):
        pick = min if name == "min" else max
        low, high = pick(a.low, b.low), pick(a.high, b.high)
        return number(low) if low == high else KnownWord(BinaryWord(name, a.word, b.word), low, high)
    if name == "+":
        return result(BinaryWord(name, a.word, b.word), a.low + b.low, a.high + b.high)
    if name == "-":
        return result(BinaryWord(name, a.word, b.word), a.low - b.high, a.high - b.low)
    assert name == "*"
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return result(BinaryWord(name, a.word, b.word), min(corners), max(corners))


def result(word: Word, low: int, high: int) -> KnownWord:
    """Returns a calculation by the bounds of its result, which is none where it comes to that number."""
    return number(low) if low == high else KnownWord(word, low, high, none=low <= NONE <= high)


def divided(name: Literal["floordiv", "ceildiv", "mod"], a: KnownWord, b: KnownWord) -> KnownWord:
    """Returns a quotient or a remainder by a number that is not 0; it is none where it comes to that number."""
    if name == "mod":
        return result(BinaryWord("mod", a.word, b.word), min(b.low + 1, 0), max(b.high - 1, 0))
    size = farthest(a)
    if name == "floordiv":
        return result(BinaryWord("div", a.word, b.word), -size - 1, size)
    return result(UnaryWord("neg", BinaryWord("div", UnaryWord("neg", a.word), b.word)), -size, size + 1)


# ------------------------------------------------------------------ sets


def has(mask: KnownWord, x: KnownWord) -> KnownWord:
    """Returns whether a number is in a set."""
    if not mask.high:
        return number(0)
    if x.value is not None and not (x.value >= 0 and mask.high >> x.value & 1):
        return number(0)
    if mask.high.bit_length() > BITS:
        return _has_wide(mask, x)
    if x.value is not None:
        return truth(BinaryWord("!=", BinaryWord("&", mask.word, ConstWord(1 << x.value)), ConstWord(0)))
    if mask.value is not None:
        low, high = span(mask.value)
        if mask.value == (2 << high) - (1 << low):
            return truth(inside(x, low, high))
    bit = BinaryWord("&", BinaryWord(">>", mask.word, BinaryWord("&", x.word, ConstWord(BITS - 1))), ConstWord(1))
    if not x.none and x.low >= 0 and x.high < BITS:
        return truth(bit)
    return truth(both(negated(BinaryWord("outside", x.word, ConstWord(BITS))), bit))


def _has_wide(mask: KnownWord, x: KnownWord) -> KnownWord:
    if mask.value is not None:
        low, high = span(mask.value)
        if mask.value == (2 << high) - (1 << low):
            return truth(inside(x, low, high))
    is_inside = inside(x, 0, mask.high.bit_length() - 1)
    return truth(both(is_inside, HasWord(mask.word, chosen(is_inside, x.word, ConstWord(0)))))


def inside(x: KnownWord, low: int, high: int) -> Word:
    """Returns the condition that a number is from `low` to `high`."""
    if not x.none and low <= x.low and x.high <= high:
        return ConstWord(1)
    return negated(beyond(x.word, low, high))


def span(mask: int) -> tuple[int, int]:
    """Returns the lowest and the highest member of a set that is not empty."""
    return (mask & -mask).bit_length() - 1, mask.bit_length() - 1


def whole_range(mask: int) -> tuple[int, int]:
    """Returns the ends of a set of consecutive numbers; raises Unsupported for any other wide set."""
    first, last = span(mask)
    if mask != (2 << last) - (1 << first):
        raise Unsupported(f"sets of {mask.bit_length()} members (at most {WIDEST})")
    return first, last


def as_set(known: KnownWord) -> KnownWord:
    """Returns a word as a set; none becomes the empty set."""
    if known.value is not None:
        return known_set(known.word, known.value) if known.value != NONE else known_set(ConstWord(0), 0)
    # Where it is one of several known sets, only the greatest of their masks is known.
    bits = known.high if known.is_set else (1 << known.high.bit_length()) - 1
    word = (
        SelectWord(BinaryWord("==", known.word, ConstWord(NONE)), ConstWord(0), known.word)
        if known.none
        else known.word
    )
    return known_set(word, bits)


def united(name: SetOperator, a: KnownWord, b: KnownWord) -> KnownWord:
    """Returns `union`, `inter` or `minus` of two sets."""
    if a.value is not None and b.value is not None:
        found = {"union": a.value | b.value, "inter": a.value & b.value, "minus": a.value & ~b.value}[name]
        return known_set(ConstWord(found), found)
    if name == "union":
        return known_set(BinaryWord("|", a.word, b.word), a.high | b.high)
    if name == "inter":
        return known_set(BinaryWord("&", a.word, b.word), a.high & b.high)
    left = a.high & ~b.value if b.value is not None else a.high
    return known_set(BinaryWord("&", a.word, UnaryWord("flip", b.word)), left)


def single(x: KnownWord) -> KnownWord:
    """Returns the set of one number, which must be a possible member; the empty set for none."""
    if x.value is not None:
        bit = 0 if x.value == NONE else 1 << x.value
        return known_set(ConstWord(bit), bit)
    if x.high < x.low:  # of a kind without things, it is none
        return known_set(ConstWord(0), 0)
    bits = (2 << x.high) - (1 << x.low)
    if x.high < BITS:
        word: Word = BinaryWord("<<", ConstWord(1), BinaryWord("&", x.word, ConstWord(BITS - 1)) if x.none else x.word)
    else:
        place = SelectWord(BinaryWord("==", x.word, ConstWord(NONE)), ConstWord(0), x.word) if x.none else x.word
        word = BitWord(place, words_for(x.high + 1))
    if x.none:
        word = SelectWord(BinaryWord("==", x.word, ConstWord(NONE)), ConstWord(0), word)
    return known_set(word, bits)


def size_of_set(mask: KnownWord) -> KnownWord:
    """Returns the size of a set."""
    if mask.value is not None:
        return number(mask.value.bit_count())
    return KnownWord(UnaryWord("count", mask.word), 0, mask.high.bit_count())


def weight(word: Word) -> int:
    """Returns the number of operators in a word."""
    match word:
        case ConstWord() | RegisterWord():
            return 0
        case HasWord(mask=mask, number=place):
            return 2 + weight(mask) + weight(place)
        case CellWord(index=index) | EntryWord(index=index):
            return 1 + weight(index)
        case BinaryWord(left=left, right=right):
            return 1 + weight(left) + weight(right)
        case UnaryWord(of=of):
            return 1 + weight(of)
        case SelectWord(condition=condition, then=then, otherwise=otherwise):
            return 1 + weight(condition) + weight(then) + weight(otherwise)
        case GivenWord() | ItemWord() | BitWord():
            return 1
        case _:
            assert_never(word)


def shifted(name: BinaryName, word: Word, by: int) -> Word:
    """Returns a word shifted by any number of bits, in as many steps as that takes."""
    while by:
        step = min(by, FARTHEST)
        word, by = BinaryWord(name, word, ConstWord(step)), by - step
    return word
