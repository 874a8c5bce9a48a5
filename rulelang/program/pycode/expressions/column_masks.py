"""A condition on printed attributes of a thing -> the mask of all things that meet it.

Such a mask is known before the game begins, so `{x in S if x.colour == k}` is one `&` instead of a loop over S.

    count(x in heap if x.colour == k)       # (S[4] & W0.get(x1, 0)).bit_count()
    {h in Hex if h.is_spawn and …}          # for x2 in (17, 40, 93): …

Invariant: a part of a test before the mask is evaluated as often as without the mask, or cannot fail.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Literal, assert_never

from rulelang.ir.model import And, Cell, Column, Const, Expr, Local, Op, Over, Variable
from rulelang.ir.types import NONE, Type, first_of, size_of
from rulelang.ir.walk import read_in
from rulelang.program.packing import mask_of
from rulelang.program.pycode.expressions.operators import holds, overlap
from rulelang.program.pycode.fragment import Fragment, bounds, number, truth
from rulelang.program.pycode.function import PrintedFunction

MOST = 64
"""The most different values for which masks are kept, so that a module does not fill with tables."""
_MAY_FAIL = re.compile(r"\w\(|[/%]")
"""A call or a division in printed text."""


def column_mask(f: PrintedFunction, name: Variable, test: Expr | None) -> tuple[Fragment | None, Expr | None]:
    """Returns the mask of the values of a name that pass a test, and the rest of the test, which is evaluated for each.

    Only the first parts of a test go into the mask: a later part may be evaluated only for values that have passed the
    earlier ones. The mask is None if even the first part cannot be known in advance.
    """
    parts = test.arguments if isinstance(test, And) else () if test is None else (test,)
    mask: Fragment | None = None
    for i, part in enumerate(parts):
        found = _mask(f, name, part)
        if found is None:
            return mask, _all(parts[i:])
        mask = found if mask is None else overlap(mask, found)
    return mask, None


def masked(f: PrintedFunction, over: Over, paid: Callable[[Fragment], Fragment]) -> Fragment | None:
    """Returns a comprehension (a set, its size or whether it has a member) as a mask; None if it needs a loop.

    `paid` prints the payment for the members of the source.
    """
    test = _only_test(over)
    if test is None or len(over.names) > 1 or over.sources[0].mask is None or over.sources[0].pile is not None:
        return None
    mask, rest = column_mask(f, over.names[0], test)
    if mask is None or rest is not None:
        return None
    found = overlap(paid(f.expression(over.sources[0].mask)), mask)
    if over.what == "set":
        return found
    if found.value is not None:
        return number(found.value.bit_count() if over.what == "count" else int(found.value != 0))
    if over.what == "any":
        return truth(found.text)
    return Fragment(
        f"{found.operand}.bit_count()", 0, None if found.high is None else found.high.bit_count(), atom=True
    )


def _only_test(over: Over) -> Expr | None:
    """Returns the one test of a count, of a set of its source's members or of an `any`; None for any other
    comprehension."""
    match over.what:
        case "count":
            return over.condition
        case "set" if over.value in (None, Local(over.names[0].id)):
            return over.condition
        case "any" if over.condition is None:
            return over.value
        case "any" if over.value in (None, Const(1)):
            return over.condition
        case _:  # no other comprehension is a mask
            return None


def after_first(test: Expr) -> Expr | None:
    """Returns the rest of a test, without its first part."""
    return _all(test.arguments[1:]) if isinstance(test, And) else None


def _all(parts: tuple[Expr, ...]) -> Expr | None:
    return And(parts) if len(parts) > 1 else parts[0] if parts else None


def _mask(f: PrintedFunction, name: Variable, test: Expr) -> Fragment | None:
    """Returns the mask of the values of a name that pass one test, if the test depends only on printed attributes."""
    match test:
        case Op(name="==", arguments=(one, other)) if (asked := _asked(f, name, one, other)) is not None:
            printed, sought = asked
            if sought.value is not None:
                return _where(name, [value == sought.value for value in printed])
            groups = _groups(name, printed)
            if groups is None:
                return None
            every = reduce(or_, groups.values())
            return Fragment(f"{f.module.masks(groups)}.get({sought.text}, 0)", 0, every, atom=True, is_set=True)
        case Op(name="==" | "!=" | "<" | "<=" | ">" | ">=" as name_of_test, arguments=(one, other)):
            left, right = _printed(f, name, one), _printed(f, name, other)
            if left is None or right is None:
                return None
            return _where(name, [holds(name_of_test, a, b) > 0 for a, b in zip(left, right, strict=True)])
        case Op(name="in", arguments=(Local(id=id), of)) if id == name.id:
            found = certain(f, of, name)
            return None if found is None or found.none or found.bits is None else found
        case Op(name="not", arguments=(flag,)):
            values = _printed(f, name, flag)
            return None if values is None else _where(name, [value <= 0 for value in values])
        case Column() | Cell():
            values = _printed(f, name, test)
            return None if values is None else _where(name, [value > 0 for value in values])
        case _:  # no other test depends only on printed attributes
            return None


def column_members(f: PrintedFunction, name: Variable, among: int, test: Expr | None) -> tuple[str, Expr | None] | None:
    """Returns the text of the members of a known set that pass the first part of a test, and the rest of the test, if
    that part compares a printed attribute; None for any other test.
    """
    parts = test.arguments if isinstance(test, And) else () if test is None else (test,)
    match parts:
        case (Op(name="==", arguments=(one, other)), *rest) if (asked := _asked(f, name, one, other)) is not None:
            printed, sought = asked
            groups = None if sought.value is not None else _groups(name, printed, among)
            return None if groups is None else (f.module.groups(groups) + f".get({sought.text}, ())", _all(tuple(rest)))
        case _:  # no other test compares a printed attribute
            return None


def _asked(f: PrintedFunction, name: Variable, one: Expr, other: Expr) -> tuple[tuple[int, ...], Fragment] | None:
    """Returns the attribute printed on each value of a name and the fragment that it is compared with; None for any
    other comparison."""
    for printed, sought in ((one, other), (other, one)):
        if not isinstance(printed, (Const, Local)):
            values = _printed(f, name, printed)
            found = None if values is None else certain(f, sought, name)
            if values is not None and found is not None:
                return values, found
    return None


def _groups(name: Variable, values: tuple[int, ...], among: int = -1) -> dict[int, int] | None:
    """Returns the masks of the values of a name by their printed attribute; None if there would be too many."""
    first, different = first_of(name.type), set(values)
    if len(different) > MOST:
        return None
    return {v: among & mask_of(first + i for i, value in enumerate(values) if value == v) for v in different}


def _where(name: Variable, holds: list[bool]) -> Fragment:
    first = first_of(name.type)
    return number(mask_of(first + i for i, true in enumerate(holds) if true))


def certain(f: PrintedFunction, expr: Expr, name: Variable) -> Fragment | None:
    """Returns the fragment of an expression that is the same for all values of a name and cannot fail; else None."""
    if name.id in read_in(expr) or f.opens(expr) or f.module.values.draws(expr):
        return None
    f.look_up(expr)
    with f.aside() as lines:
        found = f.expression(expr).integer
    return None if lines or _MAY_FAIL.search(found.text) else found


def _printed(f: PrintedFunction, name: Variable, expr: Expr) -> tuple[int, ...] | None:
    """Returns an expression's result for each value of a name, if it depends only on the name and on printed
    attributes.
    """
    low, high = bounds(name.type)
    if low is None or high is None or low < 0:
        return None
    match expr:
        case Local(id=name.id):
            return tuple(range(low, high + 1))
        case Const(value=value):
            return (value,) * (high - low + 1)
        case Op(name="+" | "-" | "*" as sign, arguments=(one, other)):
            left, right = _printed(f, name, one), _printed(f, name, other)
            if left is None or right is None or NONE in left or NONE in right:
                return None
            return tuple(_calculated(sign, a, b) for a, b in zip(left, right, strict=True))
        case Column(of=(of,)):
            table = f.module.game.tables[expr.table]
            return _looked_up(table.dimensions[0], table.values, _printed(f, name, of))
        case Cell(arguments=(of,)):
            data = f.module.game.data[expr.data]
            cells = f.module.values.plain_cells(data, expr.column)
            if cells is None or data.keys != 1:
                return None
            return _looked_up(data.parameters[0].type, cells, _printed(f, name, of))
        case _:  # no other expression depends only on printed attributes
            return None


def _calculated(sign: Literal["+", "-", "*"], a: int, b: int) -> int:
    match sign:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case _:
            assert_never(sign)


def _looked_up(index: Type, table: tuple[int, ...], at: tuple[int, ...] | None) -> tuple[int, ...] | None:
    first, size = first_of(index), size_of(index)
    return None if at is None else tuple(table[i - first] if 0 <= i - first < size else NONE for i in at)
