"""Turns the rules of a checked game into values over ints: the node classes of the typed IR.

`lower` makes it from the tree, `unfold` turns hooks and `whenever` rules into plain
procedures, `program` lays it out, and executors run it. Only labels hold text. All expressions
are pure except `Roll`, `Pick` and those that contain them; evaluation is left to right.

    heap -= n       Assign(Place(state=heap, index=()), "+", Op("neg", (Local(n),)))

Invariant: every name is resolved; every expression's value is an int as `ir.types` says; a `Local` is assigned before
it is read; `Stop.loop` names an enclosing loop of the same procedure; procedures do not call each other in a circle.
"""

from typing import Any

from rulelang.ir.model.declarations import *
from rulelang.ir.model.expressions import *
from rulelang.ir.model.node import IrNode
from rulelang.ir.model.statements import *
from rulelang.ir.model.vocabulary import *

NODES: frozenset[Any] = frozenset(
    c for c in globals().values() if isinstance(c, type) and issubclass(c, IrNode) and c is not IrNode
)
"""All classes of the IR."""
