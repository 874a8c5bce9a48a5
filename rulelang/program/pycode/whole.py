"""A game and its layout -> the text of one Python module.

Printing(game, layout, control).text(traced=False).text      # the module
"""

from __future__ import annotations

from itertools import groupby

import attrs

from rulelang.ir.model import CallValue, Expr, GameRules, Local, StateVariable
from rulelang.ir.steps import PART
from rulelang.ir.types import IntType, Type, first_of, size_of
from rulelang.program.control import Control
from rulelang.program.layout import Layout, index_at
from rulelang.program.pycode.choices import add_question, print_likeness, print_question
from rulelang.program.pycode.expressions.expression import expression
from rulelang.program.pycode.fragment import Fragment, fits, number, typed
from rulelang.program.pycode.function import ModulePrinter, PrintedFunction
from rulelang.program.pycode.module import Facts, Printed
from rulelang.program.pycode.regions import RegionPrinter
from rulelang.program.pycode.statements import Procedures
from rulelang.program.pycode.values import ValuePrinter, outside
from rulelang.program.python.legend import table


@attrs.frozen
class Printing:
    """The printing of one game; the second module starts with the facts about parameters that the first one found."""

    game: GameRules
    layout: Layout
    control: Control
    facts: Facts = attrs.field(factory=Facts)

    def text(self, *, traced: bool, counted: bool = False) -> Printed:
        """Returns the module, with calls of the trace or without; it is printed anew until no fact is learnt too late.

        If it is `counted`, listing options pays for every step.
        """
        while True:
            self.facts.start()
            printed = print_module(
                GameModule(self.game, self.layout, self.control, self.facts, traced=traced, counted=counted)
            )
            if not self.facts.is_stale:
                return printed

    def values(self) -> Printed:
        """Returns a module of functions for the values that screens call, which take whatever may be passed to them."""
        # Imported here because no other module needs the low-level IR.
        from rulelang.program.low.asking.shown import shown_values

        ids = shown_values(self.game, self.layout.steps)
        parameters = {variable.id for id in ids for variable in self.game.values[id].parameters}
        facts = Facts(loose={*parameters}, maybe_none={*parameters})
        while True:
            facts.start()
            module = GameModule(self.game, self.layout, self.control, facts, traced=False, counted=False)
            printed = print_values(module, ids)
            if not facts.is_stale:
                return printed


class GameModule(ModulePrinter):
    """The module of a game: the printers of parts that contain each other meet here."""

    values: ValuePrinter

    def __init__(
        self, game: GameRules, layout: Layout, control: Control, facts: Facts, *, traced: bool, counted: bool
    ) -> None:
        super().__init__(game, layout, control, facts, traced=traced, counted=counted)
        self.values, self.procedures = ValuePrinter(self), Procedures(self)
        self._likenesses: dict[int, str] = {}

    def expression(self, f: PrintedFunction, expr: Expr) -> Fragment:
        """Returns the fragment of an expression; prints the lines that it needs first."""
        return expression(f, expr)

    def likeness(self, kind: int | None) -> str | None:
        """Returns the name of the function for the likeness of things of a kind; None if no two of them are alike."""
        if kind is None or len(set(self.game.kinds[kind].classes)) == self.game.kinds[kind].size:
            return None
        if kind not in self._likenesses:
            self._likenesses[kind] = print_likeness(self, kind)
        return self._likenesses[kind]


def print_values(module: GameModule, ids: tuple[int, ...]) -> Printed:
    """Prints functions for some values, except those that need the machine."""
    names = {id: module.values.function(id) for id in ids if not module.values.draws(CallValue(id, ()))}
    module.end(f"VALUES = {{{', '.join(f'{id}: {name}' for id, name in names.items())}}}")
    return module.printed()


def print_module(module: ModulePrinter) -> Printed:
    """Prints all of a game."""
    _print_start(module)
    if module.game.score is not None:
        _print_score(module, module.game.score)
    for zone in module.game.zones:
        if zone.capacity is not None:
            _print_capacity(module, zone.id)
    for question in module.control.blocks.questions:
        print_question(module, question)
    RegionPrinter(module).print_all()
    rows = [_answers(question.branches, question.turn, question.id) for question in module.control.blocks.questions]
    module.end(table("ANSWERS", rows))
    deferred = module.procedures.deferred
    module.end(f"DEFERRED = {{{', '.join(f'{id}: {name}' for id, name in sorted(deferred.items()))}}}")
    return module.printed()


def _answers(branches: tuple[int, ...], turn: int, question: int) -> str:
    names = [f"s{question}" if turn >= 0 else f"b{block}" for block in branches]
    return f"({', '.join(names)},)"


def _print_start(module: ModulePrinter) -> None:
    """Prints the function that sets the variables' initial values, except those that the caller has given."""
    f = PrintedFunction(module, "start", ["S", "M", "given"], "initial values")
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
    f.close()


def _print_score(module: ModulePrinter, value: int) -> None:
    """Prints the function that returns a seat's score."""
    f = PrintedFunction(module, "score", ["S", "M", "seat"], "the score of a seat")
    seat = module.game.values[value].parameters[0]
    f.env[seat.id] = module.parameter(seat, "seat")
    f.line(f"return {f.expression(CallValue(value, (Local(seat.id),))).integer.text}")
    budget = module.steps.budget
    add_question(module, f, budget - budget // PART)


def _initial(f: PrintedFunction, state: StateVariable, i: int) -> str:
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
    """Returns a type's default initial value as text: none, else the lowest number, no, the first thing or the empty
    set."""
    if type.optional:
        return "NONE"
    return str(type.low) if isinstance(type, IntType) else "0"


def _print_capacity(module: ModulePrinter, id: int) -> None:
    zone = module.game.zones[id]
    assert zone.capacity is not None
    f = PrintedFunction(module, f"z{id}", ["S", "M", "i"], f"how many {zone.name} holds")
    index: list[Fragment] = []
    width = 1
    for type in reversed(zone.dimensions):
        size = size_of(type)
        index.insert(0, typed(f"i // {width} % {size} + {first_of(type)}", type, atom=False))
        width *= size
    for name, fragment in zip(zone.seen_names, index, strict=False):
        f.env[name.id] = f.named(fragment)
    f.line(f"return {f.expression(zone.capacity).integer.text}")
    f.close()
    module.end(f"things.capacities[{id}] = z{id}")
