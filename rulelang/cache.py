"""The cache: derived data and code in the user's own folder; it saves time and never changes a result.

    cache.write("game-5f3a.json", key, body)      writes the body, sealed with its own digest and that of its sources
    cache.read("game-5f3a.json", key)             the body; None if missing, stale, damaged or not ours
    cache.read_code("code-71b2.bin", key)         the same for code to be executed: only if nobody else can change the
    folder

It may be deleted at any time. `RULELANG_CACHE` names another folder; `off` disables the cache.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from pathlib import Path

import attrs

from rulelang import disk

LARGEST = 2**28
"""The largest file, in bytes, that is read back."""
OFF = "off"
"""The value of RULELANG_CACHE that disables the cache."""


@attrs.frozen
class Cache:
    """A folder of cached texts, each under a name, with a key that identifies its sources."""

    folder: Path

    def read(self, name: str, key: str) -> str | None:
        """Returns the text cached under a name; None unless it is intact, matches the key and belongs to this user."""
        body = self._read(name, key)
        try:
            return None if body is None else body.decode()
        except ValueError:
            return None

    def write(self, name: str, key: str, body: str) -> None:
        """Caches a text; does nothing if the folder cannot be written."""
        self._write(name, key, body.encode())

    def read_code(self, name: str, key: str) -> bytes | None:
        """Returns cached code, like `read`; None also if anyone else could have changed the folder."""
        return self._read(name, key) if disk.is_closed(self.folder) else None

    def write_code(self, name: str, key: str, body: bytes) -> None:
        """Caches code; does nothing if the folder cannot be written or anyone else could change its contents."""
        if disk.is_closed(self.folder):
            self._write(name, key, body)

    def _read(self, name: str, key: str) -> bytes | None:
        try:
            return unsealed(key, disk.read_own(self.folder / name, LARGEST))
        except OSError:
            return None

    def _write(self, name: str, key: str, body: bytes) -> None:
        with contextlib.suppress(OSError):
            disk.replace(self.folder / name, sealed(key, body), mode=0o600)


def users_folder() -> Path:
    """Returns the folder of the user's own cache; RULELANG_CACHE names another one."""
    named = os.environ.get("RULELANG_CACHE")
    if named:
        return Path(named)
    if sys.platform == "linux":
        # What `platformdirs` says there: to import it would take a twentieth of the start of a game.
        given, home = os.environ.get("XDG_CACHE_HOME", ""), os.environ.get("HOME", "")
        if os.path.isabs(given) or os.path.isabs(home):
            return Path(given if os.path.isabs(given) else f"{home}/.cache") / "rulelang"
    import platformdirs

    return Path(platformdirs.user_cache_dir("rulelang", appauthor=False))


def users_cache() -> Cache | None:
    """Returns the user's own cache and makes its folder; None if others could write to it or RULELANG_CACHE is `off`."""
    if os.environ.get("RULELANG_CACHE") == OFF:
        return None
    folder = users_folder()
    return Cache(folder) if disk.own_folder(folder) else None


def sealed(key: str, body: bytes) -> bytes:
    """Returns the contents of a sealed file.

    >>> unsealed("key", sealed("key", b"body")), unsealed("another", sealed("key", b"body"))
    (b'body', None)
    """
    return _seal(key, body) + b"\n" + body


def unsealed(key: str, data: bytes) -> bytes | None:
    """Returns the body of a sealed file; None unless it is intact and matches the key."""
    seal, _, body = data.partition(b"\n")
    return body if seal == _seal(key, body) else None


def _seal(key: str, body: bytes) -> bytes:
    """Returns the seal: a digest that shows whether a body is intact and matches its key."""
    return hashlib.sha256(key.encode() + b"\n" + body).hexdigest().encode()
