"""Shortest ways over a board, and what they lead to -> floods: the set of spaces reached grows by its neighbours until it
holds the end, or grows no more. On squares and hexes it is shifted; elsewhere tables say what is beside a space."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import attrs

from rulelang.ir.model import DirectedWay, Way
from rulelang.ir.types import NONE, KindType, SetType, size_of
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.function import Builder
from rulelang.program.low.things import piles
from rulelang.program.low.things.places import guarded, position
from rulelang.program.low.things.shifts import directed_shifts, shifted_by, shifts
from rulelang.program.low.words import KnownWord, number

Growth: TypeAlias = Callable[[Builder, low.RegisterWord], low.Word]
"""Emits code that finds the spaces beside a set of spaces."""


@attrs.frozen
class SearchedBoard:
    """A board that is searched: the spaces that count, whether there is one at all, and which spaces are beside others."""

    within: KnownWord
    spaces: int
    inside: low.Word
    grown: Growth


def way(f: Builder, expr: Way | DirectedWay) -> KnownWord:
    """Returns the number of steps from one space to another, or none; without an end, the set of spaces reached."""
    start = f.named(f.expression(expr.start))
    end = None if expr.end is None else f.named(f.expression(expr.end))
    search = search_of(f, expr)
    found = _reached(f, search, start) if end is None else _steps(f, search, start, end)
    return guarded(found, search.inside, _nowhere(end))


def reached(f: Builder, expr: Way | DirectedWay, starts: KnownWord) -> KnownWord:
    """Returns the spaces that are reached from any of some spaces, in place of the one that a search begins at."""
    starts = f.named(starts)
    search = search_of(f, expr)
    found = _flooded(f, search, low.BinaryWord("&", starts.word, search.within.word))
    return guarded(found, search.inside, _nowhere(None))


def is_symmetric(f: Builder, expr: Way | DirectedWay) -> bool:
    """Returns whether each way that a search can find leads back, too."""
    if isinstance(expr, DirectedWay):
        return False
    table = f.lowering.game.tables[expr.neighbours]
    spaces = size_of(table.dimensions[-1])
    return all(
        mask < 0 or all(table.values[first + there] >> space & 1 for there in range(spaces) if mask >> there & 1)
        for first in range(0, len(table.values), spaces)
        for space, mask in enumerate(table.values[first : first + spaces])
    )


def search_of(f: Builder, expr: Way | DirectedWay) -> SearchedBoard:
    """Returns the board that a search goes over, for which it pays."""
    around = [f.named(f.expression(part)) for part in expr.around]
    within = f.named(f.set(expr.within))
    return _freely(f, expr, around, within) if isinstance(expr, Way) else _directed(f, expr, around, within)


def _freely(f: Builder, expr: Way, around: list[KnownWord], within: KnownWord) -> SearchedBoard:
    table = f.lowering.game.tables[expr.neighbours]
    if f.lowering.steps.is_open(expr):
        f.pay(low.UnaryWord("count", within.word))
    spaces = size_of(table.dimensions[-1])
    base, inside = position(f, 0, table.dimensions[: len(around)], around, spaces)
    if isinstance(base, low.ConstWord) and (steps := shifts(table.values)) is not None:
        return SearchedBoard(within, spaces, inside, lambda f, fresh: shifted_by(fresh, steps))
    first = f.kept(base)

    def beside(f: Builder, space: low.Word) -> low.Word:
        return f.lowering.entry(table.type, table.values, low.BinaryWord("+", first, space)).word

    return SearchedBoard(within, spaces, inside, lambda f, fresh: _walked(f, fresh, beside))


def _directed(f: Builder, expr: DirectedWay, around: list[KnownWord], within: KnownWord) -> SearchedBoard:
    table = f.lowering.game.tables[expr.step]
    *above, space_type, direction = table.dimensions
    directions = f.named(f.set(expr.directions))
    if f.lowering.steps.is_open(expr):
        f.pay(low.UnaryWord("count", within.word))
    width, spaces = size_of(direction), size_of(space_type)
    base, inside = position(f, 0, tuple(above), around, spaces * width)
    if isinstance(base, low.ConstWord) and directions.value is not None:
        steps = directed_shifts(table.values, width, directions.value)
        if steps is not None:
            return SearchedBoard(within, spaces, inside, lambda f, fresh: shifted_by(fresh, steps))
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

    return SearchedBoard(within, spaces, inside, lambda f, fresh: _walked(f, fresh, beside))


def _walked(f: Builder, fresh: low.RegisterWord, beside: Callable[[Builder, low.Word], low.Word]) -> low.Word:
    """Emits code that goes through some spaces; returns all that are beside one of them."""
    grown, x = f.kept(low.ConstWord(0)), f.fresh()
    with f.looped() as each:
        f.add(low.SetInst(grown.number, low.BinaryWord("|", grown, beside(f, low.RegisterWord(x)))))
    f.add(low.WalkInst(x, fresh, tuple(each)))
    return grown


def _nowhere(end: KnownWord | None) -> KnownWord:
    """Returns the result of a search where there is no board."""
    return words.known_set(low.ConstWord(0), 0) if end is None else number(NONE)


def _steps(f: Builder, search: SearchedBoard, start: KnownWord, end: KnownWord) -> KnownWord:
    """Returns the number of steps from one space to another, or none."""
    result, steps = f.kept(low.ConstWord(NONE)), f.kept(low.ConstWord(0))
    ends = words.both(words.has(search.within, end).word, words.inside(end, 0, search.spaces - 1))
    with f.aside() as orders:
        goal = f.kept(words.single(end).word)

        def leave(f: Builder, so_far: low.RegisterWord) -> None:
            is_met = low.BinaryWord("!=", low.BinaryWord("&", so_far, goal), low.ConstWord(0))
            f.add(low.IfInst(is_met, (low.SetInst(result.number, steps), low.BreakInst())))

        grow(f, search, words.single(start).word, leave, lambda f, fresh: piles.raised(f, steps))
    f.add(low.IfInst(words.both(words.has(search.within, start).word, ends), tuple(orders)))
    return KnownWord(result, 0, search.spaces, none=True)


def _reached(f: Builder, search: SearchedBoard, start: KnownWord) -> KnownWord:
    """Returns the spaces reached from one space."""
    found = f.kept(low.ConstWord(0))
    with f.aside() as orders:
        f.add(low.SetInst(found.number, _flooded(f, search, words.single(start).word).word))
    f.add(low.IfInst(words.has(search.within, start).word, tuple(orders)))
    return words.known_set(found, search.within.high)


def _flooded(f: Builder, search: SearchedBoard, starts: low.Word) -> KnownWord:
    """Returns the spaces reached from some of the spaces that count."""
    found = grow(f, search, starts, lambda f, so_far: None, lambda f, fresh: None)
    return words.known_set(found, search.within.high)


def grow(
    f: Builder,
    search: SearchedBoard,
    starts: low.Word,
    leave: Callable[[Builder, low.RegisterWord], None],
    count: Callable[[Builder, low.RegisterWord], None],
) -> low.RegisterWord:
    """Emits a loop in which a set of spaces grows by what is beside it: `leave` may end it, `count` sees what is new."""
    so_far = f.kept(starts)
    fresh = f.kept(so_far)
    with f.looped() as body:
        leave(f, so_far)
        f.add(low.IfInst(low.BinaryWord("==", fresh, low.ConstWord(0)), (low.BreakInst(),)))
        near = low.BinaryWord("&", search.grown(f, fresh), search.within.word)
        f.add(low.SetInst(fresh.number, low.BinaryWord("&", near, low.UnaryWord("flip", so_far))))
        f.add(low.SetInst(so_far.number, low.BinaryWord("|", so_far, fresh)))
        count(f, fresh)
    f.add(low.RepeatInst(tuple(body)))
    return so_far
