"""A program of words of any size -> a module of Python with a function for each block, answer and list of options.

b7(S, M)             # S is the row; M holds the steps left, the options listed last, the answer, the source of chance
"""

from __future__ import annotations

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.passes.inlining import reachable
from rulelang.program.python.folding import folded
from rulelang.program.python.function import PythonPrinter
from rulelang.program.python.piles import text_of_helper
from rulelang.program.python.playouts import dispatch, tables


def print_module(program: low.Program) -> str:
    """Returns the text of the module."""
    functions = folded(reachable(program).functions)
    program = attrs.evolve(program, functions=functions)
    printer = PythonPrinter(program, is_whole=True)
    lines = ["LEFT, FOUND, GIVEN, DRAW = range(4)", f"SCRATCH = {program.scratch}", *tables(program)]
    for function in functions:
        known = text_of_helper(function.name)
        lines += ["", "", *([known] if known is not None else printer.lines(function))]
    return "\n".join([*lines, "", "", *dispatch(program)]) + "\n"
