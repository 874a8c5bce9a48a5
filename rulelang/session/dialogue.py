"""A seat that is asked, and the words that somebody types -> one option, by as many questions as it takes.

Dialogue.of(match, 0).question       What? 1 steal …   2 pass
dialogue.answer("steal")             Question("victim", (blue, green)): the next one
dialogue.answer("bl")                Option(0, "turn", …, "steal(blue, metal, 1)")
"""

from __future__ import annotations

import contextlib
import re
from typing import TypeAlias

import attrs

from rulelang.errors import RulelangError, UnknownOption
from rulelang.ir.model import Choice
from rulelang.ir.numbers import Seat
from rulelang.ir.types import NONE, IntType
from rulelang.knowledge.redaction import plain
from rulelang.machines.machine import Answer
from rulelang.machines.offers.offer import MOST
from rulelang.match.match import BareMatch
from rulelang.match.options.explain import Reason
from rulelang.match.options.option import Option, fitting
from rulelang.match.refused import outside, refused
from rulelang.session.pieces import Pieces
from rulelang.session.question import NOTHING, Question, meant, question
from rulelang.session.stray import no_answer

Remaining: TypeAlias = tuple[Option, ...] | Pieces
"""The remaining options, or the pieces of more options than can be listed."""


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

    @classmethod
    def of(cls, match: BareMatch, seat: Seat) -> Dialogue:
        """Begins with the first question to a seat that must choose."""
        choice = match.choice
        assert choice is not None
        on_offer = match.options_of(seat)
        few = tuple(on_offer.first(MOST + 1))
        first = few if len(few) <= MOST else Pieces.begun(match.game, choice, on_offer.offer(seat).ways)
        return cls(match, seat, choice, few, [first], _question_of(match, choice, [first]))

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

    def why_not(self, text: str) -> Reason | None:
        """Returns the reason why an answer, in its written form or as on the screen, is refused; raises
        UnknownOption."""
        return self.match.why_not(self.named(text))

    def named(self, text: str) -> Option:
        """Returns the option, legal or not, that is meant by its written form or its words on the screen; raises
        UnknownOption."""
        if self.is_line_number(text):
            return meant(self.question, text)[0]
        wanted, addressed = text.casefold(), f"{self.match.seats[self.seat]}: {text}"
        try:
            return self.match.option(addressed)
        except RulelangError:
            for option, _ in refused(self.match, self.seat):
                if wanted in (option.text.casefold(), plain(option.branch).casefold()) or _fits(wanted, option.label):
                    return option
        for option in outside(self.match, self.seat):
            if wanted and set(wanted.split()) <= {*option.text.casefold().split(), *option.label.casefold().split()}:
                return option
        if not fitting(text, self.options):
            raise UnknownOption(no_answer(self.match, self.seat, text, [option.label for option in self.options]))
        return self.match.option(addressed, lenient=True)

    def is_line_number(self, text: str) -> bool:
        """Returns whether a text could only be the number of a line: a number where no answer is one."""
        asked = self.question
        listed = asked.parts or asked.lines
        return (
            text.isdecimal()
            and bool(listed)
            and not (asked.members or asked.numbers)
            and not any(option.text.isdecimal() for line in listed for option in line.options)
        )

    def _ask(self, trail: list[Remaining]) -> Question:
        self.trail, self.question = trail, _question_of(self.match, self.choice, trail)
        return self.question

    def _options(self, text: str) -> Option | Remaining:
        try:
            left = meant(self.question, text)
        except UnknownOption:
            left = tuple(option for option in self.options if option.text.casefold() == text.casefold())[:1]
            if not left:
                raise
        return left[0] if len(left) == 1 else left

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
        answer = last.as_it_stands if isinstance(last, Pieces) and text.casefold() in NOTHING else None
        is_number = re.fullmatch(r"-?[0-9]{1,9}", text, re.ASCII) is not None
        if answer is None and self.question.begun and is_number:
            answer = self._numbered(int(text))
        said = text if answer is None else self.match.options_of(self.seat).of_answer(answer).text
        try:
            is_bare = is_number and answer is None
            reason = self.match.why_not(f"{self.match.seats[self.seat]}: {said}") if is_bare else self.why_not(said)
        except RulelangError as error:
            return trouble if is_number or isinstance(last, Pieces) else str(error)
        if reason is not None and not (is_number and reason.is_outside):
            return f"Not now: {reason}" + (f": {self.question.numbers}" if self.question.numbers else "")
        return trouble

    def _numbered(self, number: int) -> Answer | None:
        """Returns the answer that a typed number completes; None if no number is asked for, or more is to be asked."""
        begun = self.question.begun
        parameters = self.choice.branches[begun[0]].parameters
        is_last = len(begun) == len(parameters) and isinstance(parameters[-1].variable.type, IntType)
        return (*begun, number) if is_last and number != NONE else None


def _question_of(match: BareMatch, choice: Choice, trail: list[Remaining]) -> Question:
    """Returns the question at the end of a trail; its heading is empty at first, since the choice's prompt asks."""
    first, left = trail[0], trail[-1]
    asked = left.question if isinstance(left, Pieces) else question(match.game, choice, left)
    is_one = bool(first.answer) if isinstance(first, Pieces) else len({option.answer[0] for option in first}) == 1
    is_said = is_one and choice.prompt is not None and len(asked.begun) == 1
    return attrs.evolve(asked, heading="") if is_said else asked


def _fits(wanted: str, label: str) -> bool:
    """Returns whether each word that somebody typed begins a word of a label."""
    words = label.casefold().split()
    return all(any(word.startswith(begun) for word in words) for begun in wanted.split())
