"""A question -> the places of a picture that can be clicked, each with the answer that a click gives.

    Targets.of(match, question).at(KindType("Space", 9), 4)      ClickTarget("b2", "Mark b2", (the option,))

An option names a place if one of its values is that place. A place that several options name narrows them down: the
next question asks which of these is meant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import attrs

from rulelang.ir.model import Choice, GameRules
from rulelang.ir.types import NONE, EnumType, KindType, SetType, Type
from rulelang.knowledge.redaction import name_of
from rulelang.match.options.option import Option
from rulelang.program.packing import members
from rulelang.program.values import written
from rulelang.screens.touched import Place, place_of
from rulelang.session.question import Question, QuestionLine


@attrs.frozen
class ClickTarget:
    """The answer that a click on a place gives: its written form, its words, and the options that begin with it.

    `options` is empty where the answer is a member of a set, or has too many options to be listed.
    """

    answer: str
    label: str
    options: tuple[Option, ...] = ()
    is_member: bool = False
    is_picked: bool = False
    """Whether it is one of the members that are picked so far."""


@attrs.frozen
class Targets:
    """The places that can be clicked for one question."""

    by_place: Mapping[Place, ClickTarget] = attrs.field(factory=dict)

    @classmethod
    def of(cls, game: GameRules, choice: Choice, asked: Question, picked: Collection[str] = ()) -> Targets:
        """Returns the targets of a question; `picked` are the members of a set that are picked so far."""
        found: dict[Place, list[ClickTarget]] = {}
        for place, target in _targets(game, choice, asked, picked):
            found.setdefault(place, []).append(target)
        merged = {place: _merged(place, some, game) for place, some in found.items()}
        # A place that all answers name tells none of them apart.
        most = len(asked.lines)
        return cls({p: t for p, t in merged.items() if t.is_member or most == 1 or len(found[p]) < most})

    def at(self, type: Type, value: int) -> ClickTarget | None:
        """Returns the target for a value that a picture shows."""
        place = place_of(type, value)
        return None if place is None else self.by_place.get(place)

    def card(self, kind: str, name: str) -> ClickTarget | None:
        """Returns the target for a card of a kind, by its name for people."""
        return self.by_place.get((kind, name))

    def answering(self, text: str) -> ClickTarget | None:
        """Returns the target with an answer."""
        return next((target for target in self.by_place.values() if target.answer == text), None)


def _targets(
    game: GameRules, choice: Choice, asked: Question, picked: Collection[str]
) -> Iterator[tuple[Place, ClickTarget]]:
    if asked.members:
        yield from _of_members(game, choice, asked, picked)
        return
    for line in asked.lines:
        for type, value in _values(choice, line):
            target = ClickTarget(line.text, line.label, line.options)
            yield from ((place, target) for place in _places(game, type, value))


def _of_members(
    game: GameRules, choice: Choice, asked: Question, picked: Collection[str]
) -> Iterator[tuple[Place, ClickTarget]]:
    begun = asked.begun
    type = choice.branches[begun[0]].parameters[len(begun) - 1].variable.type if begun else None
    element = type.element if isinstance(type, SetType) else None
    if not isinstance(element, KindType | EnumType):
        return
    for name, called in zip(asked.members, asked.names, strict=True):
        value = next((v for v in range(_size(element)) if written(v, element, game) == name), NONE)
        target = ClickTarget(name, called, is_member=True, is_picked=name in picked)
        yield from ((place, target) for place in _places(game, element, value))


def _size(type: KindType | EnumType) -> int:
    return type.size if isinstance(type, KindType) else len(type.members)


def _places(game: GameRules, type: Type, value: int) -> Iterator[Place]:
    place = place_of(type, value)
    if place is not None:
        yield place
    if isinstance(type, KindType):
        yield type.name, str(name_of(value, type, game))


def _values(choice: Choice, line: QuestionLine) -> Iterator[tuple[Type, int]]:
    """Yields the values that all the options of a line name."""
    if line.stands_for is not None:
        yield line.stands_for
        return
    for option in line.options[:1]:
        for number, parameter in enumerate(choice.branches[option.answer[0]].parameters, start=1):
            value, type = option.answer[number], parameter.variable.type
            if any(other.answer[: number + 1][-1] != value for other in line.options):
                continue
            if isinstance(type, SetType) and value > 0:
                yield from ((type.element, member) for member in members(value) if len(members(value)) == 1)
            else:
                yield type, value


def _merged(place: Place, some: list[ClickTarget], game: GameRules) -> ClickTarget:
    """Returns one target for those that share a place."""
    if len(some) == 1 or some[0].is_member:
        return some[0]
    kind = next((kind for kind in game.kinds if kind.name == place[0]), None)
    name = kind.names[place[1]] if kind is not None and isinstance(place[1], int) else str(place[1])
    options = tuple(dict.fromkeys(option for target in some for option in target.options))
    return ClickTarget(name, f"{len(some)} ways with {name}", options)
