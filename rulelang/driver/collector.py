"""Python's collector of cycles, held back while a game is made.

Nearly all that is made stays, and to look through it again and again takes a quarter of the time.

    with held_back():
        unit = run(unit)
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def held_back() -> Iterator[None]:
    """Holds the collector back; afterwards it is on or off as it was."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
