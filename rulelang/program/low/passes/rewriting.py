"""Words and statements of the low-level IR -> the same with some parts replaced, for passes.

with_words(StoreInst(place, RegisterWord(1)), renamed)      # StoreInst(place, RegisterWord(7))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import assert_never

import attrs

from rulelang.program.low import model as low

Pass = Callable[[low.Program], low.Program]
Change = Callable[[low.Word], low.Word]


def rewritten(program: low.Program, passes: Iterable[Pass]) -> low.Program:
    """Returns the program after some passes, in order."""
    for improve in passes:
        program = improve(program)
    return program


def with_parts(word: low.Word, change: Change) -> low.Word:
    """Returns a word with each word directly inside it changed; the word itself, if they stay the same."""
    before = low.parts(word)
    after = tuple(map(change, before))
    return word if after == before else _of_parts(word, *after)


def _of_parts(word: low.Word, *parts: low.Word) -> low.Word:
    match word:
        case low.BinaryWord(name=name):
            left, right = parts
            return low.BinaryWord(name, left, right)
        case low.ConstWord() | low.RegisterWord() | low.GivenWord():
            return word
        case low.CellWord(words=words):
            return low.CellWord(parts[0], words)
        case low.EntryWord(table=table, words=words):
            return low.EntryWord(table, parts[0], words)
        case low.ItemWord(array=array):
            return low.ItemWord(array, parts[0])
        case low.BitWord(words=words):
            return low.BitWord(parts[0], words)
        case low.HasWord():
            mask, number = parts
            return low.HasWord(mask, number)
        case low.UnaryWord(name=unary):
            return low.UnaryWord(unary, parts[0])
        case low.SelectWord():
            condition, then, otherwise = parts
            return low.SelectWord(condition, then, otherwise)
        case _:
            assert_never(word)


def is_truth(word: low.Word) -> bool:
    """Returns whether a word is 0 or 1 by its form."""
    match word:
        case low.BinaryWord(name="==" | "!=" | "<" | "<=" | ">" | ">=" | "outside") | low.HasWord():
            return True
        case low.BinaryWord(name="&" | "|", left=left, right=right):
            return is_truth(left) and is_truth(right)
        case _:  # it may be any number
            return False


def with_words(order: low.Inst, change: Change) -> low.Inst:
    """Returns a statement with the words that it reads itself changed; the statement itself, if they stay the same."""
    before = low.words_in(order)
    after = tuple(map(change, before))
    return order if after == before else _of_words(order, *after)


def _of_words(order: low.Inst, *words: low.Word) -> low.Inst:
    match order:
        case low.SetInst(register=register):
            return low.SetInst(register, words[0])
        case low.IfInst(then=then, otherwise=otherwise):
            return low.IfInst(words[0], then, otherwise)
        case low.ReturnInst():
            return low.ReturnInst(words[0])
        case low.StoreInst(words=width):
            index, value = words
            return low.StoreInst(index, value, width)
        case low.PutInst(array=array):
            index, value = words
            return low.PutInst(array, index, value)
        case low.WalkInst(register=register, body=body):
            return low.WalkInst(register, words[0], body)
        case low.CallInst() | low.TellInst():
            return attrs.evolve(order, arguments=words)
        case low.DrawInst():
            return attrs.evolve(order, stream=words[0])
        case low.OutcomeInst():
            return attrs.evolve(order, stream=words[0], of=words[1:])
        case low.PayInst():
            return low.PayInst(*words)
        case low.OfferInst() | low.GiveInst():
            return attrs.evolve(order, values=words)
        case _:  # no other statement reads words
            return order


Body = tuple[low.Inst, ...]


def with_bodies(order: low.Inst, change: Callable[[Body], Body]) -> low.Inst:
    """Returns a statement with the bodies inside it changed; the statement itself, if they stay the same."""
    match order:
        case low.IfInst(condition=condition, then=then, otherwise=otherwise):
            ways = change(then), change(otherwise) if otherwise else ()
            return order if ways == (then, otherwise) else low.IfInst(condition, *ways)
        case low.RepeatInst(body=body):
            after = change(body)
            return order if after == body else low.RepeatInst(after)
        case low.WalkInst(register=register, mask=mask, body=body):
            after = change(body)
            return order if after == body else low.WalkInst(register, mask, after)
        case _:  # no other statement has others inside
            return order


def with_body(function: low.Function, body: Body) -> low.Function:
    """Returns a function with another body; the function itself, if it is the same."""
    return function if body == function.body else attrs.evolve(function, body=body)


def set_by(order: low.Inst) -> int | None:
    """Returns the register that a statement sets, None if it sets none."""
    match order:
        case (
            low.SetInst(register=register)
            | low.WalkInst(register=register)
            | low.CallInst(register=register)
            | low.DrawInst(register=register)
            | low.OutcomeInst(register=register)
        ):
            return register
        case _:  # no other statement sets a register
            return None


def times_set(body: Body) -> Counter[int]:
    """Returns how many statements set each register."""
    return Counter(register for order in low.orders(body) if (register := set_by(order)) is not None)


def read_in(orders: Iterable[low.Inst]) -> Counter[int]:
    """Returns how many words of some statements read each register."""
    return Counter(register for order in orders for word in low.words_in(order) for register in word.registers)


def renumbered(body: Body, numbers: Callable[[int], int], arrays: int = 0) -> Body:
    """Returns a body with other numbers for its registers; its arrays are counted on from `arrays`."""

    def word(of: low.Word) -> low.Word:
        if isinstance(of, low.RegisterWord):
            return low.RegisterWord(numbers(of.number))
        changed = with_parts(of, word)
        return attrs.evolve(changed, array=changed.array + arrays) if isinstance(changed, low.ItemWord) else changed

    def order(of: low.Inst) -> low.Inst:
        changed = with_bodies(with_words(of, word), lambda inner: tuple(map(order, inner)))
        match changed:
            case (
                low.SetInst(register=int(register))
                | low.WalkInst(register=int(register))
                | low.CallInst(register=int(register))
                | low.DrawInst(register=int(register))
                | low.OutcomeInst(register=int(register))
            ):
                return attrs.evolve(changed, register=numbers(register))
            case low.PutInst(array=array) | low.KeepRowInst(array=array) | low.PutBackRowInst(array=array):
                return attrs.evolve(changed, array=array + arrays)
            case _:  # no other statement names a register or an array
                return changed

    return tuple(map(order, body))


def goes_on(body: Body) -> bool:
    """Returns whether what comes behind a body may run after it."""
    return all(map(_goes_on, body))


def _goes_on(order: low.Inst) -> bool:
    match order:
        case low.ReturnInst() | low.TrapInst() | low.GameOverInst() | low.BreakInst():
            return False
        case low.IfInst(then=then, otherwise=otherwise):
            return goes_on(then) or goes_on(otherwise)
        case low.RepeatInst(body=body):
            return breaks_out(body)
        case _:  # any other statement has an end
            return True


def breaks_out(body: Body, depth: int = 0) -> bool:
    """Returns whether a body leaves the loop that is `depth` loops around it."""
    for order in body:
        match order:
            case low.BreakInst(outer=outer) if outer == depth:
                return True
            case low.IfInst(then=then, otherwise=otherwise):
                if breaks_out(then, depth) or breaks_out(otherwise, depth):
                    return True
            case low.RepeatInst(body=inner) | low.WalkInst(body=inner):
                if breaks_out(inner, depth + 1):
                    return True
            case _:  # no other statement leaves a loop
                pass
    return False


def renamed(program: low.Program, prefix: str) -> low.Program:
    """Returns a program whose functions have a prefix before their names."""

    def name(of: str) -> str:
        return f"{prefix}{of}" if of else ""

    def order(of: low.Inst) -> low.Inst:
        if isinstance(of, low.CallInst):
            return attrs.evolve(of, function=name(of.function))
        return with_bodies(of, lambda body: tuple(map(order, body)))

    def question(of: low.QuestionFunctions) -> low.QuestionFunctions:
        branches = tuple(map(name, of.branches))
        return attrs.evolve(of, options=name(of.options), branches=branches, keep=name(of.keep), look=name(of.look))

    return attrs.evolve(
        program,
        functions=tuple(attrs.evolve(f, name=name(f.name), body=tuple(map(order, f.body))) for f in program.functions),
        questions=tuple(map(question, program.questions)),
        blocks=tuple((block, name(function)) for block, function in program.blocks),
    )
