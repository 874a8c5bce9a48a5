"""A document -> Markdown. All texts are escaped, so nothing in them is treated as markup.

Section("end", "The end", …)      ## The end
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import assert_never

import attrs

from rulelang.prose.words import Plain, SectionLink, Span, Term, Words, plain_text
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

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")


def markdown(document: Document) -> str:
    """Returns a document as Markdown; its links use the anchors that web sites make from headings."""
    slugs = dict(_slugs(document))
    lines = [f"# {escaped(document.title)}"]
    for section in document.sections:
        lines += _Writer(slugs).section(section, 2)
    return "\n".join(lines) + "\n"


def _slugs(document: Document) -> Iterator[tuple[str, str]]:
    """Yields the id of each section with the anchor of its heading."""
    counts: Counter[str] = Counter()
    waiting = list(document.sections)[::-1]
    while waiting:
        section = waiting.pop()
        cited = f" [{', '.join(section.clauses)}]" if section.clauses else ""
        heading = re.sub(r"[^\w\- ]", "", f"{plain_text(section.title)}{cited}".lower()).strip().replace(" ", "-")
        counts[heading] += 1
        yield section.id, heading if counts[heading] == 1 else f"{heading}-{counts[heading] - 1}"
        waiting += section.sections[::-1]


def escaped(text: str) -> str:
    r"""Returns text escaped so that Markdown shows it as it is.

    >>> escaped("2 * 3 <b>")
    '2 \\* 3 \\<b\\>'
    """
    return SPECIAL.sub(r"\\\1", " ".join(text.split("\n")))


@attrs.frozen
class _Writer:
    slugs: dict[str, str]

    def section(self, section: Section, level: int) -> Iterator[str]:
        """Yields the lines of a section and of those inside it."""
        yield ""
        yield f"{'#' * min(level, 6)} {self.words(section.title)}{_cited(section.clauses)}"
        for block in section.blocks:
            yield ""
            yield from self.block(block)
        for inner in section.sections:
            yield from self.section(inner, level + 1)

    def block(self, block: Block) -> Iterator[str]:
        """Yields the lines of a block."""
        match block:
            case Paragraph(words=words, clauses=clauses):
                yield self.words(words) + _cited(clauses)
            case StepList(items=items, ordered=ordered, title=title):
                if title:
                    yield f"{escaped(title)}:"
                    yield ""
                yield from self.items(items, "", ordered=ordered)
            case PrintedTable(columns=columns, rows=rows):
                yield f"| {' | '.join(map(escaped, columns))} |"
                yield f"|{'---|' * len(columns)}"
                for row in rows:
                    yield f"| {' | '.join(map(self.words, row))} |"
            case Preformatted(lines=lines):
                yield from (f"    {line}" for line in lines)
            case _:
                assert_never(block)

    def items(self, items: tuple[Item, ...], indent: str, *, ordered: bool) -> Iterator[str]:
        """Yields the lines of a list."""
        for number, item in enumerate(items, start=1):
            mark = f"{number}." if ordered else "-"
            yield f"{indent}{mark} {self.words(item.words)}{_cited(item.clauses)}"
            yield from self.items(item.items, indent + " " * (len(mark) + 1), ordered=ordered)

    def words(self, words: Words) -> str:
        """Returns words with their emphasis and links."""
        return "".join(map(self.span, words))

    def span(self, span: Span) -> str:
        """Returns one span."""
        match span:
            case Plain(text=text):
                return escaped(text)
            case Term(text=text):
                return f"*{escaped(text)}*" if text.strip() == text and text else escaped(text)
            case SectionLink(words=words, target=target):
                slug = self.slugs.get(target)
                return self.words(words) if slug is None else f"[{self.words(words)}](#{slug})"
            case _:
                assert_never(span)


def _cited(clauses: tuple[str, ...]) -> str:
    return f" \\[{escaped(', '.join(clauses))}\\]" if clauses else ""
