"""Values and data cells of the woven IR -> functions.

    value reach(p) =          # v3(r0): If(…, (Return(6),)); Return(4)
      6 if p.tech == 5
      4 otherwise

Invariant: a function returns none or a value of its type; otherwise it traps.
"""

from __future__ import annotations

from functools import reduce

import attrs

from rulelang.ir.model import (
    Adjustment,
    CallValue,
    Cell,
    Const,
    DataTable,
    Expr,
    HasRow,
    Value,
)
from rulelang.ir.model.operators import LAYERS
from rulelang.ir.types import NONE, IntType, SetType, Type
from rulelang.ir.walk import Called, bodies, called_in, closure
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.bounds import NEVER, NOTHING, hull, word_bounds
from rulelang.program.low.function import Builder, Lowering
from rulelang.program.low.model import Bounds
from rulelang.program.low.passes.memos import memo_of
from rulelang.program.low.things.places import guarded, keyed, position
from rulelang.program.low.words import KnownWord, number, truth

LARGEST_AMOUNT = 2**50
"""The largest amount of an adjustment: many of them add up without overflowing a word."""
LARGEST_FACTOR = 2**25
"""The largest number that an adjustment multiplies, and multiplies by; what it comes to is one of `LARGEST_AMOUNT`."""


STACK = 2**20
"""The bytes of the machine's stack that the calls of one function may take; a thread has eight times as many, or more."""


class ValueLowering:
    """Lowers values and cells, each function once."""

    def __init__(self, lowering: Lowering) -> None:
        self.lowering = lowering
        self._known: set[str] = set()
        self._deep = [value.id for value in lowering.game.values if value.deep is not None]
        self._needs = {called: called_in(body) for called, body in bodies(lowering.game).items()} if self._deep else {}
        self._reached: dict[Called, set[Called]] = {}

    def call(self, f: Builder, expr: CallValue) -> KnownWord:
        """Returns a value's result."""
        value = self.lowering.game.values[expr.value]
        arguments = [
            f.argument(f.named(f.expression(part)), v) for part, v in zip(expr.arguments, value.parameters, strict=True)
        ]
        passed = (*(argument.word for argument in arguments), *self._depths(f, ("value", value.id, 0)))
        return self._result(f, self._function(value), passed, value.type)

    def cell(self, f: Builder, expr: Cell, otherwise: KnownWord) -> KnownWord:
        """Returns a data cell; `otherwise`, a constant, or none if there is no such row."""
        data = self.lowering.game.data[expr.data]
        found = [f.named(f.expression(part)) for part in expr.arguments]
        types = tuple(v.type for v in data.parameters[: data.keys])
        found[: data.keys] = keyed(f, types, found[: data.keys])
        more = zip(found[data.keys :], data.parameters[data.keys :], strict=False)
        found[data.keys :] = [f.argument(part, v) for part, v in more]
        of = data.columns[expr.column]
        cells = [cell.value for cell in of.cells if isinstance(cell, Const)]
        if not of.adjustments and len(cells) == len(of.cells):
            place, inside = position(f, 0, types, found[: data.keys])
            assert otherwise.value is not None
            known = tuple(cells[row] if row >= 0 else otherwise.value for row in data.rows)
            return f.within(guarded(self.lowering.entry(of.type, known, place), inside, otherwise), of.type)
        found[: data.keys] = [_key(f, part, type) for part, type in zip(found[: data.keys], types, strict=True)]
        arguments = [f.argument(part, v) for part, v in zip(found, data.parameters, strict=False)]
        name = self._cell_function(data, expr.column, len(arguments))
        passed = (*(argument.word for argument in arguments), *self._depths(f, ("data", data.id, expr.column)))
        return self._result(f, name, passed, of.type)

    def has_row(self, f: Builder, expr: HasRow) -> KnownWord:
        """Returns whether a data table has a row."""
        data = self.lowering.game.data[expr.data]
        arguments = [f.named(f.expression(part)) for part in expr.arguments[: data.keys]]
        place, inside = position(f, 0, tuple(v.type for v in data.parameters[: data.keys]), arguments)
        rows = self.lowering.entry(IntType(-1, len(data.rows)), data.rows, place)
        return truth(words.both(inside, low.BinaryWord(">=", rows.word, low.ConstWord(0))))

    def _result(self, f: Builder, name: str, arguments: tuple[low.Word, ...], type: Type) -> KnownWord:
        register = f.fresh()
        f.add(low.CallInst(register, name, arguments, f.lowering.words_of(type)))
        known = words.typed(low.RegisterWord(register), type.or_none())
        return attrs.evolve(known, none=not f.is_sure(type))

    # -------------------------------------------------------------- recursion

    def _depths(self, f: Builder, called: Called) -> list[low.Word]:
        """Returns the number of open calls of each value in a function's cycle, which it is passed behind its arguments."""
        return [f.depths.get(id, low.ConstWord(0)) for id in self._cycle(called)]

    def _take_depths(self, f: Builder, called: Called) -> None:
        """Takes what `_depths` passes; before any other register."""
        f.depths = {id: low.RegisterWord(f.fresh()) for id in self._cycle(called)}
        f.parameters = f.registers

    def _finished(self, f: Builder) -> low.Function:
        """Returns a function; in machine code, one that calls itself traps where the stack might have no room for it."""
        function = f.finished()
        if self.lowering.bits is None or not f.depths:
            return function
        room = STACK // _frame(function)
        if sum(1 + (self.lowering.game.values[id].deep or 0) for id in f.depths) <= room:
            return function
        calls = reduce(lambda one, other: low.BinaryWord("+", one, other), f.depths.values())
        full = low.IfInst(low.BinaryWord(">", calls, low.ConstWord(room)), (low.TrapInst(),))
        return attrs.evolve(function, body=(full, *function.body))

    def _cycle(self, called: Called) -> list[int]:
        """Returns the values with a depth that a value or column calls, directly or not, and that call it."""
        own = {id: ("value", id, 0) for id in self._deep}
        return [
            id for id in own if called == own[id] or (called in self._calls(own[id]) and own[id] in self._calls(called))
        ]

    def _calls(self, called: Called) -> set[Called]:
        """Returns the values and columns that one calls, directly or not."""
        if called not in self._reached:
            self._reached[called] = closure(self._needs[called], self._needs.__getitem__)
        return self._reached[called]

    # -------------------------------------------------------------- functions

    def _function(self, value: Value) -> str:
        name = f"v{value.id}"
        if name in self._known:
            return name
        self._known.add(name)
        f = Builder(self.lowering, name, f"value {value.name}", value.parameters)
        f.result = self.lowering.words_of(value.type)
        self._take_depths(f, ("value", value.id, 0))
        f.pay(self.lowering.steps.value(value.id))
        if value.deep is not None:
            depth = f.depths[value.id]
            f.trap_if(low.BinaryWord(">", depth, low.ConstWord(value.deep)))
            f.depths[value.id] = low.BinaryWord("+", depth, low.ConstWord(1))
        if value.adjustments:
            result = f.fresh()
            bounds = self._first_case(f, value, result)
            self._adjusted(f, _of_bounds(result, bounds), value.adjustments, value.type)
        else:
            self._first_case(f, value, None)
        self.lowering.functions[name] = attrs.evolve(self._finished(f), memo=_memo(value))
        return name

    def _first_case(self, f: Builder, value: Value, result: int | None) -> Bounds:
        """Emits the first case that holds, stored in a register or returned; returns the bounds of all of them."""
        bounds = NEVER
        ends: list[tuple[low.Word, tuple[low.Inst, ...]]] = []
        before: list[list[low.Inst]] = []
        for case in value.cases:
            with f.aside() as tests:
                condition = low.ConstWord(1) if case.condition is None else f.condition(case.condition)
            with f.aside() as body:
                known = f.expression(case.value)
                self._end(f, known, value.type, result)
            bounds = hull(bounds, word_bounds(known))
            before.append(tests)
            ends.append((condition, tuple(body)))
            if case.condition is None:
                break
        with f.aside() as nothing:
            self._end(f, number(NONE), value.type, result)
        last: tuple[low.Inst, ...] = tuple(nothing)
        for tests, (condition, body_orders) in zip(reversed(before), reversed(ends), strict=True):
            last = (
                *tests,
                *(body_orders if condition == low.ConstWord(1) else (low.IfInst(condition, body_orders, last),)),
            )
        f.add(*last)
        return bounds

    def _end(self, f: Builder, known: KnownWord, type: Type, result: int | None) -> None:
        if result is None:
            known = f.within(known, type)
            f.gives = hull(f.gives or NEVER, word_bounds(known))
            f.add(low.ReturnInst(known.word))
        else:
            # Adjustments may bring it back into its range, so it is checked after them.
            f.add(low.SetInst(result, known.word))

    def _adjusted(self, f: Builder, known: KnownWord, adjustments: tuple[Adjustment, ...], type: Type) -> None:
        """Emits adjustments, layer by layer; none stays none."""
        result = known.word
        if not adjustments and isinstance(type, SetType):
            self._end(f, words.typed(result, type.or_none()), type, None)
            return
        with f.aside() as body:
            for what in LAYERS:
                for adjustment in adjustments:
                    if adjustment.what == what:
                        known = self._adjust(f, known, adjustment)
            self._end(f, known, type, None)
        f.gives = hull(f.gives or NEVER, NOTHING)
        f.add(low.IfInst(low.BinaryWord("==", result, low.ConstWord(NONE)), (low.ReturnInst(result),), tuple(body)))

    def _adjust(self, f: Builder, known: KnownWord, adjustment: Adjustment) -> KnownWord:
        """Emits an adjustment of a register; returns it with its new bounds."""
        assert isinstance(known.word, low.RegisterWord)
        condition = low.ConstWord(1) if adjustment.condition is None else f.condition(adjustment.condition)
        with f.aside() as body:
            changed = f.certain(self._changed(f, known, adjustment))
            f.add(low.SetInst(known.word.number, changed.word))
        if condition == low.ConstWord(1):
            f.add(*body)
            return attrs.evolve(changed, word=known.word)
        f.add(low.IfInst(condition, tuple(body)))
        return words.hull(known.word, known, changed)

    def _changed(self, f: Builder, known: KnownWord, adjustment: Adjustment) -> KnownWord:
        """Returns a number after one adjustment."""
        operation = LAYERS[adjustment.what]
        if operation is None:
            return f.expression(adjustment.amount)
        most = LARGEST_AMOUNT
        if operation == "*":
            known, most = f.narrowed(known, LARGEST_FACTOR), LARGEST_FACTOR
        return words.calculated(operation, known, f.narrowed(f.numeric(adjustment.amount), most))

    def _cell_function(self, data: DataTable, column: int, given: int) -> str:
        name = f"c{data.id}_{column}_{given}"
        if name in self._known:
            return name
        self._known.add(name)
        of, parameters = data.columns[column], data.parameters[:given]
        f = Builder(self.lowering, name, f"data {data.name}.{of.name}", parameters)
        f.result = self.lowering.words_of(of.type)
        self._take_depths(f, ("data", data.id, column))
        f.pay(self.lowering.steps.cell(data.id, column))
        keys = [f.env[v.id] for v in parameters[: data.keys]]
        place, inside = position(f, 0, tuple(v.type for v in data.parameters[: data.keys]), keys)
        rows = self.lowering.entry(IntType(-1, len(data.rows)), data.rows, place)
        row = f.kept(words.chosen(inside, rows.word, low.ConstWord(-1)))
        is_missing = low.BinaryWord("<", row, low.ConstWord(0))
        if f.is_sure(of.type):
            f.trap_if(is_missing)
        else:
            f.add(low.IfInst(is_missing, (low.ReturnInst(low.ConstWord(NONE)),)))
            f.gives = NOTHING
        result = f.fresh()
        plain = tuple(cell.value if isinstance(cell, Const) else NONE for cell in of.cells)
        entry = self.lowering.entry(of.type, plain, row)
        bounds = word_bounds(entry)
        last: tuple[low.Inst, ...] = (low.SetInst(result, entry.word),)
        other: dict[Expr, list[int]] = {}
        for number_of_row, cell in enumerate(of.cells):
            if not isinstance(cell, Const):
                other.setdefault(cell, []).append(number_of_row)
        for cell, rows_of_it in reversed(other.items()):
            is_it: low.Word = low.ConstWord(0)
            for number_of_row in rows_of_it:
                is_it = words.either(is_it, low.BinaryWord("==", row, low.ConstWord(number_of_row)))
            with f.aside() as body:
                known = f.expression(cell)
                f.add(low.SetInst(result, known.word))
            bounds = hull(bounds, word_bounds(known))
            last = (low.IfInst(is_it, tuple(body), last),)
        f.add(*last)
        self._adjusted(f, _of_bounds(result, bounds), of.adjustments, of.type)
        self.lowering.functions[name] = self._finished(f)
        return name


def _frame(function: low.Function) -> int:
    """Returns more bytes than a call keeps on the stack: each register, each array, and a word for each instruction."""
    widths = [function.width(register) for register in range(function.registers)]
    return 8 * (1 + sum(widths) + sum(function.arrays) + max(widths, default=1) * len(function.orders))


def _memo(value: Value) -> tuple[tuple[int, int], ...]:
    """Returns the memo that a value may have; () for one that takes sets or calls itself."""
    types = [variable.type for variable in value.parameters]
    if value.deep is not None or not types or any(isinstance(type, SetType) for type in types):
        return ()
    return memo_of(words.limits(type) for type in types)


def _of_bounds(register: int, bounds: Bounds) -> KnownWord:
    """Returns a register of a number, or of none, which no adjustment changes."""
    low_, high = (bounds.low, bounds.high) if bounds.low <= bounds.high else (0, 0)
    return KnownWord(low.RegisterWord(register), low_, high)


def _key(f: Builder, known: KnownWord, type: Type) -> KnownWord:
    """Returns a key of a data table; none for a key that no row has."""
    if words.fits(known, type.or_none()) or isinstance(type, SetType):
        return known
    known = f.named(known)
    missing = words.outside(known, type.or_none())
    low_, high = words.limits(type)
    return KnownWord(words.chosen(missing, low.ConstWord(NONE), known.word), low_, high, none=True)
