"""Words -> their bounds, in a function and at a place of it.

    values = Values(Known(program), function)
    values.bounds(word)              # Bounds(0, 63, none=True), wherever the word stands
    values.word(word, here)          # the same word with all put in that is known here, and its bounds

What a register may hold follows from all that is put into it, and from the bounds of slots, tables and parameters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import reduce
from typing import assert_never

import attrs

from rulelang.ir.model.operators import INVERSE, MIRRORED
from rulelang.ir.types import NONE
from rulelang.program.low import model as low
from rulelang.program.low.bounds import ANY, NEVER, both, hull
from rulelang.program.low.model import Bounds
from rulelang.program.low.passes.ranges import facts
from rulelang.program.low.passes.ranges.facts import calculated, exactly, is_flag, only
from rulelang.program.low.passes.ranges.here import Here
from rulelang.program.low.passes.ranges.memory import Facts, FoundBounds, PassMemory, Setting, WordMemory
from rulelang.program.low.passes.rewriting import is_truth

ROUNDS = 4
"""How often bounds are widened step by step, before they are given up."""
NOUGHT, ONE = low.ConstWord(0), low.ConstWord(1)


class Known:
    """The bounds of the parameters and of the results of all functions of a program."""

    def __init__(
        self, program: low.Program, memory: PassMemory | None = None, *, is_listed: bool = False, is_lazy: bool = False
    ) -> None:
        self.program, self.is_lazy = program, is_lazy
        self.memory = memory if memory is not None else PassMemory()
        self.given: dict[int, Bounds] = {}
        """By position in an answer: what it may be, where that is known."""
        self.tables = [_of_values(table) for table in program.tables]
        self.storing = storing(program)
        self.functions = {f.name: self.memory.of_function(f) for f in program.functions}
        self._taken: dict[str, Facts] = {}
        """By function: how it was called when what it does was last taken into account."""
        self._grown: Counter[tuple[str, int]] = Counter()
        """By function and parameter, or -1 for its result: how often its bounds grew."""
        self.results = {f.name: NEVER for f in program.functions}
        self._takes = {f.name: f.takes for f in program.functions}
        called = {name for function in self.functions.values() for name in function.called}
        seats = self.slot(program.seat)
        asked = {q.options for q in program.questions} | {q.look for q in program.questions}
        self.parameters = {
            f.name: [NEVER if f.name in called else seats if f.name in asked else ANY] * f.parameters
            for f in program.functions
        }
        self._settle()
        if is_listed:
            self.given = self._given()

    def around(self, name: str) -> Facts:
        """Returns everything that the effect of a function depends on, apart from the function itself."""
        called = self.functions[name].called
        return tuple(self.parameters[name]), tuple(self.results[each] for each in called), tuple(self.given.items())

    def found_in(self, values: Values) -> FoundBounds:
        """Returns the bounds in a function; finds them anew where it may be called differently now."""
        memory, around = self.functions[values.of.name], self.around(values.of.name)
        found = memory.found.get(around)
        if found is None:
            values.find_usual(dict(enumerate(self.parameters[values.of.name])), memory.setting)
            found = memory.found[around] = FoundBounds(values.usual)
        return found

    def _settle(self) -> None:
        while self._widened():
            pass

    def _given(self) -> dict[int, Bounds]:
        """Returns the bounds of the parts of all options that are listed and of all answers that are put together."""
        found: dict[int, Bounds] = {}
        for f in self.program.functions:
            values = Values(self, f)
            for order in low.offers(f.body):
                at = 0
                for value, width in zip(order.values, order.widths or (1,) * len(order.values), strict=True):
                    found[at] = hull(found.get(at, NEVER), values.bounds(value) if width == 1 else ANY)
                    found.update((at + i, ANY) for i in range(1, width))
                    at += width
        return found

    def table(self, values: tuple[int, ...]) -> int:
        """Returns the number of a table; adds it to the program if it is new."""
        tables = self.program.tables
        if values in tables:
            return tables.index(values)
        self.program = attrs.evolve(self.program, tables=(*tables, values))
        self.tables.append(_of_values(values))
        return len(tables)

    def slot(self, first: int, last: int | None = None) -> Bounds:
        """Returns the bounds of some slots together."""
        return bounds_of(self.program, first, last)

    def _widened(self) -> bool:
        """Takes what the functions pass and return into account; returns whether that was news."""
        news = False
        for f in self.program.functions:
            around = self.around(f.name)
            if self._taken.get(f.name) == around:
                continue
            self._taken[f.name] = around
            finding = self._whole(f)
            for name, i, bounds in finding.passed:
                held = self.parameters[name]
                takes = self._takes[name]
                wider = both(hull(held[i], bounds), takes[i] if takes else ANY)
                if wider != held[i]:
                    held[i], news = self._widened_again((name, i), wider), True
            for bounds in finding.returned:
                wider = hull(hull(self.results[f.name], exactly(0)), bounds) if f.gives is None else f.gives
                if wider != self.results[f.name]:
                    self.results[f.name], news = self._widened_again((f.name, -1), wider), True
        return news

    def _widened_again(self, what: tuple[str, int], bounds: Bounds) -> Bounds:
        """Returns the wider bounds of a parameter or result; it may be anything once it has grown too often."""
        self._grown[what] += 1
        return bounds if self._grown[what] <= ROUNDS else ANY

    def _whole(self, function: low.Function) -> FoundBounds:
        values = Values(self, function)
        finding = self.found_in(values)
        if not finding.is_whole:
            for order in function.orders:
                if isinstance(order, low.CallInst):
                    finding.passed += [(order.function, i, values.bounds(w)) for i, w in enumerate(order.arguments)]
                elif isinstance(order, low.ReturnInst):
                    finding.returned.append(values.bounds(order.value))
            finding.is_whole = True
        return finding


def bounds_of(program: low.Program, first: int, last: int | None = None) -> Bounds:
    """Returns the bounds of some slots of a program together."""
    bounds, last = program.bounds, first if last is None else last
    if not 0 <= first <= last < len(bounds):
        return ANY
    found = bounds[first]
    for each in bounds[first + 1 : last + 1]:
        found = hull(found, each)
    return found


def storing(program: low.Program) -> frozenset[str]:
    """Returns the functions that may write to the row, themselves or through calls."""
    found: set[str] = set()
    bodies = {f.name: f.orders for f in program.functions}
    while True:
        more = {name for name, body in bodies.items() if name not in found and stores(body, found)}
        if not more:
            return frozenset(found)
        found |= more


def stores(orders: Iterable[low.Inst], storing: Iterable[str]) -> bool:
    """Returns whether some statements may write to the row."""
    return any(
        isinstance(o, low.StoreInst | low.PutBackRowInst | low.DrawInst | low.OutcomeInst)
        or (isinstance(o, low.CallInst) and o.function in storing)
        or (isinstance(o, low.TellInst) and o.tell == "enter_phase")
        for o in orders
    )


def _of_values(values: tuple[int, ...]) -> Bounds:
    numbers = [value for value in values if value != NONE]
    return Bounds(min(numbers), max(numbers), NONE in values) if numbers else exactly(NONE)


class Values:
    """The bounds of the words of one function."""

    def __init__(self, known: Known, function: low.Function) -> None:
        self.known, self.of = known, function
        self.usual: dict[int, Bounds] = {}
        self.usual = known.found_in(self).usual
        """By register: the bounds of all that is ever put into it."""

    def bounds(self, word: low.Word) -> Bounds:
        """Returns the bounds of a word wherever it stands."""
        return self.word(word, Here({}, {}, {}))[1]

    def is_total(self, word: low.Word) -> bool:
        """Returns whether a word may be computed anywhere, also where no condition that guards it holds."""
        return all(self._exists(part) for part in word.within)

    def _exists(self, word: low.Word) -> bool:
        match word:
            case low.CellWord(index=index, words=words):
                return self._is_within(index, self.known.program.row - words + 1)
            case low.EntryWord(table=table, index=index):
                return self._is_within(index, len(self.known.program.tables[table]))
            case low.ItemWord(array=array, index=index):
                return self._is_within(index, self.of.arrays[array])
            case low.BitWord(number=number, words=words):
                return self._is_within(number, low.BITS * words)
            case low.HasWord(number=number):
                return self._is_within(number, low.FAR)
            case low.BinaryWord(name="<<" | ">>", right=right):
                return self._is_within(right, self.known.program.bits or low.WIDEST)
            case low.BinaryWord(name="div" | "mod", right=right):
                return not facts.may_be(self.bounds(right), 0)
            case _:  # any other word exists everywhere
                return True

    def _is_within(self, word: low.Word, size: int) -> bool:
        least, most = facts.numeric(self.bounds(word))
        return 0 <= least <= most < size

    def find_usual(self, parameters: dict[int, Bounds], orders: tuple[Setting, ...]) -> None:
        """Widens the bounds of registers until they hold all that is put into them."""
        self.usual = dict(parameters)
        news: set[int] | None = None
        for turn in range(ROUNDS + 2):
            changed: set[int] = set()
            for register, order, reads in orders:
                if news is not None and news.isdisjoint(reads) and changed.isdisjoint(reads):
                    continue
                before = self.usual.get(register, NEVER)
                wider = hull(before, self.put_by(order))
                if wider != before:
                    self.usual[register] = ANY if turn >= ROUNDS else wider
                    changed.add(register)
            if not changed:
                return
            news = changed
        # What counts on and on has been given up by now; if others still grow, so are they.
        counted = {register for register, _, _ in orders}
        self.usual = {r: ANY if r in counted else parameters[r] for r in self.usual}

    def put_by(self, order: low.Inst) -> Bounds:
        """Returns the bounds of what a statement puts into its register."""
        match order:
            case low.SetInst(value=value):
                return self.bounds(value)
            case low.WalkInst(mask=mask):
                return walked(self.bounds(mask))
            case low.CallInst(function=name):
                return hull(self.known.results[name], exactly(-1)) if order.goes_on else self.known.results[name]
            case low.OutcomeInst(form="roll", of=faces):
                return reduce(hull, map(self.bounds, faces))
            case low.OutcomeInst(form="pick" | "pick from a pile", of=(*_, mask)):
                return walked(self.bounds(mask))
            case _:  # a draw is any word, and a pile too
                return ANY

    # -------------------------------------------------------------- words

    def word(self, word: low.Word, here: Here) -> tuple[low.Word, Bounds]:
        """Returns a word with all that is known put in, and its bounds."""
        if isinstance(word, low.ConstWord):
            return word, exactly(word.value)
        if isinstance(word, low.RegisterWord):
            return self._register(word, here)
        memory = self.known.memory.of_word(word)
        facts = self._facts(memory, here)
        if facts is None:
            return self._worked_out(word, here)
        found = memory.found.get(facts)
        if found is None:
            after, bounds = self._worked_out(word, here)
            found = memory.found[facts] = (word if after == word else after), bounds
        return found

    def _facts(self, memory: WordMemory, here: Here) -> Facts | None:
        """Returns the known facts about what a word reads; None if it may read any slot with known facts."""
        held, usual = here.bounds, self.usual
        if here.copies:
            found = [self._about(r, here) for r in memory.registers]
        else:
            found = [held[r] if r in held else usual.get(r, NEVER) for r in memory.registers]
        for position in memory.given:
            found.append(self.known.given.get(position, ANY))
        if here.cells:
            if memory.slots is None:
                return None
            for slot in memory.slots:
                cell = here.cells.get(slot)
                found.append((cell, self._about(cell.number, here)) if isinstance(cell, low.RegisterWord) else cell)
        return tuple(found)

    def _about(self, register: int, here: Here) -> object:
        """Returns all that is known about a register: its bounds, and all about the register that it equals."""
        bounds = here.bounds[register] if register in here.bounds else self.usual.get(register, NEVER)
        copy = here.copies.get(register)
        return bounds if copy is None else (bounds, copy, self._about(copy.number, here))

    def _register(self, word: low.RegisterWord, here: Here) -> tuple[low.Word, Bounds]:
        number = word.number
        bounds = here.bounds[number] if number in here.bounds else self.usual.get(number, NEVER)
        value = only(bounds)
        return (low.ConstWord(value) if value is not None else here.copies.get(number, word)), bounds

    def _worked_out(self, word: low.Word, here: Here) -> tuple[low.Word, Bounds]:
        found, bounds = self._word(word, here)
        value = only(bounds)
        return (low.ConstWord(value), bounds) if value is not None else (found, bounds)

    def _word(self, word: low.Word, here: Here) -> tuple[low.Word, Bounds]:
        match word:
            case low.ConstWord() | low.RegisterWord():
                return self.word(word, here)
            case low.CellWord(index=index, words=words):
                return self._cell(*self.word(index, here), words, here)
            case low.EntryWord(table=table, index=index, words=words):
                place, bounds = self.word(index, here)
                values = self.known.program.tables[table]
                if not isinstance(place, low.ConstWord):
                    return low.EntryWord(table, place, words), self._entry(table, bounds)
                if not 0 <= place.value < len(values):
                    return low.EntryWord(table, index, words), self.known.tables[table]  # an impossible test guards it
                return low.ConstWord(values[place.value]), exactly(values[place.value])
            case low.BinaryWord():
                return self._binary(word, here)
            case low.SelectWord():
                return self._select(word, here)
            case low.UnaryWord(name=name, of=of):
                inner, bounds = self.word(of, here)
                if name == "count" and isinstance(inner, low.ConstWord) and inner.value >= 0:
                    return low.ConstWord(inner.value.bit_count()), exactly(inner.value.bit_count())
                return low.UnaryWord(name, inner), facts.unary(name, bounds)
            case low.HasWord(mask=mask, number=number):
                held, at = self.word(mask, here)[0], self.word(number, here)[0]
                if isinstance(held, low.ConstWord) and isinstance(at, low.ConstWord) and at.value >= 0:
                    return low.ConstWord(held.value >> at.value & 1), exactly(held.value >> at.value & 1)
                return low.HasWord(held, at), facts.FLAG
            case low.BitWord(number=number, words=words):
                return low.BitWord(self.word(number, here)[0], words), Bounds(1, low.FAR)
            case low.ItemWord(array=array, index=index):
                return low.ItemWord(array, self.word(index, here)[0]), ANY
            case low.GivenWord(position=position, words=words):
                return word, self.known.given.get(position, ANY) if words == 1 else ANY
            case _:
                assert_never(word)

    def _cell(self, place: low.Word, bounds: Bounds, words: int, here: Here) -> tuple[low.Word, Bounds]:
        if words > 1:
            return low.CellWord(place, words), ANY
        if isinstance(place, low.ConstWord) and place.value in here.cells:
            return self.word(here.cells[place.value], here)
        return low.CellWord(place), self.known.slot(*facts.numeric(bounds))

    def _entry(self, table: int, place: Bounds) -> Bounds:
        first, last = facts.numeric(place)
        values = self.known.program.tables[table]
        if 0 <= first <= last < len(values) and last - first < 64:
            return _of_values(values[first : last + 1])
        return self.known.tables[table]

    def _select(self, word: low.SelectWord, here: Here) -> tuple[low.Word, Bounds]:
        condition, bounds = self.word(word.condition, here)
        truth = facts.compared("!=", bounds, exactly(0))
        if truth is not None:
            return self.word(word.then if truth else word.otherwise, here)
        one, other = here.copy(), here.copy()
        self.learn(condition, one, holds=True)
        self.learn(condition, other, holds=False)
        (then, a), (otherwise, b) = self.word(word.then, one), self.word(word.otherwise, other)
        if not self.known.is_lazy:
            # Both are computed, so what the condition says gives their bounds but must not change them.
            then, otherwise = self.word(word.then, here)[0], self.word(word.otherwise, here)[0]
        if is_flag(bounds):
            then, otherwise = self._under(condition, then, here), self._under(negated(condition), otherwise, here)
            a, b = (exactly(1) if then == ONE else a), (exactly(0) if otherwise == NOUGHT else b)
        if then == otherwise:
            return then, hull(a, b)
        if is_flag(bounds) and is_flag(a) and is_flag(b):
            for test, way, rest in ((condition, then, otherwise), (negated(condition), otherwise, then)):
                if way == NOUGHT:
                    return self.word(low.BinaryWord("&", negated(test), rest), here)
                # `|` needs a word that is 0 or 1, and may be computed, where it is not chosen too.
                if way == ONE and (is_truth(rest) or (not self.known.is_lazy and is_flag(self.word(rest, here)[1]))):
                    return self.word(low.BinaryWord("|", test, rest), here)
        return low.SelectWord(condition, then, otherwise), hull(a, b)

    def _under(self, condition: low.Word, word: low.Word, here: Here) -> low.Word:
        """Returns a word where a condition holds: a choice by the same condition is made already."""
        condition = self.word(condition, here)[0]
        if word == condition:
            return ONE
        if self.word(negated(word), here)[0] == condition and isinstance(word, low.BinaryWord):
            return NOUGHT
        if isinstance(word, low.SelectWord):
            if word.condition == condition:
                return word.then
            if self.word(negated(word.condition), here)[0] == condition:
                return word.otherwise
        return word

    def _binary(self, word: low.BinaryWord, here: Here) -> tuple[low.Word, Bounds]:
        left, a = self.word(word.left, here)
        right, b = self._right(word, left, here)
        bounds = facts.binary(word.name, a, b)
        if only(bounds) is not None:
            return low.ConstWord(only(bounds) or 0), bounds
        if isinstance(left, low.ConstWord) and isinstance(right, low.ConstWord):
            value = _computed(word.name, left.value, right.value)
            if value is not None:
                return low.ConstWord(value), exactly(value)
        simpler = self._simpler(word.name, (left, a), (right, b), here)
        return simpler if simpler is not None else (low.BinaryWord(word.name, left, right), bounds)

    def _right(self, word: low.BinaryWord, left: low.Word, here: Here) -> tuple[low.Word, Bounds]:
        """Returns the right side of an operation, and its bounds."""
        if self.known.is_lazy and word.name in ("&", "|") and is_truth(left):
            there = here.copy()
            self.learn(left, there, holds=word.name == "&")
            right, bounds = self.word(word.right, there)
            if is_truth(right) or isinstance(right, low.ConstWord):
                return right, bounds
        return self.word(word.right, here)

    def _simpler(
        self, name: low.BinaryName, x: tuple[low.Word, Bounds], y: tuple[low.Word, Bounds], here: Here
    ) -> tuple[low.Word, Bounds] | None:
        """Returns a simpler word for an operation, None if there is none."""
        (left, a), (right, b) = x, y
        if right == NOUGHT and name in ("+", "-", "|", "^", "<<", ">>"):
            return x
        if left == NOUGHT and name in ("+", "|", "^"):
            return y
        if name == "*" and ONE in (left, right):
            return y if left == ONE else x
        if left == right and name in ("==", "<=", ">=", "!=", "<", ">"):
            truth = int("=" in name and name != "!=")
            return low.ConstWord(truth), exactly(truth)
        if name == "&":
            return self._and(x, y)
        if name == "|" and is_flag(a) and is_flag(b) and (left == right or ONE in (left, right)):
            return x if left == right else (ONE, exactly(1))
        if is_flag(a) and right in (NOUGHT, ONE) and name in ("==", "!="):
            if (name == "==") == (right == ONE):
                return x
            match left:
                case low.BinaryWord(name="&" | "|" as joint, left=one, right=other) if self._are_flags(
                    one, other, here
                ):
                    opposite: low.BinaryName = "|" if joint == "&" else "&"
                    return low.BinaryWord(opposite, negated(one), negated(other)), facts.FLAG
                case _:  # it is one condition
                    pass
            turned = negated(left)
            return (turned, facts.FLAG) if turned != low.BinaryWord("==", left, NOUGHT) else None
        if is_flag(a) and name == ">" and right == NOUGHT:
            return x
        if name == "outside" and isinstance(right, low.ConstWord):
            return _missing(left, right.value, self, here)
        if name in ("==", "!=", "<", "<=", ">", ">="):
            if self.known.is_lazy and right == low.ConstWord(NONE) and name in ("==", "!=") and a.low >= 0:
                # Python compares small numbers faster than the one that stands for none.
                return low.BinaryWord("<" if name == "==" else ">=", left, NOUGHT), facts.FLAG
            return self._of_select(name, left, right, here)
        return None

    def _and(self, x: tuple[low.Word, Bounds], y: tuple[low.Word, Bounds]) -> tuple[low.Word, Bounds] | None:
        for (word, bounds), (mask, of) in ((x, y), (y, x)):
            value = only(of)
            if value is not None and value > 0 and value & (value + 1) == 0 and not bounds.none:
                if bounds.low >= 0 and bounds.high <= value:
                    return word, bounds
            if word == mask:
                return word, bounds
        return None

    def _of_select(
        self, name: low.BinaryName, left: low.Word, right: low.Word, here: Here
    ) -> tuple[low.Word, Bounds] | None:
        """Returns a comparison of a `Select` as a condition on its parts, where one of them is known."""
        if not isinstance(left, low.SelectWord) or not is_flag(self.word(left.condition, here)[1]):
            return None
        one, other = here.copy(), here.copy()
        self.learn(left.condition, one, holds=True)
        self.learn(left.condition, other, holds=False)
        then = self.word(low.BinaryWord(name, left.then, right), one)[1]
        otherwise = self.word(low.BinaryWord(name, left.otherwise, right), other)[1]
        if only(otherwise) is not None:
            rest = low.BinaryWord(name, left.then, right)
            condition = left.condition if only(otherwise) == 0 else negated(left.condition)
            if only(then) is not None:
                return (
                    (condition, facts.FLAG) if only(then) != only(otherwise) else (low.ConstWord(only(then) or 0), then)
                )
            return low.BinaryWord("&" if only(otherwise) == 0 else "|", condition, rest), facts.FLAG
        if only(then) is not None:
            rest = low.BinaryWord(name, left.otherwise, right)
            condition = negated(left.condition) if only(then) == 0 else left.condition
            return low.BinaryWord("&" if only(then) == 0 else "|", condition, rest), facts.FLAG
        return None

    # -------------------------------------------------------------- conditions

    def learn(self, condition: low.Word, here: Here, *, holds: bool) -> None:
        """Takes into account that a condition holds, or does not."""
        match condition:
            case low.RegisterWord(number=number):
                name: str = "!=" if holds else "=="
                self._narrow(low.RegisterWord(number), name, exactly(0), here)
            case low.BinaryWord(name="&", left=left, right=right) if holds and self._are_flags(left, right, here):
                self.learn(left, here, holds=True)
                self.learn(right, here, holds=True)
            case low.BinaryWord(name="|", left=left, right=right) if not holds and self._are_flags(left, right, here):
                self.learn(left, here, holds=False)
                self.learn(right, here, holds=False)
            case low.BinaryWord(name="==" | "!=" as same, left=left, right=low.ConstWord(value=0)) if isinstance(
                left, low.BinaryWord
            ) and self._are_flags(left, left, here):
                self.learn(left, here, holds=holds == (same == "!="))
            case low.BinaryWord(name="outside", left=left, right=right):
                self._narrow(left, "outside" if holds else "inside", self.word(right, here)[1], here)
            case low.BinaryWord(name=compared, left=left, right=right) if compared in MIRRORED:
                a, b = self.word(left, here)[1], self.word(right, here)[1]
                said = compared if holds else INVERSE[compared]
                self._narrow(left, said, b, here)
                self._narrow(right, MIRRORED[said], a, here)
            case _:  # nothing is learnt from other words
                pass

    def _are_flags(self, left: low.Word, right: low.Word, here: Here) -> bool:
        return is_flag(self.word(left, here)[1]) and is_flag(self.word(right, here)[1])

    def _narrow(self, word: low.Word, name: str, other: Bounds, here: Here) -> None:
        match word:
            case low.RegisterWord(number=number):
                here.bounds[number] = facts.narrowed(self.word(word, here)[1], name, other)
            case low.BinaryWord(name="-", left=low.RegisterWord(number=number), right=low.ConstWord(value=by)) if (
                name == "inside"
            ):
                held = here.bounds.get(number, self.usual.get(number, ANY))
                here.bounds[number] = Bounds(max(held.low, by), min(held.high, other.high + by - 1))
            case _:  # only what registers hold is kept
                pass


def walked(mask: Bounds) -> Bounds:
    """Returns the bounds of the bits of a mask."""
    if mask.low < 0 or mask.high >= low.FAR:
        return Bounds(0, 4096)
    value = only(mask)
    return Bounds((value & -value).bit_length() - 1 if value else 0, max(mask.high.bit_length() - 1, 0))


def negated(condition: low.Word) -> low.Word:
    """Returns the opposite of a condition that is 0 or 1."""
    match condition:
        case low.BinaryWord(name=name, left=left, right=right) if name in INVERSE:
            return low.BinaryWord(INVERSE[name], left, right)
        case _:  # any other word is compared with 0
            return low.BinaryWord("==", condition, NOUGHT)


def _missing(word: low.Word, size: int, values: Values, here: Here) -> tuple[low.Word, Bounds] | None:
    """Returns `word outside size` as a question for none, if a number is never outside."""
    by, of = 0, word
    match word:
        case low.BinaryWord(name="-", left=left, right=low.ConstWord(value=value)):
            by, of = value, left
        case _:  # it is not shifted
            pass
    bounds = values.word(of, here)[1]
    if bounds.none and by <= bounds.low <= bounds.high < by + size and not by <= NONE < by + size:
        return low.BinaryWord("==", of, low.ConstWord(NONE)), facts.FLAG
    return None


def _computed(name: low.BinaryName, a: int, b: int) -> int | None:
    """Returns the result of an operator on two constants, where it is the same for words and for numbers without bounds."""
    is_wide = max(abs(a), abs(b)) >= 1 << 62
    return calculated(name, a, b) if not is_wide or (name == "&" and min(a, b) >= 0) else None
