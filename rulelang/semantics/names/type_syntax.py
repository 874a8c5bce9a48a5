"""Written types -> types.

0..12?              IntType(0, 12, optional=True)
set of Player       SetType(KindType("Player", 6))
"""

from __future__ import annotations

from rulelang.ir.types import (
    NAMELESS,
    BadType,
    EnumType,
    IntType,
    SetType,
    Type,
)
from rulelang.semantics.names.coercion import constant
from rulelang.semantics.names.scope import TypeName, World
from rulelang.semantics.names.type_relations import BAD, FLAG
from rulelang.syntax import nodes


def written_type(world: World, node: nodes.TypeNode, context: str = "") -> Type:
    """Returns the type that a written one means; reports names that are no types."""
    match node:
        case nodes.NamedTypeNode(name="flag"):
            return FLAG
        case nodes.NamedTypeNode(name="Die"):
            return die_type(world)
        case nodes.NamedTypeNode(name=name):
            return _named(world, name, node)
        case nodes.RangeTypeNode(low=low, high=high):
            return _range(world, low, high, node)
        case nodes.EnumTypeNode(members=members):
            return anonymous_enum(world, tuple(m.text for m in members), context)
        case nodes.OptionalTypeNode(of=of):
            return written_type(world, of, context).or_none()
        case nodes.SetTypeNode(of=of):
            return set_type(written_type(world, of, context))
        case nodes.MapTypeNode(board=board):
            return _map_type(world, board)
        case nodes.ZoneTypeNode() | nodes.BoxTypeNode():
            world.sink.report(
                "E0204", "a zone cannot stand here", node.span, "zones belong in `the game has:` or `each … has:`"
            )
            return BAD
        case _:  # a type that cannot be read was reported
            return BAD


def _map_type(world: World, board: nodes.IdentNode) -> Type:
    if board.text in world.maps:
        return world.maps[board.text]
    if board.text in world.boards:
        help = f'draw others at the margin: `map NAME of {board.text} """ … """`'
        world.sink.report("E0201", f"`{board.text}` has no maps to choose from", board.span, "only one", help=help)
    else:
        world.unknown(board.text, board.span, "no board", list(world.boards))
    return BAD


def set_type(element: Type) -> Type:
    return BAD if isinstance(element, BadType) else SetType(element.certain())


def die_type(world: World) -> EnumType:
    return EnumType("Die", tuple(d.name for d in world.dice))


def anonymous_enum(world: World, members: tuple[str, ...], context: str) -> EnumType:
    """Returns the enum `enum(a, b)` of a field; its members become names of the game."""
    type = EnumType(context or NAMELESS, members)
    for i, member in enumerate(members):
        known = world.members.get(member, ())
        if (type, i) not in known:
            world.members[member] = (*known, (type, i))
    return type


def _named(world: World, name: str, node: nodes.TypeNode) -> Type:
    meaning = world.globals.get(name)
    if isinstance(meaning, TypeName):
        return meaning.type
    if name == "Player":
        return world.player
    types = [n for n, m in world.globals.items() if isinstance(m, TypeName)]
    world.unknown(name, node.span, "no type", [*types, "Player", "flag", "Die"])
    return BAD


def _range(world: World, low: nodes.Expression, high: nodes.Expression, node: nodes.TypeNode) -> Type:
    a, b = constant(world, low), constant(world, high)
    if a is None or b is None:
        return BAD
    if a > b:
        world.sink.report("E0308", f"the range {a}..{b} is empty", node.span, "its low end is above its high end")
        return BAD
    return IntType(a, b)
