"""Remembers the information flow of games: where only words, clauses or bounds differ, secrets flow as before.

FlowMemory().of(game)      FlowWalk(…), walked once for all games that are alike

gold: 0..50, called "money"          ->  gold: 0..99, called "coins"      the same flow
if q.secret > 3: p.gold += 2         ->  if q.secret > 3: p.wood += 2     another one
"""

from __future__ import annotations

from typing import Any, assert_never

import attrs

from rulelang.ir import model as ir
from rulelang.ir.flow.course import FlowWalk, information_flow
from rulelang.ir.types import IntType, Type

MOST_COURSES = 4
"""The most games whose flow is remembered; a check asks for that of two or three."""
_UNREAD = frozenset({
    "id", "title", "seats", "sites", "streams", "targets", "boards", "screen", "aim", "score", "steps", "enums",
    "colours", "during",
})  # fmt: skip
"""The parts of a game that no secret flows through."""
_Part = (
    ir.Kind | ir.Table | ir.StateVariable | ir.Zone | ir.Value | ir.DataTable | ir.DataColumn | ir.Choice | ir.Branch
    | ir.Need | ir.Rule
)  # fmt: skip


@attrs.define
class FlowMemory:
    """The information flow of some games, the one that was asked for last first."""

    courses: list[FlowWalk] = attrs.field(factory=list)

    def of(self, game: ir.GameRules) -> FlowWalk:
        """Returns the information flow of a game."""
        known = next((course for course in self.courses if are_alike(course.game, game)), None)
        found = information_flow(game) if known is None else attrs.evolve(known, game=game)
        self.courses = [found, *(course for course in self.courses if course is not known)][:MOST_COURSES]
        return found


def are_alike(one: ir.GameRules, other: ir.GameRules) -> bool:
    """Returns whether the same secrets certainly flow in the same way through two games."""
    names = (field.name for field in attrs.fields(ir.GameRules) if field.name not in _UNREAD)
    return all(_alike(getattr(one, name), getattr(other, name)) for name in names)


def _alike(one: object, other: object) -> bool:
    if one is other:
        return True
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, _Part) and type(one) is type(other):
        return one == other or _bare(one) == _bare(other)
    return one == other


def _bare(part: _Part) -> object:
    """Returns a part of a game without what no secret flows through: the letters of its words, clauses, how far a number
    goes, and the numbers of a table."""
    match part:
        case ir.Kind():
            return attrs.evolve(part, label="", plural="", called=(), texts=(), looks=())
        case ir.Table():
            return attrs.evolve(part, type=_signs(part.type), values=(), called="")
        case ir.StateVariable():
            return attrs.evolve(part, type=_signs(part.type), called="", text=None)
        case ir.Zone():
            return attrs.evolve(part, called="", text=None)
        case ir.Value():
            return attrs.evolve(part, type=_signs(part.type), called=None, denied=None)
        case ir.DataTable():
            return attrs.evolve(part, columns=_all_bare(part.columns))
        case ir.DataColumn():
            cells: Any = tuple(None if isinstance(cell, ir.Const) else cell for cell in part.cells)
            return attrs.evolve(part, type=_signs(part.type), cells=cells, called="")
        case ir.Choice():
            return attrs.evolve(part, branches=_all_bare(part.branches), prompt=_holes(part.prompt))
        case ir.Branch():
            return attrs.evolve(part, needs=_all_bare(part.needs))
        case ir.Need():
            return attrs.evolve(part, message=_holes(part.message), clauses=())
        case ir.Rule():
            words: dict[str, Any] = {
                name: _holes(getattr(part, name)) for name in ("label", "told", "otherwise", "called")
            }
            return attrs.evolve(part, **words, clauses=(), shows=())
        case _:
            assert_never(part)


def _all_bare(parts: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(map(_bare, parts))


def _holes(words: ir.Template | None) -> ir.Template | None:
    """Returns words without their plain pieces."""
    return None if words is None else ir.Template(tuple(p for p in words.parts if not isinstance(p, str)), ())


def _signs(type: Type) -> Type:
    """Returns a type with bounds that say of a number only whether it is always above 0, or always below."""
    if not isinstance(type, IntType):
        return type
    sign = 1 if type.low > 0 else -1 if type.high < 0 else 0
    return attrs.evolve(type, low=sign, high=sign)
