"""A clock of the rules while a person thinks: how much of it is gone, drawn as a bar that runs, and the line they type.

    sand ██████████████░░░░░░░░░░  34 s
    bo> tap

On a terminal the bar runs on while the line is typed, and ends the wait when nothing is left. Where that cannot be done (input
from a pipe, a terminal that cannot move its cursor, a system that cannot wait for its keyboard), the bar is drawn once, and
what has gone by is read off when the line is entered. What the time is comes from outside: `now` gives seconds.
"""

from __future__ import annotations

import select
import sys
from collections.abc import Callable

import attrs
from rich.console import Console
from rich.text import Text

from rulelang.ir.types import IntType
from rulelang.match.match import Match

from ..screen.styles import QUIET, Ink

try:
    import termios
except ImportError:  # not on Windows
    termios = None  # type: ignore[assignment]

TICK = 0.2
"""Seconds from one drawing of the bar to the next."""
WIDTH = 24
LOW = 0.2
"""When so little of the clock is left, the bar warns."""


@attrs.frozen
class Sand:
    """A clock that runs since a question was put: `left` of its `full` units then, so many of them a second."""

    name: str
    left: int
    full: int
    per_second: int
    now: Callable[[], float]
    began: float

    @classmethod
    def of(cls, match: Match, now: Callable[[], float]) -> Sand | None:
        """Starts the clock that the pending choice runs against; None where there is none."""
        clock = match.clock
        if clock is None:
            return None
        state = match.game.states[clock.state]
        assert isinstance(state.type, IntType)
        return cls(state.name, match.time_left, state.type.high, clock.per_second, now, now())

    def elapsed(self) -> int:
        """Returns how much has gone by, in the clock's units."""
        return max(0, int((self.now() - self.began) * self.per_second))

    def remaining(self) -> int:
        """Returns how much is left, in the clock's units; negative when an answer comes too late."""
        return self.left - self.elapsed()

    def bar(self) -> str:
        """Draws what is left.

        >>> Sand("sand", 30_000, 60_000, 1000, lambda: 6.0, 0.0).bar()
        'sand ██████████░░░░░░░░░░░░░░  24 s'
        """
        left = max(0, self.remaining())
        filled = -(-left * WIDTH // self.full)
        return f"{self.name} {'█' * filled}{'░' * (WIDTH - filled)} {-(-left // self.per_second):>3} s"


def read_line(console: Console, ink: Ink, prompt: str, sand: Sand | None) -> str | None:
    """Returns the line that is typed, with the sand running beside it; None when the sand has run out first.

    Raises what `input` raises.
    """
    if sand is not None:
        console.print(_bar(ink, sand))
    console.print(ink(prompt), end="")
    if sand is not None and _can_run(console) and not _waited(console, ink, sand):
        console.print()
        _forget_typing()
        return None
    return input()


def _bar(ink: Ink, sand: Sand) -> Text:
    return ink(sand.bar(), "bold red" if sand.remaining() <= LOW * sand.full else QUIET)


def _can_run(console: Console) -> bool:
    """Returns whether the bar can be drawn again while somebody types."""
    return console.is_terminal and not console.is_dumb_terminal and sys.stdin.isatty()


def _forget_typing() -> None:
    """Drops what was half typed, where that can be done, lest it stand in the next answer."""
    if termios is not None:
        termios.tcflush(sys.stdin, termios.TCIFLUSH)


def _waited(console: Console, ink: Ink, sand: Sand) -> bool:
    """Draws the bar, in the line above, until something is typed; says whether it was before the sand ran out."""
    while sand.remaining() >= 0:
        try:
            if select.select([sys.stdin], [], [], TICK)[0]:
                return True
        except (OSError, ValueError):
            # Not everywhere can a keyboard be waited for: then the answer is read as it comes.
            return True
        console.file.write("\x1b7\x1b[1A\r")
        console.print(_bar(ink, sand), end="\x1b[K\x1b8")
        console.file.flush()
    return False
