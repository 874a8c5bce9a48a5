"""A policy that chooses the answer with the best `score` one step ahead.

    policy = ScorePolicy(game, layout, players, RandomStream(7))
    policy.choose(machine, seat)           # an answer
    policy.play(machine, seat, 8, 8)       # until the seat, or the others, have made 8 choices
    policy.looked                          # the number of positions visited

It searches on forks of bare machines with dice of its own, so it never sees the machine's next roll. A step is played
to its end: questions in the middle of it are answered with the best immediate score.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cache
from operator import itemgetter
from typing import Protocol, TypeVar, cast, runtime_checkable

from rulelang.errors import RuntimeRules
from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Seat, seats_of
from rulelang.machines.chance import Dice
from rulelang.machines.machine import Answer, Chance, Machine, Pending
from rulelang.machines.offers.offer import MOST, Offer
from rulelang.match.outcome import outcome_of
from rulelang.playouts.rng import RandomStream
from rulelang.program.layout import OUTCOME, Layout
from rulelang.program.llvm.thinking.thought import A_POINT, DICE, ENDED, FEW_INSIDE, MOST_INSIDE, MOST_OWN, THROWS
from rulelang.program.randomness import WORD, key_of, signed

T = TypeVar("T")

FEW = 48
"""The most options that are compared."""


@runtime_checkable
class Thinks(Protocol):
    """A machine that runs this policy by itself.

    `thought` holds words: positions looked at, options compared, players, the keys of the dice, the word of the rng. The first
    and the last are updated. Each method returns None if the machine cannot do it, and leaves `thought` unchanged.
    """

    def worth_of_each(
        self, seat: Seat, answers: Sequence[Answer], first: int, thought: array[int]
    ) -> list[float] | None:
        """Returns `ScorePolicy.after_each` of as many of the first answers as it can."""

    def lead_after(
        self, seat: Seat, answer: Answer, dice: Chance, most: int, replies: int, thought: array[int]
    ) -> float | None:
        """Returns `ScorePolicy.lead_after` of an answer."""


@cache
def _thinks(machine: type[Machine]) -> bool:
    return issubclass(machine, Thinks)


class ScorePolicy:
    """Plays by the score, one step ahead; `looked` counts the positions visited."""

    __slots__ = (
        "_counters",
        "_depth",
        "_dice",
        "_game",
        "_keys",
        "_layout",
        "_seeds",
        "few",
        "looked",
        "players",
        "rng",
    )

    def __init__(self, game: GameRules, layout: Layout, players: int, rng: RandomStream, *, few: int = FEW) -> None:
        self.rng, self.few, self.players = rng, few, players
        self.looked = 0
        self._game, self._layout = game, layout
        self._depth = layout.states[game.depth]
        self._counters = slice(layout.counters, layout.size)
        self._seeds, self._keys = dice_of(rng)
        self._dice: list[Dice] = []
        """Those of the seeds, once Python rolls them: machine code needs their keys alone."""

    def worth(self, machine: Machine, seat: Seat) -> float:
        """Returns a position's worth to a seat: its score, or far more or less once the game is over."""
        score = machine.score(seat) or 0
        if machine.row[OUTCOME] == 0:
            return score
        outcome = outcome_of(machine.row, self._game, self._layout, self.players)
        assert outcome is not None
        if outcome.kind == "undecided":
            return score
        if outcome.kind == "score":
            return ENDED + A_POINT * outcome.scores[0]
        return score + (ENDED / len(outcome.winners) if seat in outcome.winners else -ENDED)

    def choose(self, machine: Machine, seat: Seat) -> Answer:
        """Returns the answer with the best score for the seat,
        among a sample if there are many; ties are broken at random.
        """
        options = self._offered(machine, seat)
        if len(options) == 1:
            return options[0]
        some = self._few(options, self.few)
        first = self.rng.randrange(DICE)
        worth = self.after_each(machine, seat, some, first)
        return some[max(range(len(some)), key=worth.__getitem__)]

    def after_each(self, machine: Machine, seat: Seat, answers: Sequence[Answer], first: int = 0) -> list[float]:
        """Returns each answer's worth to a seat once its step is over: the mean over a few rolls if chance plays a part.

        All answers are tried with the same dice, beginning with set number `first`.
        """
        found: list[float] = []
        while len(found) < len(answers):
            left, some = answers[len(found) :], None
            if _thinks(type(machine)):
                some = self._thought(cast(Thinks, machine).worth_of_each, seat, left, first)
            found += some or [self._after(machine, seat, left[0], first)]
        return found

    def _after(self, machine: Machine, seat: Seat, answer: Answer, first: int) -> float:
        self._dice = self._dice or [Dice(seed, self._game, self._layout) for seed in self._seeds]
        before = machine.row[self._counters]
        worth: list[float] = []
        while len(worth) < THROWS:
            next = self._answered(machine, seat, answer, self._dice[(first + len(worth)) % DICE])
            if next is None:
                return -2 * ENDED
            worth.append(self.worth(next, seat))
            if next.row[self._counters] == before:
                break
        return sum(worth) / len(worth)

    def lead_after(self, machine: Machine, seat: Seat, answer: Answer, dice: Chance, most: int, replies: int) -> float:
        """Returns the lead of a seat over the others after it gives an answer and all `play` on with given dice.

        Raises RuntimeRules.
        """
        if _thinks(type(machine)):
            found = self._thought(cast(Thinks, machine).lead_after, seat, answer, dice, most, replies)
            if found is not None:
                return found
        next = machine.fork()
        next.chance = dice
        next.answer(seat, answer)
        theirs = self.play(next, seat, most, replies)
        return self.worth(next, seat) - theirs

    def thought(self) -> array[int]:
        """Returns the words of a thought, as machines take them; see `Thinks`."""
        return array("q", [self.looked, self.few, self.players, *self._keys, signed(self.rng.word)])

    def _thought(self, think: Callable[..., T | None], *what: object) -> T | None:
        """Returns the machine's own evaluation, and charges the positions and random numbers that it used; None if it
        cannot."""
        thought = self.thought()
        found = think(*what, thought)
        self.looked, self.rng.word = thought[0], thought[-1] & WORD
        return found

    def play(self, machine: Machine, seat: Seat, most: int, replies: int) -> float:
        """Plays on until the seat, or the others, have made that many choices; returns the best score among the others.

        Choices inside a step do not count, nor does what the seat chooses before another is asked: options that end a turn
        and options that go on with it are compared at the same time of the game. The seat is not credited with what others make of their own turns: their
        scores are taken when the first of them is asked alone, or at the end if none is.
        """
        left = {True: most, False: replies}
        theirs: float | None = None
        free, has_turned = MOST_OWN, self.players == 1
        while (pending := machine.pending) is not None:
            mover = pending.seats[0]
            if machine.row[self._depth] == 0:
                is_own = mover == seat
                if theirs is None and not is_own and not self._game.choices[pending.choice].sealed:
                    theirs = self._best_of_others(machine, seat)
                has_turned |= not is_own
                if not has_turned and free:
                    free -= 1
                elif left[is_own] == 0:
                    break
                else:
                    left[is_own] -= 1
            self.looked += 1
            machine.answer(mover, self.choose(machine, mover))
        return self._best_of_others(machine, seat) if theirs is None else theirs

    def _best_of_others(self, machine: Machine, seat: Seat) -> float:
        return max((self.worth(machine, other) for other in seats_of(self.players) if other != seat), default=0)

    # -------------------------------------------------------------- inside of a step

    def _answered(self, machine: Machine, seat: Seat, answer: Answer, dice: Chance) -> Machine | None:
        """Returns the position after an answer once its step is over; None if the rules fail."""
        next = machine.fork()
        next.chance = dice
        self.looked += 1
        try:
            next.answer(seat, answer)
            self._answer_for_others(next, machine.pending)
            self.finish_step(next, seat)
        except RuntimeRules:
            return None
        return next

    def _answer_for_others(self, machine: Machine, asked: Pending | None) -> None:
        """Answers at random for those who choose in secret beside the seat, so that the step can finish."""
        if asked is None or not self._game.choices[asked.choice].sealed:
            return
        for other in asked.seats:
            pending = machine.pending
            if pending is not None and pending.choice == asked.choice and other in pending.seats:
                machine.answer(other, Offer(machine, other).pick(self.rng.randrange))

    def finish_step(self, machine: Machine, seat: Seat) -> None:
        """Answers the seat's questions in the middle of a step with the best immediate score."""
        for _ in range(MOST_INSIDE):
            pending = machine.pending
            if pending is None or pending.seats != (seat,) or machine.row[self._depth] == 0:
                return
            options = self._offered(machine, seat)
            machine.answer(seat, options[0] if len(options) == 1 else self._best_at_once(machine, seat, options))

    def _best_at_once(self, machine: Machine, seat: Seat, options: list[Answer]) -> Answer:
        best, most = options[0], -3.0 * ENDED
        for answer in self._few(options, FEW_INSIDE):
            next = machine.fork()
            next.chance = machine.chance
            next.answer(seat, answer)
            self.looked += 1
            worth = self.worth(next, seat)
            if worth > most:
                best, most = answer, worth
        return best

    def _offered(self, machine: Machine, seat: Seat) -> list[Answer]:
        """Returns a seat's possible answers; a sample of each action
        if they are too many. Raises Uncountable if none is found.
        """
        offer = Offer(machine, seat)
        there = offer.first(MOST + 1)
        if not there:
            # So many sets are refused that none is found by going through them.
            return [offer.pick(self.rng.randrange)]
        return there if len(there) <= MOST else offer.some(self.few, self.rng.randrange)

    def _few(self, options: list[Answer], most: int) -> list[Answer]:
        """Returns options in random order, a sample if there are many."""
        return few_of(options, most, self.rng, itemgetter(0))


def dice_of(rng: RandomStream) -> tuple[list[str], list[int]]:
    """Returns the seeds of a policy's dice, and their keys as signed words."""
    seeds = [f"thought {rng.randrange(2**62)}" for _ in range(DICE)]
    return seeds, [signed(key_of(seed)) for seed in seeds]


def few_of(options: list[T], most: int, rng: RandomStream, action: Callable[[T], int]) -> list[T]:
    """Returns options in random order; if too many, a sample that
    takes turns between actions, so that none hides the others.

    >>> from operator import itemgetter
    >>> steals = [(1, amount) for amount in range(500)]
    >>> sorted(few_of([(0, 0), *steals, (2, 0)], 4, RandomStream(7), itemgetter(0)))[::3]
    [(0, 0), (2, 0)]
    """
    found = options
    if len(options) > most:
        groups: dict[int, list[T]] = {}
        for option in options:
            groups.setdefault(action(option), []).append(option)
        found = []
        while len(found) < most:
            for group in groups.values():
                if group and len(found) < most:
                    i = rng.randrange(len(group))
                    group[i], group[-1] = group[-1], group[i]
                    found.append(group.pop())
    rng.shuffle(found)
    return found
