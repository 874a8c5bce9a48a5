"""A clock of the rules while a person thinks: how much of it has gone by, and how much is left.

    against sand: p chooses ...      Timer.of(match, now).remaining() -> 34_000

What the time is comes from outside: `now` returns seconds.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from rulelang.ir.types import IntType
from rulelang.match.match import BareMatch

LOW = 0.2
"""When so little of the clock is left, whoever draws it warns."""


@attrs.frozen
class Timer:
    """A clock that runs since a question was put: `left` of its `full` units then, so many of them a second."""

    name: str
    left: int
    full: int
    per_second: int
    now: Callable[[], float]
    began: float

    @classmethod
    def of(cls, match: BareMatch, now: Callable[[], float]) -> Timer | None:
        """Starts the clock that the pending choice runs against; None where there is none."""
        clock = match.clock
        if clock is None:
            return None
        state = match.game.states[clock.state]
        assert isinstance(state.type, IntType)
        return cls(state.name, match.time_left, state.type.high, clock.per_second, now, now())

    def elapsed(self) -> int:
        """Returns the elapsed time, in the clock's units."""
        return max(0, int((self.now() - self.began) * self.per_second))

    def remaining(self) -> int:
        """Returns the remaining time, in the clock's units; negative when an answer comes too late."""
        return self.left - self.elapsed()

    @property
    def is_low(self) -> bool:
        """Returns whether little is left."""
        return self.remaining() <= LOW * self.full
