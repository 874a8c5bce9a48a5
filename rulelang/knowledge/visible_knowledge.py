"""A row -> the knowledge of those who see it as it lies, where no trace has told more.

laid_out(visibility, knowledge, row)    each viewer knows the things that lie where it can look

Invariant: the result depends on its arguments alone. Kinds none of whose things have moved since the last row are taken
over from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import ne

import attrs

from rulelang.ir.numbers import Row
from rulelang.knowledge.knowledge import Knowledge
from rulelang.knowledge.visibility import Visibility

STRETCH = 64
"""The number of slots that are compared at once."""


@attrs.frozen(eq=False)
class LaidOut:
    """The knowledge of a row as it lies."""

    row: Row
    before: Knowledge
    """The knowledge before things were laid out."""
    knowledge: Knowledge


def laid_out(visibility: Visibility, knowledge: Knowledge, row: Row) -> Knowledge:
    """Returns the knowledge of viewers who see the contents of visible places, and remember `knowledge` of the others."""
    last, kinds = visibility.laid.get("last"), range(len(knowledge.kinds))
    moved = set(kinds)
    if isinstance(last, LaidOut) and last.before is knowledge and visibility.shifting is None:
        slots = visibility.kind_at
        moved = {slots[slot] for slot in differing(last.row, row) if slot in slots}
        if not moved:
            return last.knowledge
    found = knowledge.laid_out(
        visibility.game,
        visibility.layout,
        row,
        lambda kind: visibility.hidden_places(kind, row),
        unseen=visibility.picked,
        only=moved,
    )
    if isinstance(last, LaidOut) and len(moved) < len(kinds):
        taken = tuple(found.kinds[kind] if kind in moved else last.knowledge.kinds[kind] for kind in kinds)
        found = attrs.evolve(found, kinds=taken)
    visibility.laid["last"] = LaidOut(row[:], knowledge, found)
    return found


def known_when_given(visibility: Visibility, knowledge: Knowledge, row: Row | None) -> Knowledge:
    """Returns the knowledge of viewers after a row, if any, was given from outside: a thing taken out of the box is known
    only to those who see where it lies now."""
    if row is None:
        return knowledge
    return knowledge.laid_out(
        visibility.game,
        visibility.layout,
        row,
        lambda kind: visibility.hidden_places(kind, row),
        unseen=range(len(knowledge.kinds)),
    )


def differing(before: Sequence[int], now: Sequence[int]) -> list[int]:
    """Returns the indices at which two sequences of the same length differ.

    >>> differing([0, 1, 2, 3], [0, 7, 2, 8])
    [1, 3]
    """
    found: list[int] = []
    for start in range(0, len(now) if before != now else 0, STRETCH):
        old, new = before[start : start + STRETCH], now[start : start + STRETCH]
        if old != new:
            found += compress(range(start, start + STRETCH), map(ne, old, new))
    return found
