"""A seat that is asked, and the words that somebody types -> one option, by as many questions as it takes.

Dialogue.of(match, 0).question       What? 1 steal …   2 pass
dialogue.answer("steal")             Question("victim", (blue, green)): the next one
dialogue.answer("bl")                Option(0, "turn", …, "steal(blue, metal, 1)")
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from functools import cached_property
from typing import TypeAlias

import attrs

from rulelang.errors import RulelangError, UnknownOption
from rulelang.ir.model import Choice
from rulelang.ir.numbers import Seat
from rulelang.ir.types import NONE
from rulelang.knowledge.redaction import read
from rulelang.machines.offers.offer import MOST
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option, could_be
from rulelang.match.recording.events import Drawn, Event, Taken, Undone
from rulelang.match.refused import lacking, refused
from rulelang.session.answer_parser import Mention, Vocabulary, mention
from rulelang.session.fallback_reply import no_answer
from rulelang.session.partial_questions import Pieces
from rulelang.session.question import NOTHING, Question, meant, no_number, numbered_as, question
from rulelang.session.refusals import grouped

Remaining: TypeAlias = tuple[Option, ...] | Pieces
"""The remaining options, or the pieces of more options than can be listed."""

ENDING = ("stop", "pass")
"""The answers that end a plan."""
ROUNDS = ("turn", "round", "mover")
"""The engine's variables whose change ends a plan."""


@attrs.define
class Dialogue:
    """One choice of one seat that is being made."""

    match: BareMatch
    seat: Seat
    choice: Choice
    options: tuple[Option, ...]
    """The legal options, or the first of more than can be listed."""
    trail: list[Remaining]
    question: Question
    before: Question | None = None
    """The menu that this choice gave the seat just before, whose numbers are kept."""

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The wordings of all answers to this choice."""
        return Vocabulary(self.match, self.seat, self.options)

    @classmethod
    def of(cls, match: BareMatch, seat: Seat, before: Question | None = None) -> Dialogue:
        """Begins with the first question to a seat that must choose, in the numbers of the menu `before`."""
        choice = match.choice
        assert choice is not None
        on_offer = match.options_of(seat)
        few = tuple(on_offer.first(MOST + 1))
        first = few if len(few) <= MOST else Pieces.begun(match.game, choice, on_offer.offer(seat).ways)
        asked = numbered_as(_question_of(match, choice, [first]), before)
        return cls(match, seat, choice, few, [first], asked, before)

    def answer(self, text: str) -> Option | Question | None:
        """Returns the option that is meant, or the next question; None if nothing was typed.

        Raises UnknownOption, with the reason, for words that are not understood or not allowed.
        """
        if not text:
            return None
        last = self.trail[-1]
        try:
            then = self._piece(last, text) if isinstance(last, Pieces) else self._options(text)
        except UnknownOption as error:
            raise UnknownOption(self._trouble(text, str(error))) from None
        if isinstance(then, Option):
            return then
        return self.question if then == last else self._ask([*self.trail, then])

    def back(self) -> Question:
        """Goes back to the question before; returns it."""
        return self._ask(self.trail[:-1] or self.trail)

    def narrowed(self, options: tuple[Option, ...]) -> Option | Question:
        """Returns the only one of some legal options, such as the options that name a place; else the question which one."""
        return options[0] if len(options) == 1 else self._ask([*self.trail, options])

    def mentioned(self, text: str) -> Mention:
        """Returns the answers, legal or not, that a text mentions: the number of a line, a number that is asked for, a
        written form, or words of the menu.

        Raises UnknownOption for a number that stands for nothing here.
        """
        if re.fullmatch(r"-?[0-9]{1,9}", text, re.ASCII):
            return self._numbered(int(text))
        try:
            option = self.match.option(f"{self.match.seats[self.seat]}: {text}")
        except RulelangError:
            return mention(self.vocabulary, text)
        return self._standing(option)

    def _numbered(self, number: int) -> Mention:
        """Returns the answers that a typed number stands for. Raises UnknownOption."""
        asked = self.question
        if asked.is_number:
            begun = (*asked.begun, number)
            if len(begun) == len(self.choice.branches[begun[0]].parameters) + 1 and number != NONE:
                return self._standing(self.match.options_of(self.seat).of_answer(begun))
            some = Mention(
                tuple(one for one in self.options if one.answer[: len(begun)] == begun),
                tuple(one for one in refused(self.match, self.seat) if one[0].answer[: len(begun)] == begun),
                tuple(one for one in lacking(self.match, self.seat) if one.answer[: len(begun)] == begun),
                is_whole=True,
            )
            if some:
                return some
        elif asked.members:
            if 0 < number <= len(asked.names):
                return mention(self.vocabulary, asked.names[number - 1])
        else:
            listed = (line for line in asked.parts or asked.lines if line.key == str(number))
            for line in listed:
                words = mention(self.vocabulary, line.label)
                return Mention(line.options, is_whole=True) if line.options else words
            if found := mention(self.vocabulary, str(number)):
                return found
        raise UnknownOption(no_number(asked, str(number)))

    def _standing(self, option: Option) -> Mention:
        """Returns the mention of one option, legal or not."""
        reason = self.match.why_not(option)
        if reason is None:
            return Mention((option,), is_whole=True)
        return Mention(refused=((option, reason),), is_whole=True)

    def _ask(self, trail: list[Remaining]) -> Question:
        self.trail, self.question = trail, numbered_as(_question_of(self.match, self.choice, trail), self.before)
        return self.question

    def _options(self, text: str) -> Option | Remaining:
        try:
            left = meant(self.question, text)
        except UnknownOption:
            left = tuple(option for option in self.options if option.text.casefold() == text.casefold())[:1]
            left = left or self._mentioned_alone(text)
            if not left:
                raise
        return left[0] if len(left) == 1 else left

    def _mentioned_alone(self, text: str) -> tuple[Option, ...]:
        """Returns the legal option that words mention, if they mention no other answer."""
        if self.question.is_number or re.fullmatch(r"-?\d+", text):
            return ()
        found = mention(self.vocabulary, text)
        return found.offered if len(found.offered) == 1 and not (found.refused or found.lacks) else ()

    def _piece(self, pieces: Pieces, text: str) -> Option | Remaining:
        """Returns the result of one more piece, or of the whole answer."""
        with contextlib.suppress(RulelangError):
            whole = self.match.option(f"{self.match.seats[self.seat]}: {text}")
            if self.match.why_not(whole) is None:
                return whole
        then = pieces.meant(text)
        return self.match.options_of(self.seat).of_answer(then.answer) if then.is_whole else then

    def _trouble(self, text: str, trouble: str) -> str:
        """Returns the rule that forbids an answer, if one does, else the reason why it was not understood."""
        last = self.trail[-1]
        so_far = last.as_it_stands if isinstance(last, Pieces) and text.casefold() in NOTHING else None
        try:
            if so_far is None:
                found = self.mentioned(text)
            else:
                found = self._standing(self.match.options_of(self.seat).of_answer(so_far))
        except UnknownOption:
            return trouble
        if found.offered and text.isdecimal():
            return f"{trouble}; did you mean `{found.offered[0].label}`?"
        if found.offered:
            return could_be(text, found.offered)
        if found.refused or found.lacks:
            reason = max(grouped(self.match, found.refused, found.lacks), key=lambda one: one.count).reason
            if not (self.question.is_number and reason.is_outside):
                return f"Not now: {reason}" + (f": {self.question.numbers}" if self.question.numbers else "")
            return trouble
        if found.outside:
            return f"Not now: {self.match.why_not(found.outside[0])}"
        return trouble if isinstance(last, Pieces) else no_answer(self.match, self.seat, text, self._labels)

    @property
    def _labels(self) -> list[str]:
        return [option.label for option in self.options]


def _question_of(match: BareMatch, choice: Choice, trail: list[Remaining]) -> Question:
    """Returns the question at the end of a trail; its heading is empty at first, since the choice's prompt asks."""
    first, left = trail[0], trail[-1]
    asked = left.question if isinstance(left, Pieces) else question(match.game, choice, left)
    is_one = bool(first.answer) if isinstance(first, Pieces) else len({option.answer[0] for option in first}) == 1
    is_said = is_one and choice.prompt is not None and len(asked.begun) == 1
    return attrs.evolve(asked, heading="") if is_said else asked


@attrs.define
class Menus:
    """The menus of a match, by the number of answers that stood before each, with the seat and the choice."""

    _given: dict[int, tuple[int, str, Question]] = attrs.field(factory=dict)

    def before(self, match: BareMatch, seat: int) -> Question | None:
        """Returns the menu that the present choice gave a seat while it made the same plan, or before it took an answer
        back; None if there is none."""
        at = len(match.earlier())
        self._given = {number: given for number, given in self._given.items() if number <= at}
        asked = None if match.choice is None else (seat, match.choice.name)
        number = max((number for number, given in self._given.items() if given[:2] == asked), default=None)
        if number is None or not (number == at or is_planning(match, seat, at - number)):
            return None
        return self._given[number][2]

    def give(self, match: BareMatch, seat: int, choice: str, asked: Question) -> None:
        """Notes the menu that a seat is given now."""
        self._given[len(match.earlier())] = seat, choice, asked


def is_planning(match: BareMatch, seat: int, answers: int = 1) -> bool:
    """Returns whether a seat goes on with a plan: the last answers that stand were its own and did not end the plan, and no
    phase, turn or round has begun since."""
    for entry in _standing(match):
        if isinstance(entry, Event):
            if _begins_phase(entry) or any(read(c.subject) in ROUNDS for c in entry.changes):
                return False
        elif isinstance(entry, Taken):
            answers -= 1
            if entry.seat != seat or read(entry.option) in ENDING or not answers:
                return entry.seat == seat and read(entry.option) not in ENDING
    return False


def _standing(match: BareMatch) -> Iterator[Event | Taken]:
    """Yields the answers and events of a match that were not taken back, the last first."""
    number = sum(isinstance(entry, Taken | Drawn | Undone) for entry in match.journal)
    first_gone = number + 1
    for entry in reversed(match.journal):
        stands = number < first_gone
        if stands and isinstance(entry, Event | Taken):
            yield entry
        if isinstance(entry, Taken | Drawn | Undone):
            number -= 1
        if stands and isinstance(entry, Undone):
            first_gone = entry.to


def passes_until(match: BareMatch, seat: int) -> str:
    """Returns the phase until which a seat may pass that is asked again, in one phase, what it has just passed at: the
    phase before that one. "" if it is asked for the first time in this phase, or no other phase came before.
    """
    choice, passed, phases = match.choice, False, list[str]()
    assert choice is not None
    for entry in _standing(match):
        if isinstance(entry, Taken) and entry.seat == seat and not passed:
            passed = entry.choice == choice.name and read(entry.option) == "pass"
            if not passed:
                return ""
        elif isinstance(entry, Event) and _begins_phase(entry):
            if not passed:
                return ""
            phases.extend([entry.rule] if entry.rule not in phases else [])
        if passed and len(phases) > 1:
            return phases[1]
    return ""


def _begins_phase(event: Event) -> bool:
    return event.what == "phase" and not event.goes_on
