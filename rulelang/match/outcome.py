"""A row -> the outcome of the game, if it has ended.

finish with ranking p in players by highest p.zone        # Outcome("ranking", ranking=((0, 2), (1,)), ...)
"""

from __future__ import annotations

from contextlib import suppress

from rulelang.errors import RuntimeRules
from rulelang.ir.model import CallValue, Const, GameRules
from rulelang.ir.numbers import Mask, Row
from rulelang.ir.types import NONE
from rulelang.knowledge.knowledge import Knowledge
from rulelang.knowledge.redaction import EVERYONE
from rulelang.knowledge.rendering import Looking
from rulelang.knowledge.visibility import Visibility
from rulelang.machines.walk import evaluate
from rulelang.match.recording.events import Outcome
from rulelang.program.layout import (
    GROUP,
    LOST,
    OUTCOME,
    OUTCOME_RULE,
    OUTCOME_VALUE,
    RANKING,
    SCORE,
    UNDECIDED,
    WINNER,
    Layout,
)
from rulelang.program.packing import members


def outcome_of(row: Row, game: GameRules, layout: Layout, players: int) -> Outcome | None:
    """Returns the outcome; None while the game goes on."""
    how, value = row[OUTCOME], row[OUTCOME_VALUE]
    rule = game.rules[row[OUTCOME_RULE]] if 0 <= row[OUTCOME_RULE] < len(game.rules) else game.rules[0]
    told = rule.name, rule.clauses
    match how:
        case 0:
            return None
        case x if x == WINNER:
            winners = tuple(members(max(value, 0)))
            return Outcome("winner", winners, (), _scores(row, game, layout, players), *told)
        case x if x == RANKING:
            ranking = _groups(value)
            return Outcome(
                "ranking", ranking[0] if ranking else (), ranking, _scores(row, game, layout, players), *told
            )
        case x if x == SCORE:
            return Outcome("score", (), (), (value,), *told)
        case x if x == LOST:
            return Outcome("lost", (), (), (), *told)
        case x if x == UNDECIDED:
            return Outcome("undecided", (), (), _scores(row, game, layout, players), rule.name)
        case _:  # a row holds a plain number, and no other code is written
            raise ValueError(f"no game ends like {how}")


def _groups(packed: int) -> tuple[tuple[int, ...], ...]:
    groups = []
    while packed > 0:
        groups.append(tuple(members(packed & ((1 << GROUP) - 1))))
        packed >>= GROUP
    return tuple(groups)


def score_seers(row: Row, visibility: Visibility, knowledge: Knowledge) -> Mask:
    """Returns the mask of viewers who may see everything from which every seat's `score` is computed."""
    score, seers = visibility.game.score, EVERYONE
    if score is None:
        return seers
    for seat in range(visibility.players):
        look = Looking(row, visibility.game, visibility.layout, visibility=visibility, knowledge=knowledge, told={})
        # A fault in a score reveals as much as the score would.
        with suppress(RuntimeRules):
            look.value(CallValue(score, (Const(seat),)), {})
        seers &= look.seers
    return seers


def _scores(row: Row, game: GameRules, layout: Layout, players: int) -> tuple[int, ...]:
    """Returns each seat's `score`; () if the rules define none."""
    if game.score is None:
        return ()
    try:
        scores = [evaluate(CallValue(game.score, (Const(seat),)), row, {}, game, layout) for seat in range(players)]
    except RuntimeRules:
        return ()
    return tuple(0 if score == NONE else score for score in scores)
