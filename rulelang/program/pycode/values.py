"""Values and data cells -> Python functions, or the expression itself where it is short.

    value reach(p) =          # def v3(S, x1):
      6 if p.tech == 5        #     if S[20 + x1] == 5: return 6
      4 otherwise             #     return 4

Invariant: a function returns NONE or a value of its type, which is checked where the bounds do not prove it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import attrs

from rulelang.ir.model import (
    Adjustment,
    CallValue,
    Cell,
    Const,
    DataColumn,
    DataTable,
    Either,
    Expr,
    Foreseen,
    HasRow,
    Local,
    Over,
    Pick,
    Roll,
    Value,
    Variable,
)
from rulelang.ir.types import NONE, SetType, Type
from rulelang.ir.walk import walk
from rulelang.program.pycode.expressions.expression import prepare
from rulelang.program.pycode.expressions.operators import least_of, numeric, sum_of
from rulelang.program.pycode.expressions.places import fitted, guarded, keyed, position
from rulelang.program.pycode.fragment import Fragment, bounds, fits, hull, looked_up, number, truth, tuple_text, typed
from rulelang.program.pycode.function import ModulePrinter, PrintedFunction

SHORT = 20
"""The most nodes of an expression that is printed where it is used."""
NESTED = 3
"""The most levels of values that are printed within each other instead of being called."""


class ValuePrinter:
    """Prints calls of values, and each function once."""

    def __init__(self, module: ModulePrinter) -> None:
        self.module = module
        self._results: dict[str, Fragment] = {}
        self._draws: dict[tuple[int, ...], bool] = {}

    # -------------------------------------------------------------- calls

    def call(self, f: PrintedFunction, expr: CallValue) -> Fragment:
        """Returns the fragment of a value's result."""
        value = self.module.game.values[expr.value]
        cost = self.module.steps.value(value.id) if f.pays else 0
        body = _as_expression(value)
        if body is not None and f.inlined < NESTED:
            self._bind(f, value, expr.arguments)
            f.pay(cost)
            f.inlined += 1
            prepare(f, body)
            result = f.expression(body)
            f.inlined -= 1
            arguments = [f.env[v.id] for v in value.parameters]
            return self._checked(f, result, value.type, f"out_of_value({value.id}", arguments)
        arguments = fitted(f"value_argument({value.id}", value.parameters, f.integers(expr.arguments))
        self.module.note(value.parameters, arguments)
        if f.recursing is not None and f.recursing[0] == value.id:
            again = typed(f.recursing[1](arguments), value.type.or_none())
            return f.named(again) if cost else again
        name = self._function(value)
        found = attrs.evolve(self._results[name], text=f"{name}({_listed(self._heads(value), arguments)})", atom=True)
        # A call that pays is made in its place, whether or not its result is needed.
        return f.named(found) if cost else found

    def opened(self, f: PrintedFunction, expr: Expr) -> Expr:
        """Returns the set expression that a call of a value stands for, with its parameters bound, if the set need not
        be built."""
        while isinstance(expr, CallValue):
            value = self.module.game.values[expr.value]
            body = _as_expression(value)
            if not isinstance(body, Over) or body.what != "set" or not _is_within(body, value.type):
                break
            self._bind(f, value, expr.arguments)
            f.pay(self.module.steps.value(value.id))
            expr = body
        return expr

    def cell(self, f: PrintedFunction, expr: Cell) -> Fragment:
        """Returns the fragment of a data cell."""
        data = self.module.game.data[expr.data]
        arguments = f.integers(expr.arguments)
        types = tuple(v.type for v in data.parameters[: data.keys])
        arguments[: data.keys] = keyed(f, f"row_key({data.id}", types, arguments[: data.keys])
        looked_at = fitted(f"cell_argument({data.id}", data.parameters, arguments, data.keys)
        # An argument is checked even if the cell does not depend on it.
        arguments = [now if now is before else f.named(now) for before, now in zip(arguments, looked_at, strict=True)]
        self.module.note(data.parameters, arguments)
        known = self._known_cell(f, data, expr.column, arguments[: data.keys])
        if known is not None:
            return known
        is_open = self.module.steps.cell(data.id, expr.column) > 0
        heads = ["S", "M"] if is_open or self.draws(expr) else ["S"]
        name = self._cell_function(data, expr.column, heads, given=len(arguments))
        found = attrs.evolve(self._results[name], text=f"{name}({_listed(heads, arguments)})", atom=True)
        return f.named(found) if is_open and f.pays else found

    def _known_cell(self, f: PrintedFunction, data: DataTable, column: int, keys: list[Fragment]) -> Fragment | None:
        """Returns the look-up of a cell in a column of plain numbers without adjustments; None for any other column."""
        known = self.plain_cells(data, column)
        if known is None:
            return None
        of = data.columns[column]
        place = position(f, 0, tuple(v.type for v in data.parameters[: data.keys]), keys)
        if place is None:
            return number(NONE)
        table = self.module.constant(f"D{data.id}_{column}", f"{data.name}.{of.name}", known)
        found = looked_up(f"{table}[{place[0]}]", of.type, known)
        if not fits(found, of.type.or_none()):
            return None
        return guarded(found, place[1], number(NONE))

    def plain_cells(self, data: DataTable, column: int) -> tuple[int, ...] | None:
        """Returns a column of plain numbers without adjustments, by position of its keys; None for any other column."""
        of = data.columns[column]
        cells = [cell.value for cell in of.cells if isinstance(cell, Const)]
        if of.adjustments or len(cells) < len(of.cells):
            return None
        return tuple(cells[row] if row >= 0 else NONE for row in data.rows)

    def has_row(self, f: PrintedFunction, expr: HasRow) -> Fragment:
        """Returns whether a data table has a row."""
        data = self.module.game.data[expr.data]
        arguments = f.integers(expr.arguments[: data.keys])
        place = position(f, 0, tuple(v.type for v in data.parameters[: data.keys]), arguments)
        if place is None:
            return number(0)
        table = self.module.constant(f"R{data.id}", f"which rows {data.name} has", data.rows)
        return truth(" and ".join([*place[1], f"{table}[{place[0]}] >= 0"]))

    def draws(self, expr: object) -> bool:
        """Returns whether an expression draws from chance or looks ahead, so that it needs the machine."""
        return any(self._draws_itself(node) for node in walk(expr))

    def _draws_itself(self, node: object) -> bool:
        game = self.module.game
        if isinstance(node, CallValue):
            return self._declared_draws((node.value,), game.values[node.value])
        if isinstance(node, Cell):
            return self._declared_draws((node.data, node.column), game.data[node.data].columns[node.column])
        # Foresight needs the machine, as draws do.
        return isinstance(node, (Roll, Pick, Foreseen))

    def _declared_draws(self, key: tuple[int, ...], declared: Value | DataColumn) -> bool:
        if key not in self._draws:
            # A recursive value draws if anything but the recursive calls in it does.
            self._draws[key] = False
            self._draws[key] = self.draws(declared)
        return self._draws[key]

    def _bind(self, f: PrintedFunction, value: Value, arguments: tuple[Expr, ...]) -> None:
        """Binds parameters to arguments; all arguments are evaluated before any is bound."""
        checked = fitted(f"value_argument({value.id}", value.parameters, f.integers(arguments))
        found = [f.named(fragment) for fragment in checked]
        for variable, fragment in zip(value.parameters, found, strict=True):
            f.env[variable.id] = fragment

    # -------------------------------------------------------------- functions

    def function(self, id: int) -> str:
        """Returns the name of the function of a value, which is printed once."""
        return self._function(self.module.game.values[id])

    def _function(self, value: Value) -> str:
        name = f"v{value.id}"
        if name in self._results:
            return name
        self._results[name] = typed("", value.type.or_none())
        heads, names = self._heads(value), [f"a{v.id}" for v in value.parameters]
        if value.deep is None:
            f = PrintedFunction(self.module, name, [*heads, *names], f"value {value.name}")
            self._open(f, value.parameters)
            f.pay(self.module.steps.value(value.id))
            self._results[name] = self._body(f, value)
        else:
            self._recursive(value, names)
        return name

    def _heads(self, value: Value) -> list[str]:
        """Returns the leading parameters of a value's function: the machine, if it draws or pays."""
        return ["S", "M"] if self.module.steps.value(value.id) or self.draws(value) else ["S"]

    def _recursive(self, value: Value, names: list[str]) -> None:
        """Prints a value that calls itself, with a limit of depth and, if it may make the same call twice, with a
        memo that lasts for one evaluation."""
        name, heads = f"v{value.id}", self._heads(value)
        if _ends_in_itself(value):
            self._loop(value, [*heads, *names])
            return
        if not self._branches(value):
            f = PrintedFunction(self.module, name, [*heads, *names, "depth=0"], f"value {value.name}")
            f.recursing = value.id, lambda arguments: f"{name}({_listed(heads, arguments)}, depth + 1)"
            self._open(f, value.parameters)
            f.pay(self.module.steps.value(value.id))
            f.line(f"if depth > {value.deep}: raise too_deep({value.id})")
            self._results[name] = self._body(f, value)
            return
        key = f"({', '.join(names)}{',' if len(names) == 1 else ''})"
        f = PrintedFunction(self.module, name, [*heads, *names, "depth=0", "memo=None"], f"value {value.name}")
        f.recursing = value.id, lambda arguments: f"{name}({_listed(heads, arguments)}, depth + 1, memo)"
        self._open(f, value.parameters)
        f.pay(self.module.steps.value(value.id))
        f.line("if memo is None: memo = {}")
        f.line(f"elif {key} in memo: return memo[{key}]")
        f.line(f"if depth > {value.deep}: raise too_deep({value.id})")
        self._results[name] = self._body(f, value, f"memo[{key}] = ")

    def _loop(self, value: Value, heads: list[str]) -> None:
        """Prints a tail-recursive value as a loop."""
        f = PrintedFunction(self.module, f"v{value.id}", heads, f"value {value.name}")
        self._open(f, value.parameters)
        arguments = [f.env[v.id] for v in value.parameters]
        found: list[Fragment] = []

        def end(case: Expr) -> None:
            if isinstance(case, CallValue) and case.value == value.id:
                passed = fitted(f"value_argument({value.id}", value.parameters, f.integers(case.arguments))
                self.module.note(value.parameters, passed)
                pairs = [(a.text, b.text) for a, b in zip(arguments, passed, strict=True) if a.text != b.text]
                if pairs:
                    f.line(f"{', '.join(a for a, _ in pairs)} = {', '.join(b for _, b in pairs)}")
                f.line("continue")
                return
            result = self._checked(f, f.expression(case), value.type, f"out_of_value({value.id}", arguments).integer
            found.append(result)
            f.line(f"return {result.text}")

        with f.indented(f"for _ in range({(value.deep or 0) + 1}):"):
            f.pay(self.module.steps.value(value.id))
            prepare(f, *(part for case in value.cases for part in (case.condition, case.value)))
            last = next((i for i, case in enumerate(value.cases) if case.condition is None), len(value.cases))
            tests = [(case.condition, partial(end, case.value)) for case in value.cases[:last] if case.condition]
            otherwise = value.cases[last].value if last < len(value.cases) else Const(NONE)
            branching(f, tests, partial(end, otherwise))
        f.pay(self.module.steps.value(value.id))
        f.line(f"raise too_deep({value.id})")
        f.close()
        result = found[0] if found else number(NONE)
        for fragment in found[1:]:
            result = hull("", result, fragment)
        self._results[f.name] = attrs.evolve(result, simple=False, value=None)

    def _branches(self, value: Value) -> bool:
        """Returns whether a value may call itself more than once in one evaluation."""
        calls = [node for node in walk(value.cases) if isinstance(node, CallValue) and node.value == value.id]
        loops = [node for node in walk((value.cases, value.adjustments)) if isinstance(node, Over)]
        looped = any(isinstance(node, CallValue) and node.value == value.id for node in walk(tuple(loops)))
        adjusted = any(isinstance(node, CallValue) and node.value == value.id for node in walk(value.adjustments))
        return len(calls) > 1 or looped or adjusted

    def _open(self, f: PrintedFunction, parameters: tuple[Variable, ...]) -> None:
        for variable in parameters:
            f.env[variable.id] = self.module.parameter(variable, f"a{variable.id}")

    def _body(self, f: PrintedFunction, value: Value, remember: str = "") -> Fragment:
        """Prints the cases, the adjustments and the check; returns the fragment of the result."""
        arguments = [f.env[v.id] for v in value.parameters]
        prepare(f, *(part for case in value.cases for part in (case.condition, case.value)))
        cases = [(case.condition, case.value) for case in value.cases]
        result = self._first_case(f, cases)
        result = self._adjusted(f, result, value.adjustments)
        result = self._checked(f, result, value.type, f"out_of_value({value.id}", arguments).integer
        if remember:
            result = f.named(result)
            f.line(f"{remember}{result.text}")
        f.line(f"return {result.text}")
        f.close()
        return attrs.evolve(result, simple=False, value=None)

    def _first_case(self, f: PrintedFunction, cases: list[tuple[Expr | None, Expr]]) -> Fragment:
        """Prints statements that store the first case that holds under a name."""
        found: list[Fragment] = []
        name = f.fresh()
        last = next((i for i, (test, _) in enumerate(cases) if test is None), len(cases))
        if last == 0:
            return f.expression(cases[0][1] if cases else Const(NONE))

        def store(fragment: Fragment) -> None:
            found.append(fragment.integer)
            f.line(f"{name} = {found[-1].text}")

        def case(value: Expr) -> Callable[[], None]:
            return lambda: store(f.expression(value))

        tests = [(test, case(value)) for test, value in cases[:last] if test is not None]
        branching(f, tests, case(cases[last][1]) if last < len(cases) else case(Const(NONE)))
        result = found[0]
        for fragment in found[1:]:
            result = hull(name, result, fragment)
        return attrs.evolve(result, text=name, atom=True, simple=True, value=None)

    def _adjusted(self, f: PrintedFunction, result: Fragment, adjustments: tuple[Adjustment, ...]) -> Fragment:
        """Prints adjustments: first those that add, then lower limits, then upper limits; NONE stays NONE."""
        if not adjustments:
            return result
        known = f.named(result.integer)
        name = f.fresh()
        f.line(f"{name} = {known.text}")
        depth = f.depth
        if known.none:
            f.line(f"if {name} != NONE:")
            f.depth += 1
        low, high = known.low, known.high
        for what in ("+", "least", "most"):
            for adjustment in adjustments:
                if adjustment.what == what:
                    low, high = self._adjust(f, name, adjustment, low, high)
        f.depth = depth
        return Fragment(name, low, high, none=known.none, atom=True, simple=True)

    def _adjust(
        self, f: PrintedFunction, name: str, adjustment: Adjustment, low: int | None, high: int | None
    ) -> tuple[int | None, int | None]:
        depth = f.depth
        if adjustment.condition is not None:
            f.line(f"if {f.condition(adjustment.condition)}:")
            f.depth += 1
        amount = numeric(f, f.expression(adjustment.amount))
        before = Fragment(name, low, high, atom=True, simple=True)
        if adjustment.what == "+":
            after = sum_of(before, amount)
        else:
            after = least_of(f, "max" if adjustment.what == "least" else "min", before, amount)
        f.line(f"{name} = {after.text}")
        f.depth = depth
        both = hull(name, before, after) if adjustment.condition is not None else after
        return both.low, both.high

    def _checked(
        self, f: PrintedFunction, result: Fragment, type: Type, error: str, arguments: list[Fragment]
    ) -> Fragment:
        """Prints the check that a result is NONE or in its type, unless the bounds prove it."""
        if fits(result, type.or_none()):
            return result
        result = f.named(result.integer)
        f.line(f"if {outside(result, type.or_none())}: raise {error}, {result.text}, ({tuple_text(arguments)}))")
        low, high = bounds(type)
        return attrs.evolve(result, low=low, high=high)

    # -------------------------------------------------------------- data

    def _cell_function(self, data: DataTable, column: int, heads: list[str], *, given: int) -> str:
        name = f"c{data.id}_{column}" + (f"_{given}" if given < len(data.parameters) else "")
        if name in self._results:
            return name
        of = data.columns[column]
        self._results[name] = typed("", of.type.or_none())
        parameters = data.parameters[:given]
        f = PrintedFunction(
            self.module, name, [*heads, *(f"a{v.id}" for v in parameters)], f"data {data.name}.{of.name}"
        )
        self._open(f, parameters)
        f.pay(self.module.steps.cell(data.id, column))
        place = position(
            f, 0, tuple(v.type for v in data.parameters[: data.keys]), [f.env[v.id] for v in parameters[: data.keys]]
        )
        rows = self.module.constant(f"R{data.id}", f"which rows {data.name} has", data.rows)
        if place is None:
            f.line("return NONE")
            f.close()
            return name
        f.line(f"row = {rows}[{place[0]}]" + (f" if {' and '.join(place[1])} else -1" if place[1] else ""))
        result = self._cells(f, data, column)
        result = self._adjusted(f, result, of.adjustments)
        error = f"out_of_cell({data.id}, {column}"
        result = self._checked(f, result, of.type, error, [f.env[v.id] for v in parameters]).integer
        f.line(f"return {result.text}")
        f.close()
        self._results[name] = attrs.evolve(result, simple=False, none=True, value=None)
        return name

    def _cells(self, f: PrintedFunction, data: DataTable, column: int) -> Fragment:
        """Prints the look-up of a cell: constant cells from a table, the others as cases."""
        cells = data.columns[column].cells
        known = tuple(cell.value if isinstance(cell, Const) else NONE for cell in cells)
        other: dict[Expr, list[int]] = {}
        for row, cell in enumerate(cells):
            if not isinstance(cell, Const):
                other.setdefault(cell, []).append(row)
        table = self.module.constant(f"C{data.id}_{column}", f"the cells of {data.name}", known)
        text = f"{table}[row] if row >= 0 else NONE"
        plain = attrs.evolve(looked_up(text, data.columns[column].type, known, atom=False), none=True)
        if not other:
            return plain
        found: list[Fragment] = []
        name = f.fresh()

        def case(cell: Expr | None) -> Callable[[], None]:
            def store() -> None:
                found.append((plain if cell is None else f.expression(cell)).integer)
                f.line(f"{name} = {found[-1].text}")

            return store

        tests = [(f"row in ({', '.join(map(str, rows))},)", case(cell)) for cell, rows in other.items()]
        branching(f, tests, case(None))
        result = found[0]
        for fragment in found[1:]:
            result = hull(name, result, fragment)
        return attrs.evolve(result, text=name, atom=True, simple=True, none=True, value=None)


def branching(
    f: PrintedFunction,
    branches: Sequence[tuple[Expr | str, Callable[[], None]]],
    otherwise: Callable[[], None] | None,
) -> None:
    """Prints `if`/`elif`/`else` from conditions (or their text) and the functions that print the bodies."""
    depth = f.depth
    first = True
    for test, body in branches:
        with f.aside() as lines:
            text = test if isinstance(test, str) else f.condition(test)
        if text == "False" and not lines:
            continue
        if text == "True" and not lines:
            otherwise = body
            break
        if lines and not first:
            f.line("else:")
            f.depth += 1
            first = True
        f.add(lines)
        with f.indented(f"{'if' if first else 'elif'} {text}:"):
            body()
        first = False
    if otherwise is not None:
        if first:
            otherwise()
        else:
            with f.indented("else:"):
                otherwise()
    f.depth = depth


def outside(fragment: Fragment, type: Type) -> str:
    """Returns the text of the condition that a named fragment is not in a type."""
    low, high = bounds(type)
    x = fragment.text
    if high is None or low is None:
        return "False"
    if isinstance(type, SetType):
        return f"{x} != NONE and {x} & ~{high}" if fragment.none and type.optional else f"{x} & ~{high}"
    tests = []
    if fragment.low is None or fragment.low < low or (fragment.none and not type.optional):
        tests.append(f"{x} < {low}")
    if fragment.high is None or fragment.high > high:
        tests.append(f"{x} > {high}")
    text = f"not {low} <= {x} <= {high}" if len(tests) == 2 else (tests[0] if tests else "False")
    if fragment.none and type.optional and text.startswith(("not", f"{x} <")):
        return f"{x} != NONE and {text}"
    return text


def _ends_in_itself(value: Value) -> bool:
    """Returns whether a value calls itself only as the whole of a case, with nothing done to the result."""

    def calls(*parts: object) -> int:
        return sum(isinstance(node, CallValue) and node.value == value.id for node in walk(parts))

    last = sum(isinstance(case.value, CallValue) and case.value.value == value.id for case in value.cases)
    return not value.adjustments and last == calls(value.cases, value.adjustments) > 0


def _as_expression(value: Value) -> Expr | None:
    """Returns a value's cases as one expression, if it is short and has no adjustments; else None."""
    if value.deep is not None or value.adjustments:
        return None
    body: Expr = Const(NONE)
    for case in reversed(value.cases):
        body = case.value if case.condition is None else Either(case.condition, case.value, body)
    size = sum(1 for _ in walk(body))
    return body if size <= (2 * SHORT if len(value.cases) == 1 else SHORT) else None


def _is_within(body: Over, type: Type) -> bool:
    """Returns whether the type of x alone proves that a set `{x in S if c}` is in a type."""
    low, high = bounds(body.names[0].type)
    own = body.value is None or body.value == Local(body.names[0].id)
    bits = None if low is None or high is None else (2 << high) - 1 if high >= 0 else 0
    return own and bits is not None and fits(Fragment("", 0, bits, is_set=True), type.certain())


def _listed(heads: list[str], arguments: list[Fragment]) -> str:
    return ", ".join([*heads, *(argument.text for argument in arguments)])
