"""Estimates sets: their possible members, whether they are empty, and the facts about names that go over them.

for n in 2..4       n is 2, 3 or 4, and the set is not empty
"""

from __future__ import annotations

import attrs

from rulelang.ir import model as ir
from rulelang.ir.facts import declared_type
from rulelang.ir.types import KindType, SetType
from rulelang.semantics.lints.ranges import amounts
from rulelang.semantics.lints.ranges.amounts import NOTHING, YES, Amount
from rulelang.semantics.lints.ranges.known import KnownRanges
from rulelang.semantics.lints.ranges.reasoner import DEEP, SETS, SOMETHING, Reasoner, somebody

FEW = 40
"""The most members of a constant set that are tried one by one."""


@attrs.define
class Memberships(Reasoner):
    """The part of the reasoner that finds the members of sets and sources."""

    def is_set(self, e: ir.Expr) -> bool:
        match e:
            case ir.Contents():
                return True
            case ir.Op(name=name):
                return name in SETS
            case ir.Over(what=what):
                return what in ("set", "best")
            case ir.Local(id=id):
                return isinstance(self.types.get(id), SetType)
            case ir.Either(then=then, otherwise=otherwise):
                return self.is_set(then) or self.is_set(otherwise)
            case _:  # any other expression says so by its type
                return isinstance(declared_type(e, self.game, self.types), SetType)

    def members(self, e: ir.Expr, known: KnownRanges) -> Amount:
        match e:
            case ir.Const(value=value):
                return amounts.of_mask(value)
            case ir.Contents(zone=zone):
                return Amount(0, self.game.kinds[self.game.zones[zone].kind].size - 1)
            case ir.Op(name="range", arguments=(low, high)):
                return amounts.amount(self.amount(low, known).low, self.amount(high, known).high)
            case ir.Op(name="single", arguments=(one,)):
                return self.amount(one, known).without_none()
            case ir.Op(name="union", arguments=(a, b)):
                return self.members(a, known).hull(self.members(b, known))
            case ir.Op(name="inter", arguments=(a, b)):
                return self.members(a, known).meet(self.members(b, known))
            case ir.Op(name="minus", arguments=(a, b)):
                found = self.members(a, known)
                if isinstance(b, ir.Const) and b.value >= 0:
                    for bit in (i for i in range(b.value.bit_length()) if b.value >> i & 1):
                        found = found.without(bit)
                return found
            case ir.Either(then=then, otherwise=otherwise):
                return self.members(then, known).hull(self.members(otherwise, known))
            case ir.Over(what="best", names=names):
                inside = self.entering(e.names, e.sources, e.condition, known)
                return NOTHING if inside is None else self.amount(ir.Local(names[0].id), inside)
            case ir.Over(what="set", value=value) if value is not None:
                inside = self.entering(e.names, e.sources, e.condition, known)
                return NOTHING if inside is None else self.amount(value, inside).without_none()
            case ir.Way(neighbours=table) | ir.DirectedWay(step=table):  # a region has spaces of the board
                sizes = [type.size for type in self.game.tables[table].dimensions if isinstance(type, KindType)]
                return Amount(0, sizes[-1] - 1)
            case _:  # any other set has the members that its type has
                pass
        type = declared_type(e, self.game, self.types)
        return amounts.of_element(type) if type is not None else SOMETHING

    def going_over(self, source: ir.Source, known: KnownRanges) -> Amount:
        if source.mask is None:
            assert source.pile is not None
            return self.members(source.pile, known)
        return self.members(source.mask, known)

    def is_some(self, e: ir.Expr, known: KnownRanges) -> bool:
        return self.once(("is some", e), (e,), known, lambda k: self._is_some(e, k))

    def _is_some(self, e: ir.Expr, known: KnownRanges) -> bool:
        fact = known.facts.get(ir.Op("size", (e,)))
        if fact is not None and fact.low > 0:
            return True
        match e:
            case ir.Const(value=value):
                return value > 0
            case ir.Read(state=state):
                # The game ends before the last player is eliminated.
                return state in (self.game.players_left, self.game.all_players)
            case ir.Op(name="single", arguments=(one,)):
                return not self.amount(one, known).none
            case ir.Op(name="range", arguments=(low, high)):
                first, last = self.amount(low, known), self.amount(high, known)
                ends = low.arguments if isinstance(low, ir.Op) and low.name == "min" else (low,)
                tops = high.arguments if isinstance(high, ir.Op) and high.name == "max" else (high,)
                return not first.none and not last.none and (first.high <= last.low or bool({*ends} & {*tops}))
            case ir.Op(name="union", arguments=parts):
                return any(self.is_some(part, known) for part in parts)
            case ir.Either(then=then, otherwise=otherwise):
                return self.is_some(then, known) and self.is_some(otherwise, known)
            case ir.Over(what="best"):
                return self.is_one_to_go_over(e, known)
            case ir.Over(what="set", value=value) if value is not None:
                inside = self.entering(e.names, e.sources, e.condition, known)
                return inside is not None and self.is_one_to_go_over(e, known) and not self.amount(value, inside).none
            case ir.CallValue():
                body = self.open(e)
                plain = body is not None and len(body.cases) == 1 and body.cases[0].condition is None
                return plain and body is not None and self.is_some(body.cases[0].value, known)
            case _:  # any other set may be empty
                return False

    def is_some_source(self, source: ir.Source, known: KnownRanges) -> bool:
        if source.pile is not None:
            return source.mask is None and self.is_some(source.pile, known)
        return source.mask is not None and self.is_some(source.mask, known)

    def is_one_to_go_over(self, e: ir.Over, known: KnownRanges) -> bool:
        if known.facts.get(somebody(e, e.condition)) == YES:
            return True
        if e.condition is None:
            return all(self.is_some_source(s, known) for s in e.sources)
        return len(e.names) == 1 and self._is_one_certain(e.names[0], e.sources[0].mask, e.condition, known)

    def _is_one_certain(self, name: ir.Variable, mask: ir.Expr | None, condition: ir.Expr, known: KnownRanges) -> bool:
        """Returns whether a member of a constant set is certain to pass."""
        if not isinstance(mask, ir.Const) or mask.value <= 0 or self.fuel < 0:
            return False
        local = ir.Local(name.id)
        some = [i for i in range(mask.value.bit_length()) if mask.value >> i & 1][:FEW]
        return any(self.assume(condition, known.knowing(local, Amount(i, i)), holds=False) is None for i in some)

    def entering(
        self,
        names: tuple[ir.Variable, ...],
        sources: tuple[ir.Source, ...],
        condition: ir.Expr | None,
        known: KnownRanges,
    ) -> KnownRanges | None:
        read = (*(ir.Local(name.id) for name in names), *(p for s in sources for p in (s.mask, s.pile)), condition)
        question = ("entering", names, sources, condition)
        return self.once_learned(question, read, known, lambda k: self._entering(names, sources, condition, k))

    def _entering(
        self,
        names: tuple[ir.Variable, ...],
        sources: tuple[ir.Source, ...],
        condition: ir.Expr | None,
        known: KnownRanges,
    ) -> KnownRanges | None:
        found: KnownRanges | None = known
        for name, source in zip(names, sources, strict=True):
            for set_ in (source.mask, source.pile):
                if set_ is not None and found is not None:
                    found = self.belongs(ir.Local(name.id), set_, found, DEEP)
        if condition is not None and found is not None:
            found = self.assume(condition, found)
        return found
