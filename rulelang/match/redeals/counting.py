"""The names that each place could have -> the number of deals, and one of them, each as likely as any other.

Places that could have the same names are counted together, and so are names that fit the same places: a hand of thirteen
cards is one number, and so is a suit that two hands may hold.

    north and south hold three cards each of six; north has no heart, of which there are two
    hearts: 2 to south     1 way     of 2! · 3! · …
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import comb, prod

import attrs

from rulelang.ir.model import Kind
from rulelang.knowledge.guesses import Matchings, Rng, shuffled
from rulelang.program.packing import mask_of, members
from rulelang.program.results import KindPlan

MOST = 20_000
"""The most combinations of names left and places left that are counted."""


@attrs.define
class CountedDeals:
    """The deals of names to places, counted by how many names of each class go to each group of places."""

    groups: list[list[int]]
    """The places that could have the same names; the last group has none, and takes the names that are left over."""
    classes: list[tuple[list[int], tuple[int, ...]]]
    """The names that fit the same groups, with the numbers of those groups."""
    spare: int
    """The number of names that are left over."""
    fixed: dict[int, int]
    """The places that could have only one name, with that name."""
    _shared: dict[tuple[int, tuple[int, ...]], list[tuple[int, tuple[int, ...]]]] = attrs.field(factory=dict)

    @classmethod
    def of(cls, guesses: Sequence[int]) -> CountedDeals | None:
        """Returns the deals of places with the mask of the names of each; None if they are too many to be counted, or none."""
        fixed = _fixed(guesses)
        taken = mask_of(fixed.values())
        by_guess: dict[int, list[int]] = {}
        for place, guess in enumerate(guesses):
            if place not in fixed:
                by_guess.setdefault(guess & ~taken, []).append(place)
        masks, groups = list(by_guess), list(by_guess.values())
        names = 0
        for mask in masks:
            names |= mask
        spare = names.bit_count() - len(guesses) + len(fixed)
        if spare < 0 or len(set(fixed.values())) < len(fixed):
            return None
        classes: dict[tuple[int, ...], list[int]] = {}
        for name in members(names):
            fits = [at for at, mask in enumerate(masks) if mask >> name & 1]
            classes.setdefault((*fits, len(groups)) if spare else tuple(fits), []).append(name)
        order = sorted(((names, fits) for fits, names in classes.items()), key=lambda one: len(one[1]))
        sizes = sorted([len(group) for group in groups] + [spare])
        if prod(size + 1 for size in sizes[:-1]) * len(classes) > MOST:
            return None
        found = cls([*groups, []], order, spare, fixed)
        return found if found.ways else None

    @property
    def _room(self) -> tuple[int, ...]:
        return (*(len(group) for group in self.groups[:-1]), self.spare)

    @property
    def ways(self) -> int:
        """The number of deals, but for the order of the names in each group."""
        return self._count(0, self._room)

    def _count(self, at: int, room: tuple[int, ...]) -> int:
        """Returns the ways in which the classes from `at` on can fill what room is left."""
        return 1 if at == len(self.classes) else sum(ways for ways, _ in self._shares(at, room))

    def _shares(self, at: int, room: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
        """Returns the ways to share the names of a class among the groups, each with the room that it leaves."""
        if (at, room) in self._shared:
            return self._shared[at, room]
        names, fits = self.classes[at]
        found = self._shared[at, room] = list[tuple[int, tuple[int, ...]]]()

        def share(group: int, left: int, ways: int, room: tuple[int, ...]) -> None:
            if group == len(fits):
                if not left and (further := self._count(at + 1, room)):
                    found.append((ways * further, room))
                return
            to = fits[group]
            rest = sum(room[other] for other in fits[group + 1 :])
            for many in range(max(0, left - rest), min(left, room[to]) + 1):
                after = (*room[:to], room[to] - many, *room[to + 1 :]) if many else room
                share(group + 1, left - many, ways * comb(left, many), after)

        share(0, len(names), 1, room)
        return found

    def _picked(self, at: int, room: tuple[int, ...], rng: Rng) -> tuple[int, ...]:
        """Returns the room that a class leaves, by the number of ways in which the rest can go on from there."""
        pick = rng.randrange(self._count(at, room))
        for ways, after in self._shares(at, room):
            if pick < ways:
                return after
            pick -= ways
        raise AssertionError("the ways add up to their number")

    def drawn(self, rng: Rng) -> list[int]:
        """Returns a random deal: by place, its name."""
        room = self._room
        held: list[list[int]] = [[] for _ in self.groups]
        for at, (names, fits) in enumerate(self.classes):
            after = self._picked(at, room, rng)
            order = shuffled(names, rng)
            for to in fits:
                many = room[to] - after[to]
                held[to] += order[:many]
                order = order[many:]
            room = after
        named = [self.fixed.get(at, -1) for at in range(sum(map(len, self.groups)) + len(self.fixed))]
        for group, names in zip(self.groups, held, strict=True):
            for place, name in zip(group, shuffled(names, rng) if group else (), strict=False):
                named[place] = name
        return named


def _fixed(guesses: Sequence[int]) -> dict[int, int]:
    """Returns the places that could have only one name, since the other names are taken by such places.

    >>> _fixed([0b01, 0b11, 0b1100])
    {0: 0, 1: 1}
    """
    fixed: dict[int, int] = {}
    taken, more = 0, True
    while more:
        more = False
        for place, guess in enumerate(guesses):
            left = guess & ~taken
            if place not in fixed and left and not left & left - 1:
                fixed[place], taken, more = left.bit_length() - 1, taken | left, True
    return fixed


@attrs.frozen(slots=False)
class KindDeals:
    """The deals of the things of one kind that a seat does not know."""

    places: tuple[tuple[int, int], ...]
    """Each of these things, and the mask of the things that it could be."""
    loose: int
    """The mask of these things."""
    names: tuple[int, ...]
    """The things that any of them could be, in an order that does not depend on which of several copies is which."""
    deals: CountedDeals | Matchings
    """What each could be, by positions in `names`."""
    plans: dict[tuple[int, ...], KindPlan | None] = attrs.field(factory=dict, init=False, eq=False, repr=False)
    """A cache of the plans by which a machine makes them, by the slots that refer to things of the kind."""

    @classmethod
    def of(cls, kind: Kind, places: tuple[tuple[int, int], ...]) -> KindDeals:
        """Returns the deals of some things of a kind."""
        guesses = {guess for _, guess in places}
        if len(guesses) == 1 and places[0][1].bit_count() == len(places):
            # Any of them may be any of them: what the rest would come to.
            all = list(range(len(places)))
            alike = sorted(members(places[0][1]), key=kind.classes.__getitem__)
            loose = Matchings([(1 << len(places)) - 1] * len(places), [-1] * len(places), [(all, all)], [])
            return cls(places, mask_of(thing for thing, _ in places), tuple(alike), loose)
        names = _in_order(kind, [guess for _, guess in places])
        rank = {thing: at for at, thing in enumerate(names)}
        masks = {guess: mask_of(rank[thing] for thing in members(guess)) for guess in guesses}
        found = Matchings.of([masks[guess] for _, guess in places])
        deals = (CountedDeals.of(found.guesses) or found) if found.rest else found
        return cls(places, mask_of(thing for thing, _ in places), names, deals)

    @cached_property
    def blocks(self) -> tuple[dict[int, int], list[tuple[list[int], list[int]]]] | None:
        """The names of things that have only one, and lists of things with the names of which any may have any; None if
        the deals are not all made of such lists."""
        if isinstance(self.deals, CountedDeals) or self.deals.rest:
            return None
        things, names = [thing for thing, _ in self.places], self.names
        fixed = {thing: names[name] for thing, name in zip(things, self.deals.named, strict=True) if name >= 0}
        lists = [([things[at] for at in places], [names[name] for name in of]) for places, of in self.deals.blocks]
        return fixed, lists

    def drawn(self, rng: Rng) -> tuple[int, ...]:
        """Returns a random deal: by place, the thing that lies there."""
        return tuple([self.names[name] for name in self.deals.drawn(rng)])


def _in_order(kind: Kind, guesses: Sequence[int]) -> tuple[int, ...]:
    """Returns the things that some could be, sorted by how they are printed, then by the places in which they could
    lie."""
    places: dict[int, int] = {}
    for at, guess in enumerate(guesses):
        places[guess] = places.get(guess, 0) | 1 << at
    could: dict[int, int] = {}
    for guess, there in places.items():
        for thing in members(guess):
            could[thing] = could.get(thing, 0) | there
    return tuple(sorted(could, key=lambda thing: (kind.classes[thing], could[thing], thing)))
