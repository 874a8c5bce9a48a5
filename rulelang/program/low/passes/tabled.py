"""Functions that read nothing of the row -> tables of their results, worked out once for all arguments.

v4(r0):                                          # value corner(s) -> flag = count(neighbours(s)) == 3
  Return(count(table1[r0]) == 3)                 # Return(table7[r0])
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TypeAlias, assert_never

import attrs

from rulelang.ir.types import NONE
from rulelang.program.low import model as low
from rulelang.program.low.passes.ranges.facts import calculated
from rulelang.program.low.widths import width_of
from rulelang.program.low.words import either

Body: TypeAlias = tuple[low.Inst, ...]

MOST_ENTRIES = 16_384
"""The most words of a table of results."""
MOST_ROUNDS = 60_000
"""The most statements that are run for one table."""
WORTH_TABLING = 3
"""The fewest statements of a function without calls that takes longer than its table."""


def tabled(program: low.Program) -> low.Program:
    """Returns the program with tables in place of functions whose results the rules alone determine."""
    return _Tables(program).program()


class _Unknown(Exception):
    """A result depends on more than the arguments of its function, or takes long to work out."""


class _Left(Exception):
    """A function has returned."""

    def __init__(self, value: int) -> None:
        super().__init__()
        self.value = value


class _Tables:
    def __init__(self, program: low.Program) -> None:
        self._program = program
        self._functions = {function.name: function for function in program.functions}
        self._tables = list(program.tables)
        self._numbers = {table: number for number, table in enumerate(program.tables)}
        self._done: dict[str, low.Function] = {}
        self._known: dict[str, dict[tuple[int, ...], int]] = {}
        """By function that has a table: its result for each tuple of arguments."""

    def program(self) -> low.Program:
        """Returns the program with tables."""
        functions = tuple(map(self._done_of, self._program.functions))
        return attrs.evolve(self._program, functions=functions, tables=tuple(self._tables))

    def _done_of(self, function: low.Function) -> low.Function:
        if function.name not in self._done:
            self._done[function.name] = function  # for one that calls itself
            for order in function.orders:
                if isinstance(order, low.CallInst):
                    self._done_of(self._functions[order.function])
            self._done[function.name] = self._tabled(function)
        return self._done[function.name]

    def _tabled(self, function: low.Function) -> low.Function:
        """Returns a function that looks its result up; the same one, if it does more than that, or too little."""
        ends = function.takes
        if len(ends) != function.parameters or not self._is_alone(function):
            return function
        sizes = [end.high - end.low + 1 for end in ends]
        if min(sizes, default=1) < 1 or prod(sizes) * function.result > MOST_ENTRIES:
            return function
        results: dict[tuple[int, ...], int] = {}
        run = _Run(self, MOST_ROUNDS)
        try:
            for arguments in product(*(range(end.low, end.high + 1) for end in ends)):
                results[arguments] = run.result(function, arguments)
        except _Unknown:
            return function
        self._known[function.name] = results
        found = low.ReturnInst(self._looked_up(tuple(results.values()), ends, sizes))
        is_other: low.Word = low.ConstWord(0)
        for i, end in enumerate(ends):
            if end.none:
                is_other = either(is_other, low.BinaryWord("==", low.RegisterWord(i), low.ConstWord(NONE)))
        if is_other == low.ConstWord(0):
            return attrs.evolve(function, body=(found,))
        return attrs.evolve(function, body=(low.IfInst(is_other, function.body), found))

    def _is_alone(self, function: low.Function) -> bool:
        """Returns whether a function reads and changes nothing but its registers and tables, and does much."""
        orders = function.orders
        if len(orders) < WORTH_TABLING and not any(isinstance(order, low.CallInst) for order in orders):
            return False
        if any(isinstance(order, low.CallInst) and order.function not in self._known for order in orders):
            return False
        parts = (part for order in orders for word in low.words_in(order) for part in word.within)
        return not any(isinstance(part, low.CellWord | low.GivenWord) for part in parts)

    def _looked_up(self, entries: tuple[int, ...], ends: tuple[low.Bounds, ...], sizes: list[int]) -> low.Word:
        if len(set(entries)) == 1:
            return low.ConstWord(entries[0])
        index: low.Word = low.ConstWord(0)
        for i, (end, size) in enumerate(zip(ends, sizes, strict=True)):
            place: low.Word = low.RegisterWord(i)
            if end.low:
                place = low.BinaryWord("-", place, low.ConstWord(end.low))
            index = place if not i else low.BinaryWord("+", low.BinaryWord("*", index, low.ConstWord(size)), place)
        if entries not in self._numbers:
            self._numbers[entries] = len(self._tables)
            self._tables.append(entries)
        return low.EntryWord(
            self._numbers[entries], index, max(width_of(low.ConstWord(value), ()) for value in entries)
        )

    def called(self, name: str, arguments: tuple[int, ...]) -> int | None:
        """Returns the result of a function that has a table; None for other arguments."""
        return self._known[name].get(arguments)

    def function(self, name: str) -> low.Function:
        """Returns a function as it was."""
        return self._functions[name]

    def entry(self, table: int, index: int) -> int:
        """Returns an entry of a table of the rules."""
        entries = self._program.tables[table]
        if not 0 <= index < len(entries):
            raise _Unknown
        return entries[index]


class _Run:
    """One run of functions that read no row; a set is a number with its bits, whatever its width."""

    def __init__(self, tables: _Tables, rounds: int) -> None:
        self._tables, self._rounds = tables, rounds
        self._function: low.Function
        self._registers: list[int] = []
        self._arrays: list[list[int]] = []

    def result(self, function: low.Function, arguments: tuple[int, ...]) -> int:
        """Returns the result of a function; raises _Unknown where it traps or takes long."""
        outer = self._function if self._registers else function, self._registers, self._arrays
        self._function = function
        self._registers = [*arguments, *[0] * (function.registers - len(arguments)), 0]
        self._arrays = [[0] * size for size in function.arrays]
        try:
            self._body(function.body)
        except _Left as left:
            return self._narrow(left.value, function.result)
        finally:
            self._function, self._registers, self._arrays = outer
        return 0

    def _body(self, body: Body) -> int:
        """Runs statements; returns how many loops are left, 0 for none."""
        for order in body:
            self._rounds -= 1
            if self._rounds < 0:
                raise _Unknown
            if left := self._order(order):
                return left
        return 0

    def _order(self, order: low.Inst) -> int:
        match order:
            case low.SetInst(register=register, value=value):
                self._set(register, self._word(value))
            case low.PutInst(array=array, index=index, value=value):
                self._arrays[array][self._word(index)] = self._word(value)
            case low.IfInst(condition=condition, then=then, otherwise=otherwise):
                return self._body(then if self._word(condition) else otherwise)
            case low.RepeatInst(body=body):
                while not (left := self._body(body)):
                    pass
                return left - 1
            case low.WalkInst(register=register, mask=mask, body=body):
                rest = self._bits(mask)
                while rest:
                    self._registers[register] = (rest & -rest).bit_length() - 1
                    rest &= rest - 1
                    if left := self._body(body):
                        return left - 1
            case low.BreakInst(outer=outer):
                return 1 + outer
            case low.CallInst(register=register, function=name, arguments=words):
                given = tuple(map(self._word, words))
                known = self._tables.called(name, given)
                found = self.result(self._tables.function(name), given) if known is None else known
                if register is not None:
                    self._set(register, found)
            case low.ReturnInst(value=value):
                raise _Left(self._word(value))
            case _:  # a trap, a payment, or something that changes more than registers
                raise _Unknown
        return 0

    def _set(self, register: int, value: int) -> None:
        self._registers[register] = self._narrow(value, self._function.width(register))

    def _narrow(self, value: int, width: int) -> int:
        """Returns a number as a register of a width holds it."""
        if -(1 << 62) < value < 1 << 62:
            return value
        value &= (1 << low.BITS * width) - 1
        return value if width > 1 or value < 1 << 63 else value - (1 << low.BITS)

    def _bits(self, word: low.Word) -> int:
        """Returns a word as a set, with all bits of its width."""
        value = self._word(word)
        return value if value >= 0 else value & (1 << low.BITS * width_of(word, self._function.widths or _Narrow())) - 1

    def _word(self, word: low.Word) -> int:
        match word:
            case low.ConstWord(value=value):
                return value
            case low.RegisterWord(number=number):
                return self._registers[number]
            case low.EntryWord(table=table, index=index):
                return self._tables.entry(table, self._word(index))
            case low.ItemWord(array=array, index=index):
                return self._arrays[array][self._word(index)]
            case low.BitWord(number=number):
                return 1 << self._word(number)
            case low.HasWord(mask=mask, number=number):
                return self._bits(mask) >> self._word(number) & 1
            case low.SelectWord(condition=condition, then=then, otherwise=otherwise):
                return self._word(then if self._word(condition) else otherwise)
            case low.UnaryWord(name=name, of=of):
                return self._unary(name, of)
            case low.BinaryWord(name=name, left=left, right=right):
                return self._binary(name, left, right)
            case low.CellWord() | low.GivenWord():
                raise _Unknown
            case _:
                assert_never(word)

    def _unary(self, name: low.UnaryName, of: low.Word) -> int:
        match name:
            case "neg":
                return -self._word(of)
            case "flip":
                return ~self._word(of)
            case "count":
                return self._bits(of).bit_count()
            case "lowest":
                value = self._bits(of)
                return (value & -value).bit_length() - 1 if value else 0
            case "mixed":
                raise _Unknown
            case _:
                assert_never(name)

    def _binary(self, name: low.BinaryName, left: low.Word, right: low.Word) -> int:
        if name in (">>", "<<"):
            width = low.BITS * width_of(left, self._function.widths or _Narrow())
            by = self._word(right)
            return self._bits(left) >> by if name == ">>" else (self._word(left) << by) & (1 << width) - 1
        found = calculated(name, self._word(left), self._word(right))
        if found is None:
            raise _Unknown
        return found


class _Narrow(tuple[int, ...]):
    """The widths of a function's registers where each has one word."""

    def __getitem__(self, at: object) -> int:  # type: ignore[override]
        return 1
