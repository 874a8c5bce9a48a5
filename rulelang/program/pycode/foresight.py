"""Run-time functions for games with a history: recording positions, counting them, looking one step ahead.

occurrences_after(S, M, p12, (x1,), p20)      # p12 runs on a copy of the row, then p20 runs the whenever-rules
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Row
from rulelang.program.history import PositionHistory
from rulelang.program.layout import Layout


class Mute:
    """A trace that ignores everything."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return _nothing


def _nothing(*_: object) -> None:
    pass


def of_history(game: GameRules, layout: Layout, over: type[Exception]) -> tuple[Callable[..., Any], ...]:
    """Returns `stand`, `occurrences` and `occurrences_after` of a game; () if it has no history. `over` ends a game."""
    if game.history is None:
        return ()
    positions = PositionHistory(game, layout, game.history)

    def stand(row: Row, moment: str) -> None:
        for slot, value in positions.changes(row, moment):
            row[slot] = value

    def occurrences_after(
        row: Row, machine: Any, does: Callable[..., None], arguments: tuple[int, ...], looks: Callable[..., None] | None
    ) -> int:
        other = machine.aside(None if machine.trace is None else Mute())
        other.row = row[:]
        for call, given in ((does, arguments), (looks, ())):
            try:
                if call is not None:
                    call(other.row, other, *given)
            except over:
                pass
        machine.take_up(other)
        return positions.occurrences_after(row, other.row)

    return stand, positions.occurrences, occurrences_after
