"""Rewrites a function of the low-level IR for Python: what is computed for one use stands where it is used.

    r2 = row[13 + r0]            if row[13 + r0] == r1: …
    if r2 == r1: …

It takes time that is linear in the length of the function, unlike the passes of `low.passes`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.passes.rewriting import set_by, with_parts, with_words
from rulelang.program.low.words import both, either, negated, weight
from rulelang.program.python.words import is_condition

Body = tuple[low.Inst, ...]
SHORT = 12
"""The most operators of a function that stands where it is called."""
KEPT = 1_500
"""How many folded functions are kept, of this game and those before it."""


def folded(functions: Iterable[low.Function]) -> tuple[low.Function, ...]:
    """Returns functions that compute the same with fewer registers and calls; one that is a short word stands where an
    earlier or later one calls it."""
    words: dict[str, low.Word] = {}
    found = []
    for function in functions:
        called = {order.function for order in function.orders if isinstance(order, low.CallInst)}
        made = _folded(function, tuple((name, words[name]) for name in sorted(called & words.keys())))
        word = _as_word(made.body) if not made.arrays else None
        if word is not None and weight(word) <= SHORT:
            words[made.name] = word
        found.append(made)
    return tuple(found)


@lru_cache(KEPT)
def _folded(function: low.Function, words: tuple[tuple[str, low.Word], ...]) -> low.Function:
    """Returns a function that is folded; after an edit, most functions are as they were."""
    return attrs.evolve(function, body=_Folding(function, dict(words)).body(function.body, {}))


def _as_word(body: Body, most: int = SHORT) -> low.Word | None:
    """Returns the word that a function returns, if that is all it does, with few choices."""
    match body:
        case (low.ReturnInst(value=value),):
            return value
        case (low.IfInst(condition=condition, then=then, otherwise=otherwise), *rest) if most:
            a, b = _as_word(then, most - 1), _as_word((*otherwise, *rest), most - 1)
            return None if a is None or b is None else low.SelectWord(condition, a, b)
        case _:  # it does more
            return None


class _Folding:
    def __init__(self, function: low.Function, words: dict[str, low.Word]) -> None:
        self.words = words
        orders = low.orders(function.body)
        self.set = Counter(register for order in orders if (register := set_by(order)) is not None)
        self.set.update(range(function.parameters))
        self.within: dict[int, Counter[int]] = {}
        """By id of a statement with bodies: how often each register is read inside it."""
        self.read = self._count(function.body)
        self.same: dict[int, low.Word] = {}
        """Registers that only stand for a constant or for another register."""

    def _count(self, body: Body) -> Counter[int]:
        found: Counter[int] = Counter()
        for order in body:
            for word in low.words_in(order):
                found.update(word.registers)
            match order:
                case low.IfInst(then=then, otherwise=otherwise):
                    inner = self._count(then) + self._count(otherwise)
                case low.RepeatInst(body=inside) | low.WalkInst(body=inside):
                    inner = self._count(inside)
                case _:  # no other statement has others inside
                    continue
            self.within[id(order)] = inner
            found += inner
        return found

    def body(self, body: Body, waiting: dict[int, low.Word]) -> Body:
        """Returns a body; `waiting` are the registers that are set before it and read only in it."""
        found: list[low.Inst] = []
        for order in body:
            made = self._called(with_words(order, lambda word: self.word(word, waiting)))
            match made:
                case low.SetInst(register=register, value=value):
                    if self._waits(register, value, waiting):
                        continue
                    self._flush(found, waiting, lambda word, of=register: of in word.registers)  # type: ignore[misc]
                    found.append(made)
                case low.IfInst():
                    self._if(found, order, made, waiting)
                case low.RepeatInst(body=inner):
                    self._flush(found, waiting, None)
                    found.append(attrs.evolve(made, body=self.body(inner, {})))
                case low.WalkInst(body=inner):
                    self._flush(found, waiting, None)
                    found.append(attrs.evolve(made, body=self.body(inner, {})))
                case low.OfferInst() | low.PayInst() | low.TrapInst() | low.GameOverInst() | low.ReturnInst():
                    found.append(made)
                case _:  # any other statement may change what a word reads
                    self._flush(found, waiting, None)
                    found.append(made)
        self._flush(found, waiting, None)
        return tuple(found)

    def _called(self, order: low.Inst) -> low.Inst:
        """Returns a statement, or what stands for the call of a short function."""
        match order:
            case low.CallInst(register=int(register), function=name, arguments=arguments) if name in self.words:
                word = self.words[name]
                times = Counter(part.number for part in word.within if isinstance(part, low.RegisterWord))
                plain = (low.ConstWord, low.RegisterWord)
                if all(isinstance(part, plain) or times[i] <= 1 for i, part in enumerate(arguments)):
                    return low.SetInst(register, _substituted(word, arguments))
                return order
            case _:  # it calls nothing
                return order

    def _waits(self, register: int, value: low.Word, waiting: dict[int, low.Word]) -> bool:
        """Returns whether a register need not be set here: it stands for the value where it is read."""
        if self.set[register] != 1:
            return False
        if not self.read[register]:
            return True
        if isinstance(value, low.ConstWord) or (isinstance(value, low.RegisterWord) and self.set[value.number] == 1):
            self.same[register] = value
            return True
        if self.read[register] == 1:
            waiting[register] = value
            return True
        return False

    def _flush(
        self, found: list[low.Inst], waiting: dict[int, low.Word], reads: Callable[[low.Word], bool] | None
    ) -> None:
        """Sets the registers that waited and whose words are about to change; `None` means all."""
        for register in [one for one, word in waiting.items() if reads is None or reads(word)]:
            found.append(low.SetInst(register, waiting.pop(register)))

    def _if(self, found: list[low.Inst], order: low.Inst, made: low.IfInst, waiting: dict[int, low.Word]) -> None:
        reads = self.within[id(order)]
        inside = {register: word for register, word in waiting.items() if reads[register]}
        for register in inside:
            del waiting[register]
        self._flush(found, waiting, None)
        bodies = []
        for body in (made.then, made.otherwise):
            counted = self._count(body) if inside else Counter[int]()
            bodies.append(self.body(body, {r: word for r, word in inside.items() if counted[r]}))
        chosen = self._chosen(found, made.condition, *bodies)
        if chosen is None:
            found.append(low.IfInst(made.condition, *bodies) if bodies[0] or bodies[1] else made)
        elif not self._waits(chosen.register, chosen.value, waiting):
            found.append(chosen)

    def _chosen(self, found: list[low.Inst], condition: low.Word, then: Body, otherwise: Body) -> low.SetInst | None:
        """Returns the one statement that stands for a condition that only sets a register; it may take the place of the last."""
        match then, otherwise:
            case (low.SetInst(register=register, value=value),), (low.SetInst(register=other, value=else_),) if (
                register == other
            ):
                self.set[register] -= 1
                return low.SetInst(register, low.SelectWord(condition, value, else_))
            case (low.SetInst(register=register, value=value),), ():
                last = found[-1] if found else None
                if not isinstance(last, low.SetInst) or last.register != register or not is_condition(value):
                    return None
                before, reader = last.value, low.RegisterWord(register)
                if condition == reader and _is_truth(before) and register not in value.registers:
                    joined = both(before, value)
                elif condition == negated(reader) and _is_truth(before) and register not in value.registers:
                    joined = either(before, value)
                else:
                    return None
                found.pop()
                self.set[register] -= 1
                self.read[register] -= 1
                return low.SetInst(register, joined)
            case _:  # it does more
                return None

    def word(self, of: low.Word, waiting: dict[int, low.Word]) -> low.Word:
        match of:
            case low.RegisterWord(number=number):
                if number in waiting:
                    return waiting.pop(number)
                return self.same.get(number, of)
            case low.ConstWord() | low.GivenWord():
                return of
            case _:  # its parts may be registers
                return with_parts(of, lambda part: self.word(part, waiting))


def _substituted(word: low.Word, arguments: tuple[low.Word, ...]) -> low.Word:
    if isinstance(word, low.RegisterWord):
        return arguments[word.number]
    return with_parts(word, lambda part: _substituted(part, arguments))


def _is_truth(word: low.Word) -> bool:
    return is_condition(word) or word in (low.ConstWord(0), low.ConstWord(1))
