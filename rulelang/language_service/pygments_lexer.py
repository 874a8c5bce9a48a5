"""A lexer for Pygments, so that rules are coloured wherever Pygments colours code.

pygmentize -l rules nim.rules
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from pygments.lexer import Lexer
from pygments.token import Comment, Keyword, Literal, Name, Number, Operator, Punctuation, String, Text, Whitespace

from rulelang.syntax.lexer import scan
from rulelang.syntax.tables import read_tables

_TYPES = {
    "STRING": String, "LONG_STRING": String.Heredoc, "NUMBER": Number.Integer, "COMMENT": Comment.Single,
    "CITE": Literal,
}  # fmt: skip


class RulesLexer(Lexer):  # type: ignore[misc]
    """Colours rules by the scanner that reads them."""

    name = "rulelang rules"
    aliases: ClassVar[list[str]] = ["rules", "rulelang"]
    filenames: ClassVar[list[str]] = ["*.rules"]

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Any, str]]:
        """Yields each piece of a text with its offset and its type; together they are the text."""
        tables, at = read_tables(), 0
        for token in scan(tables, text, 0, len(text)):
            if token.start < at or token.end <= token.start:
                continue
            if token.start > at:
                yield from _between(text, at, token.start)
            word = text[token.start : token.end]
            if token.type in _TYPES:
                type = _TYPES[token.type]
            elif word in tables.words:
                type = Keyword
            elif word[:1].isalpha() or word[:1] == "_":
                type = Name.Class if word[:1].isupper() else Name
            else:
                type = Whitespace if word.isspace() else Operator if word.strip("()[]{},:;.") else Punctuation
            yield token.start, type, word
            at = token.end
        yield from _between(text, at, len(text))


def _between(text: str, start: int, end: int) -> Iterator[tuple[int, Any, str]]:
    """Yields the spaces and comments that the scanner passes over."""
    while start < end:
        if text[start] == "#":
            stop = text.find("\n", start, end)
            stop = end if stop < 0 else stop
            yield start, Comment.Single, text[start:stop]
        else:
            stop = text.find("#", start, end)
            stop = end if stop < 0 else stop
            piece = text[start:stop]
            yield start, Whitespace if piece.isspace() else Text, piece
        start = stop
