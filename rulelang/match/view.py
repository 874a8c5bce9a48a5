"""A position -> one seat's view of it: a value that holds only what the seat may know, and can be compared.

    red's view       red.tokens: nitro, fuel_tank      blue.tokens: 2 backs      bonuses: 11 backs

Positions that differ only in what a seat may not know give that seat equal views.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cached_property
from itertools import chain

import attrs

from rulelang.errors import RulelangError
from rulelang.ir.model import Kind, StateVariable, Template, Zone
from rulelang.ir.numbers import Mask, Seat, Slot, Thing
from rulelang.knowledge.redaction import read
from rulelang.knowledge.rendering import Scene
from rulelang.machines.evaluate import Locals, contents
from rulelang.machines.offers.offer import MOST
from rulelang.match.options.answers import on_offer
from rulelang.match.options.explain import prompt
from rulelang.match.options.namesakes import form
from rulelang.match.options.option import Option, Options
from rulelang.match.position import Position
from rulelang.match.recording.events import Event, Outcome
from rulelang.match.state import Chapter
from rulelang.match.view_cache import Heap, Seen, heap_of, looks_of, written_name
from rulelang.program.packing import members
from rulelang.program.values import written


@attrs.frozen(slots=False)
class View:
    """The view of a seat (None: of a spectator): everything that it may know. Its parts are made when they are read."""

    seat: Seat | None
    seats: tuple[str, ...]
    to_move: tuple[Seat, ...]
    prompt: str
    options: tuple[Option, ...] | Options
    """The seat's options: a tuple if they are few, else `Options`, which can be counted and picked from."""
    answered: tuple[int, ...]
    """The seats whose answers are under seal."""
    answer: str | None
    """This seat's own sealed answer."""
    variables: tuple[Seen, ...]
    zones: tuple[Heap, ...]
    events: tuple[Event, ...]
    outcome: Outcome | None

    @classmethod
    def of(cls, position: Position, seat: Seat | None) -> View:
        """Returns the view of a seat."""
        view = cls.__new__(cls)
        view.__dict__.update(seat=seat, _position=position)
        return view

    def __getattr__(self, name: str) -> object:
        """Makes a part that is read for the first time."""
        if name not in PARTS:
            raise AttributeError(f"a view has no {name!r}")
        found = self.__dict__[name] = PARTS[name](self.__dict__["_position"], self.seat)
        return found

    def __getitem__(self, name: str) -> Seen | Heap:
        """Returns a variable or zone by its written name: `view["red.fuel"]`. Raises KeyError if it is not in sight."""
        for part in self._named():
            if part.name == name:
                return part
        raise KeyError(name)

    def _named(self) -> Iterator[Seen | Heap]:
        yield from self.variables
        yield from self.zones


def _offered(position: Position, seat: Seat | None) -> tuple[Option, ...] | Options:
    if seat is None or seat not in position.to_move:
        return ()
    options = on_offer(position, (seat,))
    few = options.first(MOST + 1)
    return tuple(few) if len(few) <= MOST else options


def _own_answer(position: Position, seat: Seat | None) -> str | None:
    own, choice = dict(position.seal.answers), position.choice
    if seat not in own or choice is None:
        return None
    return form(position.seal.before or position.machine, choice, seat, own[seat])


PARTS: dict[str, Callable[[Position, Seat | None], object]] = {
    "seats": lambda position, _: position.seats,
    "to_move": lambda position, seat: position.asked_before(seat),
    "prompt": lambda position, seat: "" if seat is None else prompt(position, seat),
    "options": _offered,
    "answered": lambda position, _: tuple(sorted(seat for seat, _ in position.seal.answers)),
    "answer": _own_answer,
    "variables": lambda position, seat: looks_of(position, seat).variables(position),
    "zones": lambda position, seat: looks_of(position, seat).heaps(position),
    "events": lambda position, seat: told(position.moment.chapter, position.visibility.bit(seat)),
    "outcome": lambda position, seat: position.outcome_for(seat),
}
"""The functions that make the parts of a view, by field."""


def variables_of(position: Position, seat: Seat | None) -> tuple[Seen, ...]:
    """Returns the variables that a seat (None: a spectator) sees."""
    return looks_of(position, seat).variables(position)


def heaps_of(
    position: Position, seat: Seat | None, name_of: Callable[[Kind, Thing], str] = written_name
) -> Iterator[Heap]:
    """Yields the contents of each zone, as far as a seat (None: a spectator) may know; `name_of` names things."""
    if name_of is written_name:
        yield from looks_of(position, seat).heaps(position)
        return
    viewer = position.players if seat is None else seat
    for zone, instance, name in position.visibility.heaps:
        yield heap_of(position, viewer, zone, instance, name, name_of)


class State(Mapping[str, Seen | Heap]):
    """The whole position by written names, nothing hidden: variables and zones, as in a `View`.

    None stands for a thing of a pile that explicit chance has not been asked for yet.

    >>> from rulelang import load
    >>> match = load("outspeed").start(players=3, seed=7)
    >>> match.state["red.fuel"].value, match.state["red.tokens"].form
    (12, 'group')
    """

    def __init__(self, position: Position) -> None:
        self._position = position

    @cached_property
    def _cells(self) -> dict[str, tuple[StateVariable, int]]:
        return {name: (state, at) for state, at, name in self._position.visibility.cells}

    @cached_property
    def _heaps(self) -> dict[str, tuple[Zone, int]]:
        return {name: (zone, instance) for zone, instance, name in self._position.visibility.heaps}

    def __getitem__(self, name: str) -> Seen | Heap:
        position = self._position
        if name in self._cells:
            state, at = self._cells[name]
            value = position.row[position.layout.states[state.id] + at]
            return Seen(name, value, written(value, state.type, position.game))
        zone, instance = self._heaps[name]
        kind = position.game.kinds[zone.kind]
        things = contents(position.row, position.layout, zone, instance)
        pile = position.orders.piles.get(Slot(position.layout.zones[zone.id] + instance))
        open = 0 if pile is None else pile.things
        if len({kind.names[thing] for thing in members(open)}) == 1:
            open = 0
        return Heap(name, kind.name, zone.form, tuple(None if open >> t & 1 else kind.names[t] for t in things))

    def __iter__(self) -> Iterator[str]:
        yield from self._cells
        yield from self._heaps

    def __len__(self) -> int:
        return len(self._cells) + len(self._heaps)


# ------------------------------------------------------------------ the past of a seat


def told(chapter: Chapter | None, viewer: int | None, after: int = 0) -> tuple[Event, ...]:
    """Returns the events up to a chapter as a viewer (a bit; None: with nothing hidden) saw them, without the first
    `after` of all events.
    """
    parts: list[tuple[Event, ...]] = []
    while chapter is not None and chapter.end > after:
        _remembered(chapter)
        viewer = viewer if chapter.only is None else chapter.only
        begin = chapter.end - len(chapter.events)
        if viewer is None:
            parts.append(chapter.events[max(after - begin, 0) :])
        else:
            seen = chapter.seen_by(Mask(viewer))
            parts.append(tuple(event for event, at in zip(seen.events, seen.at, strict=True) if at >= after))
        chapter = chapter.previous
    return tuple(chain.from_iterable(reversed(parts)))


def _remembered(chapter: Chapter) -> None:
    """Raises RulelangError for a chapter that was dropped."""
    if chapter.is_forgotten:
        raise RulelangError(f"the first {chapter.end} events of this match were let go")


def seen_in(chapter: Chapter, viewer: int) -> tuple[Event, ...]:
    """Returns the events of one chapter as a viewer (a bit) saw them."""
    return chapter.seen_by(Mask(viewer)).events


def information(position: Position, seat: Seat | None) -> Hashable:
    """Returns all that a seat has chosen and seen, in order. Under seal, others' answers are nothing that it sees,
    whatever their order is, until the seal is broken."""
    parts: list[Hashable] = []
    viewer, chapter = position.visibility.bit(seat), position.moment.chapter
    sealed = {choice.name for choice in position.game.choices if choice.sealed}
    private = {choice.name for choice in position.game.choices if choice.private}
    later: tuple[Hashable, ...] = ()
    while chapter is not None:
        _remembered(chapter)
        if chapter.only is not None:
            viewer, chapter = chapter.only, chapter.previous
            continue
        by, name = chapter.answer[:2] if chapter.answer is not None else (None, None)
        mine = chapter.answer if by is not None and by == seat else None
        seen, later = (*seen_in(chapter, viewer), *later), ()
        if name in private and mine is None:
            # What follows a question that others do not learn of belongs, to them, to what came before.
            later = seen
        elif name not in sealed:
            parts.append((mine, seen))
        else:
            parts += [(None, seen)] if chapter.events or seen else []
            parts += [(mine, ())] if mine is not None else []
        chapter = chapter.previous
    parts += [(None, later)] if later else []
    return tuple(reversed(parts))


# ------------------------------------------------------------------ templates for a seat


@attrs.frozen
class Eyes:
    """The words of templates as one seat (None: a spectator) may read them, for screens."""

    position: Position
    seat: Seat | None

    def read(
        self, template: Template | None, locals: Locals | None = None, told: Mapping[int, int] | None = None
    ) -> str:
        """Returns the words of a template; `told` says who may know a local; everybody may know a missing one."""
        position = self.position
        scene = Scene(
            position.visibility,
            position.row,
            position.knowledge,
            dict(locals or {}),
            told or {},
            patience=position.patience,
        )
        return read(scene.words(template), position.visibility.bit(self.seat))

    def thing(self, kind: int, thing: Thing) -> str | None:
        """Returns a thing's written name; None if this seat sees only its back."""
        viewer = self.position.players if self.seat is None else self.seat
        known = self.position.knowledge.knows(viewer, kind, thing)
        return self.position.game.kinds[kind].names[thing] if known else None
