"""Re-deals in machine code: a plan in words, and the deals that are made by it.

PlannedDeals.of(native, packed, plan, forked).deal(rng)     a deal; None if Python has to make it
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

import attrs

from rulelang.ir.numbers import Seat
from rulelang.machines.machine import Answer, Dealt, Machine
from rulelang.program.llvm.frame import GOING, RNG, STATUS
from rulelang.program.llvm.thinking.plan import FORMS, PLAN, SEALED_HEAD
from rulelang.program.randomness import WORD, signed
from rulelang.program.results import KindPlan, RedealPlan

if TYPE_CHECKING:
    from rulelang.machines.native.code import Native

PLACES = {name: i for i, name in enumerate(PLAN)}
DICE_WORD = PLACES["dice_word"]


class Forked(Protocol):
    """A function that returns a copy of a machine in another row, in which a seat has some options."""

    def __call__(self, packed: array[int], found: tuple[Seat, list[Answer]] | None = None, /) -> Machine: ...


@attrs.define(eq=False)
class PlannedDeals:
    """The deals of a plan, made one after another in the words of the plan."""

    native: Native
    base: array[int]
    """The row that is dealt anew."""
    plan: RedealPlan
    forked: Forked
    question: int
    words: array[int] = attrs.field(init=False)
    names: dict[int, slice] = attrs.field(factory=dict, init=False)
    """By kind: the words with the names of its things."""

    @classmethod
    def of(cls, native: Native, packed: array[int], plan: RedealPlan, forked: Forked) -> PlannedDeals | None:
        """Returns the deals of a plan from a packed row; None if no question waits there, or something fits no word."""
        question = packed[native.compiled.question] - 1
        if question < 0 or any(slot in native.rows.words for slot, _ in plan.cells):
            return None
        found = cls(native, packed, plan, forked, question)
        try:
            found.words = found.in_words()
        except OverflowError:
            return None
        return found

    # -------------------------------------------------------------- the plan

    def in_words(self) -> array[int]:
        """Returns the words of the plan; see `dealing.ll`."""
        native, plan, question = self.native, self.plan, self.question
        room = max((len(names) for kind in plan.kinds.values() for _, names in kind.blocks), default=0)
        lists: dict[str, Sequence[int]] = {
            "options": self._answers(plan.answers),
            "lengths": native.lengths[question],
            "cells": [word for slot, values in plan.cells for word in (slot, len(values), *values)],
            "sealed": [word for seat, answer in plan.sealed for word in self._sealed(seat, answer)],
            "others": [word for other in plan.others for word in other],
            "before": bytes(native.behind if plan.sealed else 0),
            "order": bytes(room),
        }
        words = array("q", bytes(8 * len(PLAN)))
        for name, several in lists.items():
            words[PLACES[name]] = len(words)
            words.extend(several)
        words[PLACES["kinds"]] = len(words)
        for number, kind in plan.kinds.items():
            self.names[number] = slice(len(words) + 1, len(words) + 1 + len(kind.names))
            words.extend(self._kind(kind))
        counts = {"many": plan.answers, "kinds_many": plan.kinds, "cells_many": plan.cells}
        counts |= {"sealed_many": plan.sealed, "others_many": plan.others}
        for name, of in counts.items():
            words[PLACES[name]] = len(of)
        words[PLACES["seat"]], words[PLACES["asked"]] = plan.seat, question + 1
        return words

    def _answers(self, answers: Sequence[Answer]) -> array[int]:
        words = array("q")
        for answer in answers:
            words += self._padded(answer)
        return words

    def _padded(self, answer: Answer) -> array[int]:
        given = self.native.words_of(self.question, answer)
        return given + array("q", bytes(8 * (self.native.width - len(given))))

    def _sealed(self, seat: Seat, answer: Answer | None) -> list[int]:
        given = self._padded(answer) if answer is not None else bytes(self.native.width)
        return [seat, answer is not None, *given]

    def _kind(self, kind: KindPlan) -> Iterator[int]:
        yield from (len(kind.names), *kind.names, *kind.names, len(kind.blocks))
        for things, names in kind.blocks:
            yield from (len(things), *things, *names)
        yield len(kind.holders)
        for slot, form, things in kind.holders:
            words = self.native.rows.words.get(slot)
            place = (slot, 1) if words is None else (words.start, words.stop - words.start)
            yield from (FORMS[form], *place, len(things), *things)
        yield len(kind.moved)
        for moved in kind.moved:
            yield from moved

    # -------------------------------------------------------------- deals

    def deal(self, rng: int) -> Dealt | None:
        """Returns a deal with random numbers from a word on; None if Python has to make it."""
        native, words = self.native, self.words
        memory = native.words
        memory.row[: native.behind] = self.base
        if native.nothing:
            memory.row[native.behind :] = native.nothing
        memory.frame[STATUS], memory.frame[RNG] = GOING, signed(rng)
        if native.redeal(memory.row_at, memory.frame_at, words.buffer_info()[0]):
            return None
        row = memory.row[: native.behind]
        machine = self.forked(row, (self.plan.seat, [*self.plan.answers]))
        before, answers = self._given() if self.plan.sealed else (None, ())
        dealt = {kind: words[there] for kind, there in self.names.items()}
        return Dealt(machine, before, answers, dealt, words[DICE_WORD] & WORD, memory.frame[RNG] & WORD)

    def _given(self) -> tuple[Machine, tuple[Answer, ...]]:
        """Returns the position before the answers under seal, and these."""
        first, row = self.words[PLACES["sealed"]], self.words[PLACES["before"]]
        size = SEALED_HEAD + self.native.width
        answers = array("q")
        for at in range(first, first + size * len(self.plan.sealed), size):
            answers += self.words[at + SEALED_HEAD : at + size]
        before = self.forked(self.words[row : row + self.native.behind])
        return before, tuple(self.native.answers_in(answers, self.question))
