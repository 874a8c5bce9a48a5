"""One passage of the rules -> the names of its locals and things.

take(p, q)        `player p` and `player q`: two of one type keep their names
take(p)           `the player`: the only local of its type is called by its type
"""

from __future__ import annotations

from collections import Counter
from typing import Self, TypeGuard, assert_never

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import (
    NAMELESS,
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
)
from rulelang.ir.walk import walk
from rulelang.knowledge.redaction import name_of
from rulelang.program.values import clean, noun_from, plain, plural
from rulelang.prose.inference import Inference, is_player
from rulelang.prose.words import Plain, Term, Words, flat, row

SINGULAR = 1


CHOOSER = "chooser"
"""The name of the local for the chooser if the rules give it no name."""


@attrs.frozen
class PassageNames:
    """The names of locals and things in one passage; `alone` are
    the locals that are the only ones of their types there."""

    game: ir.GameRules
    types: Inference
    alone: frozenset[int] = frozenset()
    stand_for: tuple[tuple[int, Words], ...] = ()
    """The words that replace the locals of a procedure that is described in place of its call."""

    @classmethod
    def of_game(cls, game: ir.GameRules) -> Self:
        """Returns the names for a game outside any passage."""
        return cls(game, Inference.of_game(game))

    def about(self, *passage: object) -> Self:
        """Returns the names for a passage, in which the only local of a type is called by it: `the player`."""
        named: dict[tuple[str, str], set[int]] = {}
        main = {(PLAYER, CHOOSER)}
        for node in walk(passage):
            if isinstance(node, ir.Procedure | ir.Rule) and node.parameters:
                main |= {(v.type.name, v.name) for v in node.parameters[:1] if isinstance(v.type, (KindType, EnumType))}
            variable = self.types.locals.get(node.id) if isinstance(node, ir.Local) else node
            if isinstance(variable, ir.Variable) and _has_noun(variable.type):
                named.setdefault((variable.type.name, variable.name), set()).add(variable.id)
        main = {key for key in main if key in named}
        types, said_of = Counter(type for type, _ in named), Counter(type for type, _ in main)
        alone = (ids for key, ids in named.items() if types[key[0]] == 1 or (key in main and said_of[key[0]] == 1))
        return attrs.evolve(self, alone=frozenset(id for ids in alone for id in ids))

    def given(self, words: dict[int, Words]) -> Self:
        """Returns the names for a passage in which words replace some locals."""
        return attrs.evolve(self, stand_for=(*words.items(), *self.stand_for))

    def noun(self, type: Type | None) -> tuple[str, str]:
        """Returns the noun for values of a type, singular and plural."""
        match type:
            case KindType(name=name):
                kind = self.game.kind_called.get(name)
                one = clean(kind.label) if kind is not None and kind.label else noun_from(name)
                one = one if not is_player(type) else "player"
                return one, clean(kind.plural) if kind is not None and kind.plural else plural(one)
            case EnumType(name=name):
                enum = next((enum for enum in self.game.enums if enum.name == name), None)
                one = clean(enum.label) if enum is not None and enum.label else noun_from(name)
                return one, clean(enum.plural) if enum is not None and enum.plural else plural(one)
            case SetType(element=element):
                return self.noun(element)[1], self.noun(element)[1]
            case FlagType():
                return "condition", "conditions"
            case IntType() | RowType() | NoneType() | BadType() | None:
                return "number", "numbers"
            case _:
                assert_never(type)

    def members(self, type: EnumType, last: str = " or ") -> Words:
        """Returns the members of an enum: `day, dusk or night`."""
        names = [name_of(member, type.certain(), self.game) for member in range(len(type.members))]
        return row(tuple((Plain(clean(name)),) for name in names), ", ", last)

    def local(self, id: int) -> Words:
        """Returns the name of a local: `the player` if there is only one, else its own name."""
        given = next((words for other, words in self.stand_for if other == id), None)
        variable = self.types.locals.get(id)
        if given is not None or variable is None:
            return given or (Plain("it"),)
        if id in self.alone:
            return (Plain(f"the {self.noun(variable.type)[0]}"),)
        return (Term(plain(variable.name), is_name=True),)

    def new(self, variable: ir.Variable, *, many: bool = False) -> Words:
        """Returns the first mention of a local: `player`, or `player q` if there are several of its type."""
        one = self.noun(variable.type)[1 if many else 0]
        if is_nameless(variable.type):
            return self.local(variable.id)
        return (Plain(one),) if variable.id in self.alone else flat(f"{one} ", Term(plain(variable.name), is_name=True))


def is_nameless(type: Type) -> TypeGuard[EnumType]:
    """Returns whether a type is an enum that is written in place of a parameter's type: `k: enum(a, b)`."""
    return isinstance(type, EnumType) and type.name == NAMELESS


def _has_noun(type: Type) -> TypeGuard[KindType | EnumType]:
    return isinstance(type, KindType | EnumType) and not is_nameless(type)
