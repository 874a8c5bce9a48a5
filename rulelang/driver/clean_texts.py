"""Keeps that texts have no faults, so that they are not looked through again.

    key = key_of(loaded, combinations)
    are_clean(key)                      True if this very code found no fault in these very texts before
    keep(key)                           keeps that

A fault itself is never kept but found anew, so that no diagnostic can be stale.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from rulelang.cache import users_cache
from rulelang.driver.kept import everything_here
from rulelang.texts.loading import Loaded

CLEAN = "no faults"
"""The body of what is kept."""


def key_of(loaded: Loaded, combinations: Iterable[tuple[str, ...]]) -> str | None:
    """Returns a digest of all that faults depend on: every text, the ledger, the combinations of variants, the code.

    None for texts that name images, since whether those exist is not told by any text; and for texts with faults.
    """
    if loaded.diagnostics or any("image" in source.text for source in loaded.sources):
        return None
    texts = [(source.name, source.text) for source in loaded.sources]
    further = [source.name for source in loaded.further]
    depends_on = (everything_here(), str(loaded.entry.resolve()), texts, further, loaded.ledger, tuple(combinations))
    return hashlib.sha256(repr(depends_on).encode()).hexdigest()


def are_clean(key: str) -> bool:
    """Returns whether the user's cache says that the texts under a key have no faults."""
    own = users_cache()
    return own is not None and own.read(_name(key), key) == CLEAN


def keep(key: str) -> None:
    """Keeps that the texts under a key have no faults; does nothing without a cache."""
    own = users_cache()
    if own is not None:
        own.write(_name(key), key, CLEAN)


def _name(key: str) -> str:
    return f"clean-{key[:32]}.txt"
