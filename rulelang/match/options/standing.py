"""Answers that a seat gives beforehand: it need not be asked for them until something happens that it is told of.

    said = read_standing(match, "red: pass until raise")      StandingAnswer(seat=0, answer="pass", until="raise", …)
    due(match, (said,))                                       the option to take now, and those that stand after it

The first question at which it may be given is the one for which it stands. Nobody else learns of it before it is
given, and then only that the seat answered.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable
from typing import Protocol

import attrs

from rulelang.errors import InvalidInput, RulelangError, UnknownOption
from rulelang.ir.model import Choice, GameRules
from rulelang.ir.numbers import Seat
from rulelang.knowledge.redaction import read
from rulelang.match.options.option import Option, read_answer
from rulelang.match.recording.events import Event
from rulelang.program.values import not_found

MOST_GIVEN = 100
"""The most times that one standing answer is given."""
MOST_STANDING = 8
"""The most answers of one seat that stand at a time."""
FORM = re.compile(r"(?:(?P<seat>[^:]+):)?\s*(?P<answer>.+?)\s+until\s+(?P<until>\w+)\s*", re.DOTALL)


class AnsweringMatch(Protocol):
    """The parts of a match that decide whether an answer is given for a seat."""

    game: GameRules

    @property
    def seats(self) -> tuple[str, ...]:
        """The written names of the seats."""

    @property
    def to_move(self) -> tuple[Seat, ...]:
        """The seats that must choose now."""

    @property
    def choice(self) -> Choice | None:
        """The pending choice."""

    @property
    def event_count(self) -> int:
        """The number of events so far."""

    def option(self, text: str) -> Option:
        """Returns the option that a text means. Raises UnknownOption."""

    def why_not(self, option: Option) -> object | None:
        """Returns the reason why an option is refused; None if it is legal."""

    def events_for(self, seat: int | None, after: int = 0) -> tuple[Event, ...]:
        """Returns the events as a seat saw them, without the first `after` of all."""


@attrs.frozen
class StandingAnswer:
    """An answer that a seat gives whenever the same question is put to it, until something happens."""

    seat: Seat
    answer: str
    """Its written form."""
    until: str
    """A rule that takes effect, or a variable that changes."""
    since: int
    """The number of events before it was said."""
    choice: str = ""
    """The name of the question that it is for; "" before it is given for the first time."""
    given: int = 0
    """How often it was given."""

    @property
    def said(self) -> str:
        """The words in which it was said."""
        return f"{self.answer} until {self.until}"


def standing_form(text: str) -> tuple[str, str] | None:
    """Returns the answer and the name of `pass until raise`; None for any other text.

    >>> standing_form("pass until raise")
    ('pass', 'raise')
    """
    found = FORM.fullmatch(text)
    return None if found is None else (found["answer"], found["until"])


def ends_standing(game: GameRules) -> tuple[str, ...]:
    """Returns the names until which an answer may stand: of rules and variables."""
    rules = (rule.name for rule in game.rules if rule.name and rule.what not in ("choice", "decline"))
    return tuple(dict.fromkeys((*rules, *(state.name for state in game.states if not state.scratch))))


def read_standing(match: AnsweringMatch, text: str) -> StandingAnswer:
    """Returns the standing answer that `red: pass until raise` means; the seat may be left out if one is asked alone.

    Raises InvalidInput, UnknownOption.
    """
    found = FORM.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise InvalidInput("an answer that stands is written `red: pass until raise`")
    name, until, to_move = found["seat"], found["until"], match.to_move
    if name is not None and name.strip() not in match.seats:
        raise UnknownOption(not_found(name.strip(), "seat", match.seats))
    if name is None and len(to_move) != 1:
        raise UnknownOption("say whose answer it is: `red: pass until raise`")
    seat = to_move[0] if name is None else Seat(match.seats.index(name.strip()))
    if until not in (known := ends_standing(match.game)):
        raise UnknownOption(not_found(until, "rule or variable", known))
    if not any(_is_read(match, choice, found["answer"]) for choice in range(len(match.game.choices))):
        raise UnknownOption(f"no question of this game is answered by `{found['answer'][:40]}`")
    return StandingAnswer(seat, found["answer"], until, match.event_count)


def _is_read(match: AnsweringMatch, choice: int, text: str) -> bool:
    try:
        return bool(read_answer(match.game, match.game.choices[choice], text))
    except RulelangError:
        return False


def due(
    match: AnsweringMatch, standing: tuple[StandingAnswer, ...]
) -> tuple[Option | None, tuple[StandingAnswer, ...]]:
    """Returns the first option that stands for an asked seat now, if there is one, and the answers that stand after it."""
    kept = list(standing)
    for one in standing:
        if one.seat not in match.to_move or match.choice is None:
            continue
        if one.given >= MOST_GIVEN or has_happened(match, one):
            kept.remove(one)
        elif one.choice in ("", match.choice.name):
            option = _legal(match, one)
            if option is not None:
                kept[kept.index(one)] = attrs.evolve(one, choice=match.choice.name, given=one.given + 1)
                return option, tuple(kept)
            if one.choice:
                kept.remove(one)
    return None, tuple(kept)


def _legal(match: AnsweringMatch, one: StandingAnswer) -> Option | None:
    with contextlib.suppress(RulelangError):
        option = match.option(f"{match.seats[one.seat]}: {one.answer}")
        return option if match.why_not(option) is None else None
    return None


def has_happened(match: AnsweringMatch, one: StandingAnswer) -> bool:
    """Returns whether the seat has been told, since it spoke, of that until which its answer stands."""
    return any(one.until in _names(event) for event in match.events_for(one.seat, one.since))


def _names(event: Event) -> Iterable[str]:
    """Yields the names of the rule that an event applied and of the variables that it changed."""
    yield event.rule
    for change in event.changes:
        yield re.sub(r"\(.*", "", read(change.subject)).rpartition(".")[2]
