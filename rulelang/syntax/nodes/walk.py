"""Traversal of a tree: all nodes inside it, and copies with some nodes replaced.

[node for node in walk(module) if isinstance(node, nodes.CallExpression)]      all calls, outermost first
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

import attrs

from rulelang.syntax import nodes

N = TypeVar("N")


@cache
def _fields(type: Any) -> tuple[str, ...]:
    return tuple(f.name for f in attrs.fields(type) if f.name != "span")


_PLAIN = frozenset({"int", "str", "bool", "None", "tuple", "Span"}) | set(vars(nodes.vocabulary))
"""The words in the annotations of fields that hold no node."""


class _Parts(dict[type, Callable[[Any], tuple[Any, ...]] | None]):
    """Getters of a node's parts, last first, by the node's class; None for a class of anything else."""

    def __missing__(self, kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
        if not issubclass(kind, nodes.Node):
            return self.setdefault(kind, None)
        fields = (f for f in attrs.fields(kind) if not _PLAIN.issuperset(re.findall(r"\w+", str(f.type))))
        names = [f.name for f in fields][::-1]
        if len(names) > 1:
            return self.setdefault(kind, attrgetter(*names))
        return self.setdefault(kind, (lambda node: (getattr(node, names[0]),)) if names else lambda node: ())


_PARTS = _Parts()


def word_of(node: nodes.Node) -> str:
    """Returns the name of a node's class without its suffix, in lower case.

    >>> word_of(nodes.StopStatement())
    'stop'
    """
    return _KIND.sub("", type(node).__name__).lower()


_KIND = re.compile("(Declaration|Statement|Expression|Operation|Step|Node)$")


def parts_of(node: nodes.Node) -> Iterator[tuple[str, Any]]:
    kind: Any = type(node)
    return ((name, getattr(node, name)) for name in _fields(kind))


def walk(node: object) -> Iterator[nodes.Node]:
    """Yields a node (or the nodes of a tuple) and all nodes inside, outermost first, in source order."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        kind = type(part)
        if kind is tuple:
            waiting.extend(part[::-1])  # type: ignore[index]
        elif (parts := _PARTS[kind]) is not None:
            yield part  # type: ignore[misc]
            waiting.extend(parts(part))


def rewrite(node: N, change: Callable[[nodes.Node], nodes.Node]) -> N:
    """Returns a copy with `change` applied to every node, innermost first; unchanged parts remain the same objects."""
    if isinstance(node, tuple):
        parts = tuple(rewrite(part, change) for part in node)
        return node if all(a is b for a, b in zip(parts, node, strict=True)) else parts  # type: ignore[return-value]
    if not isinstance(node, nodes.Node):
        return node
    changes = {}
    for name, old in parts_of(node):
        new = rewrite(old, change)
        if new is not old:
            changes[name] = new
    return change(attrs.evolve(node, **changes) if changes else node)  # type: ignore[return-value]


def replaced(node: N, target: nodes.Node, *instead: nodes.Node) -> N:
    """Returns a copy in which other nodes, none, one or several, replace `target` (compared by identity).

    Outside a tuple, exactly one node must replace it.

    >>> from rulelang.syntax.nodes import EnumDeclaration, IdentNode
    >>> left, right = IdentNode("left"), IdentNode("right")
    >>> replaced(EnumDeclaration(IdentNode("Lane"), (left, right)), left).members
    (IdentNode(text='right'),)
    """
    if node is target:
        return instead[0]  # type: ignore[return-value]
    if isinstance(node, tuple):
        parts: list[object] = []
        for part in node:
            parts += instead if part is target else (replaced(part, target, *instead),)
        same = len(parts) == len(node) and all(a is b for a, b in zip(parts, node, strict=True))
        return node if same else tuple(parts)  # type: ignore[return-value]
    if not isinstance(node, nodes.Node):
        return node
    for name, old in parts_of(node):
        new = replaced(old, target, *instead)
        if new is not old:
            return attrs.evolve(node, **{name: new})
    return node
