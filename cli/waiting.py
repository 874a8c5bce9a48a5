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
"""Seconds that nobody minds."""


@attrs.define
class _Spinner:
    """Turns from when it is due until it is over; safe to be over before it is due."""

    task: str
    _status: Status | None = None
    _is_over: bool = False
    _lock: Lock = attrs.field(factory=Lock)

    def begin(self) -> None:
        """Draws it, unless it is over."""
        from rich.console import Console

        from .console import safe

        with self._lock:
            if not self._is_over:
                self._status = Console(file=sys.stderr, markup=False, emoji=False).status(safe(self.task))
                self._status.start()

    def end(self) -> None:
        """Takes it away."""
        with self._lock:
            self._is_over = True
            if self._status is not None:
                self._status.stop()


@contextmanager
def waiting(task: str) -> Iterator[None]:
    """Names a task that takes longer than half a second, until it is done; nothing may be printed meanwhile."""
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
