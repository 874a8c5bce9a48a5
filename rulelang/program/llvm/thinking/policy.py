"""The score policy in machine code: `policy.ll` with one game's numbers; and `dealing.ll` and `greedy.ll`, the
re-deals in which it thinks, and a choice by it in one call."""

from __future__ import annotations

from rulelang.program.llvm import frame
from rulelang.program.llvm.thinking.plan import ALL_JOIN, FORMS, NONE_JOINS, ONLY_BOX, PLAN, SEALED_HEAD
from rulelang.program.llvm.thinking.template import filled, words_of
from rulelang.program.llvm.thinking.thought import (
    A_POINT,
    COMPARED,
    DICE,
    DICE_KEYS,
    ENDED,
    FEW_INSIDE,
    MOST_INSIDE,
    MOST_LOOKED,
    MOST_OWN,
    SEATED,
    THROWS,
    thought_places,
)
from rulelang.program.low import model as low
from rulelang.program.packing import ITEM, ITEM_MASK
from rulelang.program.results import OPEN_BOX, STAYS


def policy(program: low.Program) -> list[str]:
    """Prints the policy of a game; nothing if the rules define no `score`."""
    if program.score is None:
        return []
    sealed = [(i, question.owing) for i, question in enumerate(program.questions, 1) if question.owing >= 0]
    blocks = [
        f"s{i}:\n  %p{i} = getelementptr inbounds i64, ptr %S, i64 {owing}\n  %o{i} = load i64, ptr %p{i}\n  ret i64 %o{i}"
        for i, owing in sealed
    ]
    words: dict[str, object] = {
        **words_of(program),
        **thought_places(program),
        "FLAG": frame.keys_at(program),
        "MOMENT": frame.moment_at(program),
        "LAST_MOMENT": frame.moment_at(program) + 1,
        "DICE_KEY": frame.dice_at(program),
        "SEAT": program.seat,
        "DEPTH": program.score.depth,
        "BUDGET": program.score.budget,
        "COUNTERS": program.counters,
        "STREAMS": program.streams,
        "FEW": COMPARED,
        "PLAYERS": SEATED,
        "DICE_KEYS": DICE_KEYS,
        "DICE": DICE,
        "THROWS": THROWS,
        "FEW_INSIDE": FEW_INSIDE,
        "MOST_INSIDE": MOST_INSIDE,
        "MOST_LOOKED": MOST_LOOKED,
        "MOST_OWN": MOST_OWN,
        "A_POINT": A_POINT,
        "ENDED_WORTH": ENDED,
        "ENDED_REAL": f"{float(ENDED)}",
        "LEAST": f"{-3.0 * ENDED}",
        "SEALED_CASES": " ".join(f"i64 {i}, label %s{i}" for i, _ in sealed),
        "SEALED_YES": " ".join(f"i64 {i}, label %yes" for i, _ in sealed),
        "SEALED_BLOCKS": "\n".join(blocks),
    }
    choices = ", ".join(f"i64 {choice}" for choice in (-1, *program.score.choices))
    table = f"@choices = private constant [{len(program.score.choices) + 1} x i64] [{choices}]"
    thinking = [line for name in ("common.ll", "policy.ll") for line in filled(name, words)]
    dealing = [line for name in ("dealing.ll", "greedy.ll") for line in filled(name, _dealing(program))]
    return [table, *thinking, *dealing]


def _dealing(program: low.Program) -> dict[str, object]:
    """Returns the numbers of a game that its re-deals, and `greedy` in them, need."""
    return {
        **words_of(program),
        **{name: thought_places(program)[name] for name in ("WORTHS", "OUTSIDE")},
        **{name.upper(): i for i, name in enumerate(PLAN)},
        "FLAG": frame.keys_at(program),
        "NO_DICE": frame.NO_DICE,
        "MASK": FORMS["mask"],
        "PILE": FORMS["pile"],
        "ITEM": ITEM,
        "ITEM_MASK": ITEM_MASK,
        "STAYS": STAYS,
        "OPEN_BOX": OPEN_BOX,
        "NONE_JOINS": NONE_JOINS,
        "ALL_JOIN": ALL_JOIN,
        "ONLY_BOX": ONLY_BOX,
        "KEPT": program.row - program.scratch,
        "SEALED_WORDS": SEALED_HEAD + program.width,
    }
