"""Turns woven IR into the low-level IR: integer code that a printer can translate line by line.

    program = lower(game, layout)        # raises Unsupported for a game that it cannot express yet
    print_program(program)               # what `rulelang dump GAME --stage lir` shows

Invariant: `faults(program)` finds nothing; the program goes through the same rows as the woven IR, or traps.
"""

from rulelang.errors import Unsupported
from rulelang.program.low.game import lower, lower_shown
from rulelang.program.low.model import Program
from rulelang.program.low.passes.invariants import faults
from rulelang.program.low.printer import print_program

__all__ = ["Program", "Unsupported", "faults", "lower", "lower_shown", "print_program"]
