"""A match and a seat -> what the seat has seen, moment by moment, and what follows from it for all that was drawn.

Another course of the match is one that the seat could not tell from this one when it would have seen the same at every
moment: that is its information set, which `retrace` plays again.

    shuffle deck        position 0 went to red, who saw the ace; position 1 went to blue; the rest still lies there
    as red remembers    position 0 is the ace, position 1 may be anything else, the rest makes no difference yet
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

import attrs

from rulelang.ir.model import Game, Loop, Over, Source, TopOf
from rulelang.ir.walk import walk
from rulelang.knowledge.redaction import read, written_answer
from rulelang.knowledge.visibility import known_now, settled
from rulelang.machines.machine import Answer
from rulelang.machines.offer import MOST
from rulelang.match.match import Match
from rulelang.match.recorder import answer_draft
from rulelang.match.trail import Draw, Passage, Trail
from rulelang.match.view import heaps_of, seen_in, variables_of


@attrs.frozen
class Place:
    """One position of a shuffled pile that has made a difference since, and the thing there, where the seat has seen it."""

    at: int
    thing: int | None


@attrs.frozen
class Lot:
    """One random outcome as a seat remembers it."""

    form: str
    stream: int
    known: int | None = None
    """The face or value, where the seat has seen it."""
    size: int = 0
    """How many things were shuffled."""
    places: tuple[Place, ...] = ()
    """The positions that have made a difference; those that the seat has seen come first."""


@attrs.frozen
class Rest:
    """A pile whose latest shuffle still decides what lies there: by chapter and draw."""

    chapter: int
    draw: int
    kind: int
    positions: tuple[int, ...]
    """Those that have made no difference yet."""


@attrs.frozen
class Moment:
    """What a seat sees when the game stops, what it remembers of the draws of the step before, and who answers next."""

    sighting: Hashable
    lots: tuple[Lot, ...]
    seat: int = -1
    look: str | None = None
    """The answer as the seat reads it; None of one under seal."""
    own: Answer | None = None
    """The answer itself, where it is the seat's own."""
    elapsed: int | None = None


@attrs.frozen
class Memory:
    """What a seat has seen of a match, from its beginning."""

    seat: int
    moments: tuple[Moment, ...]
    rests: tuple[Rest, ...]

    @classmethod
    def of(cls, match: Match, seat: int) -> Memory | None:
        """Returns what a seat remembers; None where the match does not know its own past."""
        trails = _trails(match)
        stops = match.earlier()
        if not match.is_traced or trails is None or len(trails) != len(stops) + 1:
            return None
        seen = [sighting(one, seat) for one, _ in stops]
        lots, rests = _remembered(match.game, trails, match.sight.bit(seat))
        moments = [
            Moment(
                at,
                of_step,
                past.seat,
                look_of(one, past.seat, past.answer, seat),
                past.answer if past.seat == seat else None,
                past.reading,
            )
            for at, of_step, (one, past) in zip(seen, lots, stops, strict=False)
        ]
        return cls(seat, (*moments, Moment(sighting(match, seat), lots[-1])), rests)


def sighting(match: Match, seat: int) -> Hashable:
    """Returns all that a seat sees when the game stops: the events since the last stop, the table, what it is asked."""
    chapter = match.moment.chapter
    outcome = match.outcome
    asked = seat in match.to_move
    return (
        () if chapter is None else seen_in(chapter, match.sight.bit(seat)),
        match.to_move,
        match.choice.name if match.choice is not None else None,
        tuple(other for other, _ in match.position.seal.answers),
        match.prompt(seat),
        tuple((option.text, option.label) for option in match.options_of(seat).first(MOST)) if asked else (),
        tuple(variables_of(match.position, seat)),
        tuple(heaps_of(match.position, seat)),
        None if outcome is None else (outcome.kind, outcome.winners),
    )


def look_of(match: Match, actor: int, answer: Answer, seat: int) -> str | None:
    """Returns an answer as a seat reads it when it is given; None of another's under seal."""
    choice = match.choice
    assert choice is not None
    if actor == seat:
        return written_answer(match.game, choice, answer)
    if choice.sealed:
        return None
    draft = known_now(answer_draft(match.game, match.secrets, choice.id, actor, answer), match.moment.knowledge)
    return read(settled(draft, match.game), match.sight.bit(seat))


# ------------------------------------------------------------------ draws


def _trails(match: Match) -> list[Trail] | None:
    trails: list[Trail] = []
    chapter = match.moment.chapter
    while chapter is not None:
        if chapter.only is not None:
            return None
        trails.append(chapter.trail)
        chapter = chapter.previous
    return trails[::-1]


def _remembered(game: Game, trails: list[Trail], bit: int) -> tuple[list[tuple[Lot, ...]], tuple[Rest, ...]]:
    """Returns what a seat remembers of the draws of each step, and the piles that nobody has come to the end of."""
    piles: dict[tuple[int, int], _Pile] = {}
    shuffles: dict[tuple[int, int], _Pile] = {}
    peeks = _looks_at_order(game)
    for number, trail in enumerate(trails):
        for passage in trail.passages:
            about = passage.kind, passage.source
            if passage.what == "shuffle":
                order = trail.draws[passage.draws - 1].value
                assert isinstance(order, tuple)
                pile = _Pile(number, passage.draws - 1, passage.kind, order, list(order), peeks)
                piles[about] = shuffles[number, passage.draws - 1] = pile
                if passage.knowers & bit:
                    pile.known |= set(order)
            elif passage.what == "show":
                for pile in piles.values():
                    if pile.kind == passage.kind and passage.thing in pile.lying:
                        pile.touch(passage.thing, bool(passage.knowers & bit))
            else:
                if about in piles:
                    piles[about].leave(passage.thing, bool(passage.knowers & bit))
                target = piles.get((passage.kind, passage.target))
                if target is not None:
                    target.lying.insert(len(target.lying) if passage.end == "bottom" else 0, passage.thing)
    lots = [
        tuple(_lot(draw, i, trail.passages, shuffles.get((number, i)), bit) for i, draw in enumerate(trail.draws))
        for number, trail in enumerate(trails)
    ]
    rests = (Rest(p.chapter, p.draw, p.kind, p.rest()) for p in piles.values())
    return lots, tuple(rest for rest in rests if len(rest.positions) > 1)


@attrs.define
class _Pile:
    """A shuffled pile, and which of its positions have made a difference since."""

    chapter: int
    draw: int
    kind: int
    order: tuple[int, ...]
    lying: list[int]
    peeks: str
    """How the rules look at a pile beside taking from it: "" or top, or order, where each position may tell."""
    known: set[int] = attrs.field(factory=set)
    touched: set[int] = attrs.field(factory=set)

    def leave(self, thing: int, is_known: bool) -> None:
        if thing in self.lying:
            if self.lying[0] != thing and self.lying[-1] != thing:
                self.peeks = "order"
            self.lying.remove(thing)
            self.touch(thing, is_known)

    def touch(self, thing: int, is_known: bool) -> None:
        self.touched.add(thing)
        if is_known:
            self.known.add(thing)

    def places(self) -> tuple[Place, ...]:
        rest = set(self.rest())
        found = [
            Place(at, thing if thing in self.known else None) for at, thing in enumerate(self.order) if at not in rest
        ]
        return tuple(sorted(found, key=lambda place: place.thing is None))

    def rest(self) -> tuple[int, ...]:
        if self.peeks == "order":
            return ()
        rest = [at for at, thing in enumerate(self.order) if thing not in self.touched and thing not in self.known]
        # Whoever looks at the top of a pile looks at the one that would leave next.
        return tuple(rest[1:] if self.peeks == "top" else rest)


def _looks_at_order(game: Game) -> str:
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


def _lot(draw: Draw, number: int, passages: tuple[Passage, ...], pile: _Pile | None, bit: int) -> Lot:
    """Returns what is remembered of one draw; a thing that was picked is known to who saw it go at once."""
    if draw.form == "shuffle":
        assert isinstance(draw.value, tuple)
        places = tuple(Place(at, None) for at in range(len(draw.value))) if pile is None else pile.places()
        return Lot(draw.form, draw.stream, None, len(draw.value), places)
    assert isinstance(draw.value, int)
    moved = next(_gone(passages, number, draw.value), None)
    seen = draw.seers & bit or (draw.form == "pick" and moved is not None and moved.knowers & bit)
    return Lot(draw.form, draw.stream, draw.value if seen else None)


def _gone(passages: tuple[Passage, ...], number: int, thing: int) -> Iterator[Passage]:
    for passage in passages:
        if passage.draws == number + 1:
            if passage.what == "move" and passage.thing == thing:
                yield passage
            return
