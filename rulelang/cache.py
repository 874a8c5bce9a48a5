"""The cache: what may be made again, kept in the user's own folder; it saves time and never changes what comes of anything.

    cache.write("game-5f3a.json", key, body)      the body, sealed with its own digest and that of all it was made of
    cache.read("game-5f3a.json", key)             the body, or None: not there, made of something else, damaged, not ours
    cache.read_code("code-71b2.bin", key)         the same, of what is run as it is: only from a folder that nobody else can change

It may be deleted at any time. `RULELANG_CACHE` names another folder; `off` does without.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

import attrs

from rulelang import disk

LARGEST = 2**28
"""So many bytes are read back at most."""
OFF = "off"
"""What RULELANG_CACHE says where nothing is to be kept."""


@attrs.frozen
class Cache:
    """A folder of kept texts, each under a name and a key that tells what it was made of."""

    folder: Path

    def read(self, name: str, key: str) -> str | None:
        """Returns what is kept under a name; None unless it is whole, of this key, and this user's own."""
        body = self._read(name, key)
        try:
            return None if body is None else body.decode()
        except ValueError:
            return None

    def write(self, name: str, key: str, body: str) -> None:
        """Keeps a text; does nothing where the folder cannot be written."""
        self._write(name, key, body.encode())

    def read_code(self, name: str, key: str) -> bytes | None:
        """Returns kept code as `read` does a text; None, too, where somebody else could have changed what the folder is."""
        return self._read(name, key) if disk.is_closed(self.folder) else None

    def write_code(self, name: str, key: str, body: bytes) -> None:
        """Keeps code; does nothing where the folder cannot be written, or somebody else could change what it is."""
        if disk.is_closed(self.folder):
            self._write(name, key, body)

    def _read(self, name: str, key: str) -> bytes | None:
        try:
            seal, _, body = disk.read_own(self.folder / name, LARGEST).partition(b"\n")
        except OSError:
            return None
        return body if seal == _seal(key, body) else None

    def _write(self, name: str, key: str, body: bytes) -> None:
        with contextlib.suppress(OSError):
            disk.replace(self.folder / name, _seal(key, body) + b"\n" + body, mode=0o600)


def users_folder() -> Path:
    """Returns where the user's own cache of rulelang lies; RULELANG_CACHE names another folder."""
    named = os.environ.get("RULELANG_CACHE")
    if named:
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_cache_dir("rulelang", appauthor=False))


def users_cache() -> Cache | None:
    """Returns the user's own cache, its folder made; None where others could write to it, or RULELANG_CACHE is `off`."""
    if os.environ.get("RULELANG_CACHE") == OFF:
        return None
    folder = users_folder()
    return Cache(folder) if disk.own_folder(folder) else None


def _seal(key: str, body: bytes) -> bytes:
    """Returns what tells whether a body is whole and was made of what the key tells."""
    return hashlib.sha256(key.encode() + b"\n" + body).hexdigest().encode()
