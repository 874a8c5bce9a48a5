"""A program of the low-level IR -> LLVM IR as text.

    print_llvm(program)      define i64 @v3(ptr noalias %S, ptr noalias %M, i64 %a0) { … }

A row is an array of 64-bit words, `S`. Beside it each run has a frame of words, `M`: whether it trapped, what is left of the budget,
the answer that is carried out, the options that were listed. Registers are printed as memory of the function, which LLVM itself
turns into values. What is called from outside:

    run_on(S, M, block)              goes on from a block to the next stop
    answer(S, M)                     carries out the answer that is given, and goes on
    list_options(S, M)               lists the options of the question that waits
    play_out(S, M, most)             plays random answers to the end, or so many; returns how many
    play_many(S, M, row, found, keys, base, first, many, most)      plays out from a row so many times: `playouts.batch.PlaysMany`

Invariant: a call leaves `M[STATUS]` at GOING, ENDED (the game is over) or TRAPPED (the row is not to be used).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rulelang.program.layout import OUTCOME, OUTCOME_VALUE
from rulelang.program.low import model as low

GOING, ENDED, TRAPPED = range(3)
STATUS, LEFT, COUNT, LUCK, GIVEN = range(5)
"""What the first words of a frame are: how it goes, steps left, options listed, the word that luck is drawn from, the answer."""
MOST_OPTIONS = 4096
"""A question with more options is left to another executor."""
STEP = 0x9E3779B97F4A7C15
MIX = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
"""The generator that bots and playouts draw from, as `playouts.rng` has it."""

_PLAIN = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor", "<<": "shl", ">>": "lshr"}
_COMPARED = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "outside": "uge"}
_CALLED = {"min": "@llvm.smin.i64", "max": "@llvm.smax.i64"}


def frame_size(program: low.Program) -> int:
    """Returns how many words a frame has."""
    return offers_at(program) + MOST_OPTIONS * program.width


def luck_at(program: low.Program) -> int:
    """Returns where in a frame stands whether dice may be thrown, and behind it the key of each random stream."""
    return GIVEN + program.width


def offers_at(program: low.Program) -> int:
    """Returns where in a frame the options begin."""
    return luck_at(program) + 1 + program.streams


def print_llvm(program: low.Program) -> str:
    """Returns the text of a whole module."""
    lines = [*_HEAD, *_mixed()]
    for number, table in enumerate(program.tables):
        values = ", ".join(f"i64 {_signed(value)}" for value in table) or "i64 0"
        lines.append(f"@T{number} = private constant [{max(len(table), 1)} x i64] [{values}]")
    stopping = _stopping(program)
    for function in program.functions:
        lines += _Printer(program, function, stopping).lines()
    lines += _run_on(program)
    lines += _by_question(program)
    lines += _play_out(program)
    lines += _play_many(program)
    return "\n".join(lines) + "\n"


def _stopping(program: low.Program) -> frozenset[str]:
    """Returns the functions that may trap or end the game."""
    bodies = {function.name: low.orders(function.body) for function in program.functions}
    found = {
        name
        for name, body in bodies.items()
        if any(
            isinstance(o, low.TrapInst | low.GameOverInst | low.PayInst | low.DrawInst | low.OfferInst) for o in body
        )
    }
    grown = True
    while grown:
        more = {
            name
            for name, body in bodies.items()
            if name not in found and any(isinstance(order, low.CallInst) and order.function in found for order in body)
        }
        found |= more
        grown = bool(more)
    return frozenset(found)


def _signed(value: int) -> int:
    value &= 2**64 - 1
    return value - 2**64 if value >= 2**63 else value


class _Printer:
    """Prints one function."""

    def __init__(self, program: low.Program, function: low.Function, stopping: frozenset[str]) -> None:
        self.program, self.function, self.stopping = program, function, stopping
        self.out: list[str] = []
        self.count = 0
        self.exits: list[str] = []
        self.is_open = True
        """Whether the block that is printed has no end yet."""

    def lines(self) -> list[str]:
        f = self.function
        parameters = "".join(f", i64 %a{i}" for i in range(f.parameters))
        head = [f"define internal i64 @{f.name}(ptr noalias %S, ptr noalias %M{parameters}) nounwind {{", "entry:"]
        head += [f"  %r{i} = alloca i64" for i in range(f.registers)]
        for i in range(f.parameters):
            self.add(f"store i64 %a{i}, ptr %r{i}")
        self.body(f.body)
        if self.is_open:
            self.end("ret i64 0")
        return [*head, *self.out, "}"]

    # -------------------------------------------------------------- lines

    def add(self, text: str) -> None:
        self.out.append(f"  {text}")

    def value(self, text: str) -> str:
        self.count += 1
        self.add(f"%t{self.count} = {text}")
        return f"%t{self.count}"

    def label(self) -> str:
        self.count += 1
        return f"l{self.count}"

    def start(self, label: str) -> None:
        if self.is_open:
            self.add(f"br label %{label}")
        self.out.append(f"{label}:")
        self.is_open = True

    def end(self, text: str) -> None:
        self.add(text)
        self.is_open = False

    def field(self, number: int | str) -> str:
        return self.value(f"getelementptr inbounds i64, ptr %M, i64 {number}")

    # -------------------------------------------------------------- statements

    def body(self, body: tuple[low.Inst, ...]) -> None:
        for order in body:
            if not self.is_open:
                return
            self.order(order)

    def order(self, order: low.Inst) -> None:
        match order:
            case low.SetInst(register=register, value=value):
                self.add(f"store i64 {self.word(value)}, ptr %r{register}")
            case low.StoreInst(index=index, value=value):
                word = self.word(value)
                self.add(f"store i64 {word}, ptr {self.cell('%S', index)}")
            case low.IfInst():
                self.branch(order)
            case low.RepeatInst(body=body):
                again, out = self.label(), self.label()
                self.start(again)
                self.exits.append(out)
                self.body(body)
                self.exits.pop()
                if self.is_open:
                    self.end(f"br label %{again}")
                self.start(out)
            case low.WalkInst():
                self.walk(order)
            case low.BreakInst(outer=outer):
                self.end(f"br label %{self.exits[-1 - outer]}")
            case low.CallInst():
                self.call(order)
            case low.ReturnInst(value=value):
                self.end(f"ret i64 {self.word(value)}")
            case low.TrapInst():
                self.stop(TRAPPED)
            case low.GameOverInst():
                self.stop(ENDED)
            case low.PayInst(steps=steps):
                self.pay(steps)
            case low.DrawInst(register=register, stream=stream):
                self.draw(register, stream)
            case low.OfferInst(values=values):
                self.offer(values)
            case low.GiveInst(values=values):
                self.give(str(GIVEN), values)
            case _:
                assert_never(order)

    def stop(self, status: int) -> None:
        self.add(f"store i64 {status}, ptr {self.field(STATUS)}")
        self.end("ret i64 -1")

    def trap_unless(self, condition: str) -> None:
        """Prints a trap for where a condition (an i1) does not hold."""
        good, bad = self.label(), self.label()
        self.end(f"br i1 {condition}, label %{good}, label %{bad}, !prof !0")
        self.start(bad)
        self.stop(TRAPPED)
        self.start(good)

    def branch(self, order: low.IfInst) -> None:
        then, other, after = self.label(), self.label(), self.label()
        self.end(f"br i1 {self.condition(order.condition)}, label %{then}, label %{other}")
        self.start(then)
        self.body(order.then)
        if self.is_open:
            self.end(f"br label %{after}")
        self.start(other)
        self.body(order.otherwise)
        self.start(after)

    def walk(self, order: low.WalkInst) -> None:
        again, inside, out = self.label(), self.label(), self.label()
        self.count += 1
        rest = f"%m{self.count}"
        # Where it is within loops, memory of its own is made once, at the beginning.
        self.out.insert(0, f"  {rest} = alloca i64")
        self.add(f"store i64 {self.word(order.mask)}, ptr {rest}")
        self.start(again)
        left = self.value(f"load i64, ptr {rest}")
        self.end(f"br i1 {self.value(f'icmp eq i64 {left}, 0')}, label %{out}, label %{inside}")
        self.start(inside)
        lowest = self.value(f"call i64 @llvm.cttz.i64(i64 {left}, i1 true)")
        self.add(f"store i64 {lowest}, ptr %r{order.register}")
        less = self.value(f"add i64 {left}, -1")
        self.add(f"store i64 {self.value(f'and i64 {left}, {less}')}, ptr {rest}")
        self.exits.append(out)
        self.body(order.body)
        self.exits.pop()
        if self.is_open:
            self.end(f"br label %{again}")
        self.start(out)

    def call(self, order: low.CallInst) -> None:
        arguments = "".join(f", i64 {word}" for word in map(self.word, order.arguments))
        found = self.value(f"call i64 @{order.function}(ptr %S, ptr %M{arguments})")
        if order.register is not None:
            self.add(f"store i64 {found}, ptr %r{order.register}")
        if order.function in self.stopping:
            good, bad = self.label(), self.label()
            status = self.value(f"load i64, ptr {self.field(STATUS)}")
            self.end(f"br i1 {self.value(f'icmp eq i64 {status}, {GOING}')}, label %{good}, label %{bad}, !prof !0")
            self.start(bad)
            self.end("ret i64 -1")
            self.start(good)

    def pay(self, steps: low.Word) -> None:
        cost = self.word(steps)
        place = self.field(LEFT)
        left = self.value(f"sub i64 {self.value(f'load i64, ptr {place}')}, {cost}")
        self.add(f"store i64 {left}, ptr {place}")
        self.trap_unless(self.value(f"icmp sge i64 {left}, 0"))

    def draw(self, register: int, stream: int) -> None:
        at = luck_at(self.program)
        may = self.value(f"load i64, ptr {self.field(at)}")
        self.trap_unless(self.value(f"icmp ne i64 {may}, 0"))
        place = self.cell("%S", low.ConstWord(self.program.counters + stream))
        count = self.value(f"load i64, ptr {place}")
        self.add(f"store i64 {self.value(f'add i64 {count}, 1')}, ptr {place}")
        key = self.value(f"load i64, ptr {self.field(at + 1 + stream)}")
        word = self.value(f"add i64 {key}, {self.value(f'mul i64 {count}, {_signed(STEP)}')}")
        self.add(f"store i64 {self.value(f'call i64 @mixed(i64 {word})')}, ptr %r{register}")

    def offer(self, values: tuple[low.Word, ...]) -> None:
        place = self.field(COUNT)
        count = self.value(f"load i64, ptr {place}")
        self.trap_unless(self.value(f"icmp slt i64 {count}, {MOST_OPTIONS}"))
        start = self.value(f"mul i64 {count}, {self.program.width}")
        self.give(self.value(f"add i64 {start}, {offers_at(self.program)}"), values)
        self.add(f"store i64 {self.value(f'add i64 {count}, 1')}, ptr {place}")

    def give(self, start: str, values: tuple[low.Word, ...]) -> None:
        words = [self.word(value) for value in values]
        first = self.field(start)
        for i, word in enumerate(words):
            self.add(f"store i64 {word}, ptr {self.value(f'getelementptr inbounds i64, ptr {first}, i64 {i}')}")

    # -------------------------------------------------------------- words

    def cell(self, base: str, index: low.Word) -> str:
        return self.value(f"getelementptr inbounds i64, ptr {base}, i64 {self.word(index)}")

    def condition(self, word: low.Word) -> str:
        """Returns whether a word is not 0, as an i1."""
        if isinstance(word, low.BinaryWord) and word.name in _COMPARED:
            left, right = self.word(word.left), self.word(word.right)
            return self.value(f"icmp {_COMPARED[word.name]} i64 {left}, {right}")
        return self.value(f"icmp ne i64 {self.word(word)}, 0")

    def word(self, word: low.Word) -> str:
        match word:
            case low.ConstWord(value=value):
                return str(_signed(value))
            case low.RegisterWord(number=number):
                return self.value(f"load i64, ptr %r{number}")
            case low.CellWord(index=index):
                return self.value(f"load i64, ptr {self.cell('%S', index)}")
            case low.EntryWord(table=table, index=index):
                return self.value(f"load i64, ptr {self.cell(f'@T{table}', index)}")
            case low.GivenWord(position=position):
                return self.value(f"load i64, ptr {self.field(GIVEN + position)}")
            case low.BinaryWord():
                return self.binary(word)
            case low.UnaryWord(name=name, of=of):
                return self.unary(name, self.word(of))
            case low.SelectWord(condition=condition, then=then, otherwise=otherwise):
                test = self.condition(condition)
                return self.value(f"select i1 {test}, i64 {self.word(then)}, i64 {self.word(otherwise)}")
            case _:
                assert_never(word)

    def binary(self, word: low.BinaryWord) -> str:
        if word.name in _COMPARED:
            return self.value(f"zext i1 {self.condition(word)} to i64")
        left, right = self.word(word.left), self.word(word.right)
        if word.name in _PLAIN:
            return self.value(f"{_PLAIN[word.name]} i64 {left}, {right}")
        if word.name in _CALLED:
            return self.value(f"call i64 {_CALLED[word.name]}(i64 {left}, i64 {right})")
        name = "@high" if word.name == "high" else f"@floor_{word.name}"
        return self.value(f"call i64 {name}(i64 {left}, i64 {right})")

    def unary(self, name: str, of: str) -> str:
        match name:
            case "neg":
                return self.value(f"sub i64 0, {of}")
            case "flip":
                return self.value(f"xor i64 {of}, -1")
            case "count":
                return self.value(f"call i64 @llvm.ctpop.i64(i64 {of})")
            case _:
                return self.value(f"call i64 @llvm.cttz.i64(i64 {of}, i1 false)")


# ------------------------------------------------------------------ what is called from outside

_HEAD = """\
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
!0 = !{!"branch_weights", i32 2000, i32 1}
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


def _mixed() -> Iterator[str]:
    """Prints `machines.chance.mixed`."""
    yield "define internal i64 @mixed(i64 %w0) nounwind alwaysinline {"
    for i, (shift, factor) in enumerate(MIX):
        yield f"  %s{i} = lshr i64 %w{i}, {shift}\n  %y{i} = xor i64 %w{i}, %s{i}\n  %w{i + 1} = mul i64 %y{i}, {_signed(factor)}"
    yield "  %s2 = lshr i64 %w2, 31\n  %mixed = xor i64 %w2, %s2\n  ret i64 %mixed\n}"


def _run_on(program: low.Program) -> Iterator[str]:
    """Prints what goes from block to block."""
    yield "define i64 @run_on(ptr noalias %S, ptr noalias %M, i64 %first) nounwind {"
    yield "entry:\n  %at = alloca i64\n  store i64 %first, ptr %at\n  br label %again"
    yield "again:\n  %block = load i64, ptr %at"
    targets = " ".join(f"i64 {block}, label %b{block}" for block, _ in program.blocks)
    yield f"  switch i64 %block, label %out [ {targets} ]"
    for block, name in program.blocks:
        yield f"b{block}:\n  %x{block} = call i64 @{name}(ptr %S, ptr %M)"
        yield f"  store i64 %x{block}, ptr %at\n  br label %again"
    yield "out:\n  ret i64 %block\n}"


def _by_question(program: low.Program) -> Iterator[str]:
    """Prints what is done with the question that waits."""
    number = f"""\
  %place = getelementptr inbounds i64, ptr %S, i64 {program.question}
  %number = load i64, ptr %place"""
    yield "define i64 @list_options(ptr noalias %S, ptr noalias %M) nounwind {\nentry:"
    yield f"{number}\n  %sp = getelementptr inbounds i64, ptr %S, i64 {program.seat}\n  %seat = load i64, ptr %sp"
    yield f"  %lp = getelementptr inbounds i64, ptr %M, i64 {LEFT}\n  %cp = getelementptr inbounds i64, ptr %M, i64 {COUNT}"
    yield "  store i64 0, ptr %cp"
    targets = " ".join(f"i64 {i + 1}, label %q{i}" for i in range(len(program.questions)))
    yield f"  switch i64 %number, label %out [ {targets} ]"
    for i, question in enumerate(program.questions):
        yield f"q{i}:\n  store i64 {question.budget}, ptr %lp"
        yield f"  %x{i} = call i64 @{question.options}(ptr %S, ptr %M, i64 %seat)\n  br label %out"
    yield "out:\n  %count = load i64, ptr %cp\n  ret i64 %count\n}"
    yield "define i64 @answer(ptr noalias %S, ptr noalias %M) nounwind {\nentry:"
    yield f"{number}\n  store i64 0, ptr %place"
    yield f"  %lp = getelementptr inbounds i64, ptr %M, i64 {LEFT}\n  store i64 {program.half}, ptr %lp"
    yield f"  %gp = getelementptr inbounds i64, ptr %M, i64 {GIVEN}\n  %given = load i64, ptr %gp"
    yield f"  switch i64 %number, label %out [ {targets} ]"
    for i, question in enumerate(program.questions):
        branches = " ".join(f"i64 {j}, label %q{i}_{j}" for j in range(len(question.branches)))
        yield f"q{i}:\n  switch i64 %given, label %out [ {branches} ]"
        for j, name in enumerate(question.branches):
            block = next(block for block, of in program.blocks if of == name)
            yield f"q{i}_{j}:\n  %x{i}_{j} = call i64 @run_on(ptr %S, ptr %M, i64 {block})\n  br label %out"
    yield "out:\n  ret i64 0\n}"


def _play_out(program: low.Program) -> Iterator[str]:
    """Prints the loop of a random game: lists the options, draws one as `playouts.rng.Luck` does, carries it out."""
    yield "define i64 @play_out(ptr noalias %S, ptr noalias %M, i64 %most) nounwind {\nentry:"
    yield f"  %stp = getelementptr inbounds i64, ptr %M, i64 {STATUS}\n  %lup = getelementptr inbounds i64, ptr %M, i64 {LUCK}"
    yield f"  %qp = getelementptr inbounds i64, ptr %S, i64 {program.question}\n  br label %again"
    yield "again:\n  %plies = phi i64 [ 0, %entry ], [ %next, %played ]"
    yield "  %q = load i64, ptr %qp\n  %over = icmp eq i64 %q, 0\n  %enough = icmp sge i64 %plies, %most"
    yield "  %stop = or i1 %over, %enough\n  br i1 %stop, label %out, label %list"
    yield "list:\n  %count = call i64 @list_options(ptr %S, ptr %M)\n  %status = load i64, ptr %stp"
    yield f"  %listed = icmp eq i64 %status, {GOING}\n  br i1 %listed, label %some, label %out"
    yield "some:\n  %none = icmp eq i64 %count, 0\n  br i1 %none, label %trap, label %draw"
    yield f"trap:\n  store i64 {TRAPPED}, ptr %stp\n  br label %out"
    yield f"draw:\n  %w = load i64, ptr %lup\n  %w0 = add i64 %w, {_signed(STEP)}\n  store i64 %w0, ptr %lup"
    yield "  %drawn = call i64 @mixed(i64 %w0)"
    yield "  %i = call i64 @high(i64 %drawn, i64 %count)"
    width = program.width
    yield f"  %o = mul i64 %i, {width}\n  %from = add i64 %o, {offers_at(program)}"
    for i in range(width):
        yield f"  %f{i} = add i64 %from, {i}\n  %fp{i} = getelementptr inbounds i64, ptr %M, i64 %f{i}\n  %v{i} = load i64, ptr %fp{i}"
        yield f"  %g{i} = getelementptr inbounds i64, ptr %M, i64 {GIVEN + i}\n  store i64 %v{i}, ptr %g{i}"
    yield "  %done = call i64 @answer(ptr %S, ptr %M)\n  %next = add i64 %plies, 1\n  %after = load i64, ptr %stp"
    yield f"  %going = icmp eq i64 %after, {GOING}\n  br i1 %going, label %played, label %ended"
    yield "played:\n  br label %again"
    yield "ended:\n  br label %out"
    yield "out:\n  %found = phi i64 [ %plies, %again ], [ %plies, %list ], [ %plies, %trap ], [ %next, %ended ]\n  ret i64 %found\n}"


def _play_many(program: low.Program) -> Iterator[str]:
    """Prints the loop over playouts, each from the same row and with luck by its number."""
    yield "define i64 @play_many(ptr noalias %S, ptr noalias %M, ptr noalias %row, ptr noalias %found, ptr noalias %keys, i64 %base, i64 %first,"
    yield "                      i64 %many, i64 %most) nounwind {\nentry:"
    yield f"  %stp = getelementptr inbounds i64, ptr %M, i64 {STATUS}\n  %lup = getelementptr inbounds i64, ptr %M, i64 {LUCK}"
    yield f"  %qp = getelementptr inbounds i64, ptr %S, i64 {program.question}\n  br label %again"
    yield "again:\n  %i = phi i64 [ 0, %entry ], [ %next, %play ]\n  %done = icmp sge i64 %i, %many"
    yield "  br i1 %done, label %out, label %play"
    yield f"play:\n  call void @llvm.memcpy.p0.p0.i64(ptr %S, ptr %row, i64 {8 * program.row}, i1 false)"
    yield f"  %number = add i64 %first, %i\n  %steps = mul i64 %number, {_signed(STEP)}\n  %word = add i64 %base, %steps"
    yield "  %luck = call i64 @mixed(i64 %word)\n  store i64 %luck, ptr %lup"
    for i in range(program.streams):
        yield f"  %n{i} = mul i64 %i, {program.streams}\n  %j{i} = add i64 %n{i}, {i}"
        yield f"  %kp{i} = getelementptr inbounds i64, ptr %keys, i64 %j{i}\n  %key{i} = load i64, ptr %kp{i}"
        yield f"  %mp{i} = getelementptr inbounds i64, ptr %M, i64 {luck_at(program) + 1 + i}\n  store i64 %key{i}, ptr %mp{i}"
    yield f"  store i64 {GOING}, ptr %stp\n  %plies = call i64 @play_out(ptr %S, ptr %M, i64 %most)"
    yield "  %k = mul i64 %i, 4\n  %f0 = getelementptr inbounds i64, ptr %found, i64 %k\n  store i64 %plies, ptr %f0"
    for i, slot in enumerate((OUTCOME, OUTCOME_VALUE)):
        yield f"  %s{i} = getelementptr inbounds i64, ptr %S, i64 {slot}\n  %v{i} = load i64, ptr %s{i}"
        yield f"  %f{i + 1} = getelementptr inbounds i64, ptr %f0, i64 {i + 1}\n  store i64 %v{i}, ptr %f{i + 1}"
    # 0 the game is over, 1 it waits and was cut, 2 it was given up.
    yield f"  %status = load i64, ptr %stp\n  %is_going = icmp eq i64 %status, {GOING}\n  %q = load i64, ptr %qp"
    yield "  %is_asked = icmp ne i64 %q, 0\n  %is_cut = and i1 %is_going, %is_asked\n  %cut = zext i1 %is_cut to i64"
    yield f"  %is_bad = icmp eq i64 %status, {TRAPPED}\n  %came = select i1 %is_bad, i64 2, i64 %cut"
    yield "  %f3 = getelementptr inbounds i64, ptr %f0, i64 3\n  store i64 %came, ptr %f3"
    yield "  %next = add i64 %i, 1\n  br label %again"
    yield "out:\n  ret i64 0\n}"
