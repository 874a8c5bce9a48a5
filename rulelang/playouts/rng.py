"""Names -> a stream of random numbers for bots and playouts, apart from the game's own dice.

RandomStream(7, "red").randrange(6)      # the same names, the same numbers, on every machine
"""

from __future__ import annotations

from rulelang.program.randomness import RandomStream

__all__ = ["RandomStream"]
