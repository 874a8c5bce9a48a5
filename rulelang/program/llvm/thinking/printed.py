"""The machine code with which bots think: texts of LLVM IR with one game's numbers.

thoughts(program)       `policy.ll`, the score policy, with `greedy.ll`, a choice by it in one call; `dealing.ll`, the re-deals in
                        which bots think; `tree.ll`, the search of `mcts`, with `kept.ll` or `keyed.ll`
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from string import Template

from rulelang.program.layout import GROUP, OUTCOME, OUTCOME_VALUE, PLAYING, RANKING, SCORE, UNDECIDED, WINNER
from rulelang.program.llvm import frame
from rulelang.program.llvm.function import signed
from rulelang.program.llvm.thinking.plan import ALL_JOIN, FORMS, NONE_JOINS, ONLY_BOX, PLAN, SEALED_HEAD
from rulelang.program.llvm.thinking.thought import (
    A_POINT,
    COMPARED,
    DICE,
    DICE_KEYS,
    ENDED,
    FAR,
    FEW_INSIDE,
    MOST_INSIDE,
    MOST_LOOKED,
    MOST_OWN,
    SEATED,
    THROWS,
    thought_places,
)
from rulelang.program.llvm.thinking.tree import ARM, BUCKETS, NODE, PLAIN, SEARCH, has_deals, is_keyed, node_size
from rulelang.program.low import model as low
from rulelang.program.packing import ITEM, ITEM_MASK
from rulelang.program.randomness import STEP
from rulelang.program.results import OPEN_BOX, STAYS


def thoughts(program: low.Program) -> list[str]:
    """Prints all thoughts of a game."""
    lines = filled("common.ll", words_of(program))
    if program.score is not None:
        lines += policy(program, program.score)
    if has_deals(program):
        lines += filled("dealing.ll", _dealing(program))
    if program.score is not None:
        lines += filled("greedy.ll", _dealing(program))
    return lines + search(program)


def policy(program: low.Program, score: low.ScoreFunction) -> list[str]:
    """Prints the policy of a game by its `score`."""
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
        "DEPTH": score.depth,
        "BUDGET": score.budget,
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
    choices = ", ".join(f"i64 {choice}" for choice in (-1, *score.choices))
    table = f"@choices = private constant [{len(score.choices) + 1} x i64] [{choices}]"
    return [table, *filled("policy.ll", words)]


def search(program: low.Program) -> list[str]:
    """Prints the tree search of a game."""
    words = words_of(program) | {
        **{name.upper(): i for i, name in enumerate(SEARCH)},
        **{f"NODE_{name.upper()}": i for i, name in enumerate(NODE)},
        **{f"ARM_{name.upper()}": i for i, name in enumerate(ARM)},
        "NODE_ROW": len(NODE),
        "NODE_SIZE": node_size(program),
        "ARM_ANSWER": len(ARM),
        "ARM_SIZE": len(ARM) + program.width,
        "FLAG": frame.keys_at(program),
        "DICE_KEY": frame.dice_at(program),
        "KEPT": program.row - program.scratch,
        "BUCKET_MASK": BUCKETS - 1,
        "HALF_ENDED": f"{ENDED / 2}",
        "ABSENT": f"{-2.0 * ENDED}",
        "FAR": f"{FAR}",
        "HIDES": "true" if program.hides else "false",
        "VALUE": FORMS["value"],
        "MASK": FORMS["mask"],
        "PILE": FORMS["pile"],
        "PLAIN": PLAIN,
        "ITEM": ITEM,
        "ITEM_MASK": ITEM_MASK,
    }
    descent = ["sampled.ll"] if program.score is None else ["halving.ll", "planning.ll"]
    names = ["tree.ll", *(["keyed.ll", *descent] if is_keyed(program) else ["kept.ll"])]
    return [line for name in names for line in filled(name, words)]


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


def words_of(program: low.Program) -> dict[str, object]:
    """Returns the numbers of a game that every thought needs."""
    places = {slot: place for slot, place, _ in program.wide}
    named = ("STATUS", "LEFT", "COUNT", "RNG", "GIVEN", "GOING", "ENDED", "TRAPPED", "TOGETHER", "MOST_OPTIONS")
    return {
        **{name: getattr(frame, name) for name in named},
        "ROW_BYTES": 8 * (program.row - program.scratch),
        "SCRATCH_BYTES": 8 * program.scratch,
        "ANSWER_BYTES": 8 * program.width,
        "WIDTH": program.width,
        "OFFERS": frame.offers_at(program),
        "QUESTION": program.question,
        "OUTCOME": OUTCOME,
        "OUTCOME_VALUE": places.get(OUTCOME_VALUE, OUTCOME_VALUE),
        "PLAYING": PLAYING,
        "SCORE": SCORE,
        "UNDECIDED": UNDECIDED,
        "WINNER": WINNER,
        "RANKING": RANKING,
        "GROUP": (1 << GROUP) - 1,
        "STEP": signed(STEP),
    }


def filled(name: str, words: Mapping[str, object]) -> list[str]:
    """Returns the lines of a text of this room with its holes filled."""
    text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    return Template(text).substitute(words).splitlines()
