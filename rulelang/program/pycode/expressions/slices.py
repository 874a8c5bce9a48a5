"""A test of each cell of a variable in turn -> one test of a slice of the row.

    any(s.disc == p for s in Space)         # x1 in S[13:55]
    all(s.mark != none for s in Space)      # NONE not in S[13:22]
    count(s in Square if s.man == p)        # S[13:77].count(x1)

Invariant: the cells are compared with something that is the same for all of them and cannot fail.
"""

from __future__ import annotations

import attrs

from rulelang.ir.model import Const, Expr, Local, Op, Over, Read, Variable
from rulelang.ir.types import first_of, size_of
from rulelang.program.packing import members
from rulelang.program.pycode.expressions.column_masks import certain
from rulelang.program.pycode.fragment import Fragment, truth
from rulelang.program.pycode.function import PrintedFunction

FEWEST = 3
"""The fewest cells that are tested as a slice; fewer are tested one by one."""
WORTH_PAIRING = 8
"""The fewest cells that a loop takes, with their indices, from a slice."""


@attrs.frozen
class ComparedCells:
    """The cells of a variable over a range of its index, each compared with the same value."""

    low: int
    """The slot of the first cell."""
    count: int
    first: int
    """The index of the first cell."""
    is_equal: bool
    sought: Fragment

    @property
    def cells(self) -> str:
        """The text of the slice."""
        return f"S[{self.low}:{self.low + self.count}]"


def sliced(f: PrintedFunction, over: Over) -> Fragment | None:
    """Returns whether any or all cells pass a comparison, or their number; None if this needs a loop."""
    match over:
        case Over(what="any", names=(name,), condition=None, value=Op() as test):
            pass
        case Over(what="any", names=(name,), condition=Op() as test, value=None | Const(1)):
            pass
        case Over(what="all", names=(name,), condition=None, value=Op() as test):
            pass
        case Over(what="count", names=(name,), condition=Op() as test):
            pass
        case _:  # no other comprehension has one test for each cell
            return None
    if f.is_open(over) or over.sources[0].pile is not None or over.sources[0].mask is None:
        return None
    found = compared_cells(f, name, over.sources[0].mask, test)
    if found is None or found.count < FEWEST:
        return None
    sought = found.sought.operand
    number = f"{found.cells}.count({found.sought.text})"
    match over.what, found.is_equal:
        case "any", True:
            return truth(f"{sought} in {found.cells}")
        case "all", False:
            return truth(f"{sought} not in {found.cells}")
        case "any" | "all", _:  # a loop is done as soon as one is another
            return None
        case _, True:
            return Fragment(number, 0, found.count, atom=True)
        case _:  # the others are counted
            return Fragment(f"{found.count} - {number}", 0, found.count)


def compared_cells(f: PrintedFunction, name: Variable, among: Expr, test: Expr) -> ComparedCells | None:
    """Returns the cells that a test compares, if it compares a whole range of them; None for any other test."""
    known = members(among.value) if isinstance(among, Const) and among.value > 0 else []
    if not known or known[-1] - known[0] >= len(known):
        return None
    match test:
        case Op(name="==" | "!=", arguments=(Read(index=(Local(id=id),)) as read, sought)) if id == name.id:
            pass
        case Op(name="==" | "!=", arguments=(sought, Read(index=(Local(id=id),)) as read)) if id == name.id:
            pass
        case _:  # no other test compares a cell
            return None
    state = f.module.game.states[read.state]
    (dimension,) = state.dimensions
    first, size = first_of(dimension), size_of(dimension)
    if not first <= known[0] <= known[-1] < first + size:
        return None
    value = certain(f, sought, name)
    if value is None:
        return None
    low = f.module.layout.states[state.id] + known[0] - first
    return ComparedCells(low, len(known), known[0], test.name == "==", value)
