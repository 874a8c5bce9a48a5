"""Comprehensions and walks over sets -> loops that fill a register.

count(q in players if q.zone == z)      # Set(3, 0); Walk(4, players, (If(…, (Set(3, r3 + 1),)),))
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never

import attrs

from rulelang.ir.model import And, Const, Expr, Local, Op, Order, Over, Source
from rulelang.ir.types import NONE, SET_LIMIT, IntType, KindType
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.function import Builder
from rulelang.program.low.rounds.masks import conjuncts, is_built, mask_where, split
from rulelang.program.low.rounds.once import found_once, is_kept, unchanging
from rulelang.program.low.rounds.walks import guarded, walk
from rulelang.program.low.words import KnownWord, number, truth

MORE = -NONE
MOST_OF_ANY = 1 << 256
"""More than any number that the rules compute."""


@contextmanager
def passing(f: Builder, over: Over, also: Expr | None = None) -> Iterator[None]:
    """Emits the loops of a comprehension and the `if` of its condition, and of another one."""
    rates = f.lowering.steps.rates(over) or (0,) * len(over.names)
    with _walks(f, over, 0, rates, (*conjuncts(over.condition), *conjuncts(also))):
        yield


@contextmanager
def _walks(f: Builder, over: Over, i: int, rates: tuple[int, ...], conditions: tuple[Expr, ...]) -> Iterator[None]:
    if i == len(over.names):
        with guarded(f, f.condition(And(conditions)) if conditions else low.ConstWord(1)):
            yield
        return
    orders, at = f.orders, len(f.orders)
    name, source = over.names[i], over.sources[i]
    only, rest = split(f, conditions, name, source) if i + 1 == len(over.names) else (None, conditions)
    with (
        walk(f, source, name, rates[i], only),
        unchanging(f, {name.id}, orders, at),
        _walks(f, over, i + 1, rates, rest),
    ):
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
    if over.what == "any" and (held := _found_at_once(f, over)) is not None:
        return held
    if (met := _meets(f, over)) is not None:
        return met
    default = over.what == "all"
    result = f.kept(low.ConstWord(int(default)))
    leave = (low.SetInst(result.number, low.ConstWord(int(not default))), low.BreakInst(len(over.names) - 1))
    with passing(f, over, None if default else over.value):
        wanted: low.Word = low.ConstWord(1)
        if default:
            wanted = low.ConstWord(0) if over.value is None else words.negated(f.condition(over.value))
        with guarded(f, wanted):
            f.add(*leave)
    return truth(result)


def _meets(f: Builder, over: Over) -> KnownWord | None:
    """Returns whether `any` or `all` holds for a set that is another one in each round of a loop, by the members that would
    decide it, looked for once for all rounds. None where that is not worth it: a set of one word is gone through quickly."""
    match over:
        case Over(names=(name,), sources=(Source(mask=mask, pile=None),), value=value) if (
            mask is not None and value is not None
        ):
            decides = value if over.what == "any" else Op("not", (value,))
        case _:  # it goes through several sources, or a pile
            return None
    size = name.type.size if isinstance(name.type, KindType) else 0
    if not low.BITS < size <= words.WIDEST or isinstance(mask, Const) or f.lowering.steps.opens(over):
        return None
    every, condition = Source(Const((1 << size) - 1)), And((*conjuncts(over.condition), decides))
    deciding = Over("set", (name,), (every,), None, condition)
    if not is_kept(f, deciding) or is_kept(f, mask):
        return None
    with f.aside() as orders:
        held = found_once(f, deciding)
    if any(isinstance(order, low.TrapInst) for order in low.orders(tuple(orders))):
        return None
    f.add(*orders)
    meets = words.united("inter", f.named(f.set(mask)), held).condition
    return truth(meets if over.what == "any" else words.negated(meets))


def _found_at_once(f: Builder, over: Over) -> KnownWord | None:
    """Returns whether `any` of two known sets has a pair for which its value holds, if all members of the first for which it
    does are found at once; it pays as much as a loop that goes through them up to the first. None where it needs a loop."""
    match over:
        case Over(
            names=(name, inner), sources=(Source(Const(value=first), None), Source(Const(value=second), None) as source)
        ) if over.condition is None and first.bit_length() <= words.WIDEST:
            pass
        case _:  # what it goes through is not known, or has to be tried one by one
            return None
    if over.value is None or f.lowering.steps.opens(over.value):
        return None
    with f.aside() as orders:
        mask = mask_where(f, attrs.evolve(over, names=(inner,), sources=(source,)), name)
    if mask is None:
        return None
    f.add(*orders)
    hits = f.named(words.united("inter", words.known_set(low.ConstWord(first), first), mask))
    outer, each = f.lowering.steps.rates(over) or (0, 0)
    f.pay(outer * first.bit_count())
    each *= second.bit_count()
    if each:
        passed, x = f.kept(low.ConstWord(first.bit_count())), f.fresh()
        before = tuple((first & (2 << space) - 1).bit_count() for space in range(first.bit_length()))
        rounds = f.lowering.entry(IntType(0, first.bit_count()), before, low.RegisterWord(x))
        f.add(low.WalkInst(x, hits.word, (low.SetInst(passed.number, rounds.word), low.BreakInst())))
        f.pay(low.BinaryWord("*", passed, low.ConstWord(each)))
    return truth(hits.condition)


def _gathered(f: Builder, over: Over) -> KnownWord:
    """Emits a count, a sum or a set."""
    if over.what != "sum" and (held := _masked(f, over)) is not None:
        return held if over.what == "set" else words.size_of_set(held)
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


def _masked(f: Builder, over: Over) -> KnownWord | None:
    """Returns the set of all members for which the condition holds; None where they are found by a loop."""
    if len(over.names) > 1 or over.condition is None:
        return None
    (name,), (source,) = over.names, over.sources
    if over.value not in (None, Local(name.id)):
        return None
    if source.mask is None or not is_built(source):
        return None
    with f.aside() as orders:
        mask = f.named(f.set(source.mask))
        for rate in f.lowering.steps.rates(over):
            f.pay(low.BinaryWord("*", words.size_of_set(mask).word, low.ConstWord(rate)))
        only, rest = split(f, conjuncts(over.condition), name, source, mask)
    if only is None or rest:
        return None
    f.add(*orders)
    return words.united("inter", mask, only)


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
