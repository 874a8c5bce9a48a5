"""The tree of an open text -> the answers about its structure: calls, selections, hints, formatted stretches.

signature(service, path, EditorPlace(7, 14))       Signature("take(p, n)", ("p", "n"), active=1)
hints(service, path)                               (Hint(place, " -> 0..21"), …)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path

import attrs

from rulelang.language_service.document import EditorPlace, EditorRange, EditorText
from rulelang.language_service.service import EditorSpan, LanguageService, TextChange
from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import walk
from rulelang.workspace.definitions import Definition

_CALLABLE = nodes.ActionDeclaration | nodes.VerbDeclaration | nodes.ValueDeclaration
_OPEN = re.compile(r"([A-Za-z_]\w*)\s*\($")


@attrs.frozen
class Signature:
    """The head of a rule that is being called: its parameters, and the number of the one that is typed."""

    label: str
    parameters: tuple[str, ...]
    active: int
    says: str = ""


@attrs.frozen
class Hint:
    """Words that an editor shows in the text, though they are not in it."""

    place: EditorPlace
    text: str


@attrs.frozen
class Caller:
    """A rule that calls another, or is called by it: its name, its declaration, the places of the calls."""

    name: str
    span: EditorSpan
    calls: tuple[EditorRange, ...]


# ------------------------------------------------------------------ calls


def signature(service: LanguageService, path: Path, place: EditorPlace) -> Signature | None:
    """Returns the head of the rule whose arguments are typed at a place; None where no call is open."""
    document = service.document(path)
    if document is None:
        return None
    found = _open_call(document.source.text[: document.offset(place)])
    if found is None:
        return None
    name, active = found
    for node in _declared(service, path):
        if isinstance(node, _CALLABLE) and node.name.text == name and node.parameters:
            parameters = tuple(one.span.text for one in node.parameters)
            says = node.span.source.line(node.span.source.position(node.span.start)[0]).strip()
            return Signature(f"{name}({', '.join(parameters)})", parameters, min(active, len(parameters) - 1), says)
    return None


def _open_call(before: str) -> tuple[str, int] | None:
    """Returns the name of the innermost call that is open at the end of a text, and the number of its argument.

    >>> _open_call("when crew(z) > reach(p, n")
    ('reach', 1)
    """
    line = before[before.rfind("\n") + 1 :]
    depth, commas = 0, 0
    for at in range(len(line) - 1, -1, -1):
        match line[at]:
            case ")" | "]" | "}":
                depth += 1
            case "(" | "[" | "{" if depth:
                depth -= 1
            case "(":
                found = _OPEN.search(line[: at + 1])
                return (found[1], commas) if found else None
            case "[" | "{":
                return None
            case "," if not depth:
                commas += 1
            case _:  # any other character is part of an argument
                pass
    return None


def callers(service: LanguageService, path: Path, place: EditorPlace, *, into: bool) -> tuple[Caller, ...]:
    """Returns the rules that call the one at a place (`into`), or those that it calls."""
    document = service.document(path)
    if document is None:
        return ()
    entry, workspace = service.entry(path), service.workspace
    targets = tuple(d for d in workspace.definition(entry, path, document.offset(place)) if d.what in _CALLED)
    heads = {
        (d.span.source.name, d.span.start): d for d in workspace.names(entry, path).definitions if d.what in _CALLED
    }
    bodies = [
        (node.span, head)
        for node in rules_of(service, path)
        if (head := heads.get((node.name.span.source.name, node.name.span.start))) is not None
    ]
    found: dict[Definition, list[Span]] = {}
    if into:
        for span in workspace.uses_of(entry, targets):
            body = next((head for outer, head in bodies if _holds(outer, span)), None)
            if body is not None:
                found.setdefault(body, []).append(span)
    else:
        for outer in (span for span, head in bodies if head in targets):
            for called, span in _calls_in(service, path, outer):
                found.setdefault(called, []).append(span)
    return tuple(
        Caller(
            one.name, where, tuple(there.range for span in spans if (there := service.place_of(path, span)) is not None)
        )
        for one, spans in found.items()
        if (where := service.place_of(path, one.span)) is not None
    )


_CALLED = ("action", "verb", "value")


def _calls_in(service: LanguageService, path: Path, body: Span) -> Iterator[tuple[Definition, Span]]:
    """Yields the rules that are called in a declaration, and where."""
    there = service.place_of(path, body)
    uses = () if there is None else service.workspace.names(service.entry(path), there.path).uses
    for use in uses:
        called = next((d for d in use.definitions if d.what in _CALLED), None)
        if called is not None and _holds(body, use.span):
            yield called, use.span


def rules_of(service: LanguageService, path: Path) -> Iterator[_CALLABLE]:
    yield from (node for node in _declared(service, path) if isinstance(node, _CALLABLE))


def _holds(outer: Span, inner: Span) -> bool:
    return outer.source.name == inner.source.name and outer.start <= inner.start and inner.end <= outer.end


def _declared(service: LanguageService, path: Path) -> tuple[nodes.Declaration, ...]:
    loaded = service.loaded(path)
    return () if loaded is None else loaded.module.declarations


# ------------------------------------------------------------------ the text


def selections(service: LanguageService, path: Path, place: EditorPlace) -> tuple[EditorRange, ...]:
    """Returns the stretches around a place, the smallest first: an expression, its statement, its declaration, all."""
    document, loaded = service.document(path), service.loaded(path)
    if document is None or loaded is None:
        return ()
    offset = document.offset(place)
    name = next((s.name for s, p in zip(loaded.sources, loaded.paths, strict=True) if p == path), None)
    every = (*loaded.module.declarations, *loaded.variants, *loaded.scenarios)
    spans = {
        (node.span.start, node.span.end)
        for top in every
        if top.span.source.name == name and top.span.start <= offset <= top.span.end
        for node in (top, *walk(top))
        if node.span.source.name == name and node.span.start <= offset <= node.span.end
    }
    found = [EditorRange(document.place(start), document.place(end)) for start, end in sorted(spans, key=_size)]
    return (*dict.fromkeys(found), document.whole)


def _size(span: tuple[int, int]) -> int:
    return span[1] - span[0]


def format_lines(service: LanguageService, path: Path, first: int, last: int) -> tuple[TextChange, ...]:
    """Returns the changes that put some lines (from 0, both included) into the one style; none if the text cannot be
    read."""
    document, text = service.document(path), service.formatted(path)
    if document is None or text is None:
        return ()
    before, after = document.source.text.split("\n"), text.split("\n")
    found = []
    # The style changes blanks, so that what is left of a line tells which one it becomes.
    for what, a, b, c, d in SequenceMatcher(None, _bare(before), _bare(after), autojunk=False).get_opcodes():
        if what == "equal":
            pairs = ((at, after[c + at - a]) for at in range(max(a, first), min(b, last + 1)))
            found += [TextChange(_lines(document, at, at + 1), line) for at, line in pairs if before[at] != line]
        elif a <= last and max(b - 1, a) >= first:
            found.append(_rewritten(document, (a, b), after[c:d]))
    return tuple(found)


def _bare(lines: list[str]) -> list[str]:
    return ["".join(line.split()) for line in lines]


def _rewritten(document: EditorText, at: tuple[int, int], lines: list[str]) -> TextChange:
    """Returns the change that puts lines in the place of some, or before one if the two numbers are equal."""
    start, end = at
    if start < end and lines:
        return TextChange(_lines(document, start, end), document.line_end.join(lines))
    if end < len(document.lines):
        range = EditorRange(EditorPlace(start, 0), EditorPlace(end, 0))
        return TextChange(range, "".join(f"{line}{document.line_end}" for line in lines))
    # Nothing follows, so that the line end before them goes or comes with them.
    before = _lines(document, start - 1, end).end if start else EditorPlace(0, 0)
    range = EditorRange(_lines(document, start - 1, start).end if start else before, before)
    return TextChange(range, "".join(f"{document.line_end}{line}" for line in lines))


def _lines(document: EditorText, start: int, end: int) -> EditorRange:
    """Returns the range of the lines from one to another (excluded), without the end of the last."""
    units = len(document.lines[end - 1].encode("utf-16-le")) // 2
    return EditorRange(EditorPlace(start, 0), EditorPlace(end - 1, units))


# ------------------------------------------------------------------ remarks


def hints(service: LanguageService, path: Path) -> tuple[Hint, ...]:
    """Returns the type of each value whose head does not say it, and of each `let`."""
    if service.loaded(path) is not None:
        service.workspace.unit(service.entry(path))
    types = service.types(path)
    found = list(_of_lets(service, path))
    for node in rules_of(service, path):
        if isinstance(node, nodes.ValueDeclaration) and node.type is None and node.name.text in types:
            last = node.parameters[-1].span if node.parameters else node.name.span
            closing = 1 if node.parameters else 0
            where = service.place_of(path, Span(last.source, last.end + closing, last.end + closing))
            if where is not None and where.path == path:
                found.append(Hint(where.range.start, f" -> {types[node.name.text]}"))
    return tuple(sorted(found, key=lambda one: one.place))


def _of_lets(service: LanguageService, path: Path) -> Iterator[Hint]:
    types = service.workspace.local_types(service.entry(path), path) if service.loaded(path) is not None else {}
    for node in walk(_declared(service, path)):
        if isinstance(node, nodes.LetStatement):
            end = node.name.span
            where = service.place_of(path, Span(end.source, end.end, end.end))
            type = types.get((end.source.name, end.start))
            if type is not None and where is not None and where.path == path:
                yield Hint(where.range.start, f": {type}")
