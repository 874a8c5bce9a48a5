"""A function of the low-level IR that is being built: its statements, registers and locals.

f = Builder(lowering, "v3", "value reach")
f.add(SetInst(f.fresh(), word))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import attrs

from rulelang.errors import Unsupported
from rulelang.ir.types import NONE, FlagType, IntType, SetType, Type
from rulelang.program.low.bounds import ANY, type_bounds
from rulelang.program.low.model import (
    BinaryWord,
    Bounds,
    CallInst,
    CellWord,
    ConstWord,
    Function,
    IfInst,
    Inst,
    PayInst,
    RegisterWord,
    ReturnInst,
    SetInst,
    StoreInst,
    TrapInst,
    Word,
)
from rulelang.program.low.widths import register_widths
from rulelang.program.low.words import KnownWord, fits, limits, outside, typed

if TYPE_CHECKING:
    from rulelang.ir import model as ir
    from rulelang.ir.model import Expr, GameRules, Variable
    from rulelang.ir.steps import StepCosts
    from rulelang.program.control import Control, Slots
    from rulelang.program.layout import Layout


class Computed(Protocol):
    """Values and data cells of the rules, as words of a function that is being built."""

    def call(self, f: Builder, expr: ir.CallValue) -> KnownWord: ...
    def cell(self, f: Builder, expr: ir.Cell, otherwise: KnownWord) -> KnownWord: ...
    def has_row(self, f: Builder, expr: ir.HasRow) -> KnownWord: ...


class Foresight(Protocol):
    """Emits the body of a function that looks at the position
    after a procedure and the whenever-rules that follow it."""

    def __call__(self, f: Builder, procedure: str, arguments: tuple[Word, ...], checkpoint: str | None) -> None: ...


class NotePlaces(Protocol):
    """The places of the words behind the row that are 0 between steps; see `things.notes`."""

    @property
    def notes(self) -> dict[int, int]: ...
    @property
    def levels(self) -> int: ...
    @property
    def level(self) -> int: ...
    @property
    def calls(self) -> int: ...
    @property
    def width(self) -> int: ...
    @property
    def entered(self) -> int: ...
    @property
    def sites(self) -> int: ...


class Lowering(Protocol):
    """A game that is being lowered."""

    game: GameRules
    layout: Layout
    control: Control
    steps: StepCosts
    slots: Slots
    variables: dict[int, Variable]
    rebound: frozenset[int]
    bits: int | None
    loose: set[int]
    moves_at_once: bool
    is_traced: bool
    asks_chance: bool
    functions: dict[str, Function]

    @property
    def row_size(self) -> int: ...
    @property
    def scratch(self) -> NotePlaces: ...
    @property
    def values(self) -> Computed: ...
    def expression(self, f: Builder, expr: Expr) -> KnownWord: ...
    def set_of(self, f: Builder, expr: Expr) -> KnownWord: ...
    def procedure(self, id: int, level: int = 0, *, tells: bool) -> str: ...
    def foresight(self, id: int, body: Foresight, name: str, more: tuple[Variable, ...] = ()) -> str: ...
    def parameter(self, variable: Variable, word: Word) -> KnownWord: ...
    def entry(self, type: Type, values: tuple[int, ...], place: Word) -> KnownWord: ...
    def words_for(self, bits: int) -> int: ...
    def words_of(self, type: Type) -> int: ...
    def has_likes(self, kind: int | None) -> bool: ...
    def cell(self, slot: int) -> CellWord: ...
    def helper(
        self, name: str, parameters: int, body: Callable[[Builder], None], result: int = 1, *, tells: bool = False
    ) -> str: ...


@attrs.define
class LoopFrame:
    """A loop of the rules that is open in this function, and the number of loops around it."""

    loop: int
    depth: int


@attrs.define
class Round:
    """A loop in which the rules only look; see `once`.

    names      the locals that it changes
    flags      by expression that is computed once for all rounds: the register that says whether it has been
    results    and the register of its value
    found      registers that are 0 before the first round, and kept from one to the next
    """

    names: frozenset[int]
    flags: dict[Expr, int] = attrs.Factory(dict)
    results: dict[Expr, int] = attrs.Factory(dict)
    found: list[int] = attrs.Factory(list)


class Builder:
    """A function that is being built.

    is_chunk    it is part of a cut procedure: locals that outlive it are kept in slots too
    leave       emits the code of the rules' `return`
    """

    def __init__(self, lowering: Lowering, name: str, about: str, parameters: tuple[Variable, ...] = ()) -> None:
        self.lowering, self.name, self.about = lowering, name, about
        self.orders: list[Inst] = []
        self.env: dict[int, KnownWord] = {}
        self.frames: list[LoopFrame] = []
        self.depth = 0
        """The number of open loops."""
        self.rounds: list[Round] = []
        """The open loops in which the rules only look, the outermost first."""
        self.is_chunk = False
        self.level = 0
        """The number of nested `simultaneously` passes it runs in; above 0, its writes are noted."""
        self.tells = lowering.is_traced
        """Whether the trace is told what it does; a look ahead tells nothing."""
        self.depths: dict[int, Word] = {}
        """By value that may have called this function and be called by it: how many of its calls are open."""
        self.registers = 0
        self.result = 1
        """The number of words that it returns."""
        self.pays = True
        """Whether the statements added now pay for themselves; if not, all they can cost is charged elsewhere."""
        self.target: Word | None = None
        """Which cell of its variable or zone the statement changes, while its value is worked out."""
        self.gives: Bounds | None = None
        """The bounds of its result, where they are known."""
        self._arrays: list[int] = []
        self._rebound: dict[int, int] = {}
        for variable in parameters:
            self.env[variable.id] = self._in_register(variable, self.fresh())
        self.parameters = self.registers
        self._takes = [
            ANY if variable.id in lowering.loose else type_bounds(variable.type.or_none()) for variable in parameters
        ]
        self._widths = [lowering.words_of(variable.type) for variable in parameters]
        self.seat: KnownWord | None = None
        """The seat that goes on without an option, where that is known."""
        self.site = 0
        """The site of the line that pays; 0 if the caller of the function does."""
        self.leave: Callable[[], None] = lambda: self.add(ReturnInst(ConstWord(0)))
        self.jump: Callable[[int], None] = _nowhere

    @property
    def in_pass(self) -> bool:
        """Whether it is part of a pass."""
        return self.level > 0

    def finished(self) -> Function:
        """Returns the function."""
        body = tuple(self.orders)
        given = [*self._widths, *[1] * (self.parameters - len(self._widths))]
        widths = () if self.lowering.bits is None else register_widths(self.registers, given, body)
        arrays = tuple(self._arrays)
        takes = tuple(self._takes) if len(self._takes) == self.parameters else ()
        return Function(
            self.name,
            self.about,
            self.parameters,
            self.registers,
            body,
            widths,
            self.result,
            arrays,
            takes=takes,
            gives=self.gives,
        )

    # -------------------------------------------------------------- statements

    def passed(self, id: int, known: KnownWord) -> None:
        """Takes a local of another function as the next parameter; before any other register."""
        self.env[id] = attrs.evolve(known, word=RegisterWord(self.fresh()))
        self.parameters = self.registers
        self._takes.append(ANY)
        self._widths.append(self.lowering.words_for(known.high.bit_length()) if known.is_set else 1)

    def fresh(self) -> int:
        """Returns a register that is not used yet."""
        self.registers += 1
        return self.registers - 1

    def array(self, size: int) -> int:
        """Returns an array that is not used yet."""
        self._arrays.append(max(size, 1))
        return len(self._arrays) - 1

    def add(self, *orders: Inst) -> None:
        """Adds statements."""
        if self.site and self.lowering.bits is None:
            self.orders += (attrs.evolve(o, site=self.site) if isinstance(o, CallInst) else o for o in orders)
        else:
            self.orders += orders

    @contextmanager
    def at(self, site: int) -> Iterator[None]:
        """Lets a line of the rules pay in the context."""
        outer, self.site = self.site, site or self.site
        yield
        self.site = outer

    @contextmanager
    def aside(self) -> Iterator[list[Inst]]:
        """Catches the statements that are added in the context."""
        outer, self.orders = self.orders, []
        try:
            yield self.orders
        finally:
            self.orders = outer

    @contextmanager
    def looped(self) -> Iterator[list[Inst]]:
        """Catches the statements of a loop's body."""
        self.depth += 1
        with self.aside() as orders:
            yield orders
        self.depth -= 1

    def trap_if(self, condition: Word) -> None:
        """Emits a trap, which leaves the step to another executor where a condition holds."""
        if condition != ConstWord(0):
            self.add(TrapInst() if condition == ConstWord(1) else IfInst(condition, (TrapInst(),)))

    def pay(self, steps: Word | int) -> None:
        """Emits code that takes steps from the budget."""
        word = ConstWord(steps) if isinstance(steps, int) else steps
        if word == ConstWord(0) or not self.pays:
            return
        site = ConstWord(self.site if self.lowering.bits is None else 0)
        match word, self.orders[-1:]:
            case ConstWord(value=more), [PayInst(steps=ConstWord(value=steps), site=before)] if before == site:
                self.orders[-1] = PayInst(ConstWord(steps + more), site)
            case _:  # another line pays, or how much is not known yet
                self.add(PayInst(word, site))

    def named(self, known: KnownWord) -> KnownWord:
        """Returns the current value of a word, in a register."""
        if isinstance(known.word, ConstWord):
            return known
        if isinstance(known.word, RegisterWord) and known.word.number not in self._rebound.values():
            return known
        return attrs.evolve(known, word=self.kept(known.word))

    def kept(self, word: Word) -> RegisterWord:
        """Returns a new register with the value of a word."""
        register = self.fresh()
        self.add(SetInst(register, word))
        return RegisterWord(register)

    # -------------------------------------------------------------- locals

    def bind(self, id: int, known: KnownWord) -> None:
        """Binds a local, and stores it in its slot, where other regions find it."""
        variable = self.lowering.variables[id]
        known = self.within(known, variable.type)
        slot = self.lowering.slots.variables.get(id) if self.is_chunk else None
        if id in self.lowering.rebound:
            if slot is not None:
                self.store(slot, known.word)
                return
            if id not in self._rebound:
                self._rebound[id] = self.fresh()
            self.add(SetInst(self._rebound[id], known.word))
            return
        self.env[id] = self.named(known)
        if slot is not None:
            self.store(slot, self.env[id].word)

    def store(self, slot: int, word: Word) -> None:
        """Emits code that writes a slot."""
        cell = self.lowering.cell(slot)
        self.add(StoreInst(cell.index, word, cell.words))

    def within(self, known: KnownWord, type: Type) -> KnownWord:
        """Returns a word that is one of a type's values or none; traps where it is another. A set of words of 64 bits is
        never none."""
        if self.is_sure(type):
            known = self.certain(known)
        if fits(known, type.or_none()):
            return known
        known = self.named(known)
        self.trap_if(outside(known, type.or_none()))
        if isinstance(type, SetType):
            return attrs.evolve(typed(known.word, type), none=known.none)
        low, high = limits(type)
        bottom, top = max(low, known.low), min(high, known.high)
        # If no number that it can be is in the type, it is none or has trapped.
        return (
            KnownWord(known.word, bottom, top, known.none)
            if bottom <= top
            else KnownWord(known.word, low, low, known.none)
        )

    def arguments(self, procedure: int, exprs: tuple[Expr, ...]) -> tuple[Word, ...]:
        """Returns the arguments of a procedure call."""
        parameters = self.lowering.game.procedures[procedure].parameters
        known = [self.named(self.expression(expr)) for expr in exprs]
        return tuple(self.within(each, v.type).word for each, v in zip(known, parameters, strict=True))

    def argument(self, known: KnownWord, variable: Variable) -> KnownWord:
        """Returns an argument of a value or cell: in its parameter's type, or none. A flag may stand for any number."""
        if isinstance(variable.type, FlagType) and not fits(known, variable.type.or_none()):
            self.lowering.loose.add(variable.id)
            return known
        return self.within(known, variable.type)

    def local(self, id: int) -> KnownWord:
        """Returns a local."""
        if id in self._rebound:
            return self._in_register(self.lowering.variables[id], self._rebound[id])
        found = self.env.get(id)
        if found is not None:
            return found
        slot = self.lowering.slots.variables.get(id)
        if slot is None:
            raise Unsupported("locals that are read where nobody bound them")
        return self.lowering.parameter(self.lowering.variables[id], self.lowering.cell(slot))

    def _in_register(self, variable: Variable, register: int) -> KnownWord:
        known = self.lowering.parameter(variable, RegisterWord(register))
        return attrs.evolve(known, none=known.none and not self.is_sure(variable.type))

    def is_sure(self, type: Type) -> bool:
        """Returns whether this function traps where a value of a type is none."""
        return isinstance(type, SetType) and self.lowering.bits is not None

    # -------------------------------------------------------------- expressions

    def expression(self, expr: Expr) -> KnownWord:
        """Returns the word of an expression; emits the statements that it needs first."""
        return self.lowering.expression(self, expr)

    def condition(self, expr: Expr) -> Word:
        """Returns whether an expression holds."""
        return self.expression(expr).condition

    def numeric(self, expr: Expr) -> KnownWord:
        """Returns the word of an expression that must be a number; traps for none."""
        return self.certain(self.expression(expr))

    def certain(self, known: KnownWord) -> KnownWord:
        """Returns a word that is not none; traps where it is."""
        if not known.none:
            return known
        known = self.named(known)
        self.trap_if(BinaryWord("==", known.word, ConstWord(NONE)) if known.value is None else ConstWord(1))
        return attrs.evolve(known, none=False)

    def narrowed(self, known: KnownWord, most: int) -> KnownWord:
        """Returns a number from `-most` to `most`; traps for others, with which only words of any size can compute."""
        if self.lowering.bits is None or -most <= known.low <= known.high <= most:
            return known
        known = self.named(known)
        self.trap_if(outside(known, IntType(-most, most, optional=known.none)))
        return attrs.evolve(known, low=max(known.low, -most), high=min(known.high, most))

    def set(self, expr: Expr) -> KnownWord:
        """Returns the word of an expression that is a set; none becomes the empty set."""
        return self.lowering.set_of(self, expr)


def _nowhere(loop: int) -> None:
    raise Unsupported("loops that are left from elsewhere")
