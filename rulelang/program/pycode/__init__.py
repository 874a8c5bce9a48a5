"""Woven IR -> Python that runs it: printed, kept in `linecache` for tracebacks and debuggers, executed.

    compiled = compile_game(game, lay_out(game))
    print(compiled.source(traced=False))        # what people read
    compiled.untraced                           # what `machines.generated` runs

A game is printed twice, with calls of the trace and without; each is printed when it is first asked for and does not
lie on a shelf, compiled.
Names in the printed text are made from ids, never from the rules' words.
"""

from rulelang.program.pycode.compiled import Compiled, GameCode, Shelf, compile_game
from rulelang.program.pycode.rtlib import GameOver

__all__ = ["Compiled", "GameCode", "GameOver", "Shelf", "compile_game"]
