"""Pictures of `rulelang.screens.picture` onto a terminal, with rich: `draw` for a screen, `narrate` for what happened.

Parts of `rulelang.screens`      ->      lines of text with styles: maps as boxes, rows as columns
"""

from .narration import briefly, narrate, tell
from .page import draw

__all__ = ["briefly", "draw", "narrate", "tell"]
