"""The entry points that step many games at once: lines of LLVM IR."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.program.llvm.frame import (
    ASKED,
    BATCH,
    BEGIN,
    BY_STREAM,
    COUNT,
    CUT,
    ENDED,
    GIVEN,
    GOING,
    LEAVE,
    LEFT,
    LOOK,
    OVER,
    STATUS,
    TRAPPED,
    UNLISTED,
    UNTAKEN,
    before_at,
    keys_at,
    offers_at,
)
from rulelang.program.low import model as low


def pick_checked() -> Iterator[str]:
    """Prints the function that returns the first game whose pick is no option of it, -1 if there is none."""
    yield "define i64 @pick_checked(ptr noalias %B) nounwind {\nentry:"
    yield from _batch(("picks", "counts"), ("many",))
    yield "  br label %again\nagain:\n  %i = phi i64 [ 0, %entry ], [ %next, %fine ]"
    yield "  %all = icmp sge i64 %i, %many\n  br i1 %all, label %out, label %game"
    yield "game:\n  %pp = getelementptr inbounds i64, ptr %picks, i64 %i\n  %pick = load i64, ptr %pp"
    yield "  %cp = getelementptr inbounds i64, ptr %counts, i64 %i\n  %count = load i64, ptr %cp"
    yield f"  %low = icmp slt i64 %pick, {LEAVE}\n  %some = icmp sge i64 %pick, 0\n  %past = icmp sge i64 %pick, %count"
    yield "  %high = and i1 %some, %past\n  %bad = or i1 %low, %high\n  br i1 %bad, label %out, label %fine"
    yield "fine:\n  %next = add i64 %i, 1\n  br label %again"
    yield "out:\n  %found = phi i64 [ -1, %again ], [ %i, %game ]\n  ret i64 %found\n}"


def step_many(program: low.Program) -> Iterator[str]:
    """Prints the loop that takes a step in each of many games and lists the options of the next one.

    Returns the number of games in which it could not.
    """
    row, width, scratch = 8 * (program.row - program.scratch), program.width, 8 * program.scratch
    yield "define i64 @step_many(ptr noalias %B) nounwind {\nentry:"
    yield from _batch(
        ("frame", "rows", "picks", "seats", "counts", "states", "lengths", "options", "keys"),
        ("many", "room", "most", "block", "left"),
    )
    for name, place in (("stp", STATUS), ("lp", LEFT), ("np", COUNT), ("listed_at", offers_at(program))):
        yield f"  %{name} = getelementptr inbounds i64, ptr %frame, i64 {place}"
    yield f"  %before = getelementptr inbounds i64, ptr %frame, i64 {before_at(program)}\n  br label %again"
    yield "again:\n  %i = phi i64 [ 0, %entry ], [ %next, %done ]\n  %missed = phi i64 [ 0, %entry ], [ %more, %done ]"
    yield "  %all = icmp sge i64 %i, %many\n  br i1 %all, label %out, label %game"
    yield "game:\n  %pp = getelementptr inbounds i64, ptr %picks, i64 %i\n  %pick = load i64, ptr %pp"
    yield f"  %left_alone = icmp eq i64 %pick, {LEAVE}\n  br i1 %left_alone, label %done, label %one"
    yield f"one:\n  %from = mul i64 %i, {program.row}\n  %S = getelementptr inbounds i64, ptr %rows, i64 %from"
    for name in ("seats", "counts", "states", "lengths"):
        yield f"  %{name}_at = getelementptr inbounds i64, ptr %{name}, i64 %i"
    yield f"  %kept_from = mul i64 %i, %room\n  %kept_word = mul i64 %kept_from, {width}"
    yield "  %kept_at = getelementptr inbounds i64, ptr %options, i64 %kept_word\n  %length = load i64, ptr %lengths_at"
    yield from _keys_of_game(program)
    yield f"  call void @llvm.memcpy.p0.p0.i64(ptr %before, ptr %S, i64 {row}, i1 false)\n  store i64 {GOING}, ptr %stp"
    yield f"  switch i64 %pick, label %take [ i64 {LOOK}, label %look i64 {BEGIN}, label %begin ]"
    yield from _taken(program)
    yield from _listed(program)
    yield f"miss:\n  %why = phi i64 [ {UNTAKEN}, %untaken ], [ {UNLISTED}, %list ]\n  store i64 %why, ptr %states_at"
    yield f"  %behind = getelementptr inbounds i8, ptr %S, i64 {row}"
    yield f"  call void @llvm.memset.p0.i64(ptr %behind, i8 0, i64 {scratch}, i1 false)\n  br label %done"
    yield "done:\n  %one_more = phi i64 [ 0, %game ], [ 0, %listed ], [ 0, %keep ], [ 0, %over ], [ 1, %miss ]"
    yield "  %more = add i64 %missed, %one_more\n  %next = add i64 %i, 1\n  br label %again"
    yield "out:\n  ret i64 %missed\n}"


def _taken(program: low.Program) -> Iterator[str]:
    """Prints the lines that begin a game, or carry out the option that was picked."""
    row, width = 8 * (program.row - program.scratch), program.width
    yield "begin:\n  store i64 %left, ptr %lp\n  %ran = call i64 @run_on(ptr %S, ptr %frame, i64 %block)\n  br label %ran_on"
    yield "take:\n  %seat = load i64, ptr %seats_at\n  %options_here = load i64, ptr %counts_at"
    yield "  %fits = icmp sle i64 %options_here, %room\n  br i1 %fits, label %give, label %relist"
    yield "relist:\n  %relisted = call i64 @list_options(ptr %S, ptr %frame, i64 %seat)\n  br label %give"
    yield "give:\n  %answers = phi ptr [ %kept_at, %take ], [ %listed_at, %relist ]"
    yield f"  %word = mul i64 %pick, {width}"
    for k in range(width):
        yield f"  %f{k} = add i64 %word, {k}\n  %fp{k} = getelementptr inbounds i64, ptr %answers, i64 %f{k}\n  %v{k} = load i64, ptr %fp{k}"
        yield f"  %g{k} = getelementptr inbounds i64, ptr %frame, i64 {GIVEN + k}\n  store i64 %v{k}, ptr %g{k}"
    yield "  %answered = call i64 @answer(ptr %S, ptr %frame, i64 %seat)\n  br label %ran_on"
    yield "ran_on:\n  %taken = phi i64 [ 0, %begin ], [ 1, %give ]\n  %after = load i64, ptr %stp"
    yield f"  %trapped = icmp eq i64 %after, {TRAPPED}\n  br i1 %trapped, label %untaken, label %counted"
    yield f"untaken:\n  call void @llvm.memcpy.p0.p0.i64(ptr %S, ptr %before, i64 {row}, i1 false)\n  br label %miss"
    yield "counted:\n  %longer = add i64 %length, %taken\n  store i64 %longer, ptr %lengths_at"
    yield f"  %ended = icmp eq i64 %after, {ENDED}\n  br i1 %ended, label %over, label %look"


def _listed(program: low.Program) -> Iterator[str]:
    """Prints the lines that list the options of a game and keep a few of them."""
    width = program.width
    yield f"look:\n  %qp = getelementptr inbounds i64, ptr %S, i64 {program.question}\n  %q = load i64, ptr %qp"
    yield "  %is_over = icmp eq i64 %q, 0\n  br i1 %is_over, label %over, label %asks"
    yield "asks:\n  %so_far = load i64, ptr %lengths_at\n  %enough = icmp sge i64 %so_far, %most"
    yield "  br i1 %enough, label %over, label %list"
    yield "list:\n  %asked = call i64 @asked(ptr %S)\n  store i64 %asked, ptr %seats_at"
    yield "  %count = call i64 @list_options(ptr %S, ptr %frame, i64 %asked)\n  %status = load i64, ptr %stp"
    yield f"  %is_listed = icmp eq i64 %status, {GOING}\n  %is_some = icmp ne i64 %count, 0"
    yield "  %is_fine = and i1 %is_listed, %is_some\n  br i1 %is_fine, label %listed, label %miss"
    yield f"listed:\n  store i64 %count, ptr %counts_at\n  store i64 {ASKED}, ptr %states_at"
    yield "  %is_kept = icmp sle i64 %count, %room\n  br i1 %is_kept, label %keep, label %done"
    yield f"keep:\n  %bytes = mul i64 %count, {8 * width}"
    yield "  call void @llvm.memcpy.p0.p0.i64(ptr %kept_at, ptr %listed_at, i64 %bytes, i1 false)\n  br label %done"
    yield f"over:\n  %state = phi i64 [ {OVER}, %counted ], [ {OVER}, %look ], [ {CUT}, %asks ]"
    yield "  store i64 -1, ptr %seats_at\n  store i64 0, ptr %counts_at\n  store i64 %state, ptr %states_at\n  br label %done"


def _batch(pointers: tuple[str, ...], numbers: tuple[str, ...]) -> Iterator[str]:
    """Prints the loads of some words of a batch (`frame.BATCH`), each under its name."""
    for name in (*pointers, *numbers):
        word = f"{name}_word" if name in pointers else name
        yield f"  %B_{name} = getelementptr inbounds i64, ptr %B, i64 {BATCH.index(name)}\n  %{word} = load i64, ptr %B_{name}"
        if name in pointers:
            yield f"  %{name} = inttoptr i64 %{name}_word to ptr"


def _keys_of_game(program: low.Program) -> Iterator[str]:
    """Prints the lines that put the keys of game `%i` into the frame."""
    if not program.streams:
        return
    yield f"  %by = getelementptr inbounds i64, ptr %frame, i64 {keys_at(program)}\n  store i64 {BY_STREAM}, ptr %by"
    yield f"  %first_key = mul i64 %i, {program.streams}\n  %keys_from = getelementptr inbounds i64, ptr %keys, i64 %first_key"
    yield f"  %keys_to = getelementptr inbounds i64, ptr %frame, i64 {keys_at(program) + 1}"
    yield f"  call void @llvm.memcpy.p0.p0.i64(ptr %keys_to, ptr %keys_from, i64 {8 * program.streams}, i1 false)"
