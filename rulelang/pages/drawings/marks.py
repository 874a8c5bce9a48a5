"""A place of a picture -> the mark by which a page finds it: to light it up, and to let pieces move between places.

mark_of(("Space", 4))      "Space 4", as `data-at` of the space and in `data-lights` of a sentence
"""

from __future__ import annotations

from rulelang.ir.types import Type
from rulelang.screens.touched import Place, place_of


def mark_of(place: Place) -> str:
    """Returns the mark of a place; commas, which part several marks, are no part of it.

    >>> mark_of(("Space", 4)), mark_of(("thing", "a, b"))
    ('Space 4', 'thing a  b')
    """
    return f"{place[0]} {place[1]}".replace(",", " ")


def mark_for(stands_for: tuple[Type, int] | None) -> str | None:
    """Returns the mark of a cell by the value that it shows; None if it shows none."""
    place = None if stands_for is None else place_of(*stands_for)
    return None if place is None else mark_of(place)
