"""A seat's view -> the option that leads to the best score when everyone then plays by the score for a while.

Options are ranked by their immediate score in one re-deal. Each of the best is then played in the same few re-deals, in
turn, with the same dice, and the game continues by the policy; after each round the better half remains (sequential halving). The
budget counts positions, not time, so a slow machine plays the same. With a budget too small to try anything, the
planner takes the option with the best immediate score.
"""

from __future__ import annotations

from math import ceil

from rulelang.errors import RuntimeRules
from rulelang.lab.greedy import answers_in, policy_for, ranked
from rulelang.lab.policy import FEW
from rulelang.lab.seat_view import SeatView, lone_option
from rulelang.machines.chance import Dice
from rulelang.machines.machine import Answer, Machine
from rulelang.match.options.option import Option
from rulelang.playouts.rng import RandomStream
from rulelang.program.llvm.thinking.thought import ENDED

POSITIONS = 3000
"""The number of positions that may be visited before a choice."""
CANDIDATES = 8
"""The most options that are tried: those with the best immediate scores."""
ROUNDS = 3
"""The number of halvings before one option is left."""
LEAST_FEW = 4
"""The number of options that the policy compares on the smallest budget."""
DEALS = 8
"""The most re-deals in which options are tried, in turn, each time with other dice."""
ENOUGH = 3
"""The number of tries of each option; missing tries count as the option's immediate score."""
AHEAD = 1
"""The number of the seat's own choices that the policy plays."""
REPLIES = 2
"""The most choices of each other seat that the policy plays."""


def choose_planned(seen: SeatView, positions: int = POSITIONS) -> Option:
    """Returns the option that leads furthest, within a budget
    of positions; a random one if the rules define no score."""
    if (lone := lone_option(seen)) is not None:
        return lone
    thought = _Thought(seen, positions)
    return thought.best() if thought.has_score else seen.options.pick(seen.rng.randrange)


class _Thought:
    """The search for one choice."""

    def __init__(self, seen: SeatView, positions: int) -> None:
        self.seen, self.seat, self.positions = seen, seen.seat, positions
        self.deals = [seen.redeal()]
        self.policy = policy_for(seen, self.deals[0])
        self.answers: list[dict[Answer, Answer]] = []
        """By re-deal: the answers of the candidates there."""
        # A small budget is better spent on few options than on one look at many.
        self.policy.few = min(max(positions // 20, LEAST_FEW), FEW)
        self.candidates = min(max(positions // 100, 2), CANDIDATES)

    @property
    def has_score(self) -> bool:
        """Returns whether the rules define a score to steer by."""
        return self.deals[0].game.score is not None

    def best(self) -> Option:
        """Returns the option that led furthest. A choice between few options takes few rounds and a smaller budget."""
        at_once = dict(ranked(self.seen, self.deals, self.policy)[: self.candidates])
        left, sums = list(at_once), dict.fromkeys(at_once, 0.0)
        tries, looked = 0, 0
        for n in range(1, ROUNDS + 1):
            while self.policy.looked + looked / 2 < self.positions * n / ROUNDS:
                looked = self._try(tries, left, sums)
                tries += 1
            missing = max(ENOUGH - tries, 0)
            left.sort(key=lambda option: -sums[option] - missing * at_once[option])
            left = left[: ceil(len(left) / 2)]
            if len(left) == 1:
                break
        return left[0]

    def _try(self, number: int, left: list[Option], sums: dict[Option, float]) -> int:
        """Plays each option on in a re-deal, all with the same dice; adds up the results and returns the positions used."""

        before = self.policy.looked
        turn = number % DEALS
        if turn == len(self.answers):
            if turn == len(self.deals):
                self.deals.append(self.seen.redeal())
            self.answers.append(answers_in(self.deals[turn], self.seat, left))
        answers = self.answers[turn]
        deal, seed = self.deals[turn], self.seen.rng.randrange(2**62)
        dice, word = Dice(f"dice {seed}", deal.game, deal.internals.layout), RandomStream("on", seed).word
        for option in left:
            self.policy.rng.word = word
            sums[option] += self._led_to(deal.position.machine, answers.get(option.answer), dice)
        return self.policy.looked - before

    def _led_to(self, machine: Machine, answer: Answer | None, dice: Dice) -> float:
        """Plays an answer in a deal, then by the policy; returns the seat's lead over the others."""
        self.policy.looked += 1
        if answer is None:
            return -2 * ENDED
        try:
            return self.policy.lead_after(machine, self.seat, answer, dice, AHEAD, REPLIES * self.policy.players)
        except RuntimeRules:
            return -2 * ENDED
