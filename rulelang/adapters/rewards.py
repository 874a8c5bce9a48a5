"""The outcome of a match -> what each seat gets: numbers that a learner maximises.

    win       by who has won: 1 for the only winner, the others share -1; 0 for each if all won or nobody did
    score     the final `score` of each seat, as the rules count it
    margin    the same, less the mean of all seats, so they add up to 0

Winners who share a win share what a single one gets, so the rewards of several seats add up to 0. Where the rules count
everybody as beaten (`finish lost`) each seat gets -1; alone, a win or a score is 1. A game that is cut short, or that ends undecided,
is worth 0.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from rulelang.errors import InvalidInput
from rulelang.ir.model import Finish, GameRules
from rulelang.ir.types import LARGEST, IntType
from rulelang.ir.walk import walk
from rulelang.match.recording.events import Outcome
from rulelang.seed import described

Rewards: TypeAlias = Literal["win", "score", "margin"]
REWARDS: tuple[Rewards, ...] = get_args(Rewards)


def checked_rewards(rewards: object, game: GameRules) -> Rewards:
    """Returns the kind of rewards. Raises InvalidInput for an unknown one, or `score` where the rules count none."""
    for known in REWARDS:
        if rewards != known:
            continue
        if known != "win" and game.score is None:
            raise InvalidInput(f"{game.title} defines no `score`, so its rewards are those of a win")
        return known
    raise InvalidInput(f"rewards are {', '.join(REWARDS[:-1])} or {REWARDS[-1]}, not {described(rewards)}")


def rewards_of(outcome: Outcome | None, players: int, rewards: Rewards = "win") -> tuple[float, ...]:
    """Returns the reward of each seat for an outcome; None is a game that goes on, or was cut short.

    >>> rewards_of(Outcome("winner", (1,)), 3)
    (-0.5, 1.0, -0.5)
    >>> rewards_of(Outcome("ranking", (0, 1), (), (7, 7)), 2), rewards_of(Outcome("lost"), 2)
    ((0.0, 0.0), (-1.0, -1.0))
    """
    if outcome is None:
        return (0.0,) * players
    if rewards != "win":
        scores = outcome.scores * players if outcome.kind == "score" else outcome.scores
        mean = sum(scores) / players if rewards == "margin" else 0
        return tuple(float(score - mean) for score in scores) if scores else (0.0,) * players
    if outcome.kind == "lost":
        return (-1.0,) * players
    if players == 1:
        return (float(outcome.kind in ("winner", "ranking", "score")),)
    winners = outcome.winners
    if not winners:
        return (0.0,) * players
    # A seat's part of the win, from 0 to 1, moved so that all parts add up to 0 and all of it is 1.
    return tuple((players * (seat in winners) / len(winners) - 1) / (players - 1) for seat in range(players))


def bounds_of(game: GameRules, players: int, rewards: Rewards) -> tuple[float, float, float | None]:
    """Returns the lowest and the highest reward, and what the rewards of all seats add up to; None if that varies.

    Scores are bounded by the type of the rules' `score`.
    """
    if rewards == "win":
        return -1.0, 1.0, 0.0 if players > 1 and not _is_shared(game) else None
    type = None if game.score is None else game.values[game.score].type
    low, high = (float(type.low), float(type.high)) if isinstance(type, IntType) else (-float(LARGEST), float(LARGEST))
    if rewards == "score":
        return low, high, None
    most = max(high - low, 1.0)
    return -most, most, 0.0


def _is_shared(game: GameRules) -> bool:
    """Returns whether a game may end for all seats alike: lost, or with one score."""
    return any(isinstance(node, Finish) and node.how in ("lost", "score") for node in walk(game.procedures))
