"""The answers about structure -> requests of the protocol: signatures, selections, lenses, hints, calls, ranges.

add_structure(server, service, server.at, server.path, addresses.uri)
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, assert_never

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from rulelang.language_service.document import EditorPlace, EditorRange
from rulelang.language_service.evidence import Lens, lenses
from rulelang.language_service.service import EditorSpan, LanguageService
from rulelang.language_service.structure import (
    Caller,
    callers,
    format_lines,
    hints,
    selections,
    signature,
)  # fmt: skip

SHOW = "editor.action.showReferences"
"""The command of an editor that lists places."""
RUN = "rulelang.run"
"""The command of the server that runs scenarios: their document and their titles."""
PLAY = "rulelang.play"
"""The command that a client may have, to play on from where the givens of a scenario lead."""


def add_structure(
    found: LanguageServer,
    service: LanguageService,
    at: Callable[[Any], tuple[Path, EditorPlace]],
    path_of: Callable[[lsp.TextDocumentIdentifier], Path],
    uri_of: Callable[[Path], str],
) -> None:
    """Adds the requests about the structure of a text."""
    _add_calls(found, service, at, uri_of, lambda uri: path_of(lsp.TextDocumentIdentifier(uri)))

    @found.feature(lsp.TEXT_DOCUMENT_SELECTION_RANGE)
    def _(params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange]:
        path = path_of(params.text_document)
        return [_nested(selections(service, path, EditorPlace(p.line, p.character))) for p in params.positions]

    @found.feature(lsp.TEXT_DOCUMENT_RANGE_FORMATTING)
    def _(params: lsp.DocumentRangeFormattingParams) -> list[lsp.TextEdit]:
        path, range = path_of(params.text_document), params.range
        last = range.end.line - (range.end.character == 0 and range.end.line > range.start.line)
        changes = format_lines(service, path, range.start.line, last)
        return [lsp.TextEdit(_range(one.range), one.text) for one in changes]

    @found.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def _(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        first, last = params.range.start.line, params.range.end.line
        return [
            lsp.InlayHint(lsp.Position(one.place.line, one.place.column), one.text, lsp.InlayHintKind.Type)
            for one in hints(service, path_of(params.text_document))
            if first <= one.place.line <= last
        ]

    @found.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def _(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        uri = params.text_document.uri
        return [
            lsp.CodeLens(_range(one.range), _command(one, uri, uri_of))
            for one in lenses(service, path_of(params.text_document))
        ]


def _command(one: Lens, uri: str, uri_of: Callable[[Path], str]) -> lsp.Command:
    """Returns the command of a lens: the editor shows places, the server runs scenarios, a client may play."""
    match one.does:
        case "run":
            return lsp.Command(one.title, RUN, arguments=[uri, list(one.scenarios)])
        case "play":
            return lsp.Command(one.title, PLAY, arguments=[uri, *one.scenarios])
        case "show":
            places = [_location(place, uri_of) for place in one.places]
            return lsp.Command(one.title, SHOW if places else "", arguments=[uri, _range(one.range).start, places])
        case _:
            assert_never(one.does)


def _add_calls(
    found: LanguageServer,
    service: LanguageService,
    at: Callable[[Any], tuple[Path, EditorPlace]],
    uri_of: Callable[[Path], str],
    path_of: Callable[[str], Path],
) -> None:
    """Adds signatures, and who calls whom."""

    @found.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(trigger_characters=["(", ","]))
    def _(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        one = signature(service, *at(params))
        if one is None:
            return None
        parameters = [lsp.ParameterInformation(name) for name in one.parameters]
        return lsp.SignatureHelp([lsp.SignatureInformation(one.label, one.says, parameters)], 0, one.active)

    @found.feature(lsp.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    def _(params: lsp.CallHierarchyPrepareParams) -> list[lsp.CallHierarchyItem]:
        path, place = at(params)
        return [_item("rule", span, uri_of) for span in service.definition(path, place)]

    @found.feature(lsp.CALL_HIERARCHY_INCOMING_CALLS)
    def _(params: lsp.CallHierarchyIncomingCallsParams) -> list[lsp.CallHierarchyIncomingCall]:
        return [
            lsp.CallHierarchyIncomingCall(_item(one.name, one.span, uri_of), [_range(range) for range in one.calls])
            for one in _callers(service, params.item, path_of, into=True)
        ]

    @found.feature(lsp.CALL_HIERARCHY_OUTGOING_CALLS)
    def _(params: lsp.CallHierarchyOutgoingCallsParams) -> list[lsp.CallHierarchyOutgoingCall]:
        return [
            lsp.CallHierarchyOutgoingCall(_item(one.name, one.span, uri_of), [_range(range) for range in one.calls])
            for one in _callers(service, params.item, path_of, into=False)
        ]


def _callers(
    service: LanguageService, item: lsp.CallHierarchyItem, path_of: Callable[[str], Path], *, into: bool
) -> tuple[Caller, ...]:
    start = item.selection_range.start
    return callers(service, path_of(item.uri), EditorPlace(start.line, start.character), into=into)


def _item(name: str, span: EditorSpan, uri_of: Callable[[Path], str]) -> lsp.CallHierarchyItem:
    range = _range(span.range)
    return lsp.CallHierarchyItem(name, lsp.SymbolKind.Function, uri_of(span.path), range, range)


def _nested(ranges: tuple[EditorRange, ...]) -> lsp.SelectionRange:
    """Returns ranges, the smallest first, each inside the next."""
    found: lsp.SelectionRange | None = None
    for range in reversed(ranges):
        found = lsp.SelectionRange(_range(range), found)
    return found or lsp.SelectionRange(lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0)))


def _range(range: EditorRange) -> lsp.Range:
    start, end = range.start, range.end
    return lsp.Range(lsp.Position(start.line, start.column), lsp.Position(end.line, end.column))


def _location(span: EditorSpan, uri_of: Callable[[Path], str]) -> lsp.Location:
    return lsp.Location(uri_of(span.path), _range(span.range))
