"""A match and a seat -> another match that this seat could not tell from the first, on which a bot may look ahead.

Each thing that the seat does not know becomes any thing that it could be; hidden variables and sealed answers of the
others get any possible value; future dice are fresh. The result depends on what the seat knows and on the random
numbers, not on the truth.

    red knows its two tokens; the other 18 are dealt anew, as many to each place as before
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import TypeAlias, cast

import attrs

from rulelang.errors import RuntimeRules, Uncountable
from rulelang.ir.model import Bind, StateVariable
from rulelang.ir.numbers import Row, Seat, Slot
from rulelang.ir.types import NONE, PLAYER, KindType, SetType, Type, first_of, offset_of, size_of
from rulelang.knowledge.canonical import HELD, LooseThings
from rulelang.knowledge.guesses import Rng
from rulelang.knowledge.knowledge import ANY, BOX, Knowledge
from rulelang.knowledge.redaction import EVERYONE, written_answer
from rulelang.machines.chance import Seeded, Watched
from rulelang.machines.effects import clamp
from rulelang.machines.machine import Answer, Deals, DealsByPlan, Machine, MachineChoice
from rulelang.machines.offers.offer import MOST, Offer
from rulelang.machines.walk import Evaluation
from rulelang.match.match import BareMatch
from rulelang.match.redeals.counting import CountedDeals, KindDeals
from rulelang.match.redeals.suspicion import Suspected, suspected
from rulelang.match.state import UNSEALED, Moment, RedealRecord, Renamed, SealedAnswers
from rulelang.match.timeline import Fresh
from rulelang.program.control import Control
from rulelang.program.layout import slots
from rulelang.program.randomness import RandomStream
from rulelang.program.results import CLOSED_BOX, OPEN_BOX, STAYS, KindPlan, KindSight, RedealPlan, SeatSight

TRIES = 16
"""The number of deals that are tried before the last of them is repaired."""
MENDS = 200
"""The most steps of repairing a deal, each a swap or another value."""
REJECTS = 500
"""The most deals that are thrown away because they do not agree with what is said of several things at once."""

KNOWN = RedealRecord("known")
"""The record of a deal that agrees with what the seat knows."""

Offered: TypeAlias = tuple[int, list[Answer]] | None
"""The choice that a seat is asked, and its legal answers; None if it is not asked."""


def redeal(match: BareMatch, seat: Seat, rng: Rng, *, traced: bool = False) -> BareMatch:
    """Returns a match in a position that the seat cannot tell
    from this one, with fresh chance; untraced unless asked for.

    In that position the seat has its present options, and every other seat that is
    asked has at least one. If no random deal gives such a position, the last deal
    is repaired, and the best one found is taken. The truth is never used for it.
    """
    return next(redeals(match, seat, rng, traced=traced))


def redeals(match: BareMatch, seat: Seat, rng: Rng, *, traced: bool = False, thinking: bool = False) -> Redeals:
    """Returns such matches without end; meanwhile the match must not change.

    With `thinking`, they run on the machines on which bots think, and what happened so far is put into words only when
    somebody reads it there.
    """
    return Redeals(match, seat, rng, traced, thinking)


@attrs.frozen(slots=False)
class Redeals(Iterator[BareMatch]):
    """Re-deals of a match for one seat, without end."""

    match: BareMatch
    seat: Seat
    rng: Rng
    traced: bool
    thinking: bool

    @cached_property
    def _dealer(self) -> _Dealer:
        match, thinking = self.match, self.thinking
        fresh = match.internals.thinking() if thinking and match.internals.thinking is not None else None
        return _Dealer(match, self.seat, self.rng, self.traced, fresh, told=not thinking)

    def __next__(self) -> BareMatch:
        return _fitting(self._dealer)

    def machines(self, many: int) -> list[Machine] | None:
        """Returns the machines of the next re-deals, if a machine deals them by itself; else None, and nothing is drawn."""
        planned, rng = self._dealer.planned, self.rng
        found = None if planned is None or type(rng) is not RandomStream else planned.machines(rng.word, many)
        if found is None or type(rng) is not RandomStream:
            return None
        machines, rng.word = found
        return machines

    def greedily(self, deals: int, stay: int, compared: int) -> MachineChoice | None:
        """Returns the seat's choice in so many re-deals, if a machine deals them and makes it by itself."""
        planned = self._dealer.planned if type(self.rng) is RandomStream else None
        return None if planned is None else planned.greedily(self.match.players, deals, stay, compared)


def counted(match: BareMatch, seat: Seat, rng: Rng, *, traced: bool = False) -> BareMatch | None:
    """Returns such a match, each as likely as it is by all that the seat has seen; None unless everything that others
    have told it is understood, and the deals that agree with it are counted."""
    if not suspected(match, seat).whole:
        return None
    dealer = _Dealer(match, seat, rng, traced, None, RedealRecord("counted"))
    for _ in range(TRIES if dealer.is_exact else 0):
        found, misfits = dealer.lay(dealer.deal())
        if not misfits:
            return found
    return None


def _fitting(dealer: _Dealer) -> BareMatch:
    for _ in range(TRIES):
        if (planned := dealer.by_plan()) is not None:
            return planned
        deal = dealer.deal()
        found, misfits = dealer.lay(deal)
        if not misfits:
            return found
    for _ in range(MENDS if dealer.can_mend else 0):
        other = dealer.mended(deal)
        laid, more = dealer.lay(other)
        if more <= misfits:
            deal, found, misfits = other, laid, more
        if not misfits:
            break
    return found


@attrs.frozen
class _Deal:
    """A deal of the parts that the seat does not know."""

    names: Mapping[int, tuple[int, ...]]
    """By kind: the thing that lies at each position of `KindDeals.places`."""
    cells: Mapping[Slot, int]
    """By slot of a hidden variable: its value."""


@attrs.define
class _Dealer:
    """Deals the parts of a match that a seat does not know."""

    match: BareMatch
    seat: Seat
    rng: Rng
    traced: bool
    fresh: Fresh | None
    record: RedealRecord = KNOWN
    told: bool = True
    """Whether what has happened so far is put into words at once."""
    before: Machine = attrs.field(init=False)
    """The machine before the first answer under seal, or the present one."""
    machine: Machine = attrs.field(init=False)
    """The machine in the same position on which deals are laid out."""
    row: Row = attrs.field(init=False)
    """The row of `before`."""
    knowledge: Knowledge = attrs.field(init=False)
    kinds: dict[int, KindDeals] = attrs.field(init=False)
    """By kind with things that the seat does not know: their deals."""
    suspected: Suspected = attrs.field(init=False)
    """What the seat makes of what others did."""
    cells: dict[Slot, tuple[StateVariable, Sequence[int]]] = attrs.field(init=False)
    """By slot: the hidden variables that the seat does not know, and the values that each could have (or ANY)."""
    offered: Offered = attrs.field(init=False)
    planned: Deals | None = attrs.field(init=False)
    """The deals that the machine makes by itself, from the same random numbers; None if it cannot."""

    def __attrs_post_init__(self) -> None:
        match = self.match
        self.knowledge = match.position.knowledge
        self.before = match.position.seal.before or match.position.machine
        row = self.row = self.before.row
        self.machine = self.before
        if self.fresh is not None:
            self.machine = self.fresh(self.before.chance)
            self.machine.row = row[:]
        self.suspected = suspected(match, self.seat, only_narrowing=self.record is KNOWN)
        self.kinds = {
            kind.id: self._of_kind(kind.id)
            for kind in match.game.kinds
            if kind.movable and not self.knowledge.knows_all(self.seat, kind.id)
        }
        self.cells = dict(self._hidden())
        self.offered = _offered(match.position.machine, self.seat)
        plan = self._plan() if _deals(type(self.machine)) and type(self.rng) is RandomStream else None
        self.planned = None if plan is None else cast(DealsByPlan, self.machine).planned(plan)

    @cached_property
    def loose(self) -> LooseThings:
        """The things that could be others, and what in the row refers to them."""
        return self.match.internals.references.loose(
            self.row, {kind: deals.loose for kind, deals in self.kinds.items()}
        )

    @cached_property
    def beside(self) -> BareMatch:
        """The match, as all of its re-deals for the seat have it in common."""
        return self.match.internals.aside(self.seat, traced=self.traced, told=self.told)

    @cached_property
    def moment(self) -> Moment:
        """The present moment."""
        return self.match.internals.moment if self.told else self.match.position.wordless

    def _of_kind(self, kind: int) -> KindDeals:
        """Returns the deals of a kind: those of an earlier step if its things lie as they did, and are known as well."""
        spoken_of = self.match.internals.references.spoken_of(self.row, kind)
        knowledge = self.suspected.narrowed(self.knowledge, self.seat, kind)
        kept, about = knowledge.lying(kind).deals, (self.seat, tuple(spoken_of.items()))
        found = kept.get(about)
        if found is None:
            found = kept[about] = KindDeals.of(
                self.match.game.kinds[kind], knowledge.unknown(self.seat, kind, spoken_of)
            )
        assert isinstance(found, KindDeals)
        return found

    @property
    def is_exact(self) -> bool:
        """Returns whether each deal is as likely as it is by all that the seat has seen."""
        others = any(other != self.seat for other, _ in self.match.position.seal.answers)
        counted = all(isinstance(of.deals, CountedDeals) or not of.deals.rest for of in self.kinds.values())
        return self.suspected.whole and counted and not self.cells and not others

    def _hidden(self) -> Iterator[tuple[Slot, tuple[StateVariable, Sequence[int]]]]:
        match, bit = self.match, self.match.visibility.bit(self.seat)
        written = {state for _, state in match.internals.secrets.constants}
        for state in match.game.states:
            if state.visible == "all":
                continue
            start = match.internals.layout.states[state.id]
            doubtful = state.id in (match.internals.secrets.doubtful if match.is_traced else written)
            for slot in slots(start, match.internals.layout.state_sizes[state.id]):
                seers = match.visibility.who_knows(state, slot - start, match.position.row, self.knowledge)
                values = ANY if doubtful else self.knowledge.cells.get(slot, (match.position.row[slot],))
                if seers != EVERYONE and not seers & bit and len(values) != 1:
                    yield slot, (state, values or _listed(state.type, match.players))

    # -------------------------------------------------------------- deals by the machine

    def _plan(self) -> RedealPlan | None:
        """Returns the plan by which the machine deals by itself; None if more is asked of a deal than it can look at."""
        match, seal = self.match, self.match.position.seal
        kinds = {kind: self._kind_plan(kind, deals) for kind, deals in self.kinds.items()}
        cells = [(slot, values) for slot, (_, values) in self.cells.items()]
        if self.offered is None or len(self.offered[1]) == MOST or self.suspected.open or self._binds:
            return None
        choice = match.game.choices[self.offered[0]]
        if (seal.answers and choice.has_sets) or not all(values for _, values in cells):
            return None
        sealed, others = sealed_again(match, self.seat), asked_of_others(match, self.seat)
        found = {kind: plan for kind, plan in kinds.items() if plan is not None}
        return (
            RedealPlan(self.seat, found, cells, sealed, self.offered[1], others) if len(found) == len(kinds) else None
        )

    def _kind_plan(self, kind: int, deals: KindDeals) -> KindPlan | None:
        """Returns the plan of a kind's deals: that of an earlier step if all slots that refer to its things are as they
        were."""
        held = self.match.internals.references.held(self.row, kind)
        if held not in deals.plans:
            deals.plans[held] = self._new_plan(kind, deals)
        return deals.plans[held]

    def _new_plan(self, kind: int, deals: KindDeals) -> KindPlan | None:
        if deals.blocks is None:
            return None
        fixed, blocks = deals.blocks
        names = [fixed.get(thing, thing) for thing in range(self.match.game.kinds[kind].size)]
        holders = [(holder.slot, holder.form, things) for holder, things in self.loose.held[kind]]
        row, layout, things = self.row, self.match.internals.layout, self.loose.things[kind]
        moved: list[tuple[int, int, int]] = []
        for start in (layout.places[kind], layout.faces[kind]):
            # Things that change places among themselves take along what they all have alike.
            if len({row[start + thing] for thing in things}) > 1:
                moved += [(start, thing, row[start + thing]) for thing in things]
        return KindPlan(names, blocks, holders, moved)

    def by_plan(self) -> BareMatch | None:
        """Returns a re-deal that the machine makes; None if it cannot, or if the seat could tell it from the truth: then it is
        made again step by step."""
        rng = self.rng
        dealt = self.planned.deal(rng.word) if self.planned is not None and type(rng) is RandomStream else None
        if dealt is None or type(rng) is not RandomStream:
            return None
        rng.word = dealt.rng
        match, seal = self.match, UNSEALED
        dealt.machine.chance = Watched(Seeded(f"deal {dealt.dice >> 2}", match.game, match.internals.layout))
        if dealt.before is not None:
            dealt.before.chance = dealt.machine.chance
            seats = (other for other, _ in match.position.seal.answers)
            seal = SealedAnswers(tuple(zip(seats, dealt.answers, strict=True)), dealt.before)
        known = Renamed(self.knowledge, self.seat, dealt.names)
        return self.beside.internals.dealt(dealt.machine, self.moment.dealt(known, seal), self.record)

    # -------------------------------------------------------------- deals step by step

    def deal(self) -> _Deal:
        """Returns a random deal that agrees with the seat's knowledge of each thing and variable, and with its conclusions
        from the others' actions, if one of REJECTS deals does."""
        for _ in range(REJECTS):
            names = {kind: deals.drawn(self.rng) for kind, deals in self.kinds.items()}
            if not self.suspected.open or self.suspected.fits(self._by_thing(names)):
                break
        return _Deal(names, {slot: self._value(slot) for slot in self.cells})

    def _by_thing(self, names: Mapping[int, tuple[int, ...]]) -> dict[int, list[int]]:
        """Returns, by kind, the name of each thing."""
        found = {kind: list(range(self.match.game.kinds[kind].size)) for kind in names}
        for kind, dealt in names.items():
            for (thing, _), name in zip(self.kinds[kind].places, dealt, strict=True):
                found[kind][thing] = name
        return found

    def _value(self, slot: Slot) -> int:
        state, values = self.cells[slot]
        if values:
            return values[self.rng.randrange(len(values))]
        return any_of(state.type, self.match.players, self.rng)

    @property
    def can_mend(self) -> bool:
        """Returns whether there is anything that the seat does not know."""
        return bool(self.cells) or any(deals.places for deals in self.kinds.values())

    def mended(self, deal: _Deal) -> _Deal:
        """Returns a deal that differs in one variable, or by a swap of two things."""
        loose = [(kind, i) for kind, deals in self.kinds.items() for i in range(len(deals.places))]
        picked = self.rng.randrange(len(loose) + len(self.cells))
        if picked >= len(loose):
            slot = list(self.cells)[picked - len(loose)]
            return attrs.evolve(deal, cells={**deal.cells, slot: self._value(slot)})
        kind, i = loose[picked]
        places, names = self.kinds[kind].places, list(deal.names[kind])
        others = [
            j
            for j, (_, guess) in enumerate(places)
            if j != i and guess >> names[i] & 1 and places[i][1] >> names[j] & 1
        ]
        if not others:
            return deal
        j = others[self.rng.randrange(len(others))]
        names[i], names[j] = names[j], names[i]
        return attrs.evolve(deal, names={**deal.names, kind: tuple(names)})

    # -------------------------------------------------------------- positions

    def lay(self, deal: _Deal) -> tuple[BareMatch, int]:
        """Returns the position of a deal, and the number of ways in which it contradicts what the seat sees."""
        match = self.match
        chance = Watched(Seeded(f"deal {self.rng.randrange(2**62)}", match.game, match.internals.layout))
        by_thing = self._by_thing(deal.names)
        changed = {kind: tuple(dealt) for kind, dealt in by_thing.items() if dealt != sorted(dealt)}
        machine = self.machine.rewritten({**self.loose.renamed(changed), **deal.cells})
        machine.chance = chance
        self._bind_again(machine)
        seal, misfits = self._answered(machine)
        known = Renamed(self.knowledge, self.seat, changed)
        moment = self.moment.dealt(known, seal)
        misfits += not self.suspected.fits(by_thing)
        return self.beside.internals.dealt(machine, moment, self.record), misfits + self._misfits(machine)

    @cached_property
    def _binds(self) -> list[tuple[Bind, Slot]]:
        """The locals of the running rules that may depend on things unknown to the seat, with their slots."""
        slots = self.machine.control.slots.variables
        return [
            (bind, slots[bind.variable.id]) for bind in self.match.internals.secrets.lets if bind.variable.id in slots
        ]

    def _bind_again(self, machine: Machine) -> None:
        """Recomputes the locals of the running rules that depend on things unknown to the seat."""
        match = self.match
        for bind, slot in self._binds:
            look, locals = Evaluation(machine.row, match.game, match.internals.layout), machine.locals(self.seat)
            try:
                ends = (None if end is None else look.value(end, locals) for end in (bind.least, bind.most))
                value = clamp(look.value(bind.value, locals), *ends)
            except (RuntimeRules, KeyError):
                value = any_of(bind.variable.type, match.players, self.rng)
            machine.row[slot] = value

    def _answered(self, machine: Machine) -> tuple[SealedAnswers, int]:
        """Repeats the answers under seal: the seat gives its own answer, the others any."""
        answers = self.match.position.seal.answers
        seal = SealedAnswers(before=machine.fork()) if answers else UNSEALED
        misfits = 0
        for other, answer in answers:
            again = answer if other == self.seat else _any_answer(machine, other, self.rng)
            if again is None or not machine.allows(other, again):
                misfits += 1
                continue
            machine.answer(other, again)
            seal = SealedAnswers((*seal.answers, (other, again)), seal.before)
        return seal, misfits

    def _misfits(self, machine: Machine) -> int:
        """Returns the number of seats whose question differs: the seat has other options, or another seat cannot be
        asked."""
        misfits = int(not self._is_the_same(_offered(machine, self.seat)))
        for other, fewest in asked_of_others(self.match, self.seat):
            misfits += len(_options(machine, other, fewest)) < fewest
        return misfits

    def _is_the_same(self, offered: Offered) -> bool:
        """Returns whether options are the seat's present ones in words, which are the same for interchangeable
        things."""
        return offered == self.offered or self._words(offered) == self._own_words

    @cached_property
    def _own_words(self) -> list[str]:
        return self._words(self.offered)

    def _words(self, offered: Offered) -> list[str]:
        game = self.match.game
        return [] if offered is None else sorted(written_answer(game, game.choices[offered[0]], a) for a in offered[1])


@cache
def _deals(machine: type[Machine]) -> bool:
    return issubclass(machine, DealsByPlan)


# ------------------------------------------------------------------ what a seat sees


def sight_of(match: BareMatch, seat: Seat) -> SeatSight | None:
    """Returns the sight of a seat, from which all of its re-deals follow; None if it knows more than it sees, or if that
    depends on more than where things lie."""
    known = match.position.wordless.knowledge
    if match.is_traced or known is not match.visibility.beginning:
        return None
    kept, control = match.internals.references.sights, match.position.machine.control
    about = match.players, seat
    if about not in kept:
        kept[about] = _sight(match, seat, control)
    return kept[about]


def _sight(match: BareMatch, seat: Seat, control: Control | None) -> SeatSight | None:
    seen, game, layout = match.visibility, match.game, match.internals.layout
    slots = {} if control is None else control.slots.variables
    if (
        seen.shifting is not None
        or seen.is_open
        or any(bind.variable.id in slots for bind in match.internals.secrets.lets)
    ):
        return None
    if (cells := _cells_unseen(match, seat)) is None:
        return None
    kinds: list[KindSight] = []
    for kind in game.kinds:
        if not kind.movable:
            continue
        zones = [(Slot(layout.zones[zone.id] + at), HELD[zone.form]) for zone, at in seen.zones_at[kind.id]]
        boxes = [at for at, (zone, _) in enumerate(seen.zones_at[kind.id]) if zone.name == BOX]
        unseen = dict.fromkeys(seen.hidden_places(kind.id, match.position.row)[seat], STAYS)
        if kind.id in seen.picked:
            # Things were picked from its box unseen: those left there do not tell which.
            unseen |= {at: CLOSED_BOX if at in unseen else OPEN_BOX for at in boxes}
        hidden = [(*zones[at], joins) for at, joins in sorted(unseen.items())]
        speakers = [(holder.slot, holder.form) for holder in match.internals.references.speakers(kind.id)]
        kinds.append(KindSight(kind.classes, layout.places[kind.id], layout.faces[kind.id], hidden, zones, speakers))
    return SeatSight(seat, kinds, cells)


def _cells_unseen(match: BareMatch, seat: Seat) -> list[tuple[Slot, Sequence[int]]] | None:
    """Returns the hidden variables of which a seat without memory knows nothing, and the values of each; None if those of one
    are too many to be listed."""
    written, bit = {state for _, state in match.internals.secrets.constants}, match.visibility.bit(seat)
    found: list[tuple[Slot, Sequence[int]]] = []
    for state in match.game.states:
        if state.visible == "all" or state.id not in written:
            continue
        start, values = match.internals.layout.states[state.id], _listed(state.type, match.players)
        for slot in slots(start, match.internals.layout.state_sizes[state.id]):
            seers = match.visibility.who_knows(state, slot - start, match.position.row, None)
            if seers != EVERYONE and not seers & bit:
                found.append((slot, values))
    return found if all(values for _, values in found) else None


def asked_of_others(match: BareMatch, seat: Seat) -> list[tuple[Seat, int]]:
    """Returns the other seats that are asked, and the fewest options that each has."""
    fewest = 2 if (choice := match.choice) is not None and choice.forced else 1
    return [(other, fewest) for other in match.to_move if other != seat]


def sealed_again(match: BareMatch, seat: Seat) -> list[tuple[Seat, Answer | None]]:
    """Returns the answers under seal as a seat would give them once more: its own, and any of the others."""
    return [(other, answer if other == seat else None) for other, answer in match.position.seal.answers]


def any_of(type: Type, players: int, rng: Rng) -> int:
    """Returns a random value of a type; a player is one of those in the match.

    >>> from random import Random
    >>> from rulelang.ir.types import IntType
    >>> sorted({any_of(IntType(2, 4), 2, Random(n)) for n in range(20)})
    [2, 3, 4]
    """
    if isinstance(type, SetType):
        first, size = _bounds(type.element, players)
        bits = range(first + offset_of(type.element), first + offset_of(type.element) + size)
        return sum(rng.randrange(2) << bit for bit in bits if bit >= 0)
    first, size = _bounds(type, players)
    picked = rng.randrange(size + type.optional)
    return NONE if picked == size else first + picked


def _listed(type: Type, players: int) -> Sequence[int]:
    """Returns the values of a type, any as likely as in `any_of`; ANY if they are too many to list."""
    if isinstance(type, SetType):
        return ANY
    first, size = _bounds(type, players)
    if type.optional:
        return (*range(first, first + size), NONE) if size <= MOST else ANY
    return range(first, first + size)


def _bounds(type: Type, players: int) -> tuple[int, int]:
    """Returns the first value of a type, and the number of its values."""
    return first_of(type), players if isinstance(type, KindType) and type.name == PLAYER else size_of(type)


def _offered(machine: Machine, seat: Seat) -> Offered:
    pending = machine.pending
    return None if pending is None or seat not in pending.seats else (pending.choice, _options(machine, seat))


def _options(machine: Machine, seat: Seat, most: int = MOST) -> list[Answer]:
    """Returns the first legal answers of a seat; none if the rules fail."""
    try:
        return Offer(machine, seat).first(most)
    except RuntimeRules:
        return []


def _any_answer(machine: Machine, seat: Seat, rng: Rng) -> Answer | None:
    """Returns a random legal answer of a seat; None if there is none, or the rules fail."""
    try:
        offer = Offer(machine, seat)
        return offer.pick(rng.randrange) if offer.first(1) else None
    except (RuntimeRules, Uncountable):
        return None
