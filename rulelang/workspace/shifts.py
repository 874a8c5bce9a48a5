"""Two versions of a text -> where each place of the old one lies in the new one.

    Shift.between("a = 1\\nb = 2\\n", "a = 10\\nb = 2\\n").offset(6)      7: what follows the edit moves with it

An edit is one stretch that was replaced, so what stands before it and after it is known without another look.
"""

from __future__ import annotations

import attrs

from rulelang.source import SourceText, Span


@attrs.frozen
class Shift:
    """The stretch of an old text, from `start` to `end`, that was replaced; `by` is how far what follows it moved."""

    start: int
    end: int
    by: int

    @classmethod
    def between(cls, old: str, new: str) -> Shift:
        """Returns the shortest stretch whose replacement turns one text into another.

        >>> Shift.between("heap = 1", "heap = 21")
        Shift(start=7, end=7, by=1)
        """
        start = _common(old, new)
        most = min(len(old), len(new)) - start
        same = _common(old[len(old) - most :][::-1], new[len(new) - most :][::-1])
        return cls(start, len(old) - same, len(new) - len(old))

    def offset(self, at: int) -> int | None:
        """Returns where a place of the old text lies in the new one; None within the stretch that was replaced."""
        if at <= self.start:
            return at
        return at + self.by if at >= self.end else None

    def span(self, span: Span, source: SourceText) -> Span | None:
        """Returns where a stretch of the old text lies in a new source; None if the edit touches it."""
        if span.end < self.start:
            return Span(source, span.start, span.end)
        return Span(source, span.start + self.by, span.end + self.by) if span.start > self.end else None


def _common(one: str, other: str) -> int:
    """Returns the length of the longest beginning that two texts share."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
