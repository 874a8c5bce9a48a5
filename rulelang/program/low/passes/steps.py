"""A program of words of any size -> the same program, rewritten so that single steps and lists of options are fast.

Unlike those of `playouts`, these passes suit games of every kind and size: they put little in where it is called.
"""

from __future__ import annotations

from functools import partial

from rulelang.program.low import model as low
from rulelang.program.low.passes.columns import in_columns
from rulelang.program.low.passes.conditions import apart, threaded, with_choices
from rulelang.program.low.passes.inlining import inlined
from rulelang.program.low.passes.loops.filters import filtered
from rulelang.program.low.passes.loops.fusion import fused
from rulelang.program.low.passes.loops.gathering import gathered
from rulelang.program.low.passes.loops.traps import with_traps_first
from rulelang.program.low.passes.ranges.folding import folded
from rulelang.program.low.passes.ranges.memory import PassMemory
from rulelang.program.low.passes.recursion import without_tail_calls
from rulelang.program.low.passes.rewriting import Pass, rewritten
from rulelang.program.low.passes.seats import by_seat
from rulelang.program.low.passes.sharing import hoisted, shared
from rulelang.program.low.passes.unused import without_unused


def for_steps() -> tuple[Pass, ...]:
    """Returns the passes over a program whose steps are taken one by one, in order; `faults` finds nothing after each.

    The last ones are for a printer whose conditions leave out what does not matter.
    """
    memory = PassMemory()
    fold, choose = partial(folded, memory=memory), partial(with_choices, memory=memory)
    narrow, gather = partial(filtered, memory=memory), partial(gathered, memory=memory)
    return (
        without_tail_calls,
        fold,
        by_seat,
        choose,
        fold,
        threaded,
        without_unused,
        apart,
        partial(hoisted, memory=memory),
        narrow,
        gather,
        inlined,
        fold,
        choose,
        fold,
        narrow,
        gather,
        partial(with_traps_first, memory=memory),
        fused,
        fold,
        without_unused,
        partial(shared, memory=memory),
        fold,
        partial(folded, is_lazy=True),
        in_columns,
        without_unused,
    )


def in_fast_steps(program: low.Program) -> low.Program:
    """Returns the program after all of these passes."""
    return rewritten(program, for_steps())
