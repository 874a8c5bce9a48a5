"""A game's Python -> the factory of machines that run it as machine code.

native(compiled)(chance)      waits for code; raises RulelangError for games that cannot be compiled yet
fastest(compiled)(chance)     begins at once on Python, and goes on in machine code once that is compiled beside
"""

from __future__ import annotations

from rulelang.errors import RulelangError, Unsupported
from rulelang.machines.machine import Chance
from rulelang.machines.native.code import Native, awaited, made
from rulelang.machines.native.engine import demand_llvm
from rulelang.machines.native.machine import NativeMachine
from rulelang.program.python.compiled import Compiled
from rulelang.program.python.loadable import Shelf


class NativeGame:
    """A game that is ready to run as machine code."""

    def __init__(self, code: Native) -> None:
        self._code = code

    def __call__(self, chance: Chance, noted: object = None) -> NativeMachine:
        """Returns a machine."""
        return NativeMachine(self._code, chance)

    @property
    def is_loaded(self) -> bool:
        """Whether the code is loaded."""
        return self._code.is_loaded

    def settle(self) -> None:
        """Waits until the code is optimised; machines that there are run it, too."""
        self._code.settle()

    def is_settled(self) -> bool:
        """Returns whether optimised code is there; has it compiled in the background if it is not."""
        self._code.compile()
        if not self._code.is_final:
            self._code.keep_up()
        return self._code.is_final and self._code.is_loaded

    def compile(self) -> None:
        """Has the code compiled in the background, for a caller that is about to play much."""
        self._code.compile()


def native(compiled: Compiled, shelf: Shelf | None = None) -> NativeGame:
    """Returns a game that is ready to run as machine code; raises RulelangError without llvmlite, and for games that
    cannot be compiled yet.
    """
    demand_llvm()
    try:
        code = made(compiled, shelf)
    except Unsupported as missing:
        title = compiled.game.title
        raise RulelangError(
            f'the native executor cannot run {title} yet: it has {missing}; take executor="generated"'
        ) from None
    return NativeGame(code)


def fastest(compiled: Compiled, shelf: Shelf | None = None) -> NativeGame:
    """Returns a game that runs on Python until its machine code,
    compiled beside it, is there; raises RulelangError without llvmlite.
    """
    demand_llvm()
    return NativeGame(awaited(compiled, shelf))
