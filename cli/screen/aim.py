"""The aim of a game, as lines for the terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType

from rulelang.knowledge.phrase import spliced
from rulelang.screens.aim import AimWords

from .hanging import Hanging
from .styles import Styles

INDENT = 2


def aimed(aim: AimWords, styles: Styles, *, so_far: bool = True) -> RenderableType:
    """Returns lines on what the game is about, how it ends, how long it lasts, and perhaps how far it has come."""
    heads = {
        "About": aim.about,
        "How it ends": aim.endings,
        "How long": (aim.lasts,),
        "So far": (aim.progress if so_far else "",),
    }
    lines: list[RenderableType] = []
    for head, texts in heads.items():
        if any(texts):
            lines.append(styles(head, "bold"))
            lines += (Hanging(styles(spliced((" " * INDENT, text))), INDENT) for text in texts if text)
    return Group(*lines)
