"""Deferred calls <-> one int in a slot: the calls that a `simultaneously` has still to make while one of them asks.

CallQueue(game).pack_calls([(3, 1), (3, 0)], True)      the call of procedure 3 with 1 comes first
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.ir.model import GameRules
from rulelang.ir.types import NONE, SET_LIMIT, IntType, SetType

OUTERMOST, INNER = 1, 2
"""The two values of an empty queue of deferred calls; see `CallQueue`."""

DeferredCall = tuple[int, ...]
"""A deferred call: the procedure, then its arguments."""


class CallQueue:
    """Deferred calls <-> one int, the next call in the low bits.
    Each field holds a value minus NONE, so it is never negative.

    Above all calls stands OUTERMOST or INNER, which says whether the bounds of zones are checked after the last call.
    """

    def __init__(self, game: GameRules) -> None:
        widest = max([len(game.seats), *(kind.size for kind in game.kinds)], default=1)
        self.width = max(40, widest + 2, SET_LIMIT + 2 if _has_number_sets(game) else 0)
        self._arities = [len(procedure.parameters) for procedure in game.procedures]

    def pack_calls(self, calls: Sequence[DeferredCall], is_outermost: bool) -> int:
        """Returns the queue of some calls."""
        queue = OUTERMOST if is_outermost else INNER
        for field in [field for call in reversed(calls) for field in reversed((call[0] + 1 + NONE, *call[1:]))]:
            queue = queue << self.width | field - NONE
        return queue

    def next_call(self, queue: int) -> tuple[DeferredCall, int]:
        """Returns the next call of a queue that is not empty, and the rest."""
        mask = (1 << self.width) - 1
        procedure, queue = (queue & mask) - 1, queue >> self.width
        arguments = []
        for _ in range(self._arities[procedure]):
            arguments.append((queue & mask) + NONE)
            queue >>= self.width
        return (procedure, *arguments), queue


def _has_number_sets(game: GameRules) -> bool:
    return any(
        isinstance(variable.type, SetType) and isinstance(variable.type.element, IntType)
        for procedure in game.procedures
        for variable in procedure.parameters
    )
