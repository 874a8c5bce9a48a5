"""Equivalence of things in a row: things with equal likenesses are interchangeable.

Two things are alike if they have the same printed attributes, place and face, and each of their variables has the same
value. Options, outcomes and keys treat alike things as one.

    | copies | power |
    | 2      | nitro |        # the two nitro tokens in one hand are alike
"""

from __future__ import annotations

from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Row, Thing
from rulelang.program.layout import Layout


def likeness(game: GameRules, layout: Layout, row: Row, kind: int, thing: Thing) -> tuple[int, ...]:
    """Returns a tuple that is the same for two things of a kind if and only if they are interchangeable in this row."""
    things = game.kinds[kind]
    traits = [things.classes[thing]]
    if things.movable:
        traits += (row[layout.places[kind] + thing], row[layout.faces[kind] + thing])
    return (*traits, *belongings(layout, row, kind, thing))


def belongings(layout: Layout, row: Row, kind: int, thing: Thing) -> tuple[int, ...]:
    """Returns the values of all variables that belong to a thing."""
    values: list[int] = []
    for first, width in layout.belongings[kind]:
        start = first + thing * width
        values += row[start : start + width]
    return tuple(values)
