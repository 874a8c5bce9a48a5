"""A seed -> a random function of the low-level IR, of the forms that lowering makes, and what it does to a row.

program(7)                           # one block, which may call a value
run(program(7), (3, 1, 0, -2, 15))   # its result and the row behind it; None where it traps

A word that may be none, or beyond a table, stands behind a condition; what a slot may hold is what `BOUNDS` says.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from random import Random
from typing import TypeAlias

import attrs

from rulelang.ir.numbers import Slot
from rulelang.ir.types import NONE
from rulelang.program.low import Program
from rulelang.program.low import model as low
from rulelang.program.low.widths import register_widths
from rulelang.program.packing import members
from rulelang.program.python.support import Trap

Body: TypeAlias = tuple[low.Inst, ...]
TABLE = (3, 1, 2, 1, 0, 2)
BOUNDS = (low.Bounds(0, 3), low.Bounds(0, 1), low.Bounds(0, 5, none=True), low.Bounds(-2, 5), low.Bounds(0, 15))
HELD = (0, 1, 3), (0, 1), (NONE, 0, 1, 5), (-2, 0, 1, 5), (0, 1, 6, 15)
"""By slot: some of what it may hold."""
ROWS = list(product(*HELD))
NUMBER, SET, FLAG, COUNT, MEMBER = range(5, 10)
"""Registers besides those that hold the slots as they were at first."""
DEEP = 3
NOUGHT, ONE, NOTHING = low.ConstWord(0), low.ConstWord(1), low.ConstWord(NONE)
DIVIDED: tuple[low.BinaryName, ...] = ("div", "mod")
COMPARED: tuple[low.BinaryName, ...] = ("==", "!=", "<", "<=", ">", ">=")
OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "div": operator.floordiv,
    "mod": operator.mod,
    "min": min,
    "max": max,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def op(name: low.BinaryName, left: low.Word, right: low.Word) -> low.BinaryWord:
    """Returns an operation."""
    return low.BinaryWord(name, left, right)


class RandomFunction:
    """Builds the statements of a random function."""

    def __init__(self, rng: Random, registers: list[low.Word], first: int, *, calls: bool) -> None:
        """Builds on some registers; sets hold members from `first` on, besides those of slots."""
        self.rng, self.registers, self.first, self.calls = rng, registers, first, calls
        self.every = low.ConstWord(15 | 15 << first)
        self.last = MEMBER + DEEP
        """The last register that is used."""
        self.loops = 0

    def pick(self, *ways: Callable[[], low.Word]) -> low.Word:
        """Returns one of some words."""
        return self.rng.choice(ways)()

    # -------------------------------------------------------------- words

    @property
    def numbers(self) -> list[low.Word]:
        """The registers that hold numbers or none; a set is compared with sets only."""
        return [*self.registers[:SET], *self.registers[SET + 1 :]]

    def plain(self) -> low.Word:
        """Returns a number, or none."""
        return self.rng.choice(
            (*self.numbers, low.CellWord(low.ConstWord(2)), NOTHING, *map(low.ConstWord, range(-2, 4)))
        )

    def number(self, depth: int) -> low.Word:
        """Returns a number that is not none."""
        if not depth:
            cells = [low.CellWord(low.ConstWord(slot)) for slot in (0, 3)]
            held = [self.registers[0], self.registers[3], *self.registers[5:6], *self.registers[8:]]
            return self.rng.choice((*held, *cells, *map(low.ConstWord, range(-2, 4))))
        less = depth - 1
        signs: tuple[low.BinaryName, ...] = ("+", "-", "*", "min", "max")
        return self.pick(
            lambda: op(self.rng.choice(signs), self.number(less), self.number(less)),
            lambda: low.UnaryWord("neg", self.number(less)),
            lambda: low.UnaryWord("count", self.set(less)),
            lambda: self.entry(self.number(less)),
            lambda: self.column(self.number(less)),
            lambda: low.SelectWord(self.flag(less), self.number(less), self.number(less)),
            lambda: self.certain(self.plain(), self.number(less)),
            lambda: self.of_member(self.number(less)),
            lambda: op(self.rng.choice(DIVIDED), self.number(less), low.ConstWord(self.rng.choice((-2, -1, 1, 2, 3)))),
            lambda: self.lowest(self.set(less), self.number(0)),
        )

    def lowest(self, of: low.Word, otherwise: low.Word) -> low.Word:
        """Returns the first member of a set, or another number for the empty one."""
        return low.SelectWord(op("!=", of, NOUGHT), low.UnaryWord("lowest", of), otherwise)

    def column(self, row: low.Word) -> low.Word:
        """Returns an entry of a column of the table, which has three rows of two."""
        inside = op("==", op("outside", row, low.ConstWord(3)), NOUGHT)
        first = op("*", low.SelectWord(inside, row, NOUGHT), low.ConstWord(2))
        place = self.pick(lambda: first, lambda: op("+", first, ONE))
        return low.SelectWord(inside, low.EntryWord(0, place), NOUGHT)

    def of_member(self, otherwise: low.Word) -> low.Word:
        """Returns what a table or the row holds of the member of a loop around; a number, if there is none."""
        if not self.loops or len(self.registers) <= MEMBER:
            return otherwise
        member = self.registers[-1]
        if self.first:
            return self.entry(self.rng.choice((member, op("-", member, low.ConstWord(self.first)))))
        cell = low.CellWord(self.rng.choice((member, op("+", NOUGHT, member))))
        return self.pick(lambda: low.EntryWord(0, member), lambda: self.certain(cell, otherwise))

    def within(self, word: low.Word, first: int, last: int) -> low.Word:
        """Returns a number, kept in a range."""
        return op("min", op("max", word, low.ConstWord(first)), low.ConstWord(last))

    def certain(self, word: low.Word, otherwise: low.Word) -> low.Word:
        """Returns a word, or another where it is none."""
        return low.SelectWord(op("==", word, NOTHING), otherwise, word)

    def entry(self, index: low.Word) -> low.Word:
        """Returns an entry of the table, or 2 beyond its ends."""
        inside = op("==", op("outside", index, low.ConstWord(len(TABLE))), NOUGHT)
        return low.SelectWord(inside, low.EntryWord(0, low.SelectWord(inside, index, NOUGHT)), low.ConstWord(2))

    def set(self, depth: int) -> low.Word:
        """Returns a set; a flag is one, too."""
        if not depth:
            held = [self.registers[0], self.registers[1], self.registers[4], *self.registers[6:7]]
            known = low.ConstWord(14 << self.first), low.ConstWord(5 << self.first)
            return self.rng.choice((*held, low.CellWord(low.ConstWord(4)), *known))
        less = depth - 1
        joins: tuple[low.BinaryName, ...] = ("&", "|")
        return self.pick(
            lambda: op(self.rng.choice(joins), self.set(less), self.set(less)),
            lambda: op("&", self.set(less), low.UnaryWord("flip", self.set(less))),
            self.some_single,
            lambda: low.SelectWord(self.flag(less), self.set(less), self.set(less)),
            lambda: op(">>", self.set(less), low.ConstWord(self.rng.randrange(4))),
            lambda: self.flag(less),
        )

    def some_single(self) -> low.Word:
        """Returns a set of one member."""
        if not self.first:
            return self.single(self.rng.choice((self.registers[0], *self.registers[9:])))
        return self.single(op("+", self.registers[0], low.ConstWord(self.first)))

    def single(self, member: low.Word) -> low.Word:
        """Returns the set of a member."""
        return op("<<", ONE, member) if self.first + 3 < low.BITS else low.BitWord(member, 2)

    def flag(self, depth: int) -> low.Word:
        """Returns a word that is 0 or 1."""
        if not depth:
            return self.rng.choice((self.registers[1], *self.registers[7:8], ONE, NOUGHT))
        less = depth - 1
        joins: tuple[low.BinaryName, ...] = ("&", "|")
        return self.pick(
            lambda: op(self.rng.choice(COMPARED), self.number(less), self.number(less)),
            lambda: op(self.rng.choice(COMPARED), self.plain(), self.plain()),
            lambda: op(self.rng.choice(COMPARED[:2]), self.set(less), self.set(less)),
            lambda: op(self.rng.choice(joins), self.flag(less), self.flag(less)),
            lambda: op("==", self.flag(less), NOUGHT),
            lambda: low.HasWord(self.set(less), self.rng.choice((self.registers[0], *self.registers[9:]))),
            lambda: low.SelectWord(self.flag(less), self.flag(less), self.flag(less)),
            lambda: op("outside", self.number(less), low.ConstWord(self.rng.randrange(1, 5))),
            lambda: self.sometimes_flag(self.rng.choice(self.numbers), self.flag(less)),
            lambda: op(self.rng.choice(COMPARED), self.of_member(self.number(less)), self.number(0)),
        )

    def sometimes_flag(self, word: low.Word, otherwise: low.Word) -> low.Word:
        """Returns a word where it is 0 or 1, and another where it is not."""
        return low.SelectWord(op("outside", word, low.ConstWord(2)), otherwise, word)

    # -------------------------------------------------------------- statements

    def body(self, depth: int, most: int) -> Body:
        """Returns some statements."""
        return tuple(order for _ in range(self.rng.randint(1, most)) for order in self.statement(depth))

    def statement(self, depth: int) -> Body:
        """Returns a statement, with what it needs before it."""
        ways: list[Callable[[], Body]] = [
            lambda: (low.SetInst(NUMBER, self.within(self.number(2), -9, 20)),),
            lambda: (low.SetInst(SET, op("&", self.set(2), self.every)),),
            lambda: (low.SetInst(SET, op("|", low.RegisterWord(SET), op("&", self.set(1), self.every))),),
            lambda: (low.SetInst(FLAG, self.flag(2)),),
            self.store,
            lambda: (low.IfInst(self.flag(2), (low.TrapInst(),)),),
        ]
        if self.calls:
            ways.append(self.call)
        if self.loops:
            ways.append(lambda: (low.IfInst(self.flag(2), (low.BreakInst(self.rng.randrange(self.loops)),)),))
        if depth:
            ways += [lambda: (low.IfInst(self.flag(3), self.body(depth - 1, 2), self.otherwise(depth - 1)),)] * 3
            ways += [lambda: self.walk(depth - 1), self.gather] * 2
            ways += [lambda: self.collect(depth - 1), lambda: self.decide(depth - 1), lambda: self.count(depth - 1)]
            ways += [lambda: (low.IfInst(self.flag(2), (*self.body(0, 1), self.end())),)]
        if depth == DEEP:
            ways.append(lambda: self.repeat(depth - 1))
        return self.rng.choice(ways)()

    def otherwise(self, depth: int) -> Body:
        """Returns the other branch."""
        return self.body(depth, 2) if self.rng.random() < 0.6 else ()

    def end(self) -> low.Inst:
        """Returns the end of the function."""
        make = self.rng.choice((self.number, self.flag, self.number if self.first else self.set))
        return low.ReturnInst(make(2))

    def call(self) -> Body:
        """Returns a call of the value, whose parameters are as the slots."""
        first = self.within(self.number(1), 0, 3)
        return (low.CallInst(NUMBER, self.rng.choice(("v0", "v1")), (first, *self.registers[1 : len(BOUNDS)])),)

    def store(self) -> Body:
        """Returns a write to a slot of what it may hold."""
        ways: list[Callable[[], low.Word]] = [
            lambda: self.within(self.number(1), 0, 3),
            lambda: self.flag(1),
            lambda: low.SelectWord(self.flag(1), self.within(self.number(1), 0, 5), NOTHING),
            lambda: self.within(self.number(1), -2, 5),
            lambda: op("&", self.set(1), low.ConstWord(15)),
        ]
        slot = self.rng.randrange(len(ways))
        return (low.StoreInst(low.ConstWord(slot), ways[slot]()),)

    @contextmanager
    def looping(self, *members: low.RegisterWord) -> Iterator[None]:
        """Stands in a loop, with the register of its member, if it has one."""
        self.registers += members
        self.loops += 1
        yield
        self.loops -= 1
        del self.registers[len(self.registers) - len(members) :]

    def walk(self, depth: int) -> Body:
        """Returns a loop over a set, in whose body the member is a number, too."""
        mask = op("&", self.set(2), self.every) if self.rng.random() < 0.6 else self.some()
        member = low.RegisterWord(MEMBER + self.loops)
        with self.looping(member):
            return (low.WalkInst(member.number, mask, self.body(depth, 2)),)

    def gather(self) -> Body:
        """Returns a loop that counts, unites or asks, as a comprehension does."""
        x = low.RegisterWord(MEMBER + self.loops)
        ends: list[tuple[int, Body]] = [
            (NUMBER, (low.SetInst(NUMBER, op("+", low.RegisterWord(NUMBER), ONE)),)),
            (SET, (low.SetInst(SET, op("|", low.RegisterWord(SET), self.single(x))),)),
            (FLAG, (low.SetInst(FLAG, ONE), low.BreakInst())),
        ]
        register, end = self.rng.choice(ends)
        with self.looping(x):
            compared = op(self.rng.choice(COMPARED), self.of_member(self.number(0)), self.number(0))
            test = self.pick(lambda: compared, lambda: self.flag(2), lambda: op("&", compared, self.flag(1)))
        mask = self.pick(self.some, lambda: op("&", self.set(1), self.every))
        return (low.SetInst(register, NOUGHT), low.WalkInst(x.number, mask, (low.IfInst(test, end),)))

    def fresh(self) -> low.RegisterWord:
        """Returns a register that nothing else uses."""
        self.last += 1
        return low.RegisterWord(self.last)

    def collect(self, depth: int) -> Body:
        """Returns a loop over a set that is collected for it alone."""
        found, one, other = self.fresh(), self.fresh(), self.fresh()
        with self.looping(one):
            value = self.of_member(self.number(0))
            tests = op("*", value, self.registers[0]), op("==", value, self.registers[3]), value
            test = op(self.rng.choice(COMPARED), self.rng.choice(tests), self.number(0))
        with self.looping(other):
            trap = (low.IfInst(self.flag(1), (low.TrapInst(),)),) if self.rng.random() < 0.3 else ()
            more = low.SetInst(NUMBER, self.within(op("+", low.RegisterWord(NUMBER), other), -9, 200))
            body = (*trap, *self.body(depth, 2)) if self.rng.random() < 0.5 else (*trap, more)
        collecting = low.IfInst(test, (low.SetInst(found.number, op("|", found, self.single(one))),))
        return (
            low.SetInst(found.number, NOUGHT),
            low.WalkInst(one.number, self.some(), (collecting,)),
            low.WalkInst(other.number, found, body),
        )

    def decide(self, depth: int) -> Body:
        """Returns a branch on what another one has found out."""
        found = self.fresh()
        deciding = low.IfInst(self.flag(2), (*self.body(0, 1), low.SetInst(found.number, self.flag(2))))
        return (low.SetInst(found.number, NOUGHT), deciding, low.IfInst(found, self.body(depth, 2)))

    def count(self, depth: int) -> Body:
        """Returns a loop over the numbers up to a limit."""
        counter, seen = self.fresh(), self.fresh()
        limit = self.pick(lambda: low.ConstWord(self.rng.randrange(4)), lambda: self.registers[0])
        head = low.IfInst(op(">", counter, limit), (low.BreakInst(),))
        steps = low.SetInst(seen.number, counter), low.SetInst(counter.number, op("+", counter, ONE))
        with self.looping(seen):
            body = self.body(depth, 2)
        first = low.SetInst(counter.number, low.ConstWord(self.rng.randrange(3)))
        if self.rng.random() < 0.6:
            return (first, low.RepeatInst((head, *steps, *body)))
        trap = low.IfInst(op(">", counter, low.ConstWord(7)), (low.TrapInst(),))
        end = low.IfInst(op("<", self.number(1), counter), (low.BreakInst(),))
        return (first, low.RepeatInst((trap, end, steps[1], *self.body(0, 1))), low.SetInst(NUMBER, counter))

    def some(self) -> low.Word:
        """Returns a known set."""
        return low.ConstWord(self.rng.randrange(16) << self.rng.choice((0, self.first)))

    def repeat(self, depth: int) -> Body:
        """Returns a loop that counts."""
        count = low.RegisterWord(COUNT)
        many = self.within(self.number(1), 0, 3)
        head = (low.IfInst(op(">=", count, many), (low.BreakInst(),)), low.SetInst(COUNT, op("+", count, ONE)))
        with self.looping():
            return (low.SetInst(COUNT, NOUGHT), low.RepeatInst((*head, *self.body(depth, 2))))


def program(seed: int, first: int = 0) -> Program:
    """Returns a program with one random block, and a value that it may call; its sets hold members from `first` on."""
    rng = Random(seed)
    held: list[low.Word] = [low.RegisterWord(i) for i in range(len(BOUNDS))]
    reads = [low.SetInst(i, _begun(rng, i)) for i in range(len(BOUNDS))]
    others = [low.SetInst(register, NOUGHT) for register in (NUMBER, SET, FLAG, COUNT)]
    known = [*held, *map(low.RegisterWord, (NUMBER, SET, FLAG, COUNT))]
    made = RandomFunction(rng, known, first, calls=True)
    body = (*reads, *others, *made.body(DEEP, 4), made.end())
    registers = made.last + 1
    block = low.Function("b1", "", 0, registers, body, register_widths(registers, (), body))
    given = RandomFunction(rng, held, first, calls=False)
    branch = low.IfInst(given.flag(2), (given.end(),))
    value = low.Function("v0", "", len(BOUNDS), len(BOUNDS), (branch, low.ReturnInst(given.number(2))))
    functions = (block, value, _recursive(given))
    return Program(functions, (TABLE,), len(BOUNDS), 0, Slot(1), ((1, "b1"),), (), 1000, bounds=BOUNDS)


def _recursive(made: RandomFunction) -> low.Function:
    """Returns a value that calls itself, last of all or to add to what comes of it."""
    size, found = len(BOUNDS), low.RegisterWord(len(BOUNDS))
    less = low.CallInst(found.number, "v1", (op("-", made.registers[0], ONE), made.flag(2), *made.registers[2:size]))
    end = made.pick(lambda: found, lambda: made.within(op("+", found, made.number(1)), -9, 20))
    first = low.IfInst(op("<=", made.registers[0], NOUGHT), (low.ReturnInst(made.number(2)),))
    another = low.IfInst(made.flag(2), (made.end(),))
    return low.Function("v1", "", size, size + 1, (first, another, less, low.ReturnInst(end)))


def _begun(rng: Random, slot: int) -> low.Word:
    """Returns what a slot holds, or what it might hold."""
    return low.CellWord(low.ConstWord(slot)) if rng.random() < 0.5 else low.ConstWord(rng.choice(HELD[slot]))


# ------------------------------------------------------------------ running


@attrs.define
class Run:
    """A program that is run in full: everything in a word is computed, as machine code does."""

    program: Program
    row: list[int]

    def call(self, name: str, arguments: list[int]) -> int:
        """Returns the result of a function."""
        function = next(f for f in self.program.functions if f.name == name)
        registers = dict(enumerate(arguments))
        leaves = self.run(function.body, registers)
        assert isinstance(leaves, tuple), "the function ends without a result"
        return leaves[0]

    def run(self, body: Body, held: dict[int, int]) -> tuple[int] | int:
        """Runs statements; returns the result, in a tuple, or the number of loops that are to be left."""
        for order in body:
            match order:
                case low.SetInst(register=register, value=value):
                    held[register] = self.word(value, held)
                    continue
                case low.StoreInst(index=index, value=value):
                    self.row[self.word(index, held)] = self.word(value, held)
                    continue
                case low.CallInst(register=register, function=name, arguments=arguments):
                    found = self.call(name, [self.word(argument, held) for argument in arguments])
                    if register is not None:
                        held[register] = found
                    continue
                case low.IfInst(condition=condition, then=then, otherwise=otherwise):
                    leaves = self.run(then if self.word(condition, held) else otherwise, held)
                case low.WalkInst(register=register, mask=mask, body=inner):
                    leaves = self.walk(register, self.word(mask, held), inner, held)
                case low.RepeatInst(body=inner):
                    leaves = 0
                    while not leaves:
                        leaves = self.run(inner, held)
                    leaves = leaves if isinstance(leaves, tuple) else leaves - 1
                case low.BreakInst(outer=outer):
                    return outer + 1
                case low.ReturnInst(value=value):
                    return (self.word(value, held),)
                case low.TrapInst():
                    raise Trap
                case _:
                    raise AssertionError(order)
            if leaves:
                return leaves
        return 0

    def walk(self, register: int, mask: int, body: Body, held: dict[int, int]) -> tuple[int] | int:
        """Runs a loop over a set; returns as `run`."""
        for member in members(mask):
            held[register] = member
            leaves = self.run(body, held)
            if leaves:
                return leaves if isinstance(leaves, tuple) else leaves - 1
        return 0

    def word(self, word: low.Word, held: dict[int, int]) -> int:
        """Returns what a word comes to."""
        parts = [self.word(part, held) for part in low.parts(word)]
        match word:
            case low.ConstWord(value=value):
                return value
            case low.RegisterWord(number=number):
                return held[number]
            case low.CellWord():
                return self.row[parts[0]]
            case low.EntryWord(table=table):
                assert 0 <= parts[0] < len(self.program.tables[table])
                return self.program.tables[table][parts[0]]
            case low.HasWord():
                return parts[0] >> parts[1] & 1
            case low.BitWord():
                return 1 << parts[0]
            case low.SelectWord():
                return parts[1] if parts[0] else parts[2]
            case low.UnaryWord(name=name):
                of = parts[0]
                lowest = (of & -of).bit_length() - 1
                return {"neg": -of, "flip": ~of, "count": of.bit_count(), "lowest": lowest}[name]
            case low.BinaryWord(name="outside"):
                return int(not 0 <= parts[0] < parts[1])
            case low.BinaryWord(name=name):
                return int(OPERATORS[name](*parts))
            case _:
                raise AssertionError(word)


def run(program: Program, row: tuple[int, ...]) -> tuple[int, list[int]] | None:
    """Returns the result of a program's block and the row behind it; None where it traps."""
    running = Run(program, list(row))
    try:
        return running.call("b1", []), running.row
    except Trap:
        return None
