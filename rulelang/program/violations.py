"""What went out of its range -> the error that says so, in the rules' own words.

fuel: 0..99        # "`fuel` of red would become 103; it holds 0..99"
"""

from __future__ import annotations

from bisect import bisect_right

from rulelang.errors import RangeViolation, RunawayRules
from rulelang.ir.model import Game, StateVariable
from rulelang.ir.types import NONE, EnumType, FlagType, IntType, KindType, SetType, Type, first_of, offset_of, size_of
from rulelang.program.layout import Layout
from rulelang.program.packing import members

ROUNDS = 100_000
"""What goes on for more rounds without a choice does not end."""


def no_end(rounds: int = ROUNDS) -> RunawayRules:
    """Gives the error for what does not come to an end."""
    return RunawayRules(f"{rounds:,} rounds without a choice")


def within(type: Type, value: int) -> bool:
    """Says whether a value is one of a type's.

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
        case _:
            return True


def shown(value: int, type: Type | None, game: Game) -> str:
    """Gives a value as people read it: `red`, `nitro`, `{left, right}`, `12`, `none`."""
    if value == NONE:
        return "none"
    match type:
        case FlagType():
            return "yes" if value else "no"
        case EnumType(members=names) if 0 <= value < len(names):
            return names[value]
        case KindType(name=name):
            names = next((kind.names for kind in game.kinds if kind.name == name), game.seats)
            return names[value] if 0 <= value < len(names) else str(value)
        case SetType(element=element) if value >= 0:
            offset = offset_of(element)
            return "{" + ", ".join(shown(member - offset, element, game) for member in members(value)) + "}"
        case _:
            return str(value)


def violation(
    name: str, index: tuple[tuple[int, Type], ...], value: int, type: Type, game: Game, site: int = 0
) -> RangeViolation:
    """Gives the error for a value that a variable cannot hold; `index` are the values it is indexed by, and their types."""
    owner = " of " + ", ".join(shown(i, t, game) for i, t in index) if index else ""
    match type:
        case IntType(low=low, high=high):
            holds = f"{low}..{high}"
        case EnumType(members=names):
            holds = ", ".join(names)
        case KindType(name=kind):
            holds = f"a {kind}"
        case SetType(element=element):
            holds = f"a set of {element.name if isinstance(element, (KindType, EnumType)) else 'values'}"
        case _:
            holds = "yes or no"
    return RangeViolation(f"`{name}`{owner} would become {shown(value, type, game)}; it holds {holds}", site)


def no_key(state: StateVariable, index: tuple[int, ...], game: Game) -> int:
    """Returns NONE, what is read at an index with a NONE; raises RangeViolation for a number outside of the variable's keys."""
    if NONE in index:
        return NONE
    for value, type in zip(index, state.dimensions, strict=True):
        if isinstance(type, IntType) and not type.low <= value <= type.high:
            written = ", ".join(shown(i, t, game) for i, t in zip(index, state.dimensions, strict=True))
            raise RangeViolation(
                f"`{state.name}` has no {value}: it is for {type.low}..{type.high} (read at {written})"
            )
    return NONE


def state_at(game: Game, layout: Layout, slot: int) -> int | None:
    """Gives the state variable that a slot belongs to, or None."""
    state = bisect_right(layout.states, slot) - 1
    return state if state >= 0 and slot < layout.states[state] + layout.state_sizes[state] else None


def index_at(dimensions: tuple[Type, ...], position: int) -> tuple[tuple[int, Type], ...]:
    """Gives the index at a row-major position, with the types of its parts: the inverse of `layout.flat`."""
    index: list[tuple[int, Type]] = []
    for type in reversed(dimensions):
        position, i = divmod(position, size_of(type))
        index.insert(0, (first_of(type) + i, type))
    return tuple(index)


def slot_violation(game: Game, layout: Layout, slot: int, value: int, site: int) -> RangeViolation:
    """Gives the error for a value that a slot of a state variable cannot hold."""
    state = state_at(game, layout, slot)
    assert state is not None
    variable = game.states[state]
    index = index_at(variable.dimensions, slot - layout.states[state])
    return violation(variable.name, index, value, variable.type, game, site)


def slot_name(game: Game, layout: Layout, slot: int) -> str:
    """Gives a slot's name as the rules call it: "`fuel` of red"."""
    state = state_at(game, layout, slot)
    if state is None:
        return "a thing's place or face"
    variable = game.states[state]
    index = index_at(variable.dimensions, slot - layout.states[state])
    owner = " of " + ", ".join(shown(i, t, game) for i, t in index) if index else ""
    return f"`{variable.name}`{owner}"
