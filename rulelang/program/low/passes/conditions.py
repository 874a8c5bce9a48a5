"""Branches that only choose a value -> words that choose it.

r5 = …; if r5: r5 = (row[r4] != r0)      # r5 = (… & (row[r4] != r0))
if (r0 == 0): r3 = 100 else: r3 = 145      # r3 = (100 if (r0 == 0) else 145)
r3 = 1; if a: r3 = 0 else: if b: r3 = 0    # r3 = (0 if a else (0 if b else 1))
"""

from __future__ import annotations

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.passes.ranges.memory import PassMemory
from rulelang.program.low.passes.ranges.values import Known, Values
from rulelang.program.low.passes.rewriting import is_truth, read_in, times_set, with_bodies, with_body

NOUGHT = low.ConstWord(0)
HEAVIEST = 60
"""The most words inside a value that is computed without need."""
Body = tuple[low.Inst, ...]


def with_choices(program: low.Program, memory: PassMemory | None = None) -> low.Program:
    """Returns the program with words instead of branches that set one register."""
    known = Known(program, memory)
    return attrs.evolve(program, functions=tuple(_Choosing(known, f).function() for f in program.functions))


class _Choosing:
    def __init__(self, known: Known, function: low.Function) -> None:
        self.of, self.values = function, Values(known, function)
        self.once = {register for register, times in times_set(function.body).items() if times == 1}

    def function(self) -> low.Function:
        return with_body(self.of, self._body(self.of.body))

    def _body(self, body: Body) -> Body:
        found: list[low.Inst] = []
        for order in body:
            match with_bodies(order, self._body):
                case low.IfInst() as branch:
                    self._branch(branch, found)
                case other:  # any other statement stays
                    found.append(other)
        return tuple(found)

    def _branch(self, branch: low.IfInst, found: list[low.Inst]) -> None:
        """Adds a branch, or what stands for it."""
        match branch:
            case low.IfInst(condition, (*before, low.SetInst() as last), ()) if all(map(self._is_free, before)):
                # Words cost nothing but time, and these registers are set nowhere else.
                found += before
                branch = low.IfInst(condition, (last,))
            case low.IfInst(condition, (low.IfInst(second, then, ()),), ()) if is_truth(condition) and is_truth(second):
                if self._is_light(second):
                    branch = low.IfInst(low.BinaryWord("&", condition, second), then)
            case _:  # it does something else first
                pass
        found.append(self._choice(branch, found) or branch)

    def _choice(self, branch: low.IfInst, found: list[low.Inst]) -> low.Inst | None:
        """Returns a statement that sets a register as a branch does; None if the branch does more."""
        match branch:
            case low.IfInst(condition, (low.SetInst(one, then),), (low.SetInst(other, otherwise),)):
                if one == other and self._is_light(then) and self._is_light(otherwise):
                    return low.SetInst(one, low.SelectWord(condition, then, otherwise))
            case low.IfInst(condition, (low.SetInst(one, then),), ()) if (
                self._is_light(then) and one not in then.registers
            ):
                at = self._set_before(found, one)
                if at is not None:
                    before = found[at]
                    assert isinstance(before, low.SetInst)
                    test = before.value if condition == low.RegisterWord(one) else _about(condition, one, before.value)
                    if test is not None:
                        del found[at]
                        return low.SetInst(one, low.SelectWord(test, then, before.value))
            case _:  # it does more than to choose a value
                pass
        return self._nested(branch, found)

    def _nested(self, branch: low.IfInst, found: list[low.Inst]) -> low.Inst | None:
        """Returns a statement that sets a register as branches in branches do, if that is all they do; else None."""
        register = next((order.register for order in branch.inside if isinstance(order, low.SetInst)), None)
        at = None if register is None else self._set_before(found, register)
        if register is None or at is None:
            return None
        before = found[at]
        assert isinstance(before, low.SetInst)
        value = self._value((branch,), register, before.value)
        if value is None:
            return None
        del found[at]
        return low.SetInst(register, value)

    def _value(self, body: Body, register: int, value: low.Word) -> low.Word | None:
        """Returns the value of a register behind a body that does nothing but to choose it; else None."""
        for order in body:
            match order:
                case low.SetInst(one, chosen) if one == register and self._may_stand(chosen, register):
                    value = chosen
                case low.IfInst(condition, then, otherwise) if self._may_stand(condition, register):
                    a, b = self._value(then, register, value), self._value(otherwise, register, value)
                    if a is None or b is None:
                        return None
                    value = low.SelectWord(condition, a, b)
                case _:  # it does more
                    return None
            if len(value.within) > HEAVIEST:
                return None
        return value

    def _may_stand(self, word: low.Word, register: int) -> bool:
        """Returns whether a word may stand in the value of a register."""
        return self._is_light(word) and register not in word.registers

    def _is_free(self, order: low.Inst) -> bool:
        return isinstance(order, low.SetInst) and order.register in self.once and self._is_light(order.value)

    def _is_light(self, word: low.Word) -> bool:
        return len(word.within) <= HEAVIEST and self.values.is_total(word)

    def _set_before(self, found: list[low.Inst], register: int) -> int | None:
        """Returns the place at which a register was set just now to a light value that is still the same, or None."""
        between: set[low.Word] = set()
        for at in reversed(range(len(found))):
            order = found[at]
            if not isinstance(order, low.SetInst):
                return None
            if order.register == register:
                is_same = self._is_light(order.value) and not any(part in between for part in order.value.within)
                return at if is_same else None
            if register in order.value.registers:
                return None
            between.add(low.RegisterWord(order.register))
        return None


def threaded(program: low.Program) -> low.Program:
    """Returns the program with what hangs on a register where the register is set.

    r9 = c; if r9: …; r9 = e; if r9: T      # if c: …; if e: T
    """
    return attrs.evolve(program, functions=tuple(_threading(f) for f in program.functions))


def _threading(function: low.Function) -> low.Function:
    reads = read_in(function.orders)
    return with_body(function, _threaded(function.body, reads))


def _threaded(body: Body, reads: dict[int, int]) -> Body:
    found: list[low.Inst] = []
    for order in body:
        found.append(with_bodies(order, lambda inner: _threaded(inner, reads)))
        match found[-2:]:
            case [low.SetInst(one, first), low.IfInst(condition, (*_, low.SetInst(other, _)), ())] if (
                one == other and first == condition and not read_in(low.orders((found[-1],)))[one]
            ):
                # Where the branch is not taken, the condition is 0.
                found[-2] = low.SetInst(one, NOUGHT)
            case _:  # the register keeps another value
                pass
        match found[-3:]:
            case [low.SetInst(one, first), low.IfInst(condition, then, ()), low.IfInst(test, _, ()) as last] if (
                test in (low.RegisterWord(one), low.BinaryWord(">", low.RegisterWord(one), NOUGHT))
            ):
                is_own = condition == low.RegisterWord(one)
                inside = _ended(then, one, last.then)
                if inside is not None and reads[one] == 1 + is_own and (is_own or first in (condition, NOUGHT)):
                    found[-3:] = [low.IfInst(first if is_own else condition, inside)]
            case _:  # it hangs on something else
                pass
    return tuple(found)


def _ended(body: Body, register: int, then: Body) -> Body | None:
    """Returns a body that goes on where it sets a register to anything but 0 at its end; None if it does not end so."""
    match body:
        case (*before, low.SetInst(one, value)) if one == register:
            return *before, low.IfInst(value, then)
        case (*before, low.IfInst(condition, inner, ())):
            inside = _ended(inner, register, then)
            return None if inside is None else (*before, low.IfInst(condition, inside))
        case _:  # it ends in another way
            return None


def apart(program: low.Program) -> low.Program:
    """Returns the program with a branch in a branch for each `and`, so that words of the second are computed there."""
    return attrs.evolve(program, functions=tuple(with_body(f, _apart(f.body)) for f in program.functions))


def _apart(body: Body) -> Body:
    found: list[low.Inst] = []
    for order in body:
        match with_bodies(order, _apart):
            case low.IfInst(condition=condition, then=then, otherwise=()):
                for part in reversed(_conjuncts(condition)):
                    then = (low.IfInst(part, then),)
                found += then
            case inner:  # any other statement stays
                found.append(inner)
    return tuple(found)


def _conjuncts(condition: low.Word) -> list[low.Word]:
    match condition:
        case low.BinaryWord(name="&", left=left, right=right) if is_truth(left) and is_truth(right):
            return [*_conjuncts(left), *_conjuncts(right)]
        case _:  # it is one condition
            return [condition]


def _about(condition: low.Word, register: int, value: low.Word) -> low.Word | None:
    """Returns a condition with the value of a register put in; None if that would be too much."""
    if register not in condition.registers:
        return condition
    match condition:
        case low.BinaryWord(name=name, left=low.RegisterWord(number=number), right=low.ConstWord() as right) if (
            number == register
        ):
            return low.BinaryWord(name, value, right)
        case _:  # it asks for more
            return None
