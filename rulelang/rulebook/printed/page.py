"""A document -> one self-contained page of HTML: a table of contents, links, a style for print.

Term("rear")      <em>rear</em>

Invariant: all text is escaped, wherever it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import assert_never

from rulelang.prose.words import Plain, SectionLink, Span, Term, Words
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

STYLE = """
:root { color-scheme: light dark }
body { font: 16px/1.55 Georgia, 'Times New Roman', serif; margin: 2rem auto; max-width: 46rem; padding: 0 1rem; color: #222; background: #fff }
h1, h2, h3, h4, th, nav { font-family: system-ui, sans-serif; line-height: 1.25 } h2 { border-bottom: 1px solid #bbb; margin-top: 2.5rem }
table { border-collapse: collapse; font-size: .9rem; display: block; overflow-x: auto } th, td { text-align: left; vertical-align: top; padding: .2rem .6rem; border-bottom: 1px solid #ddd }
li { margin: .15rem 0 } a { color: inherit; text-decoration-color: #999 } .c { color: #777; font: .72rem system-ui, sans-serif; white-space: nowrap }
nav { font-size: .9rem; columns: 2 } nav ul { margin: 0; padding-left: 1.1rem } pre { font-size: .8rem; overflow-x: auto } .t { font-weight: bold; margin-bottom: 0 }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818 } th, td { border-color: #444 } h2 { border-color: #555 } .c { color: #999 } }
@media print { body { margin: 0; max-width: none; font-size: 10pt; color: #000; background: #fff } a { text-decoration: none } h2, h3, h4 { break-after: avoid } li, tr, pre { break-inside: avoid } table { display: table } }
"""


def page(document: Document) -> str:
    """Returns a document as a whole page."""
    title = escape(document.title)
    body = inside(document)
    contents = "".join(_contents(section) for section in document.sections)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f'<meta name="viewport" content="width=device-width">\n<style>{STYLE}</style>\n</head>\n<body>\n'
        f"<h1>{title}</h1>\n<nav><ul>{contents}</ul></nav>\n{body}</body>\n</html>\n"
    )


def inside(document: Document) -> str:
    """Returns the sections of a document, for a page that has a head of its own."""
    return "".join(part for section in document.sections for part in _section(section, 2))


def _contents(section: Section) -> str:
    inner = "".join(_contents(one) for one in section.sections)
    link = f'<a href="#{escape(section.id)}">{_words(section.title, is_linked=False)}</a>'
    return f"<li>{link}{f'<ul>{inner}</ul>' if inner else ''}</li>"


def _section(section: Section, level: int) -> Iterator[str]:
    head = f"h{min(level, 6)}"
    yield f'<{head} id="{escape(section.id)}">{_words(section.title)}{_cited(section.clauses)}</{head}>\n'
    for block in section.blocks:
        yield from _block(block)
    for inner in section.sections:
        yield from _section(inner, level + 1)


def _block(block: Block) -> Iterator[str]:
    match block:
        case Paragraph(words=words, clauses=clauses):
            yield f"<p>{_words(words)}{_cited(clauses)}</p>\n"
        case StepList(items=items, ordered=ordered, title=title):
            if title:
                yield f'<p class="t">{escape(title)}</p>'
            yield _items(items, "ol" if ordered else "ul") + "\n"
        case PrintedTable(columns=columns, rows=rows):
            yield f"<table><tr>{''.join(f'<th>{escape(column)}</th>' for column in columns)}</tr>\n"
            for row in rows:
                yield f"<tr>{''.join(f'<td>{_words(cell)}</td>' for cell in row)}</tr>\n"
            yield "</table>\n"
        case Preformatted(lines=lines):
            yield f"<pre>{escape(chr(10).join(lines))}</pre>\n"
        case _:
            assert_never(block)


def _items(items: tuple[Item, ...], form: str) -> str:
    inner = (
        f"<li>{_words(item.words)}{_cited(item.clauses)}{_items(item.items, form) if item.items else ''}</li>"
        for item in items
    )
    return f"<{form}>{''.join(inner)}</{form}>"


def _words(words: Words, *, is_linked: bool = True) -> str:
    return "".join(_span(span, is_linked=is_linked) for span in words)


def _span(span: Span, *, is_linked: bool) -> str:
    match span:
        case Plain(text=text):
            return escape(text)
        case Term(text=text):
            return f"<em>{escape(text)}</em>"
        case SectionLink(words=words, target=target):
            return f'<a href="#{escape(target)}">{_words(words)}</a>' if is_linked else _words(words)
        case _:
            assert_never(span)


def _cited(clauses: tuple[str, ...]) -> str:
    return f' <span class="c">[{escape(", ".join(clauses))}]</span>' if clauses else ""
