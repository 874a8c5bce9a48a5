"""A row and a verb -> the row that the verb would lead to; the given row does not change.

needs occurrences after place(p, s) == 1       # place(p, s) runs on a copy of the row, then the whenever-rules do
"""

from __future__ import annotations

from rulelang.errors import RuntimeRules
from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Row
from rulelang.machines.meter import Meter
from rulelang.machines.walk import Walker
from rulelang.program.layout import Layout


class _NoChance:
    """A chance without outcomes, because a foreseen procedure draws nothing."""

    def __getattr__(self, name: str) -> object:
        raise RuntimeRules("nothing random can be foreseen")


def foreseen(
    game: GameRules, layout: Layout, row: Row, procedure: int, arguments: tuple[int, ...], meter: Meter
) -> Row:
    """Returns the row after a procedure that asks nothing; the meter pays for it."""
    machine = Walker(game, _NoChance(), layout)  # type: ignore[arg-type]
    machine.meter = meter
    machine.row = list(row)
    machine.run_alone(procedure, arguments)
    if game.checkpoint is not None:
        machine.run_alone(game.checkpoint, ())
    return machine.row
