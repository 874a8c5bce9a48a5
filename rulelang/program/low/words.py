"""Words and what is known of them: their bounds, whether they may be none; and how they are reckoned with.

heap - n        # Known(Binary("-", Cell(…), Register(1)), low=-3, high=11)
"""

from __future__ import annotations

import attrs

from rulelang.errors import RulelangError
from rulelang.ir.types import NONE, SetType, Type, first_of, offset_of, size_of
from rulelang.program.low.model import BITS, Binary, Cell, Const, Entry, Register, Select, Unary, Word

SAFE = 2**61
"""Numbers that stay below this cannot overflow a word by one more sum."""


class Unsupported(RulelangError):
    """A game has something that the low-level IR cannot say yet; the message names it."""


@attrs.frozen
class Known:
    """A word and what is known of it; of a set, `high` has every bit that may be set."""

    word: Word
    low: int
    high: int
    none: bool = False
    is_set: bool = False

    @property
    def value(self) -> int | None:
        """The number itself, where it is known."""
        return self.word.value if isinstance(self.word, Const) else None

    @property
    def condition(self) -> Word:
        """1 where it is more than 0, else 0."""
        if self.value is not None:
            return Const(int(self.value > 0))
        if not self.none and not self.is_set and (self.low, self.high) in ((0, 1), (0, 0), (1, 1)):
            return self.word
        return Binary("!=" if self.is_set and not self.none else ">", self.word, Const(0))


def number(value: int) -> Known:
    """Returns a known number, or none."""
    return Known(Const(value), value, value) if value != NONE else Known(Const(NONE), 0, 0, none=True)


def truth(word: Word) -> Known:
    """Returns a condition."""
    return number(int(bool(word.value))) if isinstance(word, Const) else Known(word, 0, 1)


def known_set(word: Word, bits: int) -> Known:
    """Returns a set of which so many bits can be set; raises Unsupported where a word cannot hold them."""
    if bits.bit_length() > BITS:
        raise Unsupported(f"sets of {bits.bit_length()} members (at most {BITS})")
    return Known(word, 0, bits, is_set=True)


def typed(word: Word, type: Type) -> Known:
    """Returns a value of a type, or none where the type has it."""
    if isinstance(type, SetType):
        return attrs.evolve(known_set(word, bits_of(type)), none=type.optional)
    low, high = limits(type)
    return Known(word, low, high, none=type.optional)


def limits(type: Type) -> tuple[int, int]:
    """Returns the least and the greatest value of a type that is no set."""
    try:
        return first_of(type), first_of(type) + size_of(type) - 1
    except ValueError:
        raise Unsupported(f"values of {type}") from None


def bits_of(type: SetType) -> int:
    """Returns all bits that a set of a type can have."""
    low, high = limits(type.element)
    offset = offset_of(type.element)
    return (1 << high + offset + 1) - (1 << max(low + offset, 0)) if high + offset >= 0 else 0


def fits(known: Known, type: Type) -> bool:
    """Returns whether every value that a word can have is one of a type's."""
    if known.none and not type.optional:
        return False
    if known.value == NONE:
        return True
    if isinstance(type, SetType):
        return not known.high & ~bits_of(type)
    low, high = limits(type)
    return low <= known.low and known.high <= high


def outside(known: Known, type: Type) -> Word:
    """Returns whether a word is none of a type's values."""
    if isinstance(type, SetType):
        wrong: Word = Binary("!=", Binary("&", known.word, Const(~bits_of(type))), Const(0))
    else:
        low, high = limits(type)
        wrong = beyond(known.word, low, high)
    if not known.none:
        return wrong
    missing = Binary("==", known.word, Const(NONE))
    return both(negated(missing), wrong) if type.optional else either(missing, wrong)


def beyond(word: Word, low: int, high: int) -> Word:
    """Returns whether a number is not from `low` to `high`."""
    lifted = word if not low else Binary("-", word, Const(low))
    return Binary("outside", lifted, Const(high - low + 1))


def hull(word: Word, a: Known, b: Known) -> Known:
    """Returns a word that is one or the other."""
    if NONE in (a.value, b.value):
        one = b if a.value == NONE else a
        return attrs.evolve(one, word=word, none=True)
    is_set = a.is_set or b.is_set
    high = a.high | b.high if is_set else max(a.high, b.high)
    return Known(word, min(a.low, b.low), high, a.none or b.none, is_set)


def bounded(known: Known) -> Known:
    """Returns a number; raises Unsupported where it may be too large for a word."""
    if not -SAFE <= known.low <= known.high <= SAFE:
        raise Unsupported("numbers of more than 61 bits")
    return known


# ------------------------------------------------------------------ conditions


def negated(word: Word) -> Word:
    """Returns the opposite of a condition."""
    if isinstance(word, Const):
        return Const(int(not word.value))
    match word:
        case Binary(name="==", left=left, right=right):
            return Binary("!=", left, right)
        case Binary(name="!=", left=left, right=right):
            return Binary("==", left, right)
        case _:
            return Binary("==", word, Const(0))


def both(a: Word, b: Word) -> Word:
    """Returns whether two conditions hold."""
    if isinstance(a, Const):
        return b if a.value else Const(0)
    if isinstance(b, Const):
        return a if b.value else Const(0)
    return Binary("&", a, b)


def either(a: Word, b: Word) -> Word:
    """Returns whether one of two conditions holds."""
    if isinstance(a, Const):
        return Const(1) if a.value else b
    if isinstance(b, Const):
        return Const(1) if b.value else a
    return Binary("|", a, b)


def chosen(condition: Word, then: Word, otherwise: Word) -> Word:
    """Returns one of two words."""
    if isinstance(condition, Const):
        return then if condition.value else otherwise
    return Select(condition, then, otherwise)


def compared(name: str, a: Known, b: Known) -> Known:
    """Returns a comparison; an ordering with none on either side does not hold."""
    if a.value is not None and b.value is not None:
        return number(_holds(name, a.value, b.value))
    word: Word = Binary(name, a.word, b.word)
    if name in ("<", "<=") and a.none:
        word = both(Binary("!=", a.word, Const(NONE)), word)
    if name in (">", ">=") and b.none:
        word = both(Binary("!=", b.word, Const(NONE)), word)
    if (a.is_set or b.is_set) and name not in ("==", "!="):
        raise Unsupported("sets that are ordered")
    return truth(word)


def _holds(name: str, a: int, b: int) -> int:
    if name in ("==", "!="):
        return int((a == b) == (name == "=="))
    return int(NONE not in (a, b) and {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[name])


# ------------------------------------------------------------------ numbers


def calculated(name: str, a: Known, b: Known) -> Known:
    """Returns a calculation with two numbers that are not none."""
    if name in ("min", "max"):
        pick = min if name == "min" else max
        return _folded(name, a, b, pick(a.low, b.low), pick(a.high, b.high))
    if name == "+":
        return _folded(name, a, b, a.low + b.low, a.high + b.high)
    if name == "-":
        return _folded(name, a, b, a.low - b.high, a.high - b.low)
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return _folded("*", a, b, min(corners), max(corners))


def _folded(name: str, a: Known, b: Known, low: int, high: int) -> Known:
    if low == high:
        return number(low)
    return bounded(Known(Binary(name, a.word, b.word), low, high))


def divided(name: str, a: Known, b: Known) -> Known:
    """Returns a quotient or a remainder by a number that is not 0."""
    if name == "mod":
        return Known(Binary("mod", a.word, b.word), min(b.low + 1, 0), max(b.high - 1, 0))
    size = max(abs(a.low), abs(a.high))
    if name == "floordiv":
        return Known(Binary("div", a.word, b.word), -size - 1, size)
    return Known(Unary("neg", Binary("div", Unary("neg", a.word), b.word)), -size, size + 1)


# ------------------------------------------------------------------ sets


def has(mask: Known, x: Known) -> Known:
    """Returns whether a number is in a set."""
    if not mask.high:
        return number(0)
    if x.value is not None:
        return (
            truth(Binary("!=", Binary("&", mask.word, Const(1 << x.value)), Const(0)))
            if 0 <= x.value < BITS
            else number(0)
        )
    if mask.value is not None:
        low, high = span(mask.value)
        if mask.value == (2 << high) - (1 << low):
            return truth(inside(x, low, high))
    bit = Binary("&", Binary(">>", mask.word, Binary("&", x.word, Const(BITS - 1))), Const(1))
    if not x.none and x.low >= 0 and x.high < BITS:
        return truth(bit)
    return truth(both(negated(Binary("outside", x.word, Const(BITS))), bit))


def inside(x: Known, low: int, high: int) -> Word:
    """Returns whether a number is from `low` to `high`."""
    if not x.none and low <= x.low and x.high <= high:
        return Const(1)
    return negated(beyond(x.word, low, high))


def span(mask: int) -> tuple[int, int]:
    """Returns the lowest and the highest member of a set that has some."""
    return (mask & -mask).bit_length() - 1, mask.bit_length() - 1


def whole_range(mask: int) -> tuple[int, int]:
    """Returns the ends of a set that has all numbers between them; raises Unsupported for another one that is wide."""
    first, last = span(mask)
    if mask != (2 << last) - (1 << first):
        raise Unsupported(f"sets of {mask.bit_length()} members (at most {BITS})")
    return first, last


def as_set(known: Known) -> Known:
    """Returns a set, the empty one for none."""
    if known.value is not None:
        return known_set(known.word, known.value) if known.value != NONE else known_set(Const(0), 0)
    # Of one of several known sets, only the greatest number is known.
    bits = known.high if known.is_set else (1 << known.high.bit_length()) - 1
    word = Select(Binary("==", known.word, Const(NONE)), Const(0), known.word) if known.none else known.word
    return known_set(word, bits)


def united(name: str, a: Known, b: Known) -> Known:
    """Returns `union`, `inter` or `minus` of two sets."""
    if a.value is not None and b.value is not None:
        found = {"union": a.value | b.value, "inter": a.value & b.value, "minus": a.value & ~b.value}[name]
        return known_set(Const(found), found)
    if name == "union":
        return known_set(Binary("|", a.word, b.word), a.high | b.high)
    if name == "inter":
        return known_set(Binary("&", a.word, b.word), a.high & b.high)
    left = a.high & ~b.value if b.value is not None else a.high
    return known_set(Binary("&", a.word, Unary("flip", b.word)), left)


def single(x: Known) -> Known:
    """Returns the set of one number that a word has a bit for, the empty set for none."""
    if x.value is not None:
        bit = 0 if x.value == NONE else 1 << x.value
        return known_set(Const(bit), bit)
    bits = (2 << x.high) - (1 << x.low)
    word: Word = Binary("<<", Const(1), Binary("&", x.word, Const(BITS - 1)) if x.none else x.word)
    if x.none:
        word = Select(Binary("==", x.word, Const(NONE)), Const(0), word)
    return known_set(word, bits)


def size_of_set(mask: Known) -> Known:
    """Returns how many members a set has."""
    if mask.value is not None:
        return number(mask.value.bit_count())
    return Known(Unary("count", mask.word), 0, mask.high.bit_count())


def weight(word: Word) -> int:
    """Returns how many operators a word is made of."""
    match word:
        case Const() | Register():
            return 0
        case Cell(index=index) | Entry(index=index):
            return 1 + weight(index)
        case Binary(left=left, right=right):
            return 1 + weight(left) + weight(right)
        case Unary(of=of):
            return 1 + weight(of)
        case Select(condition=condition, then=then, otherwise=otherwise):
            return 1 + weight(condition) + weight(then) + weight(otherwise)
        case _:
            return 1
