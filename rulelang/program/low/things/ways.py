"""Shortest ways over a board, and what they lead to -> floods: the set of spaces reached grows by its neighbours until it
holds the end, or grows no more."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.ir.model import DirectedWay, Way
from rulelang.ir.types import NONE, KindType, SetType, size_of
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.function import Builder
from rulelang.program.low.things import piles
from rulelang.program.low.things.places import guarded, position
from rulelang.program.low.words import KnownWord, number


def way(f: Builder, expr: Way) -> KnownWord:
    """Returns the number of steps from one space to another, or none."""
    table = f.lowering.game.tables[expr.neighbours]
    around = [f.named(f.expression(part)) for part in expr.around]
    start, end = _ends(f, expr)
    within = f.named(f.set(expr.within))
    if f.lowering.steps.is_open(expr):
        f.pay(low.UnaryWord("count", within.word))
    width = size_of(table.dimensions[-1])
    base, inside = position(f, 0, table.dimensions[: len(around)], around, width)
    first = f.kept(base)

    def beside(f: Builder, space: low.Word) -> low.Word:
        return f.lowering.entry(table.type, table.values, low.BinaryWord("+", first, space)).word

    return guarded(_flood(f, start, end, within, width, beside), inside, _nowhere(end))


def directed_way(f: Builder, expr: DirectedWay) -> KnownWord:
    """Returns the number of steps, each in one of some directions, from one space to another, or none."""
    table = f.lowering.game.tables[expr.step]
    *above, space_type, direction = table.dimensions
    around = [f.named(f.expression(part)) for part in expr.around]
    start, end = _ends(f, expr)
    within, directions = f.named(f.set(expr.within)), f.named(f.set(expr.directions))
    if f.lowering.steps.is_open(expr):
        f.pay(low.UnaryWord("count", within.word))
    width, spaces = size_of(direction), size_of(space_type)
    base, inside = position(f, 0, tuple(above), around, spaces * width)
    first = f.kept(base)
    bits = f.lowering.words_of(SetType(KindType("", spaces)))

    def beside(f: Builder, space: low.Word) -> low.Word:
        found, x = f.kept(low.ConstWord(0)), f.fresh()
        row = f.kept(low.BinaryWord("+", first, low.BinaryWord("*", space, low.ConstWord(width))))
        with f.looped() as body:
            step = f.lowering.entry(table.type, table.values, low.BinaryWord("+", row, low.RegisterWord(x)))
            there = f.kept(step.word)
            bit: low.Word = low.BinaryWord("<<", low.ConstWord(1), there) if bits == 1 else low.BitWord(there, bits)
            f.add(
                low.IfInst(
                    low.BinaryWord("!=", there, low.ConstWord(NONE)),
                    (low.SetInst(found.number, low.BinaryWord("|", found, bit)),),
                )
            )
        f.add(low.WalkInst(x, directions.word, tuple(body)))
        return found

    return guarded(_flood(f, start, end, within, spaces, beside), inside, _nowhere(end))


def _ends(f: Builder, expr: Way | DirectedWay) -> tuple[KnownWord, KnownWord | None]:
    start = f.named(f.expression(expr.start))
    return start, None if expr.end is None else f.named(f.expression(expr.end))


def _nowhere(end: KnownWord | None) -> KnownWord:
    """Returns the result of a search where there is no board."""
    return words.known_set(low.ConstWord(0), 0) if end is None else number(NONE)


def _flood(
    f: Builder,
    start: KnownWord,
    end: KnownWord | None,
    within: KnownWord,
    spaces: int,
    beside: Callable[[Builder, low.Word], low.Word],
) -> KnownWord:
    """Returns the number of steps to the end or none; without an end, the set of spaces reached."""
    result, steps = f.kept(_nowhere(end).word), f.kept(low.ConstWord(0))
    is_there = words.has(within, start).word
    if end is not None:
        is_there = words.both(is_there, words.inside(end, 0, spaces - 1))
    with f.aside() as orders:
        reached = f.kept(words.single(start).word)
        fresh = f.kept(reached)
        with f.looped() as body:
            if end is not None:
                has_end = words.has(words.known_set(reached, (1 << spaces) - 1), end).word
                f.add(low.IfInst(has_end, (low.SetInst(result.number, steps), low.BreakInst())))
            f.add(low.IfInst(low.BinaryWord("==", fresh, low.ConstWord(0)), (low.BreakInst(),)))
            grown, x = f.kept(low.ConstWord(0)), f.fresh()
            with f.looped() as each:
                f.add(low.SetInst(grown.number, low.BinaryWord("|", grown, beside(f, low.RegisterWord(x)))))
            f.add(low.WalkInst(x, fresh, tuple(each)))
            left = low.BinaryWord("&", low.BinaryWord("&", grown, within.word), low.UnaryWord("flip", reached))
            f.add(low.SetInst(fresh.number, left), low.SetInst(reached.number, low.BinaryWord("|", reached, fresh)))
            if end is not None:
                piles.raised(f, steps)
        f.add(low.RepeatInst(tuple(body)))
        if end is None:
            f.add(low.SetInst(result.number, reached))
    f.add(low.IfInst(is_there, tuple(orders)))
    if end is None:
        return words.known_set(result, within.high)
    return KnownWord(result, 0, spaces, none=True)
