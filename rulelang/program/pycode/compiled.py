"""A game and its layout -> the functions that run it.

Printing, loading and running are apart: the text is printed when it is first asked for, and executed once.

    compile_game(game, layout).untraced.start      # the function that sets the initial values
"""

from __future__ import annotations

import linecache
import weakref
from collections.abc import Callable, Iterable
from functools import cached_property
from hashlib import blake2b
from itertools import groupby
from types import TracebackType
from typing import Any

import attrs

from rulelang.ir.model import CallValue, Game, Local, StateVariable
from rulelang.ir.steps import PART
from rulelang.ir.types import IntType, Type, first_of, size_of
from rulelang.program.blocks import cut
from rulelang.program.control import Control, control
from rulelang.program.layout import Layout, index_at
from rulelang.program.pycode import rtlib as support
from rulelang.program.pycode.choices import add_question, print_likeness, print_question
from rulelang.program.pycode.expressions import expression
from rulelang.program.pycode.fragment import Fragment, fits, number, typed
from rulelang.program.pycode.function import Function
from rulelang.program.pycode.module import Facts, Module, Printed
from rulelang.program.pycode.regions import Chunks
from rulelang.program.pycode.statements import Procedures
from rulelang.program.pycode.values import Values, outside

Row = list[int]
Answer = tuple[int, ...]
Chunk = Callable[..., int]


@attrs.frozen
class Code:
    """A game's functions; lists are by question, `answers` by question and branch, `blocks` by block."""

    file: str
    sites: tuple[int, ...] = attrs.field(repr=False)
    """The site that each line stands for."""
    start: Callable[..., None]
    main: int
    """The block at which the game begins."""
    blocks: tuple[Chunk, ...] = attrs.field(repr=False)
    answers: tuple[tuple[Chunk, ...], ...] = attrs.field(repr=False)
    options: tuple[Callable[..., Iterable[Answer]], ...] = attrs.field(repr=False)
    refusals: tuple[Callable[..., tuple[int | None, int | None, int | None] | None], ...] = attrs.field(repr=False)

    score: Callable[..., int] | None = attrs.field(default=None, repr=False)
    """What the rules say a seat's `score` is, where they do."""

    def site_of(self, traceback: TracebackType | None) -> int:
        """Returns the site of the innermost printed line that a traceback goes through, 0 if none has one."""
        site = 0
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == self.file:
                site = self.sites[traceback.tb_lineno - 1] or site
            traceback = traceback.tb_next
        return site


class Compiled:
    """A game that can be run: what its machines share."""

    def __init__(self, game: Game, layout: Layout) -> None:
        self.game, self.layout = game, layout
        self.control: Control = control(game, layout, cut(game, layout.steps))
        self._facts = Facts()
        self._printed: dict[bool, Printed] = {}
        self.question = self.control.slots.question
        self.seat = self.control.slots.seat
        self.idle = [0] * (self.control.slots.size - layout.size)
        """The control state of a game that is over."""
        self.openings: dict[tuple[object, ...], tuple[Row, int]] = {}
        """Rows as they are before the first rule runs, by players and options, and what is left of the budget then."""
        self.half = layout.steps.half

    def source(self, traced: bool = False) -> str:
        """Returns the Python text."""
        return self._text(traced).text

    @cached_property
    def traced(self) -> Code:
        """The functions, with calls of the trace."""
        return self._load(self._text(True))

    @cached_property
    def untraced(self) -> Code:
        """The functions, without."""
        return self._load(self._text(False))

    def _text(self, traced: bool) -> Printed:
        while traced not in self._printed:
            known = self._facts.size
            printed = print_module(self._module(traced))
            if self._facts.size == known:
                self._printed[traced] = printed
        return self._printed[traced]

    def _module(self, traced: bool) -> Module:
        module = Module(self.game, self.layout, self.control, self._facts, traced=traced)
        module.expression, module.print_likeness = expression, print_likeness
        module.values, module.procedures = Values(module), Procedures(module)
        return module

    def _load(self, printed: Printed) -> Code:
        text = printed.text
        file = f"<rules {blake2b(text.encode(), digest_size=8).hexdigest()}>"
        names: dict[str, Any] = dict(support.names(self.game, self.layout))
        # Who shows a traceback reads the text from there; it goes when the game goes.
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        weakref.finalize(self, linecache.cache.pop, file, None)
        exec(compile(text, file, "exec"), names)
        questions = self.control.blocks.questions
        return Code(
            file=file,
            sites=printed.sites,
            start=names["start"],
            main=self.control.blocks.entries[self.game.main],
            blocks=tuple(names.get(f"b{block.id}", _no_root) for block in self.control.blocks.blocks),
            answers=names["ANSWERS"],
            options=tuple(names[f"o{question.id}"] for question in questions),
            refusals=tuple(names[f"r{question.id}"] for question in questions),
            score=names.get("score"),
        )


def _no_root(*_: object) -> int:
    """Stands for the blocks that are part of another's chunk: nothing goes to them."""
    raise AssertionError


def compile_game(game: Game, layout: Layout) -> Compiled:
    """Returns a game that can be run; its Python is printed when it is needed."""
    return Compiled(game, layout)


def print_module(module: Module) -> Printed:
    """Prints all of a game."""
    _print_start(module)
    if module.game.score is not None:
        _print_score(module, module.game.score)
    for zone in module.game.zones:
        if zone.capacity is not None:
            _print_capacity(module, zone.id)
    for question in module.control.blocks.questions:
        print_question(module, question)
    Chunks(module).print_all()
    rows = [_answers(question.branches, question.turn, question.id) for question in module.control.blocks.questions]
    module.end(f"ANSWERS = ({''.join(f'{row}, ' for row in rows).strip()})")
    deferred = module.procedures.deferred
    module.end(f"DEFERRED = {{{', '.join(f'{id}: {name}' for id, name in sorted(deferred.items()))}}}")
    return module.printed()


def _answers(branches: tuple[int, ...], turn: int, question: int) -> str:
    names = [f"s{question}" if turn >= 0 else f"b{block}" for block in branches]
    return f"({', '.join(names)},)"


def _print_start(module: Module) -> None:
    """Prints the function that gives the variables their initial values; those that are given are left alone."""
    f = Function(module, "start", ["S", "M", "given"], "initial values")
    for state in module.game.states:
        first = module.layout.states[state.id]
        with f.indented(f"if {state.id} not in given:"), f.at(state.site):
            if state.initial is not None:
                f.pay(module.steps.initial(state) * module.layout.state_sizes[state.id])
            values = [_initial(f, state, i) for i in range(module.layout.state_sizes[state.id])]
            last = first
            for text, same in groupby(values):
                last, before = last + len(list(same)), last
                f.line(
                    f"S[{before}] = {text}"
                    if last == before + 1
                    else f"S[{before}:{last}] = [{text}] * {last - before}"
                )
    module.add(f)


def _print_score(module: Module, value: int) -> None:
    """Prints the function that gives a seat's score."""
    f = Function(module, "score", ["S", "M", "seat"], "the score of a seat")
    seat = module.game.values[value].parameters[0]
    f.env[seat.id] = module.parameter(seat, "seat")
    f.line(f"return {f.expression(CallValue(value, (Local(seat.id),))).integer.text}")
    budget = module.steps.budget
    add_question(module, f, budget - budget // PART)


def _initial(f: Function, state: StateVariable, i: int) -> str:
    """Returns the text of an initial value."""
    if state.initial is None:
        return default_of(state.type)
    for name, (part, _) in zip(state.initial_names, index_at(state.dimensions, i), strict=False):
        f.env[name.id] = number(part)
    value = f.expression(state.initial).integer
    if not fits(value, state.type):
        value = f.named(value)
        slot = f.module.layout.states[state.id] + i
        with f.at(state.site):
            f.line(f"if {outside(value, state.type)}: raise out_of_range({slot}, {value.text})")
    return value.text


def default_of(type: Type) -> str:
    """Returns what a variable without an initial value holds: none, else the lowest, no, the first or the empty set."""
    if type.optional:
        return "NONE"
    return str(type.low) if isinstance(type, IntType) else "0"


def _print_capacity(module: Module, id: int) -> None:
    zone = module.game.zones[id]
    assert zone.capacity is not None
    f = Function(module, f"z{id}", ["S", "M", "i"], f"how many {zone.name} holds")
    index: list[Fragment] = []
    width = 1
    for type in reversed(zone.dimensions):
        size = size_of(type)
        index.insert(0, typed(f"i // {width} % {size} + {first_of(type)}", type, atom=False))
        width *= size
    for name, fragment in zip(zone.seen_names, index, strict=False):
        f.env[name.id] = f.named(fragment)
    f.line(f"return {f.expression(zone.capacity).integer.text}")
    module.add(f)
    module.end(f"things.capacities[{id}] = z{id}")
