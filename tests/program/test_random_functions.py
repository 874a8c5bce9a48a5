"""Passes and printers keep what a random function does: its result, what it writes, and where it traps."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import attrs
import pytest

from rulelang.program.low import Program, faults
from rulelang.program.low.passes.inlining import joined, reachable
from rulelang.program.low.passes.playouts import asked_for, for_llvm, for_python
from rulelang.program.low.passes.rewriting import Pass
from rulelang.program.low.passes.steps import for_steps
from rulelang.program.python.folding import folded
from rulelang.program.python.function import PythonPrinter
from rulelang.program.python.playouts import tables
from rulelang.program.python.support import Trap, names
from tests.generators.low_ir import ROWS, program, run

SOME = 12
"""The number of rows that each program is run on."""


def in_python(program: Program, row: tuple[int, ...]) -> tuple[int, list[int]] | None:
    """Returns what the printed Python of a program comes to, as `run` does."""
    program = attrs.evolve(program, functions=folded(program.functions))
    printer, lines = PythonPrinter(program), list(tables(program))
    for function in program.functions:
        lines += printer.lines(function)
    found = names()
    exec("\n".join(lines), found)
    held = list(row)
    try:
        return found["b1"](held, [0] * 9), held
    except Trap:
        return None


def stages(before: Program, passes: tuple[Pass, ...]) -> Iterator[tuple[Pass, Program]]:
    """Yields each pass that is made for a single block, with the program behind it."""
    for improve in passes:
        if improve not in (joined, asked_for):
            before = improve(before)
            yield improve, before


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_no_pass_and_no_printer_changes_what_a_random_function_does(first: int) -> None:
    for seed in range(first, first + 50):
        checked(seed)


def checked(seed: int) -> None:
    """Compares what a random function does before and after each pass."""
    before, rows = program(seed), Random(seed).sample(ROWS, SOME)
    assert faults(before) == ()
    expected = [run(before, row) for row in rows]
    assert [in_python(before, row) for row in rows] == expected, seed
    for is_lazy, passes in ((False, for_llvm()), (True, for_python()), (True, for_steps())):
        after = before
        for improve, after in stages(before, passes):
            assert faults(after) == (), (seed, improve)
            if not is_lazy:
                assert [run(after, row) for row in rows] == expected, (seed, improve)
        assert [in_python(reachable(after), row) for row in rows] == expected, seed
