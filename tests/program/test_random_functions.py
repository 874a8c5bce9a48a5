"""Passes and printers keep what a random function does: its result, what it writes, and where it traps."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from ctypes import CFUNCTYPE, c_int64, c_void_p
from importlib.util import find_spec
from random import Random
from typing import TypeAlias

import attrs
import pytest

from rulelang.machines.native.engine import loaded
from rulelang.machines.native.optimiser import OPTIMISED, PLAIN, object_code
from rulelang.program.llvm import entries
from rulelang.program.llvm.frame import STATUS, TRAPPED, frame_size
from rulelang.program.llvm.function import Callees, FunctionPrinter
from rulelang.program.llvm.module import declarations, printed_table
from rulelang.program.low import Program, faults
from rulelang.program.low.model import BITS
from rulelang.program.low.passes.inlining import joined, reachable
from rulelang.program.low.passes.playouts import asked_for, for_llvm, for_python
from rulelang.program.low.passes.rewriting import Pass
from rulelang.program.python.folding import folded
from rulelang.program.python.function import PythonPrinter
from rulelang.program.python.playouts import tables
from rulelang.program.python.support import Trap, names
from tests.generators.low_ir import ROWS, program, run

Result: TypeAlias = tuple[int, list[int]] | None
FIRST = 0, 60, 62, 124
"""The first members of sets: in one word, up to its last bit, across two words, and up to the last bit of two."""
SOME = 12
"""The number of rows that each program is run on."""


def in_python(program: Program, row: tuple[int, ...]) -> Result:
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


def in_machine_code(program: Program, rows: Sequence[tuple[int, ...]], effort: int) -> list[Result]:
    """Returns what the machine code of a program comes to on some rows, as `run` does."""
    lines = [*entries.HEAD, *(printed_table(number, table) for number, table in enumerate(program.tables))]
    callees = Callees.of(program)
    for function in program.functions:
        lines += FunctionPrinter(program, function, callees).lines()
    lines += ["define i64 @start(ptr %S, ptr %M) {", "  %found = call i64 @b1(ptr %S, ptr %M)", "  ret i64 %found", "}"]
    engine = loaded(object_code("\n".join([*lines, *declarations(lines)]).encode(), effort))
    start = CFUNCTYPE(c_int64, c_void_p, c_void_p)(engine.get_function_address("start"))
    results: list[Result] = []
    for row in rows:
        words, frame = array("q", row), array("q", bytes(8 * frame_size(program)))
        found = start(words.buffer_info()[0], frame.buffer_info()[0])
        results.append(None if frame[STATUS] == TRAPPED else (found, words.tolist()))
    return results


@pytest.mark.long
@pytest.mark.parametrize("first", FIRST)
def test_no_pass_and_no_printer_changes_what_a_random_function_does(first: int) -> None:
    for seed in range(20):
        checked(seed, first)


def checked(seed: int, first: int = 0) -> None:
    """Compares what a random function does before and after each pass; its sets hold members from `first` on."""
    before, rows, is_wide = program(seed, first), Random(seed).sample(ROWS, SOME), first + 3 >= BITS
    assert faults(before) == ()
    expected = [run(before, row) for row in rows]
    assert [in_python(before, row) for row in rows] == expected, seed
    for is_lazy, passes in () if is_wide else ((False, for_llvm()), (True, for_python())):
        after = before
        for improve, after in stages(before, passes):
            assert faults(after) == (), (seed, improve)
            if not is_lazy:
                assert [run(after, row) for row in rows] == expected, (seed, improve)
        assert [in_python(reachable(after), row) for row in rows] == expected, seed
    if find_spec("llvmlite") is not None:
        assert in_machine_code(before, rows, PLAIN) == expected, seed
        if not is_wide:
            *_, (_, before) = stages(before, for_llvm())
        assert in_machine_code(before, rows, PLAIN if seed % 4 else OPTIMISED) == expected, seed
