"""Turns woven IR into Python: printed, executed, and kept in `linecache` for tracebacks and debuggers.

    compiled = compile_game(game, lay_out(game))
    print(compiled.source(traced=False))        # what people read
    compiled.untraced                           # what `machines.generated` runs

A game is printed with calls of the trace and without, and the values of its screens by themselves, each on first use unless
the cache holds it compiled.

Invariant: names in the printed text are made from ids, never from the rules' words.
"""

from rulelang.program.pycode.compiled import Compiled, GameCode, compile_game
from rulelang.program.pycode.rtlib import GameOver
from rulelang.program.python.loadable import Shelf

__all__ = ["Compiled", "GameCode", "GameOver", "Shelf", "compile_game"]
