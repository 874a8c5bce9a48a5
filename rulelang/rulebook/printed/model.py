"""The parts of a printed rulebook, as values: for Markdown and for HTML alike.

Section("the-end", "The end", (Paragraph((Plain("Whoever takes the last stick "), Term("wins"))),))
"""

from __future__ import annotations

from typing import TypeAlias

import attrs

from rulelang.prose.words import Plain, Words


@attrs.frozen
class Item:
    """An item of a list, with the items inside it, and the clauses that it cites."""

    words: Words
    clauses: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()


@attrs.frozen
class Paragraph:
    """A paragraph, and the clauses that it cites."""

    words: Words
    clauses: tuple[str, ...] = ()


@attrs.frozen
class StepList:
    """Steps in order, or (if not `ordered`) items that belong together."""

    items: tuple[Item, ...]
    ordered: bool = True
    title: str = ""


@attrs.frozen
class PrintedTable:
    """A table of words."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Words, ...], ...]


@attrs.frozen
class Preformatted:
    """Lines in a monospaced font."""

    lines: tuple[str, ...]


Block: TypeAlias = Paragraph | StepList | PrintedTable | Preformatted


def _titled(title: str | Words) -> Words:
    return (Plain(title),) if isinstance(title, str) else title


@attrs.frozen
class Section:
    """A part of the document; `id` is unique in it, and stays the same when its title changes."""

    id: str
    title: Words = attrs.field(converter=_titled)
    blocks: tuple[Block, ...] = ()
    sections: tuple[Section, ...] = ()
    clauses: tuple[str, ...] = ()


@attrs.frozen
class Document:
    """A whole printed rulebook."""

    title: str
    sections: tuple[Section, ...]
