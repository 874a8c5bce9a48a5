"""Machine code that is made beside the game: plain code while Python runs it, optimised code while plain code does.

coming = Compiling(game)            the same for its first code, from its rules
coming = Optimising(text, keep)
coming.code       the code once it is there, else None
coming.wait()     the code

LLVM works in another process because its binding lets only one thread at a time call LLVM, and because a thread that is
inside LLVM while the interpreter ends may crash it. That process ends with this one.

Invariant: Python, plain and optimised code do the same to every row, so nobody can tell from a result which of them ran.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from threading import Lock, Thread
from typing import TYPE_CHECKING, ClassVar

import attrs

from rulelang.ir.model import GameRules
from rulelang.machines.native import optimiser

if TYPE_CHECKING:
    import subprocess


class Coming:
    """Code on its way from another process; `keep` is called with it once it is there."""

    def __init__(self, command: list[str], sent: bytes, keep: Callable[[bytes], None]) -> None:
        """Starts Python with a command, and sends it what it compiles."""
        self.keep, self._sent = keep, sent
        self.code: bytes | None = None
        """The code once it is there; b"" if the process failed."""
        self._owner, self._keeping = os.getpid(), Lock()
        self._process = _started(command)
        # It must not keep the interpreter from ending.
        self._thread = Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        code = b""
        if self._process is not None:
            found, _ = self._process.communicate(self._sent)
            with self._keeping:
                if self._process.returncode == 0:
                    code = found
                    self.keep(code)
        self.code = code

    def wait(self) -> bytes:
        """Returns the code; b"" if the process failed."""
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


class Optimising(Coming):
    """Optimised code on its way."""

    def __init__(self, text: bytes, keep: Callable[[bytes], None]) -> None:
        """Starts the process that optimises a packed text."""
        self.text = text
        super().__init__([optimiser.__file__], text, keep)


class Compiling(Coming):
    """A game's first machine code on its way, with what `compiler` says of it."""

    def __init__(self, game: GameRules) -> None:
        """Starts the process that compiles a game."""
        # It is slow to import, and not needed where machine code is kept.
        import pickle

        super().__init__(["-m", "rulelang.machines.native.compiler"], pickle.dumps(game, 5), lambda code: None)


@attrs.frozen
class Arrived:
    """First code that was kept, so that nobody waits for it."""

    code: bytes
    is_own: ClassVar[bool] = True

    def wait(self) -> bytes:
        """Returns the code."""
        return self.code

    def stop(self) -> None:
        """Does nothing."""


def _started(command: list[str]) -> subprocess.Popen[bytes] | None:
    """Returns a Python process that waits for input; None if none can be started."""
    # It is slow to import, and not needed where optimised code is kept; so is `zlib` in `optimiser`.
    import subprocess

    if not sys.executable or getattr(sys, "frozen", False):
        return None
    try:
        return subprocess.Popen(
            [sys.executable, "-P", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # Ctrl-C at a terminal is not meant for it.
            process_group=0,
            # It finds rulelang where this process did.
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
    except OSError:
        return None
