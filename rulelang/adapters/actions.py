"""A game's answers <-> numbers of actions, the same in every match: a fixed space, derived from the rules alone.

    drop(1) … drop(7)              0 … 6
    bet, check, call, fold         0 … 3        one number for `bet`, whichever question offers it

Each branch of each choice is a block of numbers, one for each combination of the values of its parameters; branches with
the same name and the same types share one. Interchangeable things are one value. A second option that is written alike
(`take(ruby)#2`) has the number of a copy.

A block of more than MOST_NUMBERED is left out, as where any set of 92 cards may be named. Options without a number of their
own take the last OTHERS numbers, in the order of their written forms: only there the meaning of a number depends on what else is
on offer. Options beyond these cannot be taken, and `Legal.left_out` counts them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from math import prod
from typing import TypeAlias

import attrs

from rulelang.adapters.domains import Domain, NumberedLooks, NumberedSets, domain_of
from rulelang.errors import RulelangError, Uncountable, UnknownOption
from rulelang.ir.model import Branch, Choice, GameRules
from rulelang.ir.numbers import Seat
from rulelang.knowledge.redaction import VALUE, written_answer
from rulelang.machines.machine import Answer
from rulelang.machines.offers.offer import MOST, Offer
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option, Options

MOST_NUMBERED = 65_536
"""The most numbers of one block."""
OTHERS = 256
"""The numbers for options that have none of their own."""

BlockKey: TypeAlias = tuple[str, tuple[Domain, ...]]
"""A name and the domains of the parameters: branches with the same are the same action."""


@attrs.frozen
class ActionBlock:
    """The numbers from `first` on that stand for one action."""

    name: str
    domains: tuple[Domain, ...]
    first: int
    size: int
    choice: int
    """The first choice that offers it …"""
    branch: int
    """… and the branch there."""

    def number(self, values: Iterable[int]) -> int:
        """Returns the number of an answer by its values."""
        number = 0
        for domain, value in zip(self.domains, values, strict=True):
            number = number * domain.size + domain.number(value)
        return self.first + number

    def values(self, number: int) -> tuple[int, ...]:
        """Returns the values that a number stands for."""
        number -= self.first
        found: list[int] = []
        for domain in reversed(self.domains):
            number, at = divmod(number, domain.size)
            found.insert(0, domain.value(at))
        return tuple(found)

    def copy_of(self, values: tuple[int, ...], copy: int) -> int | None:
        """Returns the number of the n-th option, from 0, that is written like one; None if it has none of its own."""
        number = self.number(values)
        if copy == 0:
            return number
        for at, (domain, value) in enumerate(zip(self.domains, values, strict=True)):
            things = domain.copies(value)
            if things:
                step = prod(domain.size for domain in self.domains[at + 1 :])
                return number + (things[copy] - things[0]) * step if copy < len(things) else None
        return None


@attrs.frozen
class Legal:
    """The legal options of a seat by number, ascending, and how many there are that no number is left for."""

    options: Mapping[int, Option]
    left_out: int = 0


NOTHING_LEGAL = Legal({})


class Actions:
    """The numbers of all answers of a game, from 0 up to `size`.

    >>> from rulelang import load
    >>> game = load("tests/classics/connect_four.rules")
    >>> actions = Actions(game.ir)
    >>> actions.size, actions.text(3)
    (7, 'drop(4)')
    >>> [*actions.legal(game.start().options, 0).options]
    [0, 1, 2, 3, 4, 5, 6]
    """

    def __init__(self, game: GameRules) -> None:
        self.game = game
        self.blocks: list[ActionBlock] = []
        self.unnumbered: list[str] = []
        """The names of the actions that have too many answers for numbers of their own."""
        self._of: dict[tuple[int, int], ActionBlock | None] = {}
        """By choice and branch; None if its answers have no numbers."""
        known: dict[BlockKey, ActionBlock | None] = {}
        for choice in game.choices:
            for number, branch in enumerate(choice.branches):
                key = _key(game, choice, branch)
                if key not in known:
                    known[key] = self._add(*key, choice.id, number)
                self._of[choice.id, number] = known[key]
        self.first_other = sum(block.size for block in self.blocks)
        self.others = OTHERS if self._wants_others else 0
        self.size = self.first_other + self.others

    def _add(self, name: str, domains: tuple[Domain, ...], choice: int, branch: int) -> ActionBlock | None:
        size = prod(domain.size for domain in domains)
        if size > MOST_NUMBERED:
            domains = tuple(domain.by_look for domain in domains)
            size = prod(domain.size for domain in domains)
        if size > MOST_NUMBERED:
            self.unnumbered.append(name)
            return None
        first = self.blocks[-1].first + self.blocks[-1].size if self.blocks else 0
        self.blocks.append(ActionBlock(name, domains, first, size, choice, branch))
        return self.blocks[-1]

    @property
    def _wants_others(self) -> bool:
        """Whether some option may have no number of its own."""
        of_copies = (
            isinstance(domain, NumberedLooks)
            or (isinstance(domain, NumberedSets) and len(domain.room) < len(domain.classes))
            for block in self.blocks
            for domain in block.domains
        )
        return bool(self.unnumbered) or any(of_copies)

    # -------------------------------------------------------------- options -> numbers

    def legal(self, options: Options, seat: Seat | int) -> Legal:
        """Returns the numbers of a seat's options; none if it is not asked."""
        offer = options.offer(Seat(seat))
        answers = offer.first(MOST)
        if not answers:
            return NOTHING_LEGAL
        left_out = _beyond(offer) if len(answers) == MOST else 0
        given = options.options(Seat(seat), answers)
        own = [self._own(options.choice, option.answer) for option in given]
        found: dict[int, Option] = {}
        waiting: list[Option] = []
        many = Counter(own)
        for option, number in zip(given, own, strict=True):
            block = self._of[options.choice.id, option.answer[0]]
            if number is not None and many[number] > 1 and block is not None:
                number = block.copy_of(option.answer[1:], int(options.number_of(option)[1:] or 1) - 1)
            if number is None:
                waiting.append(option)
            else:
                found[number] = option
        waiting.sort(key=lambda option: option.text)
        found |= zip(range(self.first_other, self.size), waiting, strict=False)
        return Legal(dict(sorted(found.items())), left_out + max(0, len(waiting) - self.others))

    def _own(self, choice: Choice, answer: Answer) -> int | None:
        """Returns the number of an answer that it shares with those written alike; None if it has none."""
        block = self._of[choice.id, answer[0]]
        if block is None:
            return None
        try:
            return block.number(answer[1:])
        except (KeyError, IndexError):  # a set of a size that its bounds, read from the rules, do not foresee
            return None

    # -------------------------------------------------------------- numbers -> words

    def block_at(self, choice: int, branch: int) -> ActionBlock | None:
        """Returns the block of a branch of a choice; None if its answers have no numbers of their own."""
        return self._of[choice, branch]

    def block_of(self, number: int) -> ActionBlock | None:
        """Returns the block of a number; None for one of the last, whose meaning depends on the position."""
        if not 0 <= number < self.first_other:
            return None
        return self.blocks[bisect_right(self._firsts, number) - 1]

    @cached_property
    def _firsts(self) -> list[int]:
        return [block.first for block in self.blocks]

    def text(self, number: int) -> str:
        """Returns the written form of the answer that a number stands for."""
        block = self.block_of(number)
        if block is None:
            return f"other option {number - self.first_other + 1}"
        return written_answer(self.game, self.game.choices[block.choice], (block.branch, *block.values(number)))

    def why_not(self, match: BareMatch, seat: int, number: int) -> str | None:
        """Returns the words why a seat may not take an action now, with the clauses; None if it may."""
        if not 0 <= number < self.size:
            return f"actions have numbers from 0 to {self.size - 1}, not {number}"
        if seat not in match.to_move:
            over = match.outcome is not None
            return "the game is over" if over else f"{match.seats[seat]} has nothing to choose now"
        legal = self.legal(match.options_of(seat), seat)
        if number in legal.options:
            return None
        block, choice = self.block_of(number), match.choice
        assert choice is not None
        if block is None:
            return f"there are fewer options without a number of their own: {number} stands for none"
        if all(self._of[choice.id, branch] is not block for branch in range(len(choice.branches))):
            question = match.prompt(seat)
            return f"`{self.text(number)}` is no answer to this question" + (f": {question}" if question else "")
        try:
            reason = match.why_not(f"{match.seats[seat]}: {self.text(number)}")
        except (UnknownOption, RulelangError) as error:
            return str(error)
        return str(reason) if reason is not None else f"there are not so many of `{self.text(number)}`"


def _key(game: GameRules, choice: Choice, branch: Branch) -> BlockKey:
    # A choice of a value has no name of its own, and a value of another choice is another action.
    name = choice.name if branch.name == VALUE else branch.name
    return name, tuple(domain_of(game, parameter) for parameter in branch.parameters)


def _beyond(offer: Offer) -> int:
    """Returns the number of options beyond those that are listed; 1 if they cannot be counted."""
    try:
        return max(0, offer.count - MOST)
    except Uncountable:
        return 1
