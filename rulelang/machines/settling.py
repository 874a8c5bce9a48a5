"""Shuffles that explicit chance settles late: a shuffled pile's order stays open until the rules read it.

    shuffle(deck)                 nothing is asked; the deck's things are exchangeable
    move 1 of deck to p.hand      which of them lies on top is asked now
    if top(deck).v > 3: …         and here, which one is the next

In the row, the things of an open pile lie in any order. When a place is read, the thing that chance gives is put there, in
exchange for the one that lay there.

Invariant: a position is one that a shuffle of its own at the time would have led to, whatever order the open things have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import attrs

from rulelang.errors import RuntimeRules
from rulelang.ir.model import (
    Branch,
    Contents,
    Foreseen,
    GameRules,
    Move,
    Over,
    Pick,
    Roll,
    Show,
    Simultaneous,
    Source,
    Statement,
    TopOf,
    Witness,
    Zone,
)
from rulelang.ir.numbers import Mask, Row, Slot, Thing
from rulelang.ir.walk import walk
from rulelang.machines.chance import Explicit, ShufflesLate, Watched
from rulelang.machines.evaluate import UNORDERED, Evaluator, Locals, zone_at
from rulelang.machines.interpreter import CutGame, Interpreter
from rulelang.machines.walk import Evaluation
from rulelang.program.equivalence import SETTLED, OpenOrders, OpenPile
from rulelang.program.layout import state_at
from rulelang.program.packing import items, mask_of, pack, things_of

# ------------------------------------------------------------------ which piles


@lru_cache(64)
def late_streams(game: GameRules) -> frozenset[int]:
    """Returns the streams of the shuffles that can be settled late: of piles that lie face down and whose order is read by
    steps alone.

    What is read between steps (by questions, values, sentences, screens), in the copies of a `simultaneously`, or in a
    position that is foreseen or remembered, cannot stop to ask.
    """
    whole = list(walk(game))
    if game.history is not None or any(isinstance(node, Foreseen) for node in whole):
        return frozenset()
    fields = (field.name for field in attrs.fields(GameRules))
    between = [getattr(game, name) for name in fields if name not in ("procedures", "choices")]
    for choice in game.choices:
        between += [choice.who, choice.source, choice.condition, choice.prompt]
        between += ((branch.parameters, branch.needs) for branch in choice.branches)
    refused = _read_in_order(walk(tuple(between)))
    domains = tuple(parameter.domain for node in whole if isinstance(node, Branch) for parameter in node.parameters)
    refused |= {node.zone for node in walk(domains) if isinstance(node, Contents)}
    if any(isinstance(node, Simultaneous) for node in whole):
        refused |= _read_in_order(whole)
    refused |= _read_in_order(part for node in whole if isinstance(node, Over) and _draws(node) for part in walk(node))
    hidden = (zone for zone in game.zones if zone.form == "pile" and zone.visible == "nobody" and not zone.top_up)
    names = {f"shuffle {zone.name}" for zone in hidden if zone.id not in refused}
    return frozenset(stream for stream, name in enumerate(game.streams) if name in names)


def _read_in_order(nodes: Iterable[object]) -> set[int]:
    """Returns the zones whose top or order some nodes read, other than by taking things from the top."""
    return {part.zone for part, _ in _ordered_reads(nodes)}


def _ordered_reads(nodes: Iterable[object]) -> list[tuple[TopOf | Contents, int | None]]:
    """Returns the piles that some nodes read in order, each with the number of things that matter, from the top; None for
    all."""
    nodes = list(nodes)
    free = {id(node.what) for node in nodes if isinstance(node, Move) and node.count is not None}
    free |= {
        id(source) for node in nodes if isinstance(node, Over) and node.what in UNORDERED for source in node.sources
    }
    tops: list[tuple[TopOf | Contents, int | None]] = [(node, 1) for node in nodes if isinstance(node, TopOf)]
    piles = (node.pile for node in nodes if isinstance(node, Source) and id(node) not in free)
    return tops + [(pile, None) for pile in piles if pile is not None]


def _draws(node: Over) -> bool:
    return any(isinstance(part, (Pick, Roll)) for part in walk(node))


# ------------------------------------------------------------------ chance


@attrs.define(eq=False, repr=False)
class LateExplicit(Explicit):
    """Chance for solvers that asks for a thing of a shuffled pile when the rules read which one it is.

    `late` are the streams of such shuffles, `orders` what is open when the step begins.
    """

    late: frozenset[int] = frozenset()
    orders: OpenOrders = SETTLED
    pile: Slot | None = attrs.field(default=None, init=False)
    """The slot of the pile that is being shuffled; None where the machine does not say."""
    _piles: dict[Slot, OpenPile] = attrs.field(init=False)
    _shuffles: dict[tuple[int, int], tuple[int, ...]] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._piles, self._shuffles = dict(self.orders.piles), dict(self.orders.shuffles)

    @property
    def left(self) -> OpenOrders:
        """The orders of piles that have not been asked for yet."""
        return OpenOrders(dict(self._piles), dict(self._shuffles)) if self._shuffles else SETTLED

    def shuffle(self, row: Row, stream: int, kind: int, things: list[Thing]) -> list[int]:
        """Returns the things in any order, which is open; raises ShufflesLate for a machine that cannot settle it."""
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
        left = self._unordered(row, pile.kind, things_of(pile.things))
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
        """Settles a pile for a thing to leave it by name, from the place where it lies; returns whether any has changed its
        place."""
        pile = self._piles.get(slot)
        if pile is None or not pile.things >> thing & 1:
            return False
        return self.settle(row, slot)

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


def _exchange(order: list[Any], one: int, other: int) -> None:
    """Exchanges two things of an order."""
    at, to = order.index(one), order.index(other)
    order[at], order[to] = order[to], order[at]


# ------------------------------------------------------------------ a machine


@attrs.define(eq=False, repr=False)
class SettlingEvaluation(Evaluation):
    """An evaluation that has a pile settled before it reads its order."""

    settle: Callable[[Zone, int, int | None], None] | None = None

    def from_top(self, zone: Zone, instance: int, first: int | None = None) -> list[Thing]:
        """Returns the first things in a zone, once they are settled."""
        if self.settle is not None:
            self.settle(zone, instance, first)
        return super().from_top(zone, instance, first)


class SettlingInterpreter(Interpreter):
    """An interpreter that settles the order of a pile, as far as it is open, where a step reads it.

    `reordered` is called with the kind, the place and the new order of a pile whose things have changed places.
    """

    evaluation = SettlingEvaluation

    def __init__(self, cut: CutGame, late: LateExplicit) -> None:
        super().__init__(cut, Watched(late))
        self.late = late
        self.reordered: Callable[[int, int, list[Thing]], None] | None = None

    def _look(self, target: int = 0) -> Evaluator:
        look = super()._look(target)
        assert isinstance(look, SettlingEvaluation)
        look.settle = self._settle_first
        return look

    def _slot(self, zone: Zone, instance: int) -> Slot:
        return Slot(self.layout.zones[zone.id] + instance)

    def _settle_first(self, zone: Zone, instance: int, first: int | None) -> None:
        self._tell(zone, instance, self.late.settle(self.row, self._slot(zone, instance), first))

    def _tell(self, zone: Zone, instance: int, is_changed: bool) -> None:
        if is_changed and self.reordered is not None:
            order = items(self.row[self._slot(zone, instance)])
            self.reordered(zone.kind, zone.first_place + instance, order)

    def _settle_around(self, kind: int, thing: Thing) -> None:
        """Settles the pile in which a thing lies open that somebody is shown where it lies."""
        if self.late.holding(kind, thing) is not None:
            place = self.row[self.layout.places[kind] + thing]
            self._settle_first(*zone_at(self.game, self.layout, kind, place), None)

    def _change(self, statement: Statement, locals: Locals) -> None:
        if isinstance(statement, Witness):
            # Traced or not, the same is asked for, so that inputs of one play in the other.
            self._settle_for(statement, locals)
        super()._change(statement, locals)

    def _settle_for(self, witness: Witness, locals: Locals) -> None:
        """Settles what the trace reads to find who may know the value that the next statement reads."""
        for part, first in _ordered_reads(walk(witness.of)):
            zone = self.game.zones[part.zone]
            try:
                some = [self._question().instance(zone, part.index, dict(locals))]
            except (RuntimeRules, KeyError):
                some = list(range(self.layout.zone_sizes[zone.id]))
            for instance in some:
                if instance >= 0:
                    self._settle_first(zone, instance, first)

    def _shuffle(self, zone: Zone, instance: int, site: int) -> None:
        self.late.pile = self._slot(zone, instance)
        super()._shuffle(zone, instance, site)

    def _take_away(self, thing: Thing, zone: Zone, instance: int) -> None:
        self._tell(zone, instance, self.late.lets_go(self.row, self._slot(zone, instance), thing))
        super()._take_away(thing, zone, instance)

    def _show_one(self, show: Show, thing: Thing, seats: int) -> None:
        self._settle_around(show.kind, thing)
        super()._show_one(show, thing, seats)

    def _write(self, slot: Slot, value: int, site: int) -> None:
        if self._pass is None and state_at(self.game, self.layout, slot) is None:
            self._settle_around(*self._face_at(slot))
        super()._write(slot, value, site)
