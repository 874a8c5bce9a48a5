"""Keeps Python's collector of cycles away from games: pauses it while one is built, or modules are loaded.

Nearly all new objects survive, so scanning them again and again takes a quarter of the time in vain.

    with held_back():
        unit = run(unit)
"""

from __future__ import annotations

import gc
import itertools

SEARCHED_EVERY = 50
"""The calls of `leave_out` after which all objects are searched."""
_calls = itertools.count(1)


class held_back:  # noqa: N801
    """Pauses the collector; afterwards it is on or off as before.

    A class, because every match begins in it, and a generator would take three times as long.
    """

    def __enter__(self) -> None:
        self._was_on = gc.isenabled()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        if self._was_on:
            gc.enable()


def leave_out() -> None:
    """Leaves all present objects out of further searches for cycles, and looks through all of them now and then: games
    live long and have no cycles, and one search through the largest takes longer than the check of an edit."""
    if next(_calls) % SEARCHED_EVERY == 0:
        gc.unfreeze()
    # A cycle that is left out can never be freed.
    gc.collect()
    gc.freeze()
