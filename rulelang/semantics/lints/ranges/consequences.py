"""The consequences of a fact about an expression for its parts.

x + n is at most 3      x is at most 3 - n
"""

from __future__ import annotations

import attrs

from rulelang.ir import model as ir
from rulelang.semantics.lints.ranges.amounts import Amount, reckoned
from rulelang.semantics.lints.ranges.known import KnownRanges, either
from rulelang.semantics.lints.ranges.reasoner import SOMETHING, Reasoner


@attrs.define
class Consequences(Reasoner):
    """The part of the reasoner that finds the facts that follow from another."""

    def learn(self, e: ir.Expr, to: Amount, known: KnownRanges) -> KnownRanges | None:
        if self.fuel < 0:
            return known
        old = self.amount(e, known)
        new = old.meet(to)
        if new.is_empty:
            return None
        if isinstance(e, ir.Const) or self.is_random(e):
            return known
        if new == old and e in known.facts:
            return known
        known = known.knowing(e, new)
        return self._follow(e, new, known)

    def _follow(self, e: ir.Expr, new: Amount, known: KnownRanges) -> KnownRanges | None:
        """Returns the facts about the parts of an expression that follow from a fact about the whole."""
        found: KnownRanges | None = known
        match e:
            case ir.Read(index=index) | ir.Column(of=index) | ir.InSlot(index=index) | ir.TopOf(index=index):
                # If the result is not none, the index is not none either.
                for part in index if not new.none else ():
                    if found is not None and self.amount(part, found).none:
                        found = self.learn(part, SOMETHING, found)
            case ir.OwnerOf(thing=thing) if not new.none and self.amount(thing, known).none:
                return self.learn(thing, SOMETHING, known)
            case ir.Cell(data=data, arguments=arguments) if not new.none:
                return self.has_row(data, arguments, known)
            case ir.Either(condition=condition, then=then, otherwise=otherwise):
                return self._one_of(condition, then, otherwise, new, known)
            case ir.Op(name="+" | "-" as name, arguments=(a, b)) if new.has_number:
                x, y = self.amount(a, known), self.amount(b, known)
                back: ir.Calculation = "-" if name == "+" else "+"
                found = self.learn(a, reckoned(back, [new.without_none(), y.without_none()]), known)
                if found is None:
                    return None
                other = (
                    [new.without_none(), x.without_none()] if name == "+" else [x.without_none(), new.without_none()]
                )
                return self.learn(b, reckoned("-", other), found)
            case ir.Op(name="min", arguments=parts) if new.has_number:
                for part in parts:
                    found = None if found is None else self._above(part, new.low, found)
            case ir.Op(name="max", arguments=parts) if new.has_number:
                for part in parts:
                    found = None if found is None else self._below(part, new.high, found)
            case _:  # nothing follows for the parts of any other expression
                pass
        return found

    def _above(self, e: ir.Expr, low: int, known: KnownRanges) -> KnownRanges | None:
        return self.learn(e, SOMETHING.within(low, SOMETHING.high), known)

    def _below(self, e: ir.Expr, high: int, known: KnownRanges) -> KnownRanges | None:
        return self.learn(e, SOMETHING.within(SOMETHING.low, high), known)

    def _one_of(
        self, condition: ir.Expr, then: ir.Expr, otherwise: ir.Expr, new: Amount, known: KnownRanges
    ) -> KnownRanges | None:
        yes = self.assume(condition, known)
        no = self.assume(condition, known, holds=False)
        one = None if yes is None or self.amount(then, yes).meet(new).is_empty else self.learn(then, new, yes)
        other = None if no is None or self.amount(otherwise, no).meet(new).is_empty else self.learn(otherwise, new, no)
        return either((one, other))
