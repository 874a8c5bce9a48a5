"""The sentences of rules -> the seat that each is about, and
the values that it names, so that changes are not told twice.

"{p} pays {n} fuel"     names red and 3: red's fuel going from 9 to 6 is told with it
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import and_, or_
from typing import TypeAlias

from rulelang.ir.facts import kind_of
from rulelang.ir.model import Bound, Counted, GameRules, Kind, Local, Rule, Template
from rulelang.ir.numbers import Mask, Thing
from rulelang.ir.types import NONE, PLAYER, EnumType, IntType, KindType, SetType, Type
from rulelang.knowledge.redaction import EVERYONE, NOBODY, Hole, Words, name_of, thing_name
from rulelang.knowledge.rendering import Draft, ThingsHole, things_in
from rulelang.program.packing import members

Spoken: TypeAlias = Mapping[tuple[str, int], Mask]
"""By type and value that a sentence names: the mask of its readers."""


def actor(rule: Rule, arguments: tuple[int, ...]) -> int | None:
    """Returns the seat that a rule is about, according to its menu label."""
    if rule.what not in ("action", "option") or not rule.parameters:
        return None
    type = rule.parameters[0].type
    return arguments[0] if isinstance(type, KindType) and type.name == PLAYER and arguments[0] >= 0 else None


def spoken(
    game: GameRules,
    rule: Rule,
    sentence: Template | None,
    locals: Mapping[int, int],
    told: Mapping[int, int],
    draft: Draft,
) -> Spoken:
    """Returns the values that a sentence names.

    `told` says who may know the locals of its rule, `draft` how things are named.
    """
    if sentence is None:
        return {}
    types = {v.id: v.type for v in (*rule.parameters, *rule.around)}
    whole = (part.of if isinstance(part, Counted | Bound) else part for part in sentence.parts)
    named = {part.id for part in whole if isinstance(part, Local) and part.id in types}
    found: dict[tuple[str, int], Mask] = {}
    for id in named:
        type, value = types[id], locals.get(id, NONE)
        seers = Mask(told.get(id, EVERYONE))
        if value != NONE and isinstance(type, SetType):
            found |= {type_key(type.element, member): seers for member in members(value)}
        elif value != NONE:
            found[type_key(type, value)] = seers
    for hole, part, said in zip(sentence.types, sentence.parts, draft, strict=True):
        number = said.partition(" ")[0] if isinstance(said, str) and isinstance(part, Counted) else said
        if isinstance(hole, IntType) and isinstance(number, str) and number.isdecimal():
            # A number computed in the sentence is named as much as an argument.
            found[type_key(hole, int(number))] = EVERYONE
        elif isinstance(said, str) and isinstance(hole, KindType):
            found |= dict.fromkeys((type_key(hole, thing) for thing in _things_called(said, hole, game)), EVERYONE)
    for said in draft:
        if isinstance(said, ThingsHole):
            # So is a thing that the sentence looks up: `top(deck)`.
            for one, readers in zip(said.things, said.seers, strict=True):
                found.setdefault(("thing " + game.kinds[said.kind].name, int(one)), Mask(readers))
    if rule.parameters and rule.told is None and rule.what in ("action", "option"):
        first = rule.parameters[0]
        found[type_key(first.type, locals.get(first.id, NONE))] = EVERYONE
    return named_to(found, draft, game)


def _things_called(name: str, type: KindType, game: GameRules) -> list[int]:
    """Returns the thing that a computed name stands for; [] if several things have the name."""
    kind = kind_of(type, game)
    called = [] if kind is None else [t for t in range(kind.size) if thing_name(kind, Thing(t)) == name]
    return called if len(called) == 1 else []


def named_to(spoken: Spoken, sentence: Draft, game: GameRules) -> Spoken:
    """Returns the named values, with the readers of things' names in a sentence added to those known so far."""
    found = dict(spoken)
    for part in sentence:
        if isinstance(part, ThingsHole):
            for thing, seers in zip(part.things, part.seers, strict=True):
                key = ("thing " + game.kinds[part.kind].name, int(thing))
                if key in found:
                    found[key] = Mask(found[key] | seers)
    return found


def named_alike(said: Spoken, kind: Kind, thing: Thing) -> Mask | None:
    """Returns the viewers to whom a sentence names a thing and all its named copies, since the order of copies must
    not tell them apart. None if the sentence does not name the thing.
    """
    type = "thing " + kind.name
    if (type, int(thing)) not in said:
        return None
    copies = (seers for (what, t), seers in said.items() if what == type and kind.classes[t] == kind.classes[thing])
    return Mask(reduce(and_, copies))


def as_much_as(named: Iterable[Mask], words: Words) -> Mask:
    """Returns the viewers to whom words tell no more than sentences that name the same: those who can read the
    sentences, and those who cannot read the words.

    >>> as_much_as([Mask(0b001)], (Hole((("nitro", 0b011),), "a token"),)) == ~0b010
    True
    """
    sentences = list(named)
    if not sentences:
        return NOBODY
    holes = [part for part in words if isinstance(part, Hole)]
    readers = EVERYONE if not holes else reduce(or_, (seers for hole in holes for _, seers in hole.items))
    return Mask(reduce(or_, sentences) | ~readers)


def type_key(type: Type, value: int) -> tuple[str, int]:
    """Returns a value with a key of its type."""
    match type:
        case KindType(name=name):
            return f"thing {name}", value
        case EnumType(name=name):
            return f"member {name}", value
        case IntType():
            return "number", value
        case _:  # values of all other types are named as numbers
            return "other", value


def said_draft(game: GameRules, value: int, type: Type) -> Draft:
    """Returns a value as a draft for people: a thing for those who know it, any other value in plain words."""
    kind = kind_of(type, game)
    if kind is None or value == NONE:
        return (name_of(value, type, game),)
    return (things_in(value, type, kind.id, game, 0, said=True),)
