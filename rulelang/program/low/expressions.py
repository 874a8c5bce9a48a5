"""Expressions of the woven IR -> words, with the statements that must stand before them.

    p.fuel + 1      # Binary("+", Cell(Binary("+", Const(12), Register(0))), Const(1))

An expression that cannot fail is a word. A part that can fail, or that is long and may not be needed, is computed by
statements before it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

import attrs

from rulelang.errors import Unsupported
from rulelang.ir.model import (
    And,
    Bound,
    Calculation,
    CallValue,
    Cell,
    Column,
    Comparison,
    Const,
    Contents,
    Counted,
    DirectedWay,
    Either,
    Expr,
    FaceUp,
    Foreseen,
    HasRow,
    InSlot,
    Local,
    Occurrences,
    Op,
    Openly,
    Or,
    Over,
    OwnerOf,
    Pick,
    PlaceOf,
    Read,
    Roll,
    TopOf,
    Way,
)
from rulelang.ir.model.operators import is_calculation
from rulelang.ir.types import NONE, SET_LIMIT
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.comprehensions import comprehension, singleton
from rulelang.program.low.function import Builder
from rulelang.program.low.rounds.once import once
from rulelang.program.low.rounds.paths import asked_often, connected
from rulelang.program.low.things import zones
from rulelang.program.low.things.chance import pick, roll
from rulelang.program.low.things.past import occurrences, occurrences_after, value_after
from rulelang.program.low.things.places import guarded, keyed, position
from rulelang.program.low.things.ways import way
from rulelang.program.low.words import KnownWord, both, number, truth

LONGEST_RANGE = 256
"""The most numbers in a range with computed ends; longer ones are left to another executor."""
EMPTY = words.known_set(low.ConstWord(0), 0)
KEPT = (CallValue, Over, Way, DirectedWay)
"""What loops compute once where they do not change it; all else is cheap, or made of these."""
SHORT = 6
"""The most operators of an operand that is computed even where it is not needed."""


def expression(f: Builder, expr: Expr) -> KnownWord:
    """Returns the word of an expression; emits the statements that it needs first."""
    known = once(f, expr, lambda: _expression(f, expr)) if isinstance(expr, KEPT) else _expression(f, expr)
    if f.lowering.bits is None:
        return known
    # None may have the bits of a set with as many words: where a set is none, another executor takes the step.
    return words.in_words(f.certain(known) if known.is_set else known)


def set_of(f: Builder, expr: Expr) -> KnownWord:
    """Returns the word of an expression that is a set; none becomes the empty set."""
    match expr:
        case Read():
            known = _read(f, expr, EMPTY)
        case Column():
            known = _column(f, expr, EMPTY)
        case Cell():
            known = f.lowering.values.cell(f, expr, EMPTY)
        case Either():
            known = _either(f, expr, set_of)
        case _:  # any other expression is seldom none
            known = expression(f, expr)
    known = words.as_set(f.named(known) if known.none else known)
    return known if f.lowering.bits is None else words.in_words(known)


def _expression(f: Builder, expr: Expr) -> KnownWord:
    match expr:
        case Const(value=value):
            return number(value)
        case Local(id=id):
            return f.local(id)
        case Read():
            return _read(f, expr, number(NONE))
        case Column():
            return _column(f, expr, number(NONE))
        case CallValue():
            return f.lowering.values.call(f, expr)
        case Cell():
            return f.lowering.values.cell(f, expr, number(NONE))
        case HasRow():
            return f.lowering.values.has_row(f, expr)
        case Op():
            return _operator(f, expr)
        case And(arguments=arguments):
            return _chain(f, arguments, ends=0)
        case Or(arguments=arguments):
            return _chain(f, arguments, ends=1)
        case Either():
            return _either(f, expr, expression)
        case Over():
            return comprehension(f, expr)
        case Contents() | InSlot() | TopOf():
            return zones.zone(f, expr)
        case PlaceOf() | OwnerOf() | FaceUp():
            return zones.whereabouts(f, expr)
        case Way() | DirectedWay():
            return way(f, expr)
        case Roll():
            return roll(f, expr)
        case Pick():
            return pick(f, expr)
        case Occurrences():
            return occurrences(f)
        case Foreseen():
            return occurrences_after(f, expr) if expr.of is None else value_after(f, expr, expr.of)
        case Bound() | Counted() | Openly():
            # Weaving leaves none of these.
            raise Unsupported(f"`{type(expr).__name__}`")
        case _:
            assert_never(expr)


# ------------------------------------------------------------------ places


def _read(f: Builder, expr: Read, otherwise: KnownWord) -> KnownWord:
    state = f.lowering.game.states[expr.state]
    index = keyed(f, state.dimensions, [f.named(f.expression(part)) for part in expr.index])
    cell = f.lowering.cell(f.lowering.layout.states[state.id])
    assert isinstance(cell.index, low.ConstWord)
    place, inside = position(f, cell.index.value, state.dimensions, index, cell.words)
    return guarded(words.typed(low.CellWord(place, cell.words), state.type), inside, otherwise)


def _column(f: Builder, expr: Column, otherwise: KnownWord) -> KnownWord:
    table = f.lowering.game.tables[expr.table]
    index = [f.named(f.expression(part)) for part in expr.of]
    place, inside = position(f, 0, table.dimensions, index)
    if isinstance(place, low.ConstWord) and inside == low.ConstWord(1):
        return number(table.values[place.value])
    return guarded(f.lowering.entry(table.type, table.values, place), inside, otherwise)


# ------------------------------------------------------------------ operators


def _operator(f: Builder, expr: Op) -> KnownWord:
    if is_calculation(expr.name):
        return _calculation(f, expr.name, expr.arguments)
    match expr.name:
        case "in":
            return _membership(f, *expr.arguments)
        case "size":
            return words.size_of_set(f.set(expr.arguments[0]))
        case "single":
            return singleton(f, f.expression(expr.arguments[0]))
        case "range":
            return _range(f, *(f.expression(part) for part in expr.arguments))
        case "union" | "minus" | "inter":
            return words.united(expr.name, *(f.set(part) for part in expr.arguments))
        case "not":
            return truth(words.negated(f.condition(expr.arguments[0])))
        case "!=" if (way := asked_often(f, expr.arguments)) is not None:
            return connected(f, way)
        case "==" | "!=" | "<" | "<=" | ">" | ">=":
            return _comparison(f, expr.name, *(f.expression(part) for part in expr.arguments))
        case _:
            assert_never(expr.name)


def _comparison(f: Builder, name: Comparison, a: KnownWord, b: KnownWord) -> KnownWord:
    if f.lowering.bits is not None and (a.is_set or b.is_set):
        if NONE in (a.value, b.value):  # no set is none
            return number(int(name == "!="))
        a, b = f.certain(a), f.certain(b)
    return words.compared(name, a, b)


def _calculation(f: Builder, name: Calculation, arguments: tuple[Expr, ...]) -> KnownWord:
    """Returns a calculation; traps where its result would read as none."""
    return f.certain(_result(f, name, arguments))


def _result(f: Builder, name: Calculation, arguments: tuple[Expr, ...]) -> KnownWord:
    found = f.numeric(arguments[0])
    if len(arguments) == 1:
        return _signed(f, name, found)
    for argument in arguments[1:]:
        other = f.numeric(argument)
        if name in ("floordiv", "ceildiv", "mod"):
            found, other = f.named(f.narrowed(found, words.SUMMED)), f.named(other)
            if other.low <= 0 <= other.high:
                f.trap_if(
                    low.BinaryWord("==", other.word, low.ConstWord(0)) if other.value is None else low.ConstWord(1)
                )
            found = words.divided(name, found, other)
        else:
            found = _calculated(f, name, found, other)
    return found


def _calculated(f: Builder, name: Calculation, a: KnownWord, b: KnownWord) -> KnownWord:
    """Returns a calculation with two numbers, which are first narrowed if the result may be too large for a word."""
    found = words.calculated(name, a, b)
    if -words.SAFE <= found.low <= found.high <= words.SAFE:
        return found
    most, least = words.SUMMED, min(words.farthest(a), words.farthest(b))
    if name == "*":
        most = words.MULTIPLIED if least > words.MULTIPLIED else words.SAFE // least
    return words.calculated(name, f.narrowed(a, most), f.narrowed(b, most))


def _signed(f: Builder, name: Calculation, known: KnownWord) -> KnownWord:
    match name:
        case "neg":
            return words.result(low.UnaryWord("neg", known.word), -known.high, -known.low)
        case "abs" if known.low < 0:
            known = f.named(known)
            size = max(abs(known.low), abs(known.high))
            return KnownWord(low.BinaryWord("max", known.word, low.UnaryWord("neg", known.word)), 0, size)
        case "abs" | "min" | "max" | "+" | "-" | "*" | "floordiv" | "ceildiv" | "mod":  # of one number, it itself
            return known
        case _:
            assert_never(name)


def _range(f: Builder, first: KnownWord, last: KnownWord) -> KnownWord:
    """Returns the set of all numbers from one to another."""
    if first.value is not None and last.value is not None:
        if NONE in (first.value, last.value):
            return number(0)
        bottom, top = max(first.value, 0), min(last.value, SET_LIMIT - 1)
        mask = (1 << top + 1) - (1 << bottom) if bottom <= top else 0
        return number(mask) if mask.bit_length() > words.WIDEST else words.known_set(low.ConstWord(mask), mask)
    if f.lowering.bits is None:
        return _long_range(f.named(first), f.named(last))
    if last.high >= LONGEST_RANGE:
        last = f.named(last)
        f.trap_if(low.BinaryWord(">=", last.word, low.ConstWord(LONGEST_RANGE)))
        last = attrs.evolve(last, low=min(last.low, LONGEST_RANGE - 1), high=LONGEST_RANGE - 1)
    bits = low.BITS * (max(last.high, 0) // low.BITS + 1)
    first, last = f.named(first), f.named(last)
    from_zero = low.BinaryWord("max", first.word, low.ConstWord(0))
    everything = low.ConstWord((1 << bits) - 1)
    above = low.BinaryWord("<<", everything, low.BinaryWord("min", from_zero, low.ConstWord(bits - 1)))
    missing = low.BinaryWord("-", low.ConstWord(bits - 1), low.BinaryWord("max", last.word, low.ConstWord(0)))
    is_some: low.Word = low.BinaryWord("<=", from_zero, last.word)
    for part in (first, last):
        if part.none:
            is_some = both(low.BinaryWord("!=", part.word, low.ConstWord(NONE)), is_some)
    found = low.BinaryWord("&", above, low.BinaryWord(">>", everything, missing))
    return words.known_set(low.SelectWord(is_some, found, low.ConstWord(0)), (2 << max(last.high, 0)) - 1)


def _long_range(first: KnownWord, last: KnownWord) -> KnownWord:
    """Returns the set of all numbers from one to another, in a word of any size."""
    top = max(min(last.high, SET_LIMIT - 1), 0)
    bottom = low.BinaryWord("max", first.word, low.ConstWord(0)) if first.none or first.low < 0 else first.word
    end = low.BinaryWord("min", last.word, low.ConstWord(top)) if last.high > top else last.word
    is_some: low.Word = low.BinaryWord("<=", bottom, end)
    if first.none:
        is_some = both(low.BinaryWord("!=", first.word, low.ConstWord(NONE)), is_some)
    upper, lower = (low.BinaryWord("<<", low.ConstWord(one), part) for one, part in ((2, end), (1, bottom)))
    return words.known_set(low.SelectWord(is_some, low.BinaryWord("-", upper, lower), low.ConstWord(0)), (2 << top) - 1)


def _membership(f: Builder, item: Expr, of: Expr) -> KnownWord:
    x = f.named(f.expression(item))
    if isinstance(of, Op) and of.name == "range":
        first, last = (f.named(f.expression(part)) for part in of.arguments)
        if NONE in (first.value, last.value):
            return number(0)
        word: low.Word = both(
            low.BinaryWord("<=", low.BinaryWord("max", first.word, low.ConstWord(0)), x.word),
            low.BinaryWord("<=", x.word, low.BinaryWord("min", last.word, low.ConstWord(SET_LIMIT - 1))),
        )
        if first.none:
            word = both(low.BinaryWord("!=", first.word, low.ConstWord(NONE)), word)
        return truth(word)
    if isinstance(of, Const) and of.value.bit_length() > words.WIDEST:
        return truth(words.inside(x, *words.whole_range(of.value)))
    return words.has(f.set(of), x)


# ------------------------------------------------------------------ lazy operators


def _chain(f: Builder, arguments: tuple[Expr, ...], *, ends: int) -> KnownWord:
    """Returns `and` (which ends at the first 0) or `or` (at the first 1)."""
    join = words.either if ends else words.both
    known: low.Word = low.ConstWord(1 - ends)
    for i, argument in enumerate(arguments):
        with f.aside() as before:
            part = f.condition(argument)
        if known == low.ConstWord(1 - ends):
            f.add(*before)
            known = part
        elif known == low.ConstWord(ends):
            break
        elif not before and words.weight(part) <= SHORT:
            known = join(known, part)
        else:
            result = f.kept(known)
            with f.aside() as rest:
                f.add(*before)
                with f.aside() as later:
                    others = _chain(f, arguments[i + 1 :], ends=ends).word if arguments[i + 1 :] else None
                if others is None:
                    f.add(low.SetInst(result.number, part))
                else:
                    done = (low.SetInst(result.number, low.ConstWord(ends)),)
                    going_on = (*later, low.SetInst(result.number, others))
                    f.add(low.IfInst(part, done, going_on) if ends else low.IfInst(part, going_on, done))
            f.add(low.IfInst(words.negated(result) if ends else result, tuple(rest)))
            return truth(result)
    return truth(known)


def _no_number(f: Builder, known: KnownWord) -> KnownWord:
    """Returns a constant that is too large for a number as the set that it is; anything else as it is."""
    is_large = f.lowering.bits is not None and known.value is not None and known.value > words.SAFE
    return words.as_set(known) if is_large else known


def _either(f: Builder, expr: Either, part: Callable[[Builder, Expr], KnownWord]) -> KnownWord:
    condition = f.condition(expr.condition)
    if isinstance(condition, low.ConstWord):
        return part(f, expr.then if condition.value else expr.otherwise)
    with f.aside() as then_orders:
        then = _no_number(f, part(f, expr.then))
    with f.aside() as other_orders:
        other = _no_number(f, part(f, expr.otherwise))
    if not then_orders and not other_orders and words.weight(then.word) + words.weight(other.word) <= SHORT:
        return words.hull(low.SelectWord(condition, then.word, other.word), then, other)
    result = f.fresh()
    f.add(
        low.IfInst(
            condition,
            (*then_orders, low.SetInst(result, then.word)),
            (*other_orders, low.SetInst(result, other.word)),
        )
    )
    return words.hull(low.RegisterWord(result), then, other)
