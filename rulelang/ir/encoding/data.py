"""Converts IR to plain data (lists, strings, numbers) and back, for the cache: data, never code.

    Op("-", (Local(3), Const(1)))   ["Op", "-", [["Local", 3], ["Const", 1]]] with names numbered

Every list begins with a number: the class of a node, -1 for a tuple, -2 for a span, -3 for a tuple that is mostly
repetition, as values and how often each comes. Spans hold the index of their source in a list of sources stored beside
the data. Every field is validated when data is read back (`schema`), unless whoever stored it vouches for it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, groupby, repeat
from typing import Any

import attrs

from rulelang.ir import model, types
from rulelang.source import NOWHERE, SourceText, Span

_TYPES = {c for c in vars(types).values() if attrs.has(c) and c.__module__ == types.__name__}
CLASSES: tuple[type[Any], ...] = tuple(sorted((*_TYPES, *model.NODES), key=lambda c: c.__name__))
_NUMBER = {c: i for i, c in enumerate(CLASSES)}
_FIELDS = {c: tuple(f.name for f in attrs.fields(c)) for c in CLASSES}
_KEYWORDS = frozenset(c for c in CLASSES if any(f.kw_only for f in attrs.fields(c)))
"""The classes whose fields cannot all be given by position."""
_RUNS = -3
_SPAN = -2
_TUPLE = -1
_PLAIN = frozenset((int, bool, str, type(None)))
"""The classes of values that are stored unchanged; a table has many thousands of them."""

LONGEST_TUPLE = 2**24
"""The most members of a tuple that is stored as repetitions."""


class NotIR(ValueError):
    """Data that does not encode IR: damaged, or of another version."""


def to_data(node: Any, sources: list[SourceText]) -> Any:
    """Returns IR as plain data; appends each new source of a span to `sources`.

    >>> to_data(model.Const(3), [])[1:]
    [3]
    """
    if isinstance(node, tuple):
        if _PLAIN.issuperset(map(type, node)):
            return _runs(node) or [_TUPLE, *node]
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


def _runs(values: tuple[Any, ...]) -> list[Any] | None:
    """Returns numbers as repetitions; None unless that halves them, and for values that are no numbers.

    >>> _runs((7, 7, 7, 7, 7, 7))
    [-3, 7, 6]
    """
    if len(values) <= 4 or set(map(type, values)) != {int}:
        return None
    runs = [(value, len(tuple(same))) for value, same in groupby(values)]
    return [_RUNS, *chain.from_iterable(runs)] if 4 * len(runs) < len(values) else None


def from_data(data: Any, sources: list[SourceText], *, is_valid: bool = False) -> Any:
    """Returns a node or a tuple of nodes, with each field validated; raises NotIR for data that `to_data` did not
    write. Data that is known to be valid is not validated.
    """
    return _checked((_Decoder if is_valid else _Validating)(sources).decode, data)


def game_from_data(data: Any, sources: list[SourceText], *, is_valid: bool = False) -> model.GameRules:
    """Returns a whole game, with each field and each reference validated; raises NotIR for malformed data.

    Data that is known to be valid is not validated.
    """
    if is_valid:
        known: model.GameRules = from_data(data, sources, is_valid=True)
        return known
    decoder = _Validating(sources)
    game: model.GameRules = _checked(decoder.decode, data)
    _checked(decoder.look_at_whole, game)
    return game


def _checked(make: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return make(*arguments)
    except NotIR:
        raise
    except (ValueError, TypeError, IndexError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise NotIR(str(error)) from None


class _Decoder:
    """Turns data into nodes."""

    def __init__(self, sources: list[SourceText]) -> None:
        self.sources = sources

    def decode(self, data: Any) -> Any:
        if type(data) is not list:
            if type(data) not in _PLAIN:
                raise NotIR("this is neither a number nor a text")
            return data
        number = data[0]
        if type(number) is not int:
            raise NotIR("this is no node")
        if number >= 0:
            kind = CLASSES[number]
            return self.node(kind, [d if type(d) in _PLAIN else self.decode(d) for d in data[1:]])
        if number == _TUPLE:
            parts = data[1:]
            return tuple(parts if _PLAIN.issuperset(map(type, parts)) else [self.decode(d) for d in parts])
        if number == _SPAN:
            return self._span(*data[1:])
        if number == _RUNS:
            return self._repeated(data[1::2], data[2::2])
        raise NotIR("this is no node")

    def _span(self, source: Any, start: Any, end: Any) -> Span:
        if not type(source) is type(start) is type(end) is int:
            raise NotIR("a place is made of numbers")
        if source < 0:
            return NOWHERE
        if not 0 <= start <= end <= len(self.sources[source].text):
            raise NotIR("a place outside of its source")
        return Span(self.sources[source], start, end)

    def _repeated(self, values: list[Any], times: list[Any]) -> tuple[int, ...]:
        if not {int}.issuperset(map(type, chain(values, times))) or len(values) != len(times):
            raise NotIR("these are no numbers")
        if min(times, default=1) < 1 or sum(times) > LONGEST_TUPLE:
            raise NotIR("nothing is repeated so often")
        return tuple(chain.from_iterable(map(repeat, values, times)))

    def node(self, kind: type[Any], values: list[Any]) -> Any:
        """Returns a node, given its fields in order."""
        return kind(**dict(zip(_FIELDS[kind], values, strict=True))) if kind in _KEYWORDS else kind(*values)


class _Validating(_Decoder):
    """Turns data into nodes, each of which is looked at first."""

    def __init__(self, sources: list[SourceText]) -> None:
        # What is known to be valid is read without it.
        from rulelang.ir.encoding import schema

        super().__init__(sources)
        self.schema = schema
        self.numbers: dict[tuple[str, str], tuple[int, int]] = {}
        """By class and field that holds ids of parts of the game: the least and the greatest id met."""

    def node(self, kind: type[Any], values: list[Any]) -> Any:
        self.schema.look_at(kind, values)
        for name, position in self.schema.numbered(kind):
            self._count((kind.__name__, name), values[position])
        return super().node(kind, values)

    def look_at_whole(self, game: model.GameRules) -> None:
        """Raises ValueError for a game that refers to a part that does not exist, or breaks an invariant."""
        self.schema.look_at_whole(game, self.numbers)

    def _count(self, key: tuple[str, str], value: int | tuple[int, ...] | None) -> None:
        found = () if value is None else (value,) if isinstance(value, int) else value
        if found:
            least, greatest = self.numbers.get(key, (found[0], found[0]))
            self.numbers[key] = min(least, *found), max(greatest, *found)
