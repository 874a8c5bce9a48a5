"""A checked game and declarations that have changed -> the declarations whose bodies may now mean something else.

    constant most = 4  ->  constant ost = 4        every body that names `most` or `ost`
    value crew(r) = …  ->  value crew(r) = …       those that name `crew`, and those that name values which use it

A body depends on the rest of a game through the names that are written in it, so that others keep their faults.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, assert_never

from rulelang.ir import model as ir
from rulelang.semantics.names.scope import (
    ActionName,
    ColumnName,
    ConstantName,
    DataName,
    DieName,
    Meaning,
    StateName,
    TypeName,
    ValueName,
    VerbName,
    World,
    ZoneName,
)
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import walk

_Facts: TypeAlias = dict[str, set[object]]
_OF_ALL = nodes.GameDeclaration | nodes.NounDeclaration | nodes.IncludeDeclaration | nodes.AimDeclaration
"""The declarations that bodies depend on, or that depend on them, without naming them."""

_WITH_RULES = (
    nodes.VerbDeclaration | nodes.ActionDeclaration | nodes.HookDeclaration | nodes.WheneverDeclaration
    | nodes.FlowDeclaration
)  # fmt: skip
_NAMES_RULE = re.compile(r"\b(?:finish|as)\b")
"""Matches the parts of a body that may name a rule of the aim."""


def reached(
    before: World,
    after: World,
    gone: Iterable[nodes.Declaration],
    came: Iterable[nodes.Declaration],
    declared: Sequence[nodes.Declaration],
) -> frozenset[int] | None:
    """Returns the ids of those `declared` nodes that may mean something else now that some declarations are gone and others
    came in their place, with the latter; None if any may."""
    changed = (*gone, *came)
    if any(isinstance(node, _OF_ALL) for node in changed) or _at_large(before) != _at_large(after):
        return None
    aims = [node for node in declared if isinstance(node, nodes.AimDeclaration)]
    if aims and any(isinstance(node, _WITH_RULES) and _NAMES_RULE.search(node.span.text) for node in changed):
        return None
    names = {*_differing(_facts(before), _facts(after)), *(name for node in changed for name in _declared(node))}
    waiting, found = (
        [node for node in declared if not isinstance(node, nodes.AimDeclaration)],
        {id(node) for node in came},
    )
    if before.clocks or after.clocks:
        # A clock knows which choices run against it.
        found.update(id(node) for node in waiting if "against" in node.span.text)
    while names:
        pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b", re.IGNORECASE)
        using = [node for node in waiting if id(node) in found or pattern.search(node.span.text)]
        found.update(map(id, using))
        waiting = [node for node in waiting if id(node) not in found]
        if any(_names(aim, names) for aim in aims):
            return None  # it names rules of bodies that stay as they are, too
        # A value without a declared type may have another type now.
        names = {node.name.text for node in using if isinstance(node, nodes.ValueDeclaration) and node.type is None}
    return frozenset(found)


def differing(before: World, after: World) -> frozenset[str] | None:
    """Returns the names that mean something else in one of two games, but for those of actions, which mean what the choices
    offer; None if what bodies depend on without naming it differs."""
    if _at_large(before) != _at_large(after):
        return None
    found = _differing(_facts(before), _facts(after))
    return frozenset(name for name in found if not _is_action(name, before, after))


def _is_action(name: str, *worlds: World) -> bool:
    return all(isinstance(world.globals.get(name), ActionName) for world in worlds)


def _names(node: nodes.Declaration, names: Iterable[str]) -> bool:
    """Returns whether a declaration says one of some names, and not just the same word in a text."""
    said = {part.text.casefold() for part in walk(node) if isinstance(part, nodes.IdentNode | nodes.NameExpression)}
    return not said.isdisjoint(name.casefold() for name in names)


def _at_large(world: World) -> tuple[object, ...]:
    """Returns the parts of a game that bodies depend on without naming them."""
    return world.players, world.seats, world.lone, world.history is None


def _declared(node: nodes.Declaration) -> Iterator[str]:
    """Yields the name of a declaration that has one; those of lines and rows are told apart by what they mean."""
    name = getattr(node, "name", None)
    if isinstance(name, nodes.IdentNode):
        yield name.text


def _differing(before: Mapping[str, object], after: Mapping[str, object]) -> Iterator[str]:
    return (name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def _facts(world: World) -> _Facts:
    """Returns the facts about each name that bodies may read, without ids, such as those of variables."""
    found: _Facts = {}

    def note(name: str, *facts: object) -> None:
        found.setdefault(name, set()).add(facts)

    for name, meaning in world.globals.items():
        note(name, "global", *_of(world, meaning))
    for (owner, name), part in world.owned.items():
        note(name, "owned", owner, *_of(world, part))
    for name, members in world.members.items():
        note(name, "member", members)
    for name, things in world.things.items():
        note(name, "thing", things)
    for name, type in world.parameter_types.items():
        note(name, "parameter", type)
    for name, shapes in world.boards.items():
        note(name, "board", tuple((shape, shape.spaces) if hasattr(shape, "spaces") else shape for shape in shapes))
    for (board, name), (table, type) in world.board_tables.items():
        note(board, name, world.tables[table].values, type)
    for kind in world.kinds:
        note(kind.name, "kind", kind.size, kind.names)
    return found


def _of(world: World, meaning: Meaning | ColumnName) -> tuple[object, ...]:
    match meaning:
        case ConstantName(value=value, type=type):
            return value, type
        case TypeName(type=type):
            members = getattr(type, "members", ())
            return type, members
        case StateName():
            return meaning.owner, meaning.dimensions, meaning.type, meaning.builtin
        case ZoneName():
            return meaning.owner, meaning.dimensions, meaning.form, meaning.kind
        case ColumnName(kind=kind, table=table, type=type, key=key):
            return kind, type, key, world.tables[table].values
        case ValueName():
            return _typed(meaning.parameters), meaning.declared, meaning.deep, meaning.row
        case DataName():
            columns = tuple((name, type) for name, (_, type) in meaning.columns.items())
            return _typed(meaning.parameters), meaning.keys, columns
        case VerbName():
            return _typed(meaning.parameters), meaning.deep, meaning.builtin
        case ActionName(node=node):
            return node.parameters, node.needs, node.when, node.beside
        case DieName(faces=faces):
            return (faces,)
        case _:
            assert_never(meaning)


def _typed(parameters: tuple[ir.Variable, ...]) -> tuple[object, ...]:
    return tuple((one.name, one.type) for one in parameters)
