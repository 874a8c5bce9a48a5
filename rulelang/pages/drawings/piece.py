"""A name -> a piece: a shape in its colour, with its image, its sign or its first letter.

piece(named("red", "seat"), 30, 30, 12, ink)      <g data-piece="piece red"><circle class="piece ink-red" …/>…</g>
"""

from __future__ import annotations

from collections import Counter
from math import cos, pi, sin
from urllib.parse import quote

from rulelang.ir.model import Look
from rulelang.knowledge.phrase import named, names_in
from rulelang.knowledge.rendering import COVERED
from rulelang.pages.ink import Ink
from rulelang.pages.markup import Markup, element, rounded, together

CORNERS = {"square": (4, 0.5, 1.0), "diamond": (4, 0.0, 1.0), "triangle": (3, 0.0, 1.0), "hexagon": (6, 0.0, 1.0),
           "star": (10, 0.0, 0.45)}  # fmt: skip
LINES = {"cross": "M-.8-.8L.8.8M.8-.8L-.8.8", "ring": "M0-.85A.85.85 0 1 1 0 .85A.85.85 0 1 1 0-.85"}
"""By shape without a ground: its line, in a square from -1 to 1."""
"""By shape: its corners, by what part of one it is turned, and how far every second corner is out."""
HEAP = 3
"""The number of pieces of one name from which on they are drawn as a heap."""
SHORT = 3
"""The most letters of an abbreviation that stands on a piece as it is."""


def is_piece(words: str, ink: Ink) -> bool:
    """Returns whether a text is a name that is drawn as a piece: one with a colour or a look."""
    return bool(names_in(words)) and (bool(ink.colour(words)) or is_told(ink.look(words)))


def is_told(look: Look) -> bool:
    """Returns whether the rules say anything of a look."""
    return bool(look.sign or look.shape or look.image)


def heaps(words: list[str]) -> list[str]:
    """Returns names as they are drawn: many of one name as a heap, with their number.

    >>> [names_in(word)[0].count for word in heaps([named("coin", "thing")] * 4)]
    [4]
    """
    found: list[str] = []
    for word, number in Counter(words).items():
        name = next(iter(names_in(word)), None)
        if number < HEAP or name is None:
            found += [word] * number
        else:
            found.append(named(str(word), name.what, name.of, number * name.count))
    return found


def piece(words: str, x: float, y: float, radius: float, ink: Ink) -> Markup:
    """Returns the piece that a name stands for; of several, one with their number."""
    look, colour = ink.look(words), ink.colour(words)
    name = next(iter(names_in(words)))
    called = str(words[name.start : name.end])
    sign = look.sign or _initials(called, is_shaped=look.shape not in ("", "card"))
    size = radius * (1.3 if look.sign else 1.0) / max(len(sign) * 0.75, 1)
    klass = f"piece ink-{colour}" if colour else "piece"
    return element(
        "g",
        _shape(look.shape, x, y, radius, klass),
        image(look.image, x - radius * 0.8, y - radius * 0.8, radius * 1.6)
        if look.image
        else None
        if not sign
        else element("text", sign, klass="letter", x=x, y=y + size * 0.35, font_size=size),
        _number(name.count, x + radius * 0.75, y - radius * 0.75, radius * 0.55) if name.count > 1 else None,
        data_piece=f"piece {words[name.start : name.end]}",
    )


def _initials(called: str, *, is_shaped: bool) -> str:
    """Returns the letters that stand on a piece without a sign: an abbreviation, else the first letters of its words,
    unless its shape tells what it is.

    >>> [_initials(name, is_shaped=False) for name in ("RP", "the red probe", "Nat A", "black")], _initials("black", is_shaped=True)
    (['RP', 'RP', 'NA', 'B'], '')
    """
    if len(called) <= SHORT and called.isupper():
        return called
    words = [word for word in called.split() if word[0].isalnum() and word not in ("a", "an", "the")]
    return "" if is_shaped else "".join(word[0].upper() for word in words[:2])


def is_covered(words: str) -> bool:
    """Returns whether a text stands for things that lie face down."""
    return words == COVERED or any(name.what == "back" for name in names_in(words))


def back(words: str, x: float, y: float, radius: float) -> Markup:
    """Returns the back of the card for which a text stands; of several, one with their number."""
    wide, count = radius * 1.4, sum(name.count for name in names_in(words))
    card = element(
        "rect", klass="face-down", x=x - wide / 2, y=y - radius, width=wide, height=radius * 2, rx=radius / 6
    )
    return together(card, _number(count, x + wide / 2, y - radius * 0.75, radius * 0.4) if count > 1 else None)


def image(path: str, x: float, y: float, wide: float) -> Markup:
    """Returns an image of the game's folder, in a drawing."""
    return element("image", href=address_of(path), x=x, y=y, width=wide, height=wide)


def address_of(path: str) -> str:
    """Returns the address of an image of the game's folder, seen from the page of a table.

    >>> address_of("cards/the king.svg")
    'art/cards/the%20king.svg'
    """
    return f"art/{quote(path)}"


def _shape(shape: str, x: float, y: float, radius: float, klass: str) -> Markup:
    if shape == "card":
        wide = radius * 1.4
        return element("rect", klass=klass, x=x - wide / 2, y=y - radius, width=wide, height=radius * 2, rx=radius / 6)
    if shape in LINES:
        return element(
            "path",
            klass=f"{klass} line",
            d=LINES[shape],
            transform=f"translate({rounded(x)} {rounded(y)}) scale({rounded(radius)})",
        )
    if shape not in CORNERS:
        return element("circle", klass=klass, cx=x, cy=y, r=radius)
    corners, turned, inner = CORNERS[shape]
    points = []
    for number in range(corners):
        far, turn = radius * (inner if number % 2 else 1) * 1.1, 2 * pi * (number + turned) / corners - pi / 2
        points.append(f"{rounded(x + far * cos(turn))},{rounded(y + far * sin(turn))}")
    return element("polygon", klass=klass, points=" ".join(points))


def _number(count: int, x: float, y: float, radius: float) -> Markup:
    """Returns the number of a heap, in a corner of its piece."""
    return element(
        "g",
        element("circle", klass="count", cx=x, cy=y, r=radius),
        element("text", str(count), klass="counted", x=x, y=y + radius * 0.36, font_size=radius * 1.2),
    )
