"""A pending choice and a seat -> the options that it cannot choose now, each with the reason in the words of its rule.

    take(3)     Only 2 left  [NIM-3]

Only options that a `needs` refuses are listed: a value outside its domain was never an option.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.ir.model import Branch, Parameter
from rulelang.ir.numbers import Seat
from rulelang.ir.types import PLAYER, FlagType, IntType, KindType, SetType, Type, first_of, size_of
from rulelang.machines.machine import Answer
from rulelang.machines.offers.offer import MOST
from rulelang.match.match import BareMatch
from rulelang.match.options.answers import Labelled
from rulelang.match.options.explain import Reason
from rulelang.match.options.option import Option

MOST_TRIED = 4_096
"""The most answers that are tried."""


def refused(match: BareMatch, seat: Seat) -> Iterator[tuple[Option, Reason]]:
    """Yields the options that a rule forbids a seat at this choice, each written form once, in the order of the options."""
    choice = match.choice
    if choice is None or seat not in match.to_move:
        return
    shared, seen = Labelled(match.position, choice), {o.text for o in match.options_of(seat).first(MOST)}
    for number, branch in enumerate(choice.branches):
        for answer in _refused(match, seat, branch, (number,), [MOST_TRIED]):
            option = shared.option(seat, answer)
            reason = match.why_not(option)
            if reason is not None and option.text not in seen:
                seen.add(option.text)
                yield option, reason


def outside(match: BareMatch, seat: Seat) -> Iterator[Option]:
    """Yields the options with a single parameter whose value has the right type but is outside the domain."""
    choice = match.choice
    if choice is None or seat not in match.to_move:
        return
    shared = Labelled(match.position, choice)
    for number, branch in enumerate(choice.branches):
        for value in _values(match, branch.parameters[0]) if len(branch.parameters) == 1 else ():
            refusal = match.position.machine.refusal(seat, (number, value))
            if refusal is not None and refusal.need is None:
                yield shared.option(seat, (number, value))


def _refused(match: BareMatch, seat: Seat, branch: Branch, prefix: Answer, left: list[int]) -> Iterator[Answer]:
    """Yields the complete answers with a prefix that a `needs` refuses; `left` counts the answers still to be tried."""
    left[0] -= 1
    refusal = match.position.machine.refusal(seat, prefix) if left[0] >= 0 else None
    if refusal is None:
        return
    if refusal.need is not None:
        yield prefix
    elif refusal.parameter == len(prefix) - 1 < len(branch.parameters):
        for value in _values(match, branch.parameters[refusal.parameter]):
            yield from _refused(match, seat, branch, (*prefix, value), left)


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
