"""An event as a viewer saw it -> the places on a screen that it touched, so that a page can light them up.

touched(event, game)      {("Space", 4), ("Player", 0), ("zone", "red.tokens"), ("thing", "nitro")}

Only what the viewer reads in the event is used; a value that is covered names no place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from rulelang.errors import UnknownOption
from rulelang.ir.model import GameRules, StateVariable
from rulelang.ir.numbers import seats_of
from rulelang.ir.types import NONE, EnumType, IntType, KindType, SetType, Type
from rulelang.knowledge.phrase import names_in
from rulelang.knowledge.redaction import read, said_seat
from rulelang.match.recording.events import Change, Event
from rulelang.program.values import read_value

Place: TypeAlias = tuple[str, int | str]
"""A value that a screen shows: the name of its type and its number; or a thing or a zone by its name."""
THING, ZONE = "thing", "zone"


def place_of(type: Type | None, value: int) -> Place | None:
    """Returns the place of a value; None for values that no picture shows.

    >>> place_of(IntType(1, 9), 4), place_of(SetType(IntType(1, 9)), 4)
    (('1..9', 4), None)
    """
    match type:
        case KindType(name=name) | EnumType(name=name) if value != NONE:
            return name, value
        case IntType(low=low, high=high):
            return f"{low}..{high}", value
        case _:  # nothing else is a place
            return None


def touched(event: Event, game: GameRules) -> frozenset[Place]:
    """Returns the places that an event touched."""
    changed = {place for change in event.changes for place in _of_change(change, game)}
    named = (place for name in _names(event) for place in _called(name, game))
    return frozenset((*changed, *named))


def _names(event: Event) -> Iterator[str]:
    """Yields the names in the sentence of an event."""
    sentence = read(event.sentence)
    yield from (str(sentence[name.start : name.end]) for name in names_in(sentence))


def _called(name: str, game: GameRules) -> Iterator[Place]:
    """Yields the seat or the space that has a name."""
    for seat in seats_of(len(game.seats)):
        if said_seat(game, seat) == name:
            yield game.kinds[0].name, int(seat)
    for board in game.boards:
        kind = game.kinds[board.kind]
        if name in kind.names:
            yield kind.name, kind.names.index(name)


def _of_change(change: Change, game: GameRules) -> Iterator[Place]:
    subject, before, after = (read(words) for words in (change.subject, change.before, change.after))
    match change.what:
        case "set":
            state = _state(subject, game)
            if state is not None:
                yield from _owners(subject, state, game)
                yield from (place for text in (before, after) for place in _places(text, state.type, game))
        case "move" | "reveal" | "show":
            if change.told is not None:
                yield from _things(read(change.told.subject))
            for zone in filter(None, (before, after)):
                yield ZONE, zone
                yield from _zone_owner(zone, game)
        case "shuffle":
            yield ZONE, subject
        case _:  # nothing else is on a board
            return


def _state(subject: str, game: GameRules) -> StateVariable | None:
    """Returns the variable that a change writes as `red.fuel`, `price(wool)` or `b2.disc`."""
    name = subject.rpartition(".")[2].partition("(")[0]
    return next((state for state in game.states if state.name == name), None)


def _owners(subject: str, state: StateVariable, game: GameRules) -> Iterator[Place]:
    """Yields the owner and the keys of a variable."""
    owner, _, rest = subject.rpartition(".")
    keys = rest.partition("(")[2].removesuffix(")").split(",")
    for text, type in zip([owner, *keys] if owner else keys, state.dimensions, strict=False):
        yield from _places(text, type, game)


def _zone_owner(zone: str, game: GameRules) -> Iterator[Place]:
    """Yields the space or the seat that owns a zone."""
    owner = zone.rpartition(".")[0]
    for kind in game.kinds:
        if owner in kind.names:
            yield kind.name, kind.names.index(owner)


def _things(subject: str) -> Iterator[Place]:
    named = {subject[name.start : name.end] for name in names_in(subject)}
    yield from ((THING, str(name)) for name in named or {subject})


def _places(text: str, type: Type, game: GameRules) -> Iterator[Place]:
    """Yields the places of a written value, or of each member of a set."""
    if isinstance(type, SetType):
        for member in text.strip("{}").split(", "):
            yield from _places(member, type.element, game)
        return
    try:
        values = read_value(game, text, type)[:1]
    except UnknownOption:
        return
    yield from (place for value in values if (place := place_of(type, value)) is not None)
