"""A program of the low-level IR -> a whole module of LLVM IR."""

from __future__ import annotations

import re
from collections.abc import Iterable

import attrs

from rulelang.program.llvm import batch, entries
from rulelang.program.llvm.called import called, declared
from rulelang.program.llvm.frame import memo_size, memos_at
from rulelang.program.llvm.function import Callees, FunctionPrinter, signed
from rulelang.program.llvm.memo import memo
from rulelang.program.llvm.playing import playing
from rulelang.program.llvm.thinking.printed import thoughts
from rulelang.program.low import model as low
from rulelang.program.low import widths as low_widths
from rulelang.program.low.passes.memos import in_score


def print_llvm(program: low.Program) -> str:
    """Returns the text of a whole module."""
    program, played = playing(program)
    lines = opening(program)
    callees, scoring, place = Callees.of(program), in_score(program), memos_at(program)
    for function in program.functions:
        lines += FunctionPrinter(program, function, callees, scoring).lines()
        lines += memo(program, function, place)
        place += memo_size(function)
    lines += entries.run_on(program)
    lines += entries.asked(program)
    lines += entries.by_question(program)
    lines += declared()
    lines += called(program)
    lines += played
    lines += entries.play_many(program)
    lines += batch.pick_checked()
    lines += batch.step_many(program)
    lines += thoughts(program)
    lines += declarations(lines)
    return "\n".join(lines) + "\n"


def opening(program: low.Program, shared: Iterable[str] = ()) -> list[str]:
    """Returns the lines that begin a module: the functions that others call, `shared` among them, and the tables."""
    lines = [*entries.HEAD, *entries.mixed(), *entries.drawn_together(program), *shared]
    return lines + [printed_table(number, table) for number, table in enumerate(program.tables)]


def without_score(program: low.Program) -> low.Program:
    """Returns a program for modules that do not think: without the rules' `score` and without memos."""
    return attrs.evolve(program, score=None, functions=tuple(attrs.evolve(f, memo=()) for f in program.functions))


def declarations(lines: list[str]) -> list[str]:
    """Returns the declarations of the LLVM intrinsics that some lines call."""
    called = sorted({name for line in lines for name in re.findall(r"@llvm\.\w+\.i\d+(?=\(i\d+ %)", line)})
    return [_declared(name) for name in called]


def _declared(name: str) -> str:
    """Returns the declaration of an LLVM intrinsic; those of `cttz` and `abs` have another argument."""
    _, what, type = name.split(".")
    more = {"ctpop": "", "cttz": ", i1", "abs": ", i1"}.get(what, f", {type}")
    return f"declare {type} {name}({type}{more})"


def printed_table(number: int, table: tuple[int, ...]) -> str:
    """Prints a table: the words of each entry, the lowest first."""
    width = max((low_widths.width_of(low.ConstWord(value), ()) for value in table), default=1)
    words = [value >> 64 * i for value in table or (0,) for i in range(width)]
    return f"@T{number} = private constant [{len(words)} x i64] [{', '.join(f'i64 {signed(word)}' for word in words)}]"
