"""Things by their written forms, as scenarios and cells name them: `nitro`, `Tile(9)`, `{nitro, nitro}`.

Things with one written form are interchangeable, so the form stands for any one of them. It has a meaning only beside
something that determines the kind: a zone, a thing, a parameter.

    nitro in discards               size(inter({all nitro}, discards)) > 0
    red.tokens == {nitro, nitro}    two of them are nitro, and there are two
    current == Tile(9)              current in {all that are written Tile(9)}
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_

from rulelang.ir import model as ir
from rulelang.ir.types import NONE, SET_LIMIT, EnumType, FlagType, KindType, SetType, Type
from rulelang.semantics.names.coercion import lower
from rulelang.semantics.names.literals import literal_wanted, wanted_element
from rulelang.semantics.names.scope import ColumnName, Env, World
from rulelang.semantics.names.type_relations import FLAG, NOTHING, Typed
from rulelang.source import Span
from rulelang.syntax import nodes


def lower_form(world: World, env: Env, node: nodes.Expression, expected: Type | None) -> Typed | None:
    """Lowers an expression that names things by their written forms; None for any other expression."""
    match node:
        case nodes.BinaryExpression(operator="==" | "!="):
            return _equality(world, env, node)
        case nodes.BinaryExpression(operator="in" | "not in"):
            return _membership(world, env, node)
        case nodes.NameExpression() | nodes.CallExpression():
            kind = thing_kind(world, expected) or _called_kind(world, node)
            mask = form_mask(world, env, kind, node) if kind is not None else None
            return None if kind is None or mask is None else _one_thing(world, kind, mask, node.span)
        case _:  # any other expression is lowered as it is everywhere
            return None


def lower_thing(world: World, env: Env, node: nodes.Expression, expected: Type | None) -> Typed | None:
    """Lowers a written form in the rules: `Threat(2)` anywhere, a form of several things only beside `==` or `in`, a
    bare word only in a table's cell; None for anything else.
    """
    if isinstance(node, nodes.BinaryExpression):
        several = _is_of_several(world, env, node.left) or _is_of_several(world, env, node.right)
        return lower_form(world, env, node, expected) if several else None
    kind = _called_kind(world, node)
    in_cell = (env.printed or env.cell) and isinstance(node, nodes.NameExpression) and node.text not in world.globals
    if in_cell and literal_wanted(world, node.span.text, expected) is None:
        kind = thing_kind(world, expected)
    mask = form_mask(world, env, kind, node) if kind is not None else None
    return None if kind is None or mask is None else _one_thing(world, kind, mask, node.span)


def demand_one(world: World, value: Typed, span: Span) -> Typed:
    """Returns the thing that a name means; reports a name that several things share."""
    kind = thing_kind(world, value.type)
    if kind is None or not isinstance(value.ir, ir.Const):
        return value
    help = f"`first(x in {kind.name} if x == {span.text})` is one of them"
    return _one_thing(world, kind, world.namesakes(kind, value.ir.value), span, help)


def printed_alike(world: World, env: Env, node: nodes.Expression, attribute: str) -> Typed | None:
    """Returns one of the things that share a name, to read what is printed on each of them; None for any other owner."""
    if not isinstance(node, nodes.NameExpression) or not _is_of_several(world, env, node):
        return None
    printed = [n for n in world.things[node.text] if isinstance(world.owned.get((n[0].name, attribute)), ColumnName)]
    return Typed(ir.Const(printed[0][1]), printed[0][0]) if len(printed) == 1 else None


def namesakes(world: World, env: Env, node: nodes.Expression, type: Type | None) -> int | None:
    """Returns the mask of all things that a name, or names in braces, stand for; None if no name is of several."""
    kind = thing_kind(world, type)
    if kind is None or not _is_of_several(world, env, node):
        return None
    masks = forms_of(world, env, kind, node.items if isinstance(node, nodes.SetDisplayExpression) else (node,))
    return None if masks is None else reduce(or_, masks)


def _is_of_several(world: World, env: Env, node: nodes.Expression) -> bool:
    """Returns whether an expression is, or lists, the form of several things that are alike."""
    match node:
        case nodes.SetDisplayExpression(items=items):
            return any(_is_of_several(world, env, item) for item in items)
        case nodes.NameExpression(text=text):
            if text in env.locals or text in env.aliases or text in env.seats or text in world.globals:
                return False
            return any(world.namesakes(kind, i).bit_count() > 1 for kind, i in world.things.get(text, ()))
        case nodes.CallExpression():
            kind = _called_kind(world, node)
            with world.quiet():
                return kind is not None and (form_mask(world, env, kind, node) or 0).bit_count() > 1
        case _:  # any other expression is one thing
            return False


def thing_kind(world: World, type: Type | None) -> KindType | None:
    """Returns the kind if a type is of things or of sets of things; None for players and spaces, which only have names."""
    inner = type.element if isinstance(type, SetType) else type
    if isinstance(inner, KindType) and inner.name != "Player" and inner.name not in world.shapes:
        return KindType(inner.name, inner.size)
    return None


def movable(world: World, type: Type | None) -> KindType | None:
    """Returns the kind if a type is of things that move, or of sets of them; else None."""
    inner = type.element if isinstance(type, SetType) else type
    return inner if isinstance(inner, KindType) and inner.name in world.boxes else None


def form_mask(world: World, env: Env, kind: KindType, node: nodes.Expression) -> int | None:
    """Returns the mask of the things of a kind with this written form; None if it is no written form of the kind.

    Reports a form `Kind(…)` that fits no thing, or things that are not alike; its mask is 0.
    """
    about = world.kinds[world.kind_ids[kind.name]]
    if isinstance(node, nodes.NameExpression):
        if node.text in env.locals or node.text in env.aliases:
            return None
        return _mask(i for i, name in enumerate(about.names) if name == node.text)
    called = _called_kind(world, node)
    if called is None or called.name != kind.name or not isinstance(node, nodes.CallExpression):
        return None
    words = [said(argument) for argument in node.arguments]
    written = f"{kind.name}({', '.join(words)})"
    found = [i for i, name in enumerate(about.names) if name == written]
    found = found or [i for i in range(about.size) if _says(words, _printed(world, about, i))]
    if not found:
        world.sink.report("E0706", f"there is no {written}", node.span, help=_some_of(about))
        return 0
    if len({about.classes[i] for i in found}) > 1:
        several = ", ".join(sorted({about.names[i] for i in found})[:4])
        world.sink.report("E0706", f"`{written}` could be {several}", node.span, "say more of it")
        return 0
    return _mask(found)


def forms_of(world: World, env: Env, kind: KindType, items: tuple[nodes.Expression, ...]) -> tuple[int, ...] | None:
    """Returns the masks of several written forms; None if one of them is no written form of the kind.

    A member of an enum that the kind prints, but on none of its things, is reported, and has an empty mask.
    """
    masks = [form_mask(world, env, kind, item) for item in items]
    for at, item in enumerate(items):
        if masks[at] is None and _is_printed_word(world, env, kind, item):
            report_no_form(world, kind, item)
            masks[at] = 0
    return None if any(mask is None for mask in masks) else tuple(mask or 0 for mask in masks)


def _is_printed_word(world: World, env: Env, kind: KindType, node: nodes.Expression) -> bool:
    """Returns whether a bare word can only be a value of one of the kind's columns."""
    if not isinstance(node, nodes.NameExpression):
        return False
    text = node.text
    if text in env.locals or text in env.aliases or text in env.seats or text in world.globals or text in world.things:
        return False
    types = [type for type, _ in world.members.get(text, ())]
    return any(wanted_element(type) in types for _, _, type in world.kinds[world.kind_ids[kind.name]].columns)


def report_no_form(world: World, kind: KindType, node: nodes.Expression) -> None:
    """Reports that no thing of a kind has this written form, with the nearest one that a thing has."""
    text = " ".join(node.span.text.split())
    about = world.kinds[world.kind_ids[kind.name]]
    near = world.sink.near(text, list(dict.fromkeys(about.names)))
    help = f"did you mean `{near}`?" if near else _some_of(about)
    world.sink.report("E0706", f"no {kind.name} is written `{text}`", node.span, help=help, fix=near)


def kinds_written(world: World, env: Env, node: nodes.Expression) -> list[KindType]:
    """Returns the kinds with things of this written form; none if it is the name of a seat that plays."""
    if isinstance(node, nodes.NameExpression) and node.text in env.seats:
        return []
    return _kinds_with(world, env, node)


def _kinds_with(world: World, env: Env, node: nodes.Expression) -> list[KindType]:
    things = (kind for k in world.kinds if (kind := thing_kind(world, KindType(k.name, k.size))) is not None)
    kinds = sorted(things, key=lambda kind: kind.name not in world.boxes)
    with world.quiet():
        return [kind for kind in kinds if form_mask(world, env, kind, node) is not None]


def said(node: nodes.Expression) -> str:
    """Returns a printed value in its written form."""
    match node:
        case nodes.NameExpression(text=text):
            return text
        case nodes.NumberExpression(value=value):
            return str(value)
        case nodes.UnaryExpression(operator="-", operand=operand):
            return f"-{said(operand)}"
        case nodes.SetDisplayExpression(items=items):
            return "{" + ", ".join(said(item) for item in items) + "}"
        case nodes.RangeExpression(low=nodes.NumberExpression(value=low), high=nodes.NumberExpression(value=high)):
            return "{" + ", ".join(map(str, range(low, min(high + 1, SET_LIMIT)))) + "}"
        case nodes.AttributeExpression(of=nodes.NameExpression(), name=name):
            return name.text
        case _:  # any other expression is shown as it is written
            return node.span.text


# ------------------------------------------------------------------ comparisons


def _equality(world: World, env: Env, node: nodes.BinaryExpression) -> Typed | None:
    for written, other in ((node.right, node.left), (node.left, node.right)):
        items = written.items if isinstance(written, nodes.SetDisplayExpression) else (written,)
        if not items or not all(_may_be_form(world, env, item) for item in items):
            continue
        about = _quietly(world, env, other)
        kind = thing_kind(world, about.type)
        masks = forms_of(world, env, kind, items) if kind is not None else None
        if masks is None:
            continue
        several = isinstance(about.type, SetType)
        if not several and not isinstance(written, nodes.SetDisplayExpression):
            same: ir.Expr = ir.Op("in", (about.ir, ir.Const(masks[0])))
        else:
            same = all_of_them(about.ir if several else ir.Op("single", (about.ir,)), masks)
        return Typed(same if node.operator == "==" else ir.Op("not", (same,)), FLAG)
    return None


def all_of_them(things: ir.Expr, masks: tuple[int, ...]) -> ir.Expr:
    """Returns the condition that a set has exactly one thing from each of these masks, and no others."""
    tests = [ir.Op("==", (_size(things), ir.Const(len(masks))))]
    for mask in sorted(set(masks)):
        inside = _size(ir.Op("inter", (things, ir.Const(mask))))
        tests.append(ir.Op("==", (inside, ir.Const(masks.count(mask)))))
    return ir.And(tuple(tests))


def _membership(world: World, env: Env, node: nodes.BinaryExpression) -> Typed | None:
    if not _may_be_form(world, env, node.left):
        return _among(world, env, node) if isinstance(node.right, nodes.SetDisplayExpression) else None
    if isinstance(node.right, nodes.NameExpression) and node.right.text == "box":
        kinds = [kind for kind in kinds_written(world, env, node.left) if kind.name in world.boxes]
        kind = kinds[0] if kinds else None
        things: ir.Expr = ir.Contents(world.boxes[kind.name], ()) if kind is not None else ir.Const(0)
    else:
        right = _quietly(world, env, node.right)
        kind = thing_kind(world, right.type)
        things = right.ir if isinstance(right.type, SetType) else ir.Op("single", (right.ir,))
    mask = form_mask(world, env, kind, node.left) if kind is not None else None
    if mask is None:
        return None
    some = ir.Op("!=", (ir.Op("inter", (things, ir.Const(mask))), ir.Const(0)))
    return Typed(some if node.operator == "in" else ir.Op("not", (some,)), FLAG)


def _among(world: World, env: Env, node: nodes.BinaryExpression) -> Typed | None:
    """Lowers `c in {saw, axe}` where several things are saws."""
    about = _quietly(world, env, node.left)
    mask = None if isinstance(about.type, SetType) else namesakes(world, env, node.right, about.type)
    if mask is None:
        return None
    some = ir.Op("in", (about.ir, ir.Const(mask)))
    return Typed(some if node.operator == "in" else ir.Op("not", (some,)), FLAG)


def _quietly(world: World, env: Env, node: nodes.Expression) -> Typed:
    """Lowers an expression to find its type, without reports; it is lowered again later, with its faults reported."""
    with world.quiet():
        return lower(world, env, node)


def _may_be_form(world: World, env: Env, node: nodes.Expression) -> bool:
    if isinstance(node, nodes.CallExpression):
        return _called_kind(world, node) is not None
    return isinstance(node, nodes.NameExpression) and bool(_kinds_with(world, env, node))


def _called_kind(world: World, node: nodes.Expression) -> KindType | None:
    """Returns the kind in `Kind(…)`."""
    if not isinstance(node, nodes.CallExpression) or not isinstance(node.function, nodes.NameExpression):
        return None
    name = node.function.text
    if name not in world.kind_ids:
        return None
    return thing_kind(world, KindType(name, world.kinds[world.kind_ids[name]].size))


def _one_thing(world: World, kind: KindType, mask: int, span: Span, help: str = "") -> Typed:
    if mask.bit_count() > 1:
        message = f"`{span.text}` is any of {mask.bit_count()} things that are alike"
        world.sink.report("E0706", message, span, "one thing must stand here", help=help or None)
    return Typed(ir.Const(mask.bit_length() - 1), kind) if mask.bit_count() == 1 else NOTHING


def _size(things: ir.Expr) -> ir.Expr:
    return ir.Op("size", (things,))


def _mask(things: Iterable[int]) -> int | None:
    mask = 0
    for thing in things:
        mask |= 1 << thing
    return mask or None


def _printed(world: World, kind: ir.Kind, thing: int) -> list[str]:
    return [word(type, world.tables[table].values[thing], world) for _, table, type in kind.columns]


def _says(words: list[str], printed: list[str]) -> bool:
    """Returns whether the words occur among the printed values, in the same order."""
    rest = iter(printed)
    return bool(words) and all(said_word in rest for said_word in words)


def _some_of(kind: ir.Kind) -> str:
    names = list(dict.fromkeys(kind.names))
    return "there are " + ", ".join(f"`{name}`" for name in names[:4]) + (" and others" if len(names) > 4 else "")


def word(type: Type, value: int, world: World) -> str:
    """Returns a printed value as it is written in rules."""
    if value == NONE:
        return "none"
    match type:
        case EnumType(members=members):
            return members[value]
        case FlagType():
            return "yes" if value else "no"
        case KindType(name=name):
            return world.kinds[world.kind_ids[name]].names[value]
        case SetType(element=element):
            inside = (word(element, i, world) for i in range(value.bit_length()) if value >> i & 1)
            return "{" + ", ".join(inside) + "}"
        case _:  # any other type is a number
            return str(value)
