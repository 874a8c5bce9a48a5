"""All members of a type, where a type's name stands for the set of its values.

Lane        Const({left, middle, right})
Player      Read(all players)
"""

from __future__ import annotations

from rulelang.ir import model as ir
from rulelang.ir.types import SET_LIMIT, EnumType, FlagType, IntType, KindType, SetType, Type, first_of, size_of
from rulelang.semantics.expressions import board_functions
from rulelang.semantics.names.scope import World
from rulelang.semantics.names.type_relations import Typed


def all_of(world: World, type: Type) -> Typed:
    """Returns the set of all values of an enum or kind."""
    if isinstance(type, KindType) and type.name == "Player":
        return Typed(ir.Read(builtin_state(world, "all players"), ()), SetType(type))
    spaces = board_functions.all_spaces(world, type) if isinstance(type, KindType) else None
    if spaces is not None:
        return Typed(spaces, SetType(type))
    return Typed(ir.Const((1 << size_of(type)) - 1), SetType(type))


def builtin_state(world: World, name: str) -> int:
    """Returns the id of a variable of the engine's, such as `round`."""
    return next(s.id for s in world.states if s.builtin and s.name == name)


def is_index(type: Type) -> bool:
    """Returns whether the values of a type can be enumerated: from 0, and fewer than SET_LIMIT numbers."""
    return isinstance(type, FlagType | EnumType | KindType | IntType) and (
        not isinstance(type, IntType) or (first_of(type) >= 0 and type.high < SET_LIMIT)
    )
