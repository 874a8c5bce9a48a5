"""A match and a seat -> the seat's view at each stop, and its knowledge of each draw.

A seat cannot tell another course of the match from this one if it would have seen the same at every stop. These courses
are its information set, which `retrace` replays.

    shuffle deck        position 0 went to red, who saw the ace; position 1 went to blue; the rest still lies there
    as red remembers    position 0 is the ace, position 1 may be anything else, the rest makes no difference yet
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from math import factorial, perm, prod
from typing import Literal

import attrs

from rulelang.ir.facts import kind_of
from rulelang.ir.model import GameRules, Loop, Over, Source, TopOf
from rulelang.ir.numbers import NO_SEAT, Seat, Thing
from rulelang.ir.types import SetType
from rulelang.ir.walk import walk
from rulelang.knowledge.redaction import read, written_answer
from rulelang.knowledge.rendering import Pointing
from rulelang.machines.chance import DrawForm
from rulelang.machines.machine import Answer
from rulelang.machines.offers.offer import MOST
from rulelang.match.chance_outcomes import trails_settled
from rulelang.match.match import BareMatch
from rulelang.match.recording.interchangeable import named_in
from rulelang.match.recording.step_record import Draw, Passage, Trail
from rulelang.match.recording.viewer_text import answer_draft
from rulelang.match.view import heaps_of, seen_in, variables_of
from rulelang.program.packing import members


@attrs.frozen
class PilePlace:
    """One position of a shuffled pile that has made a difference
    since, and the thing there, if the seat has seen it."""

    at: int
    thing: Thing | None


@attrs.frozen
class Lot:
    """One random outcome as a seat remembers it."""

    form: DrawForm
    stream: int
    known: int | None = None
    """The face or value, if the seat has seen it."""
    size: int = 0
    """The number of things shuffled."""
    places: tuple[PilePlace, ...] = ()
    """The positions that have made a difference; those that the seat has seen come first."""
    kind: int | None = None
    """The kind of things shuffled or picked."""
    ways: int = 1
    """A lower bound on the ways to fill the positions that it has not seen."""


@attrs.frozen
class Rest:
    """A pile whose latest shuffle still decides what lies there: by chapter and draw."""

    chapter: int
    draw: int
    kind: int
    positions: tuple[int, ...]
    """The positions that have made no difference yet."""


@attrs.frozen
class Wanted:
    """A thing that must have lain in a place: this one or a copy of it."""

    kind: int
    like: int
    """The lowest of its copies."""
    place: int


@attrs.frozen
class SeenStop:
    """A stop of the game as a seat sees it, with its memory of the draws of the step before, and the next answer."""

    sighting: Hashable
    lots: tuple[Lot, ...]
    seat: Seat = NO_SEAT
    look: str | None = None
    """The answer as the seat reads it; None for another's answer under seal."""
    own: Answer | None = None
    """The answer itself, if it is the seat's own."""
    open: str | None = None
    """Another's answer in its written form, if the seat can read all of it at the next stop."""
    answer: Answer | None = None
    """That answer, if it names nothing that has copies."""
    wanted: tuple[Wanted, ...] = ()
    """The things that were revealed afterwards, which the seat did not know before."""
    elapsed: int | None = None


@attrs.frozen
class Memory:
    """The memory of a seat: everything it has seen of a match, from the beginning."""

    seat: Seat
    moments: tuple[SeenStop, ...]
    rests: tuple[Rest, ...]

    @classmethod
    def of(cls, match: BareMatch, seat: Seat) -> Memory | None:
        """Returns a seat's memory; None if the match does not know its own past."""
        trails = _trails(match)
        stops = match.earlier()
        if any(is_private_to_others(one, seat) for one, _ in stops):
            return None  # Other courses have more such questions or fewer, and stop elsewhere.
        if not match.is_traced or match.internals.placed is not None or trails is None or len(trails) != len(stops) + 1:
            return None
        seen = [sighting(one, seat) for one, _ in stops]
        lots, rests = _remembered(match.game, trails, match.visibility.bit(seat), match.internals.secrets.picks)
        after = [*(one for one, _ in stops[1:]), match]
        moments: list[SeenStop] = []
        for at, of_step, (one, past), later in zip(seen, lots, stops, after, strict=False):
            look = look_of(one, past.seat, past.answer, seat)
            own = past.answer if past.seat == seat else None
            open = None if own else _read_later(one, past.seat, past.answer, later, seat)
            said = past.answer if open and not _names_copies(one, past.answer) else None
            wanted = _wanted(one, trails[len(moments) + 1], seat)
            moments.append(SeenStop(at, of_step, past.seat, look, own, open, said, wanted, past.reading))
        return cls(seat, (*moments, SeenStop(sighting(match, seat), lots[-1])), rests)


def is_private_to_others(match: BareMatch, seat: Seat) -> bool:
    """Returns whether a match has stopped at a question that a seat does not learn of."""
    return bool(match.to_move) and not match.position.asked_before(seat)


def sighting(match: BareMatch, seat: Seat) -> Hashable:
    """Returns all that a seat sees when the game stops: the events since the last stop, the position, its question."""
    chapter = match.internals.moment.chapter
    outcome = match.outcome
    asked = seat in match.to_move
    return (
        () if chapter is None else seen_in(chapter, match.visibility.bit(seat)),
        match.position.asked_before(seat),
        match.choice.name if match.choice is not None and match.position.asked_before(seat) else None,
        tuple(other for other, _ in match.position.seal.answers),
        match.prompt(seat),
        tuple((option.text, option.label) for option in match.options_of(seat).first(MOST)) if asked else (),
        tuple(variables_of(match.position, seat)),
        tuple(heaps_of(match.position, seat)),
        None if outcome is None else (outcome.kind, outcome.winners),
    )


def look_of(match: BareMatch, actor: Seat, answer: Answer, seat: Seat) -> str | None:
    """Returns an answer as a seat reads it when it is given; None for another's answer under seal."""
    choice = match.choice
    assert choice is not None
    if actor == seat:
        return written_answer(match.game, choice, answer)
    if choice.sealed:
        return None
    position = match.position
    knowledge = named_in(
        match.visibility, match.internals.secrets, position.row, choice, actor, answer, position.moment.knowledge
    )
    pointing = Pointing(match.visibility, position.row, knowledge)
    words = pointing.words(answer_draft(match.game, match.internals.secrets, choice.id, actor, answer))
    return read(words, match.visibility.bit(seat))


def _read_later(match: BareMatch, actor: Seat, answer: Answer, later: BareMatch, seat: Seat) -> str | None:
    """Returns another's answer in its written form if a seat can read all of it at the next stop; else None."""
    choice = match.choice
    assert choice is not None
    if choice.sealed and later.position.seal.answers:
        return None
    pointing = Pointing(later.visibility, later.position.row, later.internals.moment.knowledge)
    words = pointing.words(answer_draft(match.game, match.internals.secrets, choice.id, actor, answer))
    return read(words) if read(words, match.visibility.bit(seat)) == read(words) else None


def _names_copies(match: BareMatch, answer: Answer) -> bool:
    """Returns whether an answer names a thing that has copies."""
    choice = match.choice
    assert choice is not None
    for parameter, value in zip(choice.branches[answer[0]].parameters, answer[1:], strict=True):
        kind = kind_of(parameter.variable.type, match.game)
        if kind is not None and value >= 0:
            things = members(value) if isinstance(parameter.variable.type, SetType) else [value]
            if any(kind.classes.count(kind.classes[thing]) > 1 for thing in things):
                return True
    return False


def _wanted(match: BareMatch, trail: Trail, seat: Seat) -> tuple[Wanted, ...]:
    """Returns the things revealed in a step, with their places before it."""
    row, layout, bit = match.position.row, match.internals.layout, match.visibility.bit(seat)
    found: dict[tuple[int, int], Wanted] = {}
    for passage in trail.passages:
        if (
            passage.what == "shuffle"
            or not passage.knowers & bit
            or match.internals.moment.knowledge.knows(seat, passage.kind, passage.thing)
        ):
            continue
        place = row[layout.places[passage.kind] + passage.thing]
        if place >= 0 and (passage.what == "show" or passage.source == place):
            like = match.game.kinds[passage.kind].classes[passage.thing]
            found.setdefault((passage.kind, passage.thing), Wanted(passage.kind, like, place))
    return tuple(found.values())


# ------------------------------------------------------------------ draws


def _trails(match: BareMatch) -> list[Trail] | None:
    trails: list[Trail] = []
    chapter = match.internals.moment.chapter
    while chapter is not None:
        if chapter.only is not None or chapter.is_forgotten:
            return None
        trails.append(chapter.trail)
        chapter = chapter.previous
    return trails_settled(trails[::-1], match.position.orders, match.position.row, match.internals.layout)


def _remembered(
    game: GameRules, trails: list[Trail], bit: int, kinds: Mapping[int, int]
) -> tuple[list[tuple[Lot, ...]], tuple[Rest, ...]]:
    """Returns a seat's memory of the draws of each step, and the piles that nobody has exhausted."""
    piles: dict[tuple[int, int], _Pile] = {}
    shuffles: dict[tuple[int, int], _Pile] = {}
    peeks = _looks_at_order(game)
    paths = _Paths()
    picked = set[tuple[int | None, int]]()
    for number, trail in enumerate(trails):
        picked |= {(kinds.get(draw.stream), draw.value) for draw in trail.draws if isinstance(draw.value, int)}
        for passage in trail.passages:
            about = passage.kind, passage.source
            if passage.what == "shuffle":
                value = trail.draws[passage.draws - 1].value
                assert isinstance(value, tuple)
                order = tuple(map(Thing, value))
                pile = _Pile(number, passage.draws - 1, passage.kind, order, list(order), peeks)
                piles[about] = shuffles[number, passage.draws - 1] = pile
                if passage.knowers & bit:
                    pile.known |= set(order)
                continue
            seen = bool(passage.knowers & bit)
            is_picked = peeks == "order" or (passage.kind, passage.thing) in picked
            if passage.what == "show":
                for pile in piles.values():
                    if pile.kind == passage.kind and passage.thing in pile.lying:
                        pile.is_loose |= is_picked
                        pile.touch(passage.thing, seen)
            else:
                if about in piles and piles[about].leave(passage.thing, seen, is_picked) and not seen:
                    paths.begin(piles[about], passage)
                target = piles.get((passage.kind, passage.target))
                if target is not None:
                    target.lying.insert(len(target.lying) if passage.end == "bottom" else 0, passage.thing)
            paths.follow(passage, seen)
    lots = [
        tuple(_lot(draw, i, trail, shuffles.get((number, i)), bit, game) for i, draw in enumerate(trail.draws))
        for number, trail in enumerate(trails)
    ]
    rests = (Rest(p.chapter, p.draw, p.kind, p.rest()) for p in piles.values())
    return lots, tuple(rest for rest in rests if len(rest.positions) > 1)


@attrs.define
class _Pile:
    """A shuffled pile, and the positions that have made a difference since."""

    chapter: int
    draw: int
    kind: int
    order: tuple[Thing, ...]
    lying: list[Thing]
    peeks: Literal["", "top", "order"]
    """The way in which the rules read piles besides taking from them: not at all (""), the top, or the whole order."""
    known: set[Thing] = attrs.field(factory=set)
    touched: set[Thing] = attrs.field(factory=set)
    is_loose: bool = False
    """Whether something was picked from it: whoever sees a thing from then on does not see how deep it had lain."""

    def leave(self, thing: Thing, is_known: bool, is_picked: bool) -> bool:
        """Takes a thing away; returns whether it is certain where the shuffle had put it."""
        if thing not in self.lying:
            return False
        self.is_loose |= is_picked
        if self.lying[0] != thing and self.lying[-1] != thing:
            self.peeks = "order"
        self.lying.remove(thing)
        self.touch(thing, is_known)
        return not self.is_loose

    def touch(self, thing: Thing, is_known: bool) -> None:
        self.touched.add(thing)
        if is_known and not self.is_loose:
            self.known.add(thing)

    def places(self) -> tuple[PilePlace, ...]:
        rest = set(self.rest())
        found = [
            PilePlace(at, thing if thing in self.known else None)
            for at, thing in enumerate(self.order)
            if at not in rest
        ]
        return tuple(sorted(found, key=lambda place: place.thing is None))

    def rest(self) -> tuple[int, ...]:
        if self.peeks == "order":
            return ()
        rest = [at for at, thing in enumerate(self.order) if thing not in self.touched and thing not in self.known]
        # If rules read the top of a pile, the next thing to leave makes a difference already.
        return tuple(rest[1:] if self.peeks == "top" else rest)


@attrs.define
class _Paths:
    """Things that left a shuffled pile unseen and have lain alone since: a viewer who sees one later knows its place
    in the shuffle.
    """

    lying: dict[tuple[int, int], set[int]] = attrs.field(factory=dict)
    """By kind and place: the things there."""
    piles: dict[tuple[int, int], _Pile] = attrs.field(factory=dict)
    """By kind and thing: the pile that it left."""

    def begin(self, pile: _Pile, passage: Passage) -> None:
        """Notes that a thing leaves a pile unseen."""
        self.piles[passage.kind, passage.thing] = pile

    def follow(self, passage: Passage, is_seen: bool) -> None:
        """Notes that a thing moves or is shown."""
        about = passage.kind, passage.thing
        if passage.what == "move":
            self.lying.setdefault((passage.kind, passage.source), set()).discard(passage.thing)
        if is_seen and about in self.piles:
            self.piles.pop(about).known.add(passage.thing)
        if passage.what == "move":
            beside = self.lying.setdefault((passage.kind, passage.target), set())
            beside.add(passage.thing)
            for thing in beside if len(beside) > 1 else ():
                self.piles.pop((passage.kind, thing), None)


def _looks_at_order(game: GameRules) -> Literal["", "top", "order"]:
    nodes = list(walk((game.procedures, game.choices, game.values, game.data)))
    for node in nodes:
        over: tuple[Source, ...] = ()
        if isinstance(node, Loop):
            over = (node.source,)
        elif isinstance(node, Over) and node.what in ("first", "best"):
            over = node.sources
        if any(source.pile is not None for source in over):
            return "order"
    return "top" if any(isinstance(node, TopOf) for node in nodes) else ""


def _lot(draw: Draw, number: int, trail: Trail, pile: _Pile | None, bit: int, game: GameRules) -> Lot:
    """Returns a seat's memory of one draw; a viewer who saw a picked thing move knows it at once."""
    if draw.form == "shuffle":
        assert isinstance(draw.value, tuple)
        classes = tuple(range(max(draw.value, default=0) + 1)) if pile is None else game.kinds[pile.kind].classes
        places = tuple(PilePlace(at, None) for at in range(len(draw.value))) if pile is None else pile.places()
        return Lot(
            draw.form,
            draw.stream,
            None,
            len(draw.value),
            places,
            None if pile is None else pile.kind,
            _ways(draw.value, places, classes),
        )
    assert isinstance(draw.value, int)
    moved = next(_gone(trail.passages, number, Thing(draw.value)), None)
    seen = draw.seers & bit or (draw.form == "pick" and moved is not None and moved.knowers & bit)
    return Lot(draw.form, draw.stream, draw.value if seen else None)


def _ways(order: tuple[int, ...], places: tuple[PilePlace, ...], classes: tuple[int, ...]) -> int:
    """Returns a lower bound on the ways to fill the unseen positions of a shuffle; copies count as one.

    >>> _ways((0, 1, 2), (PilePlace(0, 0), PilePlace(1, None)), (0, 1, 2))
    2
    """
    seen = {place.thing for place in places if place.thing is not None}
    left = [thing for thing in order if thing not in seen]
    copies = Counter(classes[thing] for thing in left)
    return max(1, perm(len(left), len(places) - len(seen)) // prod(factorial(n) for n in copies.values()))


def _gone(passages: tuple[Passage, ...], number: int, thing: Thing) -> Iterator[Passage]:
    for passage in passages:
        if passage.draws == number + 1:
            if passage.what == "move" and passage.thing == thing:
                yield passage
            return
