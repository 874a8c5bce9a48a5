"""Explicit chance that asks for a thing of a shuffled pile when the rules read which one it is."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import attrs

from rulelang.ir.numbers import Mask, Row, Slot, Thing
from rulelang.machines.explicit import Explicit, ShufflesLate
from rulelang.program.equivalence import SETTLED, OpenOrders, OpenPile
from rulelang.program.packing import items, mask_of, pack, things_of


@attrs.define(eq=False, repr=False)
class LateExplicit(Explicit):
    """Chance for solvers that asks for a thing of a shuffled pile when the rules read which one it is.

    `late` are the streams of such shuffles, `named` those of draws for which it must know what locals stand for, `orders`
    what is open when the step begins.
    """

    late: frozenset[int] = frozenset()
    named: frozenset[int] = frozenset()
    orders: OpenOrders = SETTLED
    pile: Slot | None = attrs.field(default=None, init=False)
    """The slot of the pile that is being shuffled; None where the machine does not say."""
    names: Callable[[int], Mapping[int, Hashable]] | None = attrs.field(default=None, init=False)
    """Returns by which names the rules can tell the things of a kind apart; None where the machine does not say."""
    _piles: dict[Slot, OpenPile] = attrs.field(init=False)
    _shuffles: dict[tuple[int, int], tuple[int, ...]] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._piles, self._shuffles = dict(self.orders.piles), dict(self.orders.shuffles)

    @property
    def settles(self) -> bool:
        """Whether the machine settles draws: it says what its locals stand for."""
        return self.names is not None

    @property
    def left(self) -> OpenOrders:
        """The orders of piles that have not been asked for yet."""
        return OpenOrders(dict(self._piles), dict(self._shuffles)) if self._shuffles else SETTLED

    def pick(self, row: Row, stream: int, among: list[int]) -> int:
        """Returns the given value; raises ShufflesLate for a machine that does not say what its locals stand for."""
        if stream in self.named and not self.settles:
            raise ShufflesLate
        return super().pick(row, stream, among)

    def shuffle(self, row: Row, stream: int, kind: int, things: list[Thing]) -> list[int]:
        """Returns the things in any order, which is open; raises ShufflesLate for a machine that cannot settle it."""
        if stream in self.named and not self.settles:
            raise ShufflesLate
        if stream not in self.late:
            return super().shuffle(row, stream, kind, things)
        if self.pile is None:
            raise ShufflesLate
        counter = self.layout.counters + stream
        number, order = row[counter], sorted(things)
        row[counter] += 1
        self._shuffles[stream, number] = tuple(order)
        self._keep_open(self.pile, OpenPile(kind, Mask(mask_of(order)), stream, number))
        return list(order)

    def settle(self, row: Row, slot: Slot, first: int | None = None) -> bool:
        """Settles which things lie in the first places of a pile, or in all; returns whether any has changed its place."""
        pile = self._piles.get(slot)
        order = [] if pile is None else items(row[slot])
        at = [] if pile is None else [place for place in pile.places(order) if first is None or place < first]
        if pile is None or not at:
            return False
        before, dealt = order[:], list(self._shuffles[pile.stream, pile.number])
        left = self._once(lambda: self._unordered(row, pile.kind, things_of(pile.things)))
        asked = [dealt.index(order[place]) for place in at]
        for done, place in enumerate(at):
            if len(left.groups) < 2:
                break
            given = self._settle(row, pile.stream, left.outcomes, left, asked[done:], pile.number)
            left = left.without(given)
            _exchange(order, order[place], given)
            _exchange(dealt, dealt[asked[done]], given)
        row[slot] = pack(order)
        self._shuffles[pile.stream, pile.number] = tuple(dealt)
        self._keep_open(slot, attrs.evolve(pile, things=Mask(pile.things & ~mask_of(order[place] for place in at))))
        return order != before

    def lets_go(self, row: Row, slot: Slot, thing: Thing) -> bool:
        """Takes a thing that leaves a pile by name from what is open; returns whether any thing has changed its place.

        Where it lay matters only if things that have their places lie between those that are open.
        """
        pile = self._piles.get(slot)
        if pile is None or not pile.things >> thing & 1:
            return False
        at = pile.places(items(row[slot]))
        if at[-1] - at[0] >= len(at):
            return self.settle(row, slot)
        self._keep_open(slot, attrs.evolve(pile, things=Mask(pile.things & ~(1 << thing))))
        return False

    def holding(self, kind: int, thing: Thing) -> Slot | None:
        """Returns the slot of the pile in which a thing lies open; None if it lies in none."""
        return next((s for s, pile in self._piles.items() if pile.kind == kind and pile.things >> thing & 1), None)

    def _keep_open(self, slot: Slot, pile: OpenPile) -> None:
        if pile.things & pile.things - 1:
            self._piles[slot] = pile
        else:
            # A lone thing has its place.
            self._piles.pop(slot, None)

    def _depths(self, row: Row, kind: int) -> dict[int, int]:
        return {t: depth for t, depth in super()._depths(row, kind).items() if self.holding(kind, Thing(t)) is None}

    def _names(self, kind: int) -> Mapping[int, Hashable]:
        named = super()._names(kind)
        spoken = {} if self.names is None else self.names(kind)
        return {thing: (named.get(thing), spoken.get(thing)) for thing in {**named, **spoken}}


def _exchange(order: list[Any], one: int, other: int) -> None:
    """Exchanges two things of an order."""
    at, to = order.index(one), order.index(other)
    order[at], order[to] = order[to], order[at]
