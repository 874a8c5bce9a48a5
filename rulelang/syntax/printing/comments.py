"""Puts comments and blank lines back between the lines that they stood between.

# the sand timer                a comment on a line of its own stays above the line that follows it
sand = 60  # a full minute      one at the end of a line stays there
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence

import attrs

from rulelang.source import SourceText
from rulelang.syntax import nodes
from rulelang.syntax.printing.columns import FormattedLine


def weave(
    source: SourceText, lines: Sequence[FormattedLine], comments: Sequence[nodes.CommentNode]
) -> list[FormattedLine]:
    """Returns the printed lines of a source with its comments, and a blank line wherever there was at least one.

    If a broken line has several comments at its ends, the last stays at the end and the others go above the line.
    """
    woven: list[FormattedLine] = []
    waiting = deque(comments)
    for number, line in enumerate(lines, start=1):
        next_ = lines[number] if number < len(lines) else None
        start = _start(line)
        while waiting and waiting[0].span.start < start:
            woven.append(_alone(source, waiting.popleft(), line, woven))
        behind: list[FormattedLine] = []
        end = len(source.text) + 1 if next_ is None else _start(next_)
        while waiting and waiting[0].span.start < end and not waiting[0].alone:
            behind.append(FormattedLine(line.depth, _written(waiting.popleft()), start))
        woven.extend(behind[:-1])
        comment = behind[-1].code if behind else ""
        begins = number == 1 or source.position(_start(lines[number - 2]))[0] < source.position(start)[0]
        woven.append(attrs.evolve(line, comment=comment, blank_before=begins and _has_blank_before(source, start)))
    woven.extend(_alone(source, comment, None, woven) for comment in waiting)
    return woven


def else_start(source: SourceText, start: int, end: int) -> int:
    """Returns the offset of the `else` that begins a line between two offsets; `end` if there is none."""
    found = re.compile(r"^[ \t]*else\b", re.MULTILINE).search(source.text, start, end)
    return end if found is None else found.end() - len("else")


def _start(line: FormattedLine) -> int:
    assert line.start is not None
    return line.start


def _alone(
    source: SourceText, comment: nodes.CommentNode, next_: FormattedLine | None, before: Sequence[FormattedLine]
) -> FormattedLine:
    start = comment.span.start
    depth = _depth(source, _column(source, start), next_, before)
    return FormattedLine(depth, _written(comment), start, blank_before=_has_blank_before(source, start))


def _depth(source: SourceText, column: int, next_: FormattedLine | None, before: Sequence[FormattedLine]) -> int:
    """Returns a comment's depth: it belongs to the line below it, or, if indented further, to the end of that block."""
    least = 0 if next_ is None else next_.depth
    if next_ is not None and column <= _column(source, _start(next_)):
        return least
    no_deeper = (line for line in reversed(before) if not _is_comment(line) and _column(source, _start(line)) <= column)
    above = next(no_deeper, None)
    return least if above is None else max(above.depth, least)


def _is_comment(line: FormattedLine) -> bool:
    return line.code.startswith("#")


def _column(source: SourceText, offset: int) -> int:
    return offset - (source.text.rfind("\n", 0, offset) + 1)


def _has_blank_before(source: SourceText, offset: int) -> bool:
    number, _ = source.position(offset)
    return number > 1 and not source.line(number - 1).strip()


def _written(comment: nodes.CommentNode) -> str:
    gap = "" if not comment.text or comment.text.startswith("!") else " "
    return f"#{gap}{comment.text}"
