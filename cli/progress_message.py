"""A progress message on standard error for a command that is silent for half a second, if that is a terminal.

with waiting("Checking outspeed"): …       ⠹ Checking outspeed
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from rich.status import Status

SILENCE = 0.5
"""The seconds of silence before a message appears."""


@attrs.define
class _Spinner:
    """A spinner that appears after a delay; it may end before it has appeared."""

    task: str
    _status: Status | None = None
    _is_over: bool = False
    _lock: Lock = attrs.field(factory=Lock)

    def begin(self) -> None:
        """Shows the spinner, unless it has ended."""
        from rich.console import Console

        from .console import safe

        with self._lock:
            if not self._is_over:
                self._status = Console(file=sys.stderr, markup=False, emoji=False).status(safe(self.task))
                self._status.start()

    def end(self) -> None:
        """Removes the spinner."""
        with self._lock:
            self._is_over = True
            if self._status is not None:
                self._status.stop()


@contextmanager
def waiting(task: str) -> Iterator[None]:
    """Shows the name of a task that takes longer than SILENCE; nothing may be printed until it is done."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    spinner = _Spinner(task)
    timer = Timer(SILENCE, spinner.begin)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        spinner.end()
