"""Two documents -> the lines that the second adds and those that it drops: the sheet of a variant.

sheet(book(base), book(varied))      Section("changes", "What is different", (… "no longer", "now" …))
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import assert_never

import attrs

from rulelang.prose.words import Plain, Words, flat, plain_text, row
from rulelang.rulebook.printed.model import (
    Block,
    Document,
    Item,
    Paragraph,
    Preformatted,
    PrintedTable,
    Section,
    StepList,
)

COPIES = "copies"
"""The title of the column that counts things: what stands in it says so itself."""
TEXTS = ("what it does", "what it is", "note")
"""The titles of columns of texts."""
SUMS_UP = "glance"
"""The section that only sums up what others say."""
NO_LONGER, NOW, AFTER = "No longer: ", "Now: ", "After it:"


@attrs.frozen
class _Line:
    """One line of a section; for a row of a table, with the titles of its columns."""

    words: Words
    clauses: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """The key by which two lines are compared."""
        return plain_text(self.words), self.clauses


def sheet(base: Document, varied: Document) -> Section:
    """Returns the differences, section by section, in the order of the second document."""
    before, after = dict(_sections(base)), dict(_sections(varied))
    found = [_changed(section, before.get(id)) for id, section in after.items()]
    gone = [
        Section(f"no-longer-{id}", section.title, (Paragraph((Plain("This is no longer there."),)),))
        for id, section in before.items()
        if id not in after
    ]
    parts = tuple(section for section in found if section is not None)
    blocks = () if parts or gone else (Paragraph((Plain("Nothing that is printed here is different."),)),)
    return Section("changes", "What is different", blocks, (*parts, *gone))


def _sections(document: Document) -> Iterator[tuple[str, Section]]:
    waiting = list(document.sections)[::-1]
    while waiting:
        section = waiting.pop()
        if section.id != SUMS_UP:
            yield section.id, section
        waiting += section.sections[::-1]


def _changed(now: Section, before: Section | None) -> Section | None:
    """Returns the differences within a section; None if there are none."""
    if before is None:
        new = attrs.evolve(now, id=f"new-{now.id}", sections=())
        return attrs.evolve(new, title=flat("New: ", now.title)) if now.blocks else None
    old, new_lines = list(_lines(before.blocks)), list(_lines(now.blocks))
    items: list[Item] = []
    if plain_text(before.title) != plain_text(now.title):
        items.append(Item(flat("It was called: ", before.title)))
    matcher = SequenceMatcher(None, [line.key for line in old], [line.key for line in new_lines], autojunk=False)
    for what, i, j, k, m in matcher.get_opcodes():
        if what != "equal":
            items += (Item(flat(NO_LONGER, line.words), line.clauses) for line in old[i:j])
            items += (Item(flat(NOW, line.words), line.clauses) for line in new_lines[k:m])
    if not items:
        return None
    return Section(f"change-{now.id}", now.title, (StepList(tuple(items), ordered=False),), (), now.clauses)


def _lines(blocks: tuple[Block, ...]) -> Iterator[_Line]:
    lead: Words = ()
    for block in blocks:
        match block:
            case Paragraph(words=words) if _is_open(words):
                # Lines below "After it:" are shown with it, lines below "What happens:" without.
                lead = flat(words, " ") if plain_text(words) == AFTER else ()
            case Paragraph(words=words, clauses=clauses):
                yield _Line(words, clauses)
            case StepList(items=items):
                yield from (line for line in _items(items, lead=lead) if not _is_open(line.words))
                lead = ()
            case PrintedTable(columns=columns, rows=rows):
                for cells in rows:
                    pairs = [
                        flat(f"{name}{':' if name in TEXTS else ''} " if name not in ("", COPIES) else "", cell)
                        for name, cell in zip(columns, cells, strict=True)
                        if cell
                    ]
                    asks = bool(pairs) and plain_text(pairs[0]).endswith("?")
                    yield _Line(
                        flat(pairs[0] if asks else "", " " if asks else "", row(tuple(pairs[asks:]), ", ", ", "))
                    )
            case Preformatted(lines=lines):
                yield from (_Line((Plain(line),)) for line in lines)
            case _:
                assert_never(block)


def _is_open(words: Words) -> bool:
    """Returns whether words introduce the lines below them."""
    return plain_text(words).rstrip().endswith(":")


def _items(items: tuple[Item, ...], within: Words = (), lead: Words = ()) -> Iterator[_Line]:
    for item in items:
        yield _Line(flat(lead, within, item.words), item.clauses)
        outer = within or flat(item.words, "" if plain_text(item.words).endswith(" ") else " ")
        yield from _items(item.items, outer, lead)
