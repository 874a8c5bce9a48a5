"""Turns the values of `rulelang.screens` into lines for a terminal, with Rich: `draw` for a screen, `narrate` and
`summary` for events.

Parts of `rulelang.screens`      ->      lines of text with styles: maps as boxes, rows as columns

Invariant: nothing here reads the rules; a screen is drawn from its parts alone, a narration from events.
"""

from .narration import height, narrate, outdented, tell
from .page import draw, signified
from .summary import summary

__all__ = ["draw", "height", "narrate", "outdented", "signified", "summary", "tell"]
