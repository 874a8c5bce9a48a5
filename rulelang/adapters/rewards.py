"""The outcome of a match -> what each seat gets: numbers that a learner maximises.

    win       by who has won: 1 for the only winner, the others share -1; 0 for each if all won or nobody did
    score     the final `score` of each seat, as the rules count it

Winners who share a win share what a single one gets, so the rewards of several seats add up to 0. Where the rules count
everybody as beaten (`finish lost`) each seat gets -1; alone, a win or a score is 1. A game that is cut short, or that ends undecided,
is worth 0.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from rulelang.errors import InvalidInput
from rulelang.ir.model import GameRules
from rulelang.match.recording.events import Outcome
from rulelang.seed import described

Rewards: TypeAlias = Literal["win", "score"]
REWARDS: tuple[Rewards, ...] = get_args(Rewards)


def checked_rewards(rewards: object, game: GameRules) -> Rewards:
    """Returns the kind of rewards. Raises InvalidInput for an unknown one, or `score` where the rules count none."""
    if rewards not in REWARDS:
        raise InvalidInput(f"rewards are {' or '.join(REWARDS)}, not {described(rewards)}")
    if rewards == "score" and game.score is None:
        raise InvalidInput(f"{game.title} defines no `score`, so its rewards are those of a win")
    return rewards


def rewards_of(outcome: Outcome | None, players: int, rewards: Rewards = "win") -> tuple[float, ...]:
    """Returns the reward of each seat for an outcome; None is a game that goes on, or was cut short.

    >>> rewards_of(Outcome("winner", (1,)), 3)
    (-0.5, 1.0, -0.5)
    >>> rewards_of(Outcome("ranking", (0, 1), (), (7, 7)), 2), rewards_of(Outcome("lost"), 2)
    ((0.0, 0.0), (-1.0, -1.0))
    """
    if outcome is None:
        return (0.0,) * players
    if rewards == "score":
        scores = outcome.scores * players if outcome.kind == "score" else outcome.scores
        return tuple(map(float, scores)) if scores else (0.0,) * players
    if outcome.kind == "lost":
        return (-1.0,) * players
    if players == 1:
        return (float(outcome.kind in ("winner", "ranking", "score")),)
    winners = outcome.winners
    if not winners:
        return (0.0,) * players
    # A seat's part of the win, from 0 to 1, moved so that all parts add up to 0 and all of it is 1.
    return tuple((players * (seat in winners) / len(winners) - 1) / (players - 1) for seat in range(players))
