"""The images that rules name -> their contents, from the folder of the game and nowhere else.

image_of(Disk(), Path("chess/chess.rules"), "chess", "art/knight.svg")      b"<svg …"; None if there is no such file
"""

from __future__ import annotations

from pathlib import Path

from rulelang.texts.model import Texts


def image_of(texts: Texts, entry: Path, game: str, written: str) -> bytes | None:
    """Returns the contents of an image below the folder of a game; None if there is none that can be read, wherever
    links lead. A variant on its own has those of the shipped game that it varies.
    """
    shipped = texts.shipped(game)
    for text in (entry, *(() if shipped is None else (shipped,))):
        folder = texts.resolved(text.parent)
        path = texts.named(folder, written)
        found = texts.image(path) if texts.is_inside(path, folder) else None
        if found is not None:
            return found
    return None
