"""The memo of a function -> LLVM IR that returns the kept result of this moment, or computes and keeps it.

    v74(S, M, a0)     the result in the memo, if the number of its moment is that in the frame; else that of v74.anew(S, M, a0)

A result from the memo costs the steps that it cost when it was computed.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.program.llvm.frame import GOING, LEFT, STATUS, TRAPPED, moment_at, pointers
from rulelang.program.llvm.function import type_of
from rulelang.program.low import model as low


def memo(program: low.Program, function: low.Function, place: int) -> Iterator[str]:
    """Prints the wrapper that looks up a function's memo; prints nothing for a function without one."""
    if not function.memo:
        return
    result, words = type_of(function.result), 2 + function.result
    given = "".join(f", i64 %a{i}" for i in range(function.parameters))
    yield f"define internal {result} @{function.name}({pointers(program)}{given}) nounwind {{\nentry:"
    yield f"  %np = getelementptr inbounds i64, ptr %M, i64 {moment_at(program)}\n  %now = load i64, ptr %np"
    yield f"  %lp = getelementptr inbounds i64, ptr %M, i64 {LEFT}\n  %before = load i64, ptr %lp"
    yield "  %ok = icmp ne i64 %now, 0\n  %at = add i64 0, 0"
    ok, at = "%ok", "%at"
    for i, (least, many) in enumerate(function.memo):
        yield f"  %k{i} = sub i64 %a{i}, {least}\n  %in{i} = icmp ult i64 %k{i}, {many}\n  %ok{i} = and i1 {ok}, %in{i}"
        yield f"  %m{i} = mul i64 {at}, {many}\n  %at{i} = add i64 %m{i}, %k{i}"
        ok, at = f"%ok{i}", f"%at{i}"
    yield f"  %safe = select i1 {ok}, i64 {at}, i64 0\n  %o = mul i64 %safe, {words}\n  %w = add i64 %o, {place}"
    yield "  %p = getelementptr inbounds i64, ptr %M, i64 %w\n  %pp = getelementptr inbounds i64, ptr %p, i64 1"
    yield "  %vp = getelementptr inbounds i64, ptr %p, i64 2"
    yield f"  %stamp = load i64, ptr %p\n  %same = icmp eq i64 %stamp, %now\n  %hit = and i1 {ok}, %same"
    yield "  br i1 %hit, label %found, label %anew"
    yield "found:\n  %cost = load i64, ptr %pp\n  %rest = sub i64 %before, %cost\n  store i64 %rest, ptr %lp"
    yield "  %enough = icmp sge i64 %rest, 0\n  br i1 %enough, label %give, label %spent, !prof !0"
    yield f"give:\n  %v = load {result}, ptr %vp, align 8\n  ret {result} %v"
    yield f"spent:\n  %sp = getelementptr inbounds i64, ptr %M, i64 {STATUS}\n  store i64 {TRAPPED}, ptr %sp\n  ret {result} -1"
    yield f"anew:\n  %x = call {result} @{function.name}.anew(ptr %S, ptr %M{given})"
    yield f"  %tp = getelementptr inbounds i64, ptr %M, i64 {STATUS}\n  %status = load i64, ptr %tp"
    yield f"  %going = icmp eq i64 %status, {GOING}\n  %may = and i1 %going, {ok}\n  br i1 %may, label %keep, label %out"
    yield "keep:\n  %after = load i64, ptr %lp\n  %paid = sub i64 %before, %after"
    yield f"  store i64 %now, ptr %p\n  store i64 %paid, ptr %pp\n  store {result} %x, ptr %vp, align 8\n  br label %out"
    yield f"out:\n  ret {result} %x\n}}"
