"""The entry points and shared functions: lines of LLVM IR not worth a form of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulelang.program.layout import GROUP, OUTCOME, OUTCOME_VALUE, RANKING, SCORE, WINNER
from rulelang.program.llvm.frame import (
    COUNT,
    ENDED,
    GIVEN,
    GOING,
    LEFT,
    RNG,
    STATUS,
    TRAPPED,
    dice_at,
    keys_at,
    offers_at,
    pointers,
)
from rulelang.program.llvm.function import signed
from rulelang.program.low import model as low
from rulelang.program.randomness import MIXER, OTHER_MIXER, STEP
from rulelang.program.results import LEFT_OVER

MIX = ((30, MIXER), (27, OTHER_MIXER))
"""The shifts and multipliers of `program.randomness.mixed`."""

HEAD = """\
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
!0 = !{!"branch_weights", i32 2000, i32 1}
!1 = !{i64 0, i64 64}
define internal i64 @high(i64 %a, i64 %b) nounwind alwaysinline {
  %c = zext i64 %a to i128
  %d = zext i64 %b to i128
  %p = mul i128 %c, %d
  %h = lshr i128 %p, 64
  %s = trunc i128 %h to i64
  ret i64 %s
}
define internal i64 @floor_div(i64 %a, i64 %b) nounwind alwaysinline {
  %q = sdiv i64 %a, %b
  %r = srem i64 %a, %b
  %x = xor i64 %r, %b
  %n = icmp slt i64 %x, 0
  %z = icmp ne i64 %r, 0
  %c = and i1 %n, %z
  %d = sext i1 %c to i64
  %s = add i64 %q, %d
  ret i64 %s
}
define internal i64 @floor_mod(i64 %a, i64 %b) nounwind alwaysinline {
  %r = srem i64 %a, %b
  %x = xor i64 %r, %b
  %n = icmp slt i64 %x, 0
  %z = icmp ne i64 %r, 0
  %c = and i1 %n, %z
  %d = select i1 %c, i64 %b, i64 0
  %s = add i64 %r, %d
  ret i64 %s
}""".splitlines()


def mixed() -> Iterator[str]:
    """Prints `program.randomness.mixed`."""
    yield "define internal i64 @mixed(i64 %w0) nounwind alwaysinline {"
    for i, (shift, factor) in enumerate(MIX):
        yield f"  %s{i} = lshr i64 %w{i}, {shift}\n  %y{i} = xor i64 %w{i}, %s{i}\n  %w{i + 1} = mul i64 %y{i}, {signed(factor)}"
    yield "  %s2 = lshr i64 %w2, 31\n  %mixed = xor i64 %w2, %s2\n  ret i64 %mixed\n}"


def drawn_together(program: low.Program) -> Iterator[str]:
    """Prints the function that draws as `machines.chance.Dice` does: by one count for all streams."""
    yield f"define internal i64 @drawn_together({pointers(program)}) nounwind noinline {{"
    yield f"  %kp = getelementptr inbounds i64, ptr %M, i64 {dice_at(program)}\n  %key = load i64, ptr %kp"
    yield "  %n0 = add i64 0, 0"
    for i in range(program.streams):
        yield f"  %p{i} = getelementptr inbounds i64, ptr %S, i64 {program.counters + i}\n  %c{i} = load i64, ptr %p{i}"
        yield f"  %n{i + 1} = add i64 %n{i}, %c{i}"
    yield f"  %steps = mul i64 %n{program.streams}, {signed(STEP)}\n  %word = add i64 %key, %steps"
    yield "  %drawn = call i64 @mixed(i64 %word)\n  ret i64 %drawn\n}"


def run_on(program: low.Program, prefix: str = "") -> Iterator[str]:
    """Prints the loop that runs block after block until the game waits or ends."""
    yield f"define {_linkage(prefix)}i64 @{prefix}run_on({pointers(program)}, i64 %first) nounwind {{"
    yield "entry:\n  %at = alloca i64\n  store i64 %first, ptr %at\n  br label %again"
    yield "again:\n  %block = load i64, ptr %at"
    targets = " ".join(f"i64 {block}, label %b{block}" for block, _ in program.blocks)
    yield f"  switch i64 %block, label %out [ {targets} ]"
    for block, name in program.blocks:
        yield f"b{block}:\n  %x{block} = call i64 @{name}(ptr %S, ptr %M)"
        yield f"  store i64 %x{block}, ptr %at\n  br label %again"
    yield "out:\n  ret i64 %block\n}"


def _linkage(prefix: str) -> str:
    """Returns the linkage of an entry point: one with a prefix is called by other functions of the module only."""
    return "internal " if prefix else ""


def asked(program: low.Program) -> Iterator[str]:
    """Prints the function that returns the seat that is asked, the first of several."""
    yield f"define internal i64 @asked(ptr noalias %S) nounwind {{\nentry:\n{_number(program)}"
    sealed = [(i, question) for i, question in enumerate(program.questions) if question.owing >= 0]
    yield f"  switch i64 %number, label %out [ {' '.join(f'i64 {i + 1}, label %q{i}' for i, _ in sealed)} ]"
    for i, question in sealed:
        yield f"q{i}:\n  %p{i} = getelementptr inbounds i64, ptr %S, i64 {question.owing}\n  %o{i} = load i64, ptr %p{i}"
        yield f"  %s{i} = call i64 @llvm.cttz.i64(i64 %o{i}, i1 false)\n  ret i64 %s{i}"
    yield f"out:\n  %sp = getelementptr inbounds i64, ptr %S, i64 {program.seat}\n  %seat = load i64, ptr %sp\n  ret i64 %seat\n}}"


def _number(program: low.Program) -> str:
    """Returns the lines that read the number of the waiting question."""
    return f"""\
  %place = getelementptr inbounds i64, ptr %S, i64 {program.question}
  %number = load i64, ptr %place"""


def by_question(program: low.Program, prefix: str = "") -> Iterator[str]:
    """Prints the entry points that list options and take an answer, by the waiting question."""
    targets = " ".join(f"i64 {i + 1}, label %q{i}" for i in range(len(program.questions)))
    yield f"define {_linkage(prefix)}i64 @{prefix}list_options({pointers(program)}, i64 %seat) nounwind {{\nentry:"
    yield _number(program)
    yield f"  %lp = getelementptr inbounds i64, ptr %M, i64 {LEFT}\n  %cp = getelementptr inbounds i64, ptr %M, i64 {COUNT}"
    yield "  store i64 0, ptr %cp"
    yield f"  switch i64 %number, label %out [ {targets} ]"
    for i, question in enumerate(program.questions):
        yield f"q{i}:\n  store i64 {question.budget}, ptr %lp"
        yield f"  %x{i} = call i64 @{question.options}(ptr %S, ptr %M, i64 %seat)\n  br label %out"
    yield "out:\n  %count = load i64, ptr %cp\n  ret i64 %count\n}"
    yield from answer(program, prefix)


def answer(program: low.Program, prefix: str = "") -> Iterator[str]:
    """Prints the entry point that takes an answer and runs on."""
    targets = " ".join(f"i64 {i + 1}, label %q{i}" for i in range(len(program.questions)))
    yield f"define {_linkage(prefix)}i64 @{prefix}answer({pointers(program)}, i64 %seat) nounwind {{\nentry:"
    yield f"{_number(program)}\n  store i64 0, ptr %place"
    yield f"  %lp = getelementptr inbounds i64, ptr %M, i64 {LEFT}\n  store i64 {program.half}, ptr %lp"
    yield f"  %gp = getelementptr inbounds i64, ptr %M, i64 {GIVEN}\n  %given = load i64, ptr %gp"
    yield f"  switch i64 %number, label %out [ {targets} ]"
    for i, question in enumerate(program.questions):
        if question.owing >= 0:
            yield f"q{i}:\n  %k{i} = call i64 @{question.keep}(ptr %S, ptr %M, i64 %seat)"
            yield f"  %x{i} = call i64 @{prefix}run_on(ptr %S, ptr %M, i64 %k{i})\n  br label %out"
            continue
        branches = " ".join(f"i64 {j}, label %q{i}_{j}" for j in range(len(question.branches)))
        yield f"q{i}:\n  switch i64 %given, label %out [ {branches} ]"
        for j, name in enumerate(question.branches):
            block = next(block for block, of in program.blocks if of == name)
            yield f"q{i}_{j}:\n  %x{i}_{j} = call i64 @{prefix}run_on(ptr %S, ptr %M, i64 {block})\n  br label %out"
    yield "out:\n  ret i64 0\n}"


def play_out(program: low.Program, prefix: str) -> Iterator[str]:
    """Prints the loop of a random game: lists the options, draws one as `playouts.rng.RandomStream` does and carries
    it out.

    With a prefix, the looks at options leave the list of a question behind
    (`playing.py`); the number of options is -1 until a look or a listing sets it. If
    it traps, the row is worthless, and the rng is that before the option was drawn.
    """
    looked = [i + 1 for i, question in enumerate(program.questions) if prefix and question.look]
    yield f"define i64 @play_out({pointers(program)}, i64 %most) nounwind {{\nentry:"
    yield f"  %stp = getelementptr inbounds i64, ptr %M, i64 {STATUS}\n  %rngp = getelementptr inbounds i64, ptr %M, i64 {RNG}"
    yield f"  %np = getelementptr inbounds i64, ptr %M, i64 {COUNT}\n  store i64 -1, ptr %np"
    yield f"  %qp = getelementptr inbounds i64, ptr %S, i64 {program.question}\n  %rng = load i64, ptr %rngp\n  br label %again"
    yield "again:\n  %plies = phi i64 [ 0, %entry ], [ %next, %played ]\n  %w = phi i64 [ %rng, %entry ], [ %w0, %played ]"
    yield "  %q = load i64, ptr %qp\n  %over = icmp eq i64 %q, 0\n  %enough = icmp sge i64 %plies, %most"
    yield "  %stop = or i1 %over, %enough\n  br i1 %stop, label %out, label %wait"
    yield "wait:\n  %seat = call i64 @asked(ptr %S)"
    yield f"  switch i64 %q, label %list [ {' '.join(f'i64 {number}, label %look' for number in looked)} ]"
    yield "look:\n  %found = load i64, ptr %np\n  %is_found = icmp sge i64 %found, 0\n  br i1 %is_found, label %some, label %list"
    yield f"list:\n  %listed = call i64 @{prefix}list_options(ptr %S, ptr %M, i64 %seat)\n  %status = load i64, ptr %stp"
    yield f"  %is_listed = icmp eq i64 %status, {GOING}\n  br i1 %is_listed, label %some, label %trap"
    yield "some:\n  %count = phi i64 [ %found, %look ], [ %listed, %list ]"
    yield "  %none = icmp eq i64 %count, 0\n  br i1 %none, label %trap, label %draw"
    yield f"draw:\n  store i64 -1, ptr %np\n  %w0 = add i64 %w, {signed(STEP)}"
    yield "  %drawn = call i64 @mixed(i64 %w0)"
    yield "  %i = call i64 @high(i64 %drawn, i64 %count)"
    width = program.width
    yield f"  %o = mul i64 %i, {width}\n  %from = add i64 %o, {offers_at(program)}"
    for i in range(width):
        yield f"  %f{i} = add i64 %from, {i}\n  %fp{i} = getelementptr inbounds i64, ptr %M, i64 %f{i}\n  %v{i} = load i64, ptr %fp{i}"
        yield f"  %g{i} = getelementptr inbounds i64, ptr %M, i64 {GIVEN + i}\n  store i64 %v{i}, ptr %g{i}"
    yield f"  %done = call i64 @{prefix}answer(ptr %S, ptr %M, i64 %seat)\n  %next = add i64 %plies, 1\n  %after = load i64, ptr %stp"
    yield f"  switch i64 %after, label %trap [ i64 {GOING}, label %played i64 {ENDED}, label %ended ]"
    yield "played:\n  br label %again"
    yield "ended:\n  br label %out"
    yield f"trap:\n  store i64 {TRAPPED}, ptr %stp\n  br label %out"
    yield "out:\n  %answers = phi i64 [ %plies, %again ], [ %plies, %trap ], [ %next, %ended ]"
    yield "  %behind = phi i64 [ %w, %again ], [ %w, %trap ], [ %w0, %ended ]\n  store i64 %behind, ptr %rngp\n  ret i64 %answers\n}"


def play_many(program: low.Program, counts: Sequence[str] = (), end: str = "done") -> Iterator[str]:
    """Prints the loop over playouts, each from the same row and with an rng of its own; its results are columns.

    `counts` are the lines that fill more of them (`counting.py`), and `end` is their last block.
    """
    more = ", ptr noalias %columns" if counts else ""
    yield f"define i64 @play_many({pointers(program)}, ptr noalias %row, ptr noalias %found, ptr noalias %keys, i64 %base, i64 %first,"
    yield f"                      i64 %many, i64 %most, i64 %block, i64 %left{more}) nounwind {{\nentry:"
    yield f"  %stp = getelementptr inbounds i64, ptr %M, i64 {STATUS}\n  %rngp = getelementptr inbounds i64, ptr %M, i64 {RNG}"
    yield f"  %lp = getelementptr inbounds i64, ptr %M, i64 {LEFT}"
    yield f"  %qp = getelementptr inbounds i64, ptr %S, i64 {program.question}\n  br label %again"
    yield f"again:\n  %i = phi i64 [ 0, %entry ], [ %next, %{end} ]\n  %all = icmp sge i64 %i, %many"
    yield "  br i1 %all, label %out, label %begin"
    yield f"begin:\n  call void @llvm.memcpy.p0.p0.i64(ptr %S, ptr %row, i64 {8 * program.row}, i1 false)"
    yield f"  %number = add i64 %first, %i\n  %steps = mul i64 %number, {signed(STEP)}\n  %word = add i64 %base, %steps"
    yield "  %rng = call i64 @mixed(i64 %word)\n  store i64 %rng, ptr %rngp"
    for i in range(program.streams):
        yield f"  %n{i} = mul i64 %i, {program.streams}\n  %j{i} = add i64 %n{i}, {i}"
        yield f"  %kp{i} = getelementptr inbounds i64, ptr %keys, i64 %j{i}\n  %key{i} = load i64, ptr %kp{i}"
        yield f"  %mp{i} = getelementptr inbounds i64, ptr %M, i64 {keys_at(program) + 1 + i}\n  store i64 %key{i}, ptr %mp{i}"
    yield f"  store i64 {GOING}, ptr %stp\n  store i64 %left, ptr %lp\n  %ran = call i64 @run_on(ptr %S, ptr %M, i64 %block)"
    yield f"  %begun = load i64, ptr %stp\n  %is_begun = icmp eq i64 %begun, {GOING}\n  br i1 %is_begun, label %play, label %done"
    yield "play:\n  %played = call i64 @play_out(ptr %S, ptr %M, i64 %most)\n  br label %done"
    yield "done:\n  %plies = phi i64 [ 0, %begin ], [ %played, %play ]"
    places = {slot: place for slot, place, _ in program.wide}
    for i, slot in enumerate((OUTCOME, OUTCOME_VALUE)):
        yield f"  %s{i} = getelementptr inbounds i64, ptr %S, i64 {places.get(slot, slot)}\n  %v{i} = load i64, ptr %s{i}"
    yield f"  %status = load i64, ptr %stp\n  %is_going = icmp eq i64 %status, {GOING}\n  %q = load i64, ptr %qp"
    yield "  %is_asked = icmp ne i64 %q, 0\n  %is_cut = and i1 %is_going, %is_asked\n  %cut = zext i1 %is_cut to i64"
    yield f"  %is_bad = icmp eq i64 %status, {TRAPPED}\n  %came = select i1 %is_bad, i64 {LEFT_OVER}, i64 %cut"
    yield f"  %is_over = icmp eq i64 %came, 0\n  %group = and i64 %v1, {(1 << GROUP) - 1}"
    for name, code, of in (("won", WINNER, "%v1"), ("ranked", RANKING, "%group"), ("scored", SCORE, "%v1")):
        yield f"  %is_{name} = icmp eq i64 %v0, {code}\n  %x_{name} = and i1 %is_over, %is_{name}"
        yield f"  %{name} = select i1 %x_{name}, i64 {of}, i64 0"
    yield "  %winners = or i64 %won, %ranked\n  %kind = select i1 %is_over, i64 %v0, i64 0"
    for i, column in enumerate(("%plies", "%came", "%winners", "%scored", "%kind")):
        yield f"  %k{i} = mul i64 %many, {i}\n  %m{i} = add i64 %k{i}, %i"
        yield f"  %f{i} = getelementptr inbounds i64, ptr %found, i64 %m{i}\n  store i64 {column}, ptr %f{i}"
    yield from counts
    yield "  %next = add i64 %i, 1\n  br label %again"
    yield "out:\n  ret i64 0\n}"
