"""Loops that do something for some members only -> the set of these, found without a branch, and a loop over it.

for r2 in 0xff: if (row[r2] == none): offer 0, r2      # r3 = 0; for r2 in 0xff: if (…): r3 = r3 | 1 << r2
                                                       # for r2 in r3: offer 0, r2

Which members these are is different each time, so a processor guesses wrong at every third branch or so; a set costs less
than two wrong guesses.
"""

from __future__ import annotations

from itertools import count

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.passes.ranges.values import stores, storing
from rulelang.program.low.passes.rewriting import goes_on, set_by, with_bodies
from rulelang.program.low.widths import width_of

Body = tuple[low.Inst, ...]

FEWEST = 9
"""The fewest members that are worth a set."""


def sifted(program: low.Program) -> low.Program:
    """Returns the program with loops over those members that their conditions let through."""
    written = storing(program)
    return attrs.evolve(program, functions=tuple(_sifted(function, written) for function in program.functions))


def _sifted(function: low.Function, written: frozenset[str]) -> low.Function:
    if function.widths:
        # A wide set costs more to fill than a loop.
        return function
    registers, narrow = count(function.registers), (1,) * function.registers

    def through(body: Body) -> Body:
        found: list[low.Inst] = []
        for order in body:
            inner = with_bodies(order, through)
            match inner:
                case low.WalkInst(
                    register=member, mask=mask, body=(low.IfInst(condition=condition, then=then, otherwise=()),)
                ) if width_of(mask, narrow) == 1 and _is_worth(mask, then) and not _changes(then, condition, written):
                    held = low.RegisterWord(next(registers))
                    bit = low.BinaryWord("<<", low.ConstWord(1), low.RegisterWord(member))
                    fill = low.SetInst(held.number, low.BinaryWord("|", held, bit))
                    found += (
                        low.SetInst(held.number, low.ConstWord(0)),
                        low.WalkInst(member, mask, (low.IfInst(condition, (fill,)),)),
                        low.WalkInst(member, held, then),
                    )
                case _:  # a loop that does something for each, or too little
                    found.append(inner)
        return tuple(found)

    body = through(function.body)
    return function if body == function.body else attrs.evolve(function, body=body, registers=next(registers))


def _is_worth(mask: low.Word, then: Body) -> bool:
    """Returns whether a loop may go through many members, and does more for some than to set a register."""
    is_long = not isinstance(mask, low.ConstWord) or mask.value.bit_count() >= FEWEST
    return is_long and goes_on(then) and any(not isinstance(order, low.SetInst) for order in then)


def _changes(body: Body, condition: low.Word, written: frozenset[str]) -> bool:
    """Returns whether statements may change what a condition reads, or leave the loop."""
    orders = tuple(low.orders(body))
    if any(isinstance(order, low.BreakInst | low.PayInst | low.TrapInst | low.ReturnInst) for order in orders):
        return True
    if {set_by(order) for order in orders} & set(condition.registers):
        return True
    reads = any(isinstance(part, low.CellWord | low.ItemWord) for part in condition.within)
    return reads and (stores(orders, written) or any(isinstance(order, low.PutInst) for order in orders))
