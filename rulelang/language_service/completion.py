"""A place in an open text -> the names that can stand there, each with its kind and what it says.

completions(service, path, EditorPlace(6, 4))      after `p.`: the variables and zones of its owner; in brackets: clauses
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeAlias

import attrs

from rulelang.language_service.document import EditorPlace
from rulelang.language_service.service import LanguageService, clause_at
from rulelang.syntax.tables import read_tables
from rulelang.workspace.definitions import Definable, Definition

_BEFORE = re.compile(r"(?P<dot>\.)?(?P<word>\w*)$", re.ASCII)
Completable: TypeAlias = Definable | Literal["keyword", "clause"]
"""The kinds of what can be completed."""
OWNED = ("variable", "column")
BARE = (
    "action", "board", "clock", "constant", "data", "die", "enum", "kind", "member", "map", "seat", "thing", "value",
    "variable", "verb", "rule",
)  # fmt: skip
"""The kinds of declarations that a bare name can mean."""


@attrs.frozen
class Completion:
    """One name that can stand at a place: its kind, and what the rules or the ledger say of it."""

    name: str
    what: Completable
    says: str = ""


def completions(service: LanguageService, path: Path, place: EditorPlace) -> tuple[Completion, ...]:
    """Returns the names that can stand at a place, sorted; the editor narrows them down by what is typed."""
    document = service.document(path)
    if document is None:
        return ()
    offset, text = document.offset(place), document.source.text
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    if _is_cite(text, offset, line):
        return tuple(_clauses(service, path))
    if line.count('"') % 2 or "#" in line:
        return ()
    before = _BEFORE.search(line)
    found = service.workspace.references(service.entry(path)).definitions
    if before is not None and before["dot"]:
        names = tuple(_completion(one) for one in found if one.owner is not None and one.what in OWNED)
    else:
        names = (*(_completion(one) for one in found if one.what in BARE), *_keywords())
    return tuple(sorted({one.name: one for one in names}.values(), key=lambda one: one.name))


def _is_cite(text: str, offset: int, line: str) -> bool:
    return clause_at(text, offset) is not None or re.search(r"\s\[[A-Z0-9.,\s-]*$", line) is not None


def _clauses(service: LanguageService, path: Path) -> Iterator[Completion]:
    loaded = service.loaded(path)
    for clause in () if loaded is None else loaded.ledger:
        yield Completion(str(clause.get("id")), "clause", str(clause.get("text", "")))


def _keywords() -> Iterator[Completion]:
    yield from (Completion(word, "keyword") for word in read_tables().words)


def _completion(one: Definition) -> Completion:
    source = one.span.source
    return Completion(one.name, one.what, source.line(source.position(one.span.start)[0]).strip())
