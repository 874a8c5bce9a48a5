"""Answers -> written forms that differ: options that would be written alike are numbered.

    take(ruby)#1     take(ruby)#2        # the ruby on the left, and the one on the right

Their order goes by what the seat that is asked sees of the things (where they lie, what points at them), never by inner
numbers. A written form without a number stands for the lowest of them: so older logs meant it.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence

from rulelang.errors import UnknownOption
from rulelang.ir.facts import kind_of
from rulelang.ir.model import Choice, GameRules
from rulelang.ir.numbers import Seat
from rulelang.ir.types import NONE, KindType, SetType
from rulelang.knowledge.redaction import said_zone, written_answer
from rulelang.machines.evaluate import zone_at
from rulelang.machines.legal import alike
from rulelang.machines.machine import Answer, Machine, asked_locals
from rulelang.machines.offers.offer import Offer
from rulelang.machines.walk import Evaluation
from rulelang.program.packing import members

_NUMBERED = re.compile(r"\s*#\s*([1-9]\d{0,3})\s*", re.ASCII)


def form(machine: Machine, choice: Choice, seat: Seat, answer: Answer) -> str:
    """Returns the written form of an answer, numbered if others on offer would be written alike."""
    return written_answer(machine.game, choice, answer) + number(machine, choice, seat, answer)


def number(machine: Machine, choice: Choice, seat: Seat, answer: Answer) -> str:
    """Returns the number in the written form of an answer, `#2`; "" if no other on offer would be written alike."""
    return numbers(machine, choice, seat).get(answer, "") if may_share(machine.game, choice, answer) else ""


def numbers(machine: Machine, choice: Choice, seat: Seat) -> dict[Answer, str]:
    """Returns the numbers of all answers on offer that would be written alike."""
    printed: dict[Hashable, list[Answer]] = {}
    for answer in Offer(machine, seat).few or ():
        if may_share(machine.game, choice, answer):
            printed.setdefault(_printed(machine.game, choice, answer), []).append(answer)
    found: dict[Answer, str] = {}
    for same in printed.values():
        if len(same) > 1:
            same.sort(key=lambda one: (_look(machine, choice, seat, one), one))
            found |= {answer: f"#{n}" for n, answer in enumerate(same, start=1)}
    return found


def forms(machine: Machine, choice: Choice, seat: Seat, answers: Sequence[Answer]) -> list[str]:
    """Returns the written forms of all answers on offer."""
    game = machine.game
    plain = [written_answer(game, choice, answer) for answer in answers]
    if len(set(plain)) == len(plain):
        return plain
    numbered = numbers(machine, choice, seat)
    return [text + numbered.get(answer, "") for text, answer in zip(plain, answers, strict=True)]


def namesakes(machine: Machine, choice: Choice, seat: Seat, answer: Answer) -> list[Answer]:
    """Returns the answers on offer that are written like an answer, in the order of their numbers; none where there
    are too many to list."""
    few = Offer(machine, seat).few or ()
    printed = _printed(machine.game, choice, answer)
    same = [one for one in few if _printed(machine.game, choice, one) == printed]
    return sorted(same, key=lambda one: (_look(machine, choice, seat, one), one)) if len(same) > 1 else same


def distinction(machine: Machine, choice: Choice, seat: Seat, answer: Answer) -> str:
    """Returns the words that tell an answer from others on offer that read alike: where the things lie, else its
    number; "" if there are none."""
    if not may_share(machine.game, choice, answer):
        return ""
    same = namesakes(machine, choice, seat, answer)
    if len(same) < 2 or answer not in same:
        return ""
    places = [_places(machine, choice, one) for one in same]
    return ", ".join(places[same.index(answer)]) if len(set(places)) == len(same) else f"#{same.index(answer) + 1}"


def _places(machine: Machine, choice: Choice, answer: Answer) -> tuple[str, ...]:
    """Returns the names of the places of the things that an answer names one by one."""
    game, layout, found = machine.game, machine.layout, list[str]()
    for parameter, value in zip(choice.branches[answer[0]].parameters, answer[1:], strict=True):
        kind = kind_of(parameter.variable.type, game)
        if kind is not None and isinstance(parameter.variable.type, KindType) and value != NONE:
            place = machine.row[layout.places[kind.id] + value]
            found.append(said_zone(game, *zone_at(game, layout, kind.id, place)))
    return tuple(found)


def parted(text: str) -> tuple[str, int]:
    """Returns a written form without its number, and the number; 0 for none.

    >>> parted("take(ruby)#2"), parted("take(ruby)")
    (('take(ruby)', 2), ('take(ruby)', 0))
    """
    plain, mark, rest = text.rpartition("#")
    found = _NUMBERED.fullmatch(mark + rest) if mark else None
    return (plain.rstrip(), int(found.group(1))) if found is not None else (text, 0)


def numbered(same: Sequence[Answer], text: str, number: int) -> Answer:
    """Returns the answer with a number among those written alike. Raises UnknownOption."""
    if len(same) < 2 or number > len(same):
        many = "one option" if len(same) == 1 else f"{len(same)} options"
        raise UnknownOption(f"there {'is' if len(same) == 1 else 'are'} {many} `{text}`, and no #{number}")
    return same[number - 1]


def may_share(game: GameRules, choice: Choice, answer: Answer) -> bool:
    """Returns whether another answer could be written like this one: whether it names things that have copies."""
    parameters = choice.branches[answer[0]].parameters
    return any(p.interchange is not None and game.kinds[p.interchange].has_copies for p in parameters)


def _printed(game: GameRules, choice: Choice, answer: Answer) -> tuple[Hashable, ...]:
    """Returns the parts of an answer that its written form shows."""
    said: list[Hashable] = [answer[0]]
    for parameter, value in zip(choice.branches[answer[0]].parameters, answer[1:], strict=True):
        kind = kind_of(parameter.variable.type, game)
        if kind is None or value == NONE:
            said.append(value)
        elif isinstance(parameter.variable.type, SetType):
            said.append(tuple(sorted(kind.classes[thing] for thing in members(value))))
        else:
            said.append(kind.classes[value])
    return tuple(said)


def _look(machine: Machine, choice: Choice, seat: Seat, answer: Answer) -> list[list[tuple[int, ...]]]:
    """Returns the looks of the things that an answer names, to the seat that is asked."""
    locals = asked_locals(machine, choice, seat)
    look = Evaluation(machine.row, machine.game, machine.layout)
    branch, found = choice.branches[answer[0]], list[list[tuple[int, ...]]]()
    for known, (parameter, value) in enumerate(zip(branch.parameters, answer[1:], strict=True)):
        like = alike(choice, branch, known, locals, look)
        if like is not None and value != NONE:
            of_set = isinstance(parameter.variable.type, SetType)
            found.append(sorted(map(like, members(value) if of_set else (value,))))
        locals[parameter.variable.id] = value
    return found
