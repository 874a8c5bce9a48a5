"""A line for a terminal with a hanging indent."""

from __future__ import annotations

from collections.abc import Iterator

import attrs
from rich.console import Console, ConsoleOptions, RenderableType
from rich.text import Text


@attrs.frozen(eq=False)
class Hanging:
    """A line, and the indentation of its rows after the first, which is 0 if it leaves too little room."""

    line: Text
    indent: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        width = options.max_width
        if self.line.cell_len <= width or self.indent * 2 > width:
            yield self.line
            return
        first = self.line.copy()
        first.truncate(self.indent)
        for number, row in enumerate(self.line[self.indent :].wrap(console, width - self.indent)):
            yield Text.assemble(first if number == 0 else " " * self.indent, row)
