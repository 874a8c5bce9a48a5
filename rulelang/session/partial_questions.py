"""More options than can be listed -> questions for one piece
of an answer after another, each of which can be completed.

The first question asks for the branch, the next ones for each parameter; a set is asked for member by member, or
several at a time.

    lay(s in 3 of hand)      Which? 1 ace … 32 ten      > 4 17      Which else? 1 ace … 30 ten      > 9
"""

from __future__ import annotations

import re

import attrs

from rulelang.errors import UnknownOption
from rulelang.ir.model import Choice, GameRules, Variable
from rulelang.ir.types import IntType, SetType
from rulelang.knowledge.redaction import name_of, ranges
from rulelang.machines.machine import Answer
from rulelang.machines.offers.ways import Ways
from rulelang.program.packing import mask_of, members
from rulelang.program.values import plain, written
from rulelang.session.prompt_builder import heading
from rulelang.session.question import (
    MOST_LISTED,
    NOTHING,
    Question,
    QuestionLine,
    as_written,
    how_many,
    member_named,
    no_number,
    words_in,
)


@attrs.frozen
class Pieces:
    """The pieces of an answer chosen so far, and the ways to continue."""

    game: GameRules
    choice: Choice
    ways: Ways
    answer: Answer = ()
    """The branch and the parameters known so far."""
    taken: tuple[int, ...] = ()
    """The members so far of the set that is being put together."""

    @classmethod
    def begun(cls, game: GameRules, choice: Choice, ways: Ways) -> Pieces:
        """Returns the beginning: nothing chosen yet, and all the ways to answer."""
        return cls(game, choice, ways)._passed()

    @property
    def is_whole(self) -> bool:
        """Returns whether nothing is left to ask."""
        return bool(self.answer) and len(self.answer) - 1 == len(self.choice.branches[self.answer[0]].parameters)

    @property
    def as_it_stands(self) -> Answer | None:
        """The answer with the members taken so far; None if more is to be asked after the set."""
        parameters = self.choice.branches[self.answer[0]].parameters if self.answer else ()
        return (*self.answer, mask_of(self.taken)) if self.taken and len(self.answer) == len(parameters) else None

    @property
    def question(self) -> Question:
        """The next question."""
        about = self._variable.name if self._variable is not None else ""
        if self._is_set:
            there = self._open
            return Question(
                about,
                (),
                tuple(map(self._name, there)),
                tuple(map(self._said, there)),
                self._note,
                self._sizes,
                heading=self._heading(),
                begun=self.answer,
            )
        is_number = self._variable is not None and isinstance(self._variable.type, IntType)
        type = self._variable.type if self._variable is not None else None
        lines = tuple(
            QuestionLine(
                str(value if is_number else number),
                self._name(value),
                self._said(value),
                (),
                None if type is None else (type, value),
            )
            for number, value in enumerate(self.ways.firsts, start=1)
        )
        is_typed = is_number and len(lines) > MOST_LISTED
        return Question(
            about,
            lines,
            numbers=ranges(self.ways.firsts) if is_typed else "",
            heading=self._heading(is_typed=is_typed),
            begun=self.answer,
            is_number=is_number,
        )

    def meant(self, text: str) -> Pieces:
        """Returns the pieces after an answer to that question. Raises UnknownOption."""
        if self._is_set:
            return self._with_members(text)
        lines, wanted = self.question.lines, text.strip().casefold()
        found = [i for i, line in enumerate(lines) if wanted in (line.text.casefold(), line.label.casefold())]
        found = found or [i for i, line in enumerate(lines) if line.key == wanted]
        found = found or [i for i, line in enumerate(lines) if wanted and line.text.casefold().startswith(wanted)]
        found = found or [i for i, line in enumerate(lines) if wanted and line.label.casefold().startswith(wanted)]
        if len(found) != 1 and re.fullmatch(r"-?\d+", wanted, re.ASCII):
            raise UnknownOption(no_number(self.question, wanted[:12]))
        if len(found) != 1:
            raise UnknownOption(f"`{text.strip()[:40]}` is none of these, or several: give its number")
        return self._went(self.ways.firsts[found[0]])

    # -------------------------------------------------------------- candidates

    @property
    def _variable(self) -> Variable | None:
        """The parameter that is asked for; None if it is the branch."""
        if not self.answer:
            return None
        return self.choice.branches[self.answer[0]].parameters[len(self.answer) - 1].variable

    def _heading(self, *, is_typed: bool = False) -> str:
        """Returns the next question in the words of the option."""
        return heading(self.game, self.choice, self.answer, is_typed=is_typed) if self.answer else ""

    @property
    def _is_set(self) -> bool:
        return self._variable is not None and isinstance(self._variable.type, SetType)

    @property
    def _open(self) -> list[int]:
        """The members that can be added to those taken, so that a legal set remains possible, as far as is known."""
        more = self.ways.more(mask_of(self.taken))
        return members(self.ways.all & ~mask_of(self.taken) if more is None else more)

    @property
    def _sizes(self) -> tuple[int, ...]:
        """The numbers of members that may be added to those taken, as far as is known."""
        taken = len(self.taken)
        is_whole = bool(self.ways.after(mask_of(self.taken)).bound)
        return tuple(size - taken for size in self.ways.sizes if size > taken or (size == taken and is_whole))

    @property
    def _note(self) -> str:
        if self.ways.more(mask_of(self.taken)) is None:
            return "Which of them go together is too much to find out: name all that you take at once."
        if not self.taken:
            return how_many(self._sizes, len(self._open))
        return f"You have {', '.join(map(self._said, self.taken))}. What else? (`back` takes them back)"

    def _name(self, value: int) -> str:
        if self._variable is None:
            return self.choice.branches[value].name
        return written(value, getattr(self._variable.type, "element", self._variable.type), self.game)

    def _said(self, value: int) -> str:
        """Returns the name of a branch or a value for people."""
        if self._variable is None:
            return plain(self.choice.branches[value].name)
        return name_of(value, getattr(self._variable.type, "element", self._variable.type), self.game)

    # -------------------------------------------------------------- the next piece

    def _with_members(self, text: str) -> Pieces:
        there, taken = self._open, list(self.taken)
        names = [self._name(member) for member in there]
        asked, rest = self.question, list(names)
        for word in words_in(as_written(asked, text)):
            if word.casefold() not in NOTHING:
                name = member_named(asked, word, rest)
                taken.append(next(m for m, its in zip(there, names, strict=True) if its == name and m not in taken))
        mask = mask_of(taken)
        if self.ways.after(mask).bound:
            return self._went(mask)
        said = f"{{{', '.join(map(self._name, taken))}}}"
        if not self.ways.more(mask):
            raise UnknownOption(f"{said} is not on offer")
        if len(taken) == len(self.taken):
            raise UnknownOption(f"{said} is not enough")
        return attrs.evolve(self, taken=tuple(taken))

    def _went(self, value: int) -> Pieces:
        return Pieces(self.game, self.choice, self.ways.after(value), (*self.answer, value))._passed()

    def _passed(self) -> Pieces:
        """Returns the first state with something to ask: a piece with one possible value is filled in."""
        alone = not self.is_whole and not self._is_set and len(self.ways.firsts) == 1
        return self._went(self.ways.firsts[0]) if alone else self
