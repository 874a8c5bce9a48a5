"""An editor's text <-> the text of rules that is read from it: places in one, offsets in the other.

document = EditorText("x = \\"🎲\\"\\r\\ny = 1")
document.offset(EditorPlace(1, 0))        7
document.place(7)                         EditorPlace(line=1, column=0)

An editor counts columns in UTF-16 units of its own text; rules are read in NFC, with one form of line ends.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache

import attrs

from rulelang.source import SourceText, Span, normal

_LINE_END = re.compile(r"\r\n|\r|\n")


@attrs.frozen(order=True)
class EditorPlace:
    """A place in an editor's text: the line from 0, the column in UTF-16 units from 0."""

    line: int
    column: int


@attrs.frozen
class EditorRange:
    """A half-open stretch of an editor's text."""

    start: EditorPlace
    end: EditorPlace


@attrs.define(frozen=True, eq=False, slots=False)
class EditorText:
    """A text as an editor holds it."""

    text: str

    @cached_property
    def lines(self) -> list[str]:
        """The lines as they are, without their ends."""
        return _LINE_END.split(self.text)

    @property
    def line_end(self) -> str:
        """The end of the first line; a line feed if there is one line only."""
        found = _LINE_END.search(self.text)
        return found[0] if found else "\n"

    @cached_property
    def source(self) -> SourceText:
        """The text in the form in which rules are read."""
        return SourceText("", self.text)

    def changed(self, range: EditorRange | None, text: str) -> EditorText:
        """Returns the text with another in place of a stretch; all of it is replaced if the range is None.

        >>> EditorText("a\\r\\n🎲b").changed(EditorRange(EditorPlace(1, 2), EditorPlace(1, 3)), "c").text
        'a\\r\\n🎲c'
        """
        if range is None:
            return EditorText(text)
        start, end = sorted((self._raw_offset(range.start), self._raw_offset(range.end)))
        return EditorText(f"{self.text[:start]}{text}{self.text[end:]}")

    def _raw_offset(self, place: EditorPlace) -> int:
        """Returns the offset of a place in the editor's text itself; the nearest one for a place that does not exist."""
        ends = [found.end() for found in _LINE_END.finditer(self.text)]
        if place.line > len(ends):
            return len(self.text)
        start = ends[place.line - 1] if place.line > 0 else 0
        return start + _points(self.lines[place.line], place.column)

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for line in self.source.text.split("\n")[:-1]:
            starts.append(starts[-1] + len(line) + 1)
        return starts

    def offset(self, place: EditorPlace) -> int:
        """Returns the offset, in the text of rules, of an editor's place; the nearest one for a place that does not exist.

        >>> EditorText("a = 🎲b").offset(EditorPlace(0, 6))
        5
        """
        if place.line >= len(self._starts):
            return len(self.source.text)
        raw = self.lines[place.line] if place.line < len(self.lines) else ""
        return self._starts[place.line] + len(normal(raw[: _points(raw, place.column)]))

    def place(self, offset: int) -> EditorPlace:
        """Returns the editor's place of an offset in the text of rules.

        >>> EditorText("a = 🎲b").place(5)
        EditorPlace(line=0, column=6)
        """
        line, column = self.source.position(min(max(offset, 0), len(self.source.text)))
        raw = self.lines[line - 1] if line <= len(self.lines) else ""
        points = column - 1
        if normal(raw) != raw:
            # A sign that joins the letter before it is part of that letter's place.
            points = max(n for n in range(len(raw) + 1) if len(normal(raw[:n])) <= column - 1)
        return EditorPlace(line - 1, sum(map(_units, raw[:points])))

    def range(self, span: Span) -> EditorRange:
        """Returns the editor's range of a span of this text."""
        return EditorRange(self.place(span.start), self.place(span.end))

    @property
    def whole(self) -> EditorRange:
        """The range of all of it."""
        last = self.lines[-1]
        return EditorRange(EditorPlace(0, 0), EditorPlace(len(self.lines) - 1, sum(map(_units, last))))


def without_halves(text: str) -> str:
    """Returns a text in which each half of a UTF-16 pair that stands alone, which no file can hold, is replaced.

    >>> without_halves("a\\ud83cb")
    'a\ufffdb'
    """
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


@lru_cache(32)  # All places of a file are told of one text, whose lines are found once.
def read_text(text: str) -> EditorText:
    """Returns the text of a file that no editor holds, as an editor would hold it."""
    return EditorText(text)


def _points(line: str, column: int) -> int:
    """Returns the number of characters of a line before a column."""
    units = 0
    for points, character in enumerate(line):
        if units >= column:
            return points
        units += _units(character)
    return len(line)


def _units(character: str) -> int:
    """Returns the number of UTF-16 units of a character."""
    return 2 if ord(character) > 0xFFFF else 1
