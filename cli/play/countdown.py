"""A clock of the rules while a person thinks: a running bar of the time left, above the line that they type.

    sand ██████████████░░░░░░░░░░  34 s
    bo> tap

On a terminal the bar keeps running while the line is typed, and ends the wait when no time is left. If that is not
possible (input from a pipe, a terminal that cannot move its cursor, a system that cannot wait for its keyboard), the
bar is drawn once, and the elapsed time is taken when the line is entered.
"""

from __future__ import annotations

import select
import sys
from time import sleep

from rich.console import Console
from rich.text import Text

from rulelang.session.clock import Timer

from ..screen.styles import QUIET, Styles

try:
    import termios
except ImportError:  # not on Windows
    termios = None  # type: ignore[assignment]

TICK = 0.2
"""The seconds from one drawing of the bar to the next."""
WIDTH = 24


def bar(timer: Timer) -> str:
    """Returns a bar for the time left on a clock.

    >>> bar(Timer("sand", 30_000, 60_000, 1000, lambda: 6.0, 0.0))
    'sand ██████████░░░░░░░░░░░░░░  24 s'
    """
    left = max(0, timer.remaining())
    filled = -(-left * WIDTH // timer.full)
    return f"{timer.name} {'█' * filled}{'░' * (WIDTH - filled)} {-(-left // timer.per_second):>3} s"


def read_line(console: Console, styles: Styles, prompt: str, timer: Timer) -> str | None:
    """Returns the typed line, with the clock running above it; None if the clock runs out first.

    Raises whatever `input` raises.
    """
    console.print(_bar(styles, timer))
    console.print(styles(prompt), end="")
    if _can_run(console) and not _waited(console, styles, timer):
        console.print()
        _forget_typing()
        return None
    return input()


def is_hurried(seconds: float) -> bool:
    """Waits a number of seconds, or until Enter is pressed; returns whether it was."""
    if sys.stdin.isatty():
        try:
            if select.select([sys.stdin], [], [], seconds)[0]:
                sys.stdin.readline()
                return True
        except (OSError, ValueError):
            # Not everywhere can a keyboard be waited for.
            sleep(seconds)
    else:
        sleep(seconds)
    return False


def _bar(styles: Styles, timer: Timer) -> Text:
    return styles(bar(timer), "bold red" if timer.is_low else QUIET)


def _can_run(console: Console) -> bool:
    """Returns whether the bar can be redrawn while a line is typed."""
    return console.is_terminal and not console.is_dumb_terminal and sys.stdin.isatty()


def _forget_typing() -> None:
    """Drops a half-typed line, if that is possible, so that it is not read as the next answer."""
    if termios is not None:
        termios.tcflush(sys.stdin, termios.TCIFLUSH)


def _waited(console: Console, styles: Styles, timer: Timer) -> bool:
    """Draws the bar in the line above until something is typed; returns False if the clock runs out first."""
    while timer.remaining() >= 0:
        try:
            if select.select([sys.stdin], [], [], TICK)[0]:
                return True
        except (OSError, ValueError):
            # Not everywhere can a keyboard be waited for: then the answer is read as it comes.
            return True
        console.file.write("\x1b7\x1b[1A\r")
        console.print(_bar(styles, timer), end="\x1b[K\x1b8")
        console.file.flush()
    return False
