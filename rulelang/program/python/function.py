"""A function of the low-level IR -> lines of Python.

def b7(S, M):        # S is the row; M holds the steps left, the options listed last, the answer, the dice, the trace
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import assert_never

from rulelang.ir.steps import PART
from rulelang.program.low import model as low
from rulelang.program.low.passes.ranges.values import stores, storing
from rulelang.program.low.passes.rewriting import (
    breaks_out,
    goes_on,
    read_in,
    set_by,
    with_bodies,
    with_parts,
    with_words,
)
from rulelang.program.low.things.telling import ENDS, HOW, TELLS, TellPart
from rulelang.program.packing import members
from rulelang.program.python.legend import remark
from rulelang.program.python.words import condition_of, number, text_of

Body = tuple[low.Inst, ...]
Lines = Iterator[tuple[int, str]]
"""Lines of Python, each with its depth below the statement that is printed."""


MOST_LOOPS, MOST_LEVELS = 18, 90
"""The most loops in each other, and the most levels, of a function; one with more traps at once."""


class PythonPrinter:
    """Prints the functions of a program."""

    def __init__(self, program: low.Program, *, is_whole: bool = False) -> None:
        """Prints for playouts, where a look at options lists them; or, if `is_whole`, what the functions say."""
        self.program, self.is_whole = program, is_whole
        self.storing = storing(program)
        self.looks = {q.look: q.options for q in program.questions if q.look and not is_whole}
        self.options = {question.options for question in program.questions}
        self.shown = {name for _, name in program.shown}
        self.registers = 0
        """The number of names that are used in the function that is printed."""
        self.reads: Counter[int] = Counter()
        """By register: how often it is read in that function."""

    def lines(self, function: low.Function) -> list[str]:
        """Returns the lines of a function."""
        self.registers, self.reads = function.registers, read_in(function.orders)
        parameters = "".join(f", r{i}" for i in range(function.parameters))
        about = remark(function.about)
        body: Body = function.body if _fits(function.body, MOST_LOOPS, MOST_LEVELS) else (low.TrapInst(),)
        lists, is_shown = function.name in self.options, function.name in self.shown
        first = [f"A{i} = [0] * {size}" for i, size in enumerate(function.arrays)]
        if is_shown:  # it has a budget of its own, as any question about a position
            first.insert(0, f"M = [{self.program.half // PART}]")
        last = ["return found" if lists else "return 0"] if goes_on(body) else []
        return [
            f"def {function.name}({'S' if is_shown else 'S, M'}{parameters}):" + (f"  # {about}" if about else ""),
            *(f"    {text}" for text in (["found = []"] if lists else []) + first),
            *(f"{'    ' * depth}{text}" for depth, text in self._inside(body) if body),
            *(f"    {text}" for text in last),
        ]

    def _inside(self, body: Body) -> Lines:
        for i, order in enumerate(body):
            if isinstance(order, low.KeepRowInst):
                yield from self._ahead(order, body[i + 1 :])
                return
            for depth, text in self._order(order):
                yield depth + 1, text
        if not body:
            yield 1, "pass"

    def _ahead(self, kept: low.KeepRowInst, rest: Body) -> Lines:
        """Prints what is done to a row that is put back, even where that traps: who asks about a position keeps it."""
        array, still = kept.array, kept.still
        end = rest.index(low.PutBackRowInst(array, still))
        ends = [*(str(first) for first, _ in still), ""]
        parts = ", ".join(
            f"S[{first}:{last}]" for first, last in zip(["", *(end for _, end in still)], ends, strict=True)
        )
        yield 1, f"A{array} = {parts}"
        yield 1, "try:"
        yield from ((depth + 1, text) for depth, text in self._inside(rest[:end]))
        yield 1, "finally:"
        yield 2, f"{parts} = A{array}"
        yield from self._inside(rest[end + 1 :])

    def _order(self, order: low.Inst) -> Lines:
        match order:
            case low.SetInst(register=register, value=value):
                yield 0, f"r{register} = {text_of(value)}"
            case low.StoreInst(index=index, value=value):
                yield 0, f"S[{text_of(index)}] = {text_of(value)}"
            case low.PutInst(array=array, index=index, value=value):
                yield 0, f"A{array}[{text_of(index)}] = {text_of(value)}"
            case low.IfInst():
                yield from self._if(order, "if")
            case low.RepeatInst(body=body):
                yield from self._repeat(body)
            case low.WalkInst():
                yield from self._walk(order)
            case low.BreakInst(outer=outer):
                if outer:
                    yield 0, f"out = {outer}"
                yield 0, "break"
            case low.CallInst():
                yield from self._call(order)
            case low.KeepRowInst() | low.PutBackRowInst():
                raise AssertionError("printed together")
            case low.ReturnInst(value=value):
                yield 0, f"return {text_of(value)}"
            case low.TrapInst():
                yield 0, "raise Trap"
            case low.GameOverInst():
                yield 0, "raise PlayoutOver"
            case low.PayInst(steps=steps, site=site):
                yield 0, f"M[LEFT] -= {text_of(steps)}"
                yield 0, f"if M[LEFT] < 0: {f'spent(M, {text_of(site)})' if self.is_whole else 'raise Trap'}"
            case low.DrawInst(register=register, stream=stream):
                yield 0, f"r{register} = M[DRAW](S, {text_of(stream)})"
            case low.OutcomeInst(register=register):
                yield 0, f"r{register} = {_outcome(order)}"
            case low.OfferInst(values=values, widths=widths):
                yield 0, f"found.append({_answer(values, widths)})"
            case low.GiveInst(values=values, widths=widths):
                yield 0, f"M[GIVEN] = {_answer(values, widths)}"
            case low.TellInst():
                yield 0, _told(order)
            case _:
                assert_never(order)

    def _if(self, order: low.IfInst, word: str) -> Lines:
        yield 0, f"{word} {condition_of(order.condition)}:"
        yield from self._inside(order.then)
        match order.otherwise:
            case ():
                pass
            case (low.IfInst() as other,):
                yield from self._if(other, "elif")
            case otherwise:  # more than one branch
                yield 0, "else:"
                yield from self._inside(otherwise)

    def _call(self, order: low.CallInst) -> Lines:
        arguments = "".join(f", {text_of(word)}" for word in order.arguments)
        to = "" if order.register is None else f"r{order.register} = "
        options = self.looks.get(order.function)
        if order.goes_on:
            yield 0, f"try: {to}{order.function}(S, M{arguments})"
            yield 0, "except PlayoutOver: pass"
            return
        if options is None:
            yield 0, f"{to}{order.function}(S, M{arguments})"
            return
        yield 0, f"M[FOUND] = found = {options}(S, M{arguments})"
        yield 0, f"{to}many = len(found)"
        yield 0, "if many == 1: M[GIVEN] = found[0]"

    # -------------------------------------------------------------- loops

    def _loop(self, head: str, first: tuple[str, ...], body: Body) -> Lines:
        leaves_more = any(breaks_out(body, further) for further in range(1, 9))
        if leaves_more:
            yield 0, "out = 0"
        yield 0, head
        yield from ((1, text) for text in first)
        yield from self._inside(body)
        if leaves_more:
            yield 0, "if out:"
            yield 1, "out -= 1"
            yield 1, "break"

    def _repeat(self, body: Body) -> Lines:
        """Prints a loop; one that counts up to a number that does not change is one over a range."""
        counted = _counted(body)
        if counted is None or self.reads[counted[1]] != 3:
            yield from self._loop("while True:", (), body)
            return
        seen, x, last, rest = counted
        yield from self._loop(f"for r{seen} in range(r{x}, {text_of(last)} + 1):", (), rest)

    def _walk(self, order: low.WalkInst) -> Lines:
        x, mask = f"r{order.register}", order.mask
        match mask:
            case low.ConstWord(value=value):
                numbers = members(value)
                base = self._base(order) if len(numbers) > 2 and _is_run(numbers) else None
                if base is not None:
                    yield from self._along(order, base, numbers[0], numbers[-1] + 1)
                else:
                    yield from self._loop(f"for {x} in {_listed(numbers)}:", (), order.body)
            case low.EntryWord(table=table, index=index):
                yield from self._loop(f"for {x} in L{table}[{text_of(index)}]:", (), order.body)
            case _:  # the members are found one by one
                rest = f"w{order.register}"
                yield 0, f"{rest} = {text_of(mask)}"
                first = (f"{x} = ({rest} & -{rest}).bit_length() - 1", f"{rest} &= {rest} - 1")
                yield from self._loop(f"while {rest}:", first, order.body)

    def _base(self, order: low.WalkInst) -> int | None:
        """Returns the slot from which on a loop reads one slot after the other, if it does and writes none."""
        if stores(low.orders(order.body), self.storing):
            return None
        match order.body:
            case (low.SetInst(value=word), *_) | (low.IfInst(condition=word), *_):
                return _first_slot(word, order.register)
            case _:  # it does not begin with a slot
                return None

    def _along(self, order: low.WalkInst, base: int, first: int, end: int) -> Lines:
        """Prints a loop over slots that lie side by side."""
        held = low.RegisterWord(self.registers)
        self.registers += 1
        of = low.CellWord(low.BinaryWord("+", low.ConstWord(base), low.RegisterWord(order.register)))
        body = _replaced(order.body, of, held)
        slots = f"S[{base + first}:{base + end}]"
        if read_in(low.orders(body))[order.register]:
            begin = f", {first}" if first else ""
            head = f"for r{order.register}, r{held.number} in enumerate({slots}{begin}):"
        else:
            head = f"for r{held.number} in {slots}:"
        yield from self._loop(head, (), body)


def _fits(body: Body, loops: int, levels: int) -> bool:
    """Returns whether nothing in a body stands in more loops, or on more levels, than Python reads."""
    if not levels or loops < 0:
        return False
    for order in body:
        match order:
            case low.IfInst(then=then, otherwise=otherwise):
                fits = _fits(then, loops, levels - 1) and _fits(otherwise, loops, levels - 1)
            case low.RepeatInst(body=inner) | low.WalkInst(body=inner):
                fits = _fits(inner, loops - 1, levels - 1)
            case _:  # nothing stands in any other statement
                continue
        if not fits:
            return False
    return True


def _counted(body: Body) -> tuple[int, int, low.Word, Body] | None:
    """Returns the number seen in each round, its counter, the last number and the rest of the body of a loop that counts;
    None if it does not, or its body sets what it counts by."""
    match body:
        case (
            low.IfInst(low.BinaryWord(">", low.RegisterWord(x), last), (low.BreakInst(0),), ()),
            low.SetInst(seen, low.RegisterWord(again)),
            low.SetInst(counter, low.BinaryWord("+", low.RegisterWord(old), low.ConstWord(1))),
            *rest,
        ) if x == again == counter == old != seen and isinstance(last, low.ConstWord | low.RegisterWord):
            orders = low.orders(tuple(rest))
            changed = {set_by(order) for order in orders}
            if x in changed or changed.intersection(last.registers) or seen in last.registers:
                return None
            return seen, x, last, tuple(rest)
        case _:  # it does not count
            return None


def _outcome(order: low.OutcomeInst) -> str:
    """Returns the text that asks for an outcome."""
    texts, stream = [text_of(word) for word in order.of], text_of(order.stream)
    match order.form:
        case "roll":
            return f"M[CHANCE].roll(S, {stream}, {_tuple(texts)})"
        case "pick":
            return f"M[CHANCE].pick(S, {stream}, members({texts[0]}))"
        case "pick from a pile":
            return f"M[CHANCE].pick(S, {stream}, things_in({texts[0]}, {texts[1]}))"
        case "shuffle":
            return f"pack(M[CHANCE].shuffle(S, {stream}, {texts[1]}, items({texts[0]})))"
        case _:
            assert_never(order.form)


def _told(order: low.TellInst) -> str:
    """Returns the text that tells the trace something, or says whether moves are made at once."""
    if order.tell == "begin_moves":
        return "M[AT_ONCE] = M[AT_ONCE] or object()"
    if order.tell == "end_moves":
        return "M[AT_ONCE] = None"
    words = iter(order.arguments)
    if order.tell == "enter_phase":
        parts = TELLS[order.tell]
        return f"M[CHANCE].tell_phase(M[TRACE], {', '.join(_told_part(part, words) for part in parts)})"
    return f"M[TRACE].{order.tell}({', '.join(_told_part(part, words) for part in TELLS[order.tell])})"


def _told_part(part: TellPart, words: Iterator[low.Word]) -> str:
    match part:
        case "number":
            return text_of(next(words))
        case "numbers":
            return _tuple([text_of(word) for word in words])
        case "end":
            return repr(ENDS[_constant(next(words))])
        case "how":
            return repr(HOW[_constant(next(words))])
        case "machine":
            return "M[MACHINE]"
        case _:
            assert_never(part)


def _constant(word: low.Word) -> int:
    assert isinstance(word, low.ConstWord)
    return word.value


def _first_slot(word: low.Word, register: int) -> int | None:
    match word:
        case low.CellWord(index=low.BinaryWord("+", low.ConstWord(base), low.RegisterWord(number)), words=1) if (
            number == register
        ):
            return base
        case low.BinaryWord(left=left):
            return _first_slot(left, register)
        case _:  # it begins with something else
            return None


def _replaced(body: Body, of: low.Word, by: low.Word) -> Body:
    def word(each: low.Word) -> low.Word:
        return by if each == of else with_parts(each, word)

    return tuple(with_bodies(with_words(order, word), lambda inner: _replaced(inner, of, by)) for order in body)


def _answer(values: tuple[low.Word, ...], widths: tuple[int, ...]) -> str:
    """Returns the text of an answer: a wide part is followed by the words that it takes elsewhere."""
    texts = [
        text
        for value, width in zip(values, widths or (1,) * len(values), strict=True)
        for text in (text_of(value), *["0"] * (width - 1))
    ]
    return _tuple(texts)


def _tuple(texts: list[str]) -> str:
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"


def _is_run(numbers: list[int]) -> bool:
    return numbers == list(range(numbers[0], numbers[-1] + 1))


def _listed(numbers: list[int]) -> str:
    """Returns the text of some ascending numbers to go through."""
    if len(numbers) > 2 and _is_run(numbers):
        return f"range({numbers[0]}, {numbers[-1] + 1})" if numbers[0] else f"range({len(numbers)})"
    texts = [number(each) for each in numbers]
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"
