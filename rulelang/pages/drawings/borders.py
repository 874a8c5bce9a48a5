"""An edge or a corner that is a space itself -> a line or a disc, in the colour of what is there.

border(cell, ((30.0, 4.6), (56.0, 19.8)), ink)        <line class="border ink-red" …/>
"""

from __future__ import annotations

from rulelang.knowledge.phrase import names_in
from rulelang.pages.drawings.piece import is_piece, piece
from rulelang.pages.ink import Ink
from rulelang.pages.markup import Markup, element, together
from rulelang.screens.model import ScreenCell

RADIUS = 8.5
"""The radius of what lies on a corner."""
FREE = 4.0
"""The radius of a corner on which nothing lies."""
SHORTER = 0.18
"""The part of an edge, at each end, that is left to the corner."""


def border(cell: ScreenCell, points: tuple[tuple[float, float], ...], ink: Ink) -> Markup:
    """Returns the line between two points, or the disc at one, with the piece or the words of its cell."""
    (x, y), (u, v) = points[0], points[-1]
    words = "" if cell.is_free else cell.text
    colour = ink.colour(words)
    if len(points) == 1:
        disc = element("circle", klass="point", cx=x, cy=y, r=RADIUS if words else FREE)
        return together(disc, _on(words, x, y, ink))
    dx, dy = (u - x) * SHORTER, (v - y) * SHORTER
    # What the rules say of an edge, as its harbour, is dotted and written: nobody takes it for a road in that colour.
    is_said = any(name.what == "member" for name in names_in(words)[:1])
    klass = f"border ink-{colour}" if colour else "border taken" if words else "border"
    line = element("line", klass=f"{klass} said" if is_said else klass, x1=x + dx, y1=y + dy, x2=u - dx, y2=v - dy)
    middle = ((x + u) / 2, (y + v) / 2)
    return together(line, _words(words, *middle) if is_said else None if colour else _on(words, *middle, ink))


def reach(points: tuple[tuple[float, float], ...]) -> Markup | None:
    """Returns the unseen line along an edge that is wide enough for a finger; None for a corner."""
    (x, y), (u, v) = points[0], points[-1]
    if len(points) == 1:
        return None
    dx, dy = (u - x) * SHORTER, (v - y) * SHORTER
    return element("line", klass="reach", x1=x + dx, y1=y + dy, x2=u - dx, y2=v - dy)


def _on(words: str, x: float, y: float, ink: Ink) -> Markup | None:
    """Returns the piece after which a text is named, or the text itself."""
    name = next(iter(names_in(words)), None)
    if name is not None and is_piece(words, ink):
        return piece(words, x, y, RADIUS, ink)
    return _words(words, x, y) if words else None


def _words(words: str, x: float, y: float) -> Markup:
    return element("text", words[:4], klass="mark", x=x, y=y + 3, font_size=9)
