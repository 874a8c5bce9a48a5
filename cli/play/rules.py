"""`rules` at a prompt: the contents of the printed rulebook, or one of its sections."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.markdown import Markdown

from ..console import safe
from ..screen.styles import QUIET, Styles

if TYPE_CHECKING:
    from rulelang.api import Game
    from rulelang.rulebook.printed.contents import Entry
    from rulelang.rulebook.printed.model import Document


def pages(game: Game, asked: str, styles: Styles) -> Iterator[RenderableType]:
    """Yields the section of a game's rulebook that is asked for; the contents if none is, or several might be."""
    from rulelang.rulebook.printed.contents import contents, looked_up, readable
    from rulelang.rulebook.printed.markdown import markdown

    document = _rulebook(game)
    found = looked_up(document, asked)
    if len(found) == 1:
        # The heading of the document is the same as that of its only section.
        yield Markdown(markdown(readable(found[0])).partition("\n\n")[2])
        return
    if asked and not found:
        yield styles(f"No section is called {safe(asked).plain!r}; these are the chapters:", "yellow")
    yield from (_line(one, styles) for one in found or contents(document))
    yield styles("rules 2 reads one; rules X finds those whose titles say X", QUIET)


def _line(entry: Entry, styles: Styles) -> RenderableType:
    line = styles(f"  {entry.number:5} {entry.title}")
    return line.append(f"  ({len(entry.inner)} inside it)", QUIET) if entry.inner else line


@cache
def _rulebook(game: Game) -> Document:
    from rulelang.rulebook.printed.book import book, lowered, with_example

    return with_example(book(lowered(game.internals.loaded, game.variants)), game)
