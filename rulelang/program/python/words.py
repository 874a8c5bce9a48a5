"""Words of the low-level IR -> Python expressions. Conditions and choices are evaluated only as far as they matter.

row[13 + r1] == none      S[13 + r1] == NONE
"""

from __future__ import annotations

from typing import assert_never

from rulelang.ir.model.operators import INVERSE
from rulelang.ir.types import NONE
from rulelang.program.low import model as low
from rulelang.program.low.passes.rewriting import with_parts
from rulelang.program.low.words import negated
from rulelang.program.randomness import WORD

SIGNS = {"div": "//", "mod": "%"}


def number(value: int) -> str:
    """Returns a number as text; masks are written as bits of four."""
    return "NONE" if value == NONE else str(value) if abs(value) < 1 << 20 else hex(value)


def is_condition(word: low.Word) -> bool:
    """Returns whether a word is 0 or 1 by its form: a comparison, a bit of a set, or what joins them."""
    match word:
        case low.BinaryWord(name="==" | "!=" | "<" | "<=" | ">" | ">=" | "outside") | low.HasWord():
            return True
        case low.BinaryWord(name="&", left=low.BinaryWord(name=">>"), right=low.ConstWord(value=1)):
            return True
        case _:  # any other word may be a number, or a set
            return is_joint(word)


def is_joint(word: low.Word) -> bool:
    """Returns whether a word is 0 or 1 because it joins conditions."""
    match word:
        case low.BinaryWord(name="&", left=left, right=right):
            return is_condition(left) or is_condition(right)
        case low.BinaryWord(name="|", left=left, right=right):
            return is_condition(left) and is_condition(right)
        case _:  # it joins nothing
            return False


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
            if (then, otherwise) == (low.ConstWord(1), low.ConstWord(0)) and is_condition(condition):
                return text_of(condition)
            return f"{_part(assuming(condition, then))} if {_test(condition)} else {_part(otherwise)}"
        case _:
            assert_never(word)


def assuming(condition: low.Word, word: low.Word) -> low.Word:
    """Returns a word as it is where a condition holds."""
    match word:
        case low.SelectWord() if word.condition == condition:
            return assuming(condition, word.then)
        case low.ConstWord() | low.RegisterWord() | low.GivenWord():
            return word
        case _:  # its parts may depend on the condition
            return with_parts(word, lambda part: assuming(condition, part))


def condition_of(word: low.Word) -> str:
    """Returns the text of a condition, which is true where a word is not 0."""
    match word:
        case low.BinaryWord(name="|", left=left, right=right) if is_condition(left) or is_condition(right):
            return f"{_joined(left, '|')} or {_joined(right, '|')}"
        case low.BinaryWord(name="&", left=left, right=right) if is_joint(word):
            return f"{_joined(_bit(left), '&')} and {_joined(assuming(left, _bit(right)), '&')}"
        case low.BinaryWord(name="!=", left=left, right=low.ConstWord(value=0)):
            return condition_of(left)
        case low.BinaryWord(name="==", left=left, right=low.ConstWord(value=0)):
            return _opposite(left)
        case low.BinaryWord(name="outside", left=low.BinaryWord(name="*") as left, right=right):
            # The product with a random number outgrows a word.
            return f"({text_of(left)} & {WORD}) >= {_part(right)}"
        case low.BinaryWord(name="outside", left=left, right=right):
            return f"not {_within(left, right)}"
        case low.BinaryWord(name=name, left=left, right=right) if name in INVERSE:
            return f"{_part(left)} {name} {_part(right)}"
        case low.SelectWord(condition=condition, then=then, otherwise=low.ConstWord(value=0)):
            return condition_of(low.BinaryWord("&", _truth(condition), _truth(then)))
        case low.SelectWord(condition=condition, then=then, otherwise=otherwise):
            return f"({condition_of(assuming(condition, then))}) if {_test(condition)} else ({condition_of(otherwise)})"
        case _:  # any other word is true as a number
            return text_of(word)


def _test(word: low.Word) -> str:
    """Returns the text of a condition between `if` and `else`."""
    text = condition_of(word)
    return f"({text})" if " if " in text else text


def _bit(word: low.Word) -> low.Word:
    """Returns the only part of a word that counts where it is joined with a condition: its first bit."""
    return word if is_condition(word) else low.BinaryWord("&", word, low.ConstWord(1))


def _truth(word: low.Word) -> low.Word:
    return word if is_condition(word) else low.BinaryWord("!=", word, low.ConstWord(0))


def _within(of: low.Word, size: low.Word) -> str:
    """Returns the text of the condition that a number is from 0 up to a size."""
    match of, size:
        case low.BinaryWord(name="-", left=left, right=low.ConstWord(value=first)), low.ConstWord(value=many):
            return f"{number(first)} <= {_part(left)} <= {number(first + many - 1)}"
        case _, low.ConstWord(value=1):
            return f"{_part(of)} == 0"
        case _:  # the size is computed, or the first number is 0
            return f"0 <= {_part(of)} < {_part(size)}"


def _opposite(word: low.Word) -> str:
    """Returns the text of the condition that a word is 0."""
    match word:
        case low.BinaryWord(name=name, left=left, right=right) if name in INVERSE:
            return condition_of(low.BinaryWord(INVERSE[name], left, right))
        case low.BinaryWord(name="outside", left=low.BinaryWord(name="*")):
            return f"not {_part(word)}"
        case low.BinaryWord(name="outside", left=left, right=right):
            return _within(left, right)
        case low.BinaryWord(name="|", left=left, right=right) if is_condition(left) or is_condition(right):
            return condition_of(low.BinaryWord("&", negated(left), negated(right)))
        case low.BinaryWord(name="&", left=left, right=right) if is_joint(word):
            return condition_of(low.BinaryWord("|", negated(_bit(left)), negated(_bit(right))))
        case _:  # any other word is a number
            return f"not {_part(word)}"


def _joined(word: low.Word, within: str) -> str:
    text = condition_of(word)
    return (
        f"({text})"
        if " if " in text or (within == "&" and " or " in text) or (within == "|" and " and " in text)
        else text
    )


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
        case "<<" | ">>":
            return _shift(word.name, left, right)
        case "+" | "-" | "*" | "|" | "^" | "&":
            if is_joint(word):
                return f"1 if {_test(word)} else 0"
            if word.name == "&" and isinstance(right, low.UnaryWord) and right.name == "flip":
                return f"{_part(left)} & ~{_part(right.of)}"
            return f"{_part(left)} {word.name} {_part(right)}"
        case "div" | "mod":
            return f"{_part(left)} {SIGNS[word.name]} {_part(right)}"
        case "min" | "max":
            sign = "<" if word.name == "min" else ">"
            match left, right:
                case one, low.UnaryWord("neg", other) if one == other and word.name == "max":
                    return f"abs({text_of(one)})"
                case (low.RegisterWord(), low.RegisterWord() | low.ConstWord()):
                    return f"{_part(left)} if {_part(left)} {sign} {_part(right)} else {_part(right)}"
                case _:  # a part that is computed must not be computed twice
                    return f"{word.name}({text_of(left)}, {text_of(right)})"
        case "==" | "!=" | "<" | "<=" | ">" | ">=" | "outside":
            return f"1 if {_test(word)} else 0"
        case "high":
            return f"{_part(left)} * {_part(right)} >> 64"
        case _:
            assert_never(word.name)


def _shift(name: str, of: low.Word, by: low.Word) -> str:
    match of, by:
        case low.BinaryWord(name=inner, right=low.ConstWord(value=before)), low.ConstWord(value=more) if inner == name:
            return _shift(name, of.left, low.ConstWord(before + more))
        case _, low.BinaryWord(name="&", left=place, right=low.ConstWord(value=63)):
            # A place that is no bit of a word is left out by a condition around this.
            return f"{_part(of)} {name} {_part(place)}"
        case _:  # a place that is in the word
            return f"{_part(of)} {name} {_part(by)}"


def _unary(name: low.UnaryName, of: low.Word) -> str:
    match name:
        case "neg":
            return f"-{_part(of)}"
        case "flip":
            return f"~{_part(of)}"
        case "count" if isinstance(of, low.ConstWord):
            return str(of.value.bit_count())
        case "count":
            return f"{_part(of)}.bit_count()"
        case "lowest" if isinstance(of, low.RegisterWord | low.CellWord):
            return f"({_part(of)} & -{_part(of)}).bit_length() - 1"
        case "lowest":
            return f"lowest({text_of(of)})"
        case "mixed":
            return f"mixed({text_of(of)})"
        case _:
            assert_never(name)
