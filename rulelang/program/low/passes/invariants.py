"""Checks the invariants of low-level IR, whichever pass made it.

    faults(program)      # () or sentences: "v3: r7 is read before it is set"

A register is set on every path to where it is read; a call has as many arguments as its function has parameters; a
break stands in as many loops as it leaves; places in tables and in the row are within bounds where they are known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

import attrs

from rulelang.program.low import model as low

WIDEST = 4096
"""The most bits of a constant."""
UNARY = frozenset({"neg", "flip", "count", "lowest", "mixed"})
BINARY = frozenset(
    {
        "+",
        "-",
        "*",
        "div",
        "mod",
        "min",
        "max",
        "==",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        "&",
        "|",
        "^",
        "<<",
        ">>",
        "outside",
        "high",
    }
)


def faults(program: low.Program) -> tuple[str, ...]:
    """Returns the broken invariants of a program."""
    arities = {function.name: function.parameters for function in program.functions}
    looks = _Look(program, arities, {function.name: function.result for function in program.functions})
    found = [f"{f.name}: {said}" for f in program.functions for said in looks.function(f)]
    asked = (name for q in program.questions for name in (q.options, q.legal) if name)
    for name in (*(name for _, name in program.blocks), *asked):
        if name not in looks.arities:
            found.append(f"there is no {name}")
    return tuple(found)


@attrs.define
class _Look:
    program: low.Program
    arities: dict[str, int]
    results: dict[str, int]
    arrays: tuple[int, ...] = ()
    """The sizes of the arrays of the function that is checked."""
    left: list[list[set[int]]] = attrs.field(factory=list)
    """By loop around the place: the registers that are set wherever it is left."""

    def function(self, function: low.Function) -> Iterator[str]:
        known = set(range(function.parameters))
        self.arrays = function.arrays
        if function.widths and len(function.widths) != function.registers:
            yield "not every register has a width"
        yield from self._body(function.body, known, 0, function)

    def _body(self, body: tuple[low.Inst, ...], known: set[int], loops: int, f: low.Function) -> Iterator[str]:
        """Yields the faults; adds to `known` the registers set on every path."""
        for order in body:
            yield from self._order(order, known, loops, f)
            if _ends(order):
                # Nothing runs after it, so every register counts as set.
                known |= set(range(f.registers))

    def _order(self, order: low.Inst, known: set[int], loops: int, f: low.Function) -> Iterator[str]:
        for word in low.words_in(order):
            yield from self._word(word, known)
        match order:
            case low.IfInst(then=then, otherwise=otherwise):
                one, other = set(known), set(known)
                yield from self._body(then, one, loops, f)
                yield from self._body(otherwise, other, loops, f)
                known |= one & other
            case low.RepeatInst(body=body):
                self.left.append([])
                yield from self._body(body, set(known), loops + 1, f)
                # Behind it, the registers are set that were set wherever it is left.
                known |= set.intersection(*left) if (left := self.left.pop()) else set(range(f.registers))
            case low.WalkInst(register=register, body=body):
                self.left.append([])
                yield from self._body(body, {*known, register}, loops + 1, f)
                self.left.pop()
            case low.BreakInst(outer=outer):
                if outer >= loops:
                    yield f"a break of {outer + 1} loops stands in {loops}"
                else:
                    self.left[-1 - outer].append(set(known))
            case low.PutInst(array=array):
                if not 0 <= array < len(self.arrays):
                    yield f"there is no array {array}"
            case low.KeepRowInst(array=array) | low.PutBackRowInst(array=array):
                if not 0 <= array < len(self.arrays) or self.arrays[array] != self.program.row:
                    yield f"array {array} does not hold a row"
            case low.CallInst(register=register, function=name, arguments=arguments, words=words):
                if register is not None and self.results.get(name, words) != words:
                    yield f"{name} does not return {words} words"
                if self.arities.get(name) != len(arguments):
                    yield f"{name} is called with {len(arguments)} arguments"
                if register is not None:
                    known.add(register)
            case low.SetInst(register=register):
                known.add(register)
            case low.DrawInst(register=register, stream=stream) | low.OutcomeInst(register=register, stream=stream):
                if isinstance(stream, low.ConstWord) and not 0 <= stream.value < self.program.streams:
                    yield f"there is no stream {stream.value}"
                known.add(register)
            case _:  # no other statement sets a register or has others inside
                pass
        register = getattr(order, "register", None)
        if register is not None and register >= f.registers:
            yield f"there is no r{register}"

    def _word(self, word: low.Word, known: set[int]) -> Iterator[str]:
        match word:
            case low.RegisterWord(number=number):
                if number not in known:
                    yield f"r{number} is read before it is set"
            case low.ConstWord(value=value):
                if value.bit_length() > WIDEST:
                    yield f"{value} is too wide"
            case low.CellWord(index=index):
                yield from self._place(index, self.program.row, known)
            case low.ItemWord(array=array, index=index) if array < len(self.arrays):
                yield from self._place(index, self.arrays[array], known)
            case low.ItemWord(array=array):
                yield f"there is no array {array}"
            case low.BitWord(number=number):
                yield from self._word(number, known)
            case low.HasWord(mask=mask, number=number):
                yield from self._word(mask, known)
                yield from self._word(number, known)
            case low.EntryWord(table=table, index=index):
                if not 0 <= table < len(self.program.tables):
                    yield f"there is no table {table}"
                else:
                    yield from self._place(index, len(self.program.tables[table]), known)
            case low.BinaryWord(name=name, left=left, right=right):
                if name not in BINARY:
                    yield f"there is no operator {name}"
                yield from self._word(left, known)
                yield from self._word(right, known)
            case low.UnaryWord(name=name, of=of):
                if name not in UNARY:
                    yield f"there is no operator {name}"
                yield from self._word(of, known)
            case low.SelectWord(condition=condition, then=then, otherwise=otherwise):
                for part in (condition, then, otherwise):
                    yield from self._word(part, known)
            case low.GivenWord():
                pass
            case _:
                assert_never(word)

    def _place(self, index: low.Word, size: int, known: set[int]) -> Iterator[str]:
        if isinstance(index, low.ConstWord) and not 0 <= index.value < size:
            yield f"place {index.value} is not within {size}"
        yield from self._word(index, known)


def _ends(order: low.Inst) -> bool:
    match order:
        case low.ReturnInst() | low.TrapInst() | low.GameOverInst() | low.BreakInst():
            return True
        case low.IfInst(then=then, otherwise=otherwise):
            return any(map(_ends, then)) and any(map(_ends, otherwise))
        case _:  # any other statement continues with the next one
            return False
