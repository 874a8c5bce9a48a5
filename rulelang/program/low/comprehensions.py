"""Comprehensions and walks over sets -> loops that fill a register.

count(q in players if q.zone == z)      # Set(3, 0); Walk(4, players, (If(…, (Set(3, r3 + 1),)),))
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never

from rulelang.ir.model import Const, Op, Order, Over, Source, Variable
from rulelang.ir.types import NONE, SET_LIMIT, IntType
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.function import Builder
from rulelang.program.low.things.piles import raised
from rulelang.program.low.things.zones import snapshot
from rulelang.program.low.words import KnownWord, number, truth

MORE = -NONE
MOST_OF_ANY = 1 << 256
"""More than any number that the rules compute."""


@contextmanager
def walk(f: Builder, source: Source, variable: Variable, rate: int = 0) -> Iterator[None]:
    """Emits a loop over a source that pays `rate` steps for each thing; statements added in the context are its
    body."""
    if source.pile is not None:
        with _through(f, source, variable, rate):
            yield
        return
    assert source.mask is not None
    ends = _ends(f, source.mask)
    known = _known_range(ends) if ends is not None and f.lowering.bits is None else None
    if ends is not None and known is None:
        with _counted(f, *ends, variable, rate):
            yield
        return
    mask = known or f.named(f.set(source.mask))
    if rate:
        f.pay(
            low.ConstWord(mask.value.bit_count() * rate)
            if mask.value is not None
            else _times(low.UnaryWord("count", mask.word), rate)
        )
    register = f.fresh()
    bottom, top = words.span(mask.high) if mask.high else (0, 0)
    f.env[variable.id] = KnownWord(low.RegisterWord(register), bottom, top)
    with f.looped() as body:
        yield
    f.add(low.WalkInst(register, mask.word, tuple(body)))


@contextmanager
def _through(f: Builder, source: Source, variable: Variable, rate: int) -> Iterator[None]:
    """Emits a loop over the things of a pile from its top."""
    array, count, only = snapshot(f, source)
    assert source.pile is not None
    size = f.lowering.game.kinds[f.lowering.game.zones[source.pile.zone].kind].size
    if rate:
        f.pay(_times(count, rate))
    at, x = f.kept(low.ConstWord(0)), f.fresh()
    f.env[variable.id] = KnownWord(low.RegisterWord(x), 0, size - 1)
    with f.looped() as body:
        f.add(low.IfInst(low.BinaryWord(">=", at, count), (low.BreakInst(),)))
        f.add(low.SetInst(x, low.ItemWord(array, at)))
        raised(f, at)
        with guarded(f, low.ConstWord(1) if only is None else words.has(only, f.env[variable.id]).word):
            yield
    f.add(low.RepeatInst(tuple(body)))


def _times(word: low.Word, rate: int) -> low.Word:
    return word if rate == 1 else low.BinaryWord("*", word, low.ConstWord(rate))


def _ends(f: Builder, mask: object) -> tuple[KnownWord, KnownWord] | None:
    """Returns the ends of a range of numbers that is iterated without being built, as it may be too wide; else None."""
    match mask:
        case Const(value=value) if value.bit_length() > words.WIDEST or (
            value.bit_length() > low.BITS and _is_whole(value)
        ):
            ends = words.whole_range(value)
            return number(ends[0]), number(ends[1])
        case Op(name="range", arguments=(first_expr, last_expr)):
            first, last = (f.named(f.expression(part)) for part in (first_expr, last_expr))
            if first.none or last.none:
                return None
            return words.calculated("max", first, number(0)), words.calculated("min", last, number(SET_LIMIT - 1))
        case _:  # any other set is built
            return None


def _known_range(ends: tuple[KnownWord, KnownWord]) -> KnownWord | None:
    """Returns the set of all numbers of a range; None where its ends are not known, or too far apart."""
    first, last = ends[0].value, ends[1].value
    if first is None or last is None or last >= words.WIDEST:
        return None
    return words.known_set(low.ConstWord(held := sum(1 << i for i in range(first, last + 1))), held)


def _is_whole(mask: int) -> bool:
    low, high = words.span(mask)
    return mask == (2 << high) - (1 << low)


@contextmanager
def _counted(f: Builder, first: KnownWord, last: KnownWord, variable: Variable, rate: int) -> Iterator[None]:
    """Emits a loop over the numbers from one to another."""
    register, last = f.fresh(), f.named(last)
    f.add(low.SetInst(register, first.word))
    x = low.RegisterWord(register)
    if rate:
        many = low.BinaryWord(
            "max", low.BinaryWord("+", low.BinaryWord("-", last.word, x), low.ConstWord(1)), low.ConstWord(0)
        )
        f.pay(_times(many, rate))
    # The body sees a copy, so that the counter can be advanced before the body leaves the loop or starts its next
    # round.
    seen = f.fresh()
    f.env[variable.id] = KnownWord(low.RegisterWord(seen), first.low, max(first.low, last.high))
    with f.looped() as body:
        f.add(low.IfInst(low.BinaryWord(">", x, last.word), (low.BreakInst(),)))
        f.add(low.SetInst(seen, x), low.SetInst(register, low.BinaryWord("+", x, low.ConstWord(1))))
        yield
    f.add(low.RepeatInst(tuple(body)))


@contextmanager
def guarded(f: Builder, condition: low.Word) -> Iterator[None]:
    """Emits an `if`; statements added in the context are its body."""
    with f.aside() as body:
        yield
    if condition != low.ConstWord(0) and body:
        f.add(*body) if condition == low.ConstWord(1) else f.add(low.IfInst(condition, tuple(body)))


@contextmanager
def passing(f: Builder, over: Over) -> Iterator[None]:
    """Emits the loops of a comprehension and the `if` of its condition."""
    rates = f.lowering.steps.rates(over) or (0,) * len(over.names)
    with _walks(f, over, 0, rates):
        yield


@contextmanager
def _walks(f: Builder, over: Over, i: int, rates: tuple[int, ...]) -> Iterator[None]:
    if i == len(over.names):
        if over.condition is None:
            yield
            return
        condition = f.condition(over.condition)
        with guarded(f, condition):
            yield
        return
    with walk(f, over.sources[i], over.names[i], rates[i]), _walks(f, over, i + 1, rates):
        yield


def comprehension(f: Builder, over: Over) -> KnownWord:
    """Returns the result of a comprehension."""
    match over.what:
        case "any" | "all":
            return _whether(f, over)
        case "first" | "best":
            return chosen(f, over)
        case "min" | "max":
            return _extreme(f, over)
        case "set" | "count" | "sum":
            return _gathered(f, over)
        case _:
            assert_never(over.what)


def _whether(f: Builder, over: Over) -> KnownWord:
    """Emits `any` or `all`, whose loops end as soon as the result is known."""
    default = over.what == "all"
    result = f.kept(low.ConstWord(int(default)))
    leave = (low.SetInst(result.number, low.ConstWord(int(not default))), low.BreakInst(len(over.names) - 1))
    with passing(f, over):
        holds = low.ConstWord(1) if over.value is None else f.condition(over.value)
        wanted = words.negated(holds) if default else holds
        if wanted != low.ConstWord(0):
            f.add(low.IfInst(wanted, leave))
    return truth(result)


def _gathered(f: Builder, over: Over) -> KnownWord:
    """Emits a count, a sum or a set."""
    result = f.kept(low.ConstWord(0))
    times, value = 1, number(1)
    with passing(f, over):
        for variable in over.names:
            times *= f.env[variable.id].high + 1
        if over.what == "set":
            assert over.value is not None or len(over.names) == 1
            of = f.env[over.names[0].id] if over.value is None else f.expression(over.value)
            value = singleton(f, of)
            f.add(low.SetInst(result.number, low.BinaryWord("|", result, value.word)))
        else:
            if over.what == "sum" and over.value is not None:
                value = f.narrowed(f.numeric(over.value), words.SAFE // times)
            f.add(low.SetInst(result.number, low.BinaryWord("+", result, value.word)))
            if value.low * times <= NONE:
                f.trap_if(low.BinaryWord("==", result, low.ConstWord(NONE)))
    if over.what == "set":
        return words.known_set(result, value.value if value.value is not None else value.high)
    return KnownWord(result, min(0, value.low * times), max(0, value.high * times))


def singleton(f: Builder, known: KnownWord) -> KnownWord:
    """Returns the set of one number; traps where a set has no bit for it."""
    if known.value is not None and known.value != NONE and not 0 <= known.value < words.WIDEST:
        f.add(low.TrapInst())
        return number(0)
    if known.low < 0 or known.high >= words.WIDEST:
        known = f.within(known, IntType(0, (f.lowering.bits or SET_LIMIT) - 1))
    return words.single(known if isinstance(known.word, low.ConstWord) or not known.none else f.named(known))


def _extreme(f: Builder, over: Over) -> KnownWord:
    """Emits the least or the greatest value; none is passed over."""
    assert over.value is not None
    least, result = over.what == "min", low.RegisterWord(f.fresh())
    with f.aside() as orders, passing(f, over):
        value = f.named(f.expression(over.value))
        # Every number is above none, but for those that take more than 32 bits.
        start = _beyond(f, value) if least else NONE if value.low > NONE else -_beyond(f, value)
        better: low.Word = low.BinaryWord("<" if least else ">", value.word, result)
        if start != NONE and value.none:
            better = words.both(low.BinaryWord("!=", value.word, low.ConstWord(NONE)), better)
        f.add(low.IfInst(better, (low.SetInst(result.number, value.word),)))
    f.add(low.SetInst(result.number, low.ConstWord(start)), *orders)
    if start != NONE:
        is_none = low.BinaryWord("==", result, low.ConstWord(start))
        f.add(low.IfInst(is_none, (low.SetInst(result.number, low.ConstWord(NONE)),)))
    return KnownWord(result, value.low, value.high, none=True)


def _beyond(f: Builder, value: KnownWord) -> int:
    """Returns a number above all that a value can be."""
    usual = MORE if f.lowering.bits is not None else MOST_OF_ANY
    return max(usual, value.high + 1, 1 - value.low)


def chosen(f: Builder, over: Over) -> KnownWord:
    """Emits the first thing in the order of keys, or the set of all that tie for it."""
    first = over.what == "first"
    result = f.kept(low.ConstWord(NONE if first else 0))
    is_found = f.kept(low.ConstWord(0))
    best = [f.fresh() for _ in over.keys]
    for register in best:
        f.add(low.SetInst(register, low.ConstWord(0)))
    with passing(f, over):
        x = f.env[over.names[0].id]
        alone = x.word if first else words.single(x).word
        if not over.keys:
            f.add(low.SetInst(result.number, alone if first else low.BinaryWord("|", result, alone)))
            if first:
                f.add(low.BreakInst())
        else:
            keys = [f.named(key) for key in ranked(f, over.keys)]
            is_less, is_same = compared_ranks([key.word for key in keys], list(map(low.RegisterWord, best)))
            take = (
                low.SetInst(result.number, alone),
                low.SetInst(is_found.number, low.ConstWord(1)),
                *(low.SetInst(register, key.word) for register, key in zip(best, keys, strict=True)),
            )
            tie = (
                ()
                if first
                else (low.IfInst(is_same, (low.SetInst(result.number, low.BinaryWord("|", result, alone)),)),)
            )
            f.add(low.IfInst(words.either(words.negated(is_found), is_less), take, tie))
    if first:
        return KnownWord(result, x.low, x.high, none=True)
    return words.known_set(result, (2 << x.high) - 1)


def ranked(f: Builder, keys: tuple[Order, ...]) -> list[KnownWord]:
    """Returns the sort key of the current thing; the least comes first."""
    found = []
    for key in keys:
        value = f.expression(key.value)
        word: low.Word = value.word
        if key.highest:
            word = low.ConstWord(-value.value) if value.value is not None else low.UnaryWord("neg", value.word)
        found.append(KnownWord(word, 0, 0))
    return found


def compared_ranks(mine: list[low.Word], others: list[low.Word]) -> tuple[low.Word, low.Word]:
    """Returns whether one sort key comes before another, and whether they are the same."""
    is_less: low.Word = low.ConstWord(0)
    is_same: low.Word = low.ConstWord(1)
    for a, b in zip(mine, others, strict=True):
        is_less = words.either(is_less, words.both(is_same, low.BinaryWord("<", a, b)))
        is_same = words.both(is_same, low.BinaryWord("==", a, b))
    return is_less, is_same
