"""Pauses Python's collector of cycles while a game is built, or modules are loaded.

Nearly all new objects survive, so scanning them again and again takes a quarter of the time in vain.

    with held_back():
        unit = run(unit)
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import repeat

EARLY = repeat(None, 8)
"""One for each time that new objects are not scanned when the pause ends either, which takes a tenth of the start of a
game. There are only a few: where game after game is loaded, those that nobody holds any more must be found."""


@contextmanager
def held_back() -> Iterator[None]:
    """Pauses the collector; afterwards it is on or off as before."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if next(EARLY, 0) is None and not gc.get_freeze_count():
                # Objects that are frozen and thawed count as old. To count those that others froze takes long.
                gc.freeze()
                gc.unfreeze()
            gc.enable()
