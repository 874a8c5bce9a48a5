"""Rolls and picks -> words drawn from the streams, as `machines.chance.Seeded` draws them.

roll d6              # Draw(r3, stream 0); table4[r3 high 6]
"""

from __future__ import annotations

from rulelang.ir.model import Const, Pick, Roll
from rulelang.ir.steps import CHANCE
from rulelang.ir.types import NONE, IntType
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.function import Builder
from rulelang.program.low.things import piles
from rulelang.program.low.things.telling import tell, tell_drawn
from rulelang.program.low.things.zones import mask_of, zone_index, zone_place
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
        return _thrown(f, expr, die.value, times) if is_die == low.ConstWord(1) else number(NONE)
    result, known = f.kept(low.ConstWord(NONE)), number(NONE)
    for each in dice:
        with f.aside() as orders:
            thrown = _thrown(f, expr, each.id, times)
            f.add(low.SetInst(result.number, thrown.word))
        known = words.hull(result, known, thrown)
        f.add(low.IfInst(low.BinaryWord("==", die.word, low.ConstWord(each.id)), tuple(orders)))
    return KnownWord(result, known.low, known.high, none=True)


def _thrown(f: Builder, expr: Roll, die: int, times: KnownWord | None) -> KnownWord:
    """Returns the sum of some rolls of a known die."""
    faces = f.lowering.game.dice[die].faces
    stream = _stream_of(f, expr, die)
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


def _stream_of(f: Builder, expr: Roll, die: int) -> low.Word:
    """Returns the stream of a throw of a known die."""
    if expr.stream is None:
        return low.ConstWord(f.lowering.game.streams.index(f.lowering.game.dice[die].name))
    before = 0 if isinstance(expr.die, Const) else die * max(expr.cells, 1)
    return _own_stream(f, expr.stream + before, expr.cells)


def _own_stream(f: Builder, first: int, cells: int) -> low.Word:
    """Returns the stream of a draw for the cell that the statement changes, where each has its own."""
    if not cells or f.target is None:
        return low.ConstWord(first)
    stream = piles.plus(low.ConstWord(first), f.target)
    return stream if isinstance(stream, low.ConstWord) else f.kept(stream)


def _throw(f: Builder, stream: low.Word, faces: tuple[int, ...]) -> KnownWord:
    if f.lowering.asks_chance:
        asked = f.fresh()
        f.add(low.OutcomeInst(asked, "roll", stream, tuple(map(low.ConstWord, faces))))
        face = KnownWord(low.RegisterWord(asked), min(faces), max(faces))
    else:
        face = _drawn(f, stream, faces)
    if f.lowering.is_traced:
        face = f.named(face)
    tell_drawn(f, "rolled", stream, face.word)
    if f.tells:
        tell(f, "roll", stream, face.word)
    return face


def _drawn(f: Builder, stream: low.Word, faces: tuple[int, ...]) -> KnownWord:
    """Returns the face that a seed's draw stands for."""
    drawn, size = f.fresh(), low.ConstWord(len(faces))
    f.add(low.DrawInst(drawn, stream))
    # The few words that would favour some faces are rejected and drawn anew, by another executor.
    f.trap_if(words.negated(low.BinaryWord("outside", low.BinaryWord("*", low.RegisterWord(drawn), size), size)))
    place = low.BinaryWord("high", low.RegisterWord(drawn), size)
    return f.lowering.entry(IntType(min(faces), max(faces)), faces, place)


def pick(f: Builder, expr: Pick) -> KnownWord:
    """Returns a random member of a set."""
    among = f.named(mask_of(f, expr.of))
    if f.lowering.steps.is_open(expr):
        f.pay(low.UnaryWord("count", among.word))
    bottom, top = words.span(among.high) if among.high else (0, 0)
    found = f.kept(low.ConstWord(NONE))
    asks = f.lowering.asks_chance
    stream = _own_stream(f, expr.stream, expr.cells)
    picked = (_asked(f, expr, stream, found.number, among),) if asks else _least(f, expr, stream, found, among, top)
    with f.aside() as told:
        _tell_picked(f, expr, stream, found, among)
        tell(f, "pick", stream, found)
    f.add(low.IfInst(low.BinaryWord("!=", among.word, low.ConstWord(0)), (*picked, *told)))
    return KnownWord(found, bottom, top, none=True)


def _asked(f: Builder, expr: Pick, stream: low.Word, register: int, among: KnownWord) -> low.OutcomeInst:
    """Returns the statement that asks for a member of a set, or for
    a thing of a pile, whose order a source of chance may heed."""
    pile = expr.of.pile
    if pile is None or f.lowering.game.zones[pile.zone].form != "pile":
        return low.OutcomeInst(register, "pick", stream, (among.word,))
    zone = f.lowering.game.zones[pile.zone]
    # The pile exists, or the set of its things would be empty.
    place, _ = zone_place(f, zone, zone_index(f, zone, pile.index))
    return low.OutcomeInst(register, "pick from a pile", stream, (low.CellWord(place), among.word))


def _tell_picked(f: Builder, expr: Pick, stream: low.Word, found: low.Word, among: KnownWord) -> None:
    pile = expr.of.pile
    if pile is None or f.lowering.game.zones[pile.zone].form != "pile":
        tell_drawn(f, "picked", stream, found, among.word)
        return
    zone = f.lowering.game.zones[pile.zone]
    place, _ = zone_place(f, zone, zone_index(f, zone, pile.index))
    held = low.CellWord(place, f.lowering.cell(f.lowering.layout.zones[zone.id]).words)
    tell_drawn(f, "picked_from_pile", stream, found, held, among.word)


def _least(
    f: Builder, expr: Pick, stream: low.Word, found: low.RegisterWord, among: KnownWord, top: int
) -> tuple[low.DrawInst, low.WalkInst]:
    """Returns the statements that find the member whose own word, mixed with the word drawn, is the lowest."""
    best, drawn, x = f.kept(low.ConstWord(0)), f.fresh(), f.fresh()
    kind = f.lowering.layout.picked.get(expr.stream)
    of = low.RegisterWord(x)
    own: low.Word = low.UnaryWord("mixed", of)
    if kind is not None and top < f.lowering.game.kinds[kind].size:
        own = f.lowering.entry(IntType(0, 0), tuple(written_keys(f.lowering.game.kinds[kind])), of).word
    with f.looped() as body:
        rank = f.kept(piles.rank(f, low.RegisterWord(drawn), own))
        better = low.BinaryWord("|", low.BinaryWord("==", found, low.ConstWord(NONE)), low.BinaryWord("<", rank, best))
        f.add(low.IfInst(better, (low.SetInst(found.number, of), low.SetInst(best.number, rank))))
    return low.DrawInst(drawn, stream), low.WalkInst(x, among.word, tuple(body))
