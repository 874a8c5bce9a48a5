"""Characters -> tokens with layout: `scan` cuts words and signs, `BlockLayout` adds lines and blocks.

    phase morning:          PHASE NAME COLON _NL
      stored += 1           _INDENT NAME INCREASE NUMBER _NL _DEDENT

Invariants: every logical line ends in `_NL`; `_INDENT` and `_DEDENT` are balanced; these three have no width and stand
where the last real token ends, so that the span of a block never reaches into the next line. A line that is refused
as a whole becomes `ERROR _NL`. A keyword has its own type here; the parser decides where it is a name after all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import attrs

from rulelang.diagnostics.model import Sink
from rulelang.source import SourceText, Span
from rulelang.syntax import nodes
from rulelang.syntax.characters import INVISIBLE, called, disguised, looks_like, unseen
from rulelang.syntax.tables import BLANK, HARD_WORDS, Tables

MAX_CHARACTERS = 2_000_000
MAX_TOKENS = 200_000
MAX_BRACKETS = 40
MAX_OPERATORS = 80
MAX_BLOCKS = 20

_UNFIT = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
    r"\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_QUOTED = {"STRING": True, "CITE": False, "LONG_STRING": False}
"""The tokens that may hold characters of any script, and for each whether it is prose rather than names and marks."""
_CLOSERS = {"OPEN": "CLOSE", "OPEN_BRACE": "CLOSE_BRACE"}
_OPERATORS = frozenset(
    {"AND", "OR", "NOT", "IN", "IF", "EQ", "NE", "LT", "LE", "GT", "GE", "PLUS", "MINUS", "STAR", "SLASH", "PERCENT"}
    | {"RANGE", "DOT", "QUESTION"}
)

_UNFINISHED = frozenset(
    {"AND", "OR", "NOT", "IN", "IF", "ELSE", "EQ", "NE", "LT", "LE", "GT", "GE", "PLUS", "MINUS", "STAR", "SLASH"}
    | {"PERCENT", "RANGE", "COMMA", "INCREASE", "DECREASE"}
)
"""Tokens that no logical line ends in: a deeper line below continues the line."""


@attrs.frozen
class Tokens:
    """The parser's input: tokens with layout and, separately, the comments."""

    tokens: tuple[Token, ...]
    comments: tuple[nodes.CommentNode, ...]


class Token(str):
    """A word or sign: a string with its type, which is a terminal of the grammar, and its offsets in the source."""

    __slots__ = ("end", "start", "type")

    type: str
    start: int
    end: int

    def __new__(cls, type: str, text: str, start: int, end: int) -> Token:
        token = str.__new__(cls, text)
        token.type, token.start, token.end = type, start, end
        return token


def scan(tables: Tables, text: str, start: int, end: int) -> Iterator[Token]:
    """Yields the words and signs between two offsets; every character other than a blank is in one of them."""
    words = tables.words
    for found in tables.scanner.finditer(text, start, end):
        type_ = found.lastgroup
        if type_ == "NAME":
            word = found.group()
            yield Token(words.get(word, "NAME"), word, *found.span())
        elif type_ is not None and type_ != BLANK:
            yield Token(type_, found.group(), *found.span())


def clean(source: SourceText, sink: Sink) -> str | None:
    """Returns the text with control characters, which are reported, replaced by blanks; None if it is too long."""
    text = source.text
    if len(text) > MAX_CHARACTERS:
        message = f"this file is too large: {len(text)} characters, the most is {MAX_CHARACTERS}"
        sink.report("E0105", message, Span(source, 0, 0), help="split it and `include` the parts")
        return None
    seen: set[int] = set()
    for found in _UNFIT.finditer(text):
        line = source.position(found.start())[0]
        if line not in seen:
            seen.add(line)
            name = f"U+{ord(found.group()):04X}"
            sink.report("E0102", f"a control character ({name}) stands here", _span(source, found), "delete it")
    return _UNFIT.sub(" ", text) if seen else text


def _span(source: SourceText, found: re.Match[str]) -> Span:
    return Span(source, found.start(), found.end())


class BlockLayout:
    """Turns the raw tokens of one source into lines and blocks."""

    def __init__(self, source: SourceText, sink: Sink) -> None:
        self.source = source
        self.sink = sink
        self.tokens: list[Token] = []
        self.comments: list[nodes.CommentNode] = []
        self.indents = [0]
        self.line = LogicalLine(0)

    def one_line(self, raw: Iterable[Token]) -> Tokens:
        """Returns the tokens of one expression, with an end mark; no tokens if it is empty or refused."""
        for token in raw:
            self._take(token)
        if self.line.refused or not self.line.tokens:
            return Tokens((), ())
        end = _mark("$END", self.line.tokens[-1].end)
        return Tokens((*self.line.tokens, end), ())

    def lines(self, raw: Iterable[Token]) -> Tokens:
        """Returns the tokens of a file with its lines and blocks, and its comments; no tokens if there are too many."""
        physical: list[Token] = []
        start = 0
        for count, token in enumerate(raw):
            if count > MAX_TOKENS:
                self._too_large(token)
                return Tokens((), ())
            if token.type == "NEWLINE":
                self._physical(physical, start)
                physical = []
                start = token.end
            elif token.type == "COMMENT":
                self._comment(token, alone=not physical)
            elif token == "chosen" and [str(one) for one in physical[-2:]] == ["in", "order"]:
                begins = physical[-2].start
                physical[-2:] = [Token("CHOSEN_ORDER", self.source.text[begins : token.end], begins, token.end)]
            else:
                physical.append(token)
        self._physical(physical, start)
        self._end_line()
        self._dedent_to(0)
        self.tokens.append(_mark("$END", self._position()))
        return Tokens(tuple(self.tokens), tuple(self.comments))

    def _too_large(self, token: Token) -> None:
        span = Span(self.source, token.start, token.end)
        message = "this file is too large: too many words and signs"
        self.sink.report("E0105", message, span, help="split it and `include` the parts")

    def _comment(self, token: Token, alone: bool) -> None:
        text = str(token)[1:].rstrip()
        span = Span(self.source, token.start, token.start + 1 + len(text))
        self.comments.append(nodes.CommentNode(text.removeprefix(" "), alone, span=span))

    def _physical(self, line: list[Token], start: int) -> None:
        """Takes one line of the file, which begins a logical line or continues the current one."""
        if not line:
            return
        self._tabs(start, line[-1].end)
        first = line[0]
        indent = self._indent_of(start, first.start)
        if INVISIBLE.match(first):
            first, indent = self._behind_unseen(line, start)
        if not self._continues(first, indent):
            self._end_line()
            self._indent(indent, first)
            self.line = LogicalLine(indent)
        for token in line:
            self._take(token)

    def _tabs(self, start: int, end: int) -> None:
        at = self.source.text.find("\t", start, end)
        if at >= 0:
            remark = "blocks are indented with two spaces"
            self.sink.report("E0101", "a tab stands here", Span(self.source, at, at + 1), remark)

    def _indent_of(self, start: int, end: int) -> int:
        """Counts the blanks before a line; a tab, which is reported, extends to the next even column."""
        before = self.source.text[start:end].expandtabs(2)
        return before.count(" ") if before.isascii() else sum(map(str.isspace, before))

    def _behind_unseen(self, line: list[Token], start: int) -> tuple[Token, int]:
        """Returns the first token behind blanks of another kind, and the column that they stand for: they are refused, and
        indent the line all the same, so that nothing else is said of it."""
        first = next((token for token in line if not INVISIBLE.match(token)), None)
        if first is None:
            return line[0], self.indents[-1]
        indent = self._indent_of(start, first.start)
        return first, next((known for known in self.indents if known >= indent), indent)

    def _continues(self, first: Token, indent: int) -> bool:
        line = self.line
        if not line.tokens:
            return False
        if first.type in ("AND", "OR"):
            return True
        if line.tokens[-1].type in _UNFINISHED and indent > line.indent:
            return True
        if line.open:
            # If the line is no deeper than that of the opener, a forgotten bracket is likelier than a continued line.
            return indent > line.indent or first.type in _CLOSERS.values()
        return indent > line.indent and first.type in ("STRING", "CITE")

    def _indent(self, indent: int, first: Token) -> None:
        if indent > self.indents[-1]:
            self.indents.append(indent)
            self.tokens.append(_mark("_INDENT", self._position()))
            if len(self.indents) == MAX_BLOCKS + 2:
                self._report("E0104", "blocks are nested too deeply here", first)
            return
        if indent not in self.indents:
            self._report("E0103", "this line is indented like no line above it", first)
            while len(self.indents) > 2 and self.indents[-2] > indent:
                self._dedent()
            self.indents[-1] = indent
            return
        self._dedent_to(indent)

    def _report(self, code: str, message: str, token: Token) -> None:
        self.sink.report(code, message, Span(self.source, token.start, token.end))

    def _dedent_to(self, indent: int) -> None:
        while self.indents[-1] > indent:
            self._dedent()

    def _dedent(self) -> None:
        self.indents.pop()
        self.tokens.append(_mark("_DEDENT", self._position()))

    def _take(self, token: Token) -> None:
        line = self.line
        if not token.isascii():
            self._look(token)
        if token.type == "CITE" and line.tokens and _is_index(line.tokens[-1], token):
            self._index(token)
        line.tokens.append(token)
        if line.refused:
            return
        line.measure(token)
        if len(line.open) > MAX_BRACKETS or sum(line.operators) > MAX_OPERATORS or len(self.indents) > MAX_BLOCKS + 1:
            line.refused = True
            if len(self.indents) <= MAX_BLOCKS + 1:
                self._report("E0104", "this expression is nested too deeply", token)

    def _look(self, token: Token) -> None:
        """Reports invisible characters and those that look like others: as errors in code, as warnings in quoted text."""
        prose = _QUOTED.get(token.type)
        if prose is not None:
            for at in unseen(token, prose=prose):
                self._name("W0122", f"nobody sees that {called(token[at])} stands here", token, at, _plain(token[at]))
            for at in disguised(token, alone=not prose):
                said = f"`{token[at]}` is {called(token[at])} and looks like `{looks_like(token[at])}`"
                self._name("W0123", said, token, at, looks_like(token[at]))
        elif token.type == "BAD" and not self.line.refused:
            plain = looks_like(token)
            if INVISIBLE.match(token):
                self._name("E0121", f"nobody sees that {called(token)} stands here", token, 0, _plain(token))
            elif plain is not None and token.isalnum():
                said = f"`{token}` means nothing here: it is {called(token)} and looks like `{plain}`"
                self._name("E0121", said, token, 0, plain)
            else:
                return
            self.line.refused = True

    def _name(self, code: str, message: str, token: Token, at: int, fix: str | None) -> None:
        span = Span(self.source, token.start + at, token.start + at + 1)
        help = None if fix is None else "type a plain blank" if fix == " " else f"type `{fix}`" if fix else "delete it"
        self.sink.report(code, message, span, help=help, fix=fix)

    def _index(self, token: Token) -> None:
        """Refuses `stored[r]`, which would be read as `stored` followed by a clause id."""
        span = Span(self.source, token.start, token.end)
        message = "square brackets hold clause ids and nothing else"
        self.sink.report(
            "E0109", message, span, help="use round brackets: `stored(r)`; the card on top of a pile is `top(deck)`"
        )
        self.line.refused = True

    def _end_line(self) -> None:
        line = self.line
        if line.tokens:
            end = line.tokens[-1].end
            if line.refused:
                self.tokens.append(Token("ERROR", "", line.tokens[0].start, end))
            else:
                self.tokens.extend(line.tokens)
            self.tokens.append(_mark("_NL", end))
        self.line = LogicalLine(line.indent)

    def _position(self) -> int:
        return self.tokens[-1].end if self.tokens else 0


@attrs.define
class LogicalLine:
    """A logical line while it is read: its tokens, the closers of its open brackets, and for each the operators so far."""

    indent: int
    tokens: list[Token] = attrs.field(factory=list)
    open: list[str] = attrs.field(factory=list)
    operators: list[int] = attrs.field(factory=lambda: [0])
    refused: bool = False

    def measure(self, token: Token) -> None:
        """Counts the brackets and operators that a token may be nested in; a comma restarts the count of its bracket."""
        if token.type in _CLOSERS:
            self.operators[-1] += 1
            self.open.append(_CLOSERS[token.type])
            self.operators.append(0)
        elif self.open and token.type == self.open[-1]:
            self.open.pop()
            self.operators.pop()
        elif token.type in ("COMMA", "BAR"):
            self.operators[-1] = 0
        elif token.type in _OPERATORS:
            self.operators[-1] += 1


def _plain(unseen: str) -> str:
    """Returns the replacement of an invisible character: a blank, or nothing."""
    return " " if unseen.isspace() else ""


def _is_index(previous: Token, bracket: Token) -> bool:
    may_be_indexed = previous.type == "CLOSE" or (previous.isidentifier() and previous not in HARD_WORDS)
    return may_be_indexed and previous.end == bracket.start


def _mark(type_: str, position: int) -> Token:
    """Returns a token without text, of no width."""
    return Token(type_, "", position, position)
