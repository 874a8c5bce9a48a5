"""A set of things -> the earlier ones that the seat that is asked cannot tell from one of them.

    p chooses k in heap       # alike0(r1, r2): whether two tokens lie alike, and the same variables point at both

What a seat sees by an expression is left to another executor, where two things differ in it.
"""

from __future__ import annotations

from typing import assert_never

from rulelang.ir.model import Branch, Choice, StateVariable
from rulelang.ir.types import NONE, PLAYER, KindType, SetType, size_of
from rulelang.program.equivalence import pointers
from rulelang.program.layout import OwnedCells
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.function import Builder, Lowering
from rulelang.program.low.things.piles import plus
from rulelang.program.low.words import KnownWord

X, Y, SEAT = (low.RegisterWord(n) for n in range(3))
"""The parameters of the function that compares two things."""
MOST_CELLS = 64
"""The most cells of a thing that are compared here."""
DIFFERENT = low.ReturnInst(low.ConstWord(0))


def like_before(
    f: Builder, choice: Choice, branch: Branch, known: int, mask: KnownWord, x: KnownWord
) -> low.RegisterWord:
    """Emits a search of the candidates for a parameter for the last thing before `x` that is like it; returns that
    thing, or -1."""
    kind = branch.parameters[known].interchange
    assert kind is not None
    things = f.lowering.game.kinds[kind]
    of = SetType(KindType(things.name, things.size))
    classes = [
        sum(1 << other for other in range(thing) if things.classes[other] == things.classes[thing])
        for thing in range(things.size)
    ]
    before = f.lowering.entry(of, tuple(classes), x.word)
    found, y, same = f.kept(low.ConstWord(-1)), f.fresh(), f.fresh()
    seat = () if choice.actor is None else (f.local(choice.actor.id).word,)
    alike = low.CallInst(same, _likeness(f.lowering, kind, bool(seat)), (x.word, low.RegisterWord(y), *seat))
    is_like: low.Word = low.RegisterWord(same)
    for id, _ in pointers(f.lowering.game, f.lowering.layout.local_types, branch, known):
        points = [_points(f.local(id), word, things.size) for word in (x.word, low.RegisterWord(y))]
        is_like = words.both(is_like, low.BinaryWord("==", *points))
    keep = low.IfInst(is_like, (low.SetInst(found.number, low.RegisterWord(y)),))
    f.add(low.WalkInst(y, words.united("inter", before, mask).word, (alike, keep)))
    return found


def _points(of: KnownWord, thing: low.Word, size: int) -> low.Word:
    """Returns whether a value that is a thing, or a set of things, is or holds one of them."""
    if not of.is_set:
        return low.BinaryWord("==", of.word, thing)
    held = words.has(of, KnownWord(thing, 0, size - 1)).word
    return words.both(low.BinaryWord("!=", of.word, low.ConstWord(NONE)), held) if of.none else held


def _likeness(lowering: Lowering, kind: int, has_seat: bool) -> str:
    """Returns the function that tells whether two things that are printed alike are alike in everything else that a
    seat, or without one everybody, sees."""
    things, layout = lowering.game.kinds[kind], lowering.layout

    def body(f: Builder) -> None:
        for start in (layout.places[kind], layout.faces[kind]) if things.movable else ():
            mine, other = (low.CellWord(plus(low.ConstWord(start), word)) for word in (X, Y))
            f.add(low.IfInst(low.BinaryWord("!=", mine, other), (DIFFERENT,)))
        for owned in layout.owned[kind]:
            _compare_owned(f, owned, has_seat)
        for state, _, size, _ in layout.pointing[kind]:
            _compare_pointing(f, state, size, things.size, has_seat)
        f.add(low.ReturnInst(low.ConstWord(1)))

    return lowering.helper(f"alike{kind}" if has_seat else f"alike{kind}_blind", 2 + has_seat, body)


def _compare_owned(f: Builder, owned: OwnedCells, has_seat: bool) -> None:
    """Emits the comparison of what belongs to two things."""
    of, start, before, size, width = owned
    shift: low.Word = low.ConstWord(0)
    differ: tuple[low.Inst, ...] = (DIFFERENT,)
    if isinstance(of, StateVariable):
        differ = _difference(of, has_seat)
        if of.visible == "owner" and differ:
            shift, before = _of_seat(f, of), before // size_of(of.dimensions[0])
    if not differ:
        return
    if before * width > MOST_CELLS:
        f.add(low.TrapInst())
        return
    first = f.lowering.cell(start)
    assert isinstance(first.index, low.ConstWord)
    for block in range(before):
        for at in range(width):
            begin = low.ConstWord(first.index.value + (block * size * width + at) * first.words)
            step = low.ConstWord(width * first.words)
            mine, other = (
                low.CellWord(plus(plus(begin, low.BinaryWord("*", thing, step)), shift), first.words)
                for thing in (X, Y)
            )
            if isinstance(of, StateVariable):
                is_other: low.Word = low.BinaryWord("!=", mine, other)
            else:
                empty = low.ConstWord(NONE if of.form == "slot" else 0)
                is_other = words.either(low.BinaryWord("!=", mine, empty), low.BinaryWord("!=", other, empty))
            f.add(low.IfInst(is_other, differ))


def _compare_pointing(f: Builder, state: StateVariable, cells: int, things: int, has_seat: bool) -> None:
    """Emits the comparison of the cells of a variable that may point at two things."""
    differ = _difference(state, has_seat)
    shift: low.Word = low.ConstWord(0)
    if not differ:
        return
    if state.visible == "owner":
        shift, cells = _of_seat(f, state), cells // size_of(state.dimensions[0])
    first, at = f.lowering.cell(f.lowering.layout.states[state.id]), f.fresh()
    index = low.BinaryWord("*", low.RegisterWord(at), low.ConstWord(first.words))
    held = words.typed(low.CellWord(plus(plus(first.index, index), shift), first.words), state.type)
    mine, other = (_points(held, thing, things) for thing in (X, Y))
    differs = low.IfInst(low.BinaryWord("!=", mine, other), differ)
    f.add(low.WalkInst(at, low.ConstWord((1 << cells) - 1), (differs,)))


def _difference(state: StateVariable, has_seat: bool) -> tuple[low.Inst, ...]:
    """Returns the code for two things that differ in a cell of a variable; none if the seat does not see it."""
    match state.visible:
        case "all":
            return () if state.scratch else (DIFFERENT,)
        case "owner":
            return (DIFFERENT,) if has_seat and state.owner == PLAYER else ()
        case "expr":
            return (low.TrapInst(),) if has_seat else ()
        case "nobody":
            return ()
        case _:
            assert_never(state.visible)


def _of_seat(f: Builder, state: StateVariable) -> low.Word:
    """Returns the distance from the first cell of a variable to the first of the seat that is asked."""
    layout = f.lowering.layout
    many = layout.state_sizes[state.id] // size_of(state.dimensions[0])
    return low.BinaryWord("*", SEAT, low.ConstWord(many * f.lowering.cell(layout.states[state.id]).words))
