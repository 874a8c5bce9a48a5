"""A game and its layout -> the Python that runs it.

Printing, loading and running are separate: a module is printed when it is first asked for, and executed once. If a
shelf has the compiled code, nothing is printed.

    compile_game(game, layout).untraced.code.options[0]      # the function that lists the options of question 0
"""

from __future__ import annotations

import linecache
import weakref
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, TypeAlias

import attrs

from rulelang.ir.model import Choice, GameRules
from rulelang.ir.numbers import Row
from rulelang.program.blocks import cut
from rulelang.program.control import Control, control
from rulelang.program.layout import Layout
from rulelang.program.python.loadable import Loadable, Shelf, pieces, texts_of_pieces
from rulelang.program.python.playing import PlainPlay
from rulelang.program.python.support import names
from rulelang.program.subsets import TRIED, most_answers

Answer: TypeAlias = tuple[int, ...]
Memory: TypeAlias = list[Any]
"""See `program.python.memory`."""


@attrs.frozen
class StepCode:
    """The functions of a game's steps; each takes the row and the memory, and raises Trap where it cannot go on.

    blocks     by block: runs on from it, and returns the next one, or -1
    answers    by question and branch: carries out the answer in the memory, as `blocks`
    keeps      by question: whether an answer is kept under seal, by a function that takes its seat too
    options    by question: lists the options of a seat
    budgets    by question: the steps that listing its options may cost
    legal      by question: returns 1 if the answer in the memory is legal for a seat, else 0
    score      the `score` of a seat; None where the rules define none
    scratch    the number of words behind the row, which are 0 between steps
    """

    blocks: tuple[Callable[[Row, Memory], int], ...] = attrs.field(repr=False)
    answers: tuple[tuple[Callable[..., int], ...], ...] = attrs.field(repr=False)
    keeps: tuple[bool, ...] = attrs.field(repr=False)
    options: tuple[Callable[[Row, Memory, int], list[Answer]], ...] = attrs.field(repr=False)
    budgets: tuple[int, ...] = attrs.field(repr=False)
    legal: tuple[Callable[[Row, Memory, int], int], ...] = attrs.field(repr=False)
    score: Callable[[Row, Memory, int], int] | None = attrs.field(repr=False)
    scratch: int


class StepModule:
    """The code of a game's steps, printed when it is first run: "traced" tells a trace, "untraced" nobody."""

    def __init__(self, compiled: Compiled, name: str) -> None:
        self._compiled, self._name = compiled, name

    @cached_property
    def code(self) -> StepCode:
        """The functions of the module."""
        found = self._compiled.run(self._compiled.module(self._name))
        return StepCode(
            blocks=found["BLOCKS"],
            answers=found["ANSWERS"],
            keeps=found["KEEPS"],
            options=found["OPTIONS"],
            budgets=found["BUDGETS"],
            legal=found["LEGAL"],
            score=found.get("score"),
            scratch=found["SCRATCH"],
        )

    @property
    def is_loaded(self) -> bool:
        """Whether its functions are there."""
        return "code" in vars(self)

    @property
    def is_printed(self) -> bool:
        """Whether it was printed before, so that it is only to be loaded."""
        return self._compiled.kept(self._name) is not None


def _may_be_wide(choice: Choice) -> bool:
    sets = (parameter for branch in choice.branches for parameter in branch.parameters if parameter.low is not None)
    return any(most_answers((parameter,)) > TRIED for parameter in sets)


class Compiled:
    """A game that can be run: everything that its machines share."""

    def __init__(self, game: GameRules, layout: Layout, shelf: Shelf | None = None) -> None:
        self.game, self.layout = game, layout
        self.control: Control = control(game, layout, cut(game, layout.steps))
        self._shelf = shelf
        slots, questions = self.control.slots, self.control.blocks.questions
        self.question, self.seat = slots.question, slots.seat
        self.main = self.control.blocks.entries[game.main]
        """The block at which the game begins."""
        self.idle = [0] * (slots.size - layout.size)
        """The control state of a game that is over."""
        self.openings: dict[tuple[object, ...], tuple[Row, int]] = {}
        """By players and options: the row before the first rule runs, and what is left of the budget then."""
        self.begun: dict[tuple[object, ...], tuple[Row, int]] = {}
        """The same at the first choice, where nothing was drawn on the way."""
        self.half = layout.steps.half
        self.asked = (0, *(slots.owing.get(question.id, slots.seat) for question in questions))
        """By content of the question's slot: the slot of the seat, or of the seats that owe an answer."""
        self.wide = frozenset(number for number, q in enumerate(questions, 1) if _may_be_wide(game.choices[q.choice]))
        """By content of the question's slot: the questions that may have more sets for answers than can be listed."""
        self.untraced, self.traced = StepModule(self, "untraced"), StepModule(self, "traced")
        self.plain = PlainPlay(game, layout, self.control, shelf)
        self.pending: tuple[dict[int, Any], ...] = tuple({} for _ in self.asked)
        """A cache of pending questions: by the contents of the question's slot and of the slot in `asked`."""
        self.screen_values: Mapping[int, Callable[..., int]] | None = None
        """What screens call for the values of `functions`, once they have asked for it."""
        self._modules: dict[str, Loadable] = {}

    @property
    def asking(self) -> StepCode:
        """The functions of questions about a position, which are the same in both modules: of the one that is there."""
        return (self.traced if self.traced.is_loaded and not self.untraced.is_loaded else self.untraced).code

    def source(self, traced: bool = False) -> str:
        """Returns the Python text."""
        return self.module("traced" if traced else "untraced").text

    @cached_property
    def functions(self) -> Mapping[int, Callable[..., int]]:
        """Functions of a row for values that screens call, by value; they raise Trap where the value is at fault."""
        if not self.game.screen:
            return {}
        functions: Mapping[int, Callable[..., int]] = self.run(self.module("values"))["SHOWN"]
        return functions

    @cached_property
    def holes(self) -> Mapping[int, Callable[..., int]]:
        """Functions of a row and a rule's arguments for what sentences compute, by number among the holes of all rules;
        they raise Trap where that is at fault or costs much."""
        functions: Mapping[int, Callable[..., int]] = self.run(self.module("sentences"))["SHOWN"]
        return functions

    # -------------------------------------------------------------- modules

    def kept(self, name: str) -> Loadable | None:
        """Returns a module that is printed already; None if it is not."""
        if name not in self._modules:
            data = None if self._shelf is None else self._shelf.read(name)
            found = None if data is None else Loadable.from_bytes(data)
            if found is None:
                return None
            self._modules[name] = found
        return self._modules[name]

    def module(self, name: str) -> Loadable:
        """Returns a module by name, printed now if it is not kept."""
        found = self.kept(name)
        if found is None:
            found = self._modules[name] = self._printed(name)
            if self._shelf is not None:
                self._shelf.write(name, found.to_bytes())
        return found

    def _printed(self, name: str) -> Loadable:
        # Lowering and printing are slow to import, and not needed when the shelf has the code.
        from rulelang.program.python.module import printed

        text, tables = printed(self.game, self.layout, self.control, name)
        return Loadable(text, tables, tuple(pieces(text, "rules")))

    def run(self, module: Loadable) -> dict[str, Any]:
        """Executes a module, and returns its names."""
        found = {**names(), "TABLES": module.tables}
        for piece, text in zip(module.code, texts_of_pieces(module.text), strict=True):
            self._show(piece.co_filename, text)
            exec(piece, found)
        return found

    def _show(self, file: str, text: str) -> None:
        """Lets tracebacks read the text of a piece from `linecache`, as long as the last game lives that has the piece."""
        entry = (len(text), None, text.splitlines(keepends=True), file)
        linecache.cache[file] = entry
        weakref.finalize(self, _hide, file, entry)


def _hide(file: str, entry: tuple[object, ...]) -> None:
    if linecache.cache.get(file) is entry:
        del linecache.cache[file]


def compile_game(game: GameRules, layout: Layout, shelf: Shelf | None = None) -> Compiled:
    """Returns a game that can be run; its Python is printed on first use unless the shelf has the code."""
    return Compiled(game, layout, shelf)
