"""What a sentence of the rules says: whose it is, and which values it names, so that their changes are not told again.

"{p} pays {n} fuel"     names red and 3: red's fuel going from 9 to 6 is told with it
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rulelang.ir.model import GameRules, Local, Rule, Template
from rulelang.ir.types import NONE, PLAYER, EnumType, IntType, KindType, SetType, Type
from rulelang.ir.walk import walk
from rulelang.knowledge.redaction import kind_of, name_of
from rulelang.knowledge.visibility import Draft, things_in
from rulelang.program.packing import members


def actor(rule: Rule, arguments: tuple[int, ...]) -> int | None:
    """Returns who does what a menu words: the seat that its rule is about."""
    if rule.what not in ("action", "option") or not rule.parameters:
        return None
    type = rule.parameters[0].type
    return arguments[0] if isinstance(type, KindType) and type.name == PLAYER and arguments[0] >= 0 else None


def spoken(rule: Rule, sentence: Template | None, locals: Mapping[int, int]) -> frozenset[tuple[str, int]]:
    """Returns the values that a sentence names, of the locals of its rule."""
    if sentence is None:
        return frozenset()
    types = {v.id: v.type for v in (*rule.parameters, *rule.around)}
    named = {part.id for part in walk(sentence) if isinstance(part, Local) and part.id in types}
    found: set[tuple[str, int]] = set()
    for id in named:
        type, value = types[id], locals.get(id, NONE)
        if value != NONE and isinstance(type, SetType):
            found |= {type_key(type.element, member) for member in members(value)}
        elif value != NONE:
            found.add(type_key(type, value))
    if rule.parameters and rule.told is None and rule.what in ("action", "option"):
        first = rule.parameters[0]
        found.add(type_key(first.type, locals.get(first.id, NONE)))
    return frozenset(found)


def type_key(type: Type, value: int) -> tuple[str, int]:
    """Returns what tells a value from those of other types."""
    match type:
        case KindType(name=name):
            return f"thing {name}", value
        case EnumType(name=name):
            return f"member {name}", value
        case IntType():
            return "number", value
        case _:  # every other type is spoken of alike
            return "other", value


def said_draft(game: GameRules, value: int, type: Type) -> Draft:
    """Returns a value in people's words: a thing as it is known, anything else as it is."""
    kind = kind_of(type, game)
    if kind is None or value == NONE:
        return (name_of(value, type, game),)
    return (attrs.evolve(things_in(value, type, kind.id, game, 0), said=True),)
