"""Steps that are paid one by one -> the most that a block can cost, paid at its beginning.

A program that pays too much traps more often, and its caller then counts exactly. It never pays too little.

    b7(): pay 165; …; pay 91; …      # b7(): pay 256; …

And payments without a line of the rules -> payments for the line that calls.
"""

from __future__ import annotations

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.bounds import ANY
from rulelang.program.low.passes.inlining import entries
from rulelang.program.low.passes.ranges import facts
from rulelang.program.low.passes.ranges.memory import PassMemory
from rulelang.program.low.passes.ranges.values import Known, Values
from rulelang.program.low.passes.rewriting import renumbered, with_bodies, with_body

SHARE = 4
"""The part of a step's budget up to which a block pays for everything at once."""
UNKNOWN = low.ConstWord(0)
"""The site of a payment that the caller makes."""
Body = tuple[low.Inst, ...]


# ------------------------------------------------------------------ at once


def paid_at_once(program: low.Program, memory: PassMemory | None = None) -> low.Program:
    """Returns the program with one payment for each block, and for each function whose cost is known."""
    costs = _Costs(Known(program, memory))
    blocks = {name for _, name in program.blocks}
    cheap = {f.name for f in program.functions if costs.of(f.name) is not None}
    asked = {q.options for q in program.questions}
    if any((costs.of(name) or 0) > program.half // SHARE for name in cheap & (blocks | asked)):
        return program
    functions = tuple(
        _paying(f, costs.of(f.name) or 0 if f.name in blocks else 0) if f.name in cheap else _called(f, costs, cheap)
        for f in program.functions
    )
    return attrs.evolve(program, functions=functions)


def _paying(function: low.Function, steps: int) -> low.Function:
    body = _without(function.body)
    return with_body(function, (low.PayInst(low.ConstWord(steps)), *body) if steps else body)


def _without(body: Body) -> Body:
    """Returns a body without payments."""
    return tuple(with_bodies(order, _without) for order in body if not isinstance(order, low.PayInst))


def _called(function: low.Function, costs: _Costs, cheap: set[str]) -> low.Function:
    """Returns a function that pays for the functions it calls which do not pay themselves any more."""

    def body(of: Body) -> Body:
        found: list[low.Inst] = []
        for order in of:
            if isinstance(order, low.CallInst) and order.function in cheap and costs.of(order.function):
                found.append(low.PayInst(low.ConstWord(costs.of(order.function) or 0)))
            found.append(with_bodies(order, body))
        return tuple(found)

    return with_body(function, body(function.body))


class _Costs:
    """The most steps that each function pays."""

    def __init__(self, known: Known) -> None:
        self.known, self.functions = known, {f.name: f for f in known.program.functions}
        self._found: dict[str, int | None] = {}

    def of(self, name: str) -> int | None:
        """Returns the most steps that a function pays, None if nobody knows."""
        if name not in self._found:
            self._found[name] = None
            function = self.functions[name]
            self._found[name] = self._body(function.body, Values(self.known, function), name)
        return self._found[name]

    def _body(self, body: Body, values: Values, name: str) -> int | None:
        total = 0
        for order in body:
            cost = self._order(order, values, name)
            if cost is None:
                return None
            total += cost
        return total

    def _order(self, order: low.Inst, values: Values, name: str) -> int | None:
        match order:
            case low.PayInst(steps=steps):
                high = facts.numeric(values.bounds(steps))[1]
                return high if 0 <= high < low.FAR else None
            case low.CallInst(function=called):
                if called == name:
                    return 0 if not self._pays(called) else None
                return self.of(called)
            case low.IfInst(then=then, otherwise=otherwise):
                one, other = self._body(then, values, name), self._body(otherwise, values, name)
                return None if one is None or other is None else max(one, other)
            case low.RepeatInst(body=body):
                return 0 if self._body(body, values, name) == 0 else None
            case low.WalkInst(mask=mask, body=body):
                cost = self._body(body, values, name)
                if not cost:
                    return cost
                high = facts.numeric(values.bounds(mask))[1]
                times = high.bit_count() if isinstance(mask, low.ConstWord) else high.bit_length()
                return cost * times if times <= low.BITS else None
            case _:  # no other statement pays
                return 0

    def _pays(self, name: str) -> bool:
        """Returns whether a function pays itself, or calls another that might."""
        return any(
            isinstance(order, low.PayInst) or (isinstance(order, low.CallInst) and order.function != name)
            for order in self.functions[name].orders
        )


# ------------------------------------------------------------------ sites


def with_sites(program: low.Program) -> low.Program:
    """Returns the program in which all functions know who pays: what has no line of its own takes the site from its
    caller, as its last parameter."""
    given = _given_sites(program)
    return attrs.evolve(program, functions=tuple(_knowing(function, given) for function in program.functions))


def _given_sites(program: low.Program) -> set[str]:
    """Returns the functions that take a site."""
    found: set[str] = set()
    waiting = [f.name for f in program.functions if any(_has_no_site(order) for order in f.orders)]
    callers: dict[str, list[str]] = {}
    for function in program.functions:
        for order in function.orders:
            if isinstance(order, low.CallInst) and not order.site:
                callers.setdefault(order.function, []).append(function.name)
    outermost = entries(program)
    while waiting:
        name = waiting.pop()
        if name not in found and name not in outermost:
            found.add(name)
            waiting += callers.get(name, ())
    return found


def _has_no_site(order: low.Inst) -> bool:
    return isinstance(order, low.PayInst) and order.site == UNKNOWN


def _knowing(function: low.Function, given: set[str]) -> low.Function:
    """Returns a function that passes sites on."""
    first, own = function.parameters, function.name in given
    site = low.RegisterWord(first) if own else UNKNOWN

    def body(of: Body) -> Body:
        return tuple(with_bodies(order(each), body) for each in of)

    def order(of: low.Inst) -> low.Inst:
        match of:
            case low.PayInst(site=before) if before == UNKNOWN:
                return attrs.evolve(of, site=site)
            case low.CallInst(function=name, site=known):
                last = (low.ConstWord(known) if known else site,) if name in given else ()
                return attrs.evolve(of, arguments=(*of.arguments, *last), site=0)
            case _:  # no other statement pays
                return of

    if not own:
        return with_body(function, body(function.body))
    moved = renumbered(function.body, lambda number: number + (number >= first))
    takes = (*function.takes, ANY) if function.takes else ()
    return attrs.evolve(
        function,
        parameters=first + 1,
        registers=function.registers + 1,
        body=body(moved),
        memo=(),
        takes=takes,
    )
