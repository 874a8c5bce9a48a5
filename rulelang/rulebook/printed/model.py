"""The parts of a printed rulebook, as values: for Markdown and for HTML alike.

Section("the-end", "The end", (Paragraph((Plain("Whoever takes the last stick "), Term("wins"))),))
"""

from __future__ import annotations

from typing import TypeAlias

import attrs


@attrs.frozen
class Plain:
    """Plain words."""

    text: str


@attrs.frozen
class Term:
    """A word that stands for something: a value, a chosen thing, a defined term."""

    text: str


@attrs.frozen
class SectionLink:
    """Words that link to a section."""

    text: str
    target: str


Span: TypeAlias = Plain | Term | SectionLink
Words: TypeAlias = tuple[Span, ...]


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


def flat(*parts: str | Span | Words) -> Words:
    """Returns parts as one sequence of spans, with adjacent plain words joined.

    >>> flat("the ", Term("rear"), " is ", ("far",) and (Plain("far"), Plain(" away")))
    (Plain(text='the '), Term(text='rear'), Plain(text=' is far away'))
    """
    found: list[Span] = []
    for part in parts:
        for span in (Plain(part),) if isinstance(part, str) else part if isinstance(part, tuple) else (part,):
            last = found[-1] if found else None
            if isinstance(span, Plain) and isinstance(last, Plain):
                found[-1] = Plain(last.text + span.text)
            elif not isinstance(span, Plain) or span.text:
                found.append(span)
    return tuple(found)


def plain_text(words: Words) -> str:
    """Returns the text of words without markup."""
    return "".join(span.text for span in words)


def begun(words: Words) -> Words:
    """Returns words with a capital letter at the beginning."""
    if not words or not isinstance(words[0], Plain) or not words[0].text:
        return words
    text = words[0].text
    return (Plain(text[0].upper() + text[1:]), *words[1:])


def row(parts: tuple[Words, ...], separator: str = ", ", last: str = " and ") -> Words:
    """Returns several words as a list in a sentence: `a, b and c`."""
    found: list[str | Words] = []
    for number, part in enumerate(parts):
        if number:
            found.append(last if number == len(parts) - 1 else separator)
        found.append(part)
    return flat(*found)
