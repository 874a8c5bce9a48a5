"""A game and its layout -> the functions that run it.

Printing, loading and running are separate: the text is printed when it is first asked for, and executed once. If a
shelf
has the compiled code, nothing is printed.

    compile_game(game, layout).untraced.start      # the function that sets the initial values
"""

from __future__ import annotations

import linecache
import weakref
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from hashlib import blake2b
from types import TracebackType
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Row
from rulelang.program.blocks import cut
from rulelang.program.control import Control, control
from rulelang.program.layout import Layout
from rulelang.program.pycode import rtlib as support
from rulelang.program.python.loadable import Loadable, Shelf, pieces
from rulelang.program.python.playing import PlainPlay

if TYPE_CHECKING:
    from rulelang.program.pycode.whole import Printing

Answer = tuple[int, ...]
Region = Callable[..., int]


@attrs.frozen
class GameCode:
    """A game's functions; lists are by question, `answers` by question and branch, `blocks` by block."""

    file: str
    sites: tuple[int, ...] = attrs.field(repr=False)
    """The site of each line."""
    start: Callable[..., None]
    main: int
    """The block at which the game begins."""
    blocks: tuple[Region, ...] = attrs.field(repr=False)
    answers: tuple[tuple[Region, ...], ...] = attrs.field(repr=False)
    options: tuple[Callable[..., Iterable[Answer]], ...] = attrs.field(repr=False)
    refusals: tuple[Callable[..., tuple[int | None, int | None, int | None] | None], ...] = attrs.field(repr=False)

    score: Callable[..., int] | None = attrs.field(default=None, repr=False)
    """The function for a seat's `score`; None where the rules define none."""

    def site_of(self, traceback: TracebackType | None) -> int:
        """Returns the site of the innermost printed line that a traceback goes through, 0 if none has one."""
        site = 0
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == self.file:
                site = self.sites[traceback.tb_lineno - 1] or site
            traceback = traceback.tb_next
        return site


class Compiled:
    """A game that can be run: everything that its machines share."""

    def __init__(self, game: GameRules, layout: Layout, shelf: Shelf | None = None) -> None:
        self.game, self.layout = game, layout
        self.control: Control = control(game, layout, cut(game, layout.steps))
        self._shelf = shelf
        self._loadable: dict[str, Loadable] = {}
        self.question = self.control.slots.question
        self.seat = self.control.slots.seat
        self.idle = [0] * (self.control.slots.size - layout.size)
        """The control state of a game that is over."""
        self.openings: dict[tuple[object, ...], tuple[Row, int]] = {}
        """By players and options: the row before the first rule runs, and what is left of the budget then."""
        self.half = layout.steps.half
        slots, questions = self.control.slots, self.control.blocks.questions
        self.asked = (0, *(slots.owing.get(question.id, slots.seat) for question in questions))
        """By content of the question's slot: the slot of the seat, or of the seats that owe an answer."""
        self.plain = PlainPlay(game, layout, self.control, shelf)
        self.pending: tuple[dict[int, Any], ...] = tuple({} for _ in self.asked)
        """A cache of pending questions: by the contents of the question's slot and of the slot in `asked`."""

    def source(self, traced: bool = False) -> str:
        """Returns the Python text."""
        return self._module("traced" if traced else "untraced").text

    @cached_property
    def traced(self) -> GameCode:
        """The functions, with calls of the trace."""
        return self._load(self._module("traced"))

    @cached_property
    def untraced(self) -> GameCode:
        """The functions, without calls of the trace."""
        return self._load(self._module("untraced"))

    @cached_property
    def counted(self) -> GameCode:
        """The functions, without calls of the trace; listing options counts every step."""
        return self._load(self._module("counted"))

    @cached_property
    def functions(self) -> Mapping[int, Callable[..., int]]:
        """Functions for values that screens call, by value; see `machines.machine.Machine`."""
        if not self.game.screen:
            return {}
        functions: Mapping[int, Callable[..., int]] = self._run(self._module("values"))["VALUES"]
        return functions

    @cached_property
    def _printing(self) -> Printing:
        # The printing modules are slow to import, and not needed when the shelf has the code.
        from rulelang.program.pycode.whole import Printing

        return Printing(self.game, self.layout, self.control)

    def _module(self, name: str) -> Loadable:
        if name not in self._loadable:
            kept = None if self._shelf is None else self._shelf.read(name)
            found = None if kept is None else Loadable.from_bytes(kept)
            if found is None:
                found = self._printed(name)
                if self._shelf is not None:
                    self._shelf.write(name, found.to_bytes())
            self._loadable[name] = found
        return self._loadable[name]

    def _printed(self, name: str) -> Loadable:
        if name == "values":
            printed = self._printing.values()
        else:
            printed = self._printing.text(traced=name == "traced", counted=name == "counted")
        file = f"<rules {blake2b(printed.text.encode(), digest_size=8).hexdigest()}>"
        return Loadable(printed.text, printed.sites, tuple(pieces(printed.text, file)))

    def _run(self, module: Loadable) -> dict[str, Any]:
        """Executes a module, and returns its names."""
        text, file = module.text, module.code[0].co_filename
        names: dict[str, Any] = dict(support.names(self.game, self.layout))
        # Tracebacks read the text from `linecache`; it is removed together with the game.
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        weakref.finalize(self, linecache.cache.pop, file, None)
        for piece in module.code:
            exec(piece, names)
        return names

    def _load(self, module: Loadable) -> GameCode:
        names, file = self._run(module), module.code[0].co_filename
        questions = self.control.blocks.questions
        return GameCode(
            file=file,
            sites=module.sites,
            start=names["start"],
            main=self.control.blocks.entries[self.game.main],
            blocks=tuple(names.get(f"b{block.id}", _no_root) for block in self.control.blocks.blocks),
            answers=names["ANSWERS"],
            options=tuple(names[f"o{question.id}"] for question in questions),
            refusals=tuple(names[f"r{question.id}"] for question in questions),
            score=names.get("score"),
        )


def _no_root(*_: object) -> int:
    """Stands for the blocks that are not the root of a region, which no code jumps to."""
    raise AssertionError


def compile_game(game: GameRules, layout: Layout, shelf: Shelf | None = None) -> Compiled:
    """Returns a game that can be run; its Python is printed on first use unless the shelf has the code."""
    return Compiled(game, layout, shelf)
