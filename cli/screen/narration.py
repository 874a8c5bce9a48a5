"""Events as one seat saw them -> lines of narration on a terminal.

    Bonus
      Green: Play nitro  [OS-5.6]
        Green's nitro ignites  [OS-13.16]
        Green's fuel falls from 12 to 9

`summary` tells the same in a few lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.text import Text

from rulelang.knowledge.phrase import spliced
from rulelang.match.recording.events import Event
from rulelang.screens.narration import told

from .hanging import Hanging
from .styles import QUIET, Styles

INDENT = 2
"""The number of columns by which news is indented."""
HANGING = 4
"""The hanging indent of a long line, in columns."""


def narrate(events: Iterable[Event], styles: Styles, about: frozenset[str] | None = None) -> Iterator[Text]:
    """Yields the lines that tell of events, for a terminal: see `told`."""
    for line in told(events, styles.seats, about):
        indent = "  " * line.depth
        if line.is_heading:
            yield styles(line.sentence, "bold underline")
        elif line.sentence:
            text = styles(spliced((indent, line.sentence)))
            if line.changes:
                text.append("   ").append_text(styles(spliced(line.changes, "; "), QUIET))
            if line.clauses:
                text.append(f"  [{', '.join(line.clauses)}]", QUIET)
            yield text
        else:
            yield styles(spliced((indent, line.changes[0])), QUIET)


def outdented(lines: list[Text]) -> list[Text]:
    """Returns news without the indentation that all of its lines share: verbs inside verbs may lie deep."""
    indents = [len(line.plain) - len(line.plain.lstrip()) for line in lines]
    extra = max(min(filter(None, indents), default=0) - INDENT, 0)
    return [line[extra:] if indent else line for line, indent in zip(lines, indents, strict=True)]


def tell(console: Console, lines: Iterable[Text]) -> int:
    """Prints lines with hanging indents; returns the number of rows."""
    told = [_hanging(line) for line in lines]
    for hanging in told:
        console.print(hanging)
    return _rows(console, told)


def height(console: Console, lines: Iterable[Text]) -> int:
    """Returns the number of rows in which `tell` prints lines."""
    return _rows(console, map(_hanging, lines))


def _hanging(line: Text) -> Hanging:
    return Hanging(line, len(line.plain) - len(line.plain.lstrip()) + HANGING)


def _rows(console: Console, told: Iterable[Hanging]) -> int:
    return sum(len(console.render_lines(hanging, pad=False)) for hanging in told)
