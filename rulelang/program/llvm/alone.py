"""The functions that step one game for Python, which calls them as it calls its own: lines of LLVM IR.

    step(state, pick)      takes an option by its number; returns the number of options of the next question
    restart(state)         begins the game; returns the number of options of the first question

`state` is a tuple: the words of `ALONE` as bytes, and what Python is to call with the same argument where machine code
cannot take the step. A step that it cannot take leaves the game as it was, with 0 options.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulelang.program.llvm.called import words
from rulelang.program.llvm.frame import COUNT, ENDED, GIVEN, GOING, LEFT, STATUS, before_at, offers_at, pointers

if TYPE_CHECKING:
    from rulelang.program.low import model as low

ALONE = ("row", "frame", "opening", "block", "left")
"""The words that `step` and `restart` are given: the addresses of a row, a frame and the row of a game that has not
begun; the first block of the rules, and the steps that a set-up may take."""


def alone(program: low.Program, prefix: str) -> Iterator[str]:
    """Prints all functions; with a prefix, the looks at options leave the list of a question behind (`playing.py`)."""
    yield from _waiting(program, prefix)
    yield from _taken(program, prefix)
    yield from _step()
    yield from _restart(program)


def _waiting(program: low.Program, prefix: str) -> Iterator[str]:
    """Prints the function that returns the number of options of the pending question; 0 if the game is over, -1 if
    they cannot be listed."""
    looked = [i + 1 for i, question in enumerate(program.questions) if prefix and question.look]
    yield f"define internal i64 @waiting({pointers(program)}) nounwind {{\nentry:"
    yield f"  %np = getelementptr inbounds i64, ptr %M, i64 {COUNT}\n  %stp = getelementptr inbounds i64, ptr %M, i64 {STATUS}"
    yield f"  %qp = getelementptr inbounds i64, ptr %S, i64 {program.question}\n  %q = load i64, ptr %qp"
    yield f"  switch i64 %q, label %list [ i64 0, label %over {' '.join(f'i64 {number}, label %look' for number in looked)} ]"
    yield "look:\n  %found = load i64, ptr %np\n  %is_found = icmp sge i64 %found, 0\n  br i1 %is_found, label %some, label %list"
    yield f"list:\n  %seat = call i64 @asked(ptr %S)\n  %listed = call i64 @{prefix}list_options(ptr %S, ptr %M, i64 %seat)"
    yield f"  %status = load i64, ptr %stp\n  %is_listed = icmp eq i64 %status, {GOING}\n  br i1 %is_listed, label %some, label %miss"
    yield "some:\n  %count = phi i64 [ %found, %look ], [ %listed, %list ]\n  %none = icmp eq i64 %count, 0"
    yield "  br i1 %none, label %miss, label %out\nmiss:\n  ret i64 -1\nover:\n  store i64 0, ptr %np\n  ret i64 0"
    yield "out:\n  ret i64 %count\n}"


def _taken(program: low.Program, prefix: str) -> Iterator[str]:
    """Prints the function that takes an option by its number; returns the number of options then, -1 if it cannot."""
    row, scratch, width = 8 * (program.row - program.scratch), 8 * program.scratch, program.width
    yield f"define internal i64 @taken({pointers(program)}, i64 %pick) nounwind {{\nentry:"
    yield f"  %np = getelementptr inbounds i64, ptr %M, i64 {COUNT}\n  %stp = getelementptr inbounds i64, ptr %M, i64 {STATUS}"
    yield f"  %o = mul i64 %pick, {width}\n  %from = add i64 %o, {offers_at(program)}"
    for i in range(width):
        yield f"  %f{i} = add i64 %from, {i}\n  %fp{i} = getelementptr inbounds i64, ptr %M, i64 %f{i}\n  %v{i} = load i64, ptr %fp{i}"
        yield f"  %g{i} = getelementptr inbounds i64, ptr %M, i64 {GIVEN + i}\n  store i64 %v{i}, ptr %g{i}"
    yield f"  %before = getelementptr inbounds i64, ptr %M, i64 {before_at(program)}"
    yield f"  call void @llvm.memcpy.p0.p0.i64(ptr %before, ptr %S, i64 {row}, i1 false)"
    yield f"  store i64 -1, ptr %np\n  store i64 {GOING}, ptr %stp\n  %seat = call i64 @asked(ptr %S)"
    yield f"  %done = call i64 @{prefix}answer(ptr %S, ptr %M, i64 %seat)\n  %after = load i64, ptr %stp"
    yield f"  switch i64 %after, label %miss [ i64 {GOING}, label %going i64 {ENDED}, label %over ]"
    yield "going:\n  %count = call i64 @waiting(ptr %S, ptr %M)\n  %is_known = icmp sge i64 %count, 0"
    yield "  br i1 %is_known, label %out, label %miss\nout:\n  ret i64 %count\nover:\n  store i64 0, ptr %np\n  ret i64 0"
    yield f"miss:\n  call void @llvm.memcpy.p0.p0.i64(ptr %S, ptr %before, i64 {row}, i1 false)"
    yield f"  %behind = getelementptr inbounds i8, ptr %S, i64 {row}"
    yield f"  call void @llvm.memset.p0.i64(ptr %behind, i8 0, i64 {scratch}, i1 false)"
    yield f"  store i64 0, ptr %np\n  store i64 {GOING}, ptr %stp\n  ret i64 -1\n}}"


def _step() -> Iterator[str]:
    yield "define ptr @step(ptr %state, ptr %number) nounwind {\nentry:"
    yield from words(ALONE, ("row", "frame"))
    yield f"  %np = getelementptr inbounds i64, ptr %frame, i64 {COUNT}\n  %count = load i64, ptr %np"
    yield "  %pick = call i64 @PyNumber_AsSsize_t(ptr %number, ptr null)\n  %fits = icmp ult i64 %pick, %count"
    yield "  br i1 %fits, label %take, label %unfit\ntake:\n  %now = call i64 @taken(ptr %row, ptr %frame, i64 %pick)"
    yield "  %is_taken = icmp sge i64 %now, 0\n  br i1 %is_taken, label %out, label %miss"
    yield "out:\n  %found = call ptr @PyLong_FromSsize_t(i64 %now)\n  ret ptr %found"
    yield "unfit:\n  call void @PyErr_Clear()\n  br label %miss"
    yield "miss:\n  %other = call ptr @PyTuple_GetItem(ptr %state, i64 1)"
    yield "  %result = call ptr @PyObject_CallOneArg(ptr %other, ptr %number)\n  ret ptr %result\n}"


def _restart(program: low.Program) -> Iterator[str]:
    yield "define ptr @restart(ptr %state, ptr %nothing) nounwind {\nentry:"
    yield from words(ALONE, ALONE)
    yield f"  %np = getelementptr inbounds i64, ptr %frame, i64 {COUNT}\n  store i64 -1, ptr %np"
    yield f"  %stp = getelementptr inbounds i64, ptr %frame, i64 {STATUS}\n  store i64 {GOING}, ptr %stp"
    yield f"  %lp = getelementptr inbounds i64, ptr %frame, i64 {LEFT}\n  store i64 %left, ptr %lp"
    yield f"  call void @llvm.memcpy.p0.p0.i64(ptr %row, ptr %opening, i64 {8 * program.row}, i1 false)"
    yield "  %ran = call i64 @run_on(ptr %row, ptr %frame, i64 %block)\n  %after = load i64, ptr %stp"
    yield f"  switch i64 %after, label %miss [ i64 {GOING}, label %going i64 {ENDED}, label %over ]"
    yield "going:\n  %waits = call i64 @waiting(ptr %row, ptr %frame)\n  %is_known = icmp sge i64 %waits, 0"
    yield "  br i1 %is_known, label %out, label %miss\nover:\n  store i64 0, ptr %np\n  br label %out"
    yield "out:\n  %count = phi i64 [ %waits, %going ], [ 0, %over ]"
    yield "  %found = call ptr @PyLong_FromSsize_t(i64 %count)\n  ret ptr %found"
    yield "miss:\n  store i64 0, ptr %np\n  %other = call ptr @PyTuple_GetItem(ptr %state, i64 2)"
    yield "  %result = call ptr @PyObject_CallNoArgs(ptr %other)\n  ret ptr %result\n}"
