"""Equivalence of things in a row: things with equal likenesses are interchangeable.

Two things are alike if they have the same printed attributes, place and face, and each of their variables has the same
value. Options, outcomes and keys treat alike things as one.

    | copies | power |
    | 2      | nitro |        # the two nitro tokens in one hand are alike
"""

from __future__ import annotations

from rulelang.ir.model import GameRules, Kind, StateVariable
from rulelang.ir.numbers import Row, Thing
from rulelang.ir.types import KindType
from rulelang.program.layout import Layout


def likeness(game: GameRules, layout: Layout, row: Row, kind: int, thing: Thing) -> tuple[int, ...]:
    """Returns a tuple that is the same for two things of a kind if and only if they are interchangeable in this row."""
    things = game.kinds[kind]
    traits = [things.classes[thing]]
    if things.movable:
        traits += (row[layout.places[kind] + thing], row[layout.faces[kind] + thing])
    return (*traits, *belongings(game, layout, row, kind, thing))


def belongings(game: GameRules, layout: Layout, row: Row, kind: int, thing: Thing) -> tuple[int, ...]:
    """Returns the values of all variables that belong to a thing."""
    things, values = game.kinds[kind], []
    for state in game.states:
        if is_about(state, things):
            width = layout.state_sizes[state.id] // things.size
            start = layout.states[state.id] + thing * width
            values += row[start : start + width]
    return tuple(values)


def is_about(state: StateVariable, kind: Kind) -> bool:
    """Returns whether a variable belongs to each thing of a kind: its first dimension is that kind."""
    first = state.dimensions[0] if state.dimensions else None
    return isinstance(first, KindType) and first.name == kind.name
