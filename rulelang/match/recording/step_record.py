"""The trail of a step: its draws and the movements of its things, as numbers, from which re-deals derive other courses.

draw       shuffle deck -> (7, 2, 5, ...)         the order, top first
passage    thing 7 left the deck, seen by red     so position 0 of that shuffle is known to red
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

from rulelang.ir.numbers import Mask, Thing
from rulelang.machines.chance import ChanceOutcome, DrawForm
from rulelang.machines.machine import LaidEnd

Passing: TypeAlias = Literal["move", "show", "shuffle"]


@attrs.frozen
class Draw:
    """One random outcome of a step: `form` is roll, pick or shuffle."""

    form: DrawForm
    stream: int
    value: ChanceOutcome
    seers: Mask
    """The viewers who saw it when it was drawn, for rolls and for picks of values other than things."""


@attrs.define(unsafe_hash=True)
class Passage:
    """A pile was shuffled, a thing left a place, or a thing was shown in its place: `what` is shuffle, move or show. A value,
    not frozen because one is made at each move."""

    what: Passing
    kind: int
    thing: Thing
    source: int
    target: int
    end: LaidEnd
    knowers: Mask
    """The viewers who know the thing afterwards."""
    draws: int
    """The number of earlier draws of the step."""


@attrs.frozen
class Trail:
    """The trail of one step."""

    draws: tuple[Draw, ...] = ()
    passages: tuple[Passage, ...] = ()


NOTHING_LEFT = Trail()
"""The trail of a step in which nothing was drawn and nothing moved."""
