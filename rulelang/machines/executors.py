"""The executors: each makes machines that run a game, and all of them play alike.

executor_called("reference").prepare(Runnable(game, layout))(chance)      a machine
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import attrs

from rulelang.errors import RulelangError
from rulelang.ir.model import GameRules
from rulelang.machines.machine import Chance, Machine
from rulelang.program.layout import Layout

if TYPE_CHECKING:
    from rulelang.program.python.compiled import Compiled
    from rulelang.program.python.loadable import Shelf


@attrs.frozen(slots=False, eq=False)
class Runnable:
    """A game as all executors get it; the shelf, if there is one, keeps compiled code."""

    game: GameRules
    layout: Layout
    shelf: Shelf | None = None

    @cached_property
    def compiled(self) -> Compiled:
        """The game's generated Python, which is printed when it is first run."""
        # It is slow to import, and not needed by those who only interpret.
        from rulelang.program.python.compiled import compile_game

        return compile_game(self.game, self.layout, self.shelf)


@attrs.frozen
class Noted:
    """Sites of a game that a machine adds to while it runs, for coverage."""

    hits: set[int] = attrs.field(factory=set)
    """The sites that ran or were evaluated."""
    refused: set[int] = attrs.field(factory=set)
    """The sites of the `needs` that refused an answer."""


class Prepared(Protocol):
    """A game that is ready to run."""

    def __call__(self, chance: Chance, noted: Noted | None = None) -> Machine:
        """Returns a machine; one that cannot note sites leaves `noted` as it is."""


@runtime_checkable
class Settles(Protocol):
    """A prepared game whose code becomes faster while it runs."""

    @property
    def is_loaded(self) -> bool:
        """Whether machine code is loaded, so that nobody waits for it."""

    def compile(self) -> None:
        """Has faster code compiled in the background, for a caller that is about to play much."""

    def settle(self) -> None:
        """Waits until it is as fast as it will be."""

    def is_settled(self) -> bool:
        """Returns whether it is as fast as machine code is; has that compiled in the background if it is not."""


@attrs.frozen
class Executor:
    """One way to run a game; `prepare` does the work needed once for each game."""

    name: str
    prepare: Callable[[Runnable], Prepared]
    is_whole: bool = True
    """Whether it runs every game; if not, `prepare` may raise RulelangError, which says why."""


def _interpret(of: Runnable) -> Prepared:
    # Few start it, and all would wait for its modules.
    from rulelang.machines.interpreter import CutRules, Interpreter

    rules = CutRules.of(of.game, of.layout)

    def machine(chance: Chance, noted: Noted | None = None) -> Machine:
        hits, refused = (noted.hits, noted.refused) if noted is not None else (None, None)
        return Interpreter(rules, chance, hits=hits, refused=refused)

    return machine


def _generate(of: Runnable) -> Prepared:
    from rulelang.machines.generated import GeneratedMachine

    compiled = of.compiled
    return lambda chance, noted=None: GeneratedMachine(compiled, chance)


def _compile(of: Runnable) -> Prepared:
    from rulelang.machines.native.game import native

    return native(of.compiled, of.shelf)


def _begin_at_once(of: Runnable) -> Prepared:
    if find_spec("llvmlite") is None:
        return _generate(of)
    from rulelang.machines.native.game import fastest

    return fastest(of.compiled, of.shelf)


EXECUTORS: tuple[Executor, ...] = (
    Executor("reference", _interpret),
    Executor("generated", _generate),
    Executor("native", _compile, is_whole=False),
)
"""From the slowest to the fastest."""
AUTO = "auto"
FASTEST = Executor(AUTO, _begin_at_once)
"""Begins at once on what there is, and goes over to machine code, compiled beside the game, at the next choice."""


def executor_called(name: str) -> Executor:
    """Returns an executor by name; raises RulelangError for an unknown one.

    >>> executor_called("generated").name
    'generated'
    """
    for executor in (*EXECUTORS, FASTEST):
        if executor.name == name:
            return executor
    known = ", ".join([AUTO, *sorted(executor.name for executor in EXECUTORS)])
    raise RulelangError(f"there is no executor {name!r} (there are: {known})")
