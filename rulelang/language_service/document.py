"""An editor's text <-> the text of rules that is read from it: places in one, offsets in the other.

document = EditorText("x = \\"🎲\\"\\r\\ny = 1")
document.offset(EditorPlace(1, 0))        7
document.place(7)                         EditorPlace(line=1, column=0)

An editor counts columns in UTF-16 units of its own text; rules are read in NFC, with one form of line ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from typing import TypeAlias

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


# ------------------------------------------------------------------ two editors of one text

_Hunk: TypeAlias = tuple[int, int, list[str]]
"""The first line that goes, the one behind the last, and the lines that come in their place."""


def merged(base: str, mine: str, theirs: str) -> tuple[str, bool]:
    """Returns a text with both changes of a base, line by line, and whether they clash: there, it is theirs.

    >>> merged("a\\nb\\nc", "A\\nb\\nc", "a\\nb\\nC")
    ('A\\nb\\nC', False)
    >>> merged("fuel = 3", "fuel = 30", "fuel = 3 or less")
    ('fuel = 3 or less', True)
    """
    if theirs in (base, mine):
        return mine, False
    lines = base.splitlines(keepends=True)
    waiting = sorted(
        [(*hunk, "mine") for hunk in _hunks(lines, mine)] + [(*hunk, "theirs") for hunk in _hunks(lines, theirs)]
    )
    found, at, is_clash = list[str](), 0, False
    while waiting:
        start, end = waiting[0][:2]
        sides: dict[str, list[_Hunk]] = {"mine": [], "theirs": []}
        while waiting and (waiting[0][0] < end or waiting[0][0] == start):
            first, last, new, who = waiting.pop(0)
            sides[who].append((first, last, new))
            end = max(end, last)
        old, ours = "".join(lines[start:end]), _changed(lines, start, end, sides["mine"])
        text, clashes = _merged_within(old, ours, _changed(lines, start, end, sides["theirs"]))
        found += (*lines[at:start], text)
        at, is_clash = end, is_clash or clashes
    return "".join((*found, *lines[at:])), is_clash


def _hunks(lines: list[str], text: str) -> Iterator[_Hunk]:
    new = text.splitlines(keepends=True)
    for what, start, end, first, last in SequenceMatcher(None, lines, new, autojunk=False).get_opcodes():
        if what != "equal":
            yield start, end, new[first:last]


def _changed(lines: list[str], start: int, end: int, hunks: list[_Hunk]) -> str:
    """Returns a stretch of lines with some changes."""
    found, at = list[str](), start
    for first, last, new in hunks:
        found += (*lines[at:first], *new)
        at = last
    return "".join((*found, *lines[at:end]))


def _merged_within(old: str, mine: str, theirs: str) -> tuple[str, bool]:
    """Returns a stretch with both changes, if each has changed one part and these do not touch; lines that both insert at
    one place stand one behind the other."""
    if theirs in (old, mine):
        return mine, False
    if mine == old:
        return theirs, False
    if not old:
        return f"{theirs}{mine}", False
    left, right = sorted((_part(old, mine), _part(old, theirs)), key=lambda part: part[:2])
    if left[1] >= right[0]:
        return theirs, True
    return f"{old[: left[0]]}{left[2]}{old[left[1] : right[0]]}{right[2]}{old[right[1] :]}", False


def _part(old: str, new: str) -> tuple[int, int, str]:
    """Returns the one part of a text that another replaces: its start, its end, and what stands there instead."""
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    same = next((n for n in range(most - start) if old[-1 - n] != new[-1 - n]), most - start)
    return start, len(old) - same, new[start : len(new) - same]
