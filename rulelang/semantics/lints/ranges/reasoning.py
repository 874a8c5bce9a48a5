"""What an expression can be where some things are known, and what a condition lets one know.

x + 1 in 1..4       x is 0..3
s.owner != none     s.owner is somebody, and s is a space
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

import attrs

from rulelang.ir import model as ir
from rulelang.ir.facts import INVERSE, declared_type
from rulelang.ir.types import NONE, FlagType, SetType, Type, first_of, size_of
from rulelang.ir.walk import is_larger, rewrite, walk
from rulelang.program.layout import flat
from rulelang.semantics.lints.ranges import amounts
from rulelang.semantics.lints.ranges.amounts import (
    ANYTHING,
    FLAG,
    FOUND,
    JUST_NONE,
    KEPT,
    MISSING,
    NO,
    NOTHING,
    YES,
    Amount,
    reckoned,
)
from rulelang.semantics.lints.ranges.known import Known, either

DEEP = 4
"""How many values inside each other are looked into."""
ENOUGH = 12000
"""So many expressions are looked at for one line of the rules, until values inside it are taken to be what their types say."""
LARGE = 600
"""What is larger than this is not looked into."""
FEW = 40
"""So many members of a printed set are tried one by one."""
MANY = 4096
"""So many keys of a table are looked at one by one."""
NUMBERS = frozenset({"+", "-", "*", "neg", "floordiv", "ceildiv", "mod", "abs", "min", "max"})
SETS = frozenset({"union", "minus", "inter", "single", "range"})
OFF_EDGE = Amount(1, 2**31 - 1)
SOMETHING = ANYTHING.without_none()


@attrs.define
class Reasoning:
    """Reasons about the expressions of one game."""

    game: ir.Game
    types: dict[int, Type] = attrs.field(init=False)
    rolling: frozenset[tuple[int, int]] = attrs.field(init=False)
    """The columns whose cells throw dice: each time they are read they are something else."""
    steps: frozenset[int] = frozenset()
    """The tables of what lies in a direction."""
    declared: frozenset[int] = frozenset()
    """The values that say what they are: one that says `T?` is known to be none at times."""
    columns: dict[tuple[int, tuple[Amount, ...]], Amount] = attrs.field(factory=dict)
    rows: dict[tuple[int, tuple[Amount, ...]], frozenset[int]] = attrs.field(factory=dict)
    fuel: int = 0
    """How many more expressions are looked at before values are no longer looked into."""
    deep: int = 0
    """How many values may still be looked into, for what an expression can be."""
    opened: dict[tuple[int, tuple[ir.Expr, ...]], ir.Value] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.types = {n.id: n.type for n in walk(self.game) if isinstance(n, ir.Variable)}
        self.rolling = frozenset(
            (data.id, number)
            for data in self.game.data
            for number, column in enumerate(data.columns)
            if any(isinstance(n, ir.Roll | ir.Pick) for n in walk(column))
        )

    # -------------------------------------------------------------- what an expression can be

    def amount(self, e: ir.Expr, known: Known) -> Amount:
        """Returns what an expression can be; of a set, anything."""
        self.fuel -= 1
        found = self._amount(e, known)
        fact = known.facts.get(e) if known.facts and not isinstance(e, ir.Const) else None
        return found if fact is None else found.meet(fact)

    def _amount(self, e: ir.Expr, known: Known) -> Amount:
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
                found = self._going_over(source, known)
                return found if self._is_some_source(source, known) else found.or_none()
            case ir.Occurrences() | ir.Foreseen():
                return Amount(0, 2**31 - 1)
            case ir.Bound(of=of):
                return self.amount(of, known)
        return ANYTHING

    def _at(self, held: Amount, index: tuple[ir.Expr, ...], known: Known) -> Amount:
        """Returns what is read at an index: NONE where the index is."""
        how = max((self.amount(i, known).none for i in index), default=0)
        return held.or_none(how) if how else held

    def _column(self, table: ir.Table, of: tuple[ir.Expr, ...], known: Known) -> Amount:
        parts = [self.amount(i, known) for i in of]
        if isinstance(table.type, SetType):
            return ANYTHING
        key = table.id, tuple(parts)
        if key not in self.columns:
            self.columns[key] = amounts.of_values(self._values(table, parts))
        how = max(part.none for part in parts)
        # What `step` finds over the edge is printed, too, but nobody has said that it may be none.
        found = self.columns[key]
        found = attrs.evolve(found, none=FOUND) if found.none and table.id in self.steps else found
        return found.or_none(how) if how else found

    @staticmethod
    def _values(table: ir.Table, parts: list[Amount]) -> Iterator[int]:
        """Yields what a table holds at the indices that may come about."""
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

    def _operator(self, e: ir.Op, known: Known) -> Amount:
        if e.name in NUMBERS:
            return reckoned(e.name, [self.amount(a, known).without_none() for a in e.arguments])
        if e.name == "size":
            most = self._count(self.members(e.arguments[0], known))
            return Amount(min(most, 1) if self.is_some(e.arguments[0], known) else 0, most)
        if e.name in SETS:
            return ANYTHING
        return FLAG

    def _roll(self, die: ir.Expr, times: ir.Expr | None, known: Known) -> Amount:
        which = self.amount(die, known)
        faces = [f for d in self.game.dice if which.holds(d.id) for f in d.faces]
        if not faces:
            return NOTHING
        one = Amount(min(faces), max(faces))
        if times is None:
            return one
        many = self.amount(times, known).without_none()
        return attrs.evolve(reckoned("*", [one, many.meet(Amount(0, max(many.high, 0)))]), loose=True)

    def _over(self, e: ir.Over, known: Known) -> Amount:
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

    def _finds_something(self, e: ir.Over, inside: Known | None, known: Known) -> bool:
        """Tells whether there surely is one that passes and has a value."""
        if inside is None:
            return False
        if e.value is None or not self.amount(e.value, inside).none:
            return self._is_some_over(e, known)
        there = ir.Op("!=", (e.value, ir.Const(NONE)))
        test = there if e.condition is None else ir.And((e.condition, there))
        return known.facts.get(_somebody(e, test)) == YES

    def _size(self, source: ir.Source, known: Known) -> int:
        return self._count(self._going_over(source, known))

    @staticmethod
    def _count(members: Amount) -> int:
        return max(members.high - members.low + 1 - len(members.holes), 0)

    # -------------------------------------------------------------- values and data

    def _called(self, e: ir.CallValue, known: Known) -> Amount:
        value = self.game.values[e.value]
        held = amounts.of_type(value.type)
        if isinstance(value.type, SetType):
            return ANYTHING
        said = KEPT if e.value in self.declared else FOUND
        if self.deep == 0:
            return self._at(attrs.evolve(held, none=min(held.none * FOUND, said)), e.arguments, known)
        body = self.open(e)
        if body is None:
            # What is not looked into keeps what it promises, as far as anybody knows.
            return attrs.evolve(held, loose=True)
        self.deep -= 1
        try:
            found = self.worked_out(body, known)
        finally:
            self.deep += 1
        said = said if value.type.optional else FOUND
        return attrs.evolve(held.without_none().meet(found.without_none()), none=min(found.none, said))

    def worked_out(self, value: ir.Value, known: Known) -> Amount:
        """Returns what the cases and adjustments of a value come to."""
        found = NOTHING
        rest: Known | None = known
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

    def adjusted(self, found: Amount, adjustments: tuple[ir.Adjustment, ...], known: Known) -> Amount:
        """Returns what adjustments make of a number."""
        for what, name in (("+", "+"), ("least", "max"), ("most", "min")):
            for one in adjustments:
                way = known if one.condition is None else self.assume(one.condition, known)
                if one.what != what or way is None:
                    continue
                changed = reckoned(name, [found.without_none(), self.amount(one.amount, way).without_none()])
                kept = found.hull(changed) if one.condition is not None else changed
                found = attrs.evolve(kept, none=found.none)
        return found

    def open(self, e: ir.CallValue) -> ir.Value | None:
        """Returns a value with the arguments of a call in place of its parameters; None where that is too large."""
        if self.fuel < 0:
            return None
        key = e.value, e.arguments
        if key not in self.opened:
            value = self.game.values[e.value]
            given = {v.id: a for v, a in zip(value.parameters, e.arguments, strict=True)}

            def put(node: object) -> object:
                return given.get(node.id, node) if isinstance(node, ir.Local) else node

            parts = (value.cases, value.adjustments)
            large = value.deep is not None or is_larger(parts, LARGE) or is_larger(e.arguments, LARGE // 4)
            if large:
                return None
            cases, adjustments = rewrite(parts, put)
            self.opened[key] = attrs.evolve(value, cases=cases, adjustments=adjustments)
        return self.opened[key]

    def _cell(self, e: ir.Cell, known: Known) -> Amount:
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

    # -------------------------------------------------------------- sets

    def is_set(self, e: ir.Expr) -> bool:
        """Tells whether an expression is a set."""
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
        return isinstance(declared_type(e, self.game, self.types), SetType)

    def members(self, e: ir.Expr, known: Known) -> Amount:
        """Returns what the members of a set can be, as bits."""
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
        type = declared_type(e, self.game, self.types)
        return amounts.of_element(type) if type is not None else SOMETHING

    def _going_over(self, source: ir.Source, known: Known) -> Amount:
        if source.mask is None:
            assert source.pile is not None
            return self.members(source.pile, known)
        return self.members(source.mask, known)

    def is_some(self, e: ir.Expr, known: Known) -> bool:
        """Tells whether a set surely has members."""
        fact = known.facts.get(ir.Op("size", (e,)))
        if fact is not None and fact.low > 0:
            return True
        match e:
            case ir.Const(value=value):
                return value > 0
            case ir.Read(state=state):
                # The game is over before nobody plays any more.
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
                return self._is_some_over(e, known)
            case ir.Over(what="set", value=value) if value is not None:
                inside = self.entering(e.names, e.sources, e.condition, known)
                return inside is not None and self._is_some_over(e, known) and not self.amount(value, inside).none
            case ir.CallValue():
                body = self.open(e)
                plain = body is not None and len(body.cases) == 1 and body.cases[0].condition is None
                return plain and body is not None and self.is_some(body.cases[0].value, known)
        return False

    def _is_some_source(self, source: ir.Source, known: Known) -> bool:
        if source.pile is not None:
            return source.mask is None and self.is_some(source.pile, known)
        return source.mask is not None and self.is_some(source.mask, known)

    def _is_some_over(self, e: ir.Over, known: Known) -> bool:
        if known.facts.get(_somebody(e, e.condition)) == YES:
            return True
        if e.condition is None:
            return all(self._is_some_source(s, known) for s in e.sources)
        return len(e.names) == 1 and self._is_one_certain(e.names[0], e.sources[0].mask, e.condition, known)

    def _is_one_certain(self, name: ir.Variable, mask: ir.Expr | None, condition: ir.Expr, known: Known) -> bool:
        """Tells whether some member of a printed set surely passes."""
        if not isinstance(mask, ir.Const) or mask.value <= 0 or self.fuel < 0:
            return False
        local = ir.Local(name.id)
        some = [i for i in range(mask.value.bit_length()) if mask.value >> i & 1][:FEW]
        return any(self.assume(condition, known.knowing(local, Amount(i, i)), holds=False) is None for i in some)

    def entering(
        self, names: tuple[ir.Variable, ...], sources: tuple[ir.Source, ...], condition: ir.Expr | None, known: Known
    ) -> Known | None:
        """Returns what is known of the names that go over sets where a condition holds; None if none is ever gone over."""
        found: Known | None = known
        for name, source in zip(names, sources, strict=True):
            for set_ in (source.mask, source.pile):
                if set_ is not None and found is not None:
                    found = self._in(ir.Local(name.id), set_, found, DEEP)
        if condition is not None and found is not None:
            found = self.assume(condition, found)
        return found

    # -------------------------------------------------------------- what a condition says

    def assume(self, e: ir.Expr, known: Known, *, holds: bool = True, deep: int = DEEP) -> Known | None:
        """Returns what is known where a condition holds, or does not; None where that is never so."""
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
            case ir.Op(name="==" | "!=" as name, arguments=(a, b)):
                return self._equal(a, b, known, (name == "==") == holds, deep)
            case ir.Op(name="<" | "<=" | ">" | ">=" as name, arguments=(a, b)):
                return self._ordered(name, a, b, known, holds)
            case ir.Op(name="in", arguments=(x, s)):
                return self._in(x, s, known, deep) if holds else self._not_in(x, s, known, deep)
            case ir.HasRow(data=data, arguments=arguments):
                return self._has_row(data, arguments, known) if holds else known
            case ir.Either(condition=condition, then=then, otherwise=otherwise):
                yes = self.assume(condition, known, deep=deep)
                no = self.assume(condition, known, holds=False, deep=deep)
                one = None if yes is None else self.assume(then, yes, holds=holds, deep=deep)
                other = None if no is None else self.assume(otherwise, no, holds=holds, deep=deep)
                return either((one, other))
            case ir.Over(what="any", value=value) if holds:
                test = ir.And((e.condition, value)) if e.condition is not None and value is not None else value
                found: Known | None = self.learn(_somebody(e, test or e.condition), YES, known)
                for source in e.sources:
                    if found is not None and source.mask is not None:
                        found = self.learn(ir.Op("size", (source.mask,)), OFF_EDGE, found)
                return found
            case ir.CallValue() if deep:
                return self._value_holds(e, known, holds, deep - 1)
        if holds:
            return self.learn(e, OFF_EDGE, known)
        before = self.amount(e, known)
        return self.learn(e, attrs.evolve(amounts.amount(-(2**31) + 1, 0, before.none)), known)

    def _all(self, parts: tuple[ir.Expr, ...], known: Known, is_and: bool, holds: bool, deep: int) -> Known | None:
        """`and` that holds and `or` that does not say each part; the others say one of them."""
        if is_and == holds:
            found: Known | None = known
            for part in parts:
                found = None if found is None else self.assume(part, found, holds=holds, deep=deep)
            return found
        ways: list[Known | None] = []
        before: Known | None = known
        for part in parts:
            if before is None:
                break
            ways.append(self.assume(part, before, holds=holds, deep=deep))
            before = self.assume(part, before, holds=not holds, deep=deep)
        return either(ways)

    def _value_holds(self, e: ir.CallValue, known: Known, holds: bool, deep: int) -> Known | None:
        body = self.open(e)
        if body is None or body.adjustments:
            return self.learn(e, YES if holds else NO.or_none(), known)
        ways: list[Known | None] = []
        rest: Known | None = known
        for case in body.cases:
            if rest is None:
                break
            way = rest if case.condition is None else self.assume(case.condition, rest, deep=deep)
            ways.append(None if way is None else self.assume(case.value, way, holds=holds, deep=deep))
            rest = None if case.condition is None else self.assume(case.condition, rest, holds=False, deep=deep)
        ways.append(None if holds else rest)
        found = either(ways)
        return None if found is None else self.learn(e, YES if holds else NO.or_none(), found)

    def _equal(self, a: ir.Expr, b: ir.Expr, known: Known, holds: bool, deep: int) -> Known | None:
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

    def _ordered(self, name: str, a: ir.Expr, b: ir.Expr, known: Known, holds: bool) -> Known | None:
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
        # b - a is known as well, and what stands in a sum.
        found = self._note(ir.Op("-", (b, a)), less, found)
        if isinstance(a, ir.Op) and a.name == "+":
            p, q = a.arguments
            for one, other in ((p, q), (q, p)):
                found = self._note(ir.Op("-", (b, one)), self.amount(other, found).low + less, found)
        return found

    def _note(self, e: ir.Expr, low: int, known: Known) -> Known:
        if self._is_random(e):
            return known
        now = self.amount(e, known)
        return known.knowing(e, attrs.evolve(now, low=max(low, now.low))) if low > now.low else known

    def _in(self, x: ir.Expr, s: ir.Expr, known: Known, deep: int) -> Known | None:
        found = self.learn(x, self.members(s, known), known)
        if found is None or self._is_random(s):
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
                first = self._in(x, a, found, deep)
                return None if first is None else self._in(x, b, first, deep)
            case ir.Op(name="minus", arguments=(a, b)):
                first = self._in(x, a, found, deep)
                return None if first is None else self._not_in(x, b, first, deep)
            case ir.Op(name="union", arguments=(a, b)):
                return either((self._in(x, a, found, deep), self._in(x, b, found, deep)))
            case ir.Over(what="set" | "best", names=(name,), sources=(source,), value=value, condition=condition):
                if value is not None and value != ir.Local(name.id):
                    return found
                if source.mask is not None:
                    found = self._in(x, source.mask, found, deep)
                if found is None or condition is None:
                    return found
                return self.assume(_renamed(condition, name.id, x), found, deep=deep)
            case ir.CallValue() if deep:
                body = self.open(s)
                if body is not None and not body.adjustments:
                    ways = [
                        self._in(x, case.value, way, deep - 1)
                        for case in body.cases
                        if (way := found if case.condition is None else self.assume(case.condition, found)) is not None
                    ]
                    return either(ways)
        return found

    def _not_in(self, x: ir.Expr, s: ir.Expr, known: Known, deep: int) -> Known | None:
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
        return known

    def _has_row(self, data: int, arguments: tuple[ir.Expr, ...], known: Known) -> Known | None:
        table = self.game.data[data]
        keys = arguments[: table.keys]
        if any(self._is_random(key) for key in keys):
            return known
        found: Known | None = known.knowing(ir.HasRow(data, keys), YES)
        for key, variable in zip(keys, table.parameters, strict=False):
            if found is not None:
                found = self.learn(key, amounts.of_type(variable.type.certain()), found)
        return found

    # -------------------------------------------------------------- what follows from what is known

    def learn(self, e: ir.Expr, to: Amount, known: Known) -> Known | None:
        """Returns what is known where an expression is one of an amount as well; None if it never is."""
        if self.fuel < 0:
            return known
        old = self.amount(e, known)
        new = old.meet(to)
        if new.is_empty:
            return None
        if isinstance(e, ir.Const) or self._is_random(e):
            return known
        if new == old and e in known.facts:
            return known
        known = known.knowing(e, new)
        return self._follow(e, new, known)

    def _follow(self, e: ir.Expr, new: Amount, known: Known) -> Known | None:
        """Returns what is known of the parts of an expression of which something is known."""
        found: Known | None = known
        match e:
            case ir.Read(index=index) | ir.Column(of=index) | ir.InSlot(index=index) | ir.TopOf(index=index):
                # Of none there is nothing.
                for part in index if not new.none else ():
                    if found is not None and self.amount(part, found).none:
                        found = self.learn(part, SOMETHING, found)
            case ir.OwnerOf(thing=thing) if not new.none and self.amount(thing, known).none:
                return self.learn(thing, SOMETHING, known)
            case ir.Cell(data=data, arguments=arguments) if not new.none:
                return self._has_row(data, arguments, known)
            case ir.Either(condition=condition, then=then, otherwise=otherwise):
                return self._one_of(condition, then, otherwise, new, known)
            case ir.Op(name="+" | "-" as name, arguments=(a, b)) if new.has_number:
                x, y = self.amount(a, known), self.amount(b, known)
                back = "-" if name == "+" else "+"
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
        return found

    def _above(self, e: ir.Expr, low: int, known: Known) -> Known | None:
        return self.learn(e, SOMETHING.within(low, SOMETHING.high), known)

    def _below(self, e: ir.Expr, high: int, known: Known) -> Known | None:
        return self.learn(e, SOMETHING.within(SOMETHING.low, high), known)

    def _one_of(self, condition: ir.Expr, then: ir.Expr, otherwise: ir.Expr, new: Amount, known: Known) -> Known | None:
        yes = self.assume(condition, known)
        no = self.assume(condition, known, holds=False)
        one = None if yes is None or self.amount(then, yes).meet(new).is_empty else self.learn(then, new, yes)
        other = None if no is None or self.amount(otherwise, no).meet(new).is_empty else self.learn(otherwise, new, no)
        return either((one, other))

    def _is_random(self, e: ir.Expr) -> bool:
        """Tells whether an expression may be something else each time it is worked out."""
        for node in walk(e):
            if isinstance(node, ir.Roll | ir.Pick):
                return True
            if isinstance(node, ir.Cell) and (node.data, node.column) in self.rolling:
                return True
        return False


def _somebody(e: ir.Over, test: ir.Expr | None) -> ir.Expr:
    """Returns one expression for all comprehensions that go over the same under one condition, whatever their names."""
    ids = {name.id: -1 - i for i, name in enumerate(e.names)}

    def put(node: object) -> object:
        return ir.Local(ids[node.id]) if isinstance(node, ir.Local) and node.id in ids else node

    sources, condition = rewrite((e.sources, test), put)
    return ir.Over("any", (), sources, None, condition)


def _renamed(e: ir.Expr, id: int, to: ir.Expr) -> ir.Expr:
    """Returns an expression with another in place of a local."""
    changed: ir.Expr = rewrite(e, lambda node: to if node == ir.Local(id) else node)
    return changed
