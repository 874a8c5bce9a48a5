"""Words and statements of the low-level IR -> the same with some parts replaced, for passes.

with_words(StoreInst(place, RegisterWord(1)), renamed)      # StoreInst(place, RegisterWord(7))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import assert_never

import attrs

from rulelang.program.low import model as low

Change = Callable[[low.Word], low.Word]


def parts(word: low.Word) -> tuple[low.Word, ...]:
    """Returns the words directly inside a word."""
    match word:
        case low.ConstWord() | low.RegisterWord() | low.GivenWord():
            return ()
        case low.CellWord(index=index) | low.EntryWord(index=index) | low.ItemWord(index=index):
            return (index,)
        case low.BitWord(number=number):
            return (number,)
        case low.HasWord(mask=mask, number=number):
            return mask, number
        case low.BinaryWord(left=left, right=right):
            return left, right
        case low.UnaryWord(of=of):
            return (of,)
        case low.SelectWord(condition=condition, then=then, otherwise=otherwise):
            return condition, then, otherwise
        case _:
            assert_never(word)


def with_parts(word: low.Word, change: Change) -> low.Word:
    """Returns a word with each word directly inside it changed."""
    match word:
        case low.ConstWord() | low.RegisterWord() | low.GivenWord():
            return word
        case low.CellWord(index=index, words=words):
            return low.CellWord(change(index), words)
        case low.EntryWord(table=table, index=index, words=words):
            return low.EntryWord(table, change(index), words)
        case low.ItemWord(array=array, index=index):
            return low.ItemWord(array, change(index))
        case low.BitWord(number=number, words=words):
            return low.BitWord(change(number), words)
        case low.HasWord(mask=mask, number=number):
            return low.HasWord(change(mask), change(number))
        case low.BinaryWord(name=name, left=left, right=right):
            return low.BinaryWord(name, change(left), change(right))
        case low.UnaryWord(name=unary, of=of):
            return low.UnaryWord(unary, change(of))
        case low.SelectWord(condition=condition, then=then, otherwise=otherwise):
            return low.SelectWord(change(condition), change(then), change(otherwise))
        case _:
            assert_never(word)


def within(word: low.Word) -> Iterator[low.Word]:
    """Yields a word and all words inside it."""
    yield word
    for part in parts(word):
        yield from within(part)


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
    """Returns a statement with the words that it reads itself changed."""
    match order:
        case low.SetInst(value=value) | low.ReturnInst(value=value):
            return attrs.evolve(order, value=change(value))
        case low.StoreInst(index=index, value=value) | low.PutInst(index=index, value=value):
            return attrs.evolve(order, index=change(index), value=change(value))
        case low.IfInst(condition=condition):
            return attrs.evolve(order, condition=change(condition))
        case low.WalkInst(mask=mask):
            return attrs.evolve(order, mask=change(mask))
        case low.CallInst(arguments=arguments):
            return attrs.evolve(order, arguments=tuple(map(change, arguments)))
        case low.PayInst(steps=steps):
            return attrs.evolve(order, steps=change(steps))
        case low.OfferInst(values=values) | low.GiveInst(values=values):
            return attrs.evolve(order, values=tuple(map(change, values)))
        case _:  # no other statement reads words
            return order


Body = tuple[low.Inst, ...]


def with_bodies(order: low.Inst, change: Callable[[Body], Body]) -> low.Inst:
    """Returns a statement with the bodies inside it changed."""
    match order:
        case low.IfInst(then=then, otherwise=otherwise):
            return attrs.evolve(order, then=change(then), otherwise=change(otherwise))
        case low.RepeatInst(body=body) | low.WalkInst(body=body):
            return attrs.evolve(order, body=change(body))
        case _:  # no other statement has others inside
            return order


def set_by(order: low.Inst) -> int | None:
    """Returns the register that a statement sets, None if it sets none."""
    match order:
        case (
            low.SetInst(register=register)
            | low.WalkInst(register=register)
            | low.CallInst(register=register)
            | low.DrawInst(register=register)
        ):
            return register
        case _:  # no other statement sets a register
            return None


def times_set(body: Body) -> Counter[int]:
    """Returns how many statements set each register."""
    return Counter(register for order in low.orders(body) if (register := set_by(order)) is not None)


def read_in(orders: Iterable[low.Inst]) -> Counter[int]:
    """Returns how many words of some statements read each register."""
    return Counter(
        part.number
        for order in orders
        for word in low.words_in(order)
        for part in within(word)
        if isinstance(part, low.RegisterWord)
    )


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
