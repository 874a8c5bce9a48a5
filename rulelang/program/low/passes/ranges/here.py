"""The knowledge at a place of a function, which range analysis takes along as it goes through the statements.

here.forget(3, Bounds(0, 7))      # r3 is set: to 0 up to 7
one.merged(other)                 # what holds where two ways meet
"""

from __future__ import annotations

from rulelang.program.low import model as low
from rulelang.program.low.bounds import hull
from rulelang.program.low.model import Bounds


class Here:
    """The knowledge at a place: bounds of registers, and registers and slots that equal another word."""

    def __init__(
        self,
        bounds: dict[int, Bounds],
        copies: dict[int, low.RegisterWord],
        cells: dict[int, low.ConstWord | low.RegisterWord],
    ) -> None:
        self.bounds, self.copies, self.cells = bounds, copies, cells

    def copy(self) -> Here:
        """Returns an independent copy."""
        return Here(dict(self.bounds), dict(self.copies), dict(self.cells))

    def forget(self, register: int, bounds: Bounds) -> None:
        """Takes into account that a register is set."""
        self.bounds[register] = bounds
        self.copies.pop(register, None)
        for held in (self.copies, self.cells):
            for key in [k for k, w in held.items() if isinstance(w, low.RegisterWord) and w.number == register]:
                del held[key]

    def forget_cells(self, first: int, last: int) -> None:
        """Takes into account that some slots may be written."""
        for slot in [slot for slot in self.cells if first <= slot <= last]:
            del self.cells[slot]

    def merged(self, other: Here) -> Here:
        """Returns the knowledge that holds where two ways meet."""
        return Here(
            {r: b if b is (o := other.bounds[r]) else hull(b, o) for r, b in self.bounds.items() if r in other.bounds},
            {r: w for r, w in self.copies.items() if other.copies.get(r) == w},
            {r: w for r, w in self.cells.items() if other.cells.get(r) == w},
        )
