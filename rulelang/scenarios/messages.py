"""Values, positions and refusals -> the words of a scenario's faults.

expected green.zone == 8; green.zone is 7
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from rulelang.ir.model import Choice, Contents, Expr, GameRules
from rulelang.ir.numbers import Thing
from rulelang.ir.scenarios import Side
from rulelang.ir.types import NONE, KindType, SetType, Type, offset_of
from rulelang.knowledge.redaction import VALUE
from rulelang.machines.evaluate import contents, sequence
from rulelang.machines.machine import Pending
from rulelang.machines.walk import Evaluation
from rulelang.program.packing import members
from rulelang.program.values import written

MOST = 12
"""The most members of a set that are shown."""


def renamed(game: GameRules, seats: tuple[str, ...]) -> GameRules:
    """Returns the game with other names for its seats."""
    names = seats[: len(game.seats)]
    kinds = tuple(attrs.evolve(k, names=names) if k.name == "Player" else k for k in game.kinds)
    return attrs.evolve(game, seats=names, kinds=kinds)


def side(about: Side, look: Evaluation) -> str:
    """Returns `green.zone is 7`, or one such phrase for each member of a set that it is about."""
    each = about.each
    if each is None:
        return f"{about.text} is {said(look.value(about.value, {}), about.type, look, about.value)}"
    parts = []
    for member in sequence(each.source, look, {}):
        value = look.value(about.value, {each.name.id: member})
        parts.append(f"{said(value, about.type, look)} for {written(member, each.name.type, look.game)}")
    return f"{about.text} is {_listed(parts)}" if parts else f"{each.text} is empty"


def said(value: int, type: Type, look: Evaluation, expr: Expr | None = None) -> str:
    """Returns the written form of a value, or of the contents of a pile from its top."""
    if isinstance(expr, Contents) and look.game.zones[expr.zone].form == "pile":
        zone = look.game.zones[expr.zone]
        instance = look.instance(zone, expr.index, {})
        return pile(look.game, zone.kind, contents(look.row, look.layout, zone, instance) if instance >= 0 else [])
    if isinstance(type, SetType) and value != NONE:
        offset = offset_of(type.element)
        return "{" + _listed(written(member - offset, type.element, look.game) for member in members(value)) + "}"
    return written(value, type, look.game)


def pile(game: GameRules, kind: int, things: list[Thing]) -> str:
    """Returns `top nitro, fuel_tank`, or `{}` for an empty pile."""
    return "top " + _listed(game.kinds[kind].names[thing] for thing in things) if things else "{}"


def _listed(words: Iterable[str]) -> str:
    all_words = list(words)
    more = f" and {len(all_words) - MOST} more" if len(all_words) > MOST else ""
    return ", ".join(all_words[:MOST]) + more


def asked(game: GameRules, pending: Pending | None) -> str:
    """Returns `green and red are asked (play_bonus, pass)`."""
    if pending is None:
        return "the game is over"
    names = [game.seats[seat] for seat in pending.seats]
    who = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{who} {'is' if len(names) == 1 else 'are'} asked ({options(game.choices[pending.choice])})"


def options(choice: Choice) -> str:
    """Returns the names of the branches of a choice: `play_bonus, pass`."""
    names = [b.parameters[0].variable.name if b.name == VALUE else b.name for b in choice.branches]
    return ", ".join(dict.fromkeys(names))


def call(game: GameRules, rule: int, arguments: tuple[int, ...]) -> str:
    """Returns `use(red, nitro)`."""
    about = game.rules[rule]
    words = [written(value, v.type, game) for value, v in zip(arguments, about.parameters, strict=False)]
    return f"{about.name}({', '.join(words)})" if words else about.name


def matches(game: GameRules, value: int, wanted: int, type: Type) -> bool:
    """Returns whether two values are equal, treating things that are printed alike as equal."""
    inner = type.element if isinstance(type, SetType) else type
    kind = next((k for k in game.kinds if isinstance(inner, KindType) and k.name == inner.name and k.movable), None)
    if kind is None or NONE in (value, wanted):
        return value == wanted
    if isinstance(type, SetType):
        return sorted(kind.classes[t] for t in members(value)) == sorted(kind.classes[t] for t in members(wanted))
    return kind.classes[value] == kind.classes[wanted]
