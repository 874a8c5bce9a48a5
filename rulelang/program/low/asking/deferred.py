"""Deferred calls that ask -> a queue in a slot, in the format of `program.deferred.CallQueue`.

    simultaneously for p in players: p.draw_and_choose()      # slot: the calls that are still to be made

A queue is built and taken apart field by field. One that has too many calls, or wide sets, is a trap.
"""

from __future__ import annotations

from rulelang.ir.model import Simultaneous
from rulelang.ir.types import NONE
from rulelang.program.control import deferrable
from rulelang.program.deferred import INNER, OUTERMOST, CallQueue
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.function import Builder
from rulelang.program.low.row import LONGEST_CALL, MOST_WAITING, call_bits
from rulelang.program.low.things.notes import arguments_at, calls_waiting
from rulelang.program.low.things.piles import plus, raised


def queue_up(f: Builder, block: Simultaneous, slot: int) -> None:
    """Emits code that packs the calls deferred by passes into a slot, and clears the words in which they were noted."""
    scratch, width = f.lowering.scratch, CallQueue(f.lowering.game).width
    calls = low.ConstWord(scratch.calls)
    many = calls_waiting(f)
    if f.lowering.bits is not None:
        f.trap_if(low.BinaryWord(">", many, low.ConstWord(MOST_WAITING)))
    entered = low.CellWord(low.ConstWord(scratch.entered))
    f.store(slot, low.SelectWord(entered, low.ConstWord(INNER), low.ConstWord(OUTERMOST)))
    at = f.kept(plus(low.BinaryWord("*", many, low.ConstWord(scratch.width)), calls.value + 1))
    cell = f.lowering.cell(slot)
    with f.looped() as body:
        f.add(low.IfInst(low.BinaryWord("==", many, low.ConstWord(0)), (low.BreakInst(),)))
        raised(f, at, -scratch.width)
        raised(f, many, -1)
        for id in sorted(deferrable(f.lowering.game, block)):
            with f.aside() as pushed:
                if _has_room(f, block, id):
                    fields = [plus(word, -NONE) for word in arguments_at(f, id, at)]
                    for field in [*reversed(fields), low.ConstWord(id + 1)]:
                        shifted = low.BinaryWord("|", words.shifted("<<", cell, width), f.kept(field))
                        f.store(slot, f.kept(shifted))
                else:
                    f.add(low.TrapInst())
            f.add(low.IfInst(low.BinaryWord("==", low.CellWord(at), low.ConstWord(id)), tuple(pushed)))
        f.add(*(low.StoreInst(plus(at, i), low.ConstWord(0)) for i in range(scratch.width)))
    f.add(low.RepeatInst(tuple(body)), low.StoreInst(calls, low.ConstWord(0)))


def _has_room(f: Builder, block: Simultaneous, id: int) -> bool:
    if f.lowering.bits is None:
        return True
    parameters = f.lowering.game.procedures[id].parameters
    is_narrow = all(words.words_of(variable.type) == 1 for variable in parameters)
    return is_narrow and call_bits(f.lowering.game, block) < LONGEST_CALL


def is_done(f: Builder, slot: int) -> low.Word:
    """Returns whether no call is left in a queue."""
    cell = f.lowering.cell(slot)
    return words.either(*(low.BinaryWord("==", cell, low.ConstWord(mark)) for mark in (OUTERMOST, INNER)))


def taken_field(f: Builder, slot: int) -> low.Word:
    """Emits code that takes the next field from a queue; returns the field."""
    cell, width = f.lowering.cell(slot), CallQueue(f.lowering.game).width
    mask = (1 << (width if f.lowering.bits is None else min(width, f.lowering.bits))) - 1
    field = f.kept(low.BinaryWord("&", low.CellWord(cell.index), low.ConstWord(mask)))
    f.store(slot, f.kept(words.shifted(">>", cell, width)))
    return field
