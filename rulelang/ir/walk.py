"""Traversal of IR: all nodes inside a node, and copies with some nodes replaced.

calls_in(procedure.body)       the procedures that it calls
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from operator import attrgetter
from typing import Any, TypeAlias, TypeVar, cast

import attrs

from rulelang.ir import model as ir

T = TypeVar("T")
_PLAIN = frozenset({"int", "str", "bool", "None", "tuple"}) | set(vars(ir.vocabulary))
"""The words in the annotations of fields that hold no node."""


@cache
def _fields(type: Any) -> tuple[str, ...]:
    """Returns the fields of a class of nodes that may hold nodes."""
    if type not in ir.NODES:
        return ()
    return tuple(f.name for f in attrs.fields(type) if not _PLAIN.issuperset(re.findall(r"\w+", str(f.type))))


class _Parts(dict[type, Callable[[Any], tuple[Any, ...]] | None]):
    """Getters of a node's parts, last first, by the node's class; None for a class of anything else."""

    def __missing__(self, kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
        if kind not in ir.NODES:
            return self.setdefault(kind, None)
        names = _fields(kind)[::-1]
        if len(names) > 1:
            return self.setdefault(kind, attrgetter(*names))
        return self.setdefault(kind, (lambda node: (getattr(node, names[0]),)) if names else lambda node: ())


_PARTS = _Parts()


def walk(node: Any) -> Iterator[Any]:
    """Yields a node and all nodes inside it, outermost first."""
    waiting = [node]
    pop, extend, parts_by_class = waiting.pop, waiting.extend, _PARTS
    while waiting:
        part = pop()
        kind = type(part)
        if kind is tuple:
            extend(part[::-1])
        elif (parts := parts_by_class[kind]) is not None:
            yield part
            extend(parts(part))


def statements_in(node: Any) -> Iterator[ir.Statement]:
    """Yields the statements in a node, outermost first."""
    return (cast(ir.Statement, part) for part in walk(node) if isinstance(part, ir.Stmt))


def parts_of(node: Any) -> tuple[Any, ...]:
    """Returns the direct parts of a node or of a tuple of nodes."""
    return node if isinstance(node, tuple) else tuple(getattr(node, name) for name in _fields(type(node)))  # type: ignore[arg-type]


def read_in(*parts: object) -> set[int]:
    """Returns the ids of the locals that some nodes read, without the names of comprehensions.

    Ids below 0 are left out: they belong to witnesses (`ir.witness`) and have no value.
    """
    found, within = set(), set()
    for node in walk(parts):
        if isinstance(node, ir.Local):
            found.add(node.id)
        elif isinstance(node, ir.Over):
            within |= {name.id for name in node.names}
    return {id for id in found - within if id >= 0}


def is_larger(node: Any, most: int) -> bool:
    """Returns whether a node contains more than `most` nodes; shared parts count each time."""
    return next(islice(walk(node), most, None), None) is not None


def rewrite(node: Any, change: Callable[[Any], Any]) -> Any:
    """Returns a copy with `change` applied to every node, innermost first; unchanged parts remain the same objects.

    For a statement in a body, `change` may return `Spliced`, which puts several statements in its place.
    """
    if isinstance(node, tuple):
        parts: list[Any] = []
        same = True
        for part in node:
            new = rewrite(part, change)
            same = same and new is part
            if isinstance(new, Spliced):
                parts.extend(new.statements)
            else:
                parts.append(new)
        return node if same else tuple(parts)
    kind = type(node)
    if kind not in ir.NODES:
        return node
    names = _fields(kind)  # type: ignore[arg-type]
    changes = {}
    for name in names:
        old = getattr(node, name)
        new = rewrite(old, change)
        if new is not old:
            changes[name] = new
    return change(attrs.evolve(node, **changes) if changes else node)


@attrs.frozen
class Spliced:
    """Several statements that replace one in a body; see `rewrite`."""

    statements: tuple[ir.Statement, ...]


def calls_in(game: ir.GameRules, body: object, *, deferred: bool = True) -> set[int]:
    """Returns the procedures that a body calls, also in the bodies of choices; without `deferred`, only by plain calls."""
    found: set[int] = set()
    for node in walk(body):
        if isinstance(node, ir.Call) or (deferred and isinstance(node, ir.Defer)):
            found.add(node.procedure)
        elif isinstance(node, ir.Ask):
            choice = game.choices[node.choice]
            found |= calls_in(game, (tuple(b.body for b in choice.branches), choice.when_none), deferred=deferred)
    return found


def called_values(game: ir.GameRules, part: object) -> set[int]:
    """Returns the values that a part of a game calls, also in other values and in tables."""
    found, read = set[int](), set[int]()
    waiting = [part]
    while waiting:
        for node in walk(waiting.pop()):
            if isinstance(node, ir.CallValue) and node.value not in found:
                found.add(node.value)
                waiting.append((game.values[node.value].cases, game.values[node.value].adjustments))
            elif isinstance(node, ir.Cell | ir.HasRow) and node.data not in read:
                read.add(node.data)
                waiting.append(game.data[node.data].columns)
    return found


Called: TypeAlias = tuple[str, int, int]
"""A value ("value", id, 0), a column of data ("data", id, column) or a procedure ("verb", id, 0)."""


def called_in(part: object) -> set[Called]:
    """Returns the values and columns that a part of a game reads itself."""
    found: set[Called] = set()
    for node in walk(part):
        if isinstance(node, ir.CallValue):
            found.add(("value", node.value, 0))
        elif isinstance(node, ir.Cell):
            found.add(("data", node.data, node.column))
    return found


def bodies(game: ir.GameRules) -> dict[Called, object]:
    """Returns the expressions that each value and column is computed from."""
    found: dict[Called, object] = {("value", v.id, 0): (v.cases, v.adjustments) for v in game.values}
    for data in game.data:
        for number, column in enumerate(data.columns):
            found["data", data.id, number] = (column.cells, column.adjustments)
    return found


def closure(start: Iterable[T], after: Callable[[T], Iterable[T]]) -> set[T]:
    """Returns all that can be reached from `start`, and `start` itself; `after` says what each leads to.

    >>> sorted(closure([1], lambda n: [2 * n] if n < 5 else []))
    [1, 2, 4, 8]
    """
    seen: set[T] = set()
    queue = list(start)
    while queue:
        one = queue.pop()
        if one not in seen:
            seen.add(one)
            queue.extend(after(one))
    return seen


def asks(game: ir.GameRules, body: object) -> bool:
    """Returns whether a body itself asks a choice; procedures that it calls do not count."""
    return any(isinstance(node, ir.Ask) for node in walk(body))


def reachable(game: ir.GameRules, start: set[int], *, deferred: bool = True) -> set[int]:
    """Returns the procedures reachable from `start` by calls, including `start`."""
    return closure(start, lambda id: calls_in(game, game.procedures[id].body, deferred=deferred))


def spelled_out(value: ir.Value, arguments: tuple[ir.Expr, ...]) -> ir.Value:
    """Returns a value's body with the arguments substituted for the parameters."""
    given = {p.id: argument for p, argument in zip(value.parameters, arguments, strict=True)}
    cases, adjustments = with_arguments((value.cases, value.adjustments), given)
    return attrs.evolve(value, cases=cases, adjustments=adjustments, parameters=())


def with_arguments(node: Any, given: Mapping[int, ir.Expr]) -> Any:
    """Returns a node with the locals in it that stand for parameters replaced by arguments."""

    def change(inner: object) -> object:
        return given.get(inner.id, inner) if isinstance(inner, ir.Local) else inner

    return rewrite(node, change)
