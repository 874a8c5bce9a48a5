"""Re-deals in machine code: a plan in words, and the deals that are made by it.

PlannedDeals.of(native, packed, plan, question, forked).deal(rng)     a deal; None if Python has to make it
"""

from __future__ import annotations

from array import array
from typing import Any, Protocol

import attrs

from rulelang.ir.numbers import Seat
from rulelang.machines.machine import Answer, Dealt, Machine
from rulelang.machines.native.thinking.greedy import MOST_LISTED, GreedyCall, GreedyCode
from rulelang.program.llvm.frame import RNG
from rulelang.program.llvm.thinking.plan import FORMS, PLAN, SEALED_HEAD
from rulelang.program.llvm.thinking.thought import MOST_COMPARED
from rulelang.program.randomness import WORD, signed
from rulelang.program.results import KindPlan, RedealPlan

PLACES = {name: i for i, name in enumerate(PLAN)}
DICE_WORD = PLACES["dice_word"]


class DealingCode(GreedyCode, Protocol):
    """The parts of a game's machine code (`machines.native.code.Native`) with which it deals."""

    thinks: bool
    redeal: Any


class Forked(Protocol):
    """A function that returns a copy of a machine in another row, in which a seat has some options."""

    def __call__(self, packed: array[int], found: tuple[Seat, list[Answer]] | None = None, /) -> Machine: ...


@attrs.define(eq=False)
class PlannedCall(GreedyCall):
    """One choice of `greedy`, in the deals of a plan."""

    dealing: DealingCode

    def deal(self, rng: int) -> int | None:
        """Deals with random numbers from a word on; returns the next word, or None if Python has to deal."""
        native, words = self.dealing, self.words
        plan, size, first = words.buffer_info()[0], native.behind, words[PLACES["dealt"]]
        for number in range(words[PLACES["deals"]]):
            memory, at = native.laid(self.row), first + (number + 1) * size
            memory.frame[RNG] = signed(rng)
            if native.redeal(memory.row_at, memory.frame_at, plan):
                return None
            words[at : at + size] = memory.row[:size]
            rng = memory.frame[RNG] & WORD
        return rng


@attrs.define(eq=False)
class PlannedDeals:
    """The deals of a plan, made one after another in the words of the plan."""

    native: DealingCode
    base: array[int]
    """The row that is dealt anew."""
    plan: RedealPlan
    forked: Forked
    question: int
    words: array[int] = attrs.field(init=False)
    names: dict[int, slice] = attrs.field(factory=dict, init=False)
    """By kind: the words with the names of its things."""

    @classmethod
    def of(
        cls, native: DealingCode, packed: array[int], plan: RedealPlan, question: int, forked: Forked
    ) -> PlannedDeals | None:
        """Returns the deals of a plan from a packed row, in which a question waits; None if none does, or if something
        fits no word."""
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
        room = max([len(names) for kind in plan.kinds.values() for _, names in kind.blocks], default=0)
        words: list[int] = [0] * len(PLAN)
        lists: dict[str, list[int]] = {
            "lengths": native.lengths[question],
            "cells": [word for slot, values in plan.cells for word in (slot, len(values), *values)],
            "sealed": [word for seat, answer in plan.sealed for word in self._sealed(seat, answer)],
            "others": [word for other in plan.others for word in other],
            "order": [0] * room,
            "kinds": [],
        }
        for name, several in lists.items():
            words[PLACES[name]] = len(words)
            words += several
        for number, kind in plan.kinds.items():
            self.names[number] = slice(len(words) + 1, len(words) + 1 + len(kind.names))
            if self.native not in kind.words:
                kind.words[self.native] = self._kind(kind)
            words += kind.words[self.native]
        counts = {"many": plan.answers, "kinds_many": plan.kinds, "cells_many": plan.cells}
        counts |= {"sealed_many": plan.sealed, "others_many": plan.others}
        for name, of in counts.items():
            words[PLACES[name]] = len(of)
        options = native.padded(question, plan.answers)
        words[PLACES["seat"]], words[PLACES["asked"]] = plan.seat, question + 1
        words[PLACES["options"]], words[PLACES["before"]] = len(words), len(words) + len(options)
        return array("q", words) + options + (self.base if plan.sealed else array("q"))

    def _sealed(self, seat: Seat, answer: Answer | None) -> list[int]:
        given = bytes(self.native.width) if answer is None else self.native.padded(self.question, [answer])
        return [seat, answer is not None, *given]

    def _kind(self, kind: KindPlan) -> list[int]:
        words = [len(kind.names), *kind.names, *kind.names, len(kind.blocks)]
        for things, names in kind.blocks:
            words += (len(things), *things, *names)
        words.append(len(kind.holders))
        for slot, form, things in kind.holders:
            wide = self.native.rows.words.get(slot)
            place = (slot, 1) if wide is None else (wide.start, wide.stop - wide.start)
            words += (FORMS[form], *place, len(things), *things)
        words.append(len(kind.moved))
        for moved in kind.moved:
            words += moved
        return words

    # -------------------------------------------------------------- deals

    def deal(self, rng: int) -> Dealt | None:
        """Returns a deal with random numbers from a word on; None if Python has to make it."""
        native, words = self.native, self.words
        memory = native.laid(self.base)
        memory.frame[RNG] = signed(rng)
        if native.redeal(memory.row_at, memory.frame_at, words.buffer_info()[0]):
            return None
        row = memory.row[: native.behind]
        machine = self.forked(row, (self.plan.seat, [*self.plan.answers]))
        before, answers = self._given() if self.plan.sealed else (None, ())
        dealt = {kind: words[there] for kind, there in self.names.items()}
        return Dealt(machine, before, answers, dealt, words[DICE_WORD] & WORD, memory.frame[RNG] & WORD)

    def machines(self, rng: int, many: int) -> tuple[list[Machine], int] | None:
        """Returns the machines of so many deals, and the next word; None if Python has to make one."""
        native, plan, found = self.native, self.words.buffer_info()[0], list[Machine]()
        for _ in range(many):
            memory = native.laid(self.base)
            memory.frame[RNG] = signed(rng)
            if native.redeal(memory.row_at, memory.frame_at, plan):
                return None
            rng = memory.frame[RNG] & WORD
            found.append(self.forked(memory.row[: native.behind]))
        return found, rng

    def greedily(self, players: int, deals: int, stay: int, compared: int) -> PlannedCall | None:
        """Returns a choice in so many deals; None if Python has to choose."""
        if not self.native.thinks or compared > MOST_COMPARED or len(self.plan.answers) > MOST_LISTED:
            return None
        native, words = self.native, self.words[:]
        words[PLACES["deals"]], words[PLACES["stay"]], words[PLACES["compared"]] = deals, stay, compared
        words[PLACES["ranked"]], words[PLACES["dealt"]] = len(words), len(words) + MOST_COMPARED
        words.frombytes(bytes(8 * (MOST_COMPARED + (deals + 1) * native.behind)))
        return PlannedCall(native, self.base, self.question, words, players, native)

    def _given(self) -> tuple[Machine, tuple[Answer, ...]]:
        """Returns the position before the answers under seal, and these."""
        first, row = self.words[PLACES["sealed"]], self.words[PLACES["before"]]
        size = SEALED_HEAD + self.native.width
        answers = array("q")
        for at in range(first, first + size * len(self.plan.sealed), size):
            answers += self.words[at + SEALED_HEAD : at + size]
        before = self.forked(self.words[row : row + self.native.behind])
        return before, tuple(self.native.answers_in(answers, self.question))
