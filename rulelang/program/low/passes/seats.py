"""Questions in which seats differ -> one listing of options for each seat.

o0(r0): for … if r0 == 0 …        # o0(r0): if (r0 == 0): … else: …
"""

from __future__ import annotations

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.passes.ranges.values import bounds_of
from rulelang.program.low.passes.rewriting import renumbered

MOST = 120
"""The most statements of all listings of a question together."""
SEAT = low.RegisterWord(0)


def by_seat(program: low.Program) -> low.Program:
    """Returns the program with options listed apart for each seat, where the rules tell seats apart."""
    seats = bounds_of(program, program.seat)
    listing = {question.options for question in program.questions}
    return attrs.evolve(
        program,
        functions=tuple(
            _apart(f, range(seats.low, seats.high + 1)) if f.name in listing and seats.high < low.BITS else f
            for f in program.functions
        ),
    )


def _apart(function: low.Function, seats: range) -> low.Function:
    orders = function.orders
    if not 1 < len(seats) * len(orders) <= MOST or function.arrays or not any(map(_tells_apart, orders)):
        return function
    registers, widths = function.registers, [function.width(i) for i in range(function.registers)]
    body: tuple[low.Inst, ...] = ()
    for seat in reversed(seats):
        first = registers
        registers += function.registers
        widths += [function.width(i) for i in range(function.registers)]
        own = renumbered(function.body, lambda number, first=first: first + number)  # type: ignore[misc]
        way = (low.SetInst(first, low.ConstWord(seat)), *own)
        body = (low.IfInst(low.BinaryWord("==", SEAT, low.ConstWord(seat)), way, body),) if body else way
    return attrs.evolve(function, body=body, registers=registers, widths=tuple(widths) if function.widths else ())


def _tells_apart(order: low.Inst) -> bool:
    """Returns whether a statement asks which seat it is."""
    return any(
        isinstance(part, low.BinaryWord) and part.left == SEAT and isinstance(part.right, low.ConstWord)
        for word in low.words_in(order)
        for part in word.within
    )
