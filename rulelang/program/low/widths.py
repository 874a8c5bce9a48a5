"""Finds the widths of words and registers: a register is as wide as the widest word stored in it.

r2 = bit(r0) of 2 words       # r2 has two words
r3 = r2 | r1                  # so has r3
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.program.low import model as low

NARROW = frozenset({"==", "!=", "<", "<=", ">", ">=", "outside", "high", "min", "max", "+", "-", "*", "div", "mod"})


def words_for(bits: int) -> int:
    """Returns the number of words for a set whose members are below `bits`.

    >>> words_for(63), words_for(64), words_for(127)
    (1, 2, 2)
    """
    return bits // low.BITS + 1


def width_of(word: low.Word, widths: Sequence[int]) -> int:
    """Returns the width of a word, given the widths of registers."""
    match word:
        case low.ConstWord(value=value):
            if -(2**63) <= value < 2**64:
                return 1
            return -(-value.bit_length() // low.BITS) if value > 0 else words_for(value.bit_length())
        case low.RegisterWord(number=number):
            return widths[number]
        case (
            low.CellWord(words=words)
            | low.EntryWord(words=words)
            | low.GivenWord(words=words)
            | low.BitWord(words=words)
        ):
            return words
        case low.BinaryWord(name=name, left=left, right=right):
            if name in NARROW:
                return 1
            if name in ("<<", ">>"):
                return width_of(left, widths)
            return max(width_of(left, widths), width_of(right, widths))
        case low.UnaryWord(name="flip", of=of):
            return width_of(of, widths)
        case low.SelectWord(then=then, otherwise=otherwise):
            return max(width_of(then, widths), width_of(otherwise, widths))
        case _:  # all other words are one word wide
            return 1


def register_widths(registers: int, parameters: Sequence[int], body: tuple[low.Inst, ...]) -> tuple[int, ...]:
    """Returns the width of each register of a function; `parameters` are those of the first ones. `()` means one each."""
    widths = [*parameters, *[1] * (registers - len(parameters))]
    orders = low.orders(body)
    grown = True
    while grown:
        grown = False
        for order in orders:
            match order:
                case low.SetInst(register=register, value=value):
                    words = width_of(value, widths)
                case low.CallInst(register=int(register), words=words):
                    pass
                case _:  # no other statement sets a register
                    continue
            if words > widths[register]:
                widths[register] = words
                grown = True
    return tuple(widths) if any(width > 1 for width in widths) else ()


class FullWords:
    """The words of a function that may be sets with the highest bit of their width; rows and calls leave that bit free.

    BitWord(r0, 2) | r1 in full      # where r1 may be one
    """

    def __init__(self, tables: Sequence[tuple[int, ...]], widths: Sequence[int], body: tuple[low.Inst, ...]) -> None:
        self._tables, self._widths = tables, widths
        self._registers = frozenset[int]()
        stores = [order for order in low.orders(body) if isinstance(order, low.SetInst)]
        found = None
        while self._registers != found:
            found = self._registers
            self._registers = frozenset(order.register for order in stores if order.value in self)

    def __contains__(self, word: low.Word) -> bool:
        match word:
            case low.ConstWord(value=value):
                return value.bit_length() == low.BITS * width_of(word, self._widths)
            case low.RegisterWord(number=number):
                return number in self._registers
            case low.EntryWord(table=table, words=words):
                return any(value.bit_length() == low.BITS * words for value in self._tables[table])
            case low.BinaryWord(name="<<") | low.UnaryWord(name="flip"):
                return True
            case low.BinaryWord(name=">>", left=left):
                return left in self
            case low.BinaryWord(name="&", left=left, right=right):
                return left in self and right in self
            case low.BinaryWord(name="|" | "^", left=left, right=right):
                return left in self or right in self
            case low.SelectWord(then=then, otherwise=otherwise):
                return then in self or otherwise in self
            case _:  # all other words are numbers, or as wide as their type
                return False
