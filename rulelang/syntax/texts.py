r"""Quoted strings -> texts with holes, and drawn maps -> lines.

    "Take {n} of \"{pile}\""      TextNode(parts=("Take ", HoleNode(n), " of \"", HoleNode(pile), "\""))

A hole is an expression in braces; `{{` and `}}` are braces, `\"` is a quote, `\\` a backslash. Texts of screens used to be
kept apart by groups in braces:

    "{l}{{needs {n} energy}}"     "{l}", "needs {n} energy"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from textwrap import dedent

import attrs

from rulelang.diagnostics.model import Sink
from rulelang.source import SourceText, Span
from rulelang.syntax import nodes
from rulelang.syntax.lexer import Token

ReadHole = Callable[[int, int], nodes.Expression | None]
"""Reads the expression between two offsets; reports a fault in it and returns None."""

_PIECE = re.compile(r"\{\{|\}\}|[{}]|\\.|[^{}\\]+")
_ESCAPES = {'\\"': '"', "\\\\": "\\", "{{": "{", "}}": "}"}


def text(token: Token, source: SourceText, sink: Sink, read_hole: ReadHole) -> nodes.TextNode:
    """Returns a STRING token as a text with holes; reports faults in it."""
    span, raw = _inside(token, source)
    parts: list[str | nodes.HoleNode] = []
    at = span.start
    while at < span.end:
        found = _PIECE.match(source.text, at, span.end)
        assert found is not None
        piece, here = found.group(), Span(source, at, found.end())
        at = found.end()
        if piece == "{":
            at = _hole_end(source.text, at, span.end)
            hole = _hole(Span(source, here.start, at), sink, read_hole)
            if hole is not None:
                parts.append(hole)
        else:
            _add(parts, _literal(piece, here, sink))
    return nodes.TextNode(raw, tuple(parts), span=span)


def text_at(inside: Span, sink: Sink, read_hole: ReadHole) -> nodes.TextNode:
    """Returns the inside of a pair of quotes as a text with holes; reports faults in it."""
    source, start, end = inside.source, inside.start - 1, inside.end + 1
    return text(Token("STRING", source.text[start:end], start, end), source, sink, read_hole)


def plain_text(token: Token, source: SourceText, sink: Sink) -> nodes.TextNode:
    """Returns a STRING token as a text without holes: a path, a mark, the title of a scenario."""
    span, raw = _inside(token, source)
    parts: list[str | nodes.HoleNode] = []
    for found in _PIECE.finditer(source.text, span.start, span.end):
        here = Span(source, found.start(), found.end())
        piece = found.group()
        _add(parts, _literal(piece, here, sink) if piece[0] == "\\" else piece)
    return nodes.TextNode(raw, tuple(parts), span=span)


def map_lines(token: Token) -> tuple[str, ...]:
    """Returns the drawn lines of a LONG_STRING token, without
    the empty lines around them and without their common margin.
    """
    lines = dedent(str(token)[3:-3].replace("\r\n", "\n").expandtabs(1)).split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    return tuple(line.rstrip() for line in lines)


def _inside(token: Token, source: SourceText) -> tuple[Span, str]:
    """Returns the span and the text between the quotes of a token."""
    return Span(source, token.start + 1, token.end - 1), str(token)[1:-1]


def _add(parts: list[str | nodes.HoleNode], piece: str) -> None:
    if parts and isinstance(parts[-1], str):
        parts[-1] += piece
    elif piece:
        parts.append(piece)


def _literal(piece: str, here: Span, sink: Sink) -> str:
    if piece == "}":
        sink.report("E0110", "a `}` without its `{`", here, help="write `}}` for a brace", fix="}}")
    elif piece[0] == "\\" and piece not in _ESCAPES:
        sink.report("E0110", f"`{piece}` means nothing in a text", here, help='only `\\"` and `\\\\` do')
    return _ESCAPES.get(piece, piece)


def _hole_end(text_: str, at: int, end: int) -> int:
    """Returns the offset after the brace that closes the hole whose inside begins at `at`; `end` if none does."""
    depth = 1
    while at < end:
        depth += {"{": 1, "}": -1}.get(text_[at], 0)
        at += 1
        if depth == 0:
            return at
    return end


def _hole(span: Span, sink: Sink, read_hole: ReadHole) -> nodes.HoleNode | None:
    inside = span.text[1:]
    if inside[-1:] != "}" or inside.count("{") + 1 != inside.count("}"):
        message = "a `{` without its `}`"
        sink.report("E0110", message, Span(span.source, span.start, span.start + 1), help="write `{{` for a brace")
        return None
    if not inside[:-1].strip():
        sink.report("E0110", "there is nothing between these braces", span, help="write `{{` for a brace")
        return None
    value = read_hole(span.start + 1, span.end - 1)
    return None if value is None else nodes.HoleNode(value, span=span)


# ------------------------------------------------------------------ the older form of a screen's texts

_Piece = tuple[str | nodes.HoleNode, ...]


def stacks(line: nodes.ScreenLineNode) -> bool:
    """Returns whether the texts of a line of `screen:` stand below each other."""
    return line.what == "track" or line.doors is not None


def ungrouped(field: nodes.ShownFieldNode, is_stacked: bool) -> tuple[nodes.ShownFieldNode, ...]:
    """Returns the texts that stand for a text: itself, unless there are groups in it.

    is_stacked    whether the texts stand below each other: a hole outside of a group had a line of its own there
    """
    if not any(isinstance(part, str) and "{" in part for part in field.text.parts):
        return (field,)
    pieces = (piece for piece in _pieces(field.text, is_stacked) if any(not _is_blank(part) for part in piece))
    return tuple(attrs.evolve(field, text=_text(field.text, piece)) for piece in pieces)


def _pieces(text: nodes.TextNode, is_stacked: bool) -> Iterator[_Piece]:
    """Yields the parts of a text between the braces of its groups."""
    piece: list[str | nodes.HoleNode] = []
    depth = 0

    def taken() -> Iterator[_Piece]:
        if depth == 0 and is_stacked and all(_is_blank(part) for part in piece if isinstance(part, str)):
            yield from ((part,) for part in piece)
        else:
            yield tuple(piece)
        piece.clear()

    for part in text.parts:
        if not isinstance(part, str):
            piece.append(part)
            continue
        for words in re.split(r"([{}])", part):
            if words in ("{", "}"):
                yield from taken()
                depth += 1 if words == "{" else -1
            elif words:
                piece.append(words)
    yield from taken()


def _is_blank(part: str | nodes.HoleNode) -> bool:
    return isinstance(part, str) and not part.strip()


def _text(whole: nodes.TextNode, piece: _Piece) -> nodes.TextNode:
    raw = "".join(re.sub(r'(["\\])', r"\\\1", p) if isinstance(p, str) else p.span.text for p in piece).strip()
    return attrs.evolve(whole, raw=raw, parts=piece)
