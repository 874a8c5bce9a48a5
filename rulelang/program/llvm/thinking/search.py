"""The tree of `mcts` in machine code: `tree.ll` with one game's numbers, and `kept.ll`, or `sampled.ll` for a
game that rolls dice."""

from __future__ import annotations

from rulelang.program.llvm import frame
from rulelang.program.llvm.thinking.template import filled, words_of
from rulelang.program.llvm.thinking.tree import ARM, NODE, SEARCH, has_search
from rulelang.program.low import model as low


def search(program: low.Program) -> list[str]:
    """Prints the search of a game; nothing if it has none."""
    if not has_search(program):
        return []
    words = words_of(program) | {
        **{name.upper(): i for i, name in enumerate(SEARCH)},
        **{f"NODE_{name.upper()}": i for i, name in enumerate(NODE)},
        **{f"ARM_{name.upper()}": i for i, name in enumerate(ARM)},
        "NODE_ROW": len(NODE),
        "NODE_SIZE": len(NODE) + program.row - program.scratch,
        "ARM_ANSWER": len(ARM),
        "ARM_SIZE": len(ARM) + program.width,
        "FLAG": frame.keys_at(program),
        "DICE_KEY": frame.dice_at(program),
    }
    descent = "sampled.ll" if program.streams else "kept.ll"
    return [line for name in ("common.ll", "tree.ll", descent) for line in filled(name, words)]
