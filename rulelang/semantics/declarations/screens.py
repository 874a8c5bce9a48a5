"""The `screen:` block: tree -> IR, always seen through `viewer`'s eyes.

each Player: "{p}  fuel {p.fuel}"      ScreenLine("each", template, variable=p, source=Player)
"""

from __future__ import annotations

from rulelang.ir import model as ir
from rulelang.ir.types import BadType, EnumType, IntType, KindType, SetType, Type
from rulelang.semantics.expressions import sets
from rulelang.semantics.expressions.templates import template
from rulelang.semantics.names.coercion import lower, want
from rulelang.semantics.names.negatives import refused
from rulelang.semantics.names.scope import DataName, Env, World
from rulelang.semantics.names.type_relations import BAD, NOTHING
from rulelang.syntax import nodes


def lower_screen(world: World, screens: list[nodes.Screen]) -> tuple[ir.ScreenLine, ...]:
    """Lowers all lines; local 0 is the viewer."""
    env = Env(viewer=ir.Variable(0, "viewer", world.player.or_none()), name="screen")
    lines = (_line(world, env, line) for screen in screens for line in screen.lines)
    return tuple(line for line in lines if line is not None)


def _line(world: World, env: Env, node: nodes.ScreenLine) -> ir.ScreenLine | None:
    match node.what:
        case "line":
            return ir.ScreenLine("line", template(world, env, node.text))
        case "track":
            assert node.binder is not None
            bound = sets.binders_of(world, env, (node.binder,))
            if bound is None or refused(world, bound.elements[0], node.binder.domain.span, "a track begins"):
                return None
            text = template(world, bound.env, node.text)
            return ir.ScreenLine("track", text, bound.names[0], bound.sources[0])
        case "map" | "each":
            return _each(world, env, node)
        case "cards":
            assert node.subject is not None
            return _cards(world, env, node)
        case "table":
            return _table(world, env, node)
    return None


def _each(world: World, env: Env, node: nodes.ScreenLine) -> ir.ScreenLine | None:
    assert node.subject is not None
    value = lower(world, env, node.subject)
    wanted = KindType if node.what == "map" else KindType | EnumType | IntType
    if not isinstance(value.type, SetType) or not isinstance(value.type.element, wanted):
        if not isinstance(value.type, BadType):
            what = "a kind" if node.what == "map" else "a kind, an enum or numbers"
            world.sink.report("E0301", f"`{node.what}` is of {what}", node.subject.span)
        return None
    element = value.type.element
    variable = world.variable(_name_of_each(world, node.subject, element), element)
    inner = env.bind(variable)
    text = template(world, inner, node.text)
    kind, doors = None, None
    if isinstance(element, KindType):
        kind = world.kind_ids[element.name]
        doors = want(world, inner, node.doors, _directions(world, element)) if node.doors is not None else None
    return ir.ScreenLine(node.what, text, variable, ir.Source(value.ir), kind, doors=doors)


def _name_of_each(world: World, subject: nodes.Expression, element: KindType | EnumType | IntType) -> str:
    """Gives what the text calls each thing: as the set `{x in S if c}` does, or as its type is called in `names`."""
    match subject:
        case nodes.SetOf(nodes.Comprehension(element=None, binders=(binder,))):
            return binder.name.text
        case _:
            usual = "n" if isinstance(element, IntType) else element.name[0].lower()
            return next((n for n, t in world.parameter_types.items() if t == element), usual)


def _directions(world: World, board: KindType) -> Type:
    if (board.name, "step") not in world.board_tables:
        return BAD
    _, directions = world.board_tables[board.name, "step"]
    return SetType(directions)


def _cards(world: World, env: Env, node: nodes.ScreenLine) -> ir.ScreenLine | None:
    assert node.subject is not None
    subject = node.subject
    if isinstance(subject, nodes.Attribute) and isinstance(subject.of, nodes.Name):
        if subject.of.text not in world.globals and env.viewer is not None:
            env = Env(
                aliases={subject.of.text: ir.Local(0)}, alias_types={subject.of.text: world.player}, viewer=env.viewer
            )
    value = lower(world, env, subject)
    if value.zone is None:
        if not isinstance(value.type, BadType):
            world.sink.report("E0309", "`cards` shows a zone", subject.span)
        return None
    return ir.ScreenLine("cards", template(world, env, node.text), zone=value.zone[0], index=value.zone[1])


def _table(world: World, env: Env, node: nodes.ScreenLine) -> ir.ScreenLine | None:
    call = node.subject
    if not isinstance(call, nodes.Call) or not isinstance(call.function, nodes.Name):
        return None
    data = world.globals.get(call.function.text)
    if not isinstance(data, DataName):
        world.unknown(
            call.function.text, call.span, "no data", [n for n, m in world.globals.items() if isinstance(m, DataName)]
        )
        return None
    arguments: list[ir.Expr | None] = []
    by = None
    for i, (node_, variable) in enumerate(zip(call.arguments, data.parameters, strict=False)):
        if node.by is not None and isinstance(node_, nodes.Name) and node_.text == node.by.text:
            by = i
            arguments.append(None)
            continue
        value = lower(world, env, node_, variable.type)
        arguments.append(None if value is NOTHING else value.ir)
    return ir.ScreenLine("table", template(world, env, node.text), data=data.id, arguments=tuple(arguments), by=by)
