"""The operators of the IR, a row for each: what it comes to, how it is printed, and the words that people read for it.

OPERATORS["-"].value(7, 2)                  5
OPERATORS["in"].gives                       "a flag"
CALCULATIONS["-"].span((0, 9), (1, 2))      (-2, 8)
COMPARISONS["<"].inverse                    ">="

Whatever folds, types, bounds, evaluates, prints or words an operator asks here, so a new calculation is a row, a member
of `Calculation` and its machine code (`program/low/expressions.py`), which mypy asks for.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import attrs

from rulelang.ir.model.vocabulary import AdjustmentForm, Calculation, Comparison, NumberFunction, Operator
from rulelang.ir.types import SET_LIMIT

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Interval: TypeAlias = tuple[int, int]
"""A lowest and a highest number."""

Result: TypeAlias = Literal["a flag", "a number", "what its operands are", "a set of numbers", "a set of its operand"]
"""The type of an operator's results."""

WithNone: TypeAlias = Literal[
    "a fault",
    "nothing",  # 0: a flag that does not hold, or the empty set
    "an empty set",  # each operand that is none counts as an empty set
    "its value",  # none is a value like others
]
"""The result of an operator one of whose operands is none."""


@attrs.frozen(kw_only=True)
class OperatorTraits:
    """The traits of one operator."""

    value: Callable[..., int]
    """Its result, given numbers none of which is none; raises ZeroDivisionError."""
    gives: Result
    none: WithNone
    sign: str = ""
    """Its sign between operands in printed IR; one without a sign is called by its name."""
    formula: str = ""
    """Its sign in the formulas of a rulebook."""
    said: tuple[str, str, str] = ("", "", "")
    """The words before, between and after its operands in a sentence; operands with nothing between them are listed."""
    holds: tuple[str, str] | None = None
    """The words between its operands where it holds, and where it does not."""


@attrs.frozen(kw_only=True)
class CalculationTraits(OperatorTraits):
    """The traits of an operator from numbers to a number."""

    span: Callable[..., Interval]
    """The ends of its results, given those of each number."""
    takes: int = 2
    """The number of its arguments."""
    gives: Result = "a number"
    none: WithNone = "a fault"


@attrs.frozen(kw_only=True)
class ComparisonTraits(OperatorTraits):
    """The traits of an operator that compares two values."""

    inverse: Comparison
    """The comparison that holds where this one does not, unless a side is none."""
    mirrored: Comparison
    """The comparison that holds with its sides exchanged."""
    gives: Result = "a flag"
    none: WithNone = "nothing"


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
    "+": CalculationTraits(
        value=operator.add,
        span=lambda a, b: (a[0] + b[0], a[1] + b[1]),
        gives="what its operands are",
        sign="+",
        formula="+",
        said=("", " + ", ""),
    ),
    "-": CalculationTraits(
        value=operator.sub,
        span=lambda a, b: (a[0] - b[1], a[1] - b[0]),
        gives="what its operands are",
        sign="-",
        formula="-",
        said=("", " − ", ""),
    ),
    "*": CalculationTraits(value=operator.mul, span=_product, sign="*", formula="×", said=("", " × ", "")),
    "neg": CalculationTraits(value=operator.neg, span=lambda a: (-a[1], -a[0]), takes=1, said=("−", "", "")),
    "floordiv": CalculationTraits(
        value=operator.floordiv, span=_quotient, sign="//", formula="/", said=("", " / ", " rounded down")
    ),
    "ceildiv": CalculationTraits(
        value=lambda a, b: -(-a // b), span=_rounded_up, sign="/^", formula="/", said=("", " / ", " rounded up")
    ),
    "mod": CalculationTraits(
        value=operator.mod,
        span=lambda a, b: (min(0, b[0] + 1), max(0, b[1] - 1)),
        sign="%",
        formula="%",
        said=("the rest of ", " / ", ""),
    ),
    "min": CalculationTraits(
        value=lambda *of: min(of),
        span=lambda *of: (min(a[0] for a in of), min(a[1] for a in of)),
        gives="what its operands are",
        said=("the smallest of ", "", ""),
    ),
    "max": CalculationTraits(
        value=lambda *of: max(of),
        span=lambda *of: (max(a[0] for a in of), max(a[1] for a in of)),
        gives="what its operands are",
        said=("the largest of ", "", ""),
    ),
    "abs": CalculationTraits(value=abs, span=_size, takes=1, said=("the amount of ", "", "")),
}
COMPARISONS: dict[Comparison, ComparisonTraits] = {
    "==": ComparisonTraits(
        value=operator.eq,
        inverse="!=",
        mirrored="==",
        none="its value",
        sign="==",
        formula="==",
        holds=("is", "is not"),
    ),
    "!=": ComparisonTraits(
        value=operator.ne,
        inverse="==",
        mirrored="!=",
        none="its value",
        sign="!=",
        formula="!=",
        holds=("is not", "is"),
    ),
    "<": ComparisonTraits(
        value=operator.lt, inverse=">=", mirrored=">", sign="<", formula="<", holds=("is less than", "is at least")
    ),
    "<=": ComparisonTraits(
        value=operator.le, inverse=">", mirrored=">=", sign="<=", formula="<=", holds=("is at most", "is more than")
    ),
    ">": ComparisonTraits(
        value=operator.gt, inverse="<=", mirrored="<", sign=">", formula=">", holds=("is more than", "is at most")
    ),
    ">=": ComparisonTraits(
        value=operator.ge, inverse="<", mirrored="<=", sign=">=", formula=">=", holds=("is at least", "is less than")
    ),
}


def _range(low: int, high: int) -> int:
    first, last = max(low, 0), min(high, SET_LIMIT - 1)
    return (1 << last + 1) - (1 << first) if first <= last else 0


_OTHERS: Mapping[Operator, OperatorTraits] = {
    "not": OperatorTraits(value=lambda a: a <= 0, gives="a flag", none="its value"),
    "in": OperatorTraits(
        value=lambda a, mask: a >= 0 and mask >> a & 1,
        gives="a flag",
        none="nothing",
        sign="in",
        formula="in",
        holds=("is one of", "is none of"),
    ),
    "single": OperatorTraits(value=lambda a: 1 << a, gives="a set of its operand", none="nothing"),
    "range": OperatorTraits(value=_range, gives="a set of numbers", none="nothing", sign=".."),
    "union": OperatorTraits(
        value=operator.or_,
        gives="what its operands are",
        none="an empty set",
        sign="|",
        formula="+",
        said=("", " together with ", ""),
    ),
    "minus": OperatorTraits(
        value=lambda a, b: a & ~b,
        gives="what its operands are",
        none="an empty set",
        sign="\\",
        formula="-",
        said=("", " without ", ""),
    ),
    "inter": OperatorTraits(
        value=operator.and_,
        gives="what its operands are",
        none="an empty set",
        sign="&",
        said=("", " that are also of ", ""),
    ),
    "size": OperatorTraits(value=int.bit_count, gives="a number", none="an empty set"),
}
OPERATORS: Mapping[Operator, OperatorTraits] = dict([*CALCULATIONS.items(), *COMPARISONS.items(), *_OTHERS.items()])
INVERSE: dict[Comparison, Comparison] = {name: row.inverse for name, row in COMPARISONS.items()}
MIRRORED: dict[Comparison, Comparison] = {name: row.mirrored for name, row in COMPARISONS.items()}


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
