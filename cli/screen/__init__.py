"""Pictures of `rulelang.screens.picture` onto a terminal, with rich: `draw` for a screen, `narrate` for what happened."""

from .narration import narrate
from .page import draw

__all__ = ["draw", "narrate"]
