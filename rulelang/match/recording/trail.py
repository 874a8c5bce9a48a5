"""The trail of a step: its draws and where its things went, as numbers, from which variations can be supposed and
played.

draw       shuffle deck -> (7, 2, 5, ...)         the order, top first
passage    thing 7 left the deck, seen by red     so position 0 of that shuffle is known to red
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

from rulelang.ir.numbers import Mask, Thing
from rulelang.machines.chance import DrawForm
from rulelang.machines.machine import End

Passing: TypeAlias = Literal["move", "show", "shuffle"]

Drawn: TypeAlias = int | tuple[int, ...]
"""A face, a picked value, or an order."""


@attrs.frozen
class Draw:
    """One random outcome of a step: `form` is roll, pick or shuffle."""

    form: DrawForm
    stream: int
    value: Drawn
    seers: Mask
    """The viewers who saw it when it was drawn, for rolls and for picks that are no things."""


@attrs.frozen
class Passage:
    """A pile was shuffled, a thing left a place or was looked at where it lies: `what` is shuffle, move or show."""

    what: Passing
    kind: int
    thing: Thing
    source: int
    target: int
    end: End
    knowers: Mask
    """The viewers who know the thing after that."""
    draws: int
    """How many draws of the step came before."""


@attrs.frozen
class Trail:
    """The trail of one step."""

    draws: tuple[Draw, ...] = ()
    passages: tuple[Passage, ...] = ()


NOTHING_LEFT = Trail()
"""The trail of a step in which nothing was drawn and nothing moved."""
