"""Converts IR to plain data (lists, strings, numbers) and back, for the cache: data, never code.

    Op("-", (Local(3), Const(1)))   ["Op", "-", [["Local", 3], ["Const", 1]]] with names numbered

Every list begins with a number: the class of a node, -1 for a tuple, -2 for a span. Spans hold the index of their
source in
a list of sources stored beside the data. Every field is validated when data is read back (`schema`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from rulelang.ir import model, types
from rulelang.ir.encoding import schema
from rulelang.source import NOWHERE, SourceText, Span

_TYPES = {c for c in vars(types).values() if attrs.has(c) and c.__module__ == types.__name__}
CLASSES: tuple[type[Any], ...] = tuple(sorted((*_TYPES, *model.NODES), key=lambda c: c.__name__))
_NUMBER = {c: i for i, c in enumerate(CLASSES)}
_FIELDS = {c: tuple(f.name for f in attrs.fields(c)) for c in CLASSES}
_KEYWORDS = {c: tuple(f.name for f in attrs.fields(c) if f.kw_only) for c in CLASSES}
_SPAN = -2
_TUPLE = -1
_PLAIN = frozenset((int, bool, str, type(None)))
"""The classes of values that are stored unchanged; a table has many thousands of them."""


class NotIR(ValueError):
    """Data that does not encode IR: damaged, or of another version."""


def to_data(node: Any, sources: list[SourceText]) -> Any:
    """Returns IR as plain data; appends each new source of a span to `sources`.

    >>> to_data(model.Const(3), [])[1:]
    [3]
    """
    if isinstance(node, tuple):
        return [_TUPLE, *(node if _PLAIN.issuperset(map(type, node)) else (to_data(part, sources) for part in node))]
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


def from_data(data: Any, sources: list[SourceText]) -> Any:
    """Returns a node or a tuple of nodes, with each field validated; raises NotIR for data that `to_data` did not
    write.
    """
    return _checked(_Decoder(sources).decode, data)


def game_from_data(data: Any, sources: list[SourceText]) -> model.GameRules:
    """Returns a whole game, with each field and each reference validated; raises NotIR for malformed data."""
    decoder = _Decoder(sources)
    game: model.GameRules = _checked(decoder.decode, data)
    _checked(schema.look_at_whole, game, decoder.numbers)
    return game


def _checked(make: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return make(*arguments)
    except NotIR:
        raise
    except (ValueError, TypeError, IndexError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise NotIR(str(error)) from None


@attrs.define
class _Decoder:
    sources: list[SourceText]
    numbers: dict[tuple[str, str], tuple[int, int]] = attrs.field(factory=dict)
    """By class and field that holds ids of parts of the game: the least and the greatest id met."""

    def decode(self, data: Any) -> Any:
        if type(data) is not list:
            if type(data) not in _PLAIN:
                raise NotIR("this is neither a number nor a text")
            return data
        number = data[0]
        if type(number) is not int:
            raise NotIR("this is no node")
        if number == _TUPLE:
            parts = data[1:]
            return tuple(parts if _PLAIN.issuperset(map(type, parts)) else [self.decode(d) for d in parts])
        if number == _SPAN:
            return self._span(*data[1:])
        if number < 0:
            raise NotIR("this is no node")
        return self._node(CLASSES[number], data)

    def _span(self, source: Any, start: Any, end: Any) -> Span:
        if not type(source) is type(start) is type(end) is int:
            raise NotIR("a place is made of numbers")
        if source < 0:
            return NOWHERE
        if not 0 <= start <= end <= len(self.sources[source].text):
            raise NotIR("a place outside of its source")
        return Span(self.sources[source], start, end)

    def _node(self, kind: type[Any], data: list[Any]) -> Any:
        values = [d if type(d) in _PLAIN else self.decode(d) for d in data[1:]]
        schema.look_at(kind, values)
        for name, position in schema.numbered(kind):
            self._count((kind.__name__, name), values[position])
        if not _KEYWORDS[kind]:
            return kind(*values)
        named = dict(zip(_FIELDS[kind], values, strict=True))
        extra = {name: named.pop(name) for name in _KEYWORDS[kind]}
        return kind(*named.values(), **extra)

    def _count(self, key: tuple[str, str], value: int | tuple[int, ...] | None) -> None:
        found = () if value is None else (value,) if isinstance(value, int) else value
        if found:
            least, greatest = self.numbers.get(key, (found[0], found[0]))
            self.numbers[key] = min(least, *found), max(greatest, *found)
