"""A printed rulebook -> its contents, and the sections that somebody asks for by number or by words.

looked_up(document, "5.2")       (Entry("5.2", "Play a token", …),)
looked_up(document, "token")     every section whose title says it
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.prose.words import plain_text
from rulelang.rulebook.printed.model import Document, Item, Section, StepList

MOST_INNER = 4
"""The most sections inside one that are read with it; of more, only the titles are listed."""


@attrs.frozen
class Entry:
    """A line of the contents: a section with its number, such as 5.2."""

    number: str
    section: Section

    @property
    def title(self) -> str:
        """The title in plain words."""
        return plain_text(self.section.title)

    @property
    def inner(self) -> tuple[Entry, ...]:
        """The sections inside it."""
        return _numbered(self.section.sections, f"{self.number}.")


def contents(document: Document) -> tuple[Entry, ...]:
    """Returns the chapters of a rulebook."""
    return _numbered(document.sections, "")


def looked_up(document: Document, asked: str) -> tuple[Entry, ...]:
    """Returns the sections that are asked for: the one of this number or title, else all whose titles say the words."""
    wanted = asked.strip().rstrip(".").casefold()
    entries = tuple(_all(contents(document)))
    for fits in (
        lambda one: one.number == wanted,
        lambda one: one.title.casefold() == wanted,
        lambda one: _says(one.title, wanted),
    ):
        if found := tuple(one for one in entries if wanted and fits(one)):
            return found
    return ()


def readable(entry: Entry) -> Document:
    """Returns a section as a document of its own; if many are inside it, with a list of their titles instead."""
    section = entry.section
    if len(section.sections) > MOST_INNER:
        titles = tuple(Item(inner.section.title) for inner in entry.inner)
        listed = StepList(tuple(attrs.evolve(t, clauses=()) for t in titles), title=f"Inside it ({entry.number}.1, …)")
        section = attrs.evolve(section, blocks=(*section.blocks, listed), sections=())
    return Document(f"{entry.number} {entry.title}", (section,))


def _numbered(sections: tuple[Section, ...], before: str) -> tuple[Entry, ...]:
    return tuple(Entry(f"{before}{number}", section) for number, section in enumerate(sections, start=1))


def _all(entries: tuple[Entry, ...]) -> Iterator[Entry]:
    for one in entries:
        yield one
        yield from _all(one.inner)


def _says(title: str, wanted: str) -> bool:
    words = title.casefold().split()
    return all(any(word.startswith(part) for word in words) for part in wanted.split())
