"""Calls of small functions, and of functions called from one place -> the statements of those functions; blocks that
continue with another block -> blocks that hold it.

r3 = v0(r1)        # r5 = r1; if (r5 == 0): r3 = 100 …
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.passes.rewriting import goes_on, renumbered, with_bodies

SMALL = 40
"""The most statements of a function that is put in wherever it is called."""
SMALL_BLOCK = 30
"""The most statements of a block that is put behind each block that leads to it."""
MOST = 600
"""The most statements of a function into which others are put."""
NOUGHT = low.ConstWord(0)
Body = tuple[low.Inst, ...]


class _Stays(Exception):
    """A function returns from a place that cannot be left without a return."""


def inlined(program: low.Program) -> low.Program:
    """Returns the program with small functions put in where they are called; who is not called any more is gone."""
    functions = {f.name: f for f in program.functions}
    calls = Counter(o.function for f in program.functions for o in f.orders if isinstance(o, low.CallInst))
    kept = entries(program)
    for name in _callees_first(functions):
        functions[name] = _Inlining(functions, calls, kept, has_memos=program.bits is not None).function(
            functions[name]
        )
    return reachable(attrs.evolve(program, functions=tuple(functions[f.name] for f in program.functions)))


def reachable(program: low.Program) -> low.Program:
    """Returns the program without the functions that nothing calls."""
    found = reached({f.name: f for f in program.functions}, entries(program))
    return attrs.evolve(program, functions=tuple(f for f in program.functions if f.name in found))


def reached(functions: Mapping[str, low.Function], start: Iterable[str]) -> set[str]:
    """Returns the names of some functions and of all that they call."""
    waiting, found = list(start), set[str]()
    while waiting:
        name = waiting.pop()
        if name not in found and name in functions:
            found.add(name)
            waiting += [o.function for o in functions[name].orders if isinstance(o, low.CallInst)]
    return found


def entries(program: low.Program) -> frozenset[str]:
    """Returns the functions that are called from outside."""
    questions = (name for q in program.questions for name in (q.options, q.keep, q.look, q.legal, *q.branches))
    score = () if program.score is None else ("score",)
    numbered = (name for _, name in (*program.blocks, *program.shown))
    return frozenset((*numbered, *filter(None, questions), *score))


def _callees_first(functions: dict[str, low.Function]) -> list[str]:
    done: list[str] = []
    seen: set[str] = set()

    def visit(name: str) -> None:
        if name in seen or name not in functions:
            return
        seen.add(name)
        for order in functions[name].orders:
            if isinstance(order, low.CallInst):
                visit(order.function)
        done.append(name)

    for name in functions:
        visit(name)
    return done


class _Inlining:
    def __init__(
        self, functions: dict[str, low.Function], calls: Counter[str], kept: Iterable[str], *, has_memos: bool
    ) -> None:
        self.has_memos = has_memos
        self.functions, self.calls, self.kept = functions, calls, frozenset(kept)
        self.registers = 0
        self.widths: list[int] = []
        self.arrays: list[int] = []
        self.size = 0

    def function(self, function: low.Function) -> low.Function:
        self.registers, self.arrays = function.registers, list(function.arrays)
        self.widths = [function.width(i) for i in range(function.registers)]
        self.size = len(function.orders)
        body = self._body(function.body, function.name)
        if body == function.body:
            return function
        widths = tuple(self.widths) if any(width > 1 for width in self.widths) else ()
        return attrs.evolve(function, body=body, registers=self.registers, widths=widths, arrays=tuple(self.arrays))

    def _body(self, body: Body, caller: str) -> Body:
        found: list[low.Inst] = []
        for order in body:
            if isinstance(order, low.CallInst):
                found += self._call(order, caller)
            else:
                found.append(with_bodies(order, lambda inner: self._body(inner, caller)))
        return tuple(found)

    def _call(self, order: low.CallInst, caller: str) -> Body:
        called = self.functions[order.function]
        size = len(called.orders)
        is_kept = called.name in self.kept or (called.memo and self.has_memos)
        if is_kept or order.goes_on or self.size + size > MOST:
            return (order,)
        if size > SMALL and self.calls[called.name] > 1:
            return (order,)
        if any(isinstance(o, low.CallInst) and o.function in (called.name, caller) for o in called.orders):
            return (order,)
        first = self.registers
        result = first + called.registers if order.register is None else order.register
        body = renumbered(called.body, lambda number: first + number, len(self.arrays))
        try:
            inside = without_returns(body, result)
        except _Stays:
            return (order,)
        self.registers += called.registers + (order.register is None)
        self.widths += [called.width(i) for i in range(called.registers)] + [called.result] * (order.register is None)
        self.arrays += called.arrays
        self.size += size
        given = tuple(low.SetInst(first + i, word) for i, word in enumerate(order.arguments))
        return *given, *inside


def without_returns(body: Body, result: int) -> Body:
    """Returns a body that sets a register and ends where it returned before; raises _Stays if that cannot be."""
    before = (low.SetInst(result, NOUGHT),) if goes_on(body) else ()
    return *before, *_ended(body, result)


def _ended(body: Body, result: int) -> Body:
    found: list[low.Inst] = []
    for i, order in enumerate(body):
        rest = body[i + 1 :]
        match order:
            case low.ReturnInst(value=value):
                return *found, low.SetInst(result, value)
            case _ if not _returns(order):
                found.append(order)
            case low.IfInst(condition=condition, then=then, otherwise=otherwise):
                if rest and goes_on(then) and goes_on(otherwise):
                    raise _Stays
                more, less = (rest, ()) if goes_on(then) else ((), rest)
                return *found, low.IfInst(
                    condition, _ended((*then, *more), result), _ended((*otherwise, *less), result)
                )
            case low.RepeatInst(body=inner) | low.WalkInst(body=inner):
                match rest:
                    case ():
                        found.append(low.SetInst(result, NOUGHT))
                    case (low.ReturnInst(value=low.ConstWord() as value), *_):
                        found.append(low.SetInst(result, value))
                    case _:  # what follows would have to be skipped
                        raise _Stays
                return *found, attrs.evolve(order, body=_broken(inner, result, 0))
            case _:  # no other statement has a return inside
                raise AssertionError
    return tuple(found)


def _broken(body: Body, result: int, depth: int) -> Body:
    """Returns the body of a loop, `depth` loops within another, which it leaves where it returned before."""
    found: list[low.Inst] = []
    for order in body:
        match order:
            case low.ReturnInst(value=value):
                return *found, low.SetInst(result, value), low.BreakInst(depth)
            case low.IfInst():
                found.append(with_bodies(order, lambda inner: _broken(inner, result, depth)))
            case _:  # a loop within it is one more to leave
                found.append(with_bodies(order, lambda inner: _broken(inner, result, depth + 1)))
    return tuple(found)


def _returns(order: low.Inst) -> bool:
    return any(isinstance(each, low.ReturnInst) for each in low.orders((order,)))


# ------------------------------------------------------------------ blocks


def joined(program: low.Program) -> low.Program:
    """Returns the program with blocks that hold what comes behind them."""
    functions = {f.name: f for f in program.functions}
    targets = {number: functions[name] for number, name in program.blocks if name in functions}
    ways = Counter(
        o.value.value
        for f in targets.values()
        for o in f.orders
        if isinstance(o, low.ReturnInst) and isinstance(o.value, low.ConstWord)
    )
    done = {f.name: _Joining(targets, ways, number, f).function() for number, f in targets.items()}
    return reachable(attrs.evolve(program, functions=tuple(done.get(f.name, f) for f in program.functions)))


class _Joining:
    def __init__(self, targets: dict[int, low.Function], ways: Counter[int], number: int, of: low.Function) -> None:
        self.targets, self.ways, self.number, self.of = targets, ways, number, of
        self.registers, self.arrays = of.registers, list(of.arrays)
        self.widths = [of.width(i) for i in range(of.registers)]
        self.size = len(of.orders)

    def function(self) -> low.Function:
        body = self._body(self.of.body, (self.number,))
        if body == self.of.body:
            return self.of
        widths = tuple(self.widths) if any(width > 1 for width in self.widths) else ()
        return attrs.evolve(self.of, body=body, registers=self.registers, widths=widths, arrays=tuple(self.arrays))

    def _body(self, body: Body, under_way: tuple[int, ...]) -> Body:
        found: list[low.Inst] = []
        for order in body:
            match order:
                case low.ReturnInst(value=low.ConstWord(value=number)) if self._is_put_in(number, under_way):
                    found += self._body(self._taken(self.targets[number]), (*under_way, number))
                case _:  # any other statement stays
                    found.append(with_bodies(order, lambda inner: self._body(inner, under_way)))
        return tuple(found)

    def _is_put_in(self, number: int, under_way: tuple[int, ...]) -> bool:
        if number not in self.targets or number in under_way:
            return False
        size = len(self.targets[number].orders)
        return (size <= SMALL_BLOCK or self.ways[number] == 1) and self.size + size <= MOST

    def _taken(self, block: low.Function) -> Body:
        first = self.registers
        self.registers += block.registers
        self.widths += [block.width(i) for i in range(block.registers)]
        self.size += len(block.orders)
        body = renumbered(block.body, lambda number: first + number, len(self.arrays))
        self.arrays += block.arrays
        return body
