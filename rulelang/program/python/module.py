"""A program of words of any size -> a module of Python with a function for each block, answer and list of options.

b7(S, M)             # S is the row; M is the memory (`memory`)
shown3(S, r0)        # a value that screens call, in a module of its own
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.ir.model import GameRules
from rulelang.program.control import Control
from rulelang.program.layout import Layout
from rulelang.program.low import model as low
from rulelang.program.low.game import lower, lower_shown
from rulelang.program.low.passes.inlining import reachable
from rulelang.program.low.passes.recursion import without_tail_calls
from rulelang.program.python.folding import folded
from rulelang.program.python.function import PythonPrinter
from rulelang.program.python.legend import table
from rulelang.program.python.loadable import Tables
from rulelang.program.python.memory import MEMORY
from rulelang.program.python.piles import text_of_helper
from rulelang.program.python.playouts import dispatch, long_tables, tables


def print_module(program: low.Program) -> str:
    """Returns the text of the module."""
    program = attrs.evolve(program, functions=folded(reachable(program).functions))
    first = [_memory(), f"SCRATCH = {program.scratch}"]
    return "\n".join([*first, *_functions(program), "", "", *dispatch(program), *_asked(program)]) + "\n"


def _asked(program: low.Program) -> Iterator[str]:
    """Prints what is known about each question, besides how it is answered."""
    questions = program.questions
    yield table("LEGAL", [question.legal for question in questions])
    yield table("KEEPS", [str(question.owing >= 0) for question in questions])
    yield table("BUDGETS", [str(question.budget) for question in questions])


def print_shown(program: low.Program) -> str:
    """Returns the text of the module of `lower_shown`: SHOWN maps values, or holes, to functions of a row and arguments."""
    program = attrs.evolve(program, functions=folded(program.functions))
    shown = ", ".join(f"{id}: {name}" for id, name in program.shown)
    return "\n".join([_memory(), *_functions(program), "", "", f"SHOWN = {{{shown}}}"]) + "\n"


def _memory() -> str:
    return f"{', '.join(MEMORY)} = range({len(MEMORY)})"


def _functions(program: low.Program) -> Iterator[str]:
    """Yields the lines of all functions and of the tables that they read."""
    printer = PythonPrinter(program, is_whole=True)
    yield from tables(program, refers=True)
    for function in program.functions:
        known = text_of_helper(function.name)
        yield from ("", "", *([known] if known is not None else printer.lines(function)))


def printed(game: GameRules, layout: Layout, control: Control, name: str) -> tuple[str, Tables]:
    """Returns the text of a module, and the tables that it refers to by number."""
    if name in ("values", "sentences"):
        program = lower_shown(game, layout, control, is_said=name == "sentences")
        return print_shown(program), long_tables(program)
    program = without_tail_calls(lower(game, layout, control, None, is_traced=name == "traced"))
    return print_module(program), long_tables(program)
