"""The base of the classes of the IR: how a value prints, and when two are equal.

repr(Const(3))        Const(value=3)
Place(4, ()) == Place(4, ())

attrs would write these methods anew for each of nearly a hundred classes, and compile them, at every start of a program.
So the classes say `eq=False, repr=False` and share the ones here. Where checks compare and look up millions of
expressions, their classes have the quicker `==` that attrs makes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any

import attrs


class IrNode:
    """A frozen value with named fields, an attrs class.

    >>> from rulelang.ir.model import Place
    >>> Place(4, ()), Place(4, ()) == Place(4, ())
    (Place(state=4, index=()), True)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        shown = (f"{f.name}={getattr(self, f.name)!r}" for f in attrs.fields(type(self)) if f.repr)  # type: ignore[arg-type]
        return f"{type(self).__name__}({', '.join(shown)})"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        compared = _compared(type(self))  # type: ignore[arg-type]
        return bool(compared(self) == compared(other))

    def __hash__(self) -> int:
        return hash((type(self), _compared(type(self))(self)))  # type: ignore[arg-type]


@cache
def _compared(kind: Any) -> Callable[[object], object]:
    """Returns a getter of the fields that count when two values of a class are compared."""
    names = [field.name for field in attrs.fields(kind) if field.eq]
    return attrgetter(*names) if names else lambda node: ()
