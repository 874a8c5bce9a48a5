"""A program of words of any size -> a module of Python with a function for each block, answer and list of options.

b7(S, M)             # S is the row; M is the memory (`memory`)
shown3(S, r0)        # a value that screens call, in a module of its own
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.passes.inlining import reachable
from rulelang.program.python.folding import folded
from rulelang.program.python.function import PythonPrinter
from rulelang.program.python.memory import MEMORY
from rulelang.program.python.piles import text_of_helper
from rulelang.program.python.playouts import dispatch, tables


def print_module(program: low.Program) -> str:
    """Returns the text of the module."""
    program = attrs.evolve(program, functions=folded(reachable(program).functions))
    first = [f"{', '.join(MEMORY)} = range({len(MEMORY)})", f"SCRATCH = {program.scratch}"]
    return "\n".join([*first, *_functions(program), "", "", *dispatch(program)]) + "\n"


def print_shown(program: low.Program) -> str:
    """Returns the text of the module of `lower_shown`: SHOWN maps values to functions of a row and arguments."""
    program = attrs.evolve(program, functions=folded(program.functions))
    shown = ", ".join(f"{id}: {name}" for id, name in program.shown)
    return "\n".join([*_functions(program), "", "", f"SHOWN = {{{shown}}}"]) + "\n"


def _functions(program: low.Program) -> Iterator[str]:
    """Yields the lines of all functions and of the tables that they read."""
    printer = PythonPrinter(program, is_whole=True)
    yield from tables(program)
    for function in program.functions:
        known = text_of_helper(function.name)
        yield from ("", "", *([known] if known is not None else printer.lines(function)))
