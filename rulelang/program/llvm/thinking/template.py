"""A text of LLVM IR with holes -> its lines for one game.

filled("common.ll", words_of(program))      `$WIDTH` and others are replaced by the game's numbers
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from string import Template

from rulelang.program.layout import GROUP, OUTCOME, OUTCOME_VALUE, PLAYING, RANKING, SCORE, UNDECIDED, WINNER
from rulelang.program.llvm import frame
from rulelang.program.llvm.function import signed
from rulelang.program.low import model as low
from rulelang.program.randomness import STEP


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
