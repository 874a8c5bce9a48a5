"""Validates every field of IR that is read back from the cache: types, words, ids.

    Op("eval", ...)         refused: the name is not an `Operator`
        Read(state="0]; …")     refused: the field holds a number
        Read(state=99)          refused if the game has only 40 states

The Python printer trusts the IR, so IR from a disk never reaches it unchecked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from types import UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

import attrs

from rulelang.ir import model, types
from rulelang.ir.invariants import faults

Fits: TypeAlias = Callable[[Any], bool]
"""Returns whether a field may hold a value."""

LONGEST_TEXT = 100_000
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")

_PARTS = {
    "site": "sites", "state": "states", "zone": "zones", "kind": "kinds", "table": "tables", "neighbours": "tables",
    "step": "tables", "data": "data", "stream": "streams", "procedure": "procedures", "choice": "choices", "rule": "rules",
    "clock": "clocks", "interchange": "kinds", "refills_from": "zones", "reading": "states", "main": "procedures",
    "checkpoint": "procedures", "all_players": "states", "players_left": "states", "depth": "states", "mover": "states",
    "score": "values", "option": "states", "sites": "sites", "scratch": "states",
}  # fmt: skip
"""By field that may hold an id: the part of the game that the id belongs to."""


def look_at(kind: type[Any], values: list[Any]) -> None:
    """Raises ValueError unless these values can be the fields of a node; nodes among them have been validated before."""
    names, checks = _CHECKS.get(kind) or _checks(kind)
    if len(values) != len(names):
        raise ValueError(f"{kind.__name__} has {len(names)} fields")
    for fits, value in zip(checks, values, strict=True):
        if not fits(value):
            name = names[next(i for i, fits in enumerate(checks) if not fits(values[i]))]
            raise ValueError(f"{kind.__name__}.{name} cannot be {str(value)[:40]!r}")


def look_at_whole(game: Any, nodes: dict[tuple[str, str], tuple[int, int]]) -> None:
    """Raises ValueError if a game refers to a part that does not exist, or breaks an invariant.

    `nodes` holds, by class and field, the least and the greatest id in use.
    """
    if type(game) is not model.GameRules:
        raise ValueError("this is no game")
    for (kind, name), (least, greatest) in nodes.items():
        part = "values" if (kind, name) == ("CallValue", "value") else _PARTS[name]
        if least < 0 or greatest >= len(getattr(game, part)):
            raise ValueError(f"{kind}.{name} names {part} that are not there")
    wrong = next((said for said in (*_sizes(game), *faults(game, woven=True))), None)
    if wrong is not None:
        raise ValueError(wrong)


def is_clean(text: object) -> bool:
    """Returns whether a text could come from rules: not too long, and without control characters."""
    return type(text) is str and len(text) <= LONGEST_TEXT and (text.isalnum() or not _CONTROL.search(text))


def numbered(kind: type[Any]) -> tuple[tuple[str, int], ...]:
    """Returns the fields of a class that are ids of parts of the game, each with its position."""
    if kind not in _NUMBERED:
        hints = _hints(kind)
        named = ((field.name, position) for position, field in enumerate(attrs.fields(kind)))
        counting = (one for one in named if hints[one[0]] in (int, int | None, tuple[int, ...]))
        _NUMBERED[kind] = tuple(
            one for one in counting if one[0] in _PARTS or (kind.__name__, one[0]) == ("CallValue", "value")
        )
    return _NUMBERED[kind]


_CHECKS: dict[type[Any], tuple[tuple[str, ...], tuple[Fits, ...]]] = {}
"""By class: the names of its fields, and a predicate for the values of each."""
_HINTS: dict[type[Any], dict[str, Any]] = {}
"""By class: the results of `_hints`."""
_NUMBERED: dict[type[Any], tuple[tuple[str, int], ...]] = {}
"""By class: the results of `numbered`."""


def _hints(kind: type[Any]) -> dict[str, Any]:
    """Returns the types of a class's fields, which Python works out slowly."""
    if kind not in _HINTS:
        _HINTS[kind] = get_type_hints(kind)
    return _HINTS[kind]


def _checks(kind: type[Any]) -> tuple[tuple[str, ...], tuple[Fits, ...]]:
    hints = _hints(kind)
    names = tuple(field.name for field in attrs.fields(kind))
    _CHECKS[kind] = names, tuple(_fits(hints[name]) for name in names)
    return _CHECKS[kind]


def _fits(hint: Any) -> Fits:
    """Returns a predicate for values of an annotation: a class, a literal type, a union or a tuple."""
    origin = get_origin(hint)
    if origin in (Union, UnionType) and all(get_origin(part) is Literal for part in get_args(hint)):
        return _fits(Literal[tuple(word for part in get_args(hint) for word in get_args(part))])
    if origin in (Union, UnionType):
        return _fits_any([_fits(part) for part in get_args(hint)], get_args(hint))
    if origin is tuple:
        return _fits_tuple(get_args(hint))
    if origin is Literal:
        words = frozenset(get_args(hint))
        return lambda value: type(value) is str and value in words
    if hint is str:
        return is_clean
    return lambda value: type(value) is hint


def _fits_any(checks: list[Fits], parts: tuple[Any, ...]) -> Fits:
    if all(map(_is_class, parts)):
        allowed = frozenset(parts)
        return lambda value: type(value) in allowed
    return lambda value: any(fits(value) for fits in checks)


def _is_class(hint: Any) -> bool:
    """Returns whether the class of a value decides if it fits."""
    return get_origin(hint) is None and hint is not str


def _fits_tuple(parts: tuple[Any, ...]) -> Fits:
    if len(parts) == 2 and parts[1] is Ellipsis:
        classes = get_args(parts[0]) if get_origin(parts[0]) in (Union, UnionType) else (parts[0],)
        if all(map(_is_class, classes)):
            allowed = frozenset(classes)
            return lambda value: type(value) is tuple and allowed.issuperset(map(type, value))
        fits = _fits(parts[0])
        return lambda value: type(value) is tuple and all(map(fits, value))
    checks = [_fits(part) for part in parts]
    return lambda value: (
        type(value) is tuple
        and len(value) == len(checks)
        and all(fits(one) for fits, one in zip(checks, value, strict=True))
    )


def _sizes(game: model.GameRules) -> Iterator[str]:
    """Yields the faults of lengths that should be equal and of numbers out of bounds, in words."""
    low, high = game.players
    if not 1 <= low <= high <= len(game.seats):
        yield "so many cannot play"
    for kind in game.kinds:
        if not kind.size == len(kind.names) == len(kind.classes) or not all(0 <= c < kind.size for c in kind.classes):
            yield f"{kind.name} has not as many names as things"
        if not all(0 <= table < len(game.tables) for _, table, _ in kind.columns):
            yield f"{kind.name} has a column that is no table"
    for table in game.tables:
        if len(table.values) != _size(table.dimensions):
            yield f"{table.name} has not a value in each place"
    for data in game.data:
        width = {len(column.cells) for column in data.columns}
        if len(data.rows) != _size(tuple(v.type for v in data.parameters[: data.keys])):
            yield f"{data.name} has not a row for each key"
        if not all(-1 <= row < cells for cells in width for row in data.rows):
            yield f"{data.name} has rows without cells"
    if not all(die.faces for die in game.dice):
        yield "a die has no face"
    for procedure, state in game.during:
        if not (0 <= procedure < len(game.procedures) and 0 <= state < len(game.states)):
            yield "a phase is noted nowhere"


def _size(dimensions: tuple[types.Type, ...]) -> int:
    size = 1
    for dimension in dimensions:
        size *= types.size_of(dimension)
    return size
