"""Facts that follow from a condition, or from its failing.

s.owner != none     neither s.owner nor s is none
"""

from __future__ import annotations

import attrs

from rulelang.ir import model as ir
from rulelang.ir.facts import declared_type
from rulelang.ir.model.operators import INVERSE
from rulelang.ir.types import NONE, FlagType
from rulelang.semantics.lints.ranges import amounts
from rulelang.semantics.lints.ranges.amounts import JUST_NONE, NO, YES
from rulelang.semantics.lints.ranges.known import KnownRanges, either
from rulelang.semantics.lints.ranges.reasoner import DEEP, OFF_EDGE, SOMETHING, Reasoner, renamed, somebody


@attrs.define
class Assumptions(Reasoner):
    """The part of the reasoner that finds the facts known under a condition."""

    def assume(self, e: ir.Expr, known: KnownRanges, *, holds: bool = True, deep: int = DEEP) -> KnownRanges | None:
        question = ("assume", e, holds, deep)
        return self.once_learned(question, (e,), known, lambda k: self._assume(e, k, holds, deep))

    def _assume(self, e: ir.Expr, known: KnownRanges, holds: bool, deep: int) -> KnownRanges | None:
        self.fuel -= 1
        if self.fuel < 0:
            return known
        match e:
            case ir.Const(value=value):
                return known if (value > 0) == holds else None
            case ir.And(arguments=parts) | ir.Or(arguments=parts):
                return self._all(parts, known, isinstance(e, ir.And), holds, deep)
            case ir.Op(name="not", arguments=(inner,)):
                return self.assume(inner, known, holds=not holds, deep=deep)
            case ir.Openly(condition=inner):
                return self.assume(inner, known, holds=holds, deep=deep)
            case ir.Op(name="==" | "!=" as name, arguments=(a, b)):
                return self._equal(a, b, known, (name == "==") == holds, deep)
            case ir.Op(name="<" | "<=" | ">" | ">=" as name, arguments=(a, b)):
                return self._ordered(name, a, b, known, holds)
            case ir.Op(name="in", arguments=(x, s)):
                return self.belongs(x, s, known, deep) if holds else self._not_in(x, s, known, deep)
            case ir.HasRow(data=data, arguments=arguments):
                return self.has_row(data, arguments, known) if holds else known
            case ir.Either(condition=condition, then=then, otherwise=otherwise):
                yes = self.assume(condition, known, deep=deep)
                no = self.assume(condition, known, holds=False, deep=deep)
                one = None if yes is None else self.assume(then, yes, holds=holds, deep=deep)
                other = None if no is None else self.assume(otherwise, no, holds=holds, deep=deep)
                return either((one, other))
            case ir.Over(what="any", value=value) if holds:
                test = ir.And((e.condition, value)) if e.condition is not None and value is not None else value
                found: KnownRanges | None = self.learn(somebody(e, test or e.condition), YES, known)
                for source in e.sources:
                    if found is not None and source.mask is not None:
                        found = self.learn(ir.Op("size", (source.mask,)), OFF_EDGE, found)
                return found
            case ir.CallValue() if deep:
                return self._value_holds(e, known, holds, deep - 1)
            case _:  # any other test tells no range
                pass
        if holds:
            return self.learn(e, OFF_EDGE, known)
        before = self.amount(e, known)
        return self.learn(e, attrs.evolve(amounts.amount(-(2**31) + 1, 0, before.none)), known)

    def _all(
        self, parts: tuple[ir.Expr, ...], known: KnownRanges, is_and: bool, holds: bool, deep: int
    ) -> KnownRanges | None:
        """Returns the facts from an `and` that holds or an `or` that fails, so that each part does; or else from the
        opposite, so that at least one does.
        """
        if is_and == holds:
            found: KnownRanges | None = known
            for part in parts:
                found = None if found is None else self.assume(part, found, holds=holds, deep=deep)
            return found
        ways: list[KnownRanges | None] = []
        before: KnownRanges | None = known
        for part in parts:
            if before is None:
                break
            ways.append(self.assume(part, before, holds=holds, deep=deep))
            before = self.assume(part, before, holds=not holds, deep=deep)
        return either(ways)

    def _value_holds(self, e: ir.CallValue, known: KnownRanges, holds: bool, deep: int) -> KnownRanges | None:
        body = self.open(e)
        if body is None or body.adjustments:
            return self.learn(e, YES if holds else NO.or_none(), known)
        ways: list[KnownRanges | None] = []
        rest: KnownRanges | None = known
        for case in body.cases:
            if rest is None:
                break
            way = rest if case.condition is None else self.assume(case.condition, rest, deep=deep)
            ways.append(None if way is None else self.assume(case.value, way, holds=holds, deep=deep))
            rest = None if case.condition is None else self.assume(case.condition, rest, holds=False, deep=deep)
        ways.append(None if holds else rest)
        found = either(ways)
        return None if found is None else self.learn(e, YES if holds else NO.or_none(), found)

    def _equal(self, a: ir.Expr, b: ir.Expr, known: KnownRanges, holds: bool, deep: int) -> KnownRanges | None:
        for one, other in ((a, b), (b, a)):
            if other == ir.Const(NONE):
                return self.learn(one, JUST_NONE, known) if holds else self.learn(one, SOMETHING, known)
            if self.is_set(one):
                if other != ir.Const(0):
                    return known
                return known if holds else self.learn(ir.Op("size", (one,)), OFF_EDGE, known)
            if isinstance(one, ir.Const) and isinstance(declared_type(other, self.game, self.types), FlagType):
                return self.assume(other, known, holds=(one.value > 0) == holds, deep=deep)
        x, y = self.amount(a, known), self.amount(b, known)
        if holds:
            found = self.learn(a, y, known)
            return None if found is None else self.learn(b, x, found)
        for side, against in ((a, y.only), (b, x.only)):
            if against is not None:
                found = self.learn(side, self.amount(side, known).without(against), known)
                if found is None:
                    return None
                known = found
        return known

    def _ordered(
        self, name: ir.Comparison, a: ir.Expr, b: ir.Expr, known: KnownRanges, holds: bool
    ) -> KnownRanges | None:
        if not holds:
            if self.amount(a, known).none or self.amount(b, known).none:
                return known
            name = INVERSE[name]
        if name in (">", ">="):
            a, b, name = b, a, "<" if name == ">" else "<="
        less = 1 if name == "<" else 0
        x, y = self.amount(a, known), self.amount(b, known)
        if not x.has_number or not y.has_number:
            return None
        found = self.learn(a, x.within(x.low, y.high - less), known)
        found = None if found is None else self.learn(b, y.within(x.low + less, y.high), found)
        if found is None or isinstance(a, ir.Const) or isinstance(b, ir.Const):
            return found
        # The range of b - a follows as well, and those of the parts of a sum.
        found = self._note(ir.Op("-", (b, a)), less, found)
        if isinstance(a, ir.Op) and a.name == "+":
            p, q = a.arguments
            for one, other in ((p, q), (q, p)):
                found = self._note(ir.Op("-", (b, one)), self.amount(other, found).low + less, found)
        return found

    def _note(self, e: ir.Expr, low: int, known: KnownRanges) -> KnownRanges:
        if self.is_random(e):
            return known
        now = self.amount(e, known)
        return known.knowing(e, attrs.evolve(now, low=max(low, now.low))) if low > now.low else known

    def belongs(self, x: ir.Expr, s: ir.Expr, known: KnownRanges, deep: int) -> KnownRanges | None:
        found = self.learn(x, self.members(s, known), known)
        if found is None or self.is_random(s):
            return found
        found = self.learn(ir.Op("size", (s,)), OFF_EDGE, found) if not isinstance(s, ir.Const) else found
        if found is None:
            return None
        match s:
            case ir.Op(name="range", arguments=(low, high)):
                found = self._ordered("<=", low, x, found, True)
                return None if found is None else self._ordered("<=", x, high, found, True)
            case ir.Op(name="single", arguments=(one,)):
                return self._equal(x, one, found, True, deep)
            case ir.Op(name="inter", arguments=(a, b)):
                first = self.belongs(x, a, found, deep)
                return None if first is None else self.belongs(x, b, first, deep)
            case ir.Op(name="minus", arguments=(a, b)):
                first = self.belongs(x, a, found, deep)
                return None if first is None else self._not_in(x, b, first, deep)
            case ir.Op(name="union", arguments=(a, b)):
                return either((self.belongs(x, a, found, deep), self.belongs(x, b, found, deep)))
            case ir.Over(what="set" | "best", names=(name,), sources=(source,), value=value, condition=condition):
                if value is not None and value != ir.Local(name.id):
                    return found
                if source.mask is not None:
                    found = self.belongs(x, source.mask, found, deep)
                if found is None or condition is None:
                    return found
                return self.assume(renamed(condition, name.id, x), found, deep=deep)
            case ir.CallValue() if deep:
                body = self.open(s)
                if body is not None and not body.adjustments:
                    ways = [
                        self.belongs(x, case.value, way, deep - 1)
                        for case in body.cases
                        if (way := found if case.condition is None else self.assume(case.condition, found)) is not None
                    ]
                    return either(ways)
            case _:  # any other set has no bounds that are known
                pass
        return found

    def _not_in(self, x: ir.Expr, s: ir.Expr, known: KnownRanges, deep: int) -> KnownRanges | None:
        before = self.amount(x, known)
        match s:
            case ir.Const(value=value) if value >= 0:
                for bit in (i for i in range(value.bit_length()) if value >> i & 1):
                    before = before.without(bit)
                return self.learn(x, before, known)
            case ir.Op(name="single", arguments=(one,)):
                return self._equal(x, one, known, False, deep)
            case ir.Op(name="union", arguments=(a, b)):
                found = self._not_in(x, a, known, deep)
                return None if found is None else self._not_in(x, b, found, deep)
            case ir.Op(name="range", arguments=(low, high)) if not before.none:
                first, last = self.amount(low, known).only, self.amount(high, known).only
                if first is not None and last is not None and first <= before.low <= last:
                    return self.learn(x, before.within(last + 1, before.high), known)
                if first is not None and last is not None and first <= before.high <= last:
                    return self.learn(x, before.within(before.low, first - 1), known)
            case _:  # any other set leaves the number as it was
                pass
        return known

    def has_row(self, data: int, arguments: tuple[ir.Expr, ...], known: KnownRanges) -> KnownRanges | None:
        table = self.game.data[data]
        keys = arguments[: table.keys]
        if any(self.is_random(key) for key in keys):
            return known
        found: KnownRanges | None = known.knowing(ir.HasRow(data, keys), YES)
        for key, variable in zip(keys, table.parameters, strict=False):
            if found is not None:
                found = self.learn(key, amounts.of_type(variable.type.certain()), found)
        return found
