"""Names that are values: members of enums, spaces of boards, things, seats; and `Type.member`, which names the type.

red           Const(1) where a Colour is wanted, Const(0) where a Player is
a1            Const(0) of the board that is wanted; else an error, where several have one
Second.a1     Const(0), whatever else is called `a1`
"""

from __future__ import annotations

from collections.abc import Iterable

from rulelang.ir import model as ir
from rulelang.ir.types import BadType, EnumType, KindType, NoneType, SetType, Type
from rulelang.semantics.names.scope import (
    ConstantName,
    Env,
    Meaning,
    StateName,
    TypeName,
    ValueName,
    World,
    ZoneName,
)
from rulelang.semantics.names.seats import is_seat, seat_named
from rulelang.semantics.names.type_relations import NOTHING, Typed, fits
from rulelang.source import Span
from rulelang.syntax import nodes

ON_BOARDS = frozenset(("neighbours", "step", "distance", "direction", "opposite", "connected", "region"))
"""Functions of spaces and directions."""


def wanted_element(expected: Type | None) -> Type | None:
    """Returns the type of the value that a name is expected to have; for a set, that of its elements."""
    element = expected.element if isinstance(expected, SetType) else expected
    return None if element is None or isinstance(element, NoneType) else element.certain()


def values_named(world: World, text: str) -> tuple[tuple[Type, int], ...]:
    """Returns the members of enums, the spaces and the things with a name, each as (type, value)."""
    return (*world.members.get(text, ()), *world.things.get(text, ()))


def literal_wanted(world: World, text: str, expected: Type | None) -> Typed | None:
    """Returns the value of a name that has the expected type; None if there is none, or if a declaration fits."""
    wanted = wanted_element(expected)
    if wanted is None:
        return None
    for type, index in world.members.get(text, ()):
        if type == wanted:
            return Typed(ir.Const(index), type)
    for kind, index in world.things.get(text, ()):
        if kind == wanted and not _declared_fits(world, text, kind):
            return Typed(ir.Const(index), kind)
    return None


def _declared_fits(world: World, text: str, wanted: Type) -> bool:
    meaning = world.globals.get(text)
    type = None if meaning is None else _type_of(meaning)
    return type is not None and fits(type.element if isinstance(type, SetType) else type.certain(), wanted)


def _type_of(meaning: Meaning) -> Type | None:
    match meaning:
        case ConstantName(type=type) | StateName(type=type):
            return type
        case TypeName(type=type) | ZoneName(kind=type):
            return type
        case ValueName(type=type):
            return type or BadType()
        case _:  # any other name has no type
            return None


def literal_or_seat(world: World, env: Env, text: str, span: Span, expected: Type | None) -> Typed | None:
    """Returns the only value with a name, or the seat if a player is expected; None if nothing has that name.

    Reports a name with several values if nothing decides between them.
    """
    found = values_named(world, text)
    wanted = wanted_element(expected)
    seated = is_seat(world, env, text)
    if seated and wanted == world.player:
        return seat_named(world, env, text)
    if not found:
        return None
    only_thing = not world.members.get(text)
    if len(found) == 1 and (only_thing or not (seated and wanted is None)):
        return Typed(ir.Const(found[0][1]), found[0][0])
    if not isinstance(wanted, BadType):
        types: list[Type] = [world.player] if seated and not only_thing else []
        report_several(world, text, span, [*types, *(type for type, _ in found)])
    return NOTHING


def report_several(world: World, text: str, span: Span, types: list[Type]) -> None:
    """Reports a name that is a value of several types."""
    roles = {"a member": EnumType, "a space": KindType, "a thing": KindType}
    phrases = ["a seat"] if world.player in types else []
    for role, sort in roles.items():
        own = sorted({_name(t) for t in types if isinstance(t, sort) and _role(world, t) == role})
        phrases += [f"{role} of {' and '.join(f'`{owner}`' for owner in own)}"] if own else []
    owners = sorted({_name(type) for type in types}, key=lambda name: (name != "Player", name))
    forms = [
        f"`{owner}.{text}`" for owner in owners if owner == "Player" or isinstance(world.globals.get(owner), TypeName)
    ]
    remark = f"write {' or '.join(forms)}" if forms else "compare it with something that says which"
    world.sink.report("E0209", f"`{text}` is {' and '.join(phrases)}", span, remark)


def _role(world: World, type: Type) -> str:
    if isinstance(type, EnumType):
        return "a member"
    if type == world.player:
        return "a seat"
    return "a space" if _name(type) in world.shapes else "a thing"


def _name(type: Type) -> str:
    return type.name if isinstance(type, EnumType | KindType) else ""


def needs_help(world: World, env: Env, node: nodes.Expression) -> bool:
    """Returns whether the names in an expression are ambiguous without an expected type."""
    match node:
        case nodes.NameExpression(text=text):
            if text in env.locals or text in env.aliases:
                return False
            return bool(world.members.get(text)) or len(world.things.get(text, ())) > 1 or _is_clash(world, text)
        case nodes.SetDisplayExpression(items=items):
            return any(needs_help(world, env, item) for item in items)
        case nodes.BinaryExpression(operator="+" | "-", left=left, right=right):
            return needs_help(world, env, left) and needs_help(world, env, right)
        case nodes.ConditionalExpression(then=then, otherwise=otherwise):
            return needs_help(world, env, then) and needs_help(world, env, otherwise)
        case nodes.CallExpression(function=nodes.NameExpression(text=text), arguments=arguments) if text in ON_BOARDS:
            return bool(arguments) and needs_help(world, env, arguments[0])
        case _:  # any other expression has a type of its own
            return False


def _is_clash(world: World, text: str) -> bool:
    return text in world.things and text in world.globals


def owner_type(world: World, env: Env, text: str, attribute: str) -> Type | None:
    """Returns the type of the only value with this name that has an attribute; None if no value or several have it."""
    seated: Iterable[Type] = [world.player] if is_seat(world, env, text) else []
    types = [*seated, *(type for type, _ in values_named(world, text))]
    if len(types) < 2 and not _is_clash(world, text):
        return None
    owners = [type for type in types if isinstance(type, KindType) and (type.name, attribute) in world.owned]
    return owners[0] if len(owners) == 1 else None


# ------------------------------------------------------------------ Type.member


def qualified(world: World, env: Env, node: nodes.AttributeExpression) -> Typed | None:
    """Lowers `Player.red`, `Colour.red` and `Second.a1`; None for an expression of another form."""
    if not isinstance(node.of, nodes.NameExpression) or node.of.text in env.locals or node.of.text in env.aliases:
        return None
    owner, text = node.of.text, node.name.text
    meaning = world.globals.get(owner)
    if owner == "Player" and meaning is None:
        if is_seat(world, env, text):
            return seat_named(world, env, text)
        return _no_member(world, owner, node.name, (*env.seats, *world.seats))
    if not isinstance(meaning, TypeName):
        return None
    if isinstance(meaning.type, EnumType):
        if text in meaning.type.members:
            return Typed(ir.Const(meaning.type.members.index(text)), meaning.type)
        return _no_member(world, owner, node.name, meaning.type.members)
    names = world.kinds[world.kind_ids[owner]].names
    if names.count(text) == 1:
        return Typed(ir.Const(names.index(text)), meaning.type)
    space = next((at for type, at in world.things.get(text, ()) if type.name == owner in world.shapes), None)
    if space is not None:  # one more name of an edge or corner
        return Typed(ir.Const(space), meaning.type)
    return _no_member(world, owner, node.name, tuple(dict.fromkeys(names)))


def _no_member(world: World, owner: str, name: nodes.IdentNode, names: tuple[str, ...]) -> Typed:
    near = world.sink.near(name.text, names)
    help = f"did you mean `{near}`?" if near else None
    world.sink.report("E0205", f"{owner} has no `{name.text}`", name.span, "no such member", help=help, fix=near)
    return NOTHING


def owners_of(world: World, name: str) -> list[str]:
    """Returns the enums, kinds and boards that have a member, thing or space of a name; `Player` for a seat."""
    found = [
        type.name for type, _ in (*world.things.get(name, ()), *world.members.get(name, ())) if hasattr(type, "name")
    ]
    return [*found, "Player"] if name in world.seats else found
