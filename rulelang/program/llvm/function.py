"""A function of the low-level IR -> lines of LLVM IR.

Registers are memory of the function (`alloca`); wide words are integers of 128 bits and more.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import assert_never

import attrs

from rulelang.errors import Unsupported
from rulelang.program.llvm.frame import (
    COUNT,
    ENDED,
    GIVEN,
    GOING,
    LEFT,
    MOST_OPTIONS,
    NO_DICE,
    STATUS,
    TOGETHER,
    TRAPPED,
    keys_at,
    offers_at,
    pointers,
)
from rulelang.program.low import model as low
from rulelang.program.low import widths as low_widths
from rulelang.program.randomness import STEP

FEW_WORDS = 2
"""The most words of a register that is set as a whole; in a wider one, a single bit is changed in memory."""
_PLAIN = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor", "<<": "shl", ">>": "lshr"}
_COMPARED = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "outside": "uge"}
_CALLED = {"min": "@llvm.smin.i64", "max": "@llvm.smax.i64"}


def signed(value: int, width: int = 1) -> int:
    """Returns the bits of a word as LLVM writes them."""
    bits = 64 * width
    value &= 2**bits - 1
    return value - 2**bits if value >= 2 ** (bits - 1) else value


def type_of(width: int) -> str:
    """Returns the LLVM type of an integer of `width` words."""
    return f"i{64 * width}"


def stopping_in(program: low.Program) -> frozenset[str]:
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


@attrs.frozen
class Callees:
    """The functions that a function may call."""

    named: dict[str, low.Function]
    stopping: frozenset[str]
    """Those that may trap or end the game."""

    @classmethod
    def of(cls, program: low.Program) -> Callees:
        """Returns the functions of a program."""
        return cls({function.name: function for function in program.functions}, stopping_in(program))


class FunctionPrinter:
    """Prints one function; calls of the functions in `scoring` may have memos."""

    def __init__(
        self, program: low.Program, function: low.Function, callees: Callees, scoring: frozenset[str] = frozenset()
    ) -> None:
        self.program, self.function, self.callees = program, function, callees
        self.has_memos = function.name in scoring
        """Whether the results of its calls may be found in memos."""
        self.widths = [function.width(i) for i in range(function.registers)]
        self.out: list[str] = []
        # The allocations for walks are all made at the beginning of the function, so that a loop does not repeat them.
        self.memory: list[str] = []
        self.count = 0
        self.exits: list[str] = []
        self.is_open = True
        """Whether the block that is printed has no end yet."""
        self.offers = any(isinstance(order, low.OfferInst) for order in low.orders(function.body))

    def lines(self) -> list[str]:
        """Returns the lines of the whole function."""
        f = self.function
        parameters = "".join(f", {type_of(self.widths[i])} %a{i}" for i in range(f.parameters))
        # Inlined, its loop would keep its callers from being inlined in their turn.
        kind = "nounwind noinline" if self._calls_itself else "nounwind"
        name = f"{f.name}.anew" if f.memo else f.name
        head = [f"define internal {type_of(f.result)} @{name}({pointers(self.program)}{parameters}) {kind} {{"]
        head += ["entry:", *(f"  %r{i} = alloca {type_of(width)}, align 8" for i, width in enumerate(self.widths))]
        head += [f"  %array{i} = alloca [{size} x i64]" for i, size in enumerate(f.arrays)]
        for i in range(f.parameters):
            self.add(f"store {type_of(self.widths[i])} %a{i}, ptr %r{i}, align 8")
        if self.offers:
            self.memory.append("%many = alloca i64")
            self.take_count()
        self.body(f.body)
        if self.is_open:
            self.leave_count()
            self.end(f"ret {type_of(f.result)} 0")
        return [*head, *(f"  {memory}" for memory in self.memory), *self.out, "}"]

    @property
    def _calls_itself(self) -> bool:
        calls = (order for order in low.orders(self.function.body) if isinstance(order, low.CallInst))
        return any(call.function == self.function.name for call in calls)

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
        for order, after in zip_longest(body, body[1:]):
            if not self.is_open:
                return
            if isinstance(order, low.CallInst) and _returns(after, order.register):
                self.call_last(order)
            else:
                self.order(order)

    def order(self, order: low.Inst) -> None:
        match order:
            case low.SetInst(register=register, value=value):
                self.set(register, value)
            case low.StoreInst(index=index, value=value, words=words):
                self.store(index, value, words)
            case low.PutInst(array=array, index=index, value=value):
                word = self.word(value)
                self.add(f"store i64 {word}, ptr {self.cell(f'%array{array}', index)}")
            case low.IfInst():
                self.branch(order)
            case low.RepeatInst(body=body):
                again, out = self.label(), self.label()
                self.start(again)
                self.go_round(body, again, out)
            case low.WalkInst():
                self.walk(order)
            case low.BreakInst(outer=outer):
                self.end(f"br label %{self.exits[-1 - outer]}")
            case low.CallInst():
                self.call(order)
            case low.KeepRowInst(array=array, still=still):
                self.keep_row(array, still)
            case low.PutBackRowInst(array=array, still=still):
                self.put_back_row(array, still)
            case low.ReturnInst(value=value):
                result, found = self.function.result, self.word(value, self.function.result)
                self.leave_count()
                self.end(f"ret {type_of(result)} {found}")
            case low.TrapInst():
                self.stop(TRAPPED)
            case low.GameOverInst():
                self.stop(ENDED)
            case low.PayInst(steps=steps):
                self.pay(steps)
            case low.DrawInst(register=register, stream=stream):
                self.draw(register, stream)
            case low.OfferInst(values=values, widths=widths):
                self.offer(values, widths)
            case low.GiveInst(values=values, widths=widths):
                self.give(str(GIVEN), values, widths)
            case low.TellInst():
                self.tell(order)
            case low.OutcomeInst(form=form):
                raise Unsupported(f"machine code that asks for an outcome (`{form}`)")
            case _:
                assert_never(order)

    def tell(self, order: low.TellInst) -> None:
        """Prints what a trace is told; see `telling.TellingPrinter`."""
        raise Unsupported(f"a trace (`{order.tell}`)")

    def store(self, index: low.Word, value: low.Word, words: int) -> None:
        """Prints a write to the row."""
        word = self.word(value, words)
        self.add(f"store {type_of(words)} {word}, ptr {self.cell('%S', index)}, align 8")

    def set(self, register: int, value: low.Word) -> None:
        width = self.widths[register]
        match value:
            case low.BinaryWord(
                name="|" | "^", left=low.RegisterWord(number=same), right=low.BitWord(number=number)
            ) if same == register and width > FEW_WORDS:
                # One word of the register is changed where it lies.
                at = self.named(self.word(number))
                word = self.value(f"lshr i64 {at}, 6")
                place = self.value(f"getelementptr inbounds i64, ptr %r{register}, i64 {word}")
                bit = self.value(f"shl i64 1, {self.value(f'and i64 {at}, 63')}")
                held = self.value(f"load i64, ptr {place}")
                self.add(f"store i64 {self.value(f'{_PLAIN[value.name]} i64 {held}, {bit}')}, ptr {place}")
            case _:  # any other value is stored as a whole
                self.add(f"store {type_of(width)} {self.word(value, width)}, ptr %r{register}, align 8")

    def stop(self, status: int) -> None:
        self.add(f"store i64 {status}, ptr {self.field(STATUS)}")
        self.end(f"ret {type_of(self.function.result)} -1")

    def trap_unless(self, condition: str) -> None:
        """Prints a trap that is taken unless a condition (an i1) holds."""
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

    def go_round(self, body: tuple[low.Inst, ...], again: str, out: str) -> None:
        """Prints the body of a loop, and the jump from its end back to its head."""
        self.exits.append(out)
        self.body(body)
        self.exits.pop()
        if self.is_open:
            self.end(f"br label %{again}")
        self.start(out)

    def walk(self, order: low.WalkInst) -> None:
        width = low_widths.width_of(order.mask, self.widths)
        if width > 1:
            self.wide_walk(order, width)
            return
        if isinstance(order.mask, low.ConstWord) and (run := _run(order.mask.value)) is not None:
            self.count_up(order, *run)
            return
        again, inside, out = self.label(), self.label(), self.label()
        self.count += 1
        rest = f"%m{self.count}"
        self.memory.append(f"{rest} = alloca i64")
        self.add(f"store i64 {self.word(order.mask)}, ptr {rest}")
        self.start(again)
        left = self.value(f"load i64, ptr {rest}")
        self.end(f"br i1 {self.value(f'icmp eq i64 {left}, 0')}, label %{out}, label %{inside}")
        self.start(inside)
        lowest = self.value(f"call i64 @llvm.cttz.i64(i64 {left}, i1 true), !range !1")
        self.add(f"store i64 {lowest}, ptr %r{order.register}")
        less = self.value(f"add i64 {left}, -1")
        self.add(f"store i64 {self.value(f'and i64 {left}, {less}')}, ptr {rest}")
        self.go_round(order.body, again, out)

    def count_up(self, order: low.WalkInst, first: int, end: int) -> None:
        """Prints a walk over consecutive bits as a counting loop, whose number of rounds LLVM can compute."""
        again, inside, out = self.label(), self.label(), self.label()
        self.count += 1
        at = f"%m{self.count}"
        self.memory.append(f"{at} = alloca i64")
        self.add(f"store i64 {first}, ptr {at}")
        self.start(again)
        now = self.value(f"load i64, ptr {at}")
        self.end(f"br i1 {self.value(f'icmp eq i64 {now}, {end}')}, label %{out}, label %{inside}")
        self.start(inside)
        self.add(f"store i64 {now}, ptr %r{order.register}")
        self.add(f"store i64 {self.value(f'add nuw nsw i64 {now}, 1')}, ptr {at}")
        self.go_round(order.body, again, out)

    def wide_walk(self, order: low.WalkInst, width: int) -> None:
        """Prints a walk word by word."""
        again, look, next_word, inside, out = (self.label() for _ in range(5))
        self.count += 1
        mask, at = f"%m{self.count}", f"%w{self.count}"
        self.memory += [f"{mask} = alloca {type_of(width)}, align 8", f"{at} = alloca i64"]
        self.add(f"store {type_of(width)} {self.word(order.mask, width)}, ptr {mask}, align 8")
        self.add(f"store i64 0, ptr {at}")
        self.start(again)
        word = self.value(f"load i64, ptr {at}")
        self.end(f"br i1 {self.value(f'icmp eq i64 {word}, {width}')}, label %{out}, label %{look}")
        self.start(look)
        place = self.value(f"getelementptr inbounds i64, ptr {mask}, i64 {word}")
        left = self.value(f"load i64, ptr {place}")
        self.end(f"br i1 {self.value(f'icmp eq i64 {left}, 0')}, label %{next_word}, label %{inside}")
        self.start(next_word)
        self.add(f"store i64 {self.value(f'add i64 {word}, 1')}, ptr {at}")
        self.end(f"br label %{again}")
        self.start(inside)
        lowest = self.value(f"call i64 @llvm.cttz.i64(i64 {left}, i1 true), !range !1")
        above = self.value(f"shl i64 {word}, 6")
        self.add(f"store i64 {self.value(f'add i64 {above}, {lowest}')}, ptr %r{order.register}")
        less = self.value(f"add i64 {left}, -1")
        self.add(f"store i64 {self.value(f'and i64 {left}, {less}')}, ptr {place}")
        self.go_round(order.body, again, out)

    def called(self, order: low.CallInst) -> str:
        """Returns the result of a call."""
        called = self.callees.named[order.function]
        words = [(called.width(i), argument) for i, argument in enumerate(order.arguments)]
        arguments = "".join(f", {type_of(width)} {self.word(argument, width)}" for width, argument in words)
        name = f"{order.function}.anew" if called.memo and not self.has_memos else order.function
        self.leave_count()
        return self.value(f"call {type_of(called.result)} @{name}(ptr %S, ptr %M{arguments})")

    def call_last(self, order: low.CallInst) -> None:
        """Prints a call whose result is returned as it is: LLVM makes a loop of it where a function calls itself.

        The status is not checked here, for the caller of this function checks it.
        """
        assert order.register is not None
        result, width = self.function.result, self.callees.named[order.function].result
        found = self.fitted(self.called(order), width, self.widths[order.register])
        self.end(f"ret {type_of(result)} {self.fitted(found, self.widths[order.register], result)}")

    def call(self, order: low.CallInst) -> None:
        called, found = self.callees.named[order.function], self.called(order)
        if self.offers:
            self.take_count()
        if order.register is not None:
            width = self.widths[order.register]
            held = self.fitted(found, called.result, width)
            self.add(f"store {type_of(width)} {held}, ptr %r{order.register}, align 8")
        if order.function in self.callees.stopping:
            if order.goes_on:
                self.forget_end()
            good, bad = self.label(), self.label()
            status = self.value(f"load i64, ptr {self.field(STATUS)}")
            self.end(f"br i1 {self.value(f'icmp eq i64 {status}, {GOING}')}, label %{good}, label %{bad}, !prof !0")
            self.start(bad)
            self.end(f"ret {type_of(self.function.result)} -1")
            self.start(good)

    def forget_end(self) -> None:
        """Prints the code that resets the status of a game that ended while looking ahead."""
        place = self.field(STATUS)
        status = self.value(f"load i64, ptr {place}")
        is_over = self.value(f"icmp eq i64 {status}, {ENDED}")
        self.add(f"store i64 {self.value(f'select i1 {is_over}, i64 {GOING}, i64 {status}')}, ptr {place}")

    def keep_row(self, array: int, still: low.Still) -> None:
        self.copy(f"%array{array}", "%S", still)

    def put_back_row(self, array: int, still: low.Still) -> None:
        self.copy("%S", f"%array{array}", still)

    def copy(self, to: str, source: str, still: low.Still) -> None:
        """Prints the copying of a row, without the parts that stand still."""
        for first, end in low.moving_parts(still, self.program.row):
            there, here = (self.value(f"getelementptr inbounds i64, ptr {at}, i64 {first}") for at in (to, source))
            ends = f"ptr align 8 {there}, ptr align 8 {here}"
            self.add(f"call void @llvm.memcpy.p0.p0.i64({ends}, i64 {8 * (end - first)}, i1 false)")

    def pay(self, steps: low.Word) -> None:
        cost = self.word(steps)
        place = self.field(LEFT)
        left = self.value(f"sub i64 {self.value(f'load i64, ptr {place}')}, {cost}")
        self.add(f"store i64 {left}, ptr {place}")
        self.trap_unless(self.value(f"icmp sge i64 {left}, 0"))

    def draw(self, register: int, stream: low.Word) -> None:
        at, number = keys_at(self.program), self.word(stream)
        may = self.value(f"load i64, ptr {self.field(at)}")
        self.trap_unless(self.value(f"icmp ne i64 {may}, {NO_DICE}"))
        in_step, alone, out = self.label(), self.label(), self.label()
        self.end(f"br i1 {self.value(f'icmp eq i64 {may}, {TOGETHER}')}, label %{in_step}, label %{alone}")
        self.start(in_step)
        self.add(f"store i64 {self.value('call i64 @drawn_together(ptr %S, ptr %M)')}, ptr %r{register}")
        self.end(f"br label %{out}")
        self.start(alone)
        place = self._counter(number)
        count = self.value(f"load i64, ptr {place}")
        place = self.value(f"getelementptr inbounds i64, ptr {self.field(at + 1)}, i64 {number}")
        key = self.value(f"load i64, ptr {place}")
        word = self.value(f"add i64 {key}, {self.value(f'mul i64 {count}, {signed(STEP)}')}")
        self.add(f"store i64 {self.value(f'call i64 @mixed(i64 {word})')}, ptr %r{register}")
        self.start(out)
        place = self._counter(number)
        drawn = self.value(f"load i64, ptr {place}")
        self.add(f"store i64 {self.value(f'add i64 {drawn}, 1')}, ptr {place}")

    def _counter(self, stream: str) -> str:
        """Returns the place of the number of draws from a stream."""
        first = self.cell("%S", low.ConstWord(self.program.counters))
        return self.value(f"getelementptr inbounds i64, ptr {first}, i64 {stream}")

    def offer(self, values: tuple[low.Word, ...], widths: tuple[int, ...]) -> None:
        count = self.value("load i64, ptr %many")
        self.trap_unless(self.value(f"icmp slt i64 {count}, {MOST_OPTIONS}"))
        start = self.value(f"mul i64 {count}, {self.program.width}")
        self.give(self.value(f"add i64 {start}, {offers_at(self.program)}"), values, widths)
        self.add(f"store i64 {self.value(f'add i64 {count}, 1')}, ptr %many")

    def take_count(self) -> None:
        """Prints the reading of the number of options, which is counted in a register: in the frame, LLVM could not tell
        it from the options that are written there."""
        self.add(f"store i64 {self.value(f'load i64, ptr {self.field(COUNT)}')}, ptr %many")

    def leave_count(self) -> None:
        """Prints the writing of the number of options, which others read."""
        if self.offers:
            self.add(f"store i64 {self.value('load i64, ptr %many')}, ptr {self.field(COUNT)}")

    def give(self, start: str, values: tuple[low.Word, ...], widths: tuple[int, ...]) -> None:
        widths = widths or (1,) * len(values)
        words = [self.word(value, width) for value, width in zip(values, widths, strict=True)]
        first, at = self.field(start), 0
        for word, width in zip(words, widths, strict=True):
            place = self.value(f"getelementptr inbounds i64, ptr {first}, i64 {at}")
            self.add(f"store {type_of(width)} {word}, ptr {place}, align 8")
            at += width

    # -------------------------------------------------------------- words

    def cell(self, base: str, index: low.Word) -> str:
        return self.value(f"getelementptr inbounds i64, ptr {base}, i64 {self.word(index)}")

    def condition(self, word: low.Word) -> str:
        """Returns whether a word is not 0, as an i1."""
        if isinstance(word, low.BinaryWord) and word.name in _COMPARED:
            width = max(self.width(word.left), self.width(word.right))
            left, right = self.word(word.left, width), self.word(word.right, width)
            return self.value(f"icmp {_COMPARED[word.name]} {type_of(width)} {left}, {right}")
        if isinstance(word, low.HasWord):
            return self.has(word)
        width = self.width(word)
        return self.value(f"icmp ne {type_of(width)} {self.word(word, width)}, 0")

    def width(self, word: low.Word) -> int:
        return low_widths.width_of(word, self.widths)

    def fitted(self, value: str, width: int, wanted: int) -> str:
        """Returns a value of one width (in words) as a value of another; a constant has any width."""
        if width == wanted or not value.startswith("%"):
            return value
        return self.value(f"{'zext' if width < wanted else 'trunc'} {type_of(width)} {value} to {type_of(wanted)}")

    def word(self, word: low.Word, wanted: int = 1) -> str:
        """Returns the value of a word, `wanted` words wide."""
        match word:
            case low.ConstWord(value=value):
                return str(signed(value, wanted))
            case low.BinaryWord(name="&" | "|" | "^") | low.UnaryWord(name="flip") | low.SelectWord():
                width = max(self.width(word), wanted)
                return self.fitted(self.as_wide(word, width), width, wanted)
            case _:  # any other word is as wide as it is
                width = self.width(word)
                return self.fitted(self.plain(word, width), width, wanted)

    def as_wide(self, word: low.BinaryWord | low.UnaryWord | low.SelectWord, width: int) -> str:
        """Returns a word whose operands are computed `width` words wide."""
        type = type_of(width)
        match word:
            case low.BinaryWord(name=name, left=left, right=right):
                return self.value(f"{_PLAIN[name]} {type} {self.word(left, width)}, {self.word(right, width)}")
            case low.UnaryWord(of=of):
                return self.value(f"xor {type} {self.word(of, width)}, -1")
            case low.SelectWord(condition=condition, then=then, otherwise=otherwise):
                test = self.condition(condition)
                return self.value(
                    f"select i1 {test}, {type} {self.word(then, width)}, {type} {self.word(otherwise, width)}"
                )
            case _:
                assert_never(word)

    def plain(self, word: low.Word, width: int) -> str:
        """Returns a word at its own width."""
        type = type_of(width)
        match word:
            case low.RegisterWord(number=number):
                return self.value(f"load {type}, ptr %r{number}, align 8")
            case low.CellWord(index=index):
                return self.value(f"load {type}, ptr {self.cell('%S', index)}, align 8")
            case low.EntryWord(table=table, index=index):
                place = self.value(f"mul i64 {self.word(index)}, {width}") if width > 1 else self.word(index)
                at = self.value(f"getelementptr inbounds i64, ptr @T{table}, i64 {place}")
                return self.value(f"load {type}, ptr {at}, align 8")
            case low.ItemWord(array=array, index=index):
                return self.value(f"load i64, ptr {self.cell(f'%array{array}', index)}")
            case low.GivenWord(position=position):
                return self.value(f"load {type}, ptr {self.field(GIVEN + position)}, align 8")
            case low.BitWord(number=number):
                shift = self.value(f"zext i64 {self.named(self.word(number))} to {type}")
                return self.value(f"shl {type} 1, {shift}")
            case low.HasWord():
                return self.value(f"zext i1 {self.has(word)} to i64")
            case low.BinaryWord():
                return self.binary(word, width)
            case low.UnaryWord(name=name, of=of):
                return self.unary(name, of)
            case low.ConstWord() | low.SelectWord():
                raise AssertionError("printed before")
            case _:
                assert_never(word)

    def named(self, value: str) -> str:
        return value if value.startswith("%") else self.value(f"add i64 {value}, 0")

    def has(self, word: low.HasWord) -> str:
        """Returns whether a bit is set, as an i1; where the set lies in memory, only the word with the bit is read."""
        number = self.named(self.word(word.number))
        if isinstance(word.mask, low.CellWord):
            at = self.value(f"lshr i64 {number}, 6")
            place = self.value(f"getelementptr inbounds i64, ptr {self.cell('%S', word.mask.index)}, i64 {at}")
            held, type = self.value(f"load i64, ptr {place}"), "i64"
            shift = self.value(f"and i64 {number}, 63")
        else:
            width = self.width(word.mask)
            held, type = self.word(word.mask, width), type_of(width)
            inside = self.value(f"icmp ult i64 {number}, {64 * width}")
            safe = self.value(f"select i1 {inside}, i64 {number}, i64 0")
            held = self.value(f"select i1 {inside}, {type} {held}, {type} 0")
            shift = safe if width == 1 else self.value(f"zext i64 {safe} to {type}")
        shifted = self.value(f"lshr {type} {held}, {shift}")
        return self.value(f"trunc {type} {shifted} to i1")

    def binary(self, word: low.BinaryWord, width: int) -> str:
        if word.name in _COMPARED:
            return self.value(f"zext i1 {self.condition(word)} to i64")
        left, right = self.word(word.left, width), self.word(word.right)
        if word.name in _PLAIN:
            if width > 1 and right.startswith("%"):
                right = self.value(f"zext i64 {right} to {type_of(width)}")
            return self.value(f"{_PLAIN[word.name]} {type_of(width)} {left}, {right}")
        if word.name in _CALLED:
            return self.value(f"call i64 {_CALLED[word.name]}(i64 {left}, i64 {right})")
        name = "@high" if word.name == "high" else f"@floor_{word.name}"
        return self.value(f"call i64 {name}(i64 {left}, i64 {right})")

    def unary(self, name: str, of: low.Word) -> str:
        if name == "neg":
            return self.value(f"sub i64 0, {self.word(of)}")
        if name == "mixed":
            return self.value(f"call i64 @mixed(i64 {self.word(of)})")
        width = self.width(of)
        type, held = type_of(width), self.word(of, width)
        found = (
            self.value(f"call {type} @llvm.ctpop.{type}({type} {held})")
            if name == "count"
            else self.value(f"call {type} @llvm.cttz.{type}({type} {held}, i1 false)")
        )
        return found if width == 1 else self.value(f"trunc {type} {found} to i64")


def _run(mask: int) -> tuple[int, int] | None:
    """Returns the first bit of a mask and the one behind its last, if all between them are set."""
    first, end = (mask & -mask).bit_length() - 1, mask.bit_length()
    return (first, end) if mask > 0 and mask == (1 << end) - (1 << first) else None


def _returns(order: low.Inst | None, register: int | None) -> bool:
    """Returns whether all that comes next is the return of a register."""
    match order:
        case low.ReturnInst(value=low.RegisterWord(number=number)):
            return number == register
        case _:  # any other statement may check the status
            return False
