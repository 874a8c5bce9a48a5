"""Passes that happen at once -> one set of changes: `simultaneously` for generated code.

The reference machine has its own (`machines/passes.py`), written apart from this.

Each pass runs on its own copy of the row as it was before the block and notes what it writes, slot by slot:
a value that it set, or a sum that it added. Afterwards the notes are merged, in slot order: sums are added up and
clamped once; values set must agree, and nobody else may have added to what was set.

    simultaneously for p in firing:
      for q in players: q.fuel -= 2, at least 0       # two shots at 3 fuel: -4, clamped once, 0

Invariant: what a pass reads of its own doing is clamped at once (in its copy) and never leaves its variable's range;
the notes hold the sums as they are.

Moves come afterwards, one by one. On the way a zone may hold more than it is meant to (two full hands change places): what it
holds is looked at when the block ends. A slot then stands for what came last of the things whose place it is.
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
    """The effect of a pass on a slot: added `value` (clamped at the end), or set it to `value`."""

    adds: bool
    value: int
    least: int | None
    most: int | None
    site: int
    """The line that wrote last."""


Notes = dict[Slot, Note]
"""What a pass wrote, by slot."""

Entered = dict[tuple[int, int], int]
"""The zone instances with a bound that things came into while a block's moves are under way, each with the last such line."""


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
    """Adds to a slot in a pass: the pass sees the clamped sum, kept within the variable's range; the note is exact."""
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
    """Returns the clamp of two summands, None if they disagree; one without any does not count."""
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
    """Takes what passes inside of a pass did together as that pass's own doing."""
    for slot, note in simultaneous.items():
        if note.adds:
            add(row, notes, slot, note, game, layout)
        else:
            write(row, notes, slot, note.value, note.site)


# ------------------------------------------------------------------ zones


def held_in(row: Row, zone: Zone, instance: int, game: GameRules, layout: Layout) -> list[int]:
    """Returns the things whose place a zone is: in the middle of a block's moves a slot may have several."""
    first, place = layout.places[zone.kind], zone.first_place + instance
    return [thing for thing in range(game.kinds[zone.kind].size) if row[first + thing] == place]


def left_in_slot(row: Row, zone: Zone, instance: int, thing: Thing, game: GameRules, layout: Layout) -> int:
    """Returns the value of a slot after a thing leaves it in the middle of a block's moves, or NONE."""
    now = row[layout.zones[zone.id] + instance]
    if now != thing:
        return now
    return next((other for other in held_in(row, zone, instance, game, layout) if other != thing), NONE)
