"""Operators on fragments: known numbers are folded, and bounds are carried over to the result.

p.fuel - 2              # S[12 + x1] - 2, from -2 to 28 where the fuel is 0 to 30
"""

from __future__ import annotations

from typing import Literal, assert_never

import attrs

from rulelang.ir.model import Calculation, Comparison
from rulelang.ir.types import NONE, SET_LIMIT
from rulelang.program.pycode.fragment import Fragment, number, truth
from rulelang.program.pycode.function import PrintedFunction


def numeric(f: PrintedFunction, fragment: Fragment) -> Fragment:
    """Returns a fragment that is a number; prints a check where it may be NONE."""
    if not fragment.none:
        return fragment.integer
    fragment = f.named(fragment)
    f.line(f"if {fragment.text} == NONE: raise no_number()")
    return attrs.evolve(fragment, none=False)


def as_set(f: PrintedFunction, fragment: Fragment) -> Fragment:
    """Returns a fragment that is a mask; NONE becomes the empty set."""
    if not fragment.none:
        return fragment if fragment.value is not None else attrs.evolve(fragment, high=fragment.bits, is_set=True)
    if fragment.value == NONE:
        return number(0)
    fragment = f.named(attrs.evolve(fragment, high=fragment.bits, is_set=True))
    return attrs.evolve(
        fragment, text=f"0 if {fragment.text} == NONE else {fragment.text}", none=False, atom=False, simple=False
    )


# ------------------------------------------------------------------ numbers and conditions


def negation(fragment: Fragment) -> Fragment:
    """Returns the fragment of `not`."""
    if fragment.value is not None:
        return number(int(fragment.value <= 0))
    text = fragment.condition
    if text.startswith("not ") and fragment.truth and not any(word in text for word in (" and ", " or ", " if ")):
        return truth(text.removeprefix("not "))
    return truth(f"not {text}" if fragment.atom and text == fragment.text else f"not ({text})")


def compared(name: Comparison, a: Fragment, b: Fragment) -> Fragment:
    """Returns the fragment of a comparison; an ordering does not hold if either side is NONE."""
    if a.value is not None and b.value is not None:
        return number(holds(name, a.value, b.value))
    a, b = a.integer, b.integer
    text = f"{a.operand} {name} {b.operand}"
    # NONE is the least int, so only one side of an ordering can make it hold wrongly.
    if name in ("<", "<=") and a.none:
        text = f"NONE != {text}"
    if name in (">", ">=") and b.none:
        text = f"{text} != NONE"
    return truth(text)


def holds(name: Comparison, a: int, b: int) -> int:
    """Returns 1 if a comparison of two known numbers holds, else 0."""
    match name:
        case "==":
            return int(a == b)
        case "!=":
            return int(a != b)
        case "<" | "<=":
            return int(NONE not in (a, b) and (a < b if name == "<" else a <= b))
        case ">" | ">=":
            return int(NONE not in (a, b) and (a > b if name == ">" else a >= b))
        case _:
            assert_never(name)


def signed(name: Calculation, a: Fragment) -> Fragment:
    """Returns the fragment of a number's negation ("neg"), of its absolute value ("abs"), or of itself."""
    if name == "neg":
        if a.value is not None:
            return number(-a.value)
        return Fragment(f"-{a.operand}", _minus(a.high), _minus(a.low))
    if name == "abs":
        sizes = [abs(bound) for bound in (a.low, a.high) if bound is not None]
        return Fragment(f"abs({a.text})", 0, max(sizes) if len(sizes) == 2 else None, atom=True)
    return a.integer


def _minus(bound: int | None) -> int | None:
    return None if bound is None else -bound


def sum_of(a: Fragment, b: Fragment) -> Fragment:
    """Returns the fragment of a sum of numbers."""
    if a.value is not None and b.value is not None:
        return number(a.value + b.value)
    if b.value is not None and b.value < 0:
        text = f"{a.operand} - {-b.value}"
    elif b.text.startswith("-") and not b.atom and b.text[1:].isidentifier():
        text = f"{a.operand} - {b.text[1:]}"
    else:
        text = f"{a.operand} + {b.operand}"
    low = None if a.low is None or b.low is None else a.low + b.low
    high = None if a.high is None or b.high is None else a.high + b.high
    return Fragment(text, low, high)


def calculated(f: PrintedFunction, name: Calculation, a: Fragment, b: Fragment) -> Fragment:
    """Returns the fragment of a calculation with two numbers; prints the check that it does not divide by 0."""
    match name:
        case "+":
            return sum_of(a, b)
        case "-":
            if a.value is not None and b.value is not None:
                return number(a.value - b.value)
            low = None if a.low is None or b.high is None else a.low - b.high
            high = None if a.high is None or b.low is None else a.high - b.low
            return Fragment(f"{a.operand} - {b.operand}", low, high)
        case "*":
            if a.value is not None and b.value is not None:
                return number(a.value * b.value)
            return attrs.evolve(_corners(a, b), text=f"{a.operand} * {b.operand}")
        case "min" | "max":
            return least_of(f, name, a, b)
        case "floordiv" | "ceildiv" | "mod":
            return _divide(f, name, a, b)
        case "neg" | "abs":
            raise ValueError(f"{name} is of one number")
        case _:
            assert_never(name)


def _corners(a: Fragment, b: Fragment) -> Fragment:
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return Fragment("")
    products = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return Fragment("", min(products), max(products))


def least_of(f: PrintedFunction, name: Literal["min", "max"], a: Fragment, b: Fragment) -> Fragment:
    """Returns the fragment of the smaller ("min") or the greater ("max") of two numbers."""
    if a.value is not None and b.value is not None:
        return number(min(a.value, b.value) if name == "min" else max(a.value, b.value))
    a, b = f.named(a.integer), f.named(b.integer)
    sign = "<" if name == "min" else ">"
    pick = min if name == "min" else max
    low = [bound for bound in (a.low, b.low) if bound is not None]
    high = [bound for bound in (a.high, b.high) if bound is not None]
    both_low, both_high = len(low) == 2, len(high) == 2
    return Fragment(
        f"{a.text} if {a.text} {sign} {b.text} else {b.text}",
        pick(low) if both_low or (low and name == "max") else None,
        pick(high) if both_high or (high and name == "min") else None,
    )


def _divide(f: PrintedFunction, name: Literal["floordiv", "ceildiv", "mod"], a: Fragment, b: Fragment) -> Fragment:
    if b.low is None or b.high is None or b.low <= 0 <= b.high:
        a, b = f.named(a), f.named(b)
        f.line(f"if {b.text} == 0: raise cannot_divide({a.text})")
    if name == "mod":
        low = 0 if b.low is not None and b.low >= 0 else None
        return Fragment(f"{a.operand} % {b.operand}", low, None if low is None or b.high is None else b.high - 1)
    text = f"{a.operand} // {b.operand}" if name == "floordiv" else f"-(-{a.operand} // {b.operand})"
    if a.low is None or a.high is None or b.low is None or b.low <= 0:
        return Fragment(text)
    size = max(abs(a.low), abs(a.high))
    return Fragment(text, min(a.low, 0) if a.low >= 0 else -size, size if a.high > 0 else 0)


# ------------------------------------------------------------------ sets


def union(a: Fragment, b: Fragment) -> Fragment:
    """Returns the union of two sets."""
    if a.value is not None and b.value is not None:
        return number(a.value | b.value)
    high = None if a.high is None or b.high is None else a.high | b.high
    return Fragment(f"{a.operand} | {b.operand}", 0, high, is_set=True)


def overlap(a: Fragment, b: Fragment) -> Fragment:
    """Returns the intersection of two sets."""
    if a.value is not None and b.value is not None:
        return number(a.value & b.value)
    bits = b.high if a.high is None else a.high if b.high is None else a.high & b.high
    return Fragment(f"{a.operand} & {b.operand}", 0, bits, is_set=True)


def difference(a: Fragment, b: Fragment) -> Fragment:
    """Returns the difference of two sets."""
    if b.value is None:
        return Fragment(f"{a.operand} & ~{b.operand}", 0, a.high, is_set=True)
    if a.value is not None:
        return number(a.value & ~b.value)
    if a.high is None:
        return Fragment(f"{a.operand} & ~{b.value}", 0, None, is_set=True)
    return Fragment(f"{a.operand} & {a.high & ~b.value}", 0, a.high & ~b.value, is_set=True)


def range_of(f: PrintedFunction, low: Fragment, high: Fragment) -> Fragment:
    """Returns the fragment of the set of all values from one to another."""
    if low.value is not None and high.value is not None:
        if NONE in (low.value, high.value):
            return number(0)
        first, last = max(low.value, 0), min(high.value, SET_LIMIT - 1)
        return number((1 << last + 1) - (1 << first) if first <= last else 0)
    most = None if high.high is None else min(high.high, SET_LIMIT - 1)
    bits = None if most is None else (1 << max(most, -1) + 1) - 1
    if not low.none and not high.none and low.low is not None and low.low >= 0 and most == high.high:
        high = f.named(high)
        low = f.named(low)
        text = f"(1 << {high.text} + 1) - (1 << {low.operand}) if {low.text} <= {high.text} else 0"
        return Fragment(text, 0, bits, is_set=True)
    return Fragment(f"range_mask({low.text}, {high.text})", 0, bits, atom=True, is_set=True)


def single(of: Fragment) -> Fragment:
    """Returns the fragment of the set of one value."""
    if of.value is not None and (of.value == NONE or 0 <= of.value < SET_LIMIT):
        return number(0 if of.value == NONE else 1 << of.value)
    high = None if of.high is None or not 0 <= of.high < SET_LIMIT else (2 << of.high) - 1
    if of.low is not None and of.low >= 0 and high is not None and not of.none:
        return Fragment(f"1 << {of.operand}", 0, high, is_set=True)
    return Fragment(f"single({of.text})", 0, high, atom=True, is_set=True)
