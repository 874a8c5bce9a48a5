"""The cost of running rules, in steps: defined on the woven IR, so that every executor charges the same.

A statement costs eight steps, a call of a value or a look-up of a cell one; loops, comprehensions, moves and dice cost
one for each item. docs/running.md ("Steps") has the full definition; here is the arithmetic.

    for q in players if q.zone > z: hurt(q)      # players × (1 + the condition + the body)

A part whose cost can never exceed SMALL is *closed*: it is charged its bound on every path, as a share of the enclosing
part. All others are *open*: they pay for each item when they begin, once the number of items is known.

    bound(node)    the largest cost of a node
    own(node)      its share of the enclosing part's cost: all of a closed part, the setup of an open one
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cached_property
from math import comb, prod
from typing import Any, TypeAlias, assert_never, cast

from rulelang.ir import model as ir
from rulelang.ir.counts import HUGE, Counts
from rulelang.ir.model.traits import traits, value_traits
from rulelang.ir.types import size_of
from rulelang.ir.walk import calls_in, reachable, statements_in, walk

SMALL = 1024
"""The largest cost of a closed part."""

STATEMENT = 8
"""The cost of a statement."""

OPERATORS = 16
"""The number of operators, numbers and names in an expression that together cost one step."""

AT_A_GLANCE = 16
"""The number of things in a pile that together cost one step when the pile is read as a set."""

MOST_CHOSEN = 8
"""The largest sets that are counted as candidates; larger ones may be too many to count."""

PART = 8
"""The divisor of the budget for one score, text or screen."""

EVENT = 32
"""The extra cost of a procedure that events show."""

THING = 8
"""The cost of each thing that is moved."""

CHANCE = 32
"""The cost of a throw of a die, of a pick, and of each thing in a shuffle."""
Measure = Callable[[Any], int]
Costed: TypeAlias = ir.Statement | ir.Expr | ir.Source | ir.Order | tuple[Any, ...] | None
"""The parts of rules that cost something; None costs nothing."""


class StepCosts:
    """The costs of one woven game, computed on demand."""

    def __init__(self, game: ir.GameRules) -> None:
        self.game = game
        self.counts = Counts(game)
        self.budget = game.steps
        self.half = game.steps - game.steps // 2
        self._known: dict[Hashable, tuple[object, int]] = {}
        self._ordered: set[tuple[str, int]] = set()
        """Procedures and values whose callees have been ordered, or are being ordered now."""
        self._in_order: set[tuple[str, int]] = set()
        """Procedures and values from which everything reachable is in `_ordered`."""
        self._asked: list[int] = []
        """The values whose bounds are being computed, outermost first."""

    # -------------------------------------------------------------- charges

    def is_open(self, node: object) -> bool:
        """Returns whether a node pays as it runs."""
        return self.bound(node) > SMALL

    def opens(self, node: object) -> bool:
        """Returns whether anything inside a node pays as it runs."""
        return self.own(node) != self.bound(node)

    def procedure(self, id: int) -> int:
        """Returns the cost of a procedure call when it begins; 0 if closed, since the caller has paid."""
        procedure = self.game.procedures[id]
        return self._telling(procedure) + self.own(procedure.body) if self._is_entered(procedure) else 0

    def branch(self, body: tuple[ir.Statement, ...]) -> int:
        """Returns the cost of carrying out an answer, or of the branch taken when nobody can answer, when it begins."""
        return 1 + self.own(body)

    def round(self, loop: ir.Loop | ir.Repeat | ir.Simultaneous) -> int:
        """Returns the cost of each round of an open loop; 0 if closed."""
        return self._round(loop, self.own) if self.is_open(loop) else 0

    def initial(self, state: ir.StateVariable) -> int:
        """Returns the cost of computing one initial value of a variable."""
        return 1 + self.own(state.initial)

    def moving(self, move: ir.Move) -> int:
        """Returns the cost of each thing of an open move; 0 if closed."""
        return THING + self.own(self.game.zones[move.to.zone].capacity) if self.is_open(move) else 0

    def value(self, id: int) -> int:
        """Returns the cost of a call of a value when it begins; 0 if closed."""
        if self._value_bound(id) <= SMALL:
            return 0
        return self._remembered(("own value", id), None, lambda _: self._value(id, self.own))

    def cell(self, data: int, column: int) -> int:
        """Returns the cost of reading a cell of a column when it begins; 0 if closed."""
        if self._column_bound(data, column) <= SMALL:
            return 0
        return self._remembered(("own column", data, column), None, lambda _: self._column(data, column, self.own))

    def rates(self, over: ir.Over) -> tuple[int, ...]:
        """Returns the cost of an open comprehension for each member of each of its sources; () if closed."""
        return self._rates(over) if self.is_open(over) else ()

    def looking(self, choice: ir.Choice) -> bool:
        """Returns whether enumerating the options of a choice pays as it runs."""
        return self.options(choice) > SMALL

    def option(self, branch: ir.Branch, known: int) -> int:
        """Returns the cost of enumerating a branch for each value
        of its parameter number `known`; 0: for the branch itself.
        """
        return 1 + self._between(branch, known, self.own)

    # -------------------------------------------------------------- sites

    def site(self, statement: ir.Statement) -> int:
        """Returns the site that is charged for a statement: its own, or the nearest enclosing or following one."""
        return self._sites.get(id(statement), statement.site)

    @cached_property
    def _sites(self) -> dict[int, int]:
        found: dict[int, int] = {}
        callers: dict[int, int] = {}
        for _ in range(2):
            # A procedure without a line of its own is charged to a line that calls it.
            for procedure in self.game.procedures:
                self._place(procedure.body, callers.get(procedure.id, 0), found, callers)
        return found

    def _place(self, body: tuple[ir.Statement, ...], site: int, found: dict[int, int], callers: dict[int, int]) -> None:
        if not site:
            site = next((statement.site for statement in statements_in(body) if statement.site), 0)
        for statement in body:
            own = found[id(statement)] = statement.site or site
            if isinstance(statement, ir.When):
                for _, inner, at in statement.branches:
                    self._place(inner, at or own, found, callers)
                self._place(statement.otherwise, own, found, callers)
            elif isinstance(statement, ir.Ask):
                choice = self.game.choices[statement.choice]
                self._place(choice.when_none, choice.site or own, found, callers)
                for branch in choice.branches:
                    self._place(branch.body, branch.site or own, found, callers)
            else:
                for inner in traits(statement).bodies:
                    self._place(inner, own, found, callers)
                if isinstance(statement, ir.Call | ir.Defer):
                    callers.setdefault(statement.procedure, own)

    # -------------------------------------------------------------- the two measures

    def bound(self, node: object) -> int:
        """Returns an upper bound on the cost of a node."""
        return self._remembered(("bound", id(node)), node, self._bound)

    def own(self, node: object) -> int:
        """Returns a node's share of the enclosing part's cost, paid when that part begins."""
        return self._remembered(("own", id(node)), node, self._own)

    def _remembered(self, key: Hashable, node: object, measure: Measure) -> int:
        known = self._known.get(key)
        if known is None:
            # Keeping the node makes sure that no other object gets its id.
            known = self._known[key] = node, min(measure(node), HUGE)
        return known[1]

    def _all(self, nodes: Iterable[object], measure: Measure) -> int:
        return sum(measure(node) for node in nodes)

    def _bound(self, node: Costed) -> int:
        return self._cost(node, self.bound) + self._heavy(node)

    def _own(self, node: Costed) -> int:
        heavy = self._heavy(node)
        if heavy and not self.is_open(node):
            return self.bound(node)
        return self._cost(node, self.own) + self._all((bound for bound in self._called(node) if bound <= SMALL), int)

    def _cost(self, node: Costed, measure: Measure) -> int:
        """Returns the setup cost of a node: its operands, and the cost of a statement itself."""
        match node:
            case None:
                return 0
            case tuple():
                return self._all(node, measure)
            case ir.Source(mask=mask, pile=pile):
                return measure(mask) + (self._all(pile.index, measure) if pile is not None else 0)
            case ir.Order(value=value):
                return measure(value)
            case ir.Stmt():
                return STATEMENT + self._statement(node, measure)
            case _:  # any other node is an expression
                return self._expression(node, measure)

    def _expression(self, node: ir.Expr, measure: Measure) -> int:
        of = value_traits(node)
        evaluated = self._all(of.evaluates, measure)
        match of.form:
            case "is known" | "reads" | "calls" | "searches" | "goes over":
                return evaluated
            case "computes":
                return evaluated + self._operators(node)
            case "decides":
                condition, *ways = of.evaluates
                return measure(condition) + max(map(measure, ways)) + self._operators(node)
            case "lists":
                assert isinstance(node, ir.Contents)
                return evaluated + self._shown(node.zone)
            case "looks back":
                return self._position
            case "foresees":
                assert isinstance(node, ir.Foreseen)
                return evaluated + (self._position if node.of is None else 0)
            case "draws":
                return evaluated + (CHANCE if isinstance(node, ir.Pick) or _thrown(node) is None else 0)
            case "stands for words":
                raise ValueError(f"{node} is not evaluated")
            case _:
                assert_never(of.form)

    def _operators(self, node: ir.Expr) -> int:
        """Returns the cost of an operator beyond its operands, so
        that a long expression costs in proportion to its length.
        """
        parts = _operands(node)
        return self._length(node) // OPERATORS - sum(self._length(part) // OPERATORS for part in parts)

    def _length(self, node: ir.Expr) -> int:
        """Returns the number of operators, numbers and names in
        an expression, without the insides of its operands' loops.
        """
        parts = _operands(node)
        return self._remembered(("length", id(node)), node, lambda _: 1 + sum(map(self._length, parts))) if parts else 1

    def _statement(self, node: ir.Statement, measure: Measure) -> int:
        of = traits(node)
        evaluated = self._all(of.evaluates, measure)
        match of.effect:
            case "decides":
                return evaluated + max(measure(body) for body in of.bodies)
            case "asks":
                assert isinstance(node, ir.Ask)
                return self._asking(self.game.choices[node.choice], measure)
            case "records":
                return self._position
            case _:  # any other statement costs what it evaluates; its rounds are in `_heavy`
                return evaluated

    # -------------------------------------------------------------- loops and calls

    def _heavy(self, node: Costed) -> int:
        """Returns the largest cost of a node beyond its setup; 0 for a node without loops."""
        if isinstance(node, ir.Stmt):
            return self._heavy_statement(node)
        if node is None or isinstance(node, tuple | ir.Source | ir.Order):
            return 0
        of = value_traits(node)
        match of.form:
            case "is known" | "computes" | "decides" | "reads" | "lists" | "looks back" | "stands for words":
                return 0
            case "calls" | "foresees":
                return sum(self._called(node))
            case "searches":
                assert isinstance(node, ir.Way | ir.DirectedWay)
                return self.counts.most(node.within)
            case "goes over":
                assert isinstance(node, ir.Over)
                return self._going_over(node, 0)
            case "draws":
                if isinstance(node, ir.Pick):
                    return self.counts.length(node.of)
                times = _thrown(node)
                return 0 if times is None else min(self.counts.counted(times) * CHANCE, HUGE)
            case _:
                assert_never(of.form)

    def _heavy_statement(self, node: ir.Statement) -> int:
        of = traits(node)
        match of.effect:
            case "moves":
                assert isinstance(node, ir.Move)
                return self._moved(node)
            case "shuffles":
                assert of.refers is not None
                return self.game.kinds[self.game.zones[of.refers.id].kind].size * CHANCE
            case "shows":
                return 0 if of.kind is None else self.game.kinds[of.kind].size
            case "goes over":
                (source,) = of.evaluates
                assert isinstance(source, ir.Source)
                return self.counts.length(source) * self._round(node, self.bound)
            case "repeats":
                assert isinstance(node, ir.Repeat)
                return self.counts.counted(node.times) * self._round(node, self.bound)
            case "calls":
                return sum(self._called(node))
            case "asks":
                return HUGE
            case "binds" | "writes" | "eliminates" | "decides" | "leaves" | "ends" | "fails":
                return 0
            case "tells" | "records" | "expands":
                return 0
            case _:
                assert_never(of.effect)

    def _round(self, loop: ir.Statement, measure: Measure) -> int:
        """Returns the cost of one round of a loop."""
        of = traits(loop)
        return 1 + self._all(of.each_round, measure) + self._all(of.bodies, measure)

    def _called(self, node: object) -> tuple[int, ...]:
        """Returns the bounds of the callees of a node; an open callee pays for itself when it begins."""
        match node:
            case ir.CallValue(value=value):
                return (self._value_bound(value),)
            case ir.Cell(data=data, column=column):
                return (self._column_bound(data, column),)
            case ir.Call(procedure=id) | ir.Defer(procedure=id):
                return (self._procedure_bound(id),)
            case ir.Foreseen(procedure=id):
                looks = () if self.game.checkpoint is None else (self._procedure_bound(self.game.checkpoint),)
                of = () if node.of is None else self._called(node.of)
                return self._procedure_bound(id), *looks, *of
            case _:  # nothing else calls
                return ()

    def _procedure_bound(self, id: int) -> int:
        procedure = self.game.procedures[id]
        if self._always_entered(procedure):
            return HUGE
        for called in self._inner_first("procedure", id):
            if not self._always_entered(self.game.procedures[called]):
                self.bound(self.game.procedures[called].body)
        return self._telling(procedure) + self.bound(procedure.body)

    @staticmethod
    def _telling(procedure: ir.Procedure) -> int:
        return 0 if procedure.rule is None else EVENT

    def _inner_first(self, what: str, id: int) -> Iterator[int]:
        """Yields the procedures (or values) reachable from one, callees before callers; not itself.

        A long chain of calls therefore needs no deep recursion here.
        """
        if (what, id) in self._in_order:
            return
        self._ordered.add((what, id))
        waiting = [(id, iter(self._calls(what, id)))]
        while waiting:
            at, calls = waiting[-1]
            inner = next(calls, None)
            if inner is None:
                waiting.pop()
                if waiting:
                    yield at
            elif (what, inner) not in self._ordered:
                self._ordered.add((what, inner))
                waiting.append((inner, iter(self._calls(what, inner))))
        self._in_order.add((what, id))

    def _calls(self, what: str, id: int) -> list[int]:
        if what == "procedure":
            nodes = walk(self.game.procedures[id].body)
            return [n.procedure for n in nodes if isinstance(n, ir.Call | ir.Defer | ir.Foreseen)]
        value = self.game.values[id]
        return [n.value for n in walk((value.cases, value.adjustments)) if isinstance(n, ir.CallValue)]

    @cached_property
    def _position(self) -> int:
        """Returns the cost of comparing the position with past ones."""
        history = self.game.history
        if history is None:
            return 0
        declared = [self.game.states[id] for id in history.states], [self.game.zones[id] for id in history.zones]
        slots = sum(prod(map(size_of, one.dimensions)) for kind in declared for one in kind)
        return slots + history.most // AT_A_GLANCE

    def _shown(self, zone: int) -> int:
        """Returns the cost of viewing a pile as a set: small, and independent of its height."""
        of = self.game.zones[zone]
        return self.game.kinds[of.kind].size // AT_A_GLANCE if of.form == "pile" else 0

    def _always_entered(self, procedure: ir.Procedure) -> bool:
        return procedure.stops or procedure.phase or procedure.id in (self.game.main, self._comes_back)

    @cached_property
    def _comes_back(self) -> int | None:
        """Returns the only procedure that may reach itself: the checkpoint, if one of the `whenever` rules settles."""
        looks = self.game.checkpoint
        if looks is None:
            return None
        return looks if looks in reachable(self.game, calls_in(self.game, self.game.procedures[looks].body)) else None

    def _is_entered(self, procedure: ir.Procedure) -> bool:
        return self._procedure_bound(procedure.id) > SMALL

    def _rates(self, over: ir.Over) -> tuple[int, ...]:
        within = self._all((over.condition, over.value, *over.keys), self.own)
        return (*(1 + self.own(source) for source in over.sources[1:]), 1 + within)

    def _going_over(self, over: ir.Over, level: int) -> int:
        if level == len(over.sources):
            return self._all((over.condition, over.value, *over.keys), self.bound)
        source = self.bound(over.sources[level + 1]) if level + 1 < len(over.sources) else 0
        return min(self.counts.length(over.sources[level]) * (1 + source + self._going_over(over, level + 1)), HUGE)

    def _moved(self, move: ir.Move) -> int:
        things = self.counts.length(move.what)
        if move.count is not None:
            pile = move.what.pile if move.what.mask is None else None
            if pile is not None and self.game.zones[pile.zone].refills_from is not None:
                return HUGE
            things = min(things, self.counts.counted(move.count))
        return things * (THING + self.bound(self.game.zones[move.to.zone].capacity))

    # -------------------------------------------------------------- values and data

    def _value_bound(self, id: int) -> int:
        value = self.game.values[id]
        if id in self._asked:
            # A value that calls itself once costs its depth times one call; any other recursion has no bound.
            return 0 if id == self._asked[-1] and self._is_chain(id) else HUGE
        if (known := self._known.get(("value", id))) is not None:
            return known[1]
        for called in self._inner_first("value", id):
            self._value_bound(called)
        return self._remembered(("value", id), value, self._bound_of_calls)

    def _bound_of_calls(self, value: ir.Value) -> int:
        self._asked.append(value.id)
        one = self._value(value.id, self.bound)
        self._asked.pop()
        if value.deep is None:
            return one
        return one * (value.deep + 2) if self._is_chain(value.id) else HUGE

    def _is_chain(self, id: int) -> bool:
        """Returns whether a call of a value leads to at most one further call of it."""
        value = self.game.values[id]
        own = [n for n in walk((value.cases, value.adjustments)) if isinstance(n, ir.CallValue) and n.value == id]
        loops = tuple(n for n in walk((value.cases, value.adjustments)) if isinstance(n, ir.Over))
        return len(own) == 1 and not any(isinstance(n, ir.CallValue) and n.value == id for n in walk(loops))

    def _value(self, id: int, measure: Measure) -> int:
        value = self.game.values[id]
        tests = self._all((case.condition for case in value.cases), measure)
        most = max((measure(case.value) for case in value.cases), default=0)
        return 1 + tests + most + self._adjusting(value.adjustments, measure)

    def _column_bound(self, data: int, column: int) -> int:
        of = self.game.data[data].columns[column]
        return self._remembered(("column", data, column), of, lambda _: self._column(data, column, self.bound))

    def _column(self, data: int, column: int, measure: Measure) -> int:
        of = self.game.data[data].columns[column]
        return 1 + max((measure(cell) for cell in of.cells), default=0) + self._adjusting(of.adjustments, measure)

    def _adjusting(self, adjustments: tuple[ir.Adjustment, ...], measure: Measure) -> int:
        return self._all((part for a in adjustments for part in (a.condition, a.amount)), measure)

    # -------------------------------------------------------------- options

    def _asking(self, choice: ir.Choice, measure: Measure) -> int:
        """Returns the cost of asking: of finding the seats and, if enumerating the options is closed, of finding
        whether each seat can answer.
        """
        looking = self.options(choice)
        each = measure(choice.condition) + (looking if looking <= SMALL else 0)
        seats = len(self.game.seats) if choice.sealed else 1
        return measure(choice.who) + measure(choice.source) + seats * each

    def options(self, choice: ir.Choice) -> int:
        """Returns the largest cost of enumerating all options of a choice."""
        return self._remembered(("options", id(choice)), choice, lambda _: self._all(choice.branches, self.completions))

    def completions(self, branch: ir.Branch) -> int:
        """Returns the largest cost of enumerating all completions of a branch."""
        return self._completions(branch, 0)

    def _completions(self, branch: ir.Branch, known: int) -> int:
        here = self._between(branch, known, self.bound)
        if known == len(branch.parameters):
            return here
        parameter = branch.parameters[known]
        each = 1 + self._completions(branch, known + 1)
        return min(here + self.counts.length(parameter.domain) + self._candidates(parameter) * each, HUGE)

    def _candidates(self, parameter: ir.Parameter) -> int:
        """Returns the largest number of values of a parameter: members of its domain, or sets of them."""
        there = self.counts.length(parameter.domain)
        if parameter.low is None:
            return there
        most = there if parameter.high is None else min(self.counts.counted(parameter.high), there)
        if most > MOST_CHOSEN:
            return HUGE
        return min(sum(comb(there, size) for size in range(most + 1)), HUGE)

    def _between(self, branch: ir.Branch, known: int, measure: Measure) -> int:
        """Returns the cost of the parts evaluated once `known`
        parameters are fixed: needs, and the domain of the next one.
        """
        parts: list[object] = [need.condition for need in branch.needs if need.after == known]
        if known < len(branch.parameters):
            parameter = branch.parameters[known]
            parts += [parameter.domain, parameter.low, parameter.high]
        return self._all(parts, measure)


def _operands(node: ir.Expr) -> tuple[ir.Expr, ...]:
    of = value_traits(node)
    return cast("tuple[ir.Expr, ...]", of.evaluates) if of.form in ("computes", "decides") else ()


def _thrown(node: ir.Expr) -> ir.Expr | None:
    """Returns the number of throws of a die; None for a single one."""
    assert isinstance(node, ir.Roll)
    return node.times
