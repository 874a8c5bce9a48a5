"""Equivalence of things in a row: things with equal likenesses are interchangeable.

Two things are alike if they have the same printed attributes, place and face, if each of their variables has the same
value, nothing lies on either of them, and the same variables point at them. Random outcomes and keys treat alike things
as one. Options go by what the seat that is asked sees: two things are alike to it if it sees no difference.

    | copies | power |
    | 2      | nitro |        # the two nitro tokens in one hand are alike
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from rulelang.ir.model import Branch, GameRules, StateVariable
from rulelang.ir.numbers import Row, Thing
from rulelang.ir.types import NONE, KindType, SetType, Type
from rulelang.ir.walk import read_in
from rulelang.program.layout import Layout, is_empty

Sees: TypeAlias = Callable[[StateVariable, int], bool]
"""Tells whether a cell of a variable is seen."""
Likeness: TypeAlias = tuple[int, ...]
UNSEEN = NONE - 1
"""Stands for the value of a cell that is not seen."""


def everything(state: StateVariable, at: int) -> bool:
    """Returns that a cell is seen: this viewer sees everything."""
    return True


def public(state: StateVariable, at: int) -> bool:
    """Returns whether everybody sees a cell."""
    return state.visible == "all" and not state.scratch


def likeness(
    game: GameRules, layout: Layout, row: Row, kind: int, thing: Thing, sees: Sees = everything
) -> tuple[int, ...]:
    """Returns a tuple that is the same for two things of a kind if and only if they are interchangeable in this row, to
    whoever sees what `sees` says."""
    things = game.kinds[kind]
    traits = [things.classes[thing]]
    if things.movable:
        traits += (row[layout.places[kind] + thing], row[layout.faces[kind] + thing])
    return (*traits, *belongings(layout, row, kind, thing, sees))


def belongings(layout: Layout, row: Row, kind: int, thing: Thing, sees: Sees = everything) -> Likeness:
    """Returns the values of the variables that belong to a thing, whether anything lies on it, and which variables
    point at it."""
    return (
        *_owned(layout, row, kind, thing, sees),
        *(
            points_at(row[slot + at], is_set, thing) and sees(state, at)
            for state, slot, size, is_set in layout.pointing[kind]
            for at in range(size)
        ),
    )


def _owned(layout: Layout, row: Row, kind: int, thing: Thing, sees: Sees) -> Iterator[int]:
    for of, start, before, size, width in layout.owned[kind]:
        for block in range(before):
            for at in range((block * size + thing) * width, (block * size + thing + 1) * width):
                if isinstance(of, StateVariable):
                    yield row[start + at] if sees(of, at) else UNSEEN
                else:
                    yield UNSEEN if is_empty(of, row[start + at]) else thing


def points_at(value: int, is_set: bool, thing: int) -> bool:
    """Returns whether a value that is a thing, or a set of things, is or holds one of them.

    >>> points_at(2, False, 2), points_at(0b101, True, 1), points_at(NONE, True, 1)
    (True, False, False)
    """
    return bool(value > 0 and value >> thing & 1) if is_set else value == thing


def pointers(game: GameRules, types: Mapping[int, Type], branch: Branch, known: int) -> tuple[tuple[int, bool], ...]:
    """Returns the locals by which the rules may tell the candidates for a parameter apart: those that the branch reads
    and the parameters before it, if they are things of the same kind, or sets of such; each with whether it is a set.
    """
    kind = branch.parameters[known].interchange
    if kind is None:
        return ()
    parts = [(need.condition for need in branch.needs)]
    domains = [(parameter.domain, parameter.low, parameter.high) for parameter in branch.parameters]
    own = [parameter.variable.id for parameter in branch.parameters]
    free = sorted(read_in(*(part for group in (*parts, *domains) for part in group if part is not None)) - set(own))
    name, found = game.kinds[kind].name, list[tuple[int, bool]]()
    for id in (*free, *own[:known]):
        type = types[id]
        element = type.element if isinstance(type, SetType) else type
        if isinstance(element, KindType) and element.name == name:
            found.append((id, isinstance(type, SetType)))
    return tuple(found)
