"""Many positions at once -> observations and numbers of actions, as whole arrays: what `observations` and `actions` say, column by column.

RowColumns        rows -> the part of observations that everybody sees, which is all of it in a game without secrets and zones
OptionColumns     answers side by side -> numbers of actions; None for a game whose actions name sets or copies
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from typing import Any

import attrs
import numpy as np

from rulelang.adapters.actions import ActionBlock, Actions
from rulelang.adapters.domains import NumberedValues
from rulelang.adapters.observations import LINEAR, Observations
from rulelang.ir.facts import kind_of
from rulelang.ir.types import NONE, FlagType, IntType, SetType, first_of, offset_of, size_of
from rulelang.knowledge.visibility import Visibility

WORD = 62
"""The most bits of a set that a word of a row holds."""


@attrs.frozen(eq=False)
class RowColumns:
    """The slots to read and the places to write, by group of variables."""

    size: int
    seat: int
    to_move: int
    question: int
    scaled: Any
    """Slots, places and largest numbers of the variables with numbers; the largest is below 0 where its logarithm is taken."""
    placed: Any
    """Slots, places, steps and places of `none` of the variables with members."""
    held: Any
    """Slots, bits and places of the elements of sets."""
    absent: Any
    """Slots and places of the `none` of numbers."""

    rest: frozenset[str]
    """The variables that are not among them, by name."""
    is_whole: bool
    """Whether an observation has no other part."""

    @classmethod
    def of(cls, layout: Observations, visibility: Visibility, wide: frozenset[int]) -> RowColumns:
        """Returns the columns of a game; `wide` are the slots that do not lie in a row's words."""
        groups: list[list[Sequence[float]]] = [[], [], [], []]
        rest = set[str]()
        for state, at, name in visibility.cells:
            slot, type = visibility.layout.states[state.id] + at, state.type
            is_open = state.visible == "all" and kind_of(type, layout.game) is None and slot not in wide
            if not is_open or (isinstance(type, SetType) and size_of(type.element) + offset_of(type.element) > WORD):
                rest.add(name)
                continue
            cell = layout.cell(name)
            _group(groups, slot, type, cell.start, cell.step)
        ask_several = any(choice.variable is not None for choice in layout.game.choices)
        is_whole = not rest and not visibility.heaps and not ask_several
        scaled, placed, held, absent = (np.array(group, np.float64).T for group in groups)
        starts = (layout.part("seat").start, layout.part("to move").start, layout.part("question").start)
        return cls(layout.size, *starts, scaled, placed, held, absent, frozenset(rest), is_whole)

    def observed(self, rows: Any, eyes: Any, seats: Any, asked: Any) -> Any:
        """Returns the observations of positions, each by a seat; `seats` and `asked` are who is asked and which question, -1
        for nobody and none."""
        many = np.arange(len(rows))
        seen = np.zeros((len(rows), self.size), np.float32)
        seen[many, self.seat + eyes] = 1
        going = many[seats >= 0]
        seen[going, self.to_move + seats[going]] = 1
        seen[going, self.question + asked[going]] = 1
        if self.scaled.size:
            slots, places, most = self.scaled
            values = rows[:, slots.astype(np.int64)]
            values = np.where(values == NONE, 0, values)
            logs = np.sign(values) * np.log2(1 + np.abs(values))
            seen[:, places.astype(np.int64)] = np.where(most > 0, values / np.abs(most), logs / np.abs(most))
        if self.placed.size:
            slots, starts, steps, last = self.placed.astype(np.int64)
            values = rows[:, slots]
            seen[many[:, None], starts + np.where(values == NONE, last, values) * steps] = 1
        if self.held.size:
            slots, bits, places = self.held.astype(np.int64)
            seen[:, places] = (rows[:, slots] >> bits) & 1
        if self.absent.size:
            slots, places = self.absent.astype(np.int64)
            seen[:, places] = rows[:, slots] == NONE
        return seen


def _group(groups: list[list[Sequence[float]]], slot: int, type: Any, start: int, step: int) -> None:
    """Adds a variable to the group that it is of."""
    scaled, placed, held, absent = groups
    if isinstance(type, IntType | FlagType):
        most = max(abs(type.low), abs(type.high), 1) if isinstance(type, IntType) else 1
        scaled.append((slot, start, most if most <= LINEAR else -log2(1 + most)))
        if type.optional:
            absent.append((slot, start + step))
    elif isinstance(type, SetType):
        shift = offset_of(type.element) + first_of(type.element)
        held += [(slot, element + shift, start + element * step) for element in range(size_of(type.element))]
    else:
        placed.append((slot, start, step, size_of(type)))


@attrs.frozen(eq=False)
class OptionColumns:
    """For each choice and branch, the first number of the block, and
    by parameter its step, its first value, and the place of `none`."""

    branches: int
    first: Any
    steps: Any
    lows: Any
    nones: Any

    @classmethod
    def of(cls, actions: Actions) -> OptionColumns | None:
        """Returns the columns of a game; None if some action names sets or copies, or has no numbers."""
        game, most = actions.game, max((len(choice.branches) for choice in actions.game.choices), default=1)
        width = max((len(branch.parameters) for choice in game.choices for branch in choice.branches), default=0)
        first = np.zeros(len(game.choices) * most, np.int64)
        steps, lows, nones = (np.zeros((len(first), width), np.int64) for _ in range(3))
        for choice in game.choices:
            for number in range(len(choice.branches)):
                block = actions.block_at(choice.id, number)
                if block is None or not _is_plain(block):
                    return None
                at, step = choice.id * most + number, 1
                first[at] = block.first
                for place in range(len(block.domains) - 1, -1, -1):
                    domain = block.domains[place]
                    steps[at, place], lows[at, place] = step, first_of(domain.type)  # type: ignore[union-attr]
                    nones[at, place] = size_of(domain.type)  # type: ignore[union-attr]
                    step *= domain.size
        return cls(most, first, steps, lows, nones)

    def numbers(self, choices: Any, answers: Any) -> Any:
        """Returns the numbers of answers, padded with -1, each to a question."""
        at = choices * self.branches + answers[:, 0]
        values = answers[:, 1 : 1 + self.steps.shape[1]]
        steps = self.steps[at][:, : values.shape[1]]
        lows, nones = self.lows[at][:, : values.shape[1]], self.nones[at][:, : values.shape[1]]
        return self.first[at] + (np.where(values == NONE, nones, values - lows) * steps).sum(axis=1)


def _is_plain(block: ActionBlock) -> bool:
    return all(isinstance(domain, NumberedValues) and not domain.classes for domain in block.domains)
