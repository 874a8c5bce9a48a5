"""One function that is being printed: its lines, its names, and the current depth and site.

An expression is printed as text, but a part that needs statements (a walk over a set, a roll) is printed as lines
before
it; so the lines of a part that may not be reached are caught first (`aside`) and printed under an `if`.

    x in players if x.fuel > 0      # for x2 in IN3[S[4]]:
                                    #     if S[9 + x2] > 0:
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

import attrs

from rulelang.ir.model import CallValue, Cell, DataTable, Expr, HasRow, Local, Over, Simultaneous
from rulelang.ir.types import Type
from rulelang.ir.walk import read_in
from rulelang.program.pycode.fragment import Fragment, bounds, fits
from rulelang.program.pycode.module import Module, PrintedLine
from rulelang.program.python.legend import remark

PAY = "M.left -= "
NOTE = "if M.left < 0: M.note()"


class PrintsValues(Protocol):
    """Prints calls of values and data cells; see `values`."""

    def call(self, f: PrintedFunction, expr: CallValue) -> Fragment: ...
    def cell(self, f: PrintedFunction, expr: Cell) -> Fragment: ...
    def has_row(self, f: PrintedFunction, expr: HasRow) -> Fragment: ...
    def opened(self, f: PrintedFunction, expr: Expr) -> Expr: ...
    def plain_cells(self, data: DataTable, column: int) -> tuple[int, ...] | None: ...
    def draws(self, expr: object) -> bool: ...


class PrintsProcedures(Protocol):
    """Prints procedures and passes; see `statements`."""

    @property
    def deferred(self) -> dict[int, str]: ...
    def name(self, id: int, *, in_pass: bool = False) -> str: ...
    def a_pass(self, f: PrintedFunction, simultaneous: Simultaneous) -> tuple[str, list[str]]: ...


class ModulePrinter(Module, ABC):
    """A module, with the printers of parts that contain each other: `whole` says which they are."""

    values: PrintsValues
    procedures: PrintsProcedures

    @abstractmethod
    def expression(self, f: PrintedFunction, expr: Expr) -> Fragment:
        """Returns the fragment of an expression; prints the lines that it needs first."""

    @abstractmethod
    def likeness(self, kind: int | None) -> str | None:
        """Returns the name of the function for the likeness of things of a kind; None if no two of them are alike."""


@attrs.define
class NamedResult:
    """A named result, and the place at which the name was printed: it is known wherever that line has run."""

    fragment: Fragment
    lines: list[PrintedLine]
    index: int
    depth: int
    cost: str = ""
    """The name of its cost; "" if it was paid for beforehand."""


@attrs.define
class PrintedLoop:
    """A Python loop that is being printed. `flag` is the name that is set when the code leaves for an outer loop."""

    loop: int
    flag: str = ""


class PrintedFunction:
    """A function that is being printed.

    in_pass     its row is the copy of a pass, and its writes are noted
    is_chunk    it is part of a cut procedure: locals that outlive it are bound to slots
    leave       prints the rules' `return`; `jump` prints a `stop` of a loop that is not in this function
    """

    def __init__(self, module: ModulePrinter, name: str, parameters: list[str], about: str = "") -> None:
        self.module = module
        self.name = name
        self.in_pass = False
        self.is_chunk = False
        self.env: dict[int, Fragment] = {}
        self.frames: list[PrintedLoop] = []
        self.site = 0
        self.own = 0
        self.recursing: tuple[int, Callable[[list[Fragment]], str]] | None = None
        """If this is the function of a value that calls itself: the value, and the function that prints such a call."""
        self.pays = True
        """Whether it must pay for its steps as it goes."""
        self.inlined = 0
        self.repeated: set[Expr] = set()
        """The expressions that occur more than once, so that they are worth a name."""
        self._results: dict[tuple[object, ...], NamedResult] = {}
        self._slots: dict[int, NamedResult] = {}
        self._learned: dict[str, NamedResult] = {}
        self._outer: list[tuple[list[PrintedLine], int]] = []
        self.lines: list[PrintedLine] = []
        self.depth = 0
        self._count = 0
        self.line(f"def {name}({', '.join(parameters)}):" + (f"  # {remark(about)}" if about else ""))
        self.depth = 1
        self.leave: Callable[[PrintedFunction], None] = lambda function: function.line("return")
        self.jump: Callable[[PrintedFunction, int], None] = lambda function, loop: function.line("raise not_at_once()")

    def line(self, text: str) -> None:
        """Prints a line."""
        self.lines.append(PrintedLine(self.depth, text, self.site))

    def close(self) -> None:
        """Ends the function, and adds it to the module."""
        if len(self.lines) == 1:
            self.line("pass")
        self.module.add(self.name, self.lines)

    def fresh(self, letter: str = "t") -> str:
        """Returns a name that is not used yet in this function."""
        self._count += 1
        return f"{letter}{self._count}"

    def skip(self, other: PrintedFunction) -> None:
        """Skips the names that another function has used."""
        self._count = other._count

    def named(self, fragment: Fragment, letter: str = "t") -> Fragment:
        """Returns a fragment under a name, so that it can be printed more than once."""
        if fragment.simple and not fragment.truth:
            return fragment
        name = self.fresh(letter)
        self.line(f"{name} = {fragment.text}")
        return attrs.evolve(fragment, text=name, atom=True, simple=True)

    @contextmanager
    def indented(self, head: str) -> Iterator[None]:
        """Prints a line with a block under it."""
        self.line(head)
        self.depth += 1
        size = len(self.lines)
        yield
        if len(self.lines) == size:
            self.line("pass")
        self.depth -= 1

    @contextmanager
    def aside(self) -> Iterator[list[PrintedLine]]:
        """Catches the lines that are printed in the context; `add` prints them."""
        outer, depth = self.lines, self.depth
        self._outer.append((outer, depth))
        self.lines, self.depth = [], 0
        caught = self.lines
        try:
            yield caught
        finally:
            self.lines, self.depth = outer, depth
            self._outer.pop()

    def add(self, lines: list[PrintedLine]) -> None:
        """Prints lines that were caught."""
        for known in (*self._results.values(), *self._slots.values(), *self._learned.values()):
            if known.lines is lines:
                known.lines, known.index, known.depth = (
                    self.lines,
                    known.index + len(self.lines),
                    known.depth + self.depth,
                )
        self.lines += [attrs.evolve(line, depth=line.depth + self.depth) for line in lines]

    @contextmanager
    def at(self, site: int, own: int | None = None) -> Iterator[None]:
        """Attributes the lines printed in the context to a site; `own` is the trace's site, if another."""
        outer = self.site, self.own
        self.site, self.own = site or self.site, site if own is None else own
        yield
        self.site, self.own = outer

    # -------------------------------------------------------------- steps

    def is_open(self, node: object) -> bool:
        """Returns whether a node pays as it goes in this function."""
        return self.pays and self.module.steps.is_open(node)

    def opens(self, node: object) -> bool:
        """Returns whether anything inside a node pays as it goes in this function."""
        return self.pays and self.module.steps.opens(node)

    def rates(self, over: Over) -> tuple[int, ...]:
        """Returns the cost of an open comprehension for each member of each of its sources; () if it pays nothing here."""
        return self.module.steps.rates(over) if self.pays else ()

    def pay(self, steps: str | int) -> None:
        """Prints the payment for some steps, before they are taken."""
        if steps in (0, "0") or not self.pays:
            return
        before = self.lines[-2:]
        if isinstance(steps, int) and [line.text for line in before[1:]] == [NOTE] and before[0].text.startswith(PAY):
            paid = before[0].text.removeprefix(PAY)
            if paid.isdigit() and all((line.depth, line.site) == (self.depth, self.site) for line in before):
                steps += int(paid)
                del self.lines[-2:]
        self.line(f"{PAY}{steps}")
        self.line(NOTE)

    def pay_for(self, things: str, rate: int) -> None:
        """Prints the payment for a number of things at `rate` steps each; prints nothing for a rate of 0."""
        if rate:
            self.pay(things if rate == 1 else f"{things} * {rate}")

    def count(self) -> str:
        """Prints the start of a count of the steps paid; returns the name of the count, "" if this function pays
        nothing."""
        if not self.pays:
            return ""
        name = self.fresh("c")
        self.line(f"{name} = M.left - M.over")
        return name

    def counted(self, name: str) -> None:
        """Prints the end of a count."""
        self.line(f"{name} -= M.left - M.over")

    # -------------------------------------------------------------- locals

    def stand_in(self, fragment: Fragment) -> Local:
        """Returns an expression that stands for a fragment which already has a name."""
        self._count += 1
        self.env[-self._count - 1] = fragment
        return Local(-self._count - 1)

    def bind(self, id: int, fragment: Fragment) -> None:
        """Binds a local under a name, and stores it in its slot, where other regions find it."""
        slot = self.module.control.slots.variables.get(id) if self.is_chunk else None
        if id in self.module.rebound:
            # Which of its bindings comes last is known only at run time, so all of them share one name, or its slot.
            name = f"v{id}" if slot is None else f"S[{slot}]"
            self.line(f"{name} = {fragment.integer.text}")
            self.env[id] = self.module.parameter(self.module.variables[id], name)
            return
        self.env[id] = self.named(fragment.integer, "x")
        if slot is not None:
            self.line(f"S[{slot}] = {self.env[id].text}")

    def learn(self, index: list[Fragment], dimensions: tuple[Type, ...]) -> None:
        """Notes that the parts of an index have been checked to be within their dimensions."""
        for part, type in zip(index, dimensions, strict=True):
            if part.simple and not fits(part, type.certain()):
                low, high = bounds(type)
                self._learned[part.text] = self._known(attrs.evolve(part, low=low, high=high, none=False))

    def local(self, id: int) -> Fragment:
        """Returns the fragment of a local."""
        if id in self.module.rebound:
            return self.env[id] if id in self.env else self._slot(id)
        fragment = self.env.get(id)
        if fragment is None:
            known = self._slots.get(id)
            if known is None or not self._holds(known):
                known = self._slots[id] = self._known(self.named(self._slot(id), "x"))
            fragment = known.fragment
        learned = self._learned.get(fragment.text)
        return learned.fragment if learned is not None and self._holds(learned) else fragment

    def look_up(self, *nodes: object) -> None:
        """Prints names for the locals in slots that some expressions read, so that no loop below reads a slot each time."""
        slots = self.module.control.slots.variables
        for id in sorted(read_in(*nodes)):
            if id not in self.env and id in slots and id not in self.module.rebound:
                self.local(id)

    def _slot(self, id: int) -> Fragment:
        return self.module.parameter(self.module.variables[id], f"S[{self.module.control.slots.variables[id]}]")

    # -------------------------------------------------------------- expressions

    def expression(self, expr: Expr) -> Fragment:
        """Returns the fragment of an expression; prints the lines that it needs first."""
        return self.module.expression(self, expr)

    def condition(self, expr: Expr) -> str:
        """Returns the text of a condition."""
        return self.expression(expr).condition

    def integers(self, exprs: Iterable[Expr]) -> list[Fragment]:
        """Returns the fragments of several expressions as ints, left to right."""
        return [self.expression(expr).integer for expr in exprs]

    # -------------------------------------------------------------- named results

    def recall(self, expr: Expr) -> Fragment | None:
        """Returns the name of a result, if it was computed on every path to here; it is paid for again."""
        known = self._results.get(self._key(expr)) if self._results else None
        if known is None or not self._holds(known):
            return None
        if known.cost:
            self.pay(known.cost)
        return known.fragment

    def remember(self, expr: Expr, fragment: Fragment, cost: str) -> None:
        """Keeps the names of a result and of its cost until the next statement."""
        self._results[self._key(expr)] = attrs.evolve(self._known(fragment), cost=cost)

    def forget(self) -> None:
        """Forgets all named results, since the row may change."""
        self._results.clear()
        self.repeated.clear()

    def _key(self, expr: Expr) -> tuple[object, ...]:
        return expr, *(self.env[id].text if id in self.env else "" for id in sorted(read_in(expr)))

    def _known(self, fragment: Fragment) -> NamedResult:
        return NamedResult(fragment, self.lines, len(self.lines), self.depth)

    def _holds(self, known: NamedResult) -> bool:
        """Returns whether a named result is still known at the next line, because no block around its line has
        ended."""
        for lines, depth in ((self.lines, self.depth), *reversed(self._outer)):
            if lines is known.lines:
                return depth >= known.depth and all(line.depth >= known.depth for line in lines[known.index :])
        return False
