"""Upper bounds on the size of sets and the range of numbers, valid in every position.

{q in players if q.zone == z}       as many as there are players
1..n                                as many as the largest n
"""

from __future__ import annotations

from functools import cached_property

import attrs

from rulelang.ir import model as ir
from rulelang.ir.facts import declared_type
from rulelang.ir.types import NONE, SET_LIMIT, EnumType, FlagType, IntType, KindType, SetType, Type, size_of
from rulelang.ir.walk import walk

HUGE = 10**12
"""The bound of numbers that need no tighter one."""


@attrs.define(slots=False)
class Counts:
    """Bounds on the expressions of one woven game."""

    game: ir.GameRules

    def length(self, source: ir.Source) -> int:
        """Returns how many things a loop over a source can visit: the whole pile, whatever restricts it."""
        if source.pile is not None:
            return self.game.kinds[self.game.zones[source.pile.zone].kind].size
        return 0 if source.mask is None else self.most(source.mask)

    def most(self, expr: ir.Expr) -> int:
        """Returns how many members a set can have."""
        match expr:
            case ir.Const(value=value):
                return 0 if value == NONE else value.bit_count()
            case ir.Op(name="range", arguments=(low, high)):
                (first, _), (_, last) = self.ends(low), self.ends(high)
                return max(0, min(last, SET_LIMIT - 1) - max(first, 0) + 1)
            case ir.Op(name="single"):
                return 1
            case ir.Op(name="union", arguments=(a, b)):
                return self.most(a) + self.most(b)
            case ir.Op(name="inter", arguments=(a, b)):
                return min(self.most(a), self.most(b))
            case ir.Op(name="minus", arguments=(a, _)):
                return self.most(a)
            case ir.Either(then=then, otherwise=otherwise):
                return max(self.most(then), self.most(otherwise))
            case ir.Contents(zone=zone):
                return 1 if self.game.zones[zone].form == "slot" else self.game.kinds[self.game.zones[zone].kind].size
            case ir.Column(table=table):
                return max((v.bit_count() for v in self.game.tables[table].values if v != NONE), default=0)
            case ir.Over(what="best", sources=sources):
                return self.length(sources[0])
            case ir.Over(what="set", names=names, sources=sources, value=value):
                product = 1
                for source in sources:
                    product = min(product * self.length(source), SET_LIMIT)
                if value is None or (isinstance(value, ir.Local) and len(names) == 1):
                    return product
                return min(product, self._values_of(value))
            case _:  # the declared type bounds any other expression
                return self._members_of(declared_type(expr, self.game, self._checked_locals))

    def _values_of(self, expr: ir.Expr) -> int:
        low, high = self.ends(expr)
        return max(0, min(high, SET_LIMIT - 1) - max(low, 0) + 1)

    def _members_of(self, type: Type | None) -> int:
        element = type.element if isinstance(type, SetType) else None
        if isinstance(element, (KindType, EnumType, FlagType)):
            return size_of(element)
        return min(size_of(element), SET_LIMIT) if isinstance(element, IntType) else SET_LIMIT

    @cached_property
    def _checked_locals(self) -> dict[int, Type]:
        """The types of the locals that are certain to hold them: of things, and of numbers that a `let` has checked."""
        parts = (self.game.values, self.game.data, self.game.procedures, self.game.choices, self.game.states)
        nodes = list(walk((*parts, self.game.zones)))
        types = {node.id: node.type for node in nodes if isinstance(node, ir.Variable)}
        bound = {n.variable.id for n in nodes if isinstance(n, ir.Bind)}
        return {id: type for id, type in types.items() if _is_of_things(type) or (id in bound and not _is_set(type))}

    def counted(self, expr: ir.Expr | None) -> int:
        """Returns the largest value of a count, at least 0 and at most HUGE; HUGE for None."""
        if expr is None:
            return HUGE
        return max(0, min(self.ends(expr)[1], HUGE))

    def ends(self, expr: ir.Expr) -> tuple[int, int]:
        """Returns the least and the greatest value of an expression."""
        match expr:
            case ir.Const(value=value) if value != NONE:
                return value, value
            case ir.Op(name="+", arguments=(a, b)):
                (low, high), (first, last) = self.ends(a), self.ends(b)
                return low + first, high + last
            case ir.Op(name="-", arguments=(a, b)):
                (low, high), (first, last) = self.ends(a), self.ends(b)
                return low - last, high - first
            case ir.Op(name="neg", arguments=(a,)):
                low, high = self.ends(a)
                return -high, -low
            case ir.Op(name="min" | "max" as name, arguments=parts):
                ends = [self.ends(part) for part in parts]
                choose = min if name == "min" else max
                return choose(low for low, _ in ends), choose(high for _, high in ends)
            case ir.Column(table=table):
                values = [value for value in self.game.tables[table].values if value != NONE]
                return (min(values), max(values)) if values else (0, 0)
            case _:  # the declared type bounds any other expression
                type = declared_type(expr, self.game, self._checked_locals)
                return (type.low, type.high) if isinstance(type, IntType) else _thing_ends(type)


def _is_of_things(type: Type) -> bool:
    """Returns whether a type is of things, members or flags (or sets of them), so that no argument can exceed it."""
    of = type.element if isinstance(type, SetType) else type
    return isinstance(of, (KindType, EnumType, FlagType))


def _is_set(type: Type) -> bool:
    return isinstance(type, SetType)


def _thing_ends(type: Type | None) -> tuple[int, int]:
    if isinstance(type, (KindType, EnumType, FlagType)):
        return 0, size_of(type) - 1
    return -HUGE, HUGE
