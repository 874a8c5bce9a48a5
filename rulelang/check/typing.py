"""Types: written ones to real ones, joining two, asking whether one fits another, naming one in a message.

0..12?              IntType(0, 12, optional=True)
set of Player       SetType(KindType("Player", 6))
6 if c else 2       joins to IntType(2, 6)
"""

from __future__ import annotations

import attrs

from rulelang.check.scope import DieName, TypeName, World
from rulelang.ir import model
from rulelang.ir.types import (
    LARGEST,
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
from rulelang.syntax import nodes

BAD = BadType()
FLAG = FlagType()


@attrs.frozen
class Typed:
    """A lowered expression with its type; what it refers to when it is a zone or a data row."""

    ir: model.Expr
    type: Type
    zone: tuple[int, tuple[model.Expr, ...]] | None = None
    row: tuple[int, tuple[model.Expr, ...]] | None = None


NOTHING = Typed(model.Const(0), BAD)


def written_type(world: World, node: nodes.TypeNode, context: str = "") -> Type:
    """Gives the type a written one means; reports names that are no types."""
    match node:
        case nodes.NamedType(name="flag"):
            return FLAG
        case nodes.NamedType(name="Die"):
            return die_type(world)
        case nodes.NamedType(name=name):
            return _named(world, name, node)
        case nodes.RangeType(low=low, high=high):
            return _range(world, low, high, node)
        case nodes.EnumType(members=members):
            return anonymous_enum(world, tuple(m.text for m in members), context)
        case nodes.OptionalType(of=of):
            return written_type(world, of, context).or_none()
        case nodes.SetType(of=of):
            return set_type(written_type(world, of, context))
        case nodes.MapType(board=board):
            return _map_type(world, board)
        case nodes.ZoneType():
            world.sink.report(
                "E0204", "a zone cannot stand here", node.span, "zones belong in `the game has:` or `each … has:`"
            )
            return BAD
    return BAD


def _map_type(world: World, board: nodes.Ident) -> Type:
    if board.text in world.maps:
        return world.maps[board.text]
    world.unknown(board.text, board.span, "no board with several maps", list(world.maps))
    return BAD


def set_type(element: Type) -> Type:
    return BAD if isinstance(element, BadType) else SetType(element.certain())


def die_type(world: World) -> EnumType:
    return EnumType("Die", tuple(d.name for d in world.dice))


def anonymous_enum(world: World, members: tuple[str, ...], context: str) -> EnumType:
    """Gives the enum `enum(a, b)` of a field; its members become names of the game."""
    type = EnumType(context or "enum", members)
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
    from rulelang.check.expressions import constant

    a, b = constant(world, low), constant(world, high)
    if a is None or b is None:
        return BAD
    if a > b:
        world.sink.report("E0308", f"the range {a}..{b} is empty", node.span, "its low end is above its high end")
        return BAD
    return IntType(a, b)


def join(a: Type, b: Type) -> Type | None:
    """Gives the least type that holds both, or None."""
    optional = a.optional or b.optional
    match a, b:
        case (BadType(), _) | (_, BadType()):
            return BAD
        case (NoneType(), NoneType()):
            return a
        case (NoneType(), _):
            return b.or_none()
        case (_, NoneType()):
            return a.or_none()
        case IntType(), IntType():
            return IntType(min(a.low, b.low), max(a.high, b.high), optional=optional)
        case SetType(element=x), SetType(element=y):
            element = join(x, y)
            return None if element is None else SetType(element)
    if a.certain() == b.certain():
        return attrs.evolve(a, optional=optional)
    return None


def fits(value: Type, wanted: Type) -> bool:
    """Tells whether a value of one type may stand where another is wanted (numbers: whatever their range)."""
    match value, wanted:
        case (BadType(), _) | (_, BadType()):
            return True
        case (NoneType(), SetType()):
            return False
        case (NoneType(), _):
            return wanted.optional
        case IntType(), IntType():
            return True
        case SetType(element=x), SetType(element=y):
            return isinstance(x, NoneType) or fits(x, y)
    return value.certain() == wanted.certain()


def clip(low: int, high: int) -> IntType:
    return IntType(max(-LARGEST, min(low, LARGEST)), max(-LARGEST, min(high, LARGEST)))


def name_of(type: Type) -> str:
    """Gives a type as people write it."""
    mark = "?" if type.optional else ""
    match type:
        case IntType(low=low, high=high):
            return (f"{low}..{high}" if (low, high) != (-LARGEST, LARGEST) else "number") + mark
        case FlagType():
            return "flag" + mark
        case EnumType(name=name) | KindType(name=name):
            return name + mark
        case SetType(element=NoneType()):
            return "{}"
        case SetType(element=element):
            return f"set of {name_of(element)}"
        case NoneType():
            return "none"
        case RowType(data=data):
            return f"row of {data}"
        case BadType():
            return "?"
    return str(type)


def dice_of(world: World) -> list[tuple[str, DieName]]:
    return [(n, m) for n, m in world.globals.items() if isinstance(m, DieName)]
