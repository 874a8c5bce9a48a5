"""Functions that call themselves once and add to the result -> loops.

    value run(s, d) -> 0..6 =                    r4 = 0
      0 if step(s, d).disc != red                repeat: if …: return r4
      1 + run(step(s, d), d) otherwise             r4 = r4 + 1 …

The numbers added are never negative, so if any result on the way back is too large, so is the last: only it is checked.
"""

from __future__ import annotations

import attrs

from rulelang.ir.types import NONE
from rulelang.program.low import model as low
from rulelang.program.low.passes.rewriting import goes_on


def with_loops(program: low.Program) -> low.Program:
    """Returns the program with loops for functions that count by calling themselves."""
    return attrs.evolve(program, functions=tuple(map(_looped, program.functions)))


def without_tail_calls(program: low.Program) -> low.Program:
    """Returns the program with loops for functions that return what they themselves return for other arguments."""
    return attrs.evolve(program, functions=tuple(map(_going_round, program.functions)))


def _going_round(function: low.Function) -> low.Function:
    calls = [order for order in function.orders if _calls(order, function.name)]
    if not calls or function.widths:
        return function
    body = _again(function.body, function)
    if any(_calls(order, function.name) for order in low.orders(body)):
        return function
    end = (low.ReturnInst(low.ConstWord(0)),) if goes_on(function.body) else ()
    registers = function.registers + function.parameters
    return attrs.evolve(function, registers=registers, body=(low.RepeatInst((*body, *end)),))


def _again(body: tuple[low.Inst, ...], function: low.Function) -> tuple[low.Inst, ...]:
    """Returns the end of a body with new values for the parameters instead of a call whose result is returned."""
    match body:
        case (
            *before,
            low.CallInst(register=int(register), arguments=arguments),
            low.ReturnInst(low.RegisterWord(number)),
        ) if number == register and _calls(body[-2], function.name):
            return *before, *_given(arguments, function.registers)
        case (*before, low.IfInst(condition=condition, then=then, otherwise=otherwise)):
            return *before, low.IfInst(condition, _again(then, function), _again(otherwise, function))
        case _:  # it ends in another way
            return body


def _given(arguments: tuple[low.Word, ...], first: int) -> tuple[low.Inst, ...]:
    """Returns the statements that give the parameters new values; registers from `first` on hold those that must wait."""
    changed = [(i, word) for i, word in enumerate(arguments) if word != low.RegisterWord(i)]
    now: list[low.Inst] = []
    late: list[low.Inst] = []
    for at, (i, word) in enumerate(changed):
        if any(low.RegisterWord(i) in other.within for _, other in changed[at + 1 :]):
            now.append(low.SetInst(first + i, word))
            late.append(low.SetInst(i, low.RegisterWord(first + i)))
        else:
            now.append(low.SetInst(i, word))
    return *now, *late


@attrs.frozen
class _Counting:
    """A function that returns `first` where a condition holds, and else its own result for other arguments, plus `more`."""

    before: tuple[low.Inst, ...]
    condition: low.Word
    first: int
    between: tuple[low.Inst, ...]
    arguments: tuple[low.Word, ...]
    more: int
    sum: int
    """The register of the result."""
    after: tuple[low.Inst, ...]
    """The statements that check the result."""


def _looped(function: low.Function) -> low.Function:
    found = _counting(function)
    if found is None:
        return function
    so_far, fresh = function.registers, function.registers + 1
    given = _given(found.arguments, fresh)
    total = low.BinaryWord("+", low.RegisterWord(so_far), low.ConstWord(found.first))
    end = (low.SetInst(found.sum, total), *found.after, low.ReturnInst(low.RegisterWord(found.sum)))
    body = (
        *found.before,
        low.IfInst(found.condition, end),
        *found.between,
        *given,
        low.SetInst(so_far, low.BinaryWord("+", low.RegisterWord(so_far), low.ConstWord(found.more))),
    )
    widths = (*function.widths, 1, *function.widths[: function.parameters]) if function.widths else ()
    return attrs.evolve(
        function,
        registers=fresh + function.parameters,
        body=(low.SetInst(so_far, low.ConstWord(0)), low.RepeatInst(body)),
        widths=widths,
    )


def _counting(function: low.Function) -> _Counting | None:
    """Returns the parts of a function that counts by calling itself; None of any other."""
    match _returning(function.body):
        case (*before, low.IfInst(condition, (low.ReturnInst(low.ConstWord(first)),), otherwise)) if first != NONE:
            pass
        case _:  # it has another shape
            return None
    at = next((i for i, order in enumerate(otherwise) if _calls(order, function.name)), len(otherwise))
    if any(_calls(order, function.name) for order in low.orders((*before, *otherwise[:at], *otherwise[at + 1 :]))):
        return None
    match otherwise[at:]:
        case (low.CallInst(register=int(register), arguments=arguments), *rest):
            pass
        case _:  # it does not call itself
            return None
    missing = low.BinaryWord("==", low.RegisterWord(register), low.ConstWord(NONE))
    if rest and rest[0] == low.IfInst(missing, (low.TrapInst(),)):
        # A sum is never none.
        rest = rest[1:]
    match rest:
        case (
            low.SetInst(sum, low.BinaryWord("+", low.ConstWord(more), low.RegisterWord(number))),
            *after,
            low.ReturnInst(low.RegisterWord(result)),
        ) if number == register and result == sum and more >= 0 and all(_looks_at(order, sum) for order in after):
            between = otherwise[:at]
            return _Counting(tuple(before), condition, first, between, arguments, more, sum, tuple(after))
        case _:  # it does something else with the result
            return None


def _returning(body: tuple[low.Inst, ...]) -> tuple[low.Inst, ...]:
    """Returns a body that checks its result behind both ways of a condition, with the checks behind the second way alone
    if they let the constant pass that the first way leads to; any other body as it is."""
    at = next((i for i in reversed(range(len(body))) if not _is_end(body[i])), -1)
    match body[at : at + 1], body[-1:]:
        case (low.IfInst(condition, (low.SetInst(one, low.ConstWord(first) as known),), otherwise),), (
            low.ReturnInst(low.RegisterWord(result)),
        ) if result == one and all(_looks_at(order, one) and _lets_pass(order, first) for order in body[at + 1 : -1]):
            ends = low.IfInst(condition, (low.ReturnInst(known),), (*otherwise, *body[at + 1 :]))
            return (*body[:at], ends)
        case _:  # it has another shape
            return body


def _is_end(order: low.Inst) -> bool:
    """Returns whether a statement returns or only traps."""
    return isinstance(order, low.ReturnInst) or (isinstance(order, low.IfInst) and order.then == (low.TrapInst(),))


def _lets_pass(order: low.Inst, value: int) -> bool:
    """Returns whether a statement that traps outside of 0 up to some number does not for a value."""
    match order:
        case low.IfInst(low.BinaryWord(right=low.ConstWord(size))):
            return 0 <= value < size
        case _:  # it does something else
            return False


def _calls(order: low.Inst, name: str) -> bool:
    return isinstance(order, low.CallInst) and order.function == name


def _looks_at(order: low.Inst, register: int) -> bool:
    """Returns whether a statement only traps where a register is not within 0 up to some number."""
    match order:
        case low.IfInst(low.BinaryWord("outside", low.RegisterWord(number), low.ConstWord()), (low.TrapInst(),), ()):
            return number == register
        case _:  # it does something else
            return False
