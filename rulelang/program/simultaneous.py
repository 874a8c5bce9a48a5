"""Simultaneous passes -> one set of changes: `simultaneously` for generated code.

The reference machine has an independent implementation (`machines/passes.py`).

Each pass runs on its own copy of the row as it was before the block and notes what it writes, slot by slot:
a value that it set, or a sum that it added. Afterwards the notes are merged, in slot order: sums are added up and
clamped once; values set must agree, and a slot that one pass sets no other pass may add to.

    simultaneously for p in firing:
      for q in players: q.fuel -= 2, at least 0       # two shots at 3 fuel: -4, clamped once, 0

Invariant: a pass reads its own writes clamped (in its copy), always within the variable's range; the notes hold the
unclamped sums.

Moves are made afterwards, one by one. Meanwhile a zone may exceed its bound (when two full hands are swapped, say), so
bounds are checked when the block ends. Until then a slot with several things holds the one that came last.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rulelang.errors import RangeViolation
from rulelang.ir.model import GameRules, Zone
from rulelang.ir.numbers import Row, Slot, Thing
from rulelang.ir.types import NONE, IntType
from rulelang.program.layout import Layout, state_at
from rulelang.program.values import within
from rulelang.program.violations import slot_name, slot_violation


class Note(NamedTuple):
    """The effect of a pass on a slot: it added `value` (clamped at the end), or set the slot to `value`."""

    adds: bool
    value: int
    least: int | None
    most: int | None
    site: int
    """The site of the last write."""


Notes = dict[Slot, Note]
"""The effects of a pass, by slot."""

Entered = dict[tuple[int, int], int]
"""The bounded zone instances that a block's moves have put things into, each with the site of the last such move."""


def clamped(value: int, least: int | None, most: int | None) -> int:
    """Returns a value lifted to `least`, then lowered to `most`.

    >>> clamped(-4, 0, None)
    0
    """
    if least is not None and value < least:
        value = least
    if most is not None and value > most:
        value = most
    return value


def write(row: Row, notes: Notes, slot: Slot, value: int, site: int) -> None:
    """Sets a slot in a pass; `value` is clamped already."""
    row[slot] = value
    notes[slot] = Note(False, value, None, None, site)


def add(row: Row, notes: Notes, slot: Slot, sum: Note, game: GameRules, layout: Layout) -> None:
    """Adds to a slot in a pass: the pass sees the sum, clamped to the variable's range; the note is exact."""
    state = state_at(game, layout, slot)
    assert state is not None
    type = game.states[state].type
    seen = clamped(row[slot] + sum.value, sum.least, sum.most)
    row[slot] = clamped(seen, type.low, type.high) if isinstance(type, IntType) else seen
    before = notes.get(slot)
    if before is None:
        notes[slot] = sum
    elif before.adds:
        clamp = _one_clamp(before, sum)
        if clamp is None:
            raise _disagreement("clamped", slot, sum.site, game, layout)
        notes[slot] = Note(True, before.value + sum.value, *clamp, sum.site)
    else:
        notes[slot] = Note(False, seen, None, None, sum.site)


def merged(passes: Sequence[Notes], game: GameRules, layout: Layout) -> Notes:
    """Returns the merged effects of all passes, by slot in ascending order; a merged note has the first pass's site.

    Raises RangeViolation when passes set a slot to different values, set and add, or clamp differently.
    """
    simultaneous: Notes = {}
    for notes in passes:
        for slot, note in notes.items():
            before = simultaneous.get(slot)
            simultaneous[slot] = note if before is None else _both(before, note, slot, game, layout)
    return dict(sorted(simultaneous.items()))


def _both(first: Note, second: Note, slot: Slot, game: GameRules, layout: Layout) -> Note:
    if first.adds and second.adds:
        clamp = _one_clamp(first, second)
        if clamp is None:
            raise _disagreement("clamped", slot, second.site, game, layout)
        return Note(True, first.value + second.value, *clamp, first.site)
    if first.adds != second.adds or first.value != second.value:
        raise _disagreement("changed", slot, second.site, game, layout)
    return first


def _one_clamp(first: Note, second: Note) -> tuple[int | None, int | None] | None:
    """Returns the common clamp of two summands, None if they disagree; a summand without a clamp agrees with any."""
    if second.least is None and second.most is None:
        return first.least, first.most
    if (first.least, first.most) in ((None, None), (second.least, second.most)):
        return second.least, second.most
    return None


def _disagreement(what: str, slot: Slot, site: int, game: GameRules, layout: Layout) -> RangeViolation:
    return RangeViolation(f"{slot_name(game, layout, slot)} is {what} in different ways at once", site)


def settled(row: Row, slot: Slot, note: Note, game: GameRules, layout: Layout) -> int:
    """Returns a slot's value after the block; raises RangeViolation when its variable cannot hold it."""
    value = clamped(row[slot] + note.value, note.least, note.most) if note.adds else note.value
    state = state_at(game, layout, slot)
    if state is not None and not within(game.states[state].type, value):
        raise slot_violation(game, layout, slot, value, note.site)
    return value


def pass_on(row: Row, notes: Notes, simultaneous: Notes, game: GameRules, layout: Layout) -> None:
    """Notes the merged effects of passes within a pass as writes of that pass."""
    for slot, note in simultaneous.items():
        if note.adds:
            add(row, notes, slot, note, game, layout)
        else:
            write(row, notes, slot, note.value, note.site)


# ------------------------------------------------------------------ zones


def held_in(row: Row, zone: Zone, instance: int, game: GameRules, layout: Layout) -> list[int]:
    """Returns the things whose place is a zone instance: during a block's moves a slot may have several."""
    first, place = layout.places[zone.kind], zone.first_place + instance
    return [thing for thing in range(game.kinds[zone.kind].size) if row[first + thing] == place]


def left_in_slot(row: Row, zone: Zone, instance: int, thing: Thing, game: GameRules, layout: Layout) -> int:
    """Returns the value of a slot after a thing has left it during a block's moves: a thing that is still there, or
    NONE."""
    now = row[layout.zones[zone.id] + instance]
    if now != thing:
        return now
    return next((other for other in held_in(row, zone, instance, game, layout) if other != thing), NONE)
