"""One game that machine code steps, called by Python as one of its own functions.

game = machine.begin_alone(2, {}, step, restart)
game.step(3)      # the number of options of the next question
"""

from __future__ import annotations

from array import array
from collections.abc import Callable

from rulelang.machines.native.code import Native
from rulelang.machines.native.engine import WITH_ONE, WITHOUT_ARGUMENTS, python_functions
from rulelang.program.llvm.frame import BY_STREAM, COUNT, ENDED, STATUS, TRAPPED


class NativeAlone:
    """A game that has not begun; `step` and `restart` fall back on the functions that it is given."""

    def __init__(
        self,
        native: Native,
        opening: array[int],
        begin: tuple[int, int],
        step: Callable[[int], int],
        restart: Callable[[], int],
    ) -> None:
        self._native, self._row = native, opening[:]
        self._frame = array("q", bytes(8 * native.shape.frame))
        at = [words.buffer_info()[0] for words in (self._row, self._frame, opening)]
        state = (array("q", [*at, *begin]).tobytes(), step, restart, native, self._row, self._frame, opening)
        self.step: Callable[[int], int]
        self.restart: Callable[[], int]
        forms = {"step": WITH_ONE, "restart": WITHOUT_ARGUMENTS}
        self.step, self.restart = python_functions(native.address, forms, state)

    def take_keys(self, keys: array[int]) -> None:
        """Takes over the keys of the random streams."""
        handed = array("q", [BY_STREAM, *keys])
        self._frame[self._native.keys_at : self._native.keys_at + len(handed)] = handed

    def leave(self) -> None:
        """Leaves the rest of this game to a machine: each step falls back."""
        self._frame[STATUS], self._frame[COUNT] = TRAPPED, 0

    @property
    def is_left(self) -> bool:
        """Whether this game was left to a machine."""
        return self._frame[STATUS] == TRAPPED

    @property
    def packed(self) -> array[int]:
        """The row, as machine code reads it."""
        return self._row[: self._native.behind]

    @property
    def has_ended(self) -> bool:
        """Whether the rules ended the game in the last step."""
        return self._frame[STATUS] == ENDED
