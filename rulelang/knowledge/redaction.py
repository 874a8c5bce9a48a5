"""Values, places and answers -> words, with a note of who may read each of them.

`written` gives the one written form of a value, which options, logs and scenarios share. `Words` are text with
stretches that only some may read: a `Hole` holds its readers and the words that others read instead.

    red lays {b}        # red reads "red lays nitro", the others "red lays a bonus token"

A reader is a bit: seat i is `1 << i`, the spectator the bit after the last seat, EVERYONE all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias, assert_never

import attrs

from rulelang.ir.facts import kind_of
from rulelang.ir.model import Choice, GameRules, Kind, Local, StateVariable, Value, Zone
from rulelang.ir.numbers import Mask, Seat, Thing
from rulelang.ir.types import (
    NONE,
    PLAYER,
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
)
from rulelang.knowledge.phrase import NameForm, named, names_in, spliced
from rulelang.program.layout import index_at
from rulelang.program.packing import members, things_of
from rulelang.program.values import article, clean, plain, written

NOBODY = Mask(0)
EVERYONE = Mask(-1)
"""The mask of all who may read."""
UNKNOWN = "?"
"""The replacement for a hidden number or word."""
VALUE = "value"
"""The name of the only branch of a choice of a value, whose answers are written as the value alone."""


def name_of(value: int, type: Type | None, game: GameRules) -> str:
    """Returns the name of a value for people: `ion cannon`,
    `Red`, `12`; several things as a list, `2 × nitro, fuel tank`.
    """
    if value == NONE:
        return "none"
    match type:
        case EnumType(name=name, members=names) if 0 <= value < len(names):
            known = next((enum for enum in game.enums if enum.name == name), None)
            member = clean(known.called[value]) if known is not None else plain(names[value])
            return named(member, "member", (name, value))
        case KindType(name=name):
            kind = game.kind_called.get(name)
            return thing_name(kind, Thing(value)) if kind is not None else written(value, type, game)
        case SetType(element=element) if value >= 0:
            offset = offset_of(element)
            called = [name_of(member - offset, element, game) for member in members(value)]
            kind = kind_of(element, game)
            return listed(called) if kind is None else listed(called, *back(kind))
        case _:  # a value of any other type is written as a number
            return written(value, type, game)


def thing_name(kind: Kind, thing: Thing) -> str:
    """Returns the name of a thing, a space or a seat for people."""
    what: NameForm = "seat" if kind.name == PLAYER else "thing"
    if not 0 <= thing < len(kind.names):
        return str(thing)
    called = clean(kind.called[thing]) if thing < len(kind.called) else plain(kind.names[thing])
    return named(called, what, (kind.name, kind.classes[thing] if kind.classes else thing))


def listed(names: Iterable[str], one: str = "", many: str = "") -> str:
    """Returns names as a list, each once with its count; `nothing` for an empty one.

    >>> listed(["blue", "blue", "red"]), listed([])
    ('2 × blue, red', 'nothing')
    """
    return spliced((times(name, n, one, many) for name, n in Counter(names).items()), ", ") or "nothing"


def ranges(numbers: Iterable[int]) -> str:
    """Returns numbers in a few words.

    >>> ranges([1, 2, 3, 5, 10, 20, 30, 40]), ranges([0, 2, 4])
    ('1–3, 5, 10–40 by 10', '0–4 by 2')
    """
    parts, rest = list[str](), sorted(numbers)
    while rest:
        step = rest[1] - rest[0] if len(rest) > 1 else 1
        run = next((i for i in range(1, len(rest)) if rest[i] - rest[i - 1] != step), len(rest))
        if run <= 2:
            parts.append(str(rest.pop(0)))
        else:
            parts.append(f"{rest[0]}–{rest[run - 1]}" + (f" by {step}" if step > 1 else ""))
            rest = rest[run:]
    return ", ".join(parts)


def times(name: str, number: int, one: str = "", many: str = "") -> str:
    """Returns a name with its count; in the plural if it ends with
    the noun of its kind (`one`, with its article, and `many`).

    >>> times("red counter", 3, "a counter", "counters"), times("a red card", 2, "a card", "cards"), times("nitro", 2)
    ('3 red counters', '2 red cards', '2 × nitro')
    """
    if number == 1:
        return name
    return spliced((f"{number} ", _several(_times(name, one, many), name, number)))


def _several(words: str, name: str, number: int) -> str:
    """Returns the words for several things, as the name of the value that their name names."""
    found = next(iter(names_in(name)), None)
    if found is None:
        return words
    bare = words.removeprefix("× ")
    return spliced((words[: len(words) - len(bare)], named(bare, found.what, found.of, number)))


def _times(name: str, one: str, many: str) -> str:
    """Returns the words behind the number of several things."""
    if one and name == one:
        return many
    noun = one.partition(" ")[2]
    if name.startswith(("a ", "an ")):
        name = name.partition(" ")[2]
    is_of_noun = noun and many and (name == noun or name.endswith(f" {noun}"))
    return f"{name[: -len(noun)]}{many}" if is_of_noun else f"× {name}"


def unknown(type: Type | None, game: GameRules) -> str:
    """Returns the words that replace a value for a reader who may not know it: its kind.

    >>> unknown(IntType(0, 9), None)
    'a number'
    """
    match type:
        case KindType(name=name) if name == PLAYER:
            return "somebody"
        case KindType(name=name):
            return back(game.kind_called[name])[0] if name in game.kind_called else UNKNOWN
        case EnumType(name=name):
            known = next((enum for enum in game.enums if enum.name == name), None)
            return with_article(clean(known.label)) if known is not None else "one of several"
        case IntType():
            return "a number"
        case FlagType():
            return "yes or no"
        case SetType(element=element):
            return "several" if not isinstance(element, KindType) else unknown_things(element, game)
        case RowType() | NoneType() | BadType() | None:
            return UNKNOWN
        case _:
            assert_never(type)


def unknown_things(type: KindType, game: GameRules) -> str:
    """Returns the words that replace several things for a reader who may not know them."""
    if type.name == PLAYER:
        return "some players"
    return next((f"some {back(kind)[1]}" for kind in game.kinds if kind.name == type.name), "several")


def with_article(noun: str) -> str:
    """Returns a noun with `a` or `an`.

    >>> with_article("ion"), with_article("unit"), with_article("card")
    ('an ion', 'a unit', 'a card')
    """
    return spliced((article(noun), noun))


# ------------------------------------------------------------------ words for some eyes only


@attrs.frozen
class Hole:
    """Words that not everyone may read: one thing or value, or several in braces.

    `items` are pairs of a text and its readers; `one` and `many`
    name the hidden things: "a bonus token", "bonus tokens".
    """

    items: tuple[tuple[str, int], ...]
    one: str = UNKNOWN
    many: str = UNKNOWN
    braces: bool = False
    said: bool = False
    """Whether it is in a sentence for people, where several things are counted instead of put in braces."""

    def read(self, viewer: int) -> str:
        """Returns the words that a viewer reads (a bit, or EVERYONE for all of them)."""
        known = [text for text, seers in self.items if viewer == EVERYONE or seers & viewer]
        hidden = len(self.items) - len(known)
        back = self.one if hidden == 1 or self.many == UNKNOWN else f"{hidden} {self.many}"
        if self.said:
            told = listed(known, self.one, self.many)
            return told if not hidden else spliced([*([told] if known else []), back], ", ")
        if hidden:
            known.append(back)
        return "{" + ", ".join(known) + "}" if self.braces else ", ".join(known)


Words: TypeAlias = tuple[str | Hole, ...]
"""A text in pieces."""


def read(words: Words, viewer: int = EVERYONE) -> str:
    """Returns the text that a viewer reads.

    >>> read(("red lays ", Hole((("nitro", 0b01),), "a token")), 0b10)
    'red lays a token'
    """
    if len(words) == 1 and isinstance(words[0], str):
        return words[0]
    return spliced([part if isinstance(part, str) else part.read(viewer) for part in words])


def secret(text: str, seers: Mask, instead: str = UNKNOWN) -> Words:
    """Returns words for some readers, with a replacement for the others."""
    return (text,) if seers == EVERYONE else (Hole(((text, seers),), instead),)


def joined(parts: Iterable[Words]) -> Words:
    """Returns several words with commas between them."""
    found: list[str | Hole] = []
    for words in parts:
        found.extend((", ", *words) if found else words)
    return tuple(found)


def back(kind: Kind) -> tuple[str, str]:
    """Returns the names of a face-down thing of a kind: one, several.

    >>> back(Kind(0, "Ion", "ion", 1, ("ion",), (), (0,), True))
    ('an ion', 'ions')
    """
    return _back(kind.label or kind.name, kind.plural)


@lru_cache(1024)
def _back(label: str, plural: str) -> tuple[str, str]:
    one, many = clean(label), clean(plural)
    return with_article(one), many or (one if one.endswith("s") else f"{one}s")


# ------------------------------------------------------------------ names of places


def seat_name(game: GameRules, seat: Seat) -> str:
    """Returns a seat's written name."""
    names = game.kind_called[PLAYER].names if PLAYER in game.kind_called else game.seats
    return names[seat] if 0 <= seat < len(names) else f"player{seat + 1}"


def cell_name(game: GameRules, state: StateVariable, at: int) -> str:
    """Returns the written name of a variable: `red.fuel`, `shields(3)`."""
    return _placed(game, state.name, state.owner, state.dimensions, at)


def zone_name(game: GameRules, zone: Zone, instance: int) -> str:
    """Returns the written name of a zone's instance: `red.tokens`, `bonuses`."""
    return _placed(game, zone.name, zone.owner, zone.dimensions, instance)


def _placed(game: GameRules, name: str, owner: str | None, dimensions: tuple[Type, ...], at: int) -> str:
    index = [written(value, type, game) for value, type in index_at(dimensions, at)]
    prefix = f"{index.pop(0)}." if owner is not None and index else ""
    return prefix + name + (f"({', '.join(index)})" if index else "")


def said_seat(game: GameRules, seat: Seat) -> str:
    """Returns a seat's name for people."""
    return thing_name(game.kinds[0], Thing(seat))


PLACING = (" in", " on", " at")
"""The words before the last of a name that a number follows at once: `forcefields in zone 3`."""


def said_cell(game: GameRules, state: StateVariable, at: int) -> str:
    """Returns a variable's name for people: `Red's fuel`, `shields of 3`."""
    return _possessed(game, clean(state.called) or plain(state.name), state.owner, state.dimensions, at)


def said_zone(game: GameRules, zone: Zone, instance: int) -> str:
    """Returns a zone instance's name for people: `Red's tokens`, `the bonuses`."""
    if any(zone.owner == game.kinds[board.kind].name for board in game.boards):
        # A zone on a space is named after the space, whatever the rules call the zone.
        return name_of(*index_at(zone.dimensions, instance)[0], game)
    name = clean(zone.called) or (plain(zone.name) if zone.owner is not None else f"the {plain(zone.name)}")
    return _possessed(game, name, zone.owner, zone.dimensions, instance)


def said_value(value: Value, keys: Iterable[str], *, holds: bool = True) -> str:
    """Returns a value's name for people, with the words for its keys: `the ships on the left route`, else as a call.

    A condition that does not hold is called by its other words, if it has them.
    """
    words, called = list(keys), value.called if holds else value.denied or value.called
    if called is None:
        return call(plain(value.name), words)
    by_id = {key.id: word for key, word in zip(value.parameters, words, strict=True)}
    return spliced(clean(p) if isinstance(p, str) else by_id[p.id] for p in called.parts if isinstance(p, str | Local))


def owner_of(name: str) -> str:
    """Returns the possessive form of a name.

    >>> owner_of("Ada"), owner_of("the Ubusos")
    ("Ada's", "the Ubusos'")
    """
    return spliced((name, "'" if name.endswith("s") else "'s"))


def _possessed(game: GameRules, name: str, owner: str | None, dimensions: tuple[Type, ...], at: int) -> str:
    index = [name_of(value, type, game) for value, type in index_at(dimensions, at)]
    front = (owner_of(index.pop(0)), " ") if owner is not None and index else ()
    is_of = len(index) == 1 and not isinstance(dimensions[-1], (IntType, FlagType))
    is_placed = len(index) == 1 and name.rpartition(" ")[0].endswith(PLACING)
    joint = " of " if is_of else " "
    rest = (joint, index[0]) if is_of or is_placed else (" (", spliced(index, ", "), ")") if index else ()
    return spliced((*front, name, *rest))


# ------------------------------------------------------------------ answers


def written_answer(game: GameRules, choice: Choice, answer: tuple[int, ...]) -> str:
    """Returns the written form of an answer: `steal(blue, metal, 2)`, `pass`, or the value alone: `left`, `{a, b}`."""
    branch = choice.branches[answer[0]]
    values = [written(v, p.variable.type, game) for v, p in zip(answer[1:], branch.parameters, strict=True)]
    return call(branch.name, values)


def call(name: str, arguments: list[str]) -> str:
    """Returns `name(a, b)`, `name`, or the bare value if the choice is of a value.

    >>> call("take", ["3"]), call("pass", []), call("value", ["left"])
    ('take(3)', 'pass', 'left')
    """
    if name == VALUE and arguments:
        return ", ".join(arguments)
    return f"{name}({', '.join(arguments)})" if arguments else name


def called(name: str, arguments: list[Words]) -> Words:
    """Returns `name(a, b)` as `call` does, from arguments that not everyone may read."""
    if not arguments:
        return (name,)
    inner = joined(arguments)
    return inner if name == VALUE else (f"{name}(", *inner, ")")


def sorted_things(kind: Kind, things: int | Iterable[Thing]) -> tuple[Thing, ...]:
    """Returns things in an order that does not reveal which of several interchangeable ones they are."""
    found = things_of(things) if isinstance(things, int) else things
    return tuple(sorted(found, key=lambda thing: (kind.classes[thing], thing)))
