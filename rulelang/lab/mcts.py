"""Monte Carlo tree search over information sets: takes the option tried most often, or that did best.

An iteration takes a re-deal with its own dice and descends by what each chooser knows there, to the first new option;
then all play on, by the policy of `greedy` if the rules have a `score`, else at random, and the result updates every
node on the way (Cowling, Powley and Whitehouse 2012; each chooser has nodes of its own). A seat asked at the same time
as others chooses without knowing their answers (decoupled UCT). A node considers few of its options at first, and more
the more often it is visited (progressive widening).

Where the rules have a `score`, the options that look best by it are tried in turn, all in the same re-deal with the same dice, and the
worse half is dropped again and again (sequential halving, which suits a fixed budget: Karnin, Koren and Somekh 2013; with a tree below,
Pepels, Cazenave, Winands and Lanctot 2014).

    mcts:500        a budget of 500 iterations, never seconds: the same seed thinks the same
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from itertools import count, islice
from math import log, sqrt

import attrs

from rulelang.errors import RuntimeRules
from rulelang.ir.numbers import Seat, seats_of
from rulelang.knowledge.redaction import written_answer
from rulelang.lab.at_once import (
    Beginnings,
    Tries,
    dealt_at_once,
    dealt_in_turn,
    may_search,
    tried_at_once,
    tries_at_once,
)
from rulelang.lab.greedy import policy_for, ranked
from rulelang.lab.nodes import Deal, NumberedKnowledge
from rulelang.lab.policy import ScorePolicy
from rulelang.lab.seat_view import SeatView, lone_option
from rulelang.machines.chance import Dice
from rulelang.machines.machine import Answer, Machine, Pending
from rulelang.machines.offers.offer import MOST, Offer
from rulelang.match.match import BareMatch
from rulelang.match.options.namesakes import form, forms
from rulelang.match.options.option import Option
from rulelang.playouts.playout import playout
from rulelang.playouts.rng import RandomStream
from rulelang.program.layout import GROUP, OUTCOME, OUTCOME_VALUE, PLAYING, RANKING, SCORE, UNDECIDED, WINNER
from rulelang.program.llvm.thinking.thought import ENDED, FAR
from rulelang.program.packing import members
from rulelang.program.randomness import mixed
from rulelang.program.results import Tried

ITERATIONS = 500
"""The number of imagined games before a choice."""
DEALS = 64
"""The most re-deals from which they begin, in turn."""
FEW_DEALS = 16
"""The same where the rules have a `score`: an iteration there costs less than a re-deal."""
CURIOSITY = 0.7
"""The weight of exploration: how much a rarely tried option is preferred to one with good results."""
WIDTH = 4
"""A node that was visited n times considers this many options times the square root of n."""
AHEAD, REPLIES = 1, 8
"""If the rules define a `score`: the numbers of choices, of the chooser and of each other seat, that the policy
plays."""
COMPARED = 12
"""The most options that the policy compares at each choice."""
NARROW = 1
"""The value of `WIDTH` at nodes whose options are ranked by the policy."""
LONGEST = 2000
"""The most choices of an imagined game before its position is judged as it is."""
CANDIDATES = 12
"""How many of the options that look best by the score are tried."""
LEAST_TRIES = 3
"""A small budget tries fewer of them, each at least so often before it is dropped."""
FLAT = 30
"""An option is tried so often before the tree grows below it."""
SURE = 1.0
"""By so many standard deviations the option that did best must beat the one that looked best."""
KEPT = 20_000
"""The most positions that are kept for later iterations."""


def choose_searched(seen: SeatView, iterations: int = ITERATIONS) -> Option:
    """Returns the option tried most often within a budget of iterations."""
    if (lone := lone_option(seen)) is not None:
        return lone
    return Search(seen).best(max(iterations, 1))


@attrs.define
class Arm:
    """One option at a node: the number of times it was available and taken, and the chooser's total reward."""

    there: int = 0
    taken: int = 0
    won: float = 0.0

    @property
    def mean(self) -> float:
        """The chooser's mean reward."""
        return self.won / self.taken if self.taken else 0.0


@attrs.define
class InformationSet:
    """A chooser's knowledge at one choice: its options so far, by written form."""

    visits: int = 0
    arms: dict[str, Arm] = attrs.field(factory=dict)
    best_first: list[str] = attrs.field(factory=list)
    """Its ranked options, the best first."""
    width: int = WIDTH
    _offered: Mapping[str, Answer] | None = None
    """The options that were available last …"""
    _size: int = 0
    """… how many there had been so far …"""
    _known: list[tuple[str, Arm]] = attrs.field(factory=list)
    """… and which of them were known, as they are most times when somebody comes by again."""

    def chosen(self, offered: Mapping[str, Answer], rng: RandomStream) -> tuple[str, Arm]:
        """Returns one of the options available this time: a new one while there is room, else the most promising."""
        self.visits += 1
        arms = self.arms
        if offered is not self._offered or len(arms) != self._size:
            self._offered, self._size = offered, len(arms)
            self._known = [(text, arms[text]) for text in offered if text in arms]
        known = self._known
        if len(known) < len(offered) and len(known) < self.width * sqrt(self.visits):
            for _, arm in known:
                arm.there += 1
            new = [text for text in offered if text not in arms]
            text = next((text for text in self.best_first if text in offered and text not in arms), "")
            text = text or rng.choose(new)
            arms[text] = Arm(there=1)
            return text, arms[text]
        return most_promising(known)


def most_promising(known: list[tuple[str, Arm]]) -> tuple[str, Arm]:
    """Returns the option with the highest upper confidence bound of UCB1, which uses how often each was available; counts
    once more that all were."""
    best, most = known[0], -1.0
    for one in known:
        arm = one[1]
        arm.there += 1
        promise = arm.won / arm.taken + CURIOSITY * sqrt(log(arm.there) / arm.taken)
        if promise > most:
            best, most = one, promise
    return best


@attrs.define
class Scale:
    """The range of scores in this game; maps a lead to a number between 0 and 1."""

    seen: int = 0
    sum: float = 0.0

    def worth(self, lead: float) -> float:
        """Returns the worth of a lead; no lead is worth one half."""
        self.seen += 1
        self.sum += abs(lead)
        return 0.5 + 0.5 * lead / (abs(lead) + self.sum / self.seen) if lead else 0.5


@attrs.define
class Leads:
    """The leads that one seat has reached; maps a lead to a number between 0 and 1, by its distance from their mean.

    Most options of a choice lead to nearly the same, so small differences must count (running mean: Welford 1962).

    >>> leads = Leads()
    >>> [round(leads.worth(lead), 2) for lead in (8.0, 8.0, 16.0, -50.0)]
    [0.5, 0.5, 0.85, 0.07]
    """

    seen: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def worth(self, lead: float) -> float:
        """Returns the worth of a lead; one like the others is worth one half."""
        self.seen += 1
        before = lead - self.mean
        self.mean += before / self.seen
        self.squares += before * (lead - self.mean)
        far = (lead - self.mean) / sqrt(self.squares / self.seen) if self.squares else 0.0
        return min(max(0.5 + 0.5 * far / FAR, 0.0), 1.0)


@attrs.define
class _Stop:
    """A position that an iteration has come to, at which somebody is asked."""

    machine: Machine
    pending: Pending | None
    is_kept: bool
    """Whether other iterations reuse it, since no chance has led here from a deal: then its machine must not be played on."""
    told: tuple[str, ...] = ()
    """The answers since the root that all have seen."""
    held: tuple[str, ...] = ()
    """The answers that are under seal."""
    node: InformationSet | None = None
    offered: dict[str, Answer] | None = None
    next: dict[str, _Stop] = attrs.field(factory=dict)
    """By option: where it leads, if that is kept."""


class _Deal(Deal):
    """A re-deal, and the first stop of iterations in it."""

    def __init__(self, match: BareMatch, seat: Seat, numbers: NumberedKnowledge) -> None:
        super().__init__(match, seat, numbers)
        self.beginning = _Stop(self.machine, self.machine.pending, is_kept=True)


class Search:
    """The search for one choice."""

    def __init__(self, seen: SeatView) -> None:
        self.seen, self.rng = seen, RandomStream("mcts", seen.rng.randrange(2**62))
        self.deals: list[_Deal] = []
        self.nodes: dict[Hashable, InformationSet] = {}
        self.scale, self.leads = Scale(), defaultdict[int, Leads](Leads)
        self.written: dict[tuple[int, Answer], str] = {}
        self.numbers = NumberedKnowledge()
        self.room = KEPT
        """How many more stops may be kept."""
        there = seen.options.first(MOST + 1)
        few = there if len(there) <= MOST else seen.options.some(MOST, seen.rng.randrange)
        self.options = {option.text: option for option in few}
        self.policy: ScorePolicy | None = None
        """The policy by which all play on; None if the rules define no score."""

    def best(self, iterations: int) -> Option:
        """Returns the best option found in a number of iterations."""
        root = self.root()
        if root.best_first:
            return self._by_halves(root, iterations)
        tried = self.tried_at_once(iterations) or self.tried_in_turn(root, iterations)
        best = max(tried, key=lambda one: (one.taken, one.won))
        return next(option for option in self.options.values() if option.answer == best.answer)

    def tried_in_turn(self, root: InformationSet, iterations: int) -> list[Tried]:
        """Returns the options as a number of iterations tried them, in the order in which they were taken first."""
        for number in range(iterations):
            self._iterate(root, self._deal(number), None)
        arms = root.arms or {text: Arm() for text in self.options}
        return [Tried(self.options[text].answer, arm.taken, arm.won) for text, arm in arms.items()]

    def tried_at_once(self, iterations: int) -> list[Tried] | None:
        """Returns the same from one call of machine code; None if that cannot search this game."""
        if not may_search(self.deals[0]):
            return None
        rules = iterations, LONGEST, WIDTH, CURIOSITY
        before, dealt = self.seen.rng.word, self._dealt(min(iterations, DEALS))
        tried = tried_at_once(self.seen.seat, dealt, self.options, *rules, self.rng.word)
        if tried is None:
            self._deal_again(before)
        return tried

    def _dealt(self, many: int) -> Beginnings:
        """Returns the first re-deals for machine code; one where all would be the same position."""
        first = self.deals[0]
        many = many if first.varies else 1
        dealt = dealt_at_once(self.seen, first, self.options, many) if many > 1 else None
        return dealt or dealt_in_turn([self._deal(number) for number in range(many)], self.seen.seat, self.options)

    def _deal_again(self, before: int) -> None:
        """Has re-deals that machine code made be made once more, in Python."""
        if len(self.deals) == 1:
            self.seen.rng.word = before

    # -------------------------------------------------------------- by the score

    def _by_halves(self, root: InformationSet, iterations: int) -> Option:
        """Returns the best of the options that look best: all are tried alike, and the worse half is dropped until one is left.

        The favourite, which looks best, stays to the end: only what beat it by more than chance is taken instead.
        """
        texts = root.best_first[: min(max(iterations // (2 * LEAST_TRIES), 2), CANDIDATES)]
        before, at_once = self.seen.rng.word, self.tries_at_once(texts, iterations)
        best = None if at_once is None else halved(texts, iterations, at_once)
        if best is None:
            self._deal_again(before)
            best = halved(texts, iterations, self.tries_in_turn(root, texts))
        assert best is not None
        return self.options[best]

    def tries_in_turn(self, root: InformationSet, texts: list[str]) -> Tries:
        """Returns a function that tries options."""
        root.arms = {text: Arm() for text in texts}
        seeds, numbers = RandomStream.at(self.rng.word), count()

        def tried(some: Sequence[str], tries: int) -> list[list[float]]:
            found: list[list[float]] = [[] for _ in some]
            for number in islice(numbers, tries):
                word = mixed(seeds.randrange(2**62))
                for text, worths in zip(some, found, strict=True):
                    self.rng = RandomStream.at(word)
                    worths.append(self._iterate(root, self._deal(number), text)[self.seen.seat])
            return found

        return tried

    def tries_at_once(self, texts: list[str], iterations: int) -> Tries | None:
        """Returns a function that does the same in machine code; None if that cannot search this game."""
        if not may_search(self.deals[0]) or self.policy is None:
            return None
        dealt = self._dealt(min(sum(tries_by_round(iterations, len(texts))), FEW_DEALS))
        rules = LONGEST, NARROW, CURIOSITY, FLAT, AHEAD, REPLIES * self.policy.players
        return tries_at_once(self.seen.seat, dealt, texts, *rules, self.policy.thought(), self.rng.word)

    def _deal(self, number: int) -> _Deal:
        """Returns the re-deal of a try: a new one for each, then those again."""
        most = DEALS if self.policy is None else FEW_DEALS
        if len(self.deals) < most and number >= len(self.deals):
            deal, first = _Deal(self.seen.redeal(), self.seen.seat, self.numbers), self.deals[0]
            self.deals.append(first if deal.like(first) else deal)
        return self.deals[number % len(self.deals)]

    def root(self) -> InformationSet:
        """Returns the node of the seat that searches, whose options are ranked as `greedy` ranks them."""
        deal = self.seen.redeal()
        self.deals.append(_Deal(deal, self.seen.seat, self.numbers))
        if deal.game.score is None:
            return InformationSet()
        self.policy = policy_for(self.seen, deal)
        best_first = [option.text for option, _ in ranked(self.seen, [deal], self.policy)]
        self.policy.few = COMPARED
        return InformationSet(best_first=best_first)

    def _iterate(self, root: InformationSet, deal: _Deal, first: str | None) -> list[float]:
        """Imagines one game, which begins with the option `first` where one is given; returns its worth to each seat."""
        stop, dice = deal.beginning, deal.dice(self.rng.randrange(2**62))
        path: list[tuple[int, Arm]] = []
        try:
            worth = self._descend(stop, dice, deal, root, first, path)
        except RuntimeRules:
            worth = [0.0] * deal.players
        for seat, arm in path:
            arm.taken += 1
            arm.won += worth[seat]
        return worth

    def _descend(
        self, stop: _Stop, dice: Dice, deal: _Deal, root: InformationSet, first: str | None, path: list[tuple[int, Arm]]
    ) -> list[float]:
        """Descends to the first new option and takes it; returns its worth to each seat, by the policy or a random
        game."""
        while stop.pending is not None:
            at_root = not path
            seat = self.seen.seat if at_root else stop.pending.seats[0]
            stop.machine.chance = dice
            node, offered = stop.node, stop.offered
            if node is None or offered is None:
                node, offered = self._asked(stop, deal, root if at_root else None, seat)
            if not offered:
                break
            text, arm = node.chosen(offered, self.rng) if first is None or not at_root else (first, node.arms[first])
            path.append((seat, arm))
            if text not in offered:
                return [0.0] * deal.players
            if self.policy is not None and arm.taken < (FLAT if at_root else 1):
                return self._led_to(self.policy, stop.machine, seat, offered[text])
            stop = self._next(stop, dice, deal, seat, text, offered[text])
            if arm.taken == 0:
                break
        machine = stop.machine.fork() if stop.is_kept else stop.machine
        machine.chance = dice
        playout(machine, self.rng, LONGEST)
        return self._worth(machine, deal.players)

    def _asked(
        self, stop: _Stop, deal: _Deal, root: InformationSet | None, seat: Seat
    ) -> tuple[InformationSet, dict[str, Answer]]:
        """Returns the node of a seat that is asked, and what it may answer."""
        assert stop.pending is not None
        offered = stop.offered
        if offered is None:
            offered, are_all = self._offered(stop.machine, stop.pending, seat)
            if root is not None:
                offered = {text: answer for text, answer in offered.items() if text in self.options}
            if are_all or root is not None:
                stop.offered = offered
        if stop.node is None:
            key = (seat, deal.known_to(seat), deal.open_to_all(stop.machine), deal.asked_of(stop.pending), stop.told)
            stop.node = self._node(key, stop.machine, stop.pending, seat) if root is None else root
        return stop.node, offered

    def _next(self, stop: _Stop, dice: Dice, deal: _Deal, seat: Seat, text: str, answer: Answer) -> _Stop:
        """Returns the position that an answer leads to."""
        kept = stop.next.get(text)
        if kept is not None:
            return kept
        machine, asked, told = stop.machine, stop.pending, stop.told
        assert asked is not None
        if stop.is_kept:
            machine = machine.fork()
            machine.chance = dice
        machine.answer(seat, answer)
        pending, held = machine.pending, (*stop.held, deal.seen_of(asked, seat, text, answer))
        if pending is None or pending.choice != asked.choice or not set(pending.seats) < set(asked.seats):
            told, held = told + held, ()
        is_kept = stop.is_kept and self.room > 0 and not deal.has_drawn(machine)
        found = _Stop(machine, pending, is_kept, told, held)
        if is_kept:
            stop.next[text] = found
            self.room -= 1
        return found

    def _node(self, key: Hashable, machine: Machine, pending: Pending, seat: Seat) -> InformationSet:
        """Returns a chooser's node; at a new one, the options that the policy prefers come first."""
        node = self.nodes.get(key)
        if node is None:
            node = self.nodes[key] = InformationSet()
            if self.policy is not None:
                self.policy.rng = RandomStream.at(mixed(self.rng.randrange(2**62)))
                best = self.policy.choose(machine, seat)
                node.best_first = [form(machine, machine.game.choices[pending.choice], seat, best)]
                node.width = NARROW
        return node

    def _led_to(self, policy: ScorePolicy, machine: Machine, seat: Seat, answer: Answer) -> list[float]:
        """Returns the worth of an answer to each seat, from 0 to 1, by the lead after all have played on by the
        policy."""
        policy.rng = RandomStream.at(mixed(self.rng.randrange(2**62)))
        lead = policy.lead_after(machine, seat, answer, machine.chance, AHEAD, REPLIES * policy.players)
        won = self.leads[seat].worth(lead) if abs(lead) < ENDED / 2 else float(lead > 0)
        return [won if other == seat else 1 - won for other in seats_of(policy.players)]

    def _offered(self, machine: Machine, pending: Pending, seat: Seat) -> tuple[dict[str, Answer], bool]:
        """Returns a seat's possible answers, by written form, and whether they are all; a sample if they are too many to
        list."""
        offer = Offer(machine, seat)
        answers = offer.few
        are_all = answers is not None
        if answers is None:
            answers = tuple(offer.some(MOST, self.rng.randrange))
        game, written = machine.game, self.written
        for answer in answers:
            if (pending.choice, answer) not in written:
                written[pending.choice, answer] = written_answer(game, game.choices[pending.choice], answer)
        texts = [written[pending.choice, answer] for answer in answers]
        if len(set(texts)) < len(texts):
            texts = forms(machine, game.choices[pending.choice], seat, answers)
        return dict(zip(texts, answers, strict=True)), are_all

    def _worth(self, machine: Machine, players: int) -> list[float]:
        """Returns the worth of the final position to each seat,
        from 0 to 1: its share of the win, or the worth of its lead.
        """
        row = machine.row
        how, value = row[OUTCOME], row[OUTCOME_VALUE]
        if how in (WINNER, RANKING):
            winners = members(value if how == WINNER else value & (1 << GROUP) - 1)
            return [1 / len(winners) if seat in winners else 0.0 for seat in seats_of(players)]
        if how not in (PLAYING, UNDECIDED, SCORE):
            return [0.0] * players
        scores = [value if how == SCORE else machine.score(seat) or 0 for seat in seats_of(players)]
        best, *others = sorted(scores, reverse=True)
        return [self.scale.worth(score - (best if score < best else others[0] if others else 0)) for score in scores]


def tries_by_round(iterations: int, many: int) -> list[int]:
    """Returns how often the options that are left are tried in each round, of so many at first.

    >>> tries_by_round(60, 5)
    [4, 7, 10]
    """
    others = many - 1
    rounds, spent, found = max(others.bit_length(), 1), 0, list[int]()
    for n in range(1, rounds + 1):
        due = iterations * n // rounds - spent
        found.append(max(-(-due // (1 + others)), 0) if others else 0)
        spent += found[-1] * (1 + others)
        others = (others + 1) // 2
    return found


def halved(texts: Sequence[str], iterations: int, tried: Tries) -> str | None:
    """Returns the option that is left, given a function that tries some; None if that cannot go on."""
    favourite, *others = texts
    arms, led = {text: Arm() for text in texts}, {text: list[float]() for text in texts}
    for tries in tries_by_round(iterations, len(texts)):
        worths = tried([favourite, *others], tries)
        if worths is None:
            return None
        for text, some in zip((favourite, *others), worths, strict=True):
            led[text] += some
            for worth in some:
                arms[text].taken += 1
                arms[text].won += worth
        others.sort(key=lambda text: -arms[text].mean)
        others = others[: (len(others) + 1) // 2]
    return others[0] if others and _is_better(led[others[0]], led[favourite]) else favourite


def _is_better(one: list[float], other: list[float]) -> bool:
    """Returns whether one row of results is better than another by more than chance, where each pair met the same chance.

    >>> _is_better([0.6, 0.7, 0.6, 0.7], [0.5, 0.6, 0.4, 0.6]), _is_better([0.9, 0.1, 0.6], [0.5, 0.5, 0.5])
    (True, False)
    """
    gains = [a - b for a, b in zip(one, other, strict=True)]
    return sum(gains) > SURE * sqrt(sum(gain * gain for gain in gains))
