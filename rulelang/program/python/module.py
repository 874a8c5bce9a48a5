"""A program of words of any size -> a module of Python with a function for each block, answer and list of options.

b7(S, M)             # S is the row; M holds the steps left, the options listed last, the answer, the source of chance
"""

from __future__ import annotations

import attrs

from rulelang.program.low import model as low
from rulelang.program.python.folding import folded
from rulelang.program.python.function import PythonPrinter
from rulelang.program.python.piles import text_of_helper
from rulelang.program.python.playouts import dispatch, tables


def print_module(program: low.Program) -> str:
    """Returns the text of the module."""
    functions = folded(_called(program))
    program = attrs.evolve(program, functions=functions)
    printer = PythonPrinter(program, is_whole=True)
    lines = ["LEFT, FOUND, GIVEN, DRAW = range(4)", f"SCRATCH = {program.scratch}", *tables(program)]
    for function in functions:
        known = text_of_helper(function.name)
        lines += ["", "", *([known] if known is not None else printer.lines(function))]
    return "\n".join([*lines, "", "", *dispatch(program)]) + "\n"


def _called(program: low.Program) -> list[low.Function]:
    """Returns the functions that something leads to."""
    known = {function.name: function for function in program.functions}
    waiting = [name for _, name in program.blocks]
    for question in program.questions:
        waiting += [question.options, question.keep, *question.branches]
    if program.score is not None:
        waiting.append("score")
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name and name not in found:
            found.add(name)
            waiting += [o.function for o in low.orders(known[name].body) if isinstance(o, low.CallInst)]
    return [function for function in program.functions if function.name in found]
