"""A pending choice and a seat -> the options that it cannot choose now, each with the reason in the words of its rule.

    take(3)                  Only 2 left  [NIM-3]
    buy(red, 4 of cards)     It takes 4 of the cards that count as red, of which there are 2

A value outside its domain was never an option, unless the domain has too little to choose from: that is a Lack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulelang.errors import RuntimeRules
from rulelang.ir.model import Branch, Choice, Const, Local, Parameter
from rulelang.ir.numbers import Seat
from rulelang.ir.types import PLAYER, FlagType, IntType, KindType, SetType, Type, first_of, size_of
from rulelang.ir.walk import walk
from rulelang.machines import legal
from rulelang.machines.evaluate import Locals, sequence
from rulelang.machines.machine import Answer
from rulelang.machines.offers.offer import MOST
from rulelang.machines.walk import Evaluation
from rulelang.match.match import BareMatch
from rulelang.match.options.answers import on_offer
from rulelang.match.options.explain import Reason, needed
from rulelang.match.options.option import Option
from rulelang.match.options.shortage import lack

MOST_TRIED = 4_096
"""The most answers that are tried."""


@attrs.frozen
class Lack:
    """The beginning of an answer that nothing can complete, and the reason."""

    answer: Answer
    reason: Reason
    there: int
    """The number of things among which the next parameter would be chosen."""


@attrs.frozen
class _Unmet:
    """An answer, and the number of the first need of its branch that refuses it."""

    answer: Answer
    need: int


def refused(match: BareMatch, seat: Seat) -> Iterator[tuple[Option, Reason]]:
    """Yields the options that a rule forbids a seat at this choice, each written form once, in the order of the options."""
    choice = match.choice
    if choice is None or seat not in match.to_move:
        return
    shared, seen = on_offer(match.position, ()), {o.text for o in match.options_of(seat).first(MOST)}
    reasons: dict[tuple[int, ...], Reason] = {}
    for found in _tried(match, seat, choice):
        if isinstance(found, Lack):
            continue
        option = shared.option(seat, found.answer)
        if option.text not in seen:
            seen.add(option.text)
            yield option, _said(match, seat, choice, found, reasons)


def _said(
    match: BareMatch, seat: Seat, choice: Choice, found: _Unmet, reasons: dict[tuple[int, ...], Reason]
) -> Reason:
    """Returns the reason why an answer is refused; answers that share all that its words read share the reason."""
    answer = found.answer
    branch = choice.branches[answer[0]]
    need = branch.needs[found.need]
    read = {
        node.id for node in walk(need.condition if need.message is None else need.message) if isinstance(node, Local)
    }
    values = (value for one, value in zip(branch.parameters, answer[1:], strict=False) if one.variable.id in read)
    key = (answer[0], found.need, *values)
    if key not in reasons:
        reasons[key] = needed(match.position, choice, branch, need, answer, seat)
    return reasons[key]


def lacking(match: BareMatch, seat: Seat) -> Iterator[Lack]:
    """Yields the beginnings of answers for which there is too little to choose from."""
    choice = match.choice
    if choice is not None and seat in match.to_move:
        yield from (one for one in _tried(match, seat, choice) if isinstance(one, Lack))


def outside(match: BareMatch, seat: Seat) -> Iterator[Option]:
    """Yields the options with one value of the right type that is outside its domain: as the single parameter, or in
    place of another in an answer that could be thought of."""
    choice = match.choice
    if choice is None or seat not in match.to_move:
        return
    shared = on_offer(match.position, ())
    for number, branch in enumerate(choice.branches):
        like = (number, 0) if _takes_one(branch) else _thought_of(match, seat, choice, number)
        for at, parameter in enumerate(branch.parameters, start=1) if like else ():
            for value in _values(match, parameter):
                answer = (*like[:at], value, *like[at + 1 :])
                refusal = match.position.machine.refusal(seat, answer)
                if refusal is not None and refusal.need is None and refusal.parameter == at - 1:
                    yield shared.option(seat, answer)


def _thought_of(match: BareMatch, seat: Seat, choice: Choice, number: int) -> Answer:
    """Returns an answer of a branch with several parameters whose
    values are all in their domains; () if there is none."""
    legal = (option.answer for option in match.options_of(seat).first(MOST) if option.answer[0] == number)
    tried = (one.answer for one in _tried(match, seat, choice) if isinstance(one, _Unmet) and one.answer[0] == number)
    return next(legal, None) or next(tried, ())


def _tried(match: BareMatch, seat: Seat, choice: Choice) -> Iterator[_Unmet | Lack]:
    """Yields the answers that a need refuses, and what lacks."""
    position = match.position
    around = position.locals(choice, seat)
    for number, branch in enumerate(choice.branches):
        if legal.is_offered(choice, branch):
            trial = _Trial(match, seat, choice, branch, Evaluation(position.row, position.game, position.layout))
            yield from trial.completions((number,), dict(around))


@attrs.define
class _Trial:
    """The answers of one branch, tried one by one."""

    match: BareMatch
    seat: Seat
    choice: Choice
    branch: Branch
    look: Evaluation
    left: int = MOST_TRIED
    """The number of answers that may still be tried."""

    def completions(self, prefix: Answer, locals: Locals, unmet: int | None = None) -> Iterator[_Unmet | Lack]:
        """Yields the refused answers with a prefix, and the prefixes that cannot be completed.

        `unmet` is the first need that refuses all of them, of those that read less than the prefix.
        """
        self.left -= 1
        known = len(prefix) - 1
        if self.left < 0:
            return
        unmet = self._first_unmet(known, locals, unmet)
        if known == len(self.branch.parameters):
            if unmet is not None:
                yield _Unmet(prefix, unmet)
            return
        parameter = self.branch.parameters[known]
        try:
            candidates = self._candidates(known, locals)
        except (RuntimeRules, KeyError):
            return
        is_empty = True
        for value in candidates:
            is_empty = False
            yield from self.completions((*prefix, value), {**locals, parameter.variable.id: value}, unmet)
            if self.left < 0:
                return
        if is_empty:
            yield self._lack(prefix, locals)

    def _first_unmet(self, known: int, locals: Locals, unmet: int | None) -> int | None:
        """Returns the first need that does not hold, given the first of those that read fewer parameters."""
        for number, need in enumerate(self.branch.needs[:unmet]):
            if need.after == known and not legal.is_met(need, locals, self.look):
                return number
        return unmet

    def _candidates(self, known: int, locals: Locals) -> Iterable[int]:
        is_set = self.branch.parameters[known].low is not None
        return (legal.subsets if is_set else legal.singles)(self.choice, self.branch, known, locals, self.look)

    def _lack(self, prefix: Answer, locals: Locals) -> Lack:
        """Returns the reason why a prefix cannot be completed: an early need that does not hold, else what is there."""
        known, position = len(prefix) - 1, self.match.position
        there = len(sequence(self.branch.parameters[known].domain, self.look, dict(locals)))
        for need in self.branch.needs:
            if need.after <= known and not legal.is_met(need, locals, self.look):
                return Lack(prefix, needed(position, self.choice, self.branch, need, prefix, self.seat), there)
        return Lack(prefix, lack(position, self.branch, known, locals), there)


def _takes_one(branch: Branch) -> bool:
    """Returns whether a branch has a single parameter, of which one value or a set of one may be enough."""
    low = branch.parameters[0].low if len(branch.parameters) == 1 else Const(2)
    return low is None or (isinstance(low, Const) and low.value <= 1)


def _values(match: BareMatch, parameter: Parameter) -> Iterator[int]:
    """Yields the possible values of a parameter; for sets, those with one member."""
    type = parameter.variable.type
    if isinstance(type, SetType):
        yield from (1 << value for value in _of(match, type.element) if value >= 0)
    else:
        yield from _of(match, type)


def _of(match: BareMatch, type: Type) -> range:
    if isinstance(type, KindType) and type.name == PLAYER:
        return range(match.players)
    if isinstance(type, (IntType, FlagType, KindType)) or hasattr(type, "members"):
        return range(first_of(type), first_of(type) + size_of(type))
    return range(0)
