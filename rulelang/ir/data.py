"""IR <-> plain data (lists, strings, numbers), for the compile cache: data, never code.

    Op("-", (Local(3), Const(1)))   ["Op", "-", [["Local", 3], ["Const", 1]]] with names numbered

A list whose first member is a number is a node: the number is its class. Other lists are tuples, marked by -1. Spans keep the
position of their source in a list of sources that is stored beside.
"""

from __future__ import annotations

from typing import Any

import attrs

from rulelang.ir import model, types
from rulelang.source import NOWHERE, Source, Span

_TYPES = {c for c in vars(types).values() if attrs.has(c) and c.__module__ == types.__name__}
CLASSES: tuple[type[Any], ...] = tuple(sorted((*_TYPES, *model.NODES), key=lambda c: c.__name__))
_NUMBER = {c: i for i, c in enumerate(CLASSES)}
_FIELDS = {c: tuple(f.name for f in attrs.fields(c)) for c in CLASSES}
_KEYWORDS = {c: tuple(f.name for f in attrs.fields(c) if f.kw_only) for c in CLASSES}
_SPAN = -2
_TUPLE = -1


class NotIR(ValueError):
    """Data that is no IR: damaged, or of another version."""


def to_data(node: Any, sources: list[Source]) -> Any:
    """Gives IR as plain data; sources met on the way are added to the list.

    >>> to_data(model.Const(3), [])[1:]
    [3]
    """
    if isinstance(node, tuple):
        return [_TUPLE, *(to_data(part, sources) for part in node)]
    if isinstance(node, Span):
        if node is NOWHERE or not node.source.name:
            return [_SPAN, -1, 0, 0]
        if not any(node.source is s for s in sources):
            sources.append(node.source)
        return [_SPAN, next(i for i, s in enumerate(sources) if s is node.source), node.start, node.end]
    if node is None or isinstance(node, int | str):
        return node
    kind = type(node)
    return [_NUMBER[kind], *(to_data(getattr(node, name), sources) for name in _FIELDS[kind])]


def from_data(data: Any, sources: list[Source]) -> Any:
    """Gives the IR back; raises NotIR for data that `to_data` did not make."""
    try:
        return _decode(data, sources)
    except (TypeError, IndexError, KeyError, RecursionError) as error:
        raise NotIR(str(error)) from None


def _decode(data: Any, sources: list[Source]) -> Any:
    if not isinstance(data, list):
        return data
    number = data[0]
    if number == _TUPLE:
        return tuple([_decode(d, sources) if type(d) is list else d for d in data[1:]])
    if number == _SPAN:
        return Span(sources[data[1]], data[2], data[3]) if data[1] >= 0 else NOWHERE
    kind = CLASSES[number]
    values = [_decode(d, sources) if type(d) is list else d for d in data[1:]]
    if len(values) != len(_FIELDS[kind]):
        raise NotIR(f"{kind.__name__} has {len(_FIELDS[kind])} fields")
    keywords = _KEYWORDS[kind]
    if keywords:
        named = dict(zip(_FIELDS[kind], values, strict=True))
        extra = {name: named.pop(name) for name in keywords}
        return kind(*named.values(), **extra)
    return kind(*values)
