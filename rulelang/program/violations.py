"""Errors for values out of range, in the rules' own words.

fuel: 0..99        # "`fuel` of red would become 103; it holds 0..99"
"""

from __future__ import annotations

from typing import assert_never

from rulelang.errors import RangeViolation, RunawayRules
from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Slot
from rulelang.ir.types import (
    NONE,
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
from rulelang.program.layout import Layout, index_at, state_at
from rulelang.program.packing import members
from rulelang.program.values import within, written


def no_end(rounds: int) -> RunawayRules:
    """Returns the error for rules that do not come to an end."""
    return RunawayRules(f"{rounds:,} rounds without a choice")


def violation(
    name: str, index: tuple[tuple[int, Type], ...], value: int, type: Type, game: GameRules, site: int = 0
) -> RangeViolation:
    """Returns the error for a value that a variable cannot hold;
    `index` holds the parts of its index with their types."""
    owner = " of " + ", ".join(written(i, t, game) for i, t in index) if index else ""
    match type:
        case IntType(low=low, high=high):
            holds = f"{low}..{high}"
        case EnumType(members=names):
            holds = ", ".join(names)
        case KindType(name=kind):
            holds = f"a {kind}"
        case SetType(element=element):
            holds = f"a set of {element.name if isinstance(element, (KindType, EnumType)) else 'values'}"
        case FlagType() | RowType() | NoneType() | BadType():
            holds = "yes or no"
        case _:
            assert_never(type)
    return RangeViolation(f"`{name}`{owner} would become {written(value, type, game)}; it holds {holds}", site)


def no_key(name: str, types: tuple[Type, ...], index: tuple[int, ...]) -> int:
    """Returns NONE, the value at an index that contains NONE;
    raises RangeViolation for a number outside its key's range.

    >>> no_key("at", (IntType(1, 4),), (NONE,)) == NONE
    True
    """
    for value, type in zip(index, types, strict=False):
        if isinstance(type, IntType) and value != NONE and not type.low <= value <= type.high:
            raise RangeViolation(f"`{name}` has no {value}: it is for {type.low}..{type.high}")
    return NONE


def fitting(name: str, parameter: str, type: Type, value: int) -> int:
    """Returns an argument; raises RangeViolation for one outside its parameter's range.

    >>> fitting("look", "n", IntType(1, 4), 3)
    3
    """
    if value == NONE or within(type, value):
        return value
    given, held = value, type
    if isinstance(type, SetType):
        offset = offset_of(type.element)
        given = next(member - offset for member in members(value) if not within(type.element, member - offset))
        held = type.element
    assert isinstance(held, IntType)
    what = f"holds {given}" if isinstance(type, SetType) else f"would be {given}"
    raise RangeViolation(f"`{parameter}` of `{name}` {what}; it is for {held.low}..{held.high}")


def is_ranged(type: Type) -> bool:
    """Returns whether an argument of a type may lie outside its parameter's range: a number, or a set of numbers."""
    return isinstance(type.element if isinstance(type, SetType) else type, IntType)


def slot_violation(game: GameRules, layout: Layout, slot: Slot, value: int, site: int) -> RangeViolation:
    """Returns the error for a value that a slot of a state variable cannot hold."""
    state = state_at(game, layout, slot)
    assert state is not None
    variable = game.states[state]
    index = index_at(variable.dimensions, slot - layout.states[state])
    return violation(variable.name, index, value, variable.type, game, site)


def slot_name(game: GameRules, layout: Layout, slot: Slot) -> str:
    """Returns a slot's name as the rules call it: "`fuel` of red"."""
    state = state_at(game, layout, slot)
    if state is None:
        return "a thing's place or face"
    variable = game.states[state]
    index = index_at(variable.dimensions, slot - layout.states[state])
    owner = " of " + ", ".join(written(i, t, game) for i, t in index) if index else ""
    return f"`{variable.name}`{owner}"
