"""Histories -> code that records positions, counts them and looks ahead to them, in the format of `program.history`.

stand                              here = position(); row[…] = here << 2 | LED_TO
occurrences                        counts `here << 2` and `here << 2 | FOUND` among the recorded positions
occurrences after take(p, s)       saves the row, calls p7(p, s), computes the position, restores the row
"""

from __future__ import annotations

from functools import partial
from typing import assert_never

from rulelang.ir.model import CallValue, Foreseen, HistoryMoment, Local, Stand
from rulelang.ir.types import NONE, IntType
from rulelang.ir.walk import reachable, walk
from rulelang.program.history import (
    FOUND,
    LED_TO,
    PASSED,
    TAG,
    Field,
    GroupField,
    NumberField,
    PileField,
    PositionHistory,
    SetField,
)
from rulelang.program.low import model as low
from rulelang.program.low.function import Builder, Lowering
from rulelang.program.low.things.piles import item
from rulelang.program.low.words import KnownWord, as_set, chosen, negated, shifted, typed

ZERO, ONE = low.ConstWord(0), low.ConstWord(1)


def stand(f: Builder, moment: HistoryMoment) -> None:
    """Emits code that records the position."""
    _outermost(f)
    f.add(low.CallInst(None, f.lowering.helper(f"stand_{moment}", 0, lambda inner: _stand(inner, moment)), ()))


def occurrences(f: Builder) -> KnownWord:
    """Returns the number of times the position has occurred, this time included."""
    return _counted(f, f.lowering.helper("occurrences", 0, _occurrences), ())


def occurrences_after(f: Builder, expr: Foreseen) -> KnownWord:
    """Returns the number of times the position after a procedure will have occurred."""
    still = _still(f.lowering, expr.procedure)
    function = f.lowering.foresight(expr.procedure, partial(_foreseen, still), f"ahead_{expr.procedure}")
    return _counted(f, function, f.arguments(expr.procedure, expr.arguments))


def value_after(f: Builder, expr: Foreseen, of: CallValue) -> KnownWord:
    """Returns the result that a value would have after a procedure."""
    value = f.lowering.game.values[of.value]
    own = CallValue(of.value, tuple(Local(v.id) for v in value.parameters))
    still = _still(f.lowering, expr.procedure)

    def look(f: Builder, procedure: str, arguments: tuple[low.Word, ...], checkpoint: str | None) -> None:
        before = _ahead(f, still, procedure, arguments, checkpoint)
        found = f.kept(f.expression(own).word)
        f.add(low.PutBackRowInst(before, still), low.ReturnInst(found))

    name = f"ahead_{expr.procedure}_{of.value}"
    function = f.lowering.foresight(expr.procedure, look, name, value.parameters)
    given = [f.argument(f.named(f.expression(e)), v) for e, v in zip(of.arguments, value.parameters, strict=True)]
    _outermost(f)
    found = f.fresh()
    passed = (*f.arguments(expr.procedure, expr.arguments), *(one.word for one in given))
    f.add(low.CallInst(found, function, passed))
    return typed(low.RegisterWord(found), value.type.or_none())


def _still(lowering: Lowering, procedure: int) -> low.Still:
    """Returns the parts of the row with the past positions, if a look ahead past a procedure records none."""
    game = lowering.game
    if game.history is None:
        return ()
    starts = {procedure} if game.checkpoint is None else {procedure, game.checkpoint}
    bodies = [game.procedures[id].body for id in reachable(game, starts)]
    if any(isinstance(node, Stand) for node in walk(bodies)):
        return ()
    store = _Store(lowering)
    slots = lowering.layout.states[game.history.entries]
    parts = {(slots, slots + store.room), (store.first, store.first + store.room * store.words)}
    return tuple(sorted(parts))


def _ahead(
    f: Builder, still: low.Still, procedure: str, arguments: tuple[low.Word, ...], checkpoint: str | None
) -> int:
    """Emits code that keeps the row, and runs a procedure and the whenever-rules; returns where the row is kept."""
    before = f.array(f.lowering.row_size)
    f.add(low.KeepRowInst(before, still), low.CallInst(None, procedure, arguments, goes_on=True))
    if checkpoint is not None:
        f.add(low.CallInst(None, checkpoint, (), goes_on=True))
    return before


def _counted(f: Builder, function: str, arguments: tuple[low.Word, ...]) -> KnownWord:
    _outermost(f)
    found = f.fresh()
    f.add(low.CallInst(found, function, arguments))
    return KnownWord(low.RegisterWord(found), 1, 2 * _Store(f.lowering).history.most + 1)


def _outermost(f: Builder) -> None:
    if f.in_pass:
        f.add(low.TrapInst())


class _Store:
    """The words of the row in which a game keeps its past positions."""

    def __init__(self, lowering: Lowering) -> None:
        history = lowering.game.history
        assert history is not None
        self.positions = PositionHistory(lowering.game, lowering.layout, history)
        self.history = history
        self.words = lowering.words_for(self.positions.bits)
        states = lowering.layout.states
        first = lowering.cell(states[history.entries]).index
        assert isinstance(first, low.ConstWord)
        self.first, self.room = first.value, lowering.layout.state_sizes[history.entries]
        self.written, self.stood, self.asked = (
            low.CellWord(low.ConstWord(states[id])) for id in (history.written, history.stood, history.asked)
        )

    def entry(self, place: low.Word) -> low.CellWord:
        """Returns the recorded position at a place, with its tag."""
        return low.CellWord(place, self.words)

    def untagged(self, place: low.Word) -> low.Word:
        """Returns the recorded position at a place, with its tag set to 0."""
        return low.BinaryWord("<<", low.BinaryWord(">>", self.entry(place), low.ConstWord(TAG)), low.ConstWord(TAG))

    def place(self, number: low.Word) -> low.Word:
        """Returns the place of an entry, given its number."""
        return low.BinaryWord("+", low.ConstWord(self.first), low.BinaryWord("*", number, low.ConstWord(self.words)))


# ------------------------------------------------------------------ positions


def _here(f: Builder, store: _Store) -> low.RegisterWord:
    """Emits code that computes the current position, with a tag of 0."""
    found = f.fresh()
    f.add(low.CallInst(found, f.lowering.helper("position", 0, _position, store.words), (), store.words))
    return low.RegisterWord(found)


def _position(f: Builder) -> None:
    store = _Store(f.lowering)
    f.result = store.words
    here = f.kept(low.BinaryWord("&", low.BitWord(ZERO, store.words), ZERO) if store.words > 1 else ZERO)
    for field in store.positions.fields:
        for digit, bits in reversed(list(_digits(f, field))):
            f.add(low.SetInst(here.number, low.BinaryWord("|", shifted("<<", here, bits), digit)))
    f.add(low.ReturnInst(shifted("<<", here, TAG)))


def _digits(f: Builder, field: Field) -> list[tuple[low.Word, int]]:
    """Returns the parts of a field with the number of bits of each, the lowest first."""
    cell = f.lowering.cell(field.slot)
    match field:
        case NumberField(bits=bits, first=first, classes=classes):
            is_none = low.BinaryWord("==", cell, low.ConstWord(NONE))
            number = chosen(is_none, ZERO, low.BinaryWord("+", cell, low.ConstWord(1 - first)))
            return [(_class_of(f, number, classes), bits)]
        case SetField(bits=bits):
            return [(_set(cell, bits), bits)]
        case GroupField(bits=bits, classes=classes) if not _has_likes(classes):
            return [(_set(cell, bits), bits)]
        case GroupField(classes=classes, wide=wide):
            held = _set(cell, len(classes))
            return [(_how_many(held, classes, number), bits) for number, bits in enumerate(wide) if bits]
        case PileField(classes=classes):
            bits = len(classes).bit_length()
            things = (item(f, cell.index, low.ConstWord(i)) for i in range(len(classes)))
            return [(_class_of(f, thing, classes), bits) for thing in things]
        case _:
            assert_never(field)


def _set(cell: low.CellWord, bits: int) -> low.Word:
    return as_set(KnownWord(cell, 0, (1 << bits) - 1, none=True, is_set=True)).word


def _how_many(held: low.Word, classes: tuple[int, ...], number: int) -> low.Word:
    alike = sum(1 << thing for thing, of in enumerate(classes) if of == number)
    return low.UnaryWord("count", low.BinaryWord("&", held, low.ConstWord(alike)))


def _has_likes(classes: tuple[int, ...]) -> bool:
    return classes != tuple(range(len(classes)))


def _class_of(f: Builder, thing: low.Word, classes: tuple[int, ...]) -> low.Word:
    """Returns the class + 1 of a thing that is given + 1; 0 for 0."""
    if not classes or not _has_likes(classes):
        return thing
    return f.lowering.entry(IntType(0, len(classes)), (0, *(number + 1 for number in classes)), thing).word


# ------------------------------------------------------------------ recorded positions


def _stand(f: Builder, moment: HistoryMoment) -> None:
    store = _Store(f.lowering)
    here = _here(f, store)
    written, was_asked = f.kept(store.written), f.kept(store.asked)
    last = f.kept(store.place(low.BinaryWord("-", written, ONE)))
    is_first = low.BinaryWord("==", written, ZERO)
    entry = low.BinaryWord("|", here, low.ConstWord(LED_TO))
    if moment == "settled":
        f.add(low.IfInst(negated(is_first), (low.StoreInst(last, entry, store.words), low.ReturnInst(ZERO))))
    f.add(low.StoreInst(store.asked.index, low.ConstWord(int(moment == "asked"))))
    if moment == "asked":
        untagged = store.untagged(last)
        passed = low.StoreInst(last, low.BinaryWord("|", untagged, low.ConstWord(PASSED)), store.words)
        stands = low.IfInst(low.BinaryWord("==", untagged, here), (low.ReturnInst(ZERO),))
        f.add(low.IfInst(negated(is_first), (stands, low.IfInst(negated(was_asked), (passed,)))))
        entry = low.BinaryWord("|", here, chosen(is_first, low.ConstWord(LED_TO), low.ConstWord(FOUND)))
    counts = is_first if moment != "answered" else ONE
    stood = f.kept(low.BinaryWord("+", store.stood, counts))
    f.trap_if(low.BinaryWord(">", stood, low.ConstWord(store.history.most)))
    f.trap_if(low.BinaryWord("==", written, low.ConstWord(store.room)))
    f.add(low.StoreInst(store.place(written), entry, store.words))
    f.add(low.StoreInst(store.written.index, low.BinaryWord("+", written, ONE)))
    f.add(low.StoreInst(store.stood.index, stood))


def _occurrences(f: Builder) -> None:
    store = _Store(f.lowering)
    here = _here(f, store)
    stands = f.kept(ZERO)
    untagged = store.untagged(store.place(low.BinaryWord("-", store.written, ONE)))
    stands_now = low.SetInst(stands.number, low.BinaryWord("==", untagged, here))
    f.add(low.IfInst(low.BinaryWord("!=", store.written, ZERO), (stands_now,)))
    # A position in which a seat is asked is compared with those in which one was asked, and a position right after an
    # answer with those that answers led to. If the current position is not recorded yet, it is of the other kind than
    # the
    # one recorded last.
    stood = low.BinaryWord("==", store.asked, stands)
    found = _count(f, store, here, f.kept(chosen(stood, low.ConstWord(FOUND), low.ConstWord(PASSED))))
    f.add(low.ReturnInst(low.BinaryWord("+", found, low.BinaryWord("==", stands, ZERO))))


def _count(f: Builder, store: _Store, here: low.Word, tag: low.Word) -> low.Word:
    """Emits code that counts a position among those recorded with a given tag or with LED_TO."""
    one, other = f.kept(low.BinaryWord("|", here, low.ConstWord(LED_TO))), f.kept(low.BinaryWord("|", here, tag))
    count, at = f.kept(ZERO), f.kept(low.ConstWord(store.first))
    end = f.kept(store.place(store.written))
    with f.looped() as body:
        f.add(low.IfInst(low.BinaryWord("==", at, end), (low.BreakInst(),)))
        entry = store.entry(at)
        same = low.BinaryWord("|", low.BinaryWord("==", entry, one), low.BinaryWord("==", entry, other))
        f.add(low.SetInst(count.number, low.BinaryWord("+", count, same)))
        f.add(low.SetInst(at.number, low.BinaryWord("+", at, low.ConstWord(store.words))))
    f.add(low.RepeatInst(tuple(body)))
    return count


def _foreseen(
    still: low.Still, f: Builder, procedure: str, arguments: tuple[low.Word, ...], checkpoint: str | None
) -> None:
    """Emits code that runs a procedure and the whenever-rules, counts the resulting position, and restores the row."""
    store = _Store(f.lowering)
    before = _ahead(f, still, procedure, arguments, checkpoint)
    here = _here(f, store)
    f.add(low.PutBackRowInst(before, still))
    f.add(low.ReturnInst(low.BinaryWord("+", _count(f, store, here, low.ConstWord(PASSED)), ONE)))
