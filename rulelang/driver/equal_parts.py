"""Makes the parts of a game that are equal to those of the game before the same objects.

    EqualParts().written(game)      the game itself, or an equal one with objects of the last game

After an edit that has a game lowered from nothing, checks that remember results by object find most of them again.
"""

from __future__ import annotations

from typing import Any, TypeVar

import attrs

from rulelang.ir import model as ir
from rulelang.ir.walk import walk

_N = TypeVar("_N")
_SHARED = (
    "kinds", "boards", "tables", "dice", "states", "zones", "values", "data", "procedures", "choices", "hooks",
    "whenevers",
)  # fmt: skip
"""The parts without places in the texts."""


@attrs.define
class EqualParts:
    """The last game, as it was written and as it was rewritten."""

    last_written: ir.GameRules | None = None
    last_rewritten: ir.GameRules | None = None

    def written(self, game: ir.GameRules) -> ir.GameRules:
        """Returns an equal game that shares its parts with the last one that was written."""
        self.last_written = _sharing(game, self.last_written)
        return self.last_written

    def rewritten(self, game: ir.GameRules) -> ir.GameRules:
        """Returns an equal game that shares its parts with the last one that was rewritten."""
        self.last_rewritten = _sharing(game, self.last_rewritten)
        return self.last_rewritten


def _sharing(game: ir.GameRules, last: ir.GameRules | None) -> ir.GameRules:
    if last is None:
        return game
    shared: dict[str, Any] = {name: _shared(getattr(game, name), getattr(last, name)) for name in _SHARED}
    return attrs.evolve(game, **shared)


def _shared(parts: tuple[_N, ...], last: tuple[_N, ...]) -> tuple[_N, ...]:
    if parts is last:
        return parts
    found = tuple(old if _is_same(new, old) else new for new, old in zip(parts, last, strict=False))
    if len(parts) == len(last) and all(new is old for new, old in zip(found, last, strict=True)):
        return last
    return (*found, *parts[len(found) :])


def _is_same(new: object, old: object) -> bool:
    """Returns whether a part can be replaced by an old one: `least` and `most` have places in the texts of their own."""
    return new is old or (new == old and not any(isinstance(node, ir.Bound) for node in walk(new)))
