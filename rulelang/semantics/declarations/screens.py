"""The `screen:` block: tree -> IR, as `viewer` sees it.

each Player: "{p}  fuel {p.fuel}"      ScreenLine("each", template, variable=p, source=Player)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Literal, assert_never, get_args

import attrs

from rulelang.ir import model as ir
from rulelang.ir.model.vocabulary import FanWay
from rulelang.ir.types import BadType, EnumType, FlagType, IntType, KindType, SetType, Type
from rulelang.semantics.declarations.words import known_word
from rulelang.semantics.expressions import sets
from rulelang.semantics.expressions.templates import template
from rulelang.semantics.names.coercion import lower, want
from rulelang.semantics.names.negatives import refused
from rulelang.semantics.names.nouns import raw
from rulelang.semantics.names.scope import DataName, Env, World
from rulelang.semantics.names.type_relations import BAD, NOTHING
from rulelang.syntax import nodes
from rulelang.syntax.texts import stacks, ungrouped


def lower_screen(world: World, screens: list[nodes.ScreenDeclaration]) -> tuple[ir.ScreenLine, ...]:
    """Returns all lines of the screens as IR; local 0 is the viewer."""
    env = Env(viewer=ir.Variable(0, "viewer", world.player.or_none()), name="screen")
    lines = ((line, _line(world, env, line)) for screen in screens for line in screen.lines)
    return tuple(attrs.evolve(found, fold=raw(line.fold), span=line.span) for line, found in lines if found is not None)


def _line(world: World, env: Env, node: nodes.ScreenLineNode) -> ir.ScreenLine | None:
    match node.what:
        case "line":
            return ir.ScreenLine("line", None, fields=_fields(world, env, node))
        case "track":
            assert node.binder is not None
            bound = sets.binders_of(world, env, (node.binder,))
            if bound is None or refused(world, bound.elements[0], node.binder.domain.span, "a track begins"):
                return None
            fields = _fields(world, bound.env, node)
            return ir.ScreenLine("track", None, bound.names[0], bound.sources[0], fields=fields)
        case "map" | "each":
            return _each(world, env, node)
        case "cards":
            assert node.subject is not None
            return _cards(world, env, node)
        case "table":
            return _table(world, env, node)
        case _:
            assert_never(node.what)
    return None


def _each(world: World, env: Env, node: nodes.ScreenLineNode) -> ir.ScreenLine | None:
    assert node.subject is not None
    value = lower(world, env, node.subject)
    wanted = KindType if node.what == "map" else KindType | EnumType | IntType
    if not isinstance(value.type, SetType) or not isinstance(value.type.element, wanted):
        if not isinstance(value.type, BadType):
            what = "a kind" if node.what == "map" else "a kind, an enum or numbers"
            world.sink.report("E0301", f"`{node.what}` shows {what}", node.subject.span)
        return None
    element = value.type.element
    variable = world.variable(_name_of_each(world, node.subject, element), element)
    inner = env.bind(variable)
    fields = _fields(world, inner, node)
    kind, doors = None, None
    if isinstance(element, KindType):
        kind = world.kind_ids[element.name]
        doors = want(world, inner, node.doors, _directions(world, element)) if node.doors is not None else None
    source = ir.Source(value.ir)
    return ir.ScreenLine(
        node.what, None, variable, source, kind, doors=doors, fields=fields, coordinates=node.coordinates
    )


# ------------------------------------------------------------------ fields


def _fields(world: World, env: Env, node: nodes.ScreenLineNode) -> tuple[ir.ShownField, ...]:
    """Returns the texts of a line as fields, each with its condition.

    If a space or zone stacks its lines, each set of a text without words is a field of its own. Of several texts, one
    with words is left out if all sets in it are empty.
    """
    is_stacked = stacks(node)
    texts: list[nodes.ShownFieldNode] = []
    for field in node.fields:
        apart = ungrouped(field, is_stacked)
        if apart != (field,):
            said = "write its parts as texts of their own, with commas between them, as `rulelang fmt` does"
            world.sink.report("W0514", "braces inside a text keep its parts apart", field.text.span, help=said)
        texts += apart
    found: list[ir.ShownField] = []
    for field in texts:
        text = template(world, env, field.text)
        condition = want(world, env, field.condition, FlagType()) if field.condition is not None else None
        if text is not None:
            found += (_also(part, condition) for part in _parts(text, is_stacked, is_alone=len(texts) == 1))
    return tuple(found)


def _also(field: ir.ShownField, condition: ir.Expr | None) -> ir.ShownField:
    both = tuple(c for c in (condition, field.condition) if c is not None)
    return ir.ShownField(field.text, ir.And(both) if len(both) > 1 else next(iter(both), None))


def _parts(text: ir.Template, is_stacked: bool, is_alone: bool) -> Iterator[ir.ShownField]:
    """Yields the fields into which a text is split."""
    has_words = any(isinstance(part, str) and part.strip() for part in text.parts)
    if is_stacked and (is_alone or not has_words):
        for is_set, run in groupby(zip(text.parts, text.types, strict=True), lambda part: isinstance(part[1], SetType)):
            parts = list(run)
            for piece in ([part] for part in parts) if is_set else (parts,):
                if any(not isinstance(part, str) or part.strip() for part, _ in piece):
                    yield _filled(ir.Template(tuple(p for p, _ in piece), tuple(t for _, t in piece)))
    else:
        yield ir.ShownField(text) if is_alone or not has_words else _filled(text)


def _filled(text: ir.Template) -> ir.ShownField:
    """Returns a text as a field that is left out if all sets in it are empty."""
    parts = zip(text.parts, text.types, strict=True)
    sets = [part for part, type in parts if isinstance(type, SetType) and not isinstance(part, str)]
    filled = tuple(ir.Op("!=", (part, ir.Const(0))) for part in sets)
    return ir.ShownField(text, ir.Or(filled) if len(filled) > 1 else next(iter(filled), None))


def _name_of_each(world: World, subject: nodes.Expression, element: KindType | EnumType | IntType) -> str:
    """Returns the name for each thing in the text: that of `{x
    in S if c}`, else one to which a `names` line gives its type.
    """
    match subject:
        case nodes.SetOfExpression(nodes.ComprehensionExpression(element=None, binders=(binder,))):
            return binder.name.text
        case _:  # any other subject gives its members no name
            usual = "n" if isinstance(element, IntType) else element.name[0].lower()
            return next((n for n, t in world.parameter_types.items() if t == element), usual)


def _directions(world: World, board: KindType) -> Type:
    if (board.name, "step") not in world.board_tables:
        return BAD
    _, directions = world.board_tables[board.name, "step"]
    return SetType(directions)


def _cards(world: World, env: Env, node: nodes.ScreenLineNode) -> ir.ScreenLine | None:
    assert node.subject is not None
    subject = node.subject
    if isinstance(subject, nodes.AttributeExpression) and isinstance(subject.of, nodes.NameExpression):
        if subject.of.text not in world.globals and env.viewer is not None:
            env = Env(
                aliases={subject.of.text: ir.Local(0)}, alias_types={subject.of.text: world.player}, viewer=env.viewer
            )
    value = lower(world, env, subject)
    if value.zone is None:
        if not isinstance(value.type, BadType):
            world.sink.report("E0309", "`cards` shows a zone", subject.span)
        return None
    way = node.fanned
    fanned: FanWay | Literal[""] = ""
    if way is not None:
        fanned = known_word(world, way.text, way.span, "no way to fan", get_args(FanWay))
    text = template(world, env, node.text)
    return ir.ScreenLine("cards", text, zone=value.zone[0], index=value.zone[1], fanned=fanned)


def _table(world: World, env: Env, node: nodes.ScreenLineNode) -> ir.ScreenLine | None:
    call = node.subject
    if not isinstance(call, nodes.CallExpression) or not isinstance(call.function, nodes.NameExpression):
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
        if node.by is not None and isinstance(node_, nodes.NameExpression) and node_.text == node.by.text:
            by = i
            arguments.append(None)
            continue
        value = lower(world, env, node_, variable.type)
        arguments.append(None if value is NOTHING else value.ir)
    return ir.ScreenLine("table", template(world, env, node.text), data=data.id, arguments=tuple(arguments), by=by)
