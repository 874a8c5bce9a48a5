"""The executors: each makes machines that run a game, and all of them play alike.

executor_called("reference").prepare(game, layout, None)(chance)      a machine
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import attrs

from rulelang.errors import RulelangError
from rulelang.ir.model import GameRules
from rulelang.machines.machine import Chance, Machine
from rulelang.program.layout import Layout

if TYPE_CHECKING:
    from rulelang.program.python.loadable import Shelf


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

    def settle(self) -> None:
        """Waits until it is as fast as it will be."""


@attrs.frozen
class Executor:
    """One way to run a game; `prepare` does the work needed once for each game."""

    name: str
    prepare: Callable[[GameRules, Layout, Shelf | None], Prepared]
    """Prepares a game; the shelf, if there is one, keeps compiled code."""
    is_ready: Callable[[Shelf | None], bool] = lambda shelf: True
    """Whether preparing a game takes next to no time, given what its shelf keeps."""
    is_whole: bool = True
    """Whether it runs every game; if not, `prepare` may raise RulelangError, which says why."""


def _interpret(game: GameRules, layout: Layout, shelf: Shelf | None = None) -> Prepared:
    # Few start it, and all would wait for its modules.
    from rulelang.machines.reference import ReferenceMachine

    def machine(chance: Chance, noted: Noted | None = None) -> Machine:
        hits, refused = (noted.hits, noted.refused) if noted is not None else (None, None)
        return ReferenceMachine(game, chance, layout, hits=hits, refused=refused)

    return machine


def _generate(game: GameRules, layout: Layout, shelf: Shelf | None = None) -> Prepared:
    # These modules are slow to import, and not needed by those who only interpret.
    from rulelang.machines.generated import GeneratedMachine
    from rulelang.program.python.compiled import compile_game

    compiled = compile_game(game, layout, shelf)
    return lambda chance, noted=None: GeneratedMachine(compiled, chance)


def _compile(game: GameRules, layout: Layout, shelf: Shelf | None = None) -> Prepared:
    from rulelang.machines.native.machine import native

    return native(game, layout, shelf)


def _is_compiled(shelf: Shelf | None) -> bool:
    # LLVM itself is slow to import, and not needed before the first answer.
    return shelf is not None and shelf.read(COMPILED) is not None and find_spec("llvmlite") is not None


EXECUTORS: tuple[Executor, ...] = (
    Executor("reference", _interpret),
    Executor("generated", _generate),
    Executor("native", _compile, _is_compiled, is_whole=False),
)
"""From the slowest to the fastest."""
COMPILED = "compiled"
"""The name under which a shelf notes that optimised code was kept, for some processor: it keeps the code's shape."""
AUTO = "auto"
"""Stands for the fastest executor available."""


def executor_called(name: str) -> Executor:
    """Returns an executor by name; raises RulelangError for an unknown one.

    >>> executor_called("generated").name
    'generated'
    """
    for executor in EXECUTORS:
        if executor.name == name:
            return executor
    known = ", ".join([AUTO, *sorted(executor.name for executor in EXECUTORS)])
    raise RulelangError(f"there is no executor {name!r} (there are: {known})")
