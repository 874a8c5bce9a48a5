"""Machine code of random games that counts the rules that begin, compiled when somebody first asks for counts.

CountedGames(compiled, shelf).play(games, columns, row, beginning)     what `playouts.batch.PlaysMany` returns
"""

from __future__ import annotations

import marshal
import threading
from array import array
from typing import Any

from rulelang.errors import Unsupported
from rulelang.machines.native.engine import COUNTED, NativeMemory, code_name, loaded
from rulelang.machines.native.optimiser import OPTIMISED, PLAIN, object_code
from rulelang.program.llvm.shape import Shape
from rulelang.program.python.compiled import Compiled
from rulelang.program.python.loadable import Shelf
from rulelang.program.randomness import signed
from rulelang.program.results import RESULTS, ManyGames

WORTH_OPTIMISING = 5_000
"""The number of games that take about as long in plain code as LLVM takes to optimise it."""


class CountingCode:
    """A game's machine code that counts rules, with the memory that it writes to."""

    def __init__(self, shape: Shape, code: bytes) -> None:
        self._engine = loaded(code)
        self.play_many = COUNTED(self._engine.get_function_address("play_many"))
        self.words, self.behind, self.keys_at = NativeMemory(shape.row, shape.frame, 0), shape.behind, shape.keys_at
        self.nothing = array("q", bytes(8 * (shape.row - shape.behind)))


class CountedGames:
    """A game's random games with counts; a game that cannot be compiled leaves them to others."""

    def __init__(self, compiled: Compiled, shelf: Shelf | None) -> None:
        self._compiled, self._shelf = compiled, shelf
        self._made: CountingCode | None = None
        self._effort = -1
        self._making = threading.Lock()

    def code_for(self, many: int) -> CountingCode | None:
        """Returns code for so many games, kept or compiled; None for a game that cannot be compiled."""
        wanted = OPTIMISED if many >= WORTH_OPTIMISING else PLAIN
        with self._making:
            if self._effort < wanted and not self._take(OPTIMISED, is_made=wanted == OPTIMISED):
                self._take(PLAIN, is_made=True)
            return self._made

    def _take(self, effort: int, *, is_made: bool) -> bool:
        """Loads the code of an effort if it is kept, else compiles it if it `is_made`; returns whether that is decided."""
        name = f"counting {effort} {code_name()}"
        kept = None if self._shelf is None else self._shelf.read(name)
        if kept is None and not is_made:
            return False
        self._effort = effort
        try:
            data, code = _compiled(self._compiled, effort) if kept is None else marshal.loads(kept)
        except Unsupported:
            self._effort = OPTIMISED
            return True
        if kept is None and self._shelf is not None:
            self._shelf.write(name, marshal.dumps((data, code)))
        self._made = CountingCode(Shape(*data), code)
        return True

    def play(self, games: ManyGames, columns: array[int], row: array[int], beginning: tuple[int, int]) -> array[int]:
        """Plays games from one row and counts; `beginning` is the first block, and the steps that a set-up may take."""
        found, code = games.left_over(), self.code_for(games.many)
        if code is None:
            return found
        # Counts are added up.
        found[RESULTS * games.many :] = array("q", bytes(8 * (len(found) - RESULTS * games.many)))
        words, start = code.words, row[: code.behind] + code.nothing
        words.frame[code.keys_at] = 1
        at = [memory.buffer_info()[0] for memory in (start, found, games.keys)]
        which = signed(games.base), games.first, games.many, games.most
        code.play_many(words.row_at, words.frame_at, *at, *which, *beginning, columns.buffer_info()[0])
        return found


def _compiled(compiled: Compiled, effort: int) -> tuple[tuple[Any, ...], bytes]:
    # The printing modules are slow to import, and not needed when the code is kept.
    from rulelang.program.llvm.counting import print_counting
    from rulelang.program.low import lower

    program = lower(compiled.game, compiled.layout, compiled.control, is_traced=True)
    text, shape = print_counting(program, len(compiled.game.rules))
    return shape.data, object_code(text.encode(), effort)
