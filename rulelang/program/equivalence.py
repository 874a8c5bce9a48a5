"""Equivalence of things in a row: things with equal likenesses are interchangeable.

Two things are alike if they have the same printed attributes, place and face, if each of their variables has the same
value, nothing lies on either of them, and the same variables point at them. Random outcomes and keys treat alike things
as one. Options go by what the seat that is asked sees: two things are alike to it if it sees no difference.

    | copies | power |
    | 2      | nitro |        # the two nitro tokens in one hand are alike

Likewise, the places of a shuffled pile are equivalent as long as its order is open: explicit chance has not been asked yet
which thing lies where, and any order in a row stands for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

import attrs

from rulelang.ir.model import Branch, GameRules, StateVariable
from rulelang.ir.numbers import Mask, Row, Slot, Thing
from rulelang.ir.types import NONE, KindType, SetType, Type
from rulelang.ir.walk import read_in
from rulelang.program.layout import Layout, is_empty
from rulelang.program.packing import items, mask_of, pack, things_of

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


# ------------------------------------------------------------------ open orders

ShufflesPile: TypeAlias = Callable[[Row, int, int, list[Thing]], list[int]]
"""Returns the new order of some things: from a row, a stream, and their kind."""


@attrs.frozen
class OpenPile:
    """The things of a pile whose order is open: any of them may lie in any of their places."""

    kind: int
    things: Mask
    stream: int
    number: int
    """The number of earlier shuffles of the stream."""

    def places(self, order: Sequence[Thing]) -> list[int]:
        """Returns the places in the pile whose things are open, from the top."""
        return [at for at, thing in enumerate(order) if self.things >> thing & 1]


@attrs.frozen
class OpenOrders:
    """The piles whose order is open, by the slot of each, and the late shuffles so far, as they have come out.

    A shuffle is found by its stream and its number; where it is open, any order stands for those that are possible.
    """

    piles: Mapping[Slot, OpenPile] = attrs.field(factory=dict)
    shuffles: Mapping[tuple[int, int], tuple[int, ...]] = attrs.field(factory=dict)

    def sorted(self, row: Row, game: GameRules, layout: Layout) -> tuple[Row, tuple[tuple[Slot, int], ...]]:
        """Returns the row with like things in like places, and the open places as masks, by slot.

        What is open is the same in two positions if both are; a pile is left out if all its open things are alike.
        """
        row, places = row[:], list[tuple[Slot, int]]()
        for slot, pile in sorted(self.piles.items()):
            order = items(row[slot])
            at = pile.places(order)
            like = sorted((likeness(game, layout, row, pile.kind, thing), thing) for thing in things_of(pile.things))
            for place, (_, thing) in zip(at, like, strict=True):
                order[place] = thing
            row[slot] = pack(order)
            if like[0][0] != like[-1][0]:
                places.append((slot, mask_of(at)))
        return row, tuple(places)

    def settled(self, row: Row, shuffle: ShufflesPile) -> Row:
        """Returns the row with an order for each pile that is open."""
        row = row[:]
        for slot, pile in sorted(self.piles.items()):
            order = items(row[slot])
            given = shuffle(row, pile.stream, pile.kind, things_of(pile.things))
            for place, thing in zip(pile.places(order), given, strict=True):
                order[place] = Thing(thing)
            row[slot] = pack(order)
        return row


SETTLED = OpenOrders()
"""No order is open, and none ever was."""
