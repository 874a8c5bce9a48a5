"""Texts of rules, and places in them.

A `SourceText` is a text with the name it is shown under; a `Span` is a half-open stretch of it, in code points from 0.
Lines and columns, counted from 1, are computed only when a place is shown.

Invariant: a source has one form, whatever system wrote the file: lines end in LF, no byte order mark, Unicode in NFC.

    heap -= n        # Span(start=..., end=...) of `heap`; source.position(span.start) -> (line, column)
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from functools import cached_property

import attrs

BYTE_ORDER_MARK = "\ufeff"


def normal(text: str) -> str:
    r"""Returns a text in the form in which rules are read: LF, no byte order mark, NFC.

    >>> normal("\ufeffheap\r\npile\rcafe\u0301")
    'heap\npile\ncafé'
    """
    text = text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")
    return unicodedata.normalize("NFC", text)


@attrs.define(frozen=True, eq=False, slots=False)
class SourceText:
    """A rules text and the name it is shown under.

    >>> SourceText("nim.rules", "a\\nbc\\n").position(3)
    (2, 2)
    """

    name: str
    text: str = attrs.field(converter=normal)

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        starts.extend(i + 1 for i, c in enumerate(self.text) if c == "\n")
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Returns the 1-based line and column of an offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Returns the text of a 1-based line, without the line break; "" if there is no such line.

        >>> [SourceText("nim.rules", "heap\\npile").line(number) for number in range(4)]
        ['', 'heap', 'pile', '']
        """
        if not 1 <= number <= len(self._starts):
            return ""
        start = self._starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]


@attrs.frozen
class Span:
    """A stretch of source: the text and the offsets from `start` up to `end`."""

    source: SourceText = attrs.field(eq=False, repr=False)
    start: int
    end: int

    def to(self, other: Span) -> Span:
        """Returns the span from the start of this one to the end of another."""
        return Span(self.source, self.start, max(self.end, other.end))

    def holds(self, other: Span) -> bool:
        """Returns whether another span lies within this one.

        >>> text = SourceText("nim.rules", "heap = 5")
        >>> Span(text, 0, 4).holds(Span(text, 0, 4)), Span(text, 1, 4).holds(Span(text, 0, 4))
        (True, False)
        >>> Span(text, 0, 4).holds(Span(text, 0, 5)), Span(text, 0, 4).holds(Span(SourceText("", "heap"), 0, 4))
        (False, False)
        """
        return self.source.name == other.source.name and self.start <= other.start and other.end <= self.end

    @property
    def text(self) -> str:
        """The text of this stretch."""
        return self.source.text[self.start : self.end]

    @property
    def place(self) -> str:
        """File, line and column of the start, as in `nim.rules:3:7`."""
        line, column = self.source.position(self.start)
        return f"{self.source.name}:{line}:{column}"


NOWHERE = Span(SourceText("", ""), 0, 0)
