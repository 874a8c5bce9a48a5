"""Loops in an order -> arrays of the things and their keys, filled before the first turn.

for q in players by highest q.fuel:      # Put(a0, …): a record of keys and thing each, sorted as they come
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import attrs

from rulelang.ir.model import Loop
from rulelang.program.low import model as low
from rulelang.program.low.comprehensions import compared_ranks, ranked
from rulelang.program.low.function import Builder
from rulelang.program.low.rounds.walks import walk
from rulelang.program.low.things.piles import plus, raised
from rulelang.program.low.words import KnownWord


def settled(f: Builder, loop: Loop, most: int) -> tuple[int, low.RegisterWord, int, KnownWord]:
    """Emits code that sorts the things of a loop by its keys; the sort is stable.

    Returns the array, the number of things in it, the number of entries for each (the last is the thing itself), and
    the bounds of the things.
    """
    size = len(loop.keys) + 1
    array, count = f.array(size * (most + 1)), f.kept(low.ConstWord(0))
    with walk(f, loop.source, loop.variable, f.lowering.steps.round(loop)):
        x = f.env[loop.variable.id]
        keys = [f.named(key).word for key in ranked(f, loop.keys)]
        f.trap_if(low.BinaryWord(">=", count, low.ConstWord(most)))
        to = f.kept(low.BinaryWord("*", count, low.ConstWord(size)))
        if keys:
            with f.looped() as back:
                f.add(low.IfInst(low.BinaryWord("==", to, low.ConstWord(0)), (low.BreakInst(),)))
                before: list[low.Word] = [low.ItemWord(array, plus(to, i - size)) for i in range(len(keys))]
                is_less, _ = compared_ranks(list(keys), before)
                f.add(low.IfInst(low.BinaryWord("==", is_less, low.ConstWord(0)), (low.BreakInst(),)))
                f.add(*(low.PutInst(array, plus(to, i), low.ItemWord(array, plus(to, i - size))) for i in range(size)))
                raised(f, to, -size)
            f.add(low.RepeatInst(tuple(back)))
        f.add(*(low.PutInst(array, plus(to, i), word) for i, word in enumerate([*keys, x.word])))
        raised(f, count)
    return array, count, size, x


@contextmanager
def in_order(f: Builder, loop: Loop) -> Iterator[None]:
    """Emits a loop over things in the order of its keys; statements added in the context are its body."""
    array, count, size, x = settled(f, loop, f.lowering.steps.counts.length(loop.source))
    at, thing = f.kept(low.ConstWord(0)), f.fresh()
    f.env[loop.variable.id] = attrs.evolve(x, word=low.RegisterWord(thing))
    with f.looped() as body:
        f.add(low.IfInst(low.BinaryWord(">=", at, count), (low.BreakInst(),)))
        f.add(low.SetInst(thing, low.ItemWord(array, plus(low.BinaryWord("*", at, low.ConstWord(size)), size - 1))))
        raised(f, at)
        yield
    f.add(low.RepeatInst(tuple(body)))
