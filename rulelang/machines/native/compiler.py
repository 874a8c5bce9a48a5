"""The rules of a game -> its plain machine code, in a process of its own.

first_code(compiled)                                  what `native.code` loads and keeps
python -P -m rulelang.machines.native.compiler < rules > code      the same, of rules that another process pickled
"""

from __future__ import annotations

import marshal
import sys
from typing import Any, TypeAlias

from rulelang.machines.native.optimiser import PLAIN, object_code, packed
from rulelang.program.llvm.shape import Shape
from rulelang.program.python.compiled import Compiled

FirstCode: TypeAlias = tuple[tuple[Any, ...], bytes, bytes]
"""A game's shape, its plain code, and the packed text from which optimised code is made."""


def first_code(compiled: Compiled) -> FirstCode:
    """Returns the first code of a game; raises Unsupported if it cannot be compiled yet."""
    # The printing modules are slow to import, and not needed when the code is kept.
    from rulelang.program.llvm.module import print_llvm
    from rulelang.program.low import lower
    from rulelang.program.low.passes.tabled import tabled

    program = tabled(lower(compiled.game, compiled.layout, compiled.control))
    text = print_llvm(program)
    return Shape.of(program).data, object_code(text.encode(), PLAIN), packed(text)


def answered(pickled: bytes) -> bytes:
    """Returns the first code of pickled rules, as `marshal` writes it; None if they cannot be compiled."""
    import pickle

    from rulelang.errors import Unsupported
    from rulelang.program.layout import lay_out

    game = pickle.loads(pickled)
    try:
        return marshal.dumps(first_code(Compiled(game, lay_out(game))))
    except Unsupported:
        return marshal.dumps(None)


if __name__ == "__main__":
    sys.stdout.buffer.write(answered(sys.stdin.buffer.read()))
