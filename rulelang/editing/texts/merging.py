"""Texts that were changed in several windows at the same time -> one text with all changes.

merged("take 1", "take 1 now", "we take 1")              "we take 1 now"
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from difflib import SequenceMatcher

import attrs

MOST_COMPARED = 250_000
"""The largest product of two stretches' lengths for which they are compared letter by letter."""


@attrs.frozen
class Hunk:
    """A stretch of a text, and what stands in its place after a change."""

    start: int
    end: int
    text: str


def merged(base: str, mine: str, theirs: str) -> str:
    """Returns a text with both changes to another: what either deletes is gone, what either inserts stands there.

    Where both insert at one place, theirs comes first; the same change made twice counts once.

    >>> merged("take 1..3", "take 1..5", "you take 1..3")
    'you take 1..5'
    >>> merged("a c", "a b c", "a x c")
    'a x b c'
    """
    if mine in (theirs, base):
        return theirs
    if theirs == base:
        return mine
    inserted: dict[int, list[str]] = defaultdict(list)
    deleted = bytearray(len(base))
    for hunk in dict.fromkeys((*hunks(base, theirs), *hunks(base, mine))):
        inserted[hunk.start].append(hunk.text)
        deleted[hunk.start : hunk.end] = b"\1" * (hunk.end - hunk.start)
    parts, last = list[str](), 0
    for start in (*sorted(inserted), len(base)):
        parts.append("".join(base[at] for at in range(last, start) if not deleted[at]))
        parts += inserted.pop(start, ())
        last = start
    return "".join(parts)


def hunks(before: str, after: str) -> Iterator[Hunk]:
    """Yields the changes that make one text of another, in order: by lines, and within those by letters.

    >>> list(hunks("one\\ntwo\\n", "one!\\ntwo\\n"))
    [Hunk(start=3, end=3, text='!')]
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    for kind, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            yield from _within(starts[i], before[starts[i] : starts[j]], "".join(new[k:m]))


def _within(offset: int, before: str, after: str) -> Iterator[Hunk]:
    """Yields the changes of a stretch that begins at an offset."""
    if len(before) * len(after) > MOST_COMPARED:
        yield Hunk(offset, offset + len(before), after)
        return
    for kind, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            yield Hunk(offset + i, offset + j, after[k:m])


@attrs.define
class WindowText:
    """A text as one window has it, as far as is known here.

    A window takes a text from here only if it has sent nothing since that this text does not contain. So the text that
    both have in common is always known: the one that it sent or took last. It is told of one text at a time.
    """

    common: str
    """The text that the window sent or took last."""
    told: str | None = None
    """The text that it was told of, and may take, since it sent or took one."""

    def sent(self, text: str, present: str) -> str:
        """Returns the present text with what the window has changed, after it sent its own."""
        found = merged(self.common, text, present)
        self.common, self.told = text, None
        return found

    def tell(self, text: str) -> bool:
        """Returns whether the window is told of a text now: not if it has it, nor while it has not answered."""
        if self.told is not None or text == self.common:
            return False
        self.told = text
        return True

    def took(self) -> None:
        """Notes that the window has taken the text that it was told of; it can be told of another."""
        if self.told is not None:
            self.common, self.told = self.told, None
