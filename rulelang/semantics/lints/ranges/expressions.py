"""Estimates the possible values of an expression under some facts.

x + 1 in 1..4       x is 0..3
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import product
from math import prod
from typing import assert_never

import attrs

from rulelang.ir import model as ir
from rulelang.ir.model.operators import LAYERS, is_calculation
from rulelang.ir.types import NONE, SetType, first_of, size_of
from rulelang.program.layout import flat
from rulelang.semantics.lints.ranges import amounts
from rulelang.semantics.lints.ranges.amounts import (
    ANYTHING,
    FLAG,
    FOUND,
    JUST_NONE,
    KEPT,
    MISSING,
    NOTHING,
    YES,
    Amount,
    of_type,
    reckoned,
)
from rulelang.semantics.lints.ranges.known import KnownRanges
from rulelang.semantics.lints.ranges.reasoner import SETS, Reasoner, somebody

MANY = 4096
"""The most keys of a table that are examined one by one."""
SIMPLE = frozenset({ir.Const, ir.Local, ir.Read, ir.InSlot, ir.TopOf})
"""Expressions that are estimated faster than looked up in the memory."""


@attrs.define
class Estimates(Reasoner):
    """The part of the reasoner that estimates expressions, the values that they call and the data that they read."""

    def amount(self, e: ir.Expr, known: KnownRanges) -> Amount:
        if type(e) in SIMPLE:
            return self._within_facts(e, known)
        return self.once(("amount", e), (e,), known, lambda k: self._within_facts(e, k))

    def _within_facts(self, e: ir.Expr, known: KnownRanges) -> Amount:
        self.fuel -= 1
        found = self._amount(e, known)
        fact = known.facts.get(e) if known.facts and not isinstance(e, ir.Const) else None
        return found if fact is None else found.meet(fact)

    def _amount(self, e: ir.Expr, known: KnownRanges) -> Amount:
        match e:
            case ir.Const(value=value):
                return JUST_NONE if value == NONE else Amount(value, value)
            case ir.Local(id=id):
                return amounts.of_type(self.types[id]) if id in self.types else ANYTHING
            case ir.Read(state=state, index=index):
                return self._at(amounts.of_type(self.game.states[state].type), index, known)
            case ir.Column(table=table, of=of):
                return self._column(self.game.tables[table], of, known)
            case ir.InSlot(zone=zone, index=index) | ir.TopOf(zone=zone, index=index):
                how = FOUND if isinstance(e, ir.TopOf) else MISSING
                how = 0 if self.is_some(ir.Contents(zone, index), known) else how
                return Amount(0, self.game.kinds[self.game.zones[zone].kind].size - 1, how)
            case ir.OwnerOf(owner=owner):
                size = next((kind.size for kind in self.game.kinds if kind.name == owner), self.game.players[1])
                return Amount(0, size - 1, MISSING)
            case ir.Way(end=None) | ir.DirectedWay(end=None):
                return ANYTHING
            case ir.Way() | ir.DirectedWay():
                return Amount(0, 1000, FOUND)
            case ir.CallValue():
                return self._called(e, known)
            case ir.Cell():
                return self._cell(e, known)
            case ir.Op():
                return self._operator(e, known)
            case ir.Either(condition=condition, then=then, otherwise=otherwise):
                yes, no = self.assume(condition, known), self.assume(condition, known, holds=False)
                one = NOTHING if yes is None else self.amount(then, yes)
                return one if no is None else one.hull(self.amount(otherwise, no))
            case ir.And() | ir.Or() | ir.HasRow() | ir.FaceUp():
                return FLAG
            case ir.Over():
                return self._over(e, known)
            case ir.Roll(die=die, times=times):
                return self._roll(die, times, known)
            case ir.Pick(of=source):
                found = self.going_over(source, known)
                return found if self.is_some_source(source, known) else found.or_none()
            case ir.Foreseen(of=ir.CallValue(value=value)):
                return of_type(self.game.values[value].type)
            case ir.Occurrences() | ir.Foreseen():
                most = 0 if self.game.history is None else self.game.history.most
                return Amount(1, 2 * most + 1)
            case ir.Bound(of=of) | ir.Openly(condition=of):
                return self.amount(of, known)
            case ir.Contents() | ir.PlaceOf() | ir.Counted():
                return ANYTHING
            case _:
                assert_never(e)

    def _at(self, held: Amount, index: tuple[ir.Expr, ...], known: KnownRanges) -> Amount:
        """Returns the amount read at an index, with NONE if the index may be NONE."""
        how = max((self.amount(i, known).none for i in index), default=0)
        return held.or_none(how) if how else held

    def _column(self, table: ir.Table, of: tuple[ir.Expr, ...], known: KnownRanges) -> Amount:
        parts = [self.amount(i, known) for i in of]
        if isinstance(table.type, SetType):
            return ANYTHING
        key = table.id, tuple(parts)
        if key not in self.columns:
            self.columns[key] = amounts.of_values(self._values(table, parts))
        how = max(part.none for part in parts)
        # The NONE of `step` over the edge is in a table too, but no declaration says `T?`.
        found = self.columns[key]
        found = attrs.evolve(found, none=FOUND) if found.none and table.id in self.steps else found
        return found.or_none(how) if how else found

    @staticmethod
    def _values(table: ir.Table, parts: list[Amount]) -> Iterator[int]:
        """Yields the values of a table at the possible indices."""
        ranges = []
        for part, type in zip(parts, table.dimensions, strict=True):
            first = first_of(type)
            ranges.append(range(max(part.low, first), min(part.high, first + size_of(type) - 1) + 1))
        if prod(len(r) for r in ranges) > MANY:
            yield from table.values
            return
        for index in product(*ranges):
            if all(part.holds(i) for part, i in zip(parts, index, strict=True)):
                yield table.values[flat(table.dimensions, index)]

    def _operator(self, e: ir.Op, known: KnownRanges) -> Amount:
        if is_calculation(e.name):
            return reckoned(e.name, [self.amount(a, known).without_none() for a in e.arguments])
        if e.arguments == (ir.Read(self.game.all_players, (), safe=True),) and e.name == "size":
            return Amount(*self.game.players)
        if e.name == "size":
            most = self._count(self.members(e.arguments[0], known))
            return Amount(min(most, 1) if self.is_some(e.arguments[0], known) else 0, most)
        if e.name in SETS:
            return ANYTHING
        return FLAG

    def _roll(self, die: ir.Expr, times: ir.Expr | None, known: KnownRanges) -> Amount:
        which = self.amount(die, known)
        faces = [f for d in self.game.dice if which.holds(d.id) for f in d.faces]
        if not faces:
            return NOTHING
        one = Amount(min(faces), max(faces))
        if times is None:
            return one
        many = self.amount(times, known).without_none()
        return attrs.evolve(reckoned("*", [one, many.meet(Amount(0, max(many.high, 0)))]), loose=True)

    def _over(self, e: ir.Over, known: KnownRanges) -> Amount:
        if e.what in ("set", "best"):
            return ANYTHING
        if e.what in ("any", "all"):
            return FLAG
        if e.what == "count":
            return Amount(0, min(prod(self._size(s, known) for s in e.sources), 2**31 - 1), loose=True)
        inside = self.entering(e.names, e.sources, e.condition, known)
        if e.what == "first":
            found = NOTHING if inside is None else self.amount(ir.Local(e.names[0].id), inside)
        elif inside is None or e.value is None:
            found = Amount(0, 0) if e.what == "sum" else NOTHING
        else:
            found = self.amount(e.value, inside).without_none()
        if e.what == "sum":
            many = min(prod(self._size(s, known) for s in e.sources), 2**20)
            low, high = min(0, found.low * many), max(0, found.high * many)
            return amounts.amount(max(low, -(2**31) + 1), min(high, 2**31 - 1), loose=True)
        return found if self._finds_something(e, inside, known) else found.or_none()

    def _finds_something(self, e: ir.Over, inside: KnownRanges | None, known: KnownRanges) -> bool:
        """Returns whether a comprehension is certain to have a member that passes and has a value."""
        if inside is None:
            return False
        if e.value is None or not self.amount(e.value, inside).none:
            return self.is_one_to_go_over(e, known)
        there = ir.Op("!=", (e.value, ir.Const(NONE)))
        test = there if e.condition is None else ir.And((e.condition, there))
        return known.facts.get(somebody(e, test)) == YES

    def _size(self, source: ir.Source, known: KnownRanges) -> int:
        return self._count(self.going_over(source, known))

    @staticmethod
    def _count(members: Amount) -> int:
        return max(members.high - members.low + 1 - len(members.holes), 0)

    # -------------------------------------------------------------- values and data

    def _called(self, e: ir.CallValue, known: KnownRanges) -> Amount:
        value = self.game.values[e.value]
        held = amounts.of_type(value.type)
        if isinstance(value.type, SetType):
            return ANYTHING
        said = KEPT if e.value in self.declared else FOUND
        if self.deep == 0:
            return self._at(attrs.evolve(held, none=min(held.none * FOUND, said)), e.arguments, known)
        body = self.open(e)
        if body is None:
            # A value that is not examined has its declared type, whose ends may be unattainable.
            return attrs.evolve(held, loose=True)
        self.deep -= 1
        try:
            found = self.worked_out(body, known)
        finally:
            self.deep += 1
        said = said if value.type.optional else FOUND
        return attrs.evolve(held.without_none().meet(found.without_none()), none=min(found.none, said))

    def worked_out(self, value: ir.Value, known: KnownRanges) -> Amount:
        """Returns the possible results of a value's cases and adjustments."""
        found = NOTHING
        rest: KnownRanges | None = known
        for case in value.cases:
            if rest is None:
                break
            way = rest if case.condition is None else self.assume(case.condition, rest)
            if way is not None:
                found = found.hull(self.amount(case.value, way))
            rest = None if case.condition is None else self.assume(case.condition, rest, holds=False)
        if rest is not None:
            found = found.or_none()
        return self.adjusted(found, value.adjustments, known)

    def adjusted(self, found: Amount, adjustments: tuple[ir.Adjustment, ...], known: KnownRanges) -> Amount:
        """Returns the possible results of adjusting a number."""
        for what, operation in LAYERS.items():
            for one in adjustments:
                way = known if one.condition is None else self.assume(one.condition, known)
                if one.what != what or way is None:
                    continue
                amount = self.amount(one.amount, way).without_none()
                changed = amount if operation is None else reckoned(operation, [found.without_none(), amount])
                kept = found.hull(changed) if one.condition is not None else changed
                found = attrs.evolve(kept, none=found.none)
        return found

    def printed(self, data: ir.DataTable, column: ir.DataColumn, known: KnownRanges) -> Amount:
        """Returns the numbers in the cells of a column, in the rows whose keys agree with what is known of them."""
        keys = [self.amount(ir.Local(key.id), known) for key in data.parameters[: data.keys]]
        cells = [self.amount(column.cells[row], known) for row in self._rows(data, keys) if row >= 0]
        return reduce(Amount.hull, cells, NOTHING)

    def _cell(self, e: ir.Cell, known: KnownRanges) -> Amount:
        data = self.game.data[e.data]
        column = data.columns[e.column]
        if isinstance(column.type, SetType):
            return ANYTHING
        keys = [self.amount(a, known) for a in e.arguments[: data.keys]]
        key = data.id, tuple(keys)
        if key not in self.rows:
            self.rows[key] = self._rows(data, keys)
        rows = self.rows[key]
        cells = [column.cells[row] for row in rows if row >= 0]
        numbers = [cell.value for cell in cells if isinstance(cell, ir.Const)]
        held = amounts.of_type(column.type).without_none()
        if len(numbers) == len(cells) and not column.adjustments:
            held = amounts.of_values(numbers)
        else:
            held = attrs.evolve(held, none=KEPT if NONE in numbers or column.type.optional else 0)
        there = known.facts.get(ir.HasRow(e.data, e.arguments[: data.keys])) == YES
        how = MISSING if -1 in rows or any(key.none for key in keys) else 0
        return held.or_none(how) if how and not there else held

    @staticmethod
    def _rows(data: ir.DataTable, keys: list[Amount]) -> frozenset[int]:
        types = [v.type for v in data.parameters[: data.keys]]
        ranges = []
        for key, type in zip(keys, types, strict=True):
            first = first_of(type)
            ranges.append(range(max(key.low, first), min(key.high, first + size_of(type) - 1) + 1))
        if prod(len(r) for r in ranges) > MANY:
            return frozenset(data.rows)
        held = tuple(types)
        return frozenset(
            data.rows[flat(held, index)]
            for index in product(*ranges)
            if all(key.holds(i) for key, i in zip(keys, index, strict=True))
        )
