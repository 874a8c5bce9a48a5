"""A seat's memory -> the courses of the match that fit it:
the match is replayed with supposed draws and unseen answers.

A course is one way in which the match may have gone; it is kept as long as the
seat sees at every stop what it saw. Its weight is the probability of its draws;
where others answered unseen, the legal answers that look the same share it evenly.

    kuhn      first holds the king and has seen second bet
    courses   second holds the jack or the queen: each of weight 1/6
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import TypeAlias

import attrs

from rulelang.errors import RulelangError
from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Row, Thing
from rulelang.machines.chance import DrawForm
from rulelang.machines.explicit import NeedsChance, depths_in
from rulelang.machines.machine import Chance
from rulelang.machines.offers.offer import MOST
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from rulelang.match.redeals.memory import Lot, Memory, SeenStop, look_of, sighting
from rulelang.program.equivalence import likeness
from rulelang.program.layout import Layout

AnswerPolicy: TypeAlias = Callable[[BareMatch, Sequence[Option]], Sequence[Fraction | int]]
"""A seat's way of choosing: a match in which it is asked, and its options -> the weights of the options."""

Given: TypeAlias = tuple[int, ...]
"""A supposed draw: a face, a value, or the things at the positions of a shuffle that make a difference."""


class Spent(Exception):
    """Raised when the budget is spent."""


@attrs.define
class Budget:
    """The number of positions that may be visited."""

    most: int
    looked: int = 0

    def look(self) -> None:
        """Counts one position; raises Spent if the budget is used up."""
        if self.looked >= self.most:
            raise Spent
        self.looked += 1


class Supposed:
    """Chance that gives the supposed draws of a step, and raises `NeedsChance` for a draw that is not supposed yet.

    Among things that nobody can tell apart, one stands for all. The positions of a shuffle that make no difference are
    filled in the order in which things are declared.
    """

    def __init__(
        self, game: GameRules, layout: Layout, lots: tuple[Lot, ...], given: Given, kinds: dict[int, int]
    ) -> None:
        self._game, self._layout, self._kinds = game, layout, kinds
        self._lots, self._given = lots, given
        self._drawn = 0
        self.needs: NeedsChance | None = None

    def _lot(self, row: Row, form: DrawForm, stream: int) -> Lot:
        row[self._layout.counters + stream] += 1
        at, self._drawn = self._drawn, self._drawn + 1
        lot = self._lots[at] if at < len(self._lots) else None
        return lot if lot is not None and (lot.form, lot.stream) == (form, stream) else Lot(form, stream)

    def roll(self, row: Row, stream: int, faces: tuple[int, ...]) -> int:
        """Returns the supposed face."""
        lot = self._lot(row, "roll", stream)
        return self._settle(stream, {(f,): [f] * faces.count(f) for f in sorted(set(faces))}, lot.known)

    def _class_of(self, kind: int | None, known: int | None) -> int | None:
        return known if kind is None or known is None or known < 0 else self._game.kinds[kind].classes[known]

    def pick(self, row: Row, stream: int, among: list[int]) -> int:
        """Returns the supposed value."""
        lot = self._lot(row, "pick", stream)
        kind = self._kinds.get(stream)
        groups = self._alike(row, kind, among)
        if kind is not None:
            # Which of two copies leaves a pile decides the order of the others there.
            depths = depths_in(self._game, self._layout, row, kind)
            places: dict[tuple[int, ...], list[int]] = {}
            for like, group in groups.items():
                for value in group:
                    places.setdefault((*like, depths.get(value, -1)), []).append(value)
            groups = places
        return self._settle(stream, groups, self._class_of(kind, lot.known))

    def shuffle(self, row: Row, stream: int, kind: int, things: list[Thing]) -> list[int]:
        """Returns an order with the supposed things at the positions that make a difference."""
        lot = self._lot(row, "shuffle", stream)
        size = len(things)
        places = [(p.at, p.thing) for p in lot.places] if lot.size == size else [(at, None) for at in range(size)]
        left: list[int] = sorted(things)
        groups = self._alike(row, kind, things)
        order: dict[int, int] = {}
        for at, thing in places:
            order[at] = self._settle(stream, groups, self._class_of(kind, thing))
            left.remove(order[at])
            like = next(like for like, group in groups.items() if group[0] == order[at])
            groups[like] = groups[like][1:]
            if not groups[like]:
                del groups[like]
        rest = iter(left)
        return [order[at] if at in order else next(rest) for at in range(size)]

    def _alike(self, row: Row, kind: int | None, among: Sequence[int]) -> dict[tuple[int, ...], list[int]]:
        groups: dict[tuple[int, ...], list[int]] = {}
        for value in sorted(among):
            like = (value,) if kind is None else likeness(self._game, self._layout, row, kind, Thing(value))
            groups.setdefault(like, []).append(value)
        return groups

    def _settle(self, stream: int, groups: dict[tuple[int, ...], list[int]], known: int | None) -> int:
        total = sum(len(group) for group in groups.values())
        could = [group for like, group in groups.items() if known in (None, like[0])]
        if self._given:
            value, self._given = self._given[0], self._given[1:]
            return value
        self.needs = NeedsChance(stream, tuple((group[0], Fraction(len(group), total)) for group in could))
        raise self.needs


@attrs.frozen(eq=False)
class Course:
    """A way in which the match may have gone, up to a stop."""

    match: BareMatch
    at: int
    """The number of the stop in the memory."""
    weight: Fraction


@attrs.define
class Retrace:
    """Replays a match for a seat that remembers it."""

    match: BareMatch
    memory: Memory
    budget: Budget
    policy: AnswerPolicy | None = None

    def beginnings(self) -> Iterator[Course]:
        """Yields the ways in which the match may have begun."""
        for match, weight in self._drawn(0, self.match.internals.again):
            yield from self._kept(match, 0, weight)

    def onward(self, course: Course) -> Iterator[Course]:
        """Yields the ways in which a course may go on to the next stop."""
        moment, at = self.memory.moments[course.at], course.at + 1
        ways: list[tuple[Fraction, list[Course]]] = []
        for option, share in self.answers(course.match, moment):
            played = self._drawn(at, partial(self._answered, course.match, option, moment))
            kept = [one for match, weight in played for one in self._kept(match, at, course.weight * weight)]
            if kept:
                ways.append((share, kept))
        for share, kept in ways:
            # Without a policy, the answers that look the same share the weight evenly; an open answer has it to itself.
            part = share if self.policy is not None else Fraction(1, len(ways))
            yield from (attrs.evolve(one, weight=one.weight * part) for one in kept)

    @staticmethod
    def _answered(match: BareMatch, option: Option, moment: SeenStop, chance: Chance) -> BareMatch:
        after = match.internals.fork_with(chance)
        after.push(option, elapsed=moment.elapsed)
        return after

    def answers(self, match: BareMatch, moment: SeenStop) -> list[tuple[Option, Fraction]]:
        """Returns the options that look to the seat like the answer
        given, each with its probability under the policy."""
        mine = self.memory.seat
        options = self._options(match, moment)
        fitting = [option for option in options if self._fits(match, option, moment)]
        if not fitting:
            return []
        if moment.seat == mine:
            same = [option for option in fitting if option.answer == moment.own]
            return [((same or fitting)[0], Fraction(1))]
        if self.policy is None:
            return [(option, Fraction(1)) for option in fitting]
        weights = [Fraction(weight) for weight in self.policy(match, options)]
        total = sum(weights)
        of = zip(options, weights, strict=True)
        return [(option, weight / total) for option, weight in of if option in fitting and weight]

    def shares(self, match: BareMatch, moment: SeenStop) -> dict[Option, Fraction]:
        """Returns the options that look to the seat like the answer given, each with its probability."""
        fitting = self.fitting(match, moment)
        if moment.seat == self.memory.seat or (self.policy is None and moment.open is not None):
            return dict.fromkeys(fitting, Fraction(1))
        if self.policy is None:
            return dict.fromkeys(fitting, Fraction(1, max(len(fitting), 1)))
        likely = {option.answer: share for option, share in self.answers(match, moment)}
        return {option: likely[option.answer] for option in fitting if option.answer in likely}

    def fitting(self, match: BareMatch, moment: SeenStop) -> list[Option]:
        """Returns the options that look to the seat like the answer
        given; found by its text if the seat reads all of it."""
        options = self._options(match, moment)
        if moment.open is not None:
            options = [option for option in options if option.text == moment.open]
        return [option for option in options if self._fits(match, option, moment)]

    def _fits(self, match: BareMatch, option: Option, moment: SeenStop) -> bool:
        return look_of(match, option.seat, option.answer, self.memory.seat) == moment.look

    @staticmethod
    def _options(match: BareMatch, moment: SeenStop) -> list[Option]:
        options = match.options_of(moment.seat).unlabelled().first(MOST)
        if len(options) == MOST:
            raise Spent
        return options

    def _kept(self, match: BareMatch, at: int, weight: Fraction) -> Iterator[Course]:
        if sighting(match, self.memory.seat) == self.memory.moments[at].sighting:
            yield Course(match, at, weight)

    def _drawn(self, at: int, play: Callable[[Chance], BareMatch]) -> Iterator[tuple[BareMatch, Fraction]]:
        """Yields the match after a step, for all possible draws, with their probabilities."""
        match, lots = self.match, self.memory.moments[at].lots
        waiting: list[tuple[Given, Fraction]] = [((), Fraction(1))]
        while waiting:
            given, weight = waiting.pop()
            self.budget.look()
            chance = Supposed(match.game, match.internals.layout, lots, given, match.internals.secrets.picks)
            try:
                played = play(chance)
            except RulelangError:
                continue
            if chance.needs is None:
                yield played, weight
            else:
                waiting.extend(((*given, int(o)), weight * p) for o, p in reversed(chance.needs.outcomes))
