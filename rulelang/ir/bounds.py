"""Turns `least(e)` and `most(e)` into ordinary expressions, by interval arithmetic over dice and variables under seal.

A die stands for its lowest (highest) face. The chooser's own variable under seal stands for
the candidate, anybody else's for the lowest (highest) value of its type. Anything that
depends on neither stays unchanged. Values and data that do depend get two twins, for their
lower and their upper bound, which take the chooser and the candidates as further arguments.

    least(1 + roll(yellow))                      1 + 1
    least(count(q in Player if q.lane == left))  counts only those who certainly chose left
"""

from __future__ import annotations

from typing import Any, Literal

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import NONE, EnumType, FlagType, IntType, KindType, Type
from rulelang.ir.walk import is_larger, rewrite, walk
from rulelang.source import NOWHERE, Span

FALSE, TRUE = ir.Const(0), ir.Const(1)

BOUNDED = ("values", "data", "procedures", "choices", "rules", "screen", "aim", "kinds", "enums", "states", "zones")
"""The parts of a game in which bounds stand: what runs, and what people read."""

MOST_UNSURE_CASES = 40
"""The most cases of a value, from the first whose condition is uncertain, that are bounded together."""

MOST_NODES = 5000
"""The most nodes of a bound; the ends of products and of cases multiply."""


class Unbounded(Exception):
    """No bound of the expression can be computed."""

    def __init__(self, message: str, span: Span = NOWHERE) -> None:
        super().__init__(message)
        self.span = span


def spell_out_bounds(game: ir.GameRules) -> ir.GameRules:
    """Returns the game without `Bound`; raises Unbounded, with
    its place, for an expression whose bound cannot be computed.
    """
    parts: dict[str, Any] = {name: getattr(game, name) for name in BOUNDED}
    if not any(isinstance(node, ir.Bound) for node in walk(tuple(parts.values()))):
        return game
    speller = _Speller(game)

    def change(node: Any) -> Any:
        if not isinstance(node, ir.Bound):
            return node
        try:
            low, high = speller.bounds(node.of, _Context.of(node.seals))
        except Unbounded as fault:
            raise Unbounded(str(fault), node.span) from None
        return high if node.most else low

    spelled = {name: rewrite(part, change) for name, part in parts.items()}
    spelled["values"] += tuple(speller.values)
    spelled["data"] += tuple(speller.data)
    return attrs.evolve(game, **spelled)


@attrs.frozen
class _Context:
    """The seat that chooses, and the candidate value of each variable under seal."""

    chooser: ir.Expr
    candidates: tuple[tuple[int, ir.Expr], ...]

    @staticmethod
    def of(seals: tuple[ir.Seal, ...]) -> _Context:
        chooser = seals[0].chooser if seals else ir.Const(NONE)
        return _Context(chooser, tuple((s.state, s.candidate) for s in seals))

    @property
    def states(self) -> tuple[int, ...]:
        return tuple(s for s, _ in self.candidates)


Pair = tuple[ir.Expr, ir.Expr]


class _Speller:
    """Spells out the bounds of one game and collects the twins of its values and data."""

    def __init__(self, game: ir.GameRules) -> None:
        self.game = game
        self.values: list[ir.Value] = []
        self.data: list[ir.DataTable] = []
        self.twins: dict[tuple[str, int, tuple[int, ...]], tuple[int, int]] = {}
        self.locals = max((n.id for n in walk(game) if isinstance(n, ir.Variable)), default=0)
        self.busy: set[tuple[str, int]] = set()

    def depends(self, node: object, states: tuple[int, ...]) -> bool:
        """Returns whether an expression reads dice or a variable under seal, directly or through a call."""
        seen: set[tuple[int, ...]] = set()
        waiting = [node]
        while waiting:
            for inner in walk(waiting.pop()):
                match inner:
                    case ir.Roll() | ir.Pick():
                        return True
                    case ir.Read(state=state) if state in states:
                        return True
                    case ir.CallValue(value=value) if (value,) not in seen:
                        seen.add((value,))
                        waiting.append(self.game.values[value])
                    case ir.Cell(data=data, column=column) if (data, column) not in seen:
                        seen.add((data, column))
                        waiting.append(self.game.data[data].columns[column])
                    case _:  # no other node depends on dice or a seal by itself
                        pass
        return False

    # -------------------------------------------------------------- expressions

    def bounds(self, e: ir.Expr, c: _Context) -> Pair:
        """Returns expressions for the least and the greatest value of an expression."""
        if not self.depends(e, c.states):
            return e, e
        pair = self._bounds(e, c)
        if is_larger(pair, MOST_NODES):
            raise Unbounded("a bound of this would be too long to write down")
        return pair

    def _bounds(self, e: ir.Expr, c: _Context) -> Pair:
        match e:
            case ir.Roll(die=ir.Const(value=die), times=times):
                faces = self.game.dice[die].faces
                low, high = ir.Const(min(faces)), ir.Const(max(faces))
                if times is None:
                    return low, high
                if self.depends(times, c.states):
                    raise Unbounded("a bound needs to know how many dice are rolled")
                return ir.Op("*", (low, times)), ir.Op("*", (high, times))
            case ir.Read(state=state, index=index) if state in c.states:
                return self._sealed(state, index, c)
            case ir.Op():
                return self._operator(e, c)
            case ir.And(arguments=parts):
                lows, highs = zip(*(self.bounds(p, c) for p in parts), strict=True)
                return ir.And(lows), ir.And(highs)
            case ir.Or(arguments=parts):
                lows, highs = zip(*(self.bounds(p, c) for p in parts), strict=True)
                return ir.Or(lows), ir.Or(highs)
            case ir.Either():
                return self._either(e, c)
            case ir.Over():
                return self._over(e, c)
            case ir.CallValue(value=value, arguments=arguments):
                self._known(arguments, c)
                least, most = self._value_twins(value, c)
                more = (*arguments, *self._context_arguments(c))
                return ir.CallValue(least, more), ir.CallValue(most, more)
            case ir.Cell(data=data, column=column, arguments=arguments):
                self._known(arguments, c)
                least, most = self._data_twins(data, c)
                more = (*arguments, *self._context_arguments(c))
                return ir.Cell(least, column, more), ir.Cell(most, column, more)
            case _:  # of any other expression only what is known already has bounds
                raise Unbounded("no bound can be computed of this: it picks or compares what is not known yet")

    def _known(self, arguments: tuple[ir.Expr, ...], c: _Context) -> None:
        if any(self.depends(a, c.states) for a in arguments):
            raise Unbounded("no bound can be computed: a value is asked about what is not known yet")

    @staticmethod
    def _context_arguments(c: _Context) -> tuple[ir.Expr, ...]:
        return (c.chooser, *(candidate for _, candidate in c.candidates))

    def _sealed(self, state: int, index: tuple[ir.Expr, ...], c: _Context) -> Pair:
        candidate = dict(c.candidates)[state]
        low, high = _ends(self.game.states[state].type)
        own = ir.Op("==", (index[0], c.chooser))
        return ir.Either(own, candidate, ir.Const(low)), ir.Either(own, candidate, ir.Const(high))

    def _operator(self, e: ir.Op, c: _Context) -> Pair:
        name = e.name
        if name in {"==", "!="}:
            same = self._same(e, c)
            return same if name == "==" else (_not(same[1]), _not(same[0]))
        pairs = [self.bounds(a, c) for a in e.arguments]
        match name, pairs:
            case "+", [(a, b), (x, y)]:
                return ir.Op("+", (a, x)), ir.Op("+", (b, y))
            case "-", [(a, b), (x, y)]:
                return ir.Op("-", (a, y)), ir.Op("-", (b, x))
            case "neg", [(a, b)]:
                return ir.Op("neg", (b,)), ir.Op("neg", (a,))
            case "*", [(a, b), (x, y)]:
                corners = tuple(ir.Op("*", (p, q)) for p in (a, b) for q in (x, y))
                return ir.Op("min", corners), ir.Op("max", corners)
            case (("min" | "max"), _):
                return ir.Op(name, tuple(p[0] for p in pairs)), ir.Op(name, tuple(p[1] for p in pairs))
            case (("floordiv" | "ceildiv"), [(a, b), (ir.Const(value=d), _)]) if d > 0:
                return ir.Op(name, (a, ir.Const(d))), ir.Op(name, (b, ir.Const(d)))
            case (("<" | "<="), [(a, b), (x, y)]):
                return ir.Op(name, (b, x)), ir.Op(name, (a, y))
            case ((">" | ">="), [(a, b), (x, y)]):
                return ir.Op(name, (a, y)), ir.Op(name, (b, x))
            case "not", [(a, b)]:
                return _not(b), _not(a)
            case _:  # any other operator has no bounds of its own
                raise Unbounded("no bound can be computed through this operator")

    def _same(self, e: ir.Op, c: _Context) -> Pair:
        left, right = e.arguments
        for one, other in ((left, right), (right, left)):
            if isinstance(one, ir.Read) and one.state in c.states and not self.depends(other, c.states):
                own = ir.Op("==", (one.index[0], c.chooser))
                equal = ir.Op("==", (dict(c.candidates)[one.state], other))
                return ir.Either(own, equal, FALSE), ir.Either(own, equal, TRUE)
        (a, b), (x, y) = self.bounds(left, c), self.bounds(right, c)
        surely = ir.And((ir.Op("==", (a, b)), ir.Op("==", (x, y)), ir.Op("==", (a, x))))
        return surely, ir.And((ir.Op("<=", (a, y)), ir.Op("<=", (x, b))))

    def _either(self, e: ir.Either, c: _Context) -> Pair:
        then, otherwise = self.bounds(e.then, c), self.bounds(e.otherwise, c)
        if not self.depends(e.condition, c.states):
            return ir.Either(e.condition, then[0], otherwise[0]), ir.Either(e.condition, then[1], otherwise[1])
        surely, maybe = self.bounds(e.condition, c)

        def end(i: int, choose: Literal["min", "max"]) -> ir.Expr:
            either = ir.Op(choose, (then[i], otherwise[i]))
            return ir.Either(surely, then[i], ir.Either(maybe, either, otherwise[i]))

        return end(0, "min"), end(1, "max")

    def _over(self, e: ir.Over, c: _Context) -> Pair:
        if any(self.depends(s, c.states) for s in e.sources) or e.keys:
            raise Unbounded("no bound can be computed: it goes over a set that is not known yet")
        conditions: tuple[ir.Expr | None, ir.Expr | None] = (None, None)
        if e.condition is not None:
            conditions = self.bounds(e.condition, c)
        value = self.bounds(e.value, c) if e.value is not None else (None, None)
        certain = e.condition is None or not self.depends(e.condition, c.states)
        if e.what in {"count", "any"}:
            return (
                attrs.evolve(e, condition=conditions[0], value=value[0]),
                attrs.evolve(e, condition=conditions[1], value=value[1]),
            )
        if e.what == "all" and value[0] is not None:
            return (
                attrs.evolve(e, condition=conditions[1], value=value[0]),
                attrs.evolve(e, condition=conditions[0], value=value[1]),
            )
        if e.what in {"sum", "min", "max"} and certain:
            return attrs.evolve(e, value=value[0]), attrs.evolve(e, value=value[1])
        if e.what == "sum" and value[0] is not None and value[1] is not None:
            return self._unsure_sum(e, conditions, (value[0], value[1]))
        raise Unbounded(f"no bound can be computed of `{e.what}` over what is not known yet")

    def _unsure_sum(self, e: ir.Over, conditions: Any, value: Pair) -> Pair:
        surely, maybe = conditions
        low = ir.Either(surely, value[0], ir.Op("min", (ir.Const(0), value[0])))
        high = ir.Either(surely, value[1], ir.Op("max", (ir.Const(0), value[1])))
        return attrs.evolve(e, condition=maybe, value=low), attrs.evolve(e, condition=maybe, value=high)

    # -------------------------------------------------------------- twins of values and data

    def _inner(self, c: _Context) -> tuple[tuple[ir.Variable, ...], _Context]:
        def local(name: str) -> ir.Variable:
            self.locals += 1
            return ir.Variable(self.locals, name, FlagType())

        chooser = local("chooser")
        candidates = tuple((s, local("candidate")) for s, _ in c.candidates)
        context = _Context(ir.Local(chooser.id), tuple((s, ir.Local(v.id)) for s, v in candidates))
        return (chooser, *(v for _, v in candidates)), context

    def _value_twins(self, id: int, c: _Context) -> tuple[int, int]:
        key = ("value", id, c.states)
        if key not in self.twins:
            value = self.game.values[id]
            first = len(self.game.values) + len(self.values)
            self.twins[key] = (first, first + 1)
            self.values += [value, value]
            if value.deep is not None:
                raise Unbounded(f"no bound can be computed of `{value.name}`, which calls itself")
            for i in (0, 1):
                own, context = self._inner(c)
                renamed = self._value(value, context, i)
                self.values[first - len(self.game.values) + i] = attrs.evolve(
                    renamed,
                    id=first + i,
                    name=f"{'most' if i else 'least'} {value.name}",
                    parameters=(*value.parameters, *own),
                )
        return self.twins[key]

    def _value(self, value: ir.Value, c: _Context, i: int) -> ir.Value:
        return attrs.evolve(
            value, cases=self._cases(value.cases, c, i), adjustments=self._adjustments(value.adjustments, c, i)
        )

    def _cases(self, cases: tuple[ir.ValueCase, ...], c: _Context, i: int) -> tuple[ir.ValueCase, ...]:
        """Returns the bounds of cases: one by one up to the first
        whose condition is uncertain, the rest in a single case.
        """
        found: list[ir.ValueCase] = []
        for number, case in enumerate(cases):
            if case.condition is not None and self.depends(case.condition, c.states):
                rest: ir.Expr = ir.Const(NONE)
                for later in reversed(cases[number : number + MOST_UNSURE_CASES]):
                    rest = later.value if later.condition is None else ir.Either(later.condition, later.value, rest)
                if len(cases) > number + MOST_UNSURE_CASES:
                    raise Unbounded("a bound of this would be too long to write down")
                return (*found, ir.ValueCase(None, self.bounds(rest, c)[i], case.site))
            found.append(attrs.evolve(case, value=self.bounds(case.value, c)[i]))
        return tuple(found)

    def _adjustments(self, adjustments: tuple[ir.Adjustment, ...], c: _Context, i: int) -> tuple[ir.Adjustment, ...]:
        found = []
        for a in adjustments:
            if a.condition is not None and self.depends(a.condition, c.states):
                raise Unbounded("no bound can be computed: an adjustment depends on what is not known yet")
            found.append(attrs.evolve(a, amount=self.bounds(a.amount, c)[i]))
        return tuple(found)

    def _data_twins(self, id: int, c: _Context) -> tuple[int, int]:
        key = ("data", id, c.states)
        if key not in self.twins:
            table = self.game.data[id]
            first = len(self.game.data) + len(self.data)
            self.twins[key] = (first, first + 1)
            self.data += [table, table]
            for i in (0, 1):
                own, context = self._inner(c)
                columns = tuple(self._column(column, context, i) for column in table.columns)
                self.data[first - len(self.game.data) + i] = attrs.evolve(
                    table,
                    id=first + i,
                    name=f"{'most' if i else 'least'} {table.name}",
                    parameters=(*table.parameters, *own),
                    columns=columns,
                )
        return self.twins[key]

    def _column(self, column: ir.DataColumn, c: _Context, i: int) -> ir.DataColumn:
        try:
            cells = tuple(self.bounds(cell, c)[i] for cell in column.cells)
        except Unbounded:
            # A column of another type has no bounds, so it keeps its cells.
            if isinstance(column.type, IntType | FlagType):
                raise
            cells = column.cells
        return attrs.evolve(column, cells=cells, adjustments=self._adjustments(column.adjustments, c, i))


def _not(e: ir.Expr) -> ir.Expr:
    return ir.Op("not", (e,))


def _ends(type: Type) -> tuple[int, int]:
    match type:
        case IntType(low=low, high=high):
            return low, high
        case EnumType(members=members):
            return 0, len(members) - 1
        case KindType(size=size):
            return 0, size - 1
        case _:  # any other type is a flag
            return 0, 1
