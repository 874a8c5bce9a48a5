"""A seat's view -> the option that leads to the best score when everyone then plays by the score for a while.

Options are ranked by their immediate score in one re-deal. Each of the best is then played in the same few re-deals, in
turn, with the same dice, and the game continues by the policy; after each round the better half remains (sequential halving). The
budget counts positions, not time, so a slow machine plays the same. With a budget too small to try anything, the
planner takes the option with the best immediate score.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import ceil
from typing import Protocol, cast, runtime_checkable

import attrs

from rulelang.errors import RuntimeRules
from rulelang.lab.greedy import answers_in, policy_for, ranked
from rulelang.lab.policy import FEW
from rulelang.lab.seat_view import SeatView, dealt_machines, lone_option
from rulelang.machines.chance import Dice
from rulelang.machines.machine import Answer, Machine
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from rulelang.playouts.rng import RandomStream
from rulelang.program.llvm.thinking.thought import ENDED
from rulelang.program.randomness import mixed
from rulelang.program.results import AheadTries

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
    thought = Thought(seen, positions)
    return thought.best() if thought.has_score else seen.options.pick(seen.rng.randrange)


class TriesAhead(Protocol):
    """The tries of a few options, by their number."""

    def tried(self, candidates: Sequence[int], until: int) -> tuple[int, list[float]] | None:
        """Tries some options in turn, until so many positions were looked at; returns the number of tries so far, and the sum
        of what each option has led to. None if a machine cannot go on."""


@runtime_checkable
class PlaysAhead(Protocol):
    """A machine that tries options by itself."""

    def tries_ahead(self, asked: AheadTries, deals: Sequence[Machine]) -> TriesAhead | None:
        """Returns the tries of options in the re-deals; None if it cannot make them."""


@cache
def _plays_ahead(machine: type[Machine]) -> bool:
    return issubclass(machine, PlaysAhead)


class Thought:
    """The search for one choice."""

    def __init__(self, seen: SeatView, positions: int) -> None:
        self.seen, self.seat, self.positions = seen, seen.seat, positions
        self.deals = [seen.redeal()]
        self.policy = policy_for(seen, self.deals[0])
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
        rng, before = self.seen.rng.randrange(2**62), self.seen.rng.word
        tries = self.tries_at_once(list(at_once), rng)
        best = None if tries is None else self.halved(at_once, tries)
        if best is None:
            self.seen.rng.word = before
            best = self.halved(at_once, self.tries_in_turn(list(at_once), rng))
        assert best is not None
        return best

    def halved(self, at_once: dict[Option, float], tries: TriesAhead) -> Option | None:
        """Returns the option that is left, of some with their immediate scores; None if a machine cannot go on."""
        left, number = list(at_once), {option: number for number, option in enumerate(at_once)}
        for n in range(1, ROUNDS + 1):
            found = tries.tried([number[option] for option in left], self.positions * n // ROUNDS)
            if found is None:
                return None
            missing, sums = max(ENOUGH - found[0], 0), dict(zip(left, found[1], strict=True))
            left.sort(key=lambda option: -sums[option] - missing * at_once[option])
            left = left[: ceil(len(left) / 2)]
            if len(left) == 1:
                break
        return left[0]

    def tries_in_turn(self, options: list[Option], rng: int) -> TriesAhead:
        """Returns tries of options, each of which is made by itself."""
        return _TriesInTurn(self, options, RandomStream.at(rng))

    def tries_at_once(self, options: list[Option], rng: int) -> TriesAhead | None:
        """Returns tries of which machine code makes many in a call, in the same re-deals; None if it cannot."""
        first = self.deals[0].position.machine
        others = dealt_machines(self.seen, DEALS - 1) if _plays_ahead(type(first)) else None
        if others is None:
            return None
        there = answers_in(self.deals[0], self.seat, options)
        # A machine deals only what leaves a seat its own options.
        own: list[Answer | None] = [option.answer for option in options]
        firsts = [[there.get(option.answer) for option in options], *[own] * len(others)]
        asked = AheadTries(self.seat, firsts, AHEAD, REPLIES * self.policy.players, self.policy.thought(), rng)
        return cast(PlaysAhead, first).tries_ahead(asked, [first, *others])

    def deal(self, number: int) -> BareMatch:
        """Returns one of the re-deals in which options are tried, a new one while they are few."""
        if number == len(self.deals):
            self.deals.append(self.seen.redeal())
        return self.deals[number]


@attrs.define
class _TriesInTurn:
    """Tries in Python."""

    thought: Thought
    options: list[Option]
    rng: RandomStream
    made: int = 0
    used: int = 0
    """The positions that the last of them looked at."""
    answers: list[dict[Answer, Answer]] = attrs.field(factory=list)
    """By re-deal: the answers of the options there."""
    sums: list[float] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.sums = [0.0] * len(self.options)

    def tried(self, candidates: Sequence[int], until: int) -> tuple[int, list[float]]:
        """Tries some options; see `TriesAhead`."""
        policy = self.thought.policy
        while 2 * policy.looked + self.used < 2 * until:
            before = policy.looked
            self._try(candidates, self.made % DEALS)
            self.made, self.used = self.made + 1, policy.looked - before
        return self.made, [self.sums[number] for number in candidates]

    def _try(self, candidates: Sequence[int], turn: int) -> None:
        """Plays each option on in a re-deal, all with the same dice."""
        deal, policy = self.thought.deal(turn), self.thought.policy
        if turn == len(self.answers):
            self.answers.append(answers_in(deal, self.thought.seat, self.options))
        rng = RandomStream.at(mixed(self.rng.randrange(2**62)))
        dice = Dice.numbered(rng.randrange(2**62), deal.game, deal.internals.layout)
        word = mixed(rng.randrange(2**62))
        for number in candidates:
            policy.rng.word = word
            answer = self.answers[turn].get(self.options[number].answer)
            self.sums[number] += self._led_to(deal.position.machine, answer, dice)

    def _led_to(self, machine: Machine, answer: Answer | None, dice: Dice) -> float:
        """Plays an answer in a deal, then by the policy; returns the seat's lead over the others."""
        policy, seat = self.thought.policy, self.thought.seat
        policy.looked += 1
        if answer is None:
            return -2 * ENDED
        try:
            return policy.lead_after(machine, seat, answer, dice, AHEAD, REPLIES * policy.players)
        except RuntimeRules:
            return -2 * ENDED
