"""Words of the low-level IR -> Python expressions. Conditions and choices are evaluated only as far as they matter.

row[13 + r1] == none      S[13 + r1] == NONE
"""

from __future__ import annotations

from typing import assert_never

from rulelang.ir.types import NONE
from rulelang.program.low import model as low
from rulelang.program.low.passes.rewriting import is_truth
from rulelang.program.randomness import WORD

SIGNS = {"div": "//", "mod": "%"}
COMPARED = frozenset({"==", "!=", "<", "<=", ">", ">="})


def number(value: int) -> str:
    """Returns a number as text; masks are written as bits of four."""
    return "NONE" if value == NONE else str(value) if abs(value) < 1 << 20 else hex(value)


def text_of(word: low.Word) -> str:
    """Returns the text of a number."""
    match word:
        case low.ConstWord(value=value):
            return number(value)
        case low.RegisterWord(number=register):
            return f"r{register}"
        case low.CellWord(index=index):
            return f"S[{text_of(index)}]"
        case low.EntryWord(table=table, index=index):
            return f"T{table}[{text_of(index)}]"
        case low.ItemWord(array=array, index=index):
            return f"A{array}[{text_of(index)}]"
        case low.GivenWord(position=position):
            return f"M[GIVEN][{position}]"
        case low.BitWord(number=bit):
            return f"1 << {_part(bit)}"
        case low.HasWord(mask=mask, number=bit):
            return f"{_part(mask)} >> {_part(bit)} & 1"
        case low.BinaryWord():
            return _binary(word)
        case low.UnaryWord(name=name, of=of):
            return _unary(name, of)
        case low.SelectWord(condition=condition, then=then, otherwise=otherwise):
            return f"{_part(then)} if {condition_of(condition)} else {_part(otherwise)}"
        case _:
            assert_never(word)


def condition_of(word: low.Word) -> str:
    """Returns the text of a condition, which is true where a word is not 0."""
    match word:
        case low.BinaryWord(name="&" | "|" as name, left=left, right=right) if is_truth(left) and is_truth(right):
            joint = "and" if name == "&" else "or"
            return f"{_joined(left, name)} {joint} {_joined(right, name)}"
        case low.BinaryWord(name="!=", left=left, right=low.ConstWord(value=0)):
            return text_of(left)
        case low.BinaryWord(name="==", left=left, right=low.ConstWord(value=0)):
            return f"not {_part(left)}"
        case low.BinaryWord(name="outside", left=low.BinaryWord(name="*") as left, right=right):
            # The product with a random number outgrows a word.
            return f"({text_of(left)} & {WORD}) >= {_part(right)}"
        case low.BinaryWord(name="outside", left=left, right=right):
            return f"not 0 <= {_part(left)} < {_part(right)}"
        case low.BinaryWord(name=name, left=left, right=right) if name in COMPARED:
            return f"{_part(left)} {name} {_part(right)}"
        case _:  # any other word is true as a number
            return text_of(word)


def _joined(word: low.Word, within: str) -> str:
    text = condition_of(word)
    is_other = isinstance(word, low.BinaryWord) and word.name in ("&", "|") and word.name != within
    return f"({text})" if is_other else text


def _part(word: low.Word) -> str:
    """Returns the text of a word as part of another."""
    match word:
        case low.ConstWord(value=value) if value >= 0 or value == NONE:
            return text_of(word)
        case low.RegisterWord() | low.CellWord() | low.EntryWord() | low.ItemWord() | low.GivenWord():
            return text_of(word)
        case _:  # any other text has an operator
            return f"({text_of(word)})"


def _binary(word: low.BinaryWord) -> str:
    left, right = word.left, word.right
    match word.name:
        case "+" | "-" | "*" | "|" | "^" | "<<" | ">>" | "&":
            if word.name in ("&", "|") and is_truth(word):
                return f"1 if {condition_of(word)} else 0"
            return f"{_part(left)} {word.name} {_part(right)}"
        case "div" | "mod":
            return f"{_part(left)} {SIGNS[word.name]} {_part(right)}"
        case "min" | "max":
            return f"{word.name}({text_of(left)}, {text_of(right)})"
        case "==" | "!=" | "<" | "<=" | ">" | ">=" | "outside":
            return f"1 if {condition_of(word)} else 0"
        case "high":
            return f"{_part(left)} * {_part(right)} >> 64"
        case _:
            assert_never(word.name)


def _unary(name: low.UnaryName, of: low.Word) -> str:
    match name:
        case "neg":
            return f"-{_part(of)}"
        case "flip":
            return f"~{_part(of)}"
        case "count":
            return f"({text_of(of)}).bit_count()"
        case "lowest":
            return f"({_part(of)} & -{_part(of)}).bit_length() - 1"
        case "mixed":
            raise AssertionError("games that pick or shuffle are not printed")
        case _:
            assert_never(name)
