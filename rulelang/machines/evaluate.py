"""An expression and a row -> its value. Written for readers: one case for each kind of expression.

Everything here is pure except `Roll` and `Pick`, which draw from `chance` and increment the row's counters.

    p.fuel + 1        Op("+", (Read(fuel, (Local(p),)), Const(1)))

`none.x` is none: a read at an index that is NONE or out of bounds is NONE (a zone's things: the empty set).
A set that is NONE counts as empty everywhere, a condition that is NONE does not hold.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from threading import Thread
from typing import assert_never, cast

import attrs

from rulelang.errors import RunawayRules, RuntimeRules
from rulelang.ir.model import (
    Adjustment,
    And,
    Bound,
    CallValue,
    Cell,
    Column,
    Const,
    Contents,
    Counted,
    DirectedWay,
    Either,
    Expr,
    FaceUp,
    Foreseen,
    GameRules,
    HasRow,
    InSlot,
    Local,
    Occurrences,
    Op,
    Openly,
    Or,
    Order,
    Over,
    OwnerOf,
    Pick,
    PlaceOf,
    Read,
    Roll,
    Source,
    TopOf,
    Value,
    Variable,
    Way,
    Zone,
)
from rulelang.ir.model.operators import LAYERS
from rulelang.ir.numbers import Row, Seat, Thing
from rulelang.ir.steps import CHANCE
from rulelang.ir.types import NONE, size_of
from rulelang.machines.machine import Chance
from rulelang.machines.meter import Meter, part_of_account
from rulelang.program.history import PositionHistory
from rulelang.program.layout import Layout, flat
from rulelang.program.operators import operate, single
from rulelang.program.packing import items, mask_of, members, things_of
from rulelang.program.values import within
from rulelang.program.violations import fitting, is_ranged, no_key, violation

Locals = dict[int, int]
"""The value of each local, by the variable's id."""

UNORDERED = ("set", "count", "sum", "min", "max")
"""The comprehensions that do the same whatever the order of their sources is."""

FEW, CALLS, FRAMES = 12, 4, 500
"""When to look whether Python's stack has room: before every fourth call of those nested twelve deep or deeper, it must have
half of the frames left that Python allows by default.
"""


def sequence(source: Source, evaluation: Evaluator, locals: Locals) -> list[int]:
    """Returns the members of a source in order: a mask ascending, a pile from its top."""
    return gone_over(source, evaluation, locals)[0]


def gone_over(
    source: Source, evaluation: Evaluator, locals: Locals, *, is_ordered: bool = True
) -> tuple[list[int], int]:
    """Returns the members of a source in order, and the number of things visited to find them: all of a pile, even if
    the source is restricted. If not `is_ordered`, the caller does the same whatever the order of a pile is.
    """
    mask = None if source.mask is None else evaluation.members(source.mask, locals)
    if source.pile is None:
        return mask or [], len(mask or [])
    pile: list[int] = list(evaluation.lying(source.pile, locals, is_ordered=is_ordered))
    return pile if mask is None else [thing for thing in pile if thing in mask], len(pile)


def has_room() -> bool:
    """Returns whether Python allows FRAMES more nested calls here."""
    try:
        return _descend(FRAMES)
    except RecursionError:
        return False


def _descend(frames: int) -> bool:
    return not frames or _descend(frames - 1)


def on_another_stack(act: Callable[[], int]) -> int:
    """Returns the result of a call in a thread, which has a stack of its own; raises what it raises."""
    found: list[int] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(act())
        except BaseException as error:
            failed.append(error)

    thread = Thread(target=run)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return found[0]


def ranked(values: Iterable[int], keys: tuple[Order, ...], at: Callable[[Order, int], int]) -> list[list[int]]:
    """Returns the values in groups that tie, the best group first; within a group they keep their order.

    `at` evaluates a key for a value.
    """
    groups: dict[tuple[int, ...], list[int]] = {}
    for value in values:
        rank = tuple(-at(key, value) if key.highest else at(key, value) for key in keys)
        groups.setdefault(rank, []).append(value)
    return [groups[rank] for rank in sorted(groups)]


@attrs.define(eq=False, repr=False)
class Evaluator(ABC):
    """One evaluation of a row that does not change meanwhile; it memoises calls of values.

    A subclass (`Evaluation`) looks ahead: what a procedure does is known to the machine that walks it.
    """

    row: Row
    game: GameRules
    layout: Layout
    chance: Chance | None = None
    hits: set[int] | None = None
    meter: Meter = attrs.field(default=attrs.Factory(lambda self: part_of_account(self.layout), takes_self=True))
    """The budget that pays for it."""
    site: int = 0
    """The site that pays."""
    target: int = 0
    """Which cell of its variable or zone the statement changes that reads the value."""
    memo: dict[tuple[int, ...], tuple[int, int]] = attrs.field(factory=dict)
    """By value and arguments: the result and its cost."""
    nesting: dict[int, int] = attrs.field(factory=dict)
    """By value: the number of its calls that are running."""
    stacked: int = 0
    """The number of calls of values that are running on this stack."""

    def value(self, expr: Expr, locals: Locals) -> int:
        """Returns the value of an expression."""
        match expr:  # the most frequent cases come first, since each case costs a test
            case Local():
                return locals[expr.id]
            case Op():
                return operate(expr.name, self.values(expr.arguments, locals))
            case Const():
                return expr.value
            case Column():
                table = self.game.tables[expr.table]
                at = flat(table.dimensions, self.values(expr.of, locals))
                return table.values[at] if at >= 0 else NONE
            case And():
                return int(all(self.holds(argument, locals) for argument in expr.arguments))
            case Read():
                return self._read(expr, locals)
            case CallValue():
                value = self.game.values[expr.value]
                return self._call(value, self.arguments(value.name, value.parameters, expr.arguments, locals))
            case Over():
                return self._over(expr, locals)
            case Contents() | InSlot() | TopOf():
                return self._zone(expr, locals)
            case PlaceOf() | OwnerOf() | FaceUp():
                return self._whereabouts(expr, locals)
            case Either():
                return self.value(expr.then if self.holds(expr.condition, locals) else expr.otherwise, locals)
            case Or():
                return int(any(self.holds(argument, locals) for argument in expr.arguments))
            case Cell():
                return self._cell(expr, self.values(expr.arguments, locals))
            case HasRow():
                return int(self._data_row(expr.data, self.values(expr.arguments, locals)) >= 0)
            case Way() | DirectedWay():
                return self._way(expr, locals)
            case Roll():
                return self._roll(expr, locals)
            case Pick():
                return self._pick(expr, locals)
            case Counted():
                return self.value(expr.of, locals)
            case Occurrences():
                return self._positions().occurrences(self.row)
            case Foreseen():
                verb = self.game.procedures[expr.procedure]
                arguments = self.arguments(verb.name, verb.parameters, expr.arguments, locals)
                after = self.foresee(expr.procedure, arguments)
                if expr.of is not None:
                    return self.in_row(after, self.meter).value(expr.of, locals)
                return self._positions().occurrences_after(self.row, after)
            case Bound() | Openly():
                raise ValueError("only rules without `least`, `most` and `openly` can run: spell them out first")
            case _:
                assert_never(expr)

    @abstractmethod
    def in_row(self, row: Row, meter: Meter) -> Evaluator:
        """Returns an evaluation in another row, for which a meter pays."""

    @abstractmethod
    def foresee(self, procedure: int, arguments: tuple[int, ...]) -> Row:
        """Returns the row after a procedure that asks nothing; the meter pays for it."""

    def score(self, seat: Seat) -> int | None:
        """Returns the rules' `score` of a seat; None if they define none."""
        value = self.game.score
        return None if value is None else self.value(CallValue(value, (Const(seat),)), {})

    def values(self, exprs: tuple[Expr, ...], locals: Locals) -> tuple[int, ...]:
        """Returns the values of several expressions, left to right."""
        if len(exprs) == 1:  # One or two are the rule, and a comprehension would take as long as they do.
            return (self.value(exprs[0], locals),)
        if len(exprs) == 2:
            return self.value(exprs[0], locals), self.value(exprs[1], locals)
        return tuple([self.value(expr, locals) for expr in exprs])

    def arguments(
        self, name: str, parameters: tuple[Variable, ...], exprs: tuple[Expr, ...], locals: Locals
    ) -> tuple[int, ...]:
        """Returns the arguments of a call, left to right. Raises
        RangeViolation for one outside its parameter's range."""
        found = (self.value(expr, locals) for expr in exprs)
        return tuple(argument(name, variable, value) for variable, value in zip(parameters, found, strict=True))

    def holds(self, expr: Expr | None, locals: Locals) -> bool:
        """Returns whether a condition holds; no condition always does, NONE never."""
        return expr is None or self.value(expr, locals) > 0

    def things(self, expr: Expr, locals: Locals) -> list[Thing]:
        """Returns the things of a set of things, ascending."""
        return cast(list[Thing], self.members(expr, locals))

    def members(self, expr: Expr, locals: Locals) -> list[int]:
        """Returns the members of a set, ascending."""
        mask = self.value(expr, locals)
        return [] if mask == NONE else members(mask)

    def instance(self, zone: Zone, index: tuple[Expr, ...], locals: Locals) -> int:
        """Returns the zone instance at an index, or -1."""
        values = self.values(index, locals)
        found = flat(zone.dimensions, values)
        return found if found >= 0 else min(found, no_key(zone.name, zone.dimensions, values))

    def lying(self, held: Contents, locals: Locals, *, is_ordered: bool = True) -> list[Thing]:
        """Returns the things in a zone: a pile's from its top, unless they are not needed in order."""
        zone = self.game.zones[held.zone]
        instance = self.instance(zone, held.index, locals)
        if instance < 0:
            return []
        return self.from_top(zone, instance) if is_ordered else contents(self.row, self.layout, zone, instance)

    def from_top(self, zone: Zone, instance: int, first: int | None = None) -> list[Thing]:
        """Returns the first things in a zone, or all: a pile's from its top."""
        return contents(self.row, self.layout, zone, instance)[:first]

    def _read(self, expr: Read, locals: Locals) -> int:
        state = self.game.states[expr.state]
        index = self.values(expr.index, locals)
        at = flat(state.dimensions, index)
        return self.row[self.layout.states[state.id] + at] if at >= 0 else no_key(state.name, state.dimensions, index)

    def _zone(self, expr: Contents | InSlot | TopOf, locals: Locals) -> int:
        zone = self.game.zones[expr.zone]
        instance = self.instance(zone, expr.index, locals)
        if instance < 0:
            return 0 if isinstance(expr, Contents) else NONE
        if isinstance(expr, Contents):
            return mask_of(contents(self.row, self.layout, zone, instance))
        things = self.from_top(zone, instance, 1)
        return things[0] if things else NONE

    def _whereabouts(self, expr: PlaceOf | OwnerOf | FaceUp, locals: Locals) -> int:
        thing = self.value(expr.thing, locals)
        if not 0 <= thing < self.game.kinds[expr.kind].size:
            return 0 if isinstance(expr, FaceUp) else NONE
        if isinstance(expr, FaceUp):
            return self.row[self.layout.faces[expr.kind] + thing]
        place = self.row[self.layout.places[expr.kind] + thing]
        if isinstance(expr, PlaceOf):
            return place
        zone, instance = zone_at(self.game, self.layout, expr.kind, place)
        if zone.owner != expr.owner:
            return NONE
        return instance * size_of(zone.dimensions[0]) // self.layout.zone_sizes[zone.id]

    def _way(self, expr: Way | DirectedWay, locals: Locals) -> int:
        around = self.values(expr.around, locals)
        start = self.value(expr.start, locals)
        end = None if expr.end is None else self.value(expr.end, locals)
        within = set(self.members(expr.within, locals))
        directions = [] if isinstance(expr, Way) else self.members(expr.directions, locals)
        self._pay_for(expr, len(within))
        steps = {start: 0} if start in within else {}
        waiting = deque(steps)
        while waiting:
            here = waiting.popleft()
            for there in self._beside(expr, (*around, here), directions):
                if there in within and there not in steps:
                    steps[there] = steps[here] + 1
                    waiting.append(there)
        return sum(1 << space for space in steps) if end is None else steps.get(end, NONE)

    def _beside(self, expr: Way | DirectedWay, at: tuple[int, ...], directions: list[int]) -> list[int]:
        """Returns the spaces that one step of a way leads to."""
        if isinstance(expr, Way):
            near = self.game.tables[expr.neighbours]
            return members(near.values[flat(near.dimensions, at)])
        step = self.game.tables[expr.step]
        found = (step.values[flat(step.dimensions, (*at, direction))] for direction in directions)
        return [there for there in found if there != NONE]

    # -------------------------------------------------------------- steps

    def pay(self, steps: int) -> None:
        """Pays for some steps. Raises RunawayRules when the budget is spent."""
        self.meter.charge(steps, self.site)

    def _pay_for(self, expr: Expr, size: int) -> None:
        """Pays one step for each item that an open expression iterates over."""
        if self.layout.steps.is_open(expr):
            self.pay(size)

    # -------------------------------------------------------------- values, data, comprehensions

    def _call(self, value: Value, arguments: tuple[int, ...]) -> int:
        cost, key = self.layout.steps.value(value.id), (value.id, *arguments)
        known = self.memo.get(key)
        if known is not None:
            # A memoised result costs as much as computing it: not every executor memoises.
            self.pay(known[1])
            return known[0]
        before = self.meter.spent
        self.pay(cost)
        nesting = self.nesting.get(value.id, 0)
        if value.deep is not None and nesting > value.deep:
            raise RunawayRules(f"`{value.name}` calls itself more than {value.deep} deep", value.site)
        self.nesting[value.id] = nesting + 1
        self.stacked += 1
        try:
            is_roomy = self.stacked < FEW or self.stacked % CALLS or has_room()
            result = self._worked_out(value, arguments) if is_roomy else self._elsewhere(value, arguments)
        except RecursionError:
            raise RunawayRules(f"`{value.name}` calls itself too deep", value.site) from None
        self.stacked -= 1
        self.nesting[value.id] = nesting
        if nesting or value.deep is None:
            self.memo[key] = result, self.meter.spent - before
        else:
            # The memo of a recursive value lasts for one call from outside, so that depths do not depend on earlier
            # calls.
            self.memo = {known: result for known, result in self.memo.items() if known[0] != value.id}
        return result

    def _elsewhere(self, value: Value, arguments: tuple[int, ...]) -> int:
        """Works a call out on another stack."""
        stacked, self.stacked = self.stacked, 0
        result = on_another_stack(lambda: self._worked_out(value, arguments))
        self.stacked = stacked
        return result

    def _worked_out(self, value: Value, arguments: tuple[int, ...]) -> int:
        locals = {variable.id: argument for variable, argument in zip(value.parameters, arguments, strict=True)}
        result = NONE
        for case in value.cases:
            if self.holds(case.condition, locals):
                self._hit(case.site)
                result = self.value(case.value, locals)
                break
        result = self._adjusted(result, value.adjustments, locals)
        if result != NONE and not within(value.type, result):
            index = tuple((a, variable.type) for a, variable in zip(arguments, value.parameters, strict=True))
            raise violation(value.name, index, result, value.type, self.game)
        return result

    def _cell(self, expr: Cell, arguments: tuple[int, ...]) -> int:
        self.pay(self.layout.steps.cell(expr.data, expr.column))
        data = self.game.data[expr.data]
        column = data.columns[expr.column]
        k = self._data_row(expr.data, arguments)
        if k < 0:
            no_key(data.name, tuple(v.type for v in data.parameters[: data.keys]), arguments)
            return NONE
        for variable, value in zip(data.parameters[data.keys :], arguments[data.keys :], strict=False):
            argument(data.name, variable, value)
        self._hit(column.sites[k])
        locals = {variable.id: argument for variable, argument in zip(data.parameters, arguments, strict=False)}
        result = self._adjusted(self.value(column.cells[k], locals), column.adjustments, locals)
        if result != NONE and not within(column.type, result):
            index = tuple((a, variable.type) for a, variable in zip(arguments, data.parameters, strict=False))
            raise violation(f"{data.name}.{column.name}", index, result, column.type, self.game)
        return result

    def _data_row(self, data: int, arguments: tuple[int, ...]) -> int:
        table = self.game.data[data]
        keys = table.parameters[: table.keys]
        at = flat(tuple(key.type for key in keys), arguments[: table.keys])
        return table.rows[at] if at >= 0 else -1

    def _adjusted(self, result: int, adjustments: tuple[Adjustment, ...], locals: Locals) -> int:
        """Returns a value after its adjustments, layer by layer; none stays none."""
        if result == NONE:
            return NONE
        for adjustment, amount in self.applying(adjustments, locals):
            result = adjusted(adjustment, result, amount)
        return result

    def applying(self, adjustments: tuple[Adjustment, ...], locals: Locals) -> Iterator[tuple[Adjustment, int]]:
        """Yields the adjustments whose condition holds, in the order in which they change a number, each with its amount."""
        for what in LAYERS:
            for adjustment in adjustments:
                if adjustment.what == what and self.holds(adjustment.condition, locals):
                    self._hit(adjustment.site)
                    yield adjustment, self.value(adjustment.amount, locals)

    def _over(self, over: Over, locals: Locals) -> int:
        if over.what == "best" or over.keys:
            groups = self.groups(over, locals) or [[]]
            return mask_of(groups[0]) if over.what == "best" else next(iter(groups[0]), NONE)
        if over.what == "first":
            return next(self._fitting(over, dict(locals)), NONE)
        passing = self._passing(over, dict(locals), self.layout.steps.rates(over))
        match over.what:
            case "set":
                mask = 0
                for value in passing:
                    mask |= single(value)
                return mask
            case "count":
                return sum(1 for _ in passing)
            case "sum":
                total = 0
                for value in passing:
                    total = operate("+", (total, value))
                return total
            case "min":
                return min((value for value in passing if value != NONE), default=NONE)
            case "max":
                return max((value for value in passing if value != NONE), default=NONE)
            case "any":
                return int(any(value > 0 for value in passing))
            case "all":
                return int(all(value > 0 for value in passing))
            case _:
                assert_never(over.what)

    def _passing(self, over: Over, locals: Locals, rates: tuple[int, ...], depth: int = 0) -> Iterator[int]:
        """Yields the value of each combination of names that passes the condition; 1 when there is no value."""
        is_ordered, rate = over.what not in UNORDERED, rates[depth] if rates else 0
        for member in self.paid(over.sources[depth], locals, rate, is_ordered=is_ordered):
            locals[over.names[depth].id] = member
            if depth + 1 < len(over.names):
                yield from self._passing(over, locals, rates, depth + 1)
            elif self.holds(over.condition, locals):
                yield 1 if over.value is None else self.value(over.value, locals)

    def paid(self, source: Source, locals: Locals, rate: int, *, is_ordered: bool = True) -> list[int]:
        """Returns the members of a source and pays `rate` steps for each visited thing; see `gone_over`."""
        found, size = gone_over(source, self, locals, is_ordered=is_ordered)
        self.pay(rate * size)
        return found

    def groups(self, over: Over, locals: Locals) -> list[list[int]]:
        """Returns the members that pass a comprehension over one name, in groups that tie, the best first."""
        inner = dict(locals)
        return ranked(self._fitting(over, inner), over.keys, lambda key, _: self.value(key.value, inner))

    def _fitting(self, over: Over, locals: Locals) -> Iterator[int]:
        """Yields the members that pass a comprehension over one name, and binds the name to each in turn."""
        rates = self.layout.steps.rates(over)
        for member in self.paid(over.sources[0], dict(locals), rates[0] if rates else 0):
            locals[over.names[0].id] = member
            if self.holds(over.condition, locals):
                yield member

    def _pick(self, pick: Pick, locals: Locals) -> int:
        among = sequence(pick.of, self, locals)
        self._pay_for(pick, len(among))
        stream = pick.stream + (self.target if pick.cells else 0)
        return self._given_chance().pick(self.row, stream, among) if among else NONE

    def _roll(self, roll: Roll, locals: Locals) -> int:
        number = self.value(roll.die, locals)
        times = 1 if roll.times is None else self.value(roll.times, locals)
        if not 0 <= number < len(self.game.dice):
            return NONE
        if roll.times is not None:
            self._pay_for(roll, max(times, 0) * CHANCE)
        die = self.game.dice[number]
        if roll.stream is None:
            stream = self.game.streams.index(die.name)
        else:
            before = 0 if isinstance(roll.die, Const) else number * max(roll.cells, 1)
            stream = roll.stream + before + (self.target if roll.cells else 0)
        return sum(self._given_chance().roll(self.row, stream, die.faces) for _ in range(times))

    def _given_chance(self) -> Chance:
        if self.chance is None:
            raise RuntimeRules("nothing random can be drawn here")
        return self.chance

    def _positions(self) -> PositionHistory:
        if self.game.history is None:
            raise RuntimeRules("this game has no history")
        return PositionHistory(self.game, self.layout, self.game.history)

    def _hit(self, site: int) -> None:
        if self.hits is not None:
            self.hits.add(site)


def argument(name: str, parameter: Variable, value: int) -> int:
    """Returns the value passed for a parameter of a verb, value or
    table. Raises RangeViolation if it is outside the parameter's range.
    """
    return fitting(name, parameter.name, parameter.type, value) if is_ranged(parameter.type) else value


def contents(row: Row, layout: Layout, zone: Zone, instance: int) -> list[Thing]:
    """Returns the things in a zone's instance: a pile from its top, else ascending."""
    held = row[layout.zones[zone.id] + instance]
    match zone.form:
        case "pile":
            return items(held)
        case "slot":
            return [] if held == NONE else [Thing(held)]
        case "group":
            return things_of(held)
        case _:
            assert_never(zone.form)


def zone_at(game: GameRules, layout: Layout, kind: int, place: int) -> tuple[Zone, int]:
    """Returns the zone of a place of a kind, and which instance of it."""
    for zone in game.zones:
        if zone.kind == kind and 0 <= place - zone.first_place < layout.zone_sizes[zone.id]:
            return zone, place - zone.first_place
    raise ValueError(f"kind {kind} has no place {place}")


def adjusted(adjustment: Adjustment, result: int, amount: int) -> int:
    """Returns a number after one adjustment by some amount."""
    operation = LAYERS[adjustment.what]
    return amount if operation is None else operate(operation, (result, amount))
