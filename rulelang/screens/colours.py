"""The colours of seats, and of whatever is named after a colour: for the terminal and for a page alike.

seat_colours(("red", "ann"))      {"red": "red", "ann": "cyan"}
"""

from __future__ import annotations

from typing import get_args

from rulelang.ir.model.vocabulary import Colour

COLOURS: tuple[str, ...] = get_args(Colour)
"""The colours that terminals and pages can show."""
SPARE = ("cyan", "purple", "yellow", "green", "blue", "red", "orange")
"""The colours of seats with other names, in order."""


def seat_colours(seats: tuple[str, ...], given: tuple[str, ...] = ()) -> dict[str, str]:
    """Returns the colour of each seat: the one that the rules give it, else the one of its name, else a spare one;
    "" when all are taken.

    >>> seat_colours(("red", "ann", "bob"), ("", "green"))
    {'red': 'red', 'ann': 'green', 'bob': 'cyan'}
    """
    said = dict(zip(seats, given, strict=False))
    own = {seat: colour_in(said.get(seat) or seat) for seat in seats}
    spare = iter([colour for colour in SPARE if colour not in own.values()])
    return {seat: own[seat] or next(spare, "") for seat in seats}


def colour_in(words: str) -> str:
    """Returns the colour by which a name begins; "" if it is none.

    >>> colour_in("Red rocket"), colour_in("redoubt"), colour_in("nitro")
    ('red', '', '')
    """
    first = words.casefold().partition(" ")[0]
    return first if first in COLOURS else ""
