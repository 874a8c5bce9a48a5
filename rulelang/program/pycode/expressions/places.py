"""An index -> its place in the row or in a table, and the conditions for it to be within bounds.

p.fuel                  # 12 + x1, where p is one of the players for certain
tokens_of(n)            # 40 + x2, if 0 <= x2 <= 4
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from rulelang.ir.model import Expr, Variable
from rulelang.ir.types import NONE, IntType, Type, first_of, size_of
from rulelang.program.pycode.fragment import Fragment, bounds, fits, hull
from rulelang.program.pycode.function import PrintedFunction
from rulelang.program.violations import is_ranged


def position(
    f: PrintedFunction, base: int, dimensions: tuple[Type, ...], index: list[Fragment]
) -> tuple[str, list[str]] | None:
    """Returns the text of `base` + the row-major position of an index, and the conditions for the index to be within
    its bounds; None if it never is."""
    terms, guards = [], []
    for i, (type, part) in enumerate(zip(dimensions, index, strict=True)):
        first, last = first_of(type), first_of(type) + size_of(type) - 1
        stride = prod(size_of(later) for later in dimensions[i + 1 :])
        if part.value is not None:
            if not first <= part.value <= last:
                return None
            base += (part.value - first) * stride
            continue
        if not fits(part, type.certain()):
            part = f.named(part)
            guards.append(f"{first} <= {part.text} <= {last}")
        base -= first * stride
        terms.append(part.text if stride == 1 and part.simple else part.operand)
        if stride != 1:
            terms[-1] += f" * {stride}"
    if not terms:
        return str(base), guards
    if base:
        terms.insert(0, str(base))
    return " + ".join(terms), guards


def guarded(fragment: Fragment, guards: list[str], otherwise: Fragment) -> Fragment:
    """Returns a fragment that is evaluated only if the guards hold; `otherwise` if they do not."""
    if not guards:
        return fragment
    return hull(f"{fragment.text} if {' and '.join(guards)} else {otherwise.text}", fragment, otherwise)


def zone_slot(f: PrintedFunction, zone: int, index: tuple[Expr, ...]) -> tuple[str, list[str]] | None:
    """Returns the text of a zone's slot and the conditions for it to exist; see `position`."""
    dimensions = f.module.game.zones[zone].dimensions
    return position(
        f, f.module.layout.zones[zone], dimensions, keyed(f, f"zone_key({zone}", dimensions, f.integers(index))
    )


def keyed(f: PrintedFunction, check: str, types: tuple[Type, ...], index: list[Fragment]) -> list[Fragment]:
    """Returns an index; a number that may lie outside its key's range is wrapped in a call that begins with `check`."""
    checked = []
    for i, (type, part) in enumerate(zip(types, index, strict=True)):
        if isinstance(type, IntType) and part.value != NONE and not fits(part, type.or_none()):
            is_known = part.value is not None
            part = Fragment(f"{check}, {i}, {part.integer.text})", type.low, type.high, none=part.none, atom=True)
            # A number outside its key's range is a fault even where the result is not needed.
            part = f.named(part) if is_known else part
        checked.append(part)
    return checked


def fitted(check: str, parameters: Sequence[Variable], arguments: list[Fragment], first: int = 0) -> list[Fragment]:
    """Returns the arguments of a call, from the parameter `first` on; an argument that may lie outside its
    parameter's range is wrapped in a call that begins with `check`."""
    checked = arguments[:]
    for i, (variable, part) in enumerate(zip(parameters, arguments, strict=False)):
        type = variable.type.or_none()
        if i >= first and is_ranged(type) and part.value != NONE and not fits(part, type):
            low, high = bounds(type)
            text = f"{check}, {i}, {part.integer.text})"
            checked[i] = Fragment(text, low, high, none=part.none, atom=True, is_set=part.is_set)
    return checked
