"""Loops that compute what a loop before them has computed -> the register that it left that in.

r1 = 0; for r2 in 0xff: if (row[r2] == r0): r1 = r1 | 1 << r2      # r1 = …
r3 = 0; for r4 in 0xff: if (row[r4] == r0): r3 = r3 | 1 << r4      # r3 = r1

Each register has a number for its value; what is computed in the same way, of the same numbers, the same row and the
same answer, has the same number (global value numbering, Rosen, Wegman and Zadeck, POPL 1988).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import count
from typing import TypeAlias, assert_never

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.passes.ranges.values import stores, storing
from rulelang.program.low.passes.rewriting import breaks_out, goes_on, read_in, set_by, with_bodies, with_body

Body: TypeAlias = tuple[low.Inst, ...]
Loop: TypeAlias = low.WalkInst | low.RepeatInst


def numbered(program: low.Program) -> low.Program:
    """Returns the program without loops whose results are there already."""
    written = storing(program)
    return attrs.evolve(program, functions=tuple(_Numbering(f, written).function() for f in program.functions))


@attrs.define
class _State:
    """The numbers known at a place: that of each register's value, that of the row and all arrays, and that of the current
    answer."""

    values: dict[int, int]
    row: int
    answer: int

    def copy(self) -> _State:
        """Returns the same, to be changed by itself."""
        return _State(dict(self.values), self.row, self.answer)


class _Numbering:
    def __init__(self, function: low.Function, written: frozenset[str]) -> None:
        self._function, self._written = function, written
        self._reads = read_in(function.orders)
        self._fresh = count()
        self._numbers: dict[Hashable, int] = {}
        self._holders: dict[int, list[int]] = {}
        """By number: the registers that have had that value."""

    def function(self) -> low.Function:
        """Returns the function without loops whose results are there already."""
        if not any(isinstance(order, low.WalkInst | low.RepeatInst) for order in self._function.orders):
            return self._function
        values = {register: next(self._fresh) for register in range(self._function.parameters)}
        return with_body(
            self._function, self._body(self._function.body, _State(values, next(self._fresh), next(self._fresh)))
        )

    def _body(self, body: Body, state: _State) -> Body:
        return tuple(found for order in body for found in self._order(order, state))

    def _order(self, order: low.Inst, state: _State) -> Body:
        match order:
            case low.SetInst(register=register, value=value):
                self._set(state, register, self._word(value, state))
                return (order,)
            case low.IfInst(condition=condition, then=then, otherwise=otherwise):
                return (self._branched(condition, then, otherwise, state),)
            case low.WalkInst() | low.RepeatInst():
                return self._loop(order, state)
            case _:  # any other statement may change the row and set a register, and computes nothing that is known
                self._changed((order,), state)
                return (order,)

    def _set(self, state: _State, register: int, number: int) -> None:
        state.values[register] = number
        self._holders.setdefault(number, []).append(register)

    def _changed(self, orders: Body, state: _State) -> None:
        """Forgets what some statements may change."""
        if stores(orders, self._written) or any(isinstance(o, low.PutInst | low.KeepRowInst) for o in orders):
            state.row = next(self._fresh)
        if any(isinstance(o, low.GiveInst | low.CallInst) for o in orders):
            # A function that looks for options makes a lone one the answer.
            state.answer = next(self._fresh)
        for each in orders:
            if (register := set_by(each)) is not None:
                state.values[register] = next(self._fresh)

    def _branched(self, condition: low.Word, then: Body, otherwise: Body, state: _State) -> low.Inst:
        ways = [state.copy(), state.copy()]
        bodies = [self._body(body, way) for body, way in zip((then, otherwise), ways, strict=True)]
        left = [way for way, body in zip(ways, (then, otherwise), strict=True) if goes_on(body)] or ways
        first, last = left[0], left[-1]
        state.row = first.row if first.row == last.row else next(self._fresh)
        state.answer = first.answer if first.answer == last.answer else next(self._fresh)
        state.values = {
            register: first.values[register]
            if first.values[register] == last.values.get(register)
            else next(self._fresh)
            for register in first.values
        } | {register: next(self._fresh) for register in last.values.keys() - first.values.keys()}
        return low.IfInst(condition, *bodies)

    # -------------------------------------------------------------- loops

    def _loop(self, loop: Loop, state: _State) -> Body:
        inside = (loop, *loop.inside)
        results: dict[int, int] = {}
        if self._is_pure(loop, inside):
            places, needed = _places(inside), self._needed(inside)
            key = self._key(loop, places, needed, state)
            results = {register: self._number((key, place)) for register, place in places.items()}
            held = self._held({register: results[register] for register in places if register in needed}, state)
            if held is not None:
                self._changed(inside, state)
                for register in held:
                    self._set(state, register, results[register])
                return tuple(low.SetInst(register, low.RegisterWord(holder)) for register, holder in held.items())
        self._changed(inside, state)
        within = state.copy()
        after = with_bodies(loop, lambda body: self._body(body, within))
        for register, number in results.items():
            self._set(state, register, number)
        return (after,)

    def _held(self, needed: dict[int, int], state: _State) -> dict[int, int] | None:
        """Returns for each register whose value is needed one that has the same value now; None if there is none for one."""
        held: dict[int, int] = {}
        for register, number in needed.items():
            holder = next((r for r in self._holders.get(number, ()) if state.values.get(r) == number), None)
            if holder is None:
                return None
            held[register] = holder
        return None if held.keys() & set(held.values()) else held

    def _needed(self, inside: Body) -> set[int]:
        """Returns the registers that a loop sets and that anything else reads, or the loop itself when it runs again."""
        here, again = read_in(inside), _unset(inside[:1])
        return {register for register in _places(inside) if self._reads[register] > here[register] or register in again}

    @staticmethod
    def _is_pure(loop: Loop, inside: Body) -> bool:
        """Returns whether a loop does nothing but to set registers."""
        pure = low.SetInst | low.IfInst | low.WalkInst | low.RepeatInst | low.BreakInst
        return all(isinstance(order, pure) for order in inside) and not any(
            breaks_out((loop,), depth) for depth in range(_depth(inside))
        )

    def _key(self, loop: Loop, places: dict[int, int], needed: set[int], state: _State) -> Hashable:
        """Returns the shape of a loop and the numbers that it starts from."""
        before = tuple(state.values.get(register) if register in needed else None for register in places)

        def word(of: low.Word) -> Hashable:
            if isinstance(of, low.RegisterWord):
                number = places.get(of.number)
                return self._word(of, state) if number is None else ("set here", number)
            return _shape(of, word, state)

        return (*_shapes((loop,), word, places), before)

    # -------------------------------------------------------------- words

    def _word(self, word: low.Word, state: _State) -> int:
        """Returns the number of a word's value."""
        if isinstance(word, low.RegisterWord):
            if word.number not in state.values:
                self._set(state, word.number, next(self._fresh))
            return state.values[word.number]
        return self._number(_shape(word, lambda part: self._word(part, state), state))

    def _number(self, shape: Hashable) -> int:
        if shape not in self._numbers:
            self._numbers[shape] = next(self._fresh)
        return self._numbers[shape]


def _depth(inside: Body) -> int:
    return 1 + max((order.outer for order in inside if isinstance(order, low.BreakInst)), default=0)


def _places(inside: Body) -> dict[int, int]:
    """Returns the registers that statements set, each with its place among them."""
    registers = (set_by(order) for order in inside)
    return {register: i for i, register in enumerate(dict.fromkeys(r for r in registers if r is not None))}


def _unset(body: Body, known: frozenset[int] = frozenset()) -> set[int]:
    """Returns the registers that statements may read before they set them."""
    found: set[int] = set()
    for order in body:
        found |= {register for word in low.words_in(order) for register in word.registers} - known
        match order:
            case low.SetInst(register=register):
                known |= {register}
            case low.IfInst(then=then, otherwise=otherwise):
                found |= _unset(then, known) | _unset(otherwise, known)
            case low.WalkInst(register=register, body=inner):
                found |= _unset(inner, known | {register})
            case low.RepeatInst(body=inner):
                found |= _unset(inner, known)
            case _:  # what a loop breaks off at is read by nothing
                pass
    return found


def _shape(word: low.Word, part: Callable[[low.Word], Hashable], state: _State) -> Hashable:
    """Returns the shape of a word: its form, the shapes of its parts, and the number of the row or the answer where it reads
    that."""
    parts = tuple(map(part, low.parts(word)))
    match word:
        case low.ConstWord() | low.RegisterWord():
            return word
        case low.GivenWord():
            return (word, state.answer)
        case low.CellWord(words=words):
            return ("cell", words, state.row, parts)
        case low.ItemWord(array=array):
            return ("item", array, state.row, parts)
        case low.EntryWord(table=table, words=words):
            return ("entry", table, words, parts)
        case low.BitWord(words=words):
            return ("bit", words, parts)
        case low.BinaryWord(name=name) | low.UnaryWord(name=name):
            return (name, parts)
        case low.HasWord() | low.SelectWord():
            return (type(word).__name__, parts)
        case _:
            assert_never(word)


def _shapes(body: Body, word: Callable[[low.Word], Hashable], places: dict[int, int]) -> Iterator[Hashable]:
    """Yields the shape of each of some statements that only set registers, with the shapes of those inside it."""
    for order in body:
        words = tuple(map(word, low.words_in(order)))
        match order:
            case low.SetInst(register=register):
                yield ("set", places[register], words)
            case low.IfInst(then=then, otherwise=otherwise):
                yield ("if", words, tuple(_shapes(then, word, places)), tuple(_shapes(otherwise, word, places)))
            case low.WalkInst(register=register, body=inner):
                yield ("walk", places[register], words, tuple(_shapes(inner, word, places)))
            case low.RepeatInst(body=inner):
                yield ("repeat", tuple(_shapes(inner, word, places)))
            case _:  # the one that is left: a break
                yield order
