"""A clock of the rules while a person thinks, or the time that a question leaves: the elapsed and the remaining time.

    against sand: p chooses ...      Timer.of(match, now).remaining() -> 34_000

The time comes from outside: `now` returns seconds.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from rulelang.ir.types import IntType
from rulelang.match.match import BareMatch

LOW = 0.2
"""The fraction of the clock below which a warning is shown."""


@attrs.frozen
class Timer:
    """A clock that started when a question was asked, with `left`
    of its `full` units, `per_second` of which go by each second.
    """

    name: str
    left: int
    full: int
    per_second: int
    now: Callable[[], float]
    began: float
    declines: bool = False
    """Whether the table declines when no time is left; the rules of a clock decide it otherwise."""

    @classmethod
    def of(cls, match: BareMatch, now: Callable[[], float], spent: int = 0) -> Timer | None:
        """Starts the clock of the pending choice, with some of its units already spent; returns None if it has none."""
        clock, choice = match.clock, match.choice
        if clock is None and choice is not None and choice.seconds is not None:
            return cls("time", choice.seconds, choice.seconds, 1, now, now(), declines=True)
        if clock is None:
            return None
        state = match.game.states[clock.state]
        assert isinstance(state.type, IntType)
        return cls(
            state.name, match.time_left, state.type.high, clock.per_second, now, now() - spent / clock.per_second
        )

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
