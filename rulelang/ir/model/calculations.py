"""The calculations of the IR, a row for each: what it comes to, the range of its results, and how rules and words call it.

CALCULATIONS["-"].value(7, 2)               5
CALCULATIONS["-"].span((0, 9), (1, 2))      (-2, 8)

Whatever folds, types, bounds, evaluates or words a calculation asks here, so a new one is a row, a member of `Calculation`
and its machine code (`program/low/expressions.py`), which mypy asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias, get_args

import attrs

from rulelang.ir.model.vocabulary import AdjustmentForm, Calculation, NumberFunction, Operator

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Interval: TypeAlias = tuple[int, int]
"""A lowest and a highest number."""


@attrs.frozen
class CalculationTraits:
    """The traits of one calculation."""

    value: Callable[..., int]
    """Its result, given numbers; raises ZeroDivisionError."""
    span: Callable[..., Interval]
    """The ends of its results, given those of each number."""
    takes: int = 2
    """The number of its arguments."""
    said: str = ""
    """For one that rules call by its name: the words in front of its arguments in a sentence."""


def _product(a: Interval, b: Interval) -> Interval:
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def _quotient(a: Interval, b: Interval) -> Interval:
    divisors = [d for d in (*b, -1, 1) if d and b[0] <= d <= b[1]] or [1]
    corners = [x // d for x in a for d in divisors]
    return min(corners), max(corners)


def _rounded_up(a: Interval, b: Interval) -> Interval:
    low, high = _quotient(a, b)
    return low, high + 1


def _size(a: Interval) -> Interval:
    sizes = abs(a[0]), abs(a[1])
    return 0 if a[0] <= 0 <= a[1] else min(sizes), max(sizes)


CALCULATIONS: Mapping[Calculation, CalculationTraits] = {
    "+": CalculationTraits(lambda a, b: a + b, lambda a, b: (a[0] + b[0], a[1] + b[1])),
    "-": CalculationTraits(lambda a, b: a - b, lambda a, b: (a[0] - b[1], a[1] - b[0])),
    "*": CalculationTraits(lambda a, b: a * b, _product),
    "neg": CalculationTraits(lambda a: -a, lambda a: (-a[1], -a[0]), takes=1),
    "floordiv": CalculationTraits(lambda a, b: a // b, _quotient),
    "ceildiv": CalculationTraits(lambda a, b: -(-a // b), _rounded_up),
    "mod": CalculationTraits(lambda a, b: a % b, lambda a, b: (min(0, b[0] + 1), max(0, b[1] - 1))),
    "min": CalculationTraits(lambda *of: min(of), lambda *of: (min(a[0] for a in of), min(a[1] for a in of))),
    "max": CalculationTraits(lambda *of: max(of), lambda *of: (max(a[0] for a in of), max(a[1] for a in of))),
    "abs": CalculationTraits(abs, _size, takes=1, said="the amount of "),
}


LAYERS: Mapping[AdjustmentForm, Calculation | None] = {
    "set": None,
    "times": "*",
    "+": "+",
    "least": "max",
    "most": "min",
}
"""The layers of adjustments in the order in which they apply, whatever order the rules write them in: the calculation of
the value and the amount of each; "set" takes the value's place. Those of one layer apply as they are written."""
CALLED: tuple[NumberFunction, ...] = get_args(NumberFunction)


def is_calculation(name: Operator) -> TypeIs[Calculation]:
    """Returns whether an operator is a calculation.

    >>> is_calculation("abs"), is_calculation("union")
    (True, False)
    """
    return name in CALCULATIONS


def is_called(name: str) -> TypeIs[NumberFunction]:
    """Returns whether a name is that of a calculation that rules call by its name alone."""
    return name in CALLED
