"""A log on disk, open for the one process that writes it.

    with LogFile.create(path) as file: ...      a new log; raises FileExistsError
    with LogFile.reopen(path) as file: ...      a log to continue; raises LogInUse while another process writes it

The lock is the system's own, on the open file: it disappears with the process, however that ends, and does not prevent
reading. A partial write is cut off again, so a full disk leaves a log that ends with a whole line.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from pathlib import Path
from typing import IO, Self

from rulelang.diagnostics.suggest import suggest
from rulelang.disk import flush_folder, is_full
from rulelang.errors import LogError, LogInUse

_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_OLD = os.O_RDWR | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_BUSY = frozenset({errno.EACCES, errno.EAGAIN, errno.EDEADLK})
"""The system's errors for a lock that another process holds."""

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        """Locks a byte beyond the end of any log, so that everyone can still read; raises OSError."""
        os.lseek(handle, 2**40, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        os.lseek(handle, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(handle: int) -> None:
        """Locks an open file for this process alone; raises OSError."""
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def open_to_read(path: str | Path) -> IO[bytes]:
    """Opens a log for reading; raises LogError if it is not a plain file or cannot be opened."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        raise LogError(f"the log cannot be read: there is no such file{meant_beside(Path(path))}") from None
    except (OSError, ValueError) as error:
        raise LogError(f"the log cannot be read: {_reason(error)}") from None
    return os.fdopen(_plain(handle), "rb")


def meant_beside(path: Path) -> str:
    """Returns a suggestion for a path that does not exist: `; did you mean game.jsonl?`, or ""."""
    with contextlib.suppress(OSError):
        near = suggest(path.name, sorted(other.name for other in path.parent.iterdir()))
        return f"; did you mean {path.parent / near}?" if near else ""
    return ""


class LogFile:
    """A log that only this process writes; its position is always the end of a complete write."""

    def __init__(self, path: Path, handle: int) -> None:
        self.path = path
        self._file = os.fdopen(handle, "r+b", buffering=0)

    @classmethod
    def create(cls, path: str | Path) -> Self:
        """Creates a new log; raises FileExistsError if the file exists, OSError if it cannot be created."""
        path = Path(path)
        try:
            handle = os.open(path, _NEW, 0o666)
        except ValueError as error:
            raise OSError(errno.EINVAL, str(error), str(path)) from None
        log = cls(path, _locked(path, handle))
        flush_folder(path.parent)
        return log

    @classmethod
    def reopen(cls, path: str | Path) -> Self:
        """Opens a log to continue it; raises LogInUse if another process writes it, LogError if it cannot be opened."""
        path = Path(path)
        try:
            handle = os.open(path, _OLD)
        except FileNotFoundError:
            raise LogError(f"{path}: the log cannot be read: there is no such file{meant_beside(path)}") from None
        except (OSError, ValueError) as error:
            raise LogError(f"{path}: the log cannot be written: {_reason(error)}") from None
        return cls(path, _locked(path, _plain(handle)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def reading(self) -> IO[bytes]:
        """The file from its start, for reading before anything is written."""
        self._file.seek(0)
        return os.fdopen(os.dup(self._file.fileno()), "rb")

    def write(self, data: bytes) -> int:
        """Writes all of a text; if that fails, writes nothing and raises LogError."""
        start = self._file.tell()
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            self.truncate(start)
            raise self._failed(error) from None
        return len(data)

    def tell(self) -> int:
        """Returns the end of the log, in bytes."""
        return self._file.tell()

    def seek(self, position: int) -> int:
        """Goes to a position, in bytes from the start."""
        return self._file.seek(position)

    def truncate(self, size: int) -> int:
        """Cuts the file to a number of bytes; if that fails, readers ignore the rest."""
        with contextlib.suppress(OSError):
            self._file.truncate(size)
        return self._file.seek(size)

    def flush(self) -> None:
        """Does nothing: every write goes straight to the system."""

    def sync(self) -> None:
        """Flushes everything written to the disk; raises LogError."""
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._failed(error) from None

    def discard(self) -> None:
        """Removes a log in which nothing could be written."""
        self.close()
        with contextlib.suppress(OSError):
            self.path.unlink()

    def close(self) -> None:
        """Closes the file, and thereby releases the lock."""
        self._file.close()

    def _failed(self, error: OSError) -> LogError:
        room = ": the disk is full" if is_full(error) else ""
        return LogError(f"{self.path} cannot be written{room}: {_reason(error)}")


def _plain(handle: int) -> int:
    """Returns the handle of a plain file; raises LogError for a pipe, a device or a folder."""
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise LogError("the log cannot be read: this is not a file")
    return handle


def _locked(path: Path, handle: int) -> int:
    try:
        _lock(handle)
    except OSError as error:
        os.close(handle)
        if error.errno in _BUSY:
            raise LogInUse(f"{path} is being written by another game; it can be replayed meanwhile") from None
        raise LogError(f"{path} cannot be locked here, so it cannot be written: {_reason(error)}") from None
    return handle


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror or "no file") if isinstance(error, OSError) else str(error)
