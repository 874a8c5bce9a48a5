"""Values <-> their written forms, as options, logs and scenarios show them.

    lane: Lane = left       # stored as 0, written `left`
    held: set of Token      # stored as 0b101, written `{nitro, ion}`

Invariant: `read_value` finds every value in its written form; among things written alike it finds all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import assert_never

from rulelang.diagnostics.suggest import suggest
from rulelang.errors import UnknownOption
from rulelang.ir.model import GameRules
from rulelang.ir.types import (
    NONE,
    SET_LIMIT,
    BadType,
    EnumType,
    FlagType,
    IntType,
    KindType,
    NoneType,
    RowType,
    SetType,
    Type,
    offset_of,
    size_of,
)
from rulelang.program.packing import members


def clean(text: str) -> str:
    r"""Returns text without control characters, so that a terminal shows it as text.

    >>> clean("a\x1b[2Jb")
    'a[2Jb'
    """
    return text if text.isprintable() else "".join(c for c in text if c.isprintable() or c == "\n")


def within(type: Type, value: int) -> bool:
    """Returns whether a value is in a type.

    >>> within(IntType(0, 9), 10), within(IntType(0, 9, optional=True), NONE)
    (False, True)
    """
    if value == NONE:
        return type.optional
    match type:
        case IntType(low=low, high=high):
            return low <= value <= high
        case FlagType() | EnumType() | KindType():
            return 0 <= value < size_of(type)
        case SetType(element=element):
            return value >= 0 and all(within(element, member - offset_of(element)) for member in members(value))
        case RowType() | NoneType() | BadType():
            return True
        case _:
            assert_never(type)


def written(value: int, type: Type | None, game: GameRules) -> str:
    """Returns the written form of a value: `red`, `nitro`, `{left, right}`, `12`, `none`."""
    if value == NONE:
        return "none"
    match type:
        case FlagType():
            return "yes" if value else "no"
        case EnumType(members=names) if 0 <= value < len(names):
            return names[value]
        case KindType(name=name):
            names = game.kind_called[name].names if name in game.kind_called else game.seats
            return names[value] if 0 <= value < len(names) else str(value)
        case SetType(element=element) if value >= 0:
            offset = offset_of(element)
            return "{" + ", ".join(written(member - offset, element, game) for member in members(value)) + "}"
        case _:  # a number, or a value that is not in its type, is written as a number
            return str(value)


# ------------------------------------------------------------------ reading the written form


def read_value(game: GameRules, text: str, type: Type) -> list[int]:
    """Returns the values of a type that have a written form,
    ascending; for a set of things written alike, the lowest set.

    Raises UnknownOption if no value is written so.
    """
    text = text.strip()
    if text == "none" and not isinstance(type, SetType):
        return [NONE]
    match type:
        case IntType():
            if not re.fullmatch(r"-?\d{1,10}", text, re.ASCII):
                raise UnknownOption(f"expected a number, found `{clean(text)[:40]}`")
            return [int(text)]
        case FlagType():
            return _named(text, ("no", "yes"), "answer")
        case EnumType(name=name, members=names):
            return _named(text, names, name)
        case KindType(name=name):
            names = game.kind_called[name].names if name in game.kind_called else game.seats
            return _named(text, names, name)
        case SetType(element=element):
            return [_read_set(game, text, element)]
        case RowType() | NoneType() | BadType():
            raise UnknownOption(f"`{clean(text)[:40]}` cannot be read")
        case _:
            assert_never(type)


def _read_set(game: GameRules, text: str, element: Type) -> int:
    if not (text.startswith("{") and text.endswith("}")):
        raise UnknownOption(f"expected a set in braces, found `{clean(text)[:40]}`")
    mask = 0
    for part in split_arguments(text[1:-1]):
        values = [value for value in read_value(game, part, element) if value >= 0 and not mask >> value & 1]
        if not values or values[0] >= SET_LIMIT:
            raise UnknownOption(f"`{clean(part)[:40]}` cannot be in the set once more")
        mask |= 1 << values[0]
    return mask


def split_arguments(text: str) -> list[str]:
    """Returns the parts of a text between the commas that are not in brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += c in "({"
        depth -= c in ")}"
        if c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    parts.append(text[start:].strip())
    return parts if parts != [""] else []


def _named(text: str, names: Sequence[str], what: str) -> list[int]:
    bare = text.removeprefix(f"{what}.")
    found = [value for value, name in enumerate(names) if name == bare]
    if not found:
        raise UnknownOption(not_found(text, what, names))
    return found


def not_found(text: str, what: str, names: Iterable[str]) -> str:
    """Returns the sentence that no name matches a text, with the names that are close to it."""
    known = list(dict.fromkeys(names))[:SET_LIMIT]
    shown = clean(text)[:40]
    near = suggest(text, known)
    return f"no {what} is called `{shown}`" + (f"; did you mean `{near}`?" if near else "")


# ------------------------------------------------------------------ identifiers in words


def plain(identifier: str) -> str:
    """Returns an identifier as people read it.

    >>> plain("ion_cannon")
    'ion cannon'
    """
    return identifier.replace("_", " ").strip() or identifier


def noun_from(identifier: str) -> str:
    """Returns the noun for the name of a kind or enum.

    >>> noun_from("SpaceCraft")
    'space craft'
    """
    return plain("".join(f" {c.lower()}" if c.isupper() else c for c in identifier))


def article(noun: str) -> str:
    """Returns the indefinite article of a noun, with the blank behind it.

    >>> article("ion"), article("unit"), article("card")
    ('an ', 'a ', 'a ')
    """
    vowel = noun[:1].lower() in tuple("aeiou") and not noun.lower().startswith(("uni", "use", "eu"))
    return "an " if vowel else "a "


def plural(one: str) -> str:
    """Returns the regular plural of a word.

    >>> plural("token"), plural("class"), plural("galaxy")
    ('tokens', 'classes', 'galaxies')
    """
    if one.endswith(("s", "x", "ch", "sh")):
        return f"{one}es"
    return f"{one[:-1]}ies" if one.endswith("y") and one[-2:-1] not in tuple("aeiou") else f"{one}s"
