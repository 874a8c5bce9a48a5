"""A match and a seat -> the choices that can be taken back, and whether it is fair for the seat to do so.

A person who plays alone may, unless they have been told something hidden since;
several people may only if they agreed to it. Choices that are taken back stay in the
log, as a line of their own. A clock does not get back the time that was thought away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulelang.errors import IllegalOption, UnknownOption
from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Seat
from rulelang.knowledge.redaction import VALUE, read, unknown
from rulelang.match.deferred_events import Past
from rulelang.match.disclosures import learnt_since
from rulelang.match.match import BareMatch
from rulelang.match.options.explain import named_option
from rulelang.match.options.option import Wording, read_answer
from rulelang.match.recording.events import Drawn, Entry, Event, Taken, Undone
from rulelang.program.values import plain


class Unfair(IllegalOption):
    """Raised if taking a choice back would be unfair; a table may allow it nevertheless."""


@attrs.frozen
class Answered:
    """One answer that stands."""

    step: int
    """Its number among the steps of the log, as `rulelang replay` counts them: answers and undos, from 1."""
    number: int
    """Its number among the inputs."""
    seat: int
    said: str
    """The sentence of its rule, else the answer in names."""
    private: bool = False
    """Whether nobody else learns that it was asked for."""


def answered(journal: Iterable[Entry], game: GameRules) -> tuple[Answered, ...]:
    """Returns the answers of a journal that stand, in order."""
    found: list[Answered] = []
    step, number, is_open = 0, 0, False
    untold: dict[Seat, int] = {}  # where the last answers stand that no sentence tells; several under seal
    for entry in journal:
        if isinstance(entry, Taken | Drawn | Undone):
            number += 1
        if isinstance(entry, Taken | Undone):
            step += 1
        if isinstance(entry, Taken):
            untold = {**(untold if is_open else {}), entry.seat: len(found)}
            is_open = True
            found.append(Answered(step, number, entry.seat, _named(game, entry), entry.private))
        elif isinstance(entry, Event):
            is_open = False
            at = None if entry.actor is None else untold.get(Seat(entry.actor))
            if at is not None and entry.actor is not None and entry.sentence and not entry.goes_on:
                del untold[Seat(entry.actor)]
                found[at] = attrs.evolve(found[at], said=read(entry.sentence))
        elif isinstance(entry, Undone):
            found, untold = [one for one in found if one.number < entry.to], {}
    return tuple(found)


def _named(game: GameRules, taken: Taken) -> str:
    """Returns an answer in names; where it is covered, the kinds of its values: `a number`."""
    choice, written = next(choice for choice in game.choices if choice.name == taken.choice), read(taken.option)
    try:
        answer = read_answer(game, choice, written)[0]
    except UnknownOption:
        name, _, _ = written.partition("(")
        covered = [branch for branch in choice.branches if branch.name in (name, VALUE)]
        kinds = [unknown(parameter.variable.type, game) for branch in covered[:1] for parameter in branch.parameters]
        return (
            written
            if not kinds
            else ", ".join(kinds)
            if covered[0].name == VALUE
            else f"{plain(name)} {', '.join(kinds)}"
        )
    return named_option(game, choice, Wording(game, choice).option(taken.seat, answer))


def first_back(
    standing: tuple[Answered, ...], seat: int, *, times: int | None = None, step: int | None = None
) -> Answered:
    """Returns the first answer to take back: of a seat's last
    `times`, or after a step. Raises IllegalOption for none."""
    if step is not None:
        if step not in (0, *(one.step for one in standing)):
            raise IllegalOption(f"nothing that stands is step {step} (steps lists them)")
        after = [one for one in standing if one.step > step]
        if not after:
            raise IllegalOption(f"step {step} is the last: there is nothing to take back")
        return after[0]
    own = [one for one in standing if one.seat == seat]
    if times is None or not 0 < times <= len(own):
        count = f"{len(own)} choice{'' if len(own) == 1 else 's'}"
        raise IllegalOption("there is nothing to take back" if not own else f"you have made {count} so far")
    return own[-times]


def look_at_fairness(match: BareMatch, seat: int, people: int, to: int) -> None:
    """Raises Unfair if a seat may not take back all from an input on.

    Under seal nobody has been told anything, so its own answer can always be taken back.
    """
    if is_under_seal(match, seat, to):
        return
    if people > 1:
        raise Unfair("several people play here")
    if learnt_since(match, to) & match.visibility.bit(Seat(seat)):
        raise Unfair("since then you have seen dice, hidden things or secret choices")


def is_under_seal(match: BareMatch, seat: int, to: int) -> bool:
    """Returns whether an input is a seat's answer in a sealed round that still waits for others."""
    sealed = match.position.seal.answers
    return any(past.number == to and past.seat == seat for _, past in match.earlier()[-len(sealed) :] if sealed)


def take_back(match: BareMatch, seat: int, to: int) -> list[tuple[int, int]]:
    """Takes back all from an input on; in a sealed round, what others have answered since stays under seal.

    Returns the clocks that ran for people meanwhile, each with the time that an answer took.
    """
    undone = [past for _, past in match.earlier() if past.number >= to]
    kept = undone[1:] if is_under_seal(match, seat, to) else []
    match.undo(to=to)
    for past in kept:
        match.push(match.options.option(past.seat, past.answer), elapsed=past.reading, by=past.by)
    return list(_spent(match, undone[: len(undone) - len(kept)]))


def _spent(match: BareMatch, undone: Iterable[Past]) -> Iterator[tuple[int, int]]:
    for past in undone:
        pending = past.machine.pending
        clock = None if pending is None else match.game.choices[pending.choice].clock
        if clock is not None and past.reading is not None:
            yield clock, past.reading
