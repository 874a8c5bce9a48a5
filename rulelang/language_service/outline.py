"""An open text -> what can be folded, and which stretch is a keyword, a name, a text, a number or a comment.

folds("action a():\\n  b\\n")      ((0, 1),)
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rulelang.language_service.document import EditorPlace
from rulelang.language_service.service import LanguageService
from rulelang.syntax.lexer import scan
from rulelang.syntax.tables import Tables, read_tables

TOKEN_TYPES = (
    "keyword", "variable", "parameter", "function", "method", "type", "enumMember", "property", "string", "number",
    "comment", "operator", "namespace", "event",
)  # fmt: skip
"""The types of tokens, by their numbers in an answer."""
_OF_DEFINITION = {
    "action": "method", "verb": "function", "value": "function", "variable": "property", "column": "property",
    "parameter": "parameter", "let": "variable", "choice": "variable", "name": "parameter", "enum": "type",
    "kind": "type", "board": "type", "data": "type", "member": "enumMember", "thing": "enumMember",
    "seat": "enumMember", "constant": "variable", "die": "variable", "clock": "variable", "rule": "event",
    "game": "namespace", "variant": "namespace", "scenario": "namespace", "map": "type", "option": "method",
}  # fmt: skip
_TEXTS = {"STRING": "string", "LONG_STRING": "string", "NUMBER": "number", "COMMENT": "comment", "CITE": "comment"}


def folds(text: str) -> Iterator[tuple[int, int]]:
    """Yields the first and the last line (from 0) of each block: a line and the deeper ones below it."""
    open_: list[tuple[int, int]] = []
    last = 0
    lines = text.split("\n")
    for number, line in enumerate((*lines, "x")):
        if not line.strip():
            continue
        depth = len(line) - len(line.lstrip())
        while open_ and open_[-1][0] >= depth:
            _, first = open_.pop()
            if last > first:
                yield first, last
        open_.append((depth, number))
        last = number


def tokens(service: LanguageService, path: Path) -> Iterator[tuple[EditorPlace, int, int]]:
    """Yields the place, the length in UTF-16 units and the type (see TOKEN_TYPES) of each word and text, in order."""
    document = service.document(path)
    if document is None:
        return
    tables: Tables = read_tables()
    known = _names(service, path)
    text = document.source.text
    for token in scan(tables, text, 0, len(text)):
        if token.type in _TEXTS:
            type = _TEXTS[token.type]
        elif token.start in known:
            type = known[token.start]
        elif str(token) in tables.words:
            type = "keyword"
        else:
            continue
        # An editor takes a token of one line at most.
        at = token.start
        for part in text[token.start : token.end].split("\n"):
            start, end = document.place(at), document.place(at + len(part))
            if end.column > start.column:
                yield start, end.column - start.column, TOKEN_TYPES.index(type)
            at += len(part) + 1


def _names(service: LanguageService, path: Path) -> dict[int, str]:
    """Returns the types of the declared names of a file, by their offsets."""
    loaded = service.loaded(path)
    if loaded is None:
        return {}
    here = next((s.name for s, p in zip(loaded.sources, loaded.paths, strict=True) if p == path), None)
    found = service.workspace.names(service.entry(path), path)
    uses = ((use.span, use.definitions[0].what) for use in found.uses if use.definitions)
    every = (*((one.span, one.what) for one in found.definitions), *uses)
    return {
        span.start: _OF_DEFINITION[what] for span, what in every if span.source.name == here and what in _OF_DEFINITION
    }
