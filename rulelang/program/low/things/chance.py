"""Rolls and picks -> words drawn from the streams, as `machines.chance.Seeded` draws them.

roll d6              # Draw(r3, stream 0); table4[r3 high 6]
"""

from __future__ import annotations

from rulelang.ir.model import Pick, Roll
from rulelang.ir.steps import CHANCE
from rulelang.ir.types import NONE, IntType
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.function import Builder
from rulelang.program.low.things import piles
from rulelang.program.low.things.zones import mask_of
from rulelang.program.low.words import KnownWord, number
from rulelang.program.randomness import written_keys


def roll(f: Builder, expr: Roll) -> KnownWord:
    """Returns the sum of some rolls of a die; none if there is no such die."""
    die = f.named(f.expression(expr.die))
    times = None if expr.times is None else f.named(f.numeric(expr.times))
    dice = f.lowering.game.dice
    is_die = (
        words.inside(die, 0, len(dice) - 1) if die.value is None else low.ConstWord(int(0 <= die.value < len(dice)))
    )
    if times is not None and f.lowering.steps.is_open(expr):
        cost = low.BinaryWord("*", low.BinaryWord("max", times.word, low.ConstWord(0)), low.ConstWord(CHANCE))
        f.pay(words.chosen(is_die, cost, low.ConstWord(0)))
    if die.value is not None:
        return _thrown(f, die.value, times) if is_die == low.ConstWord(1) else number(NONE)
    result, known = f.kept(low.ConstWord(NONE)), number(NONE)
    for each in dice:
        with f.aside() as orders:
            thrown = _thrown(f, each.id, times)
            f.add(low.SetInst(result.number, thrown.word))
        known = words.hull(result, known, thrown)
        f.add(low.IfInst(low.BinaryWord("==", die.word, low.ConstWord(each.id)), tuple(orders)))
    return KnownWord(result, known.low, known.high, none=True)


def _thrown(f: Builder, die: int, times: KnownWord | None) -> KnownWord:
    """Returns the sum of some rolls of a known die."""
    faces = f.lowering.game.dice[die].faces
    stream = f.lowering.game.streams.index(f.lowering.game.dice[die].name)
    if times is None:
        return f.named(_throw(f, stream, faces))
    most = max(times.high, 0)
    total, count = f.kept(low.ConstWord(0)), f.kept(low.ConstWord(0))
    with f.looped() as body:
        f.add(low.IfInst(low.BinaryWord(">=", count, times.word), (low.BreakInst(),)))
        f.add(low.SetInst(total.number, low.BinaryWord("+", total, _throw(f, stream, faces).word)))
        f.add(low.SetInst(count.number, low.BinaryWord("+", count, low.ConstWord(1))))
    f.add(low.RepeatInst(tuple(body)))
    return KnownWord(total, min(0, min(faces) * most), max(0, max(faces) * most))


def _throw(f: Builder, stream: int, faces: tuple[int, ...]) -> KnownWord:
    drawn, size = f.fresh(), low.ConstWord(len(faces))
    f.add(low.DrawInst(drawn, stream))
    # The few words that would favour some faces are rejected and drawn anew, by another executor.
    f.trap_if(words.negated(low.BinaryWord("outside", low.BinaryWord("*", low.RegisterWord(drawn), size), size)))
    place = low.BinaryWord("high", low.RegisterWord(drawn), size)
    return f.lowering.entry(IntType(min(faces), max(faces)), faces, place)


def pick(f: Builder, expr: Pick) -> KnownWord:
    """Returns a random member of a set: the one whose own word, mixed with the word drawn, is the lowest."""
    among = f.named(mask_of(f, expr.of))
    if f.lowering.steps.is_open(expr):
        f.pay(low.UnaryWord("count", among.word))
    bottom, top = words.span(among.high) if among.high else (0, 0)
    found, best, drawn, x = f.kept(low.ConstWord(NONE)), f.kept(low.ConstWord(0)), f.fresh(), f.fresh()
    kind = f.lowering.layout.picked.get(expr.stream)
    of = low.RegisterWord(x)
    own: low.Word = low.UnaryWord("mixed", of)
    if kind is not None and top < f.lowering.game.kinds[kind].size:
        own = f.lowering.entry(IntType(0, 0), tuple(written_keys(f.lowering.game.kinds[kind])), of).word
    with f.looped() as body:
        rank = f.kept(piles.rank(f, low.RegisterWord(drawn), own))
        better = low.BinaryWord("|", low.BinaryWord("==", found, low.ConstWord(NONE)), low.BinaryWord("<", rank, best))
        f.add(low.IfInst(better, (low.SetInst(found.number, of), low.SetInst(best.number, rank))))
    walk = low.WalkInst(x, among.word, tuple(body))
    f.add(low.IfInst(low.BinaryWord("!=", among.word, low.ConstWord(0)), (low.DrawInst(drawn, expr.stream), walk)))
    return KnownWord(found, bottom, top, none=True)
