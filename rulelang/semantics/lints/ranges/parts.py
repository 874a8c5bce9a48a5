"""Remembers results about parts of a game for as long as the parts are the same objects.

After an edit of one body, all other procedures are those of before: they are not examined again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import Type
from rulelang.ir.walk import rewrite, walk
from rulelang.semantics.lints.ranges.findings import safe
from rulelang.semantics.lints.ranges.known import KnownRanges

T = TypeVar("T")
_WITH_EXPRESSIONS = ("procedures", "values", "rules", "choices", "data", "states", "zones", "kinds", "boards", "screen")
_WITHOUT = ("sites", "tables", "streams", "targets")


@attrs.frozen
class Examined:
    """The examination of a procedure that reported nothing: all that it depended on, and what it found for its callees."""

    procedure: ir.Procedure
    known: tuple[object, ...]
    """The facts that held when it began, in order."""
    around: tuple[object, ...]
    """The choices, rules and heads of other procedures that it looked at."""
    read: int
    """The parts that its expressions and these facts read, as bits."""
    handed: tuple[tuple[int, KnownRanges], ...]
    worded: frozenset[int]


@attrs.define
class PartMemory:
    """Results by part, of the last run and of this one."""

    last: dict[tuple[str, int], tuple[object, Any]] = attrs.field(factory=dict)
    now: dict[tuple[str, int], tuple[object, Any]] = attrs.field(factory=dict)
    """By what was asked and the id of the part, which is kept alive here."""
    examined: dict[int, Examined] = attrs.field(factory=dict)
    """By procedure."""
    sound: dict[int, tuple[ir.Value, object, int]] = attrs.field(factory=dict)
    """By value: one that had nothing to report, its declared type, and the parts that it read, as bits."""
    about: tuple[object, ...] = ()
    """The parts of the game that the examination of any procedure may look at."""

    def next(self) -> PartMemory:
        """Returns the memory for another run, without what the last run did not ask for."""
        return PartMemory(self.now, examined=self.examined, sound=self.sound, about=self.about)

    def of(self, what: str, part: object, make: Callable[[Any], T]) -> T:
        """Returns the result for a part, made at most once."""
        key = (what, id(part))
        found = self.now.get(key) or self.last.get(key)
        if found is None or found[0] is not part:
            found = (part, make(part))
        self.now[key] = found
        result: T = found[1]
        return result

    def plain(self, game: ir.GameRules) -> ir.GameRules:
        """Returns a game with all reads in their normal form (`safe`); parts that were seen before are the same objects."""
        parts = {name: getattr(game, name) for name in _WITH_EXPRESSIONS}
        made: dict[str, Any] = {
            name: tuple(self.of("plain", one, _plain) for one in some) for name, some in parts.items()
        }
        rest: ir.GameRules = rewrite(_rest(game), safe)
        made |= {name: getattr(game, name) for name in _WITHOUT}
        return attrs.evolve(rest, **made)

    def types(self, game: ir.GameRules) -> dict[int, Type]:
        """Returns the types of all locals of a plain game, by id."""
        found: dict[int, Type] = {}
        for name in _WITH_EXPRESSIONS:
            for one in getattr(game, name):
                found.update(self.of("types", one, _types))
        return found | _types(_rest(game))


def _rest(game: ir.GameRules) -> ir.GameRules:
    """Returns a game without the parts that are remembered, or hold no expressions."""
    empty: dict[str, Any] = dict.fromkeys((*_WITH_EXPRESSIONS, *_WITHOUT), ())
    return attrs.evolve(game, **empty)


def _plain(part: object) -> object:
    return rewrite(part, safe)


def _types(part: object) -> dict[int, Type]:
    return {node.id: node.type for node in walk(part) if isinstance(node, ir.Variable)}
