"""A traced program of the low-level IR -> a module of LLVM IR that plays many random games and counts the rules that begin.

    tell enter 4, r0, r1        M[counts + 4] += 1

After each game its counts are added to the columns that were asked for, and are 0 again.

Invariant: the games are those of `module.print_llvm`, to the last step; what is foreseen tells nobody, so it counts for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.program.llvm import entries, frame
from rulelang.program.llvm.function import Callees, FunctionPrinter
from rulelang.program.llvm.module import declarations, opening, without_score
from rulelang.program.llvm.shape import Shape
from rulelang.program.low import model as low


def print_counting(program: low.Program, rules: int) -> tuple[str, Shape]:
    """Returns the text of a module with the entry point `play_many`, which is given a column for each of the rules (-1:
    none), and its shape."""
    program = without_score(program)
    counts, lines, callees = frame.memos_at(program), opening(program), Callees.of(program)
    for function in program.functions:
        lines += CountingPrinter(program, function, callees, counts).lines()
    lines += [*entries.run_on(program), *entries.asked(program), *entries.by_question(program)]
    lines += [*entries.play_out(program, ""), *entries.play_many(program, list(_added(counts, rules)), "counted")]
    lines += declarations(lines)
    return "\n".join(lines) + "\n", attrs.evolve(Shape.of(program), frame=counts + rules)


class CountingPrinter(FunctionPrinter):
    """Prints one function, which counts the rules that begin."""

    def __init__(self, program: low.Program, function: low.Function, callees: Callees, counts: int) -> None:
        super().__init__(program, function, callees)
        self._counts = counts

    def tell(self, order: low.TellInst) -> None:
        """Prints the count of a rule that begins; nothing else is told."""
        if order.tell != "enter":
            return
        rule = order.arguments[0]
        assert isinstance(rule, low.ConstWord)
        place = self.field(self._counts + rule.value)
        more = self.value(f"add i64 {self.value(f'load i64, ptr {place}')}, 1")
        self.add(f"store i64 {more}, ptr {place}")


def _added(counts: int, rules: int) -> Iterator[str]:
    """Prints the adding of a game's counts to its entries in the columns, which makes them 0 again."""
    yield "  br label %count"
    yield "count:\n  %rule = phi i64 [ 0, %done ], [ %other, %skip ]"
    yield f"  %place = add i64 %rule, {counts}\n  %countp = getelementptr inbounds i64, ptr %M, i64 %place"
    yield "  %times = load i64, ptr %countp\n  store i64 0, ptr %countp"
    yield "  %columnp = getelementptr inbounds i64, ptr %columns, i64 %rule\n  %column = load i64, ptr %columnp"
    yield "  %is_wanted = icmp sge i64 %column, 0\n  br i1 %is_wanted, label %add, label %skip"
    yield "add:\n  %above = mul i64 %many, %column\n  %entryn = add i64 %above, %i"
    yield "  %entryp = getelementptr inbounds i64, ptr %found, i64 %entryn\n  %had = load i64, ptr %entryp"
    yield "  %has = add i64 %had, %times\n  store i64 %has, ptr %entryp\n  br label %skip"
    yield f"skip:\n  %other = add i64 %rule, 1\n  %is_more = icmp slt i64 %other, {rules}"
    yield "  br i1 %is_more, label %count, label %counted"
    yield "counted:"
