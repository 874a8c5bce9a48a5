"""Chance for solvers: returns the outcomes that it is given, then raises to ask for the next.

A step is run again from its start with one more outcome given, until it needs none:

    explicit = Explicit(game, layout, (4, 2))     # the first two draws give 4 and 2
    machine.answer(seat, answer)                  # raises NeedsChance at the third, with what it may give

"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TypeVar, cast

import attrs

from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Row, Thing
from rulelang.machines.chance import ImpossibleOutcome
from rulelang.program.equivalence import SETTLED, OpenOrders, likeness
from rulelang.program.layout import Layout
from rulelang.program.packing import items

T = TypeVar("T")


@attrs.frozen(slots=False)
class Unordered:
    """The things of a shuffle that have no place yet, in groups that are alike, each ascending.

    >>> Unordered(((0, 2), (1,))).without(0)
    Unordered(groups=((1,), (2,)))
    """

    groups: tuple[tuple[int, ...], ...]

    @cached_property
    def outcomes(self) -> tuple[tuple[int, Fraction], ...]:
        """The things that may come next, one of each group, with their probabilities."""
        sizes = [*map(len, self.groups)]
        likely = {size: Fraction(size, sum(sizes)) for size in sizes}
        return tuple((alike[0], likely[size]) for alike, size in zip(self.groups, sizes, strict=True))

    def without(self, first: int) -> Unordered:
        """Returns the things that are left when the first of a group has got its place."""
        rest = (alike[1:] if alike[0] == first else alike for alike in self.groups)
        return Unordered(tuple(sorted(alike for alike in rest if alike)))


class NeedsChance(Exception):
    """Raised when a step needs a random outcome; `outcomes` holds the possible ones, each with its probability.

    `number` counts the earlier draws of the stream. Of a shuffle, things are asked for `places` that it dealt, counted
    from its top; the first of them is asked for now. The caller runs the step again from its start, with one more outcome
    given; or it asks for the next of the places (`after`), before which nothing happens.
    """

    def __init__(
        self,
        stream: int,
        outcomes: tuple[tuple[int, Fraction], ...],
        number: int = 0,
        shuffled: Unordered | None = None,
        places: Sequence[int] = (),
    ) -> None:
        self.stream, self.outcomes, self.number, self.places = stream, outcomes, number, places
        self._shuffled = shuffled
        super().__init__(f"{len(outcomes)} outcomes of stream {stream}")

    def after(self, outcome: int) -> NeedsChance | None:
        """Returns the next need of the same places when this outcome has come; None if it needs no more."""
        left, places = None if self._shuffled is None else self._shuffled.without(outcome), self.places[1:]
        if left is None or not places or len(left.groups) < 2:
            return None
        return NeedsChance(self.stream, left.outcomes, self.number, left, places)


class ShufflesLate(Exception):
    """Raised by a draw that a machine cannot settle (see `machines.settling`): another is to take the step."""


def depths_in(game: GameRules, layout: Layout, row: Row, kind: int) -> dict[int, int]:
    """Returns the depth of each thing of a kind that lies in a pile: there it is like no other."""
    return {
        thing: depth
        for zone in game.zones
        if zone.kind == kind and zone.form == "pile"
        for at in range(layout.zone_sizes[zone.id])
        for depth, thing in enumerate(items(row[layout.zones[zone.id] + at]))
    }


@attrs.define(eq=False, repr=False)
class Explicit:
    """Chance for solvers: returns the outcomes `given` one after another, then raises `NeedsChance`.

    A draw with a single possible outcome is not asked for. Things that neither the row nor an earlier pick tells apart are one
    outcome, the lowest for all, but each thing of a pile is one of its own, for the order of the others depends on it. A
    shuffle is asked thing by thing, from the top, until those that are left are all alike. `pick_kinds` says what kind of
    thing a stream picks (see `ir.picks`); the picks of other streams all count as different.
    """

    game: GameRules
    layout: Layout
    given: tuple[int, ...] = ()
    pick_kinds: Mapping[int, int] = attrs.field(factory=dict)
    used: int = attrs.field(default=0, init=False)
    known: list[object] = attrs.field(factory=list)
    """By draw: its possible results, as earlier runs of the step have found them, and as this one goes on to find them."""
    _drawn: int = attrs.field(default=0, init=False)
    _picked: dict[tuple[int, int], int] = attrs.field(factory=dict, init=False)
    """By kind and thing: the number of the last pick that gave it."""

    @property
    def settles(self) -> bool:
        """Whether the machine settles draws; see `machines.settling`."""
        return False

    @property
    def left(self) -> OpenOrders:
        """The orders of piles that have not been asked for; a shuffle asks for all of its own."""
        return SETTLED

    def roll(self, row: Row, stream: int, faces: tuple[int, ...]) -> int:
        """Returns the given face."""
        outcomes = [(face, Fraction(faces.count(face), len(faces))) for face in sorted(set(faces))]
        face = self._settle(row, stream, tuple(outcomes))
        row[self.layout.counters + stream] += 1
        return face

    def pick(self, row: Row, stream: int, among: list[int]) -> int:
        """Returns the given value."""
        kind = self.pick_kinds.get(stream)
        picked = self._settle(row, stream, self._once(lambda: self._of_kind(row, kind, among)))
        row[self.layout.counters + stream] += 1
        if kind is not None:
            # A thing that is picked again gets a number that no other has.
            self._picked[kind, picked] = max(self._picked.values(), default=-1) + 1
        return picked

    def _of_kind(self, row: Row, kind: int | None, among: list[int]) -> tuple[tuple[int, Fraction], ...]:
        """Returns the outcomes of a pick of things of a kind, or of anything else."""
        depths, names = ({}, {}) if kind is None else (self._depths(row, kind), self._names(kind))
        groups: dict[object, list[int]] = {}
        for value in sorted(among):
            group: object = value
            if kind is not None:
                alike = likeness(self.game, self.layout, row, kind, Thing(value))
                group = alike, depths.get(value), names.get(value)
            groups.setdefault(group, []).append(value)
        return tuple((values[0], Fraction(len(values), len(among))) for values in groups.values())

    def shuffle(self, row: Row, stream: int, kind: int, things: list[Thing]) -> list[int]:
        """Returns the order that the given things make, from the top."""
        left = self._once(lambda: self._unordered(row, kind, things))
        order: list[int] = []
        while left.groups:
            places = range(len(order), len(things))
            order.append(self._settle(row, stream, left.outcomes, left, places))
            left = left.without(order[-1])
        row[self.layout.counters + stream] += 1
        return order

    def _once(self, find: Callable[[], T]) -> T:
        """Returns the possible results of the next draw, found only once for all runs of the step."""
        self._drawn += 1
        if self._drawn > len(self.known):
            self.known.append(find())
        return cast(T, self.known[self._drawn - 1])

    def _depths(self, row: Row, kind: int) -> dict[int, int]:
        return depths_in(self.game, self.layout, row, kind)

    def _names(self, kind: int) -> Mapping[int, Hashable]:
        """Returns the names, other than the row's, by which the rules can tell things of a kind apart, by thing."""
        return {thing: number for (of, thing), number in self._picked.items() if of == kind}

    def _unordered(self, row: Row, kind: int, things: Iterable[Thing]) -> Unordered:
        groups, names = dict[Hashable, list[int]](), self._names(kind)
        for thing in sorted(things):
            alike = likeness(self.game, self.layout, row, kind, thing), names.get(thing)
            groups.setdefault(alike, []).append(thing)
        return Unordered(tuple(sorted(map(tuple, groups.values()))))

    def _settle(
        self,
        row: Row,
        stream: int,
        outcomes: tuple[tuple[int, Fraction], ...],
        shuffled: Unordered | None = None,
        places: Sequence[int] = (),
        number: int | None = None,
    ) -> int:
        """Returns the next given outcome of a draw, of the shuffle with a `number` if that was an earlier one."""
        if len(outcomes) == 1:
            return outcomes[0][0]
        if self.used == len(self.given):
            drawn = row[self.layout.counters + stream] if number is None else number
            raise NeedsChance(stream, outcomes, drawn, shuffled, places)
        outcome = self.given[self.used]
        if all(outcome != possible for possible, _ in outcomes):
            raise ImpossibleOutcome(f"`{self.game.streams[stream]}` cannot give {outcome}")
        self.used += 1
        return outcome
