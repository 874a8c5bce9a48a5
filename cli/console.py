"""The console, its colours, and text of rules made safe for a terminal.

Colour is for terminals only: NO_COLOR turns it off, FORCE_COLOR on. Everything reads without it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from rulelang.diagnostics.render import Style

ROLES = {
    "error": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow", "bold": True},
    "place": {"fg": "cyan"},
    "gutter": {"fg": "cyan"},
    "mark": {"fg": "red", "bold": True},
    "remark": {"fg": "bright_black"},
    "help": {"fg": "green", "bold": True},
    "good": {"fg": "green"},
    "bad": {"fg": "red"},
}
"""The style of each role of text."""


def is_coloured(stream: TextIO) -> bool:
    """Returns whether output to a stream is coloured."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def style_for(stream: TextIO) -> Style:
    """Returns a function that colours text by its role on a stream."""
    import click

    def coloured(role: str, text: str) -> str:
        return click.style(text, **ROLES[role])  # type: ignore[arg-type]

    return coloured if is_coloured(stream) else lambda role, text: text


def show_what_it_can(stream: TextIO) -> None:
    """Makes a stream print `?` for characters that its encoding does not have, which would end the command."""
    if isinstance(stream, TextIOWrapper) and stream.errors == "strict":
        stream.reconfigure(errors="replace")


def terminal() -> Console:
    """Returns the console on standard output, without markup and without automatic highlighting."""
    from rich.console import Console

    coloured = is_coloured(sys.stdout)
    width, height = _size_without_cursor() or (None, None)
    return Console(
        file=sys.stdout,
        width=width,
        height=height,
        markup=False,
        emoji=False,
        highlight=False,
        color_system="auto" if coloured else None,
        force_terminal=True if coloured else None,
    )


def _size_without_cursor() -> tuple[int, int] | None:
    """Returns the columns and rows of a terminal without a cursor, which Rich takes to be 80 by 25 whatever its size."""
    if os.environ.get("TERM") != "dumb" or "COLUMNS" in os.environ or not sys.stdout.isatty():
        return None
    columns, rows = os.get_terminal_size(sys.stdout.fileno())
    return (columns, rows) if columns > 0 and rows > 0 else None


def say(text: str, indent: int = 0) -> None:
    """Prints a sentence of rules or logs; in a terminal it is
    wrapped between words, and its further lines are indented."""
    from textwrap import fill

    import click

    from rulelang.diagnostics.render import escaped

    line = escaped(text)
    if sys.stdout.isatty():
        width, further = terminal().width, " " * indent
        line = fill(line, width, subsequent_indent=further, break_long_words=False, break_on_hyphens=False)
    click.echo(line)


def safe(text: str, style: str = "") -> Text:
    """Returns text of rules or logs that is safe to print: control characters become visible signs."""
    from rich.text import Text

    from rulelang.diagnostics.render import escaped

    return Text("\n".join(escaped(line) for line in text.split("\n")), style)


def print_table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Prints columns under their titles: names first, then figures."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for i, title in enumerate(titles):
        table.add_column(title, justify="right" if i else "left")
    for row in rows:
        table.add_row(*(safe(text) for text in row))
    terminal().print(table)
