"""Random games in machine code: functions of their own, rewritten for speed (`low.passes.playouts`).

played.b7, played.o0       beside b7 and o0, which take single steps
played.h0(S, M, seat)      lists the options, and makes a lone one the answer
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.program.llvm import entries
from rulelang.program.llvm.alone import alone
from rulelang.program.llvm.frame import COUNT, GIVEN, GOING, STATUS, offers_at, pointers
from rulelang.program.llvm.function import Callees, FunctionPrinter
from rulelang.program.low import model as low
from rulelang.program.low.passes.playouts import for_machine_code
from rulelang.program.low.passes.rewriting import renamed

PREFIX = "played."


def playing(program: low.Program) -> tuple[low.Program, list[str]]:
    """Returns the program with the tables that random games read, and the lines of what plays them."""
    found = for_machine_code(program)
    if found is None:
        return program, [*entries.play_out(program, ""), *alone(program, "")]
    program = attrs.evolve(program, tables=found.tables)
    found = renamed(found, PREFIX)
    callees, looks = Callees.of(found), {question.look: question.options for question in found.questions}
    lines: list[str] = []
    for function in found.functions:
        if function.name in looks:
            lines += _look(found, function.name, looks[function.name])
        else:
            lines += FunctionPrinter(found, function, callees).lines()
    lines += entries.run_on(found, PREFIX)
    lines += entries.by_question(found, PREFIX)
    lines += entries.play_out(found, PREFIX)
    lines += alone(found, PREFIX)
    return program, lines


def _look(program: low.Program, name: str, options: str) -> Iterator[str]:
    """Prints a look at options that lists them and makes a lone one the answer; returns how many there are."""
    yield f"define internal i64 @{name}({pointers(program)}, i64 %seat) nounwind {{\nentry:"
    yield f"  %np = getelementptr inbounds i64, ptr %M, i64 {COUNT}\n  store i64 0, ptr %np"
    yield f"  %listed = call i64 @{options}(ptr %S, ptr %M, i64 %seat)"
    yield f"  %stp = getelementptr inbounds i64, ptr %M, i64 {STATUS}\n  %status = load i64, ptr %stp"
    yield f"  %is_going = icmp eq i64 %status, {GOING}\n  br i1 %is_going, label %count, label %out, !prof !0"
    yield "count:\n  %many = load i64, ptr %np\n  %is_lone = icmp eq i64 %many, 1\n  br i1 %is_lone, label %lone, label %out"
    yield "lone:"
    for i in range(program.width):
        yield f"  %op{i} = getelementptr inbounds i64, ptr %M, i64 {offers_at(program) + i}\n  %o{i} = load i64, ptr %op{i}"
        yield f"  %gp{i} = getelementptr inbounds i64, ptr %M, i64 {GIVEN + i}\n  store i64 %o{i}, ptr %gp{i}"
    yield "  br label %out"
    yield "out:\n  %found = phi i64 [ -1, %entry ], [ %many, %count ], [ 1, %lone ]\n  ret i64 %found\n}"
