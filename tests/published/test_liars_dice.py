"""Liar's dice as one writes it down: what its seats are told leaves the game the value that it has in the literature."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import pytest

from rulelang import api
from rulelang.api import Match
from tests.files import TESTS

np = pytest.importorskip("numpy")

FACES = range(1, 7)
CLAIMS = [(n, face) for n in (1, 2) for face in FACES]
VALUE = -1 / 36
"""To the first seat, with one die each and sixes that stand for anything: Lanctot et al., Bluff(1, 1)."""


def played(game: api.Game, dice: tuple[int, int], claims: Sequence[int], *, doubted: bool = False) -> Match:
    """Returns a match in which these dice were thrown and these claims made."""
    match = game.start(2, explicit_chance=True)
    for face in dice:
        match.play_chance(match.chance[face - 1])
    for claim in claims:
        match.play("claim({}, {})".format(*CLAIMS[claim]))
    if doubted and match.to_move:  # After the highest claim there is nothing else to do: it is done by itself.
        match.play("doubt")
    return match


def solved(won: Any) -> tuple[float, float]:
    """Returns what the first seat gets at most, and at least, against what CFR+ finds, over the claims made so far as bits.

    `won[claim, a, b]` is 1 where the first seat wins if the last claim is doubted and it was the first seat that made it.
    """
    sequences = 1 << len(CLAIMS)
    made = np.array([bin(s).count("1") for s in range(sequences)])
    last = np.array([s.bit_length() - 1 for s in range(sequences)])
    levels = [np.flatnonzero(made == k) for k in range(len(CLAIMS) + 1)]
    actions = len(CLAIMS) + 1  # the last of them: doubt
    legal = np.zeros((sequences, actions), bool)
    for claim in range(len(CLAIMS)):
        legal[:, claim] = last < claim
    legal[1:, -1] = True
    truth = won[np.maximum(last, 0)] * 2.0 - 1.0  # of whoever claimed, by the dice of the first and the second seat
    regrets = np.zeros((sequences, actions, 6))
    sums = np.zeros((sequences, actions, 6))

    def reaching(strategy: Any) -> Any:
        reach = np.zeros((2, sequences, 6))
        reach[:, 0] = 1
        for k, level in enumerate(levels[:-1]):
            mover = k % 2
            for claim in range(len(CLAIMS)):
                here = level[legal[level, claim]]
                there = here | 1 << claim
                reach[:, there] = reach[:, here]
                reach[mover, there] *= strategy[here, claim]
        return reach

    def worth(strategy: Any, reach: Any, me: int, best: bool) -> tuple[Any, Any]:
        """Returns what each sequence, and each answer to it, is worth to one seat by its die: counterfactual values."""
        values = np.zeros((sequences, 6))
        answers = np.zeros((sequences, actions, 6))
        other = reach[1 - me]
        for k in reversed(range(len(CLAIMS) + 1)):
            level, mover = levels[k], k % 2
            for claim in range(len(CLAIMS)):
                here = level[legal[level, claim]]
                answers[here, claim] = values[here | 1 << claim]
            here = level[legal[level, -1]]
            claimer_is_me = 1 if mover != me else -1
            by_mine = truth[here] if me == 0 else truth[here].transpose(0, 2, 1)
            weights = other[here] * (strategy[here, -1] if mover != me else 1)
            answers[here, -1] = claimer_is_me * np.einsum("sab,sb->sa", by_mine, weights)
            if mover != me:
                values[level] = np.where(legal[level][:, :, None], answers[level], 0).sum(axis=1)
            elif best:
                values[level] = np.where(legal[level][:, :, None], answers[level], -np.inf).max(axis=1)
            else:
                values[level] = (strategy[level] * answers[level]).sum(axis=1)
        return values, answers

    def proportional(weights: Any) -> Any:
        total = weights.sum(axis=1, keepdims=True)
        even = legal[:, :, None] / np.maximum(legal.sum(axis=1), 1)[:, None, None]
        return np.where(total > 0, weights / np.where(total > 0, total, 1), even)

    for round in range(1, 81):
        for me in (0, 1):
            strategy = proportional(regrets)
            reach = reaching(strategy)
            values, answers = worth(strategy, reach, me, False)
            mine = (made % 2 == me)[:, None, None] & legal[:, :, None]
            regrets = np.where(mine, np.maximum(regrets + answers - values[:, None, :], 0), regrets)
            sums += np.where(mine, round * reach[me][:, None, :] * strategy, 0)
    average = proportional(sums)
    reach = reaching(average)
    of_first, of_second = (worth(average, reach, me, True)[0][0].sum() / 36 for me in (0, 1))
    return float(of_first), float(-of_second)


@pytest.fixture(scope="module")
def game() -> api.Game:
    return api.load(TESTS / "redeals" / "liars_dice.rules")


@pytest.mark.long
def test_a_seat_is_told_its_own_die_and_the_claims(game: api.Game) -> None:
    """Whatever the other has thrown, also what its variable held before: log, view and options are the same."""
    few = [claims for k in range(3) for claims in itertools.combinations((0, 6, 10), k)]
    for claims in few:
        for seat, mine in itertools.product((0, 1), FACES):
            dice = [(mine, other) if seat == 0 else (other, mine) for other in FACES]
            shown = [played(game, both, claims) for both in dice]
            assert len({match.log.for_seat(seat).text for match in shown}) == 1
            assert len({str(match.view(seat)) for match in shown}) == 1
            assert len({match.information(seat) for match in shown}) == 1


@pytest.mark.long
def test_its_value_is_the_published_one(game: api.Game) -> None:
    won = np.zeros((len(CLAIMS), 6, 6))
    for claim, a, b in itertools.product(range(len(CLAIMS)), FACES, FACES):
        match = played(game, (a, b), [claim], doubted=True)
        won[claim, a - 1, b - 1] = match.outcome is not None and match.outcome.winners == (0,)
    most, least = solved(won)
    assert least <= VALUE <= most
    assert most - least < 0.02
