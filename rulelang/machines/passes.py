"""`simultaneously` as the interpreter reads it: the writes of each pass -> one new value for each slot.

    simultaneously for p in firing:
      for q in players: q.fuel -= 2, at least 0       # two shots at 3 fuel: -4, clamped once, 0

A pass runs on a copy of the row, so it sees only its own writes. `+=` and `-=` are summed over all passes and clamped
once; a pass sees its own sums clamped at once, to the variable's range too. `=` sets the value as it is.

Generated code has `program/low/things/notes.py`. This module was written independently, from docs/language.md, and
shares nothing with it, so that the agreement of the two machines is evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulelang.errors import RangeViolation
from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Row, Slot
from rulelang.ir.types import NONE, IntType
from rulelang.program.layout import Layout, state_at
from rulelang.program.operators import TOO_LOW
from rulelang.program.violations import slot_name


@attrs.frozen
class Write:
    """One write to a slot: `value` is added (`is_sum`, with clamps) or set."""

    value: int
    is_sum: bool
    least: int | None
    most: int | None
    site: int

    def upon(self, old: int) -> int:
        """Returns the value that the write makes of `old`; raises RangeViolation for a sum that would read as none."""
        new = old + self.value if self.is_sum else self.value
        new = new if self.least is None else max(new, self.least)
        new = new if self.most is None else min(new, self.most)
        if self.is_sum and new == NONE:
            raise RangeViolation(TOO_LOW, self.site)
        return new


@attrs.define
class Pass:
    """The writes of a pass, by slot: one that sets the slot, if any, and sums."""

    game: GameRules
    layout: Layout
    writes: dict[Slot, list[Write]] = attrs.field(factory=dict)

    def put(self, row: Row, slot: Slot, value: int, site: int) -> None:
        """Sets a slot; earlier writes of the pass to it no longer count."""
        row[slot] = value
        self.writes[slot] = [Write(value, False, None, None, site)]

    def add(self, row: Row, slot: Slot, sum: Write) -> None:
        """Adds to a slot; raises RangeViolation if the pass has clamped it differently before."""
        new = sum.upon(row[slot])
        own = self.writes.setdefault(slot, [])
        if own and not own[0].is_sum:
            own[:] = [Write(new, False, None, None, sum.site)]
        else:
            own.append(sum)
            _agree(own, slot, self.game, self.layout)
        state = state_at(self.game, self.layout, slot)
        type = None if state is None else self.game.states[state].type
        row[slot] = min(max(new, type.low), type.high) if isinstance(type, IntType) else new


def merged(passes: Iterable[Pass], game: GameRules, layout: Layout) -> Iterator[tuple[Slot, Write]]:
    """Yields the merged write of all passes for each slot, in ascending order; its site is the first pass's.

    Raises RangeViolation, before the first, if passes set a
    slot to different values, set and add, or clamp differently.
    """
    every: dict[Slot, list[Write]] = {}
    sites: dict[Slot, int] = {}
    for one in passes:
        for slot, own in one.writes.items():
            sites.setdefault(slot, own[-1].site)
            every[slot] = [*every.get(slot, ()), *own]
            _agree(every[slot], slot, game, layout)
    for slot in sorted(every):
        first = every[slot][0]
        if not first.is_sum:
            yield slot, attrs.evolve(first, site=sites[slot])
        else:
            least, most = next(iter(_clamps(every[slot])), (None, None))
            yield slot, Write(sum(write.value for write in every[slot]), True, least, most, sites[slot])


def _clamps(writes: list[Write]) -> dict[tuple[int | None, int | None], None]:
    """Returns the different clamps of some sums; a sum without a clamp takes that of the others."""
    every = ((write.least, write.most) for write in writes)
    return dict.fromkeys(clamp for clamp in every if clamp != (None, None))


def _agree(writes: list[Write], slot: Slot, game: GameRules, layout: Layout) -> None:
    """Raises RangeViolation, at the last write, if writes to a slot contradict each other."""
    if all(write.is_sum for write in writes):
        how = "clamped" if len(_clamps(writes)) > 1 else ""
    else:
        how = "changed" if len({(write.is_sum, write.value) for write in writes}) > 1 else ""
    if how:
        raise RangeViolation(f"{slot_name(game, layout, slot)} is {how} in different ways at once", writes[-1].site)
