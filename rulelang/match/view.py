"""A match -> what one seat may know of it: a value that can be compared, and nothing else to look at.

    red's view       red.tokens: nitro, fuel_tank      blue.tokens: 2 backs      bonuses: 11 backs

Two positions that differ only in what a seat may not know give that seat equal views.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING

import attrs

from rulelang.ir.model import StateVariable, Template
from rulelang.ir.types import NONE, KindType
from rulelang.knowledge.knowledge import Knowledge
from rulelang.knowledge.redaction import EVERYONE, Words, kind_of, read, written_answer
from rulelang.knowledge.visibility import Scene, known_now, settled
from rulelang.machines.evaluate import Locals, contents
from rulelang.machines.offer import MOST
from rulelang.match.events import Event, Outcome
from rulelang.match.option import Option, Options
from rulelang.match.recorder import value_draft

if TYPE_CHECKING:
    from rulelang.match.match import Match
    from rulelang.match.moment import Chapter


@attrs.frozen
class Seen:
    """A variable and its value, as number and in words; no number where it is a thing that is not known."""

    name: str
    value: int | None
    text: str


@attrs.frozen
class Heap:
    """A zone and what lies in it: the name of each thing that is known, None for a back; a pile's from the top."""

    name: str
    kind: str
    form: str
    things: tuple[str | None, ...]

    @property
    def count(self) -> int:
        """How many things lie there: public."""
        return len(self.things)


@attrs.frozen
class View:
    """What a seat may know (None: what a spectator may)."""

    seat: int | None
    seats: tuple[str, ...]
    to_move: tuple[int, ...]
    prompt: str
    options: tuple[Option, ...] | Options
    """What the seat may do: a tuple, or what counts and picks where there is too much for one."""
    answered: tuple[int, ...]
    """Seats whose answers lie sealed."""
    answer: str | None
    """This seat's own sealed answer."""
    variables: tuple[Seen, ...]
    zones: tuple[Heap, ...]
    events: tuple[Event, ...]
    outcome: Outcome | None

    def __getitem__(self, name: str) -> Seen | Heap:
        """Gives a variable or zone by its written name: `view["red.fuel"]`; KeyError where it is not in sight."""
        for part in self._named():
            if part.name == name:
                return part
        raise KeyError(name)

    def _named(self) -> Iterator[Seen | Heap]:
        yield from self.variables
        yield from self.zones


def view_of(match: Match, seat: int | None) -> View:
    """Gives what a seat may know; None is a spectator."""
    own = dict(match.sealed)
    answer = None
    if seat in own and match.choice is not None:
        answer = written_answer(match.game, match.choice, own[seat])
    return View(
        seat,
        match.seats,
        match.to_move,
        "" if seat is None else match.prompt(seat),
        () if seat is None else _offered(match, seat),
        tuple(sorted(own)),
        answer,
        tuple(variables_of(match, seat)),
        tuple(heaps_of(match, seat)),
        match.events_for(seat),
        match.outcome,
    )


def _offered(match: Match, seat: int) -> tuple[Option, ...] | Options:
    options = match.options_of(seat)
    few = options.first(MOST + 1)
    return tuple(few) if len(few) <= MOST else options


def knowledge_of(match: Match) -> Knowledge:
    """Gives who knows what now; in a match that does not keep it, what lies open to each."""
    if match.is_traced:
        return match.knowledge
    row = match.row
    return match.knowledge.laid_out(
        match.game, match.layout, row, lambda kind, place: match.sight.of_place(kind, place, row)
    )


def variables_of(match: Match, seat: int | None) -> Iterator[Seen]:
    bit = match.sight.bit(seat)
    knowledge = knowledge_of(match)
    for state, at, name in match.sight.cells:
        if _sees(match.sight.who_knows(state, at, match.row, knowledge), bit):
            value = match.row[match.layout.states[state.id] + at]
            words = settled(known_now(value_draft(match.game, value, state.type, EVERYONE), knowledge), match.game)
            yield Seen(name, _number(match, state, value, words, bit), read(words, bit))


def _number(match: Match, state: StateVariable, value: int, words: Words, bit: int) -> int | None:
    """Gives a value as a number where it does not tell more than its words: of things printed alike, the lowest."""
    kind = kind_of(state.type, match.game)
    if kind is None or value == NONE:
        return value
    if read(words, bit) != read(words) or not isinstance(state.type, KindType):
        return None
    return kind.classes[value]


def _sees(seers: int, bit: int) -> bool:
    return seers == EVERYONE or bool(seers & bit)


def heaps_of(match: Match, seat: int | None) -> Iterator[Heap]:
    """Gives what lies in each zone, as far as a seat (None: a spectator) may know."""
    viewer = match.players if seat is None else seat
    knowledge = knowledge_of(match)
    for zone, instance, name in match.sight.heaps:
        kind = match.game.kinds[zone.kind]
        things = contents(match.row, match.layout, zone, instance)
        names = [kind.names[t] if knowledge.knows(viewer, kind.id, t) else None for t in things]
        if zone.form != "pile":
            known = [t for t, known_as in zip(things, names, strict=True) if known_as is not None]
            known.sort(key=lambda t: (kind.classes[t], t))
            names = [kind.names[t] for t in known] + [None] * (len(things) - len(known))
        yield Heap(name, kind.name, zone.form, tuple(names))


# ------------------------------------------------------------------ what has been seen


def told(chapter: Chapter | None, viewer: int | None, after: int = 0) -> tuple[Event, ...]:
    """Gives the events up to a chapter but for the first so many, as a viewer (a bit) saw them; None: with nothing hidden."""
    parts: list[tuple[Event, ...]] = []
    begin = 0
    while chapter is not None and chapter.end > after:
        viewer = viewer if chapter.only is None else chapter.only
        parts.append(chapter.events if viewer is None else seen_in(chapter, viewer))
        begin = chapter.end - len(chapter.events)
        chapter = chapter.previous
    return tuple(chain.from_iterable(reversed(parts)))[max(after - begin, 0) :]


def seen_in(chapter: Chapter, viewer: int) -> tuple[Event, ...]:
    """Gives the events of one chapter as a viewer (a bit) saw them."""
    found = chapter.seen.get(viewer)
    if found is None:
        found = chapter.seen[viewer] = tuple(event.seen(viewer) for event in chapter.events)
    return found


def information(match: Match, chapter: Chapter | None, seat: int | None) -> Hashable:
    """Gives all that a seat has chosen and seen, in order."""
    parts: list[Hashable] = []
    viewer = match.sight.bit(seat)
    while chapter is not None:
        if chapter.only is None:
            mine = chapter.answer if chapter.answer is not None and chapter.answer[0] == seat else None
            parts.append((mine, seen_in(chapter, viewer)))
        else:
            viewer = chapter.only
        chapter = chapter.previous
    return tuple(reversed(parts))


# ------------------------------------------------------------------ templates through somebody's eyes


@attrs.frozen
class Eyes:
    """Puts templates into words as one seat (None: a spectator) may read them: for screens."""

    match: Match
    seat: int | None

    def read(
        self, template: Template | None, locals: Locals | None = None, told: Mapping[int, int] | None = None
    ) -> str:
        """Gives the words of a template; `told` says who may know a local, everybody where it is silent."""
        match = self.match
        scene = Scene(match.sight, match.row, knowledge_of(match), dict(locals or {}), told or {})
        return read(scene.words(template), match.sight.bit(self.seat))

    def thing(self, kind: int, thing: int) -> str | None:
        """Gives a thing's written name, None where this seat sees its back."""
        viewer = self.match.players if self.seat is None else self.seat
        known = knowledge_of(self.match).knows(viewer, kind, thing)
        return self.match.game.kinds[kind].names[thing] if known else None
