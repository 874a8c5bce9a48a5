"""Texts with holes -> templates of words for people.

"{victim} holds only {stock(victim, r)} {r}"   Template(parts=(Local(victim), " holds only ", …), types=…)
"""

from __future__ import annotations

from rulelang.ir import model as ir
from rulelang.ir.types import LARGEST, BadType, FlagType, IntType, Type
from rulelang.semantics.names.coercion import lower, number_of, want
from rulelang.semantics.names.nouns import noun_of
from rulelang.semantics.names.scope import Env, World
from rulelang.syntax import nodes

COUNT = IntType(-LARGEST, LARGEST)


def template(world: World, env: Env, text: nodes.TextNode | None) -> ir.Template | None:
    """Lowers a text; a faulty hole is reported and left out."""
    if text is None:
        return None
    parts: list[str | ir.Expr] = []
    types: list[Type | None] = []
    for part in text.parts:
        if isinstance(part, str):
            parts.append(part)
            types.append(None)
            continue
        if isinstance(part.value, nodes.CountedExpression):
            counted = _counted(world, env, part.value)
            if counted is not None:
                parts.append(counted)
                types.append(COUNT)
            continue
        value = lower(world, env, part.value)
        if not isinstance(value.type, BadType):
            parts.append(value.ir)
            types.append(value.type)
    return ir.Template(tuple(parts), tuple(types))


def fields(world: World, env: Env, shows: nodes.ShowsNode | None) -> tuple[ir.ShownField, ...]:
    """Lowers the texts that an option shows before it is chosen."""
    return shown_fields(world, env, shows.fields if shows is not None else ())


def shown_fields(world: World, env: Env, written: tuple[nodes.ShownFieldNode, ...]) -> tuple[ir.ShownField, ...]:
    """Lowers texts that are shown if their conditions hold."""
    found: list[ir.ShownField] = []
    for field in written:
        text = template(world, env, field.text)
        if text is not None:
            condition = want(world, env, field.condition, FlagType()) if field.condition is not None else None
            found.append(ir.ShownField(text, condition))
    return tuple(found)


def _counted(world: World, env: Env, node: nodes.CountedExpression) -> ir.Counted | None:
    value = number_of(world, env, node.number)
    noun = noun_of(world, node.noun)
    return None if noun is None or isinstance(value.type, BadType) else ir.Counted(value.ir, *noun)
