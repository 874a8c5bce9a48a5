"""The cache: what may be made again, kept in the user's own folder; it saves time and never changes what comes of anything.

    cache.write("game-5f3a.json", key, body)      the body, sealed with its own digest and that of all it was made of
    cache.read("game-5f3a.json", key)             the body, or None: not there, made of something else, damaged, not ours

It may be deleted at any time.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

import attrs
import platformdirs

from rulelang import disk

LARGEST = 2**28
"""So many bytes are read back at most."""


@attrs.frozen
class Cache:
    """A folder of kept texts, each under a name and a key that tells what it was made of."""

    folder: Path

    def read(self, name: str, key: str) -> str | None:
        """Returns what is kept under a name; None unless it is whole, of this key, and this user's own."""
        try:
            seal, _, body = disk.read_own(self.folder / name, LARGEST).decode().partition("\n")
        except (OSError, ValueError):
            return None
        return body if seal == _seal(key, body) else None

    def write(self, name: str, key: str, body: str) -> None:
        """Keeps a text; does nothing where the folder cannot be written."""
        with contextlib.suppress(OSError):
            disk.replace(self.folder / name, f"{_seal(key, body)}\n{body}".encode(), mode=0o600)


def users_folder() -> Path:
    """Returns where the user's own cache of rulelang lies; RULELANG_CACHE names another folder."""
    return Path(os.environ.get("RULELANG_CACHE") or platformdirs.user_cache_dir("rulelang", appauthor=False))


def users_cache() -> Cache | None:
    """Returns the user's own cache, its folder made; None where others could write to it."""
    folder = users_folder()
    return Cache(folder) if disk.own_folder(folder) else None


def _seal(key: str, body: str) -> str:
    """Returns what tells whether a body is whole and was made of what the key tells."""
    return hashlib.sha256(f"{key}\n{body}".encode()).hexdigest()
