"""Whether two spaces are connected, asked in each round of a loop -> the path found last, if all of it still counts.

connected(p.at, goal, open - planks(s, d)) for each s, d      # one flood, and one more for each wall on the path

A path found in an earlier round shows that its ends are connected, wherever all its spaces are among those that count.
Such paths are kept within one look at a question, or at a value: the first round knows none.
"""

from __future__ import annotations

from itertools import pairwise

import attrs

from rulelang.ir.model import Const, Expr, Way
from rulelang.ir.types import NONE, size_of
from rulelang.ir.walk import read_in
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.function import Builder
from rulelang.program.low.things import piles
from rulelang.program.low.things.ways import SearchedBoard, grow, is_symmetric, search_of
from rulelang.program.low.words import KnownWord, truth

ONE = low.ConstWord(1)
KEPT = 6
"""The paths that are kept. Two seats may be asked about in turn, and what lies on one path seldom lies on all of them."""


def asked_often(f: Builder, compared: tuple[Expr, ...]) -> Way | None:
    """Returns the way between two spaces that a comparison with none asks for, where a loop changes over which spaces it
    leads, but not these two."""
    match compared:
        case (Way(end=end, around=()) as way, Const(value=value)) if end is not None and value == NONE:
            ends, within = read_in(way.start, end), read_in(way.within)
            is_often = any(each.names & within and not each.names & ends for each in f.rounds)
            return way if is_often and is_symmetric(f, way) else None
        case _:  # any other comparison
            return None


def connected(f: Builder, way: Way) -> KnownWord:
    """Returns whether two spaces are connected, by a path that was found before or by a new one."""
    assert way.end is not None
    start, end = f.named(f.expression(way.start)), f.named(f.expression(way.end))
    search = search_of(f, way)
    known = tuple(_Path(*(low.RegisterWord(f.fresh()) for _ in range(3))) for _ in range(KEPT))
    for path in known:
        f.rounds[0].found += (path.spaces.number, path.start.number, path.end.number)
    others = f.kept(low.UnaryWord("flip", search.within.word))
    result = f.kept(low.ConstWord(0))
    with f.aside() as orders:
        _find(f, way, search, (start, end), known, result)
    for path in reversed(known):
        is_it = words.both(low.BinaryWord("==", path.start, start.word), low.BinaryWord("==", path.end, end.word))
        is_it = words.both(is_it, low.BinaryWord("!=", path.spaces, low.ConstWord(0)))
        is_free = low.BinaryWord("==", low.BinaryWord("&", path.spaces, others), low.ConstWord(0))
        tried = low.IfInst(is_it, (low.SetInst(result.number, is_free),))
        orders = [tried, low.IfInst(words.negated(result), tuple(orders))]
    f.add(*orders)
    return truth(result)


@attrs.frozen
class _Path:
    """The registers of a path: its spaces, none before there is one, and its ends."""

    spaces: low.RegisterWord
    start: low.RegisterWord
    end: low.RegisterWord


def _find(
    f: Builder,
    way: Way,
    search: SearchedBoard,
    ends: tuple[KnownWord, KnownWord],
    known: tuple[_Path, ...],
    result: low.RegisterWord,
) -> None:
    """Emits a flood that keeps what each of its rounds reaches, and puts a path through that in place of an older one."""
    start, end = ends
    many = f.lowering.words_for(search.spaces - 1)
    reached, steps = f.array(many * (search.spaces + 1)), f.kept(low.ConstWord(0))
    goal = f.kept(words.single(end).word)

    def leave(f: Builder, so_far: low.RegisterWord) -> None:
        is_met = low.BinaryWord("!=", low.BinaryWord("&", so_far, goal), low.ConstWord(0))
        f.add(low.IfInst(is_met, (low.SetInst(result.number, ONE), low.BreakInst())))

    def count(f: Builder, fresh: low.RegisterWord) -> None:
        for k in range(many):
            f.add(low.PutInst(reached, _place(steps, many, k), words.shifted(">>", fresh, low.BITS * k)))
        piles.raised(f, steps)

    is_there = words.both(words.has(search.within, start).word, words.has(search.within, end).word)
    with f.aside() as orders:
        grow(f, search, words.single(start).word, leave, count)
        with f.aside() as keeping:
            spaces = _traced(f, way, reached, (start, end), steps, many)
            _keep(f, known, (spaces, start.word, end.word))
        f.add(low.IfInst(result, tuple(keeping)))
    f.add(low.IfInst(is_there, tuple(orders)))


def _keep(f: Builder, known: tuple[_Path, ...], found: tuple[low.Word, low.Word, low.Word]) -> None:
    """Emits code that puts a path in front of the others, in place of the oldest one."""
    places = [(path.spaces.number, path.start.number, path.end.number) for path in known]
    for older, newer in pairwise(reversed(places)):
        f.add(*(low.SetInst(to, low.RegisterWord(at)) for to, at in zip(older, newer, strict=True)))
    f.add(*(low.SetInst(to, word) for to, word in zip(places[0], found, strict=True)))


def _traced(
    f: Builder, way: Way, reached: int, ends: tuple[KnownWord, KnownWord], steps: low.RegisterWord, many: int
) -> low.RegisterWord:
    """Emits code that goes back from the end, from each space to one that was reached a round before."""
    start, end = ends
    table = f.lowering.game.tables[way.neighbours]
    spaces = size_of(table.dimensions[-1])
    here, at = f.kept(end.word), f.kept(low.BinaryWord("-", steps, low.ConstWord(2)))
    path = f.kept(low.BinaryWord("|", words.single(start).word, words.single(end).word))
    with f.looped() as body:
        f.add(low.IfInst(low.BinaryWord("<", at, low.ConstWord(0)), (low.BreakInst(),)))
        was = f.kept(here)
        for k in range(many):
            part = tuple(_part(mask, k, many) for mask in table.values)
            beside = f.lowering.entry(table.type, part, was).word
            before = f.kept(low.BinaryWord("&", low.ItemWord(reached, _place(at, many, k)), beside))
            first = low.BinaryWord("+", low.UnaryWord("lowest", before), low.ConstWord(low.BITS * k))
            f.add(low.IfInst(low.BinaryWord("!=", before, low.ConstWord(0)), (low.SetInst(here.number, first),)))
        space = words.single(KnownWord(here, 0, spaces - 1)).word
        f.add(low.SetInst(path.number, low.BinaryWord("|", path, space)))
        piles.raised(f, at, -1)
    f.add(low.RepeatInst(tuple(body)))
    return path


def _place(step: low.Word, many: int, k: int) -> low.Word:
    first = step if many == 1 else low.BinaryWord("*", step, low.ConstWord(many))
    return low.BinaryWord("+", first, low.ConstWord(k)) if k else first


def _part(mask: int, k: int, many: int) -> int:
    return mask if many == 1 else mask >> low.BITS * k & (1 << low.BITS) - 1
