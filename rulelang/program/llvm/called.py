"""The functions that take one step for Python, which calls them as it calls its own: lines of LLVM IR.

    take_answer(state, row, answer, seat, keys)   takes an answer, and writes the row after it to the row that it was
                                                  given; returns the steps left, -2 minus those if the game is over,
                                                  MISSED if it cannot take it, and then leaves the row as it was
    list_answers(state, row, seat)                returns the words of a seat's options; none if it cannot list them

`state` is a tuple: the addresses of a row and a frame, as bytes, and what these live in. A call holds the interpreter's
lock, so all threads share that memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulelang.program.llvm.frame import ENDED, GIVEN, GOING, LEFT, STATUS, keys_at, offers_at

if TYPE_CHECKING:
    from rulelang.program.low import model as low

MISSED = -1
"""What `take_answer` returns where machine code cannot take the step."""
INTERPRETER = (
    ("PyTuple_GetItem", "ptr", ("ptr", "i64")),
    ("PyTuple_Size", "i64", ("ptr",)),
    ("PyBytes_AsString", "ptr", ("ptr",)),
    ("PyBytes_FromStringAndSize", "ptr", ("ptr", "i64")),
    ("PyNumber_AsSsize_t", "i64", ("ptr", "ptr")),
    ("PyLong_AsLongLong", "i64", ("ptr",)),
    ("PyLong_FromSsize_t", "ptr", ("i64",)),
    ("PyObject_GetBuffer", "i32", ("ptr", "ptr", "i32")),
    ("PyBuffer_Release", "void", ("ptr",)),
    ("PyObject_CallOneArg", "ptr", ("ptr", "ptr")),
    ("PyObject_CallNoArgs", "ptr", ("ptr",)),
    ("PyErr_Occurred", "ptr", ()),
    ("PyErr_Clear", "void", ()),
)
"""The functions of the interpreter that machine code calls: name, result, parameters."""
READ, WRITE = 0, 1
"""How a buffer is asked for: PyBUF_SIMPLE, PyBUF_WRITABLE."""
VIEW, LENGTH = 12, 2
"""The words that a Py_buffer takes at most, and the one with the number of its bytes; the first is its address."""


def declared() -> Iterator[str]:
    """Prints the declarations of the interpreter's functions."""
    for name, result, parameters in INTERPRETER:
        yield f"declare {result} @{name}({', '.join(parameters)})"


def words(names: tuple[str, ...], wanted: tuple[str, ...]) -> Iterator[str]:
    """Prints the loads of some of the words that a state begins with, each under its name."""
    yield "  %bytes = call ptr @PyTuple_GetItem(ptr %state, i64 0)\n  %words = call ptr @PyBytes_AsString(ptr %bytes)"
    for name in wanted:
        type = "i64" if name in ("block", "left") else "ptr"
        yield f"  %p_{name} = getelementptr inbounds i64, ptr %words, i64 {names.index(name)}\n  %{name} = load {type}, ptr %p_{name}"


def called(program: low.Program) -> Iterator[str]:
    """Prints both functions."""
    yield from _take(program)
    yield from _list(program)


def _begin(program: low.Program, name: str, how: int) -> Iterator[str]:
    """Prints the beginning of a function, which copies the row that it is given to the memory of machine code."""
    behind, scratch = 8 * (program.row - program.scratch), 8 * program.scratch
    yield f"define ptr @{name}(ptr %state, ptr %given, i64 %many) nounwind {{\nentry:"
    yield f"  %view = alloca [{VIEW} x i64]\n  %keys = alloca [{VIEW} x i64]"
    yield from words(("row", "frame"), ("row", "frame"))
    yield f"  %array = load ptr, ptr %given\n  %held = call i32 @PyObject_GetBuffer(ptr %array, ptr %view, i32 {how})"
    yield "  %is_held = icmp eq i32 %held, 0\n  br i1 %is_held, label %copy, label %fail\nfail:\n  ret ptr null"
    yield "copy:\n  %at = load ptr, ptr %view"
    yield f"  call void @llvm.memcpy.p0.p0.i64(ptr %row, ptr %at, i64 {behind}, i1 false)"
    yield f"  %behind = getelementptr inbounds i8, ptr %row, i64 {behind}"
    yield f"  call void @llvm.memset.p0.i64(ptr %behind, i8 0, i64 {scratch}, i1 false)"
    yield f"  %stp = getelementptr inbounds i64, ptr %frame, i64 {STATUS}\n  store i64 {GOING}, ptr %stp"


def _argument(number: int, name: str) -> str:
    return f"  %p_{name} = getelementptr inbounds ptr, ptr %given, i64 {number}\n  %{name} = load ptr, ptr %p_{name}"


def _take(program: low.Program) -> Iterator[str]:
    yield from _begin(program, "take_answer", WRITE)
    yield _argument(1, "answer")
    yield _argument(2, "asked")
    yield from _hand_keys(program)
    yield f"  %size = call i64 @PyTuple_Size(ptr %answer)\n  %fits = icmp ule i64 %size, {program.width}"
    yield "  br i1 %fits, label %next, label %unfit"
    yield "next:\n  %i = phi i64 [ 0, %copied ], [ %i1, %word ]\n  %more = icmp ult i64 %i, %size"
    yield "  br i1 %more, label %word, label %read\nword:\n  %item = call ptr @PyTuple_GetItem(ptr %answer, i64 %i)"
    yield f"  %value = call i64 @PyLong_AsLongLong(ptr %item)\n  %g = add i64 %i, {GIVEN}"
    yield "  %gp = getelementptr inbounds i64, ptr %frame, i64 %g\n  store i64 %value, ptr %gp\n  %i1 = add i64 %i, 1\n  br label %next"
    yield "read:\n  %seat = call i64 @PyLong_AsLongLong(ptr %asked)\n  %error = call ptr @PyErr_Occurred()"
    yield "  %is_read = icmp eq ptr %error, null\n  br i1 %is_read, label %run, label %wrong"
    yield "wrong:\n  call void @PyBuffer_Release(ptr %view)\n  ret ptr null"
    yield "unfit:\n  call void @PyErr_Clear()\n  br label %out"
    yield "run:\n  %ran = call i64 @answer(ptr %row, ptr %frame, i64 %seat)\n  %status = load i64, ptr %stp"
    yield f"  %lp = getelementptr inbounds i64, ptr %frame, i64 {LEFT}\n  %left = load i64, ptr %lp\n  %over = sub i64 -2, %left"
    yield f"  switch i64 %status, label %out [ i64 {GOING}, label %keep i64 {ENDED}, label %keep ]"
    yield f"keep:\n  %is_over = icmp eq i64 %status, {ENDED}\n  %kept = select i1 %is_over, i64 %over, i64 %left"
    yield f"  call void @llvm.memcpy.p0.p0.i64(ptr %at, ptr %row, i64 {8 * (program.row - program.scratch)}, i1 false)\n  br label %out"
    yield f"out:\n  %result = phi i64 [ {MISSED}, %unfit ], [ {MISSED}, %run ], [ %kept, %keep ]"
    yield "  call void @PyBuffer_Release(ptr %view)\n  %found = call ptr @PyLong_FromSsize_t(i64 %result)\n  ret ptr %found\n}"


def _hand_keys(program: low.Program) -> Iterator[str]:
    """Prints the part that copies the keys of the dice to the frame."""
    yield _argument(3, "dice")
    yield f"  %known = call i32 @PyObject_GetBuffer(ptr %dice, ptr %keys, i32 {READ})\n  %is_known = icmp eq i32 %known, 0"
    yield "  br i1 %is_known, label %copied, label %wrong\ncopied:\n  %from = load ptr, ptr %keys"
    yield f"  %np = getelementptr inbounds i64, ptr %keys, i64 {LENGTH}\n  %bytes_of = load i64, ptr %np"
    yield f"  %kp = getelementptr inbounds i64, ptr %frame, i64 {keys_at(program)}"
    yield "  call void @llvm.memcpy.p0.p0.i64(ptr %kp, ptr %from, i64 %bytes_of, i1 false)"
    yield "  call void @PyBuffer_Release(ptr %keys)"


def _list(program: low.Program) -> Iterator[str]:
    yield from _begin(program, "list_answers", READ)
    yield "  call void @PyBuffer_Release(ptr %view)"
    yield _argument(1, "asked")
    yield "  %seat = call i64 @PyLong_AsLongLong(ptr %asked)"
    yield "  %count = call i64 @list_options(ptr %row, ptr %frame, i64 %seat)\n  %status = load i64, ptr %stp"
    yield f"  %is_listed = icmp eq i64 %status, {GOING}\n  %some = select i1 %is_listed, i64 %count, i64 0"
    yield f"  %size = mul i64 %some, {8 * program.width}"
    yield f"  %options = getelementptr inbounds i64, ptr %frame, i64 {offers_at(program)}"
    yield "  %found = call ptr @PyBytes_FromStringAndSize(ptr %options, i64 %size)\n  ret ptr %found\n}"
