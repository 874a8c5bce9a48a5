"""A seat's memory -> one course that fits it, found by small changes: for matches with too many courses to list.

The chain begins with a deal that agrees with what the seat has seen of each draw. While the match, replayed with it,
does not show the seat what it has seen, it makes changes: it swaps two things in a shuffle, rolls a die again, or
changes an answer. A change is kept if the course fits at least as far as before. After the first course that fits, a
change is kept only if the whole course still fits, with the probability that the weights of both courses give
(Metropolis). Every change is as likely as its reverse, so the chain keeps the distribution from which `listing` draws.
Answers of others are weighted by a policy; without one, unseen answers are weighted evenly over the legal ones that
looked the same.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TypeAlias

import attrs

from rulelang.errors import RulelangError
from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Row, Thing
from rulelang.knowledge.guesses import Rng, shuffled
from rulelang.machines.chance import ChanceOutcome, ImpossibleOutcome
from rulelang.machines.machine import Answer
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from rulelang.match.redeals.memory import Lot, sighting
from rulelang.match.redeals.retrace import Retrace, Spent
from rulelang.program.layout import Layout

Swap: TypeAlias = tuple[int, int]
"""Two things that are swapped."""


class RetoldChance:
    """Chance that draws what a script says; draws that it leaves open are random, but agree with the seat's memory."""

    def __init__(
        self, game: GameRules, layout: Layout, lots: tuple[Lot, ...], script: Script, rng: Rng, swap: Swap
    ) -> None:
        self._game, self._layout, self._lots = game, layout, lots
        self._script, self._rng, self._swap = script, rng, swap
        self._drawn = 0

    def _next(self, row: Row, stream: int) -> tuple[Lot | None, ChanceOutcome | None]:
        row[self._layout.counters + stream] += 1
        at, self._drawn = self._drawn, self._drawn + 1
        said = self._script[at] if at < len(self._script) else None
        return (self._lots[at] if at < len(self._lots) else None), said

    def roll(self, row: Row, stream: int, faces: tuple[int, ...]) -> int:
        """Returns the face in the script, or a random one."""
        return self._one(*self._next(row, stream), list(faces))

    def pick(self, row: Row, stream: int, among: list[int]) -> int:
        """Returns the value in the script, or a random one."""
        return self._one(*self._next(row, stream), among)

    def _one(self, lot: Lot | None, said: ChanceOutcome | None, among: list[int]) -> int:
        known = lot.known if lot is not None else None
        if said is None and known in among:
            said = known
        if said is None:
            return among[self._rng.randrange(len(among))]
        assert isinstance(said, int)
        if said not in among:
            (said,) = exchanged((said,), self._swap)
        if said not in among:
            raise ImpossibleOutcome("what is supposed cannot be drawn")
        return said

    def shuffle(self, row: Row, stream: int, kind: int, things: list[Thing]) -> list[int]:
        """Returns the order in the script, or a random one."""
        lot, said = self._next(row, stream)
        if isinstance(said, tuple):
            if sorted(said) != sorted(things):
                said = exchanged(said, self._swap)
            if sorted(said) != sorted(things):
                raise ImpossibleOutcome("what is supposed is not what is shuffled")
            return list(said)
        classes, left = self._game.kinds[kind].classes, shuffled(sorted(things), self._rng)
        order: dict[int, int] = {}
        for place in lot.places if lot is not None and lot.size == len(things) else ():
            if place.thing is not None:
                like = classes[place.thing]
                order[place.at] = next((t for t in left if classes[t] == like), left[0])
                left.remove(order[place.at])
        rest = iter(left)
        return [order[at] if at in order else next(rest) for at in range(len(things))]


Script: TypeAlias = tuple[ChanceOutcome | None, ...]
"""The draws of a step; None for one that is drawn anew."""


def exchanged(order: tuple[int, ...], swap: Swap) -> tuple[int, ...]:
    """Returns an order with two things swapped, even if only one of them is in it.

    >>> exchanged((4, 7, 1), (7, 2))
    (4, 2, 1)
    """
    one, other = swap
    return tuple(other if thing == one else one if thing == other else thing for thing in order)


TURNS = 6
"""The number of changes that the chain tries for each changeable part, if the budget lasts."""
SHORTEST = 60
"""The fewest changes that it tries."""
MENDS = 8
"""While no course fits, one change in this many is random; the others repair what does not fit, if it can be found."""
NEUTRAL = 6
"""While no course fits, one in this many changes that do not repair the misfit at once is tried all the same."""


@attrs.frozen(eq=False)
class CourseStop:
    """A course at one stop: the match there, the draws before it, and the next answer."""

    match: BareMatch
    script: Script
    option: Option | None = None
    share: Fraction = Fraction(1)
    """The probability of the answer, by a policy or among the others that look the same."""


@attrs.frozen(eq=False)
class Proposal:
    """A small change of a course: the stop at which it begins,
    the new script there, and two things that are swapped."""

    step: int
    script: Script | None = None
    answers_anew: bool = False
    swap: Swap = (-1, -1)
    kind: int | None = None
    """The kind of those things."""


@attrs.define
class CourseChain:
    """A Markov chain that searches for a course that fits, then
    changes it until it is a random one of those that fit."""

    retrace: Retrace
    rng: Rng
    length: int = 0
    """The number of changes tried after the first course that fits."""

    def last(self) -> BareMatch | None:
        """Returns the chain's course when the budget is spent; None if no fitting course was found."""
        course: list[CourseStop] = []
        end = len(self.retrace.memory.moments)
        try:
            while not course:
                course = self._played([], Proposal(0))
            knobs = self._knobs()
            while knobs and self.length < max(SHORTEST, TURNS * len(knobs)):
                fits = len(course) == end
                self.retrace.budget.look()
                change = self._change(course, knobs)
                if change is not None:
                    self.length += fits
                    if not self._may_fit(course, change):
                        continue
                    other = self._played(course[: change.step], change, course)
                    course = other if self._is_kept(course, other, fits) else course
        except Spent:
            pass
        return course[-1].match if len(course) == end else None

    def _is_kept(self, course: list[CourseStop], other: list[CourseStop], fits: bool) -> bool:
        if not fits or len(other) < len(course):
            return len(other) >= len(course)
        share = Fraction(1)
        for now, then in zip(course, other, strict=True):
            share *= then.share / now.share
        return share >= 1 or self.rng.randrange(share.denominator) < share.numerator

    # -------------------------------------------------------------- changes

    def _knobs(self) -> list[tuple[int, int, int]]:
        """Returns the changeable parts: step, draw (-1 for an answer), position in a shuffle."""
        found = []
        for step, moment in enumerate(self.retrace.memory.moments):
            for draw, lot in enumerate(moment.lots):
                if lot.form != "shuffle":
                    found += [(step, draw, -1)] if lot.known is None else []
                    continue
                found += [(step, draw, place.at) for place in lot.places if place.thing is None]
            if moment.seat not in (-1, self.retrace.memory.seat) and moment.open is None:
                found.append((step, -1, -1))
        return found

    def _change(self, course: list[CourseStop], knobs: list[tuple[int, int, int]]) -> Proposal | None:
        """Returns a change of a course, as likely as its reverse; while no course fits, one that may repair it."""
        moments = self.retrace.memory.moments
        if len(course) < len(moments) and self.rng.randrange(MENDS):
            mended = self._mended(course)
            if mended is not None:
                return mended
        step, draw, at = knobs[self.rng.randrange(len(knobs))]
        if step >= len(course):
            return None
        if draw < 0:
            return Proposal(step + 1, None, True)
        stop = course[step]
        if draw >= len(stop.script):
            return None
        order = stop.script[draw]
        if not isinstance(order, tuple):
            return Proposal(step, (*stop.script[:draw], None, *stop.script[draw + 1 :]))
        loose = self._loose(step, draw, order)
        to = loose[self.rng.randrange(len(loose))]
        if at >= len(order) or order[at] == order[to]:
            return None
        return self._swapped(course, step, draw, (order[at], order[to]))

    def _loose(self, step: int, draw: int, order: tuple[int, ...]) -> list[int]:
        """Returns the positions of a shuffle that the seat has not seen."""
        fixed = {place.at for place in self.retrace.memory.moments[step].lots[draw].places if place.thing is not None}
        return [i for i in range(len(order)) if i not in fixed]

    def _swapped(self, course: list[CourseStop], step: int, draw: int, swap: Swap) -> Proposal:
        script = course[step].script
        order = script[draw]
        assert isinstance(order, tuple)
        kind = self.retrace.memory.moments[step].lots[draw].kind
        return Proposal(step, (*script[:draw], exchanged(order, swap), *script[draw + 1 :]), False, swap, kind)

    def _mended(self, course: list[CourseStop]) -> Proposal | None:
        """Returns a change that puts the next revealed thing where
        it must have lain; None if no such thing is misplaced."""
        match, moment = course[-1].match, self.retrace.memory.moments[len(course) - 1]
        row, knows, seat = match.position.row, match.internals.moment.knowledge.knows, self.retrace.memory.seat
        for about in shuffled(list(range(len(moment.wanted))), self.rng):
            kind, place = moment.wanted[about].kind, moment.wanted[about].place
            classes, first = match.game.kinds[kind].classes, match.internals.layout.places[kind]
            there = [t for t in map(Thing, range(len(classes))) if row[first + t] == place and not knows(seat, kind, t)]
            need = Counter(one.like for one in moment.wanted if (one.kind, one.place) == (kind, place))
            have = Counter(classes[thing] for thing in there)
            like = moment.wanted[about].like
            if need[like] <= have[like]:
                continue
            others = {thing for thing in there if have[classes[thing]] > need[classes[thing]]}
            for step in reversed(range(len(course))):
                for draw, order in enumerate(course[step].script):
                    if not isinstance(order, tuple) or self.retrace.memory.moments[step].lots[draw].kind != kind:
                        continue
                    loose = [order[i] for i in self._loose(step, draw, order)]
                    away = [thing for thing in loose if thing in others]
                    come = [thing for thing in loose if classes[thing] == like and thing not in there]
                    if away and come:
                        swap = come[self.rng.randrange(len(come))], away[self.rng.randrange(len(away))]
                        return self._swapped(course, step, draw, swap)
        return None

    def _may_fit(self, course: list[CourseStop], change: Proposal) -> bool:
        """Returns whether a course may fit after a swap, checked stop by stop against the memory: faster than
        replaying it."""
        one, other = map(Thing, change.swap)
        kind, seat = change.kind, self.retrace.memory.seat
        if kind is None:
            return True
        to = list(range(self.retrace.match.game.kinds[kind].size))
        to[one], to[other] = other, one
        for step in range(change.step, len(course)):
            stop, moment = course[step], self.retrace.memory.moments[step]
            if step > change.step and any(isinstance(o, tuple) and (one in o or other in o) for o in stop.script):
                return True
            knowledge = stop.match.internals.moment.knowledge
            if knowledge.knows(seat, kind, one) or knowledge.knows(seat, kind, other):
                return False
            answer = moment.answer
            if moment.seat not in (-1, seat) and answer is not None:
                machine = stop.match.position.machine.fork()
                machine.row[:] = stop.match.internals.references.renamed(machine.row, {kind: to}, whose=False)
                if not machine.allows(moment.seat, answer):
                    # The misfit of the course may take more than one change to repair.
                    return stop.option is None and self.rng.randrange(NEUTRAL) == 0
        return True

    # -------------------------------------------------------------- replaying

    def _played(
        self, before: list[CourseStop], change: Proposal, old: list[CourseStop] | None = None
    ) -> list[CourseStop]:
        """Returns a course that continues some stops with a change, up to the last stop at which the seat would have
        seen what it saw.
        """
        course, old = list(before), old or []
        moments = self.retrace.memory.moments
        while len(course) < len(moments):
            step = len(course)
            script = change.script if step == change.step else None
            if script is None:
                script = (
                    old[step].script if step < len(old) and not (change.answers_anew and step == change.step) else ()
                )
            if step and not self._answers(course, change, old):
                break
            stop = self._step(course, script, change.swap)
            if stop is None:
                break
            course.append(stop)
        return course

    def _step(self, course: list[CourseStop], script: Script, swap: Swap) -> CourseStop | None:
        retrace, step = self.retrace, len(course)
        moments, match = retrace.memory.moments, retrace.match
        retrace.budget.look()
        chance = RetoldChance(match.game, match.internals.layout, moments[step].lots, script, self.rng, swap)
        try:
            if step == 0:
                after = match.internals.again(chance)
            else:
                here, elapsed = course[-1], moments[step - 1].elapsed
                assert here.option is not None
                after = here.match.internals.fork_with(chance)
                after.push(here.option, elapsed=elapsed)
        except RulelangError:
            return None
        if sighting(after, retrace.memory.seat) != moments[step].sighting:
            return None
        chapter = after.internals.moment.chapter
        assert chapter is not None
        return CourseStop(after, tuple(draw.value for draw in chapter.trail.draws))

    def _answers(self, course: list[CourseStop], change: Proposal, old: list[CourseStop]) -> bool:
        """Settles the answer at the last stop; returns False if no
        legal answer looks like the one seen, or the change spoils it.
        """
        retrace, step, stop = self.retrace, len(course) - 1, course[-1]
        moment = retrace.memory.moments[step]
        shares = retrace.shares(stop.match, moment)
        fitting = list(shares)
        if not fitting:
            return False
        if moment.own is not None or moment.open is not None:
            same = [option for option in fitting if option.answer == moment.own]
            option = (same or fitting)[0]
            course[-1] = attrs.evolve(stop, option=option, share=shares[option])
            return True
        was = old[step].option if step < len(old) else None
        said = fitting
        if was is not None and not (change.answers_anew and change.step == step + 1):
            again = was.answer, self._renamed(was.answer, change.swap)
            said = [option for answer in again for option in fitting if option.answer == answer]
            if not said and len(old) < len(retrace.memory.moments):
                said = fitting
        if not said:
            return False
        option = said[0 if said is not fitting else self.rng.randrange(len(said))]
        course[-1] = attrs.evolve(stop, option=option, share=shares[option])
        return True

    @staticmethod
    def _renamed(answer: Answer, swap: Swap) -> Answer:
        return answer[0], *exchanged(answer[1:], swap)
