"""Machine code in two tiers: plain code runs at once, while a process of its own makes optimised code.

coming = Optimising(text, keep)
coming.code       the optimised code once it is there, else None
coming.wait()     the optimised code

LLVM works in another process because its binding lets only one thread at a time call LLVM, and because a thread that is
inside LLVM while the interpreter ends may crash it. That process ends with this one.

Invariant: plain and optimised code do the same to every row, so nobody can tell from a result which of them ran.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from threading import Lock, Thread
from typing import TYPE_CHECKING

from rulelang.machines.native import optimiser

if TYPE_CHECKING:
    import subprocess


class Optimising:
    """Optimised code on its way; `keep` is called with it once it is there."""

    def __init__(self, text: bytes, keep: Callable[[bytes], None]) -> None:
        """Starts the process that optimises a packed text."""
        self.text, self.keep = text, keep
        self.code: bytes | None = None
        """The optimised code once it is there; b"" if the process failed."""
        self._owner, self._keeping = os.getpid(), Lock()
        self._process = _started()
        # It must not keep the interpreter from ending.
        self._thread = Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        code = b""
        if self._process is not None:
            found, _ = self._process.communicate(self.text)
            with self._keeping:
                if self._process.returncode == 0:
                    code = found
                    self.keep(code)
        self.code = code

    def wait(self) -> bytes:
        """Returns the optimised code; b"" if the process failed."""
        self._thread.join()
        return self.code or b""

    @property
    def is_own(self) -> bool:
        """Whether it belongs to this process; a fork of its owner hears nothing of it."""
        return self._owner == os.getpid()

    def stop(self) -> None:
        """Ends the process, but not while its code is being kept."""
        if self._process is not None and self.is_own:
            with self._keeping:
                self._process.kill()
                self._process.wait()


def _started() -> subprocess.Popen[bytes] | None:
    """Returns an optimiser that waits for a text; None if no process can be started."""
    # It is slow to import, and not needed where optimised code is kept; so is `zlib` in `optimiser`.
    import subprocess

    if not sys.executable or getattr(sys, "frozen", False):
        return None
    try:
        return subprocess.Popen(
            [sys.executable, "-P", optimiser.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # Ctrl-C at a terminal is not meant for it.
            process_group=0,
        )
    except OSError:
        return None
