"""Words as values: for Markdown, for HTML and for plain text alike.

(Plain("Whoever takes the last stick "), Term("wins"))
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
    """A word that stands for something: a value, a chosen thing, a defined term. A name of its own takes no article."""

    text: str
    is_name: bool = attrs.field(default=False, eq=False, repr=False)


@attrs.frozen
class SectionLink:
    """Words that link to a section."""

    words: tuple[Plain | Term, ...]
    target: str

    @property
    def text(self) -> str:
        """The words without their emphasis."""
        return "".join(span.text for span in self.words)


Span: TypeAlias = Plain | Term | SectionLink
Words: TypeAlias = tuple[Span, ...]


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
