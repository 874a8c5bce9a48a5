"""Finds the slots of the row that need more than one word, and places those words behind all slots, in order; and the
values that each slot may hold.

used: set of Hex                # 127 hexes: two words
deck: pile of Card              # 16 bits a card, and 16 that end it
fuel: 0..30                     # Bounds(0, 30)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import assert_never

from rulelang.ir.model import GameRules, Loop, Simultaneous, Variable, ZoneForm
from rulelang.ir.steps import StepCosts
from rulelang.ir.types import KindType, SetType, Type, size_of
from rulelang.program.blocks import NextDeferred, StartLoop
from rulelang.program.control import Control, deferrable
from rulelang.program.deferred import CallQueue
from rulelang.program.history import PositionHistory
from rulelang.program.layout import GROUP, OUTCOME_VALUE, Layout
from rulelang.program.low.bounds import ANY, type_bounds
from rulelang.program.low.model import BITS, Bounds
from rulelang.program.low.widths import words_for
from rulelang.program.low.words import words_of

ITEMS = 4
"""The number of things of a pile that fit in a word."""
LONGEST = 256
"""The most turns of a loop that asks."""
MOST_WAITING = 6
"""The most deferred calls that may wait while one of them asks."""
LONGEST_CALL = 320
"""The most bits of a deferred call; a longer one is left to another executor."""
MARK = 2
"""The number of bits above all calls; see `program.deferred`."""

Places = Mapping[int, tuple[int, int]]


def wide_slots(
    game: GameRules, layout: Layout, control: Control, steps: StepCosts, variables: Mapping[int, Variable]
) -> tuple[dict[int, tuple[int, int]], int]:
    """Returns, by slot that is kept elsewhere, its place and
    its number of words; and the number of words of the row."""
    at, found = control.slots.size, {}
    for slot, words in sorted(_needs(game, layout, control, steps, variables)):
        if words > 1:
            found[slot] = at, words
            at += words
    return found, at


def call_bits(game: GameRules, block: Simultaneous) -> int:
    """Returns the number of bits for a call that a block may defer, at most LONGEST_CALL."""
    fields = 1 + max((len(game.procedures[id].parameters) for id in deferrable(game, block)), default=0)
    return min(fields * CallQueue(game).width, LONGEST_CALL)


def pile_words(many: int) -> int:
    """Returns the number of words for a pile of at most `many` things, with an empty place at its end."""
    return many // ITEMS + 1


def turns_of(loop: Loop, steps: StepCosts, most: int = LONGEST) -> int:
    """Returns the most turns that the slot of a loop that asks can hold."""
    return min(size_of(loop.variable.type), steps.counts.length(loop.source), most)


def _needs(
    game: GameRules, layout: Layout, control: Control, steps: StepCosts, variables: Mapping[int, Variable]
) -> Iterator[tuple[int, int]]:
    """Yields the slots that hold more than a number or a thing, with the words that they need."""
    yield OUTCOME_VALUE, words_for(GROUP * len(game.seats))
    for state in game.states:
        if isinstance(state.type, SetType):
            first = layout.states[state.id]
            yield from ((first + i, words_of(state.type)) for i in range(layout.state_sizes[state.id]))
    if game.history is not None:
        first, words = layout.states[game.history.entries], words_for(PositionHistory(game, layout, game.history).bits)
        yield from ((first + i, words) for i in range(layout.state_sizes[game.history.entries]))
    for zone in game.zones:
        words = zone_words(zone.form, game.kinds[zone.kind].size)
        yield from ((layout.zones[zone.id] + i, words) for i in range(layout.zone_sizes[zone.id]))
    slots = control.slots
    yield from ((slot, words_of(variables[id].type)) for id, slot in slots.variables.items())
    for block in control.blocks.blocks:
        for step, _ in block.steps:
            if isinstance(step, StartLoop):
                yield slots.orders[step.loop.id], pile_words(turns_of(step.loop, steps))
        if isinstance(block.end, NextDeferred):
            yield slots.deferred[block.id], words_for(MARK + MOST_WAITING * call_bits(game, block.end.block))
    for question in control.blocks.questions:
        if question.turn < 0:
            continue
        width, answers = slots.widths[question.id], slots.answers[question.id]
        needed = answer_widths(tuple(b.parameters for b in game.choices[question.choice].branches), width)
        for seat in range(len(game.seats)):
            yield from ((answers + seat * width + i, words) for i, words in enumerate(needed))


def answer_widths(
    branches: tuple[tuple[object, ...], ...], width: int, words_of: Callable[[Type], int] = words_of
) -> list[int]:
    """Returns the width of each part of a sealed answer in words: the branch, then each parameter."""
    found = [1] * width
    for parameters in branches:
        for i, parameter in enumerate(parameters, 1):
            type: Type = parameter.variable.type  # type: ignore[attr-defined]
            found[i] = max(found[i], words_of(type))
    return found


def zone_words(form: ZoneForm, size: int) -> int:
    """Returns the number of words for a zone of a kind.

    >>> zone_words("group", 120), zone_words("pile", 7), zone_words("slot", 99)
    (2, 2, 1)
    """
    match form:
        case "group":
            return words_of(SetType(KindType("", size)))
        case "pile":
            return pile_words(size)
        case "slot":
            return 1
        case _:
            assert_never(form)


def slot_bounds(
    game: GameRules,
    layout: Layout,
    control: Control,
    variables: Mapping[int, Variable],
    loose: set[int],
    bits: int | None = BITS,
) -> tuple[Bounds, ...]:
    """Returns the bounds of each slot; an unknown slot may hold any word of so many bits."""
    found = [ANY] * control.slots.size
    for zone in game.zones:
        first, size = layout.zones[zone.id], game.kinds[zone.kind].size
        held = _zone_bounds(zone.form, size)
        if held is not None and (bits is None or held.high.bit_length() < bits):
            found[first : first + layout.zone_sizes[zone.id]] = [held] * layout.zone_sizes[zone.id]
    for state in game.states:
        first = layout.states[state.id]
        for slot in range(first, first + layout.state_sizes[state.id]):
            found[slot] = type_bounds(state.type)
    if game.history is not None:  # whole positions, which no type of the rules describes
        first, size = layout.states[game.history.entries], layout.state_sizes[game.history.entries]
        found[first : first + size] = [ANY] * size
    for kind, first in zip(game.kinds, layout.faces, strict=True):
        if kind.movable:
            found[first : first + kind.size] = [Bounds(0, 1)] * kind.size
    slots = control.slots
    found[slots.question] = Bounds(0, len(control.blocks.questions))
    found[slots.seat] = Bounds(0, len(game.seats) - 1)
    for id, slot in slots.variables.items():
        if id not in loose:
            bounds = type_bounds(variables[id].type)
            # The slot is 0 as long as the variable has no value.
            found[slot] = Bounds(min(bounds.low, 0), max(bounds.high, 0), none=True)
    return tuple(found)


def _zone_bounds(form: ZoneForm, size: int) -> Bounds | None:
    """Returns the bounds of the slot of a zone for so many things; None for a pile, which is no number."""
    match form:
        case "group":
            return Bounds(0, (1 << size) - 1)
        case "slot":
            return Bounds(0, size - 1, none=True)
        case "pile":
            return None
        case _:
            assert_never(form)
