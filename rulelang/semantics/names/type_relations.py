"""Relations of types: the join of two, whether one fits another, and the name of one in a message.

6 if c else 2       joins to IntType(2, 6)
none                fits every optional type
"""

from __future__ import annotations

from typing import assert_never

import attrs

from rulelang.ir import model
from rulelang.ir.types import (
    LARGEST,
    BadType,
    EnumType,
    FlagType,
    IntType,
    KindType,
    NoneType,
    RowType,
    SetType,
    Type,
)

BAD = BadType()
FLAG = FlagType()


@attrs.frozen
class Typed:
    """A lowered expression with its type, and its reference if it is a zone or a data row."""

    ir: model.Expr
    type: Type
    zone: tuple[int, tuple[model.Expr, ...]] | None = None
    row: tuple[int, tuple[model.Expr, ...]] | None = None


NOTHING = Typed(model.Const(0), BAD)


def join(a: Type, b: Type) -> Type | None:
    """Returns the smallest type that contains both; None if there is none."""
    optional = a.optional or b.optional
    match a, b:
        case (BadType(), _) | (_, BadType()):
            return BAD
        case (NoneType(), NoneType()):
            return a
        case (NoneType(), _):
            return b.or_none()
        case (_, NoneType()):
            return a.or_none()
        case IntType(), IntType():
            return IntType(min(a.low, b.low), max(a.high, b.high), optional=optional)
        case SetType(element=x), SetType(element=y):
            element = join(x, y)
            return None if element is None else SetType(element)
        case _:  # any other two must be alike
            pass
    if a.certain() == b.certain():
        return attrs.evolve(a, optional=optional)
    return None


def fits(value: Type, wanted: Type) -> bool:
    """Returns whether a value of one type is allowed where another is wanted; ranges of numbers are ignored."""
    match value, wanted:
        case (BadType(), _) | (_, BadType()):
            return True
        case (NoneType(), SetType()):
            return False
        case (NoneType(), _):
            return wanted.optional
        case IntType(), IntType():
            return True
        case SetType(element=x), SetType(element=y):
            return isinstance(x, NoneType) or fits(x, y)
        case _:  # any other two must be alike
            return value.certain() == wanted.certain()


def clip(low: int, high: int) -> IntType:
    return IntType(max(-LARGEST, min(low, LARGEST)), max(-LARGEST, min(high, LARGEST)))


def name_of(type: Type) -> str:
    """Returns a type as it is written in rules."""
    mark = "?" if type.optional else ""
    match type:
        case IntType(low=low, high=high):
            return (f"{low}..{high}" if (low, high) != (-LARGEST, LARGEST) else "number") + mark
        case FlagType():
            return "flag" + mark
        case EnumType(name=name) | KindType(name=name):
            return name + mark
        case SetType(element=NoneType()):
            return "{}"
        case SetType(element=element):
            return f"set of {name_of(element)}"
        case NoneType():
            return "none"
        case RowType(data=data):
            return f"row of {data}"
        case BadType():
            return "?"
        case _:
            assert_never(type)
    return str(type)
