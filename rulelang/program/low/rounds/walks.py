"""Loops over sources, whose bodies are the statements that are added in a context.

with walk(f, source, variable): f.add(order)      # Walk(4, players, (order,))
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulelang.ir.model import Const, Op, Source, Variable
from rulelang.ir.types import SET_LIMIT
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.function import Builder
from rulelang.program.low.things.piles import raised
from rulelang.program.low.things.zones import snapshot
from rulelang.program.low.words import KnownWord, number


@contextmanager
def walk(
    f: Builder, source: Source, variable: Variable, rate: int = 0, only: KnownWord | None = None
) -> Iterator[None]:
    """Emits a loop over a source that pays `rate` steps for each thing; statements added in the context are its
    body. It skips what is not in `only`, but pays for it."""
    if source.pile is not None:
        with _through(f, source, variable, rate):
            yield
        return
    assert source.mask is not None
    ends = _ends(f, source.mask) if only is None else None
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
    if only is not None:
        mask = words.united("inter", mask, only)
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
