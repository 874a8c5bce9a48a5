"""Columns with a key: a field line -> a column for each member of its key.

cost(g: Gem): 0..7           cost(ruby), cost(onyx)
cost(g: Gem, n: 1..2): 0..7  cost(ruby, 1), cost(ruby, 2), cost(onyx, 1), …
"""

from __future__ import annotations

from itertools import product
from math import prod

from rulelang.ir.types import BadType, EnumType, FlagType, IntType, KindType, Type, first_of, size_of
from rulelang.semantics.expressions.thing_literals import word
from rulelang.semantics.names.scope import World
from rulelang.semantics.names.type_relations import BAD
from rulelang.semantics.names.type_syntax import written_type
from rulelang.syntax import nodes

MOST_MEMBERS = 200
"""The most columns for the members of one key."""


def key_of(world: World, line: nodes.FieldLineNode) -> tuple[Type, ...]:
    """Returns the types of a column's key, for whose members columns stand; () if it has no key, or after a fault."""
    types: list[Type] = []
    for one in line.key:
        written = one.type or world.written_names.get(one.name.text)
        type = BAD if written is None else written_type(world, written)
        if isinstance(type, BadType) and written is not None:
            return ()
        if one.domain is not None or not _is_key(world, type):
            help = "`cost(g: Gem): 0..7`; by player it is a variable of `each Player has:`, by anything else `data`"
            message = "a column's key is of an enum, numbers, a flag, a board, or of things with names, of a kind declared above"
            world.sink.report("E0305", message, one.span, help=help)
            return ()
        types.append(type)
    if prod(map(size_of, types)) > MOST_MEMBERS:
        world.sink.report("E0313", "these are too many columns", line.span, f"at most {MOST_MEMBERS}")
        return ()
    return tuple(types)


def refuse_key(world: World, line: nodes.FieldLineNode) -> tuple[Type, ...]:
    """Reports the key of a column that can have none; returns ()."""
    if line.key:
        help = "`data price(work, g):`, with a row for each"
        world.sink.report("E0305", "the keys of data stand in its head", line.key[0].span, help=help)
    return ()


def _is_key(world: World, type: Type) -> bool:
    """Returns whether columns may stand for the values of a type: each is known here and written in one word."""
    match type:
        case KindType(name=name):
            names = world.kinds[world.kind_ids[name]].names if type != world.player else ()
            return not type.optional and 0 < type.size == len(set(names)) and all(map(str.isidentifier, names))
        case EnumType() | IntType() | FlagType():
            return not type.optional
        case _:  # sets and rows are no keys
            return False


def written_columns(world: World, line: nodes.FieldLineNode, key: tuple[Type, ...]) -> list[str]:
    """Returns the columns of a line with a key, as the first row of a table names them: `cost(ruby)`, `cost(onyx)`."""
    members = (_members(world, one) for one in key)
    return [f"{line.name.text}({', '.join(one)})" for one in product(*members)]


def _members(world: World, key: Type) -> list[str]:
    """Returns the values of a key as they are written, in order."""
    low = first_of(key)
    return [word(key, value, world) for value in range(low, low + size_of(key))]
