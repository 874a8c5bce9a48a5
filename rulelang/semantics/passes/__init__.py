"""Turns a whole game's IR into another if the meaning of the
language requires it: each pass is `(world, game) -> game`.

    action boon(p) at any time      interrupts: removed from the choices that only interrupts lead to
    p.haste = yes                   freshness: it lasts beyond the present turn
    if roll(d6) > 3: p.low = yes    thrown: the throw has a name, so who may know it follows from what it decides

Invariant: a pass returns another game and reports nothing; `PASSES` run in their order, before the checks.
"""

from collections.abc import Callable

from rulelang.ir import model as ir
from rulelang.semantics.names.scope import World
from rulelang.semantics.passes.boxes import open_boxes
from rulelang.semantics.passes.freshness import note_freshness
from rulelang.semantics.passes.interrupts import ask_others_first, part_interrupts
from rulelang.semantics.passes.lone_options import mark_open
from rulelang.semantics.passes.thrown import name_deciding_throws

PASSES: tuple[Callable[[World, ir.GameRules], ir.GameRules], ...] = (
    part_interrupts,
    ask_others_first,
    open_boxes,
    mark_open,
    note_freshness,
    name_deciding_throws,
)
"""The passes, in order."""
