"""Atomic file writes, and checks that only the user can change a file.

    replace(path, data)    a reader finds either the old contents or all of the new
    create(path, data)     the same for a path where no file exists yet
    create_folder(path, files)    a folder with all its files, or none
    read_own(path, most)   the contents, if the file belongs to this user and nobody else can write it
    check_folder(folder)   raises OSError if files cannot be written there, before a long run begins
    is_closed(folder)      whether nobody else can change what the folder's name leads to

The data goes to a new file beside the path, is flushed to the disk, and only then gets the name. A full disk leaves the
old file intact and no partial file behind.

Invariant: no write follows a link, and a failed write leaves nothing behind.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

FULL = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})
"""The error codes for no room left: on the disk, in a file that reached its limit, or in the user's quota."""
_BESIDE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_NO_LINKS = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})
"""The error codes of file systems without hard links."""


def is_full(error: OSError) -> bool:
    """Returns whether a write failed because the disk or the quota is full."""
    return error.errno in FULL


def replace(path: Path, data: bytes, *, mode: int | None = None) -> None:
    """Writes a file atomically; keeps the permissions of a file that it replaces; raises OSError, with the path.

    `mode` sets other permissions. A link is replaced, not followed.
    """
    with _named(path):
        part = _written(path, data, _permissions(path) if mode is None else mode)
        try:
            part.replace(path)
        except BaseException:
            _remove(part)
            raise
        flush_folder(path.parent)


def create(path: Path, data: bytes, *, mode: int | None = None) -> None:
    """Writes a new file atomically; raises FileExistsError if
    one exists, and OSError, with the path, for other failures.
    """
    with _named(path):
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
        part = _written(path, data, mode)
        try:
            _name(part, path)
        finally:
            _remove(part)
        flush_folder(path.parent)


def create_folder(path: Path, files: Mapping[str, bytes]) -> None:
    """Writes a new folder with its files, given by their names inside it, atomically; raises FileExistsError if
    anything has its name, and OSError, with the path, for other failures.
    """
    with _named(path):
        part = path.with_name(f".{path.name[:80]}.{os.urandom(8).hex()}.part")
        is_taken = False
        try:
            for name, data in files.items():
                (part / name).parent.mkdir(parents=True, exist_ok=True)
                create(part / name, data)
            # An empty folder takes the name from everybody else; only Windows cannot put another in its place.
            if os.name != "nt":
                path.mkdir()
                is_taken = True
            part.rename(path)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            if is_taken:
                with contextlib.suppress(OSError):
                    path.rmdir()
            raise
        flush_folder(path.parent)


def check_folder(folder: Path) -> None:
    """Raises OSError if files cannot be written to a folder, or if it does not exist and cannot be made."""
    with _named(folder):
        there = next(path for path in (folder, *folder.absolute().parents) if os.path.lexists(path))
        if not there.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(there))
        if not os.access(there, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(there))


def own_folder(folder: Path) -> bool:
    """Makes a folder for this user alone; returns whether nobody else can write to it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.stat()
        if not _is_own(found) and _uid() == found.st_uid:
            folder.chmod(stat.S_IMODE(found.st_mode) & ~_OTHERS_WRITE)
            found = folder.stat()
    except (OSError, ValueError):
        return False
    return stat.S_ISDIR(found.st_mode) and _is_own(found)


def is_closed(folder: Path) -> bool:
    """Returns whether a folder belongs to this user and neither it nor a parent lets others replace it."""
    try:
        found = folder.resolve()
        return _is_own(found.stat()) and all(_keeps_names(above.stat()) for above in found.parents)
    except (OSError, ValueError, RuntimeError):
        return False


def _keeps_names(found: os.stat_result) -> bool:
    """Returns whether a folder belongs to this user or the system and lets others rename only their own files in it."""
    if os.name == "nt":
        return True
    return found.st_uid in (_uid(), 0) and (not found.st_mode & _OTHERS_WRITE or bool(found.st_mode & stat.S_ISVTX))


def read_own(path: Path, most: int) -> bytes:
    """Returns the contents of a file that belongs to this user; raises OSError for one that others can write, a link,
    or one too large.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        found = os.fstat(file.fileno())
        if not (stat.S_ISREG(found.st_mode) and _is_own(found) and found.st_size <= most):
            raise PermissionError(errno.EPERM, "this is not a file of this user's own", str(path))
        return file.read(most)


def _is_own(found: os.stat_result) -> bool:
    return os.name == "nt" or (found.st_uid == _uid() and not found.st_mode & _OTHERS_WRITE)


def _uid() -> int:
    if sys.platform == "win32":
        return -1
    # Python in a browser has one user, and no word for who acts.
    return os.geteuid() if hasattr(os, "geteuid") else os.getuid()


def flush_folder(folder: Path) -> None:
    """Flushes a folder's entries to the disk, if the system supports it."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _written(path: Path, data: bytes, mode: int | None) -> Path:
    """Writes a new file beside a path and flushes it to the disk; returns its path."""
    part = path.with_name(f".{path.name[:80]}.{os.urandom(8).hex()}.part")
    handle = os.open(part, _BESIDE, 0o666 if mode is None else mode)
    try:
        with os.fdopen(handle, "wb") as file:
            if mode is not None and hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        _remove(part)
        raise
    return part


def _name(part: Path, path: Path) -> None:
    """Moves a file to a name that no other file has yet."""
    try:
        os.link(part, path, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        os.close(os.open(path, _BESIDE))
        part.replace(path)


def _permissions(path: Path) -> int | None:
    try:
        found = path.lstat()
    except OSError:
        return None
    return stat.S_IMODE(found.st_mode) if stat.S_ISREG(found.st_mode) else None


def _remove(part: Path) -> None:
    with contextlib.suppress(OSError):
        part.unlink()


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """Makes errors name the file that the caller asked for."""
    try:
        yield
    except FileExistsError:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None
    except ValueError as error:
        # No system accepts such a path, for example one with a NUL.
        raise OSError(errno.EINVAL, str(error), str(path)) from None
