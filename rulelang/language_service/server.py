"""The service -> a server of the Language Server Protocol, on pygls.

server().start_io()      speaks JSON-RPC on standard input and output
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from cattrs import Converter
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter
from pygls.protocol.language_server import lsp_method

from rulelang.diagnostics.codes import explanation
from rulelang.errors import InvalidInput, RulelangError
from rulelang.language_service.actions import actions
from rulelang.language_service.addresses import Addresses
from rulelang.language_service.completion import completions
from rulelang.language_service.document import EditorPlace, EditorRange, EditorText, without_halves
from rulelang.language_service.evidence import refused_there, refusing, run
from rulelang.language_service.hover import hover
from rulelang.language_service.outline import TOKEN_TYPES, folds, tokens
from rulelang.language_service.service import EditorFault, EditorSpan, LanguageService, TextChange
from rulelang.language_service.structural import RUN, add_structure

_UNFIT = "this cannot be answered"
PAUSE = 0.4
"""The seconds without an edit after which the variants, scenarios and the ledger are checked, too."""
EXPLAIN = "rulelang.explain"
"""The command of the server that tells what a code means."""
EXPLANATIONS = "rulelang-explain"
"""The scheme of the addresses behind codes, of which a client asks `rulelang/explain` for the text."""
REFUSAL = "Make a scenario of this refusal"
"""The edit that is offered at a `needs`."""
UriOf: TypeAlias = Callable[[Path], str]
Handling: TypeAlias = Generator[Any, Any, None]
"""The handlers of a notification, one after the other, each with its arguments."""
_Change: TypeAlias = lsp.TextDocumentContentChangePartial | lsp.TextDocumentContentChangeWholeDocument
_SYMBOLS = {
    "action": lsp.SymbolKind.Method, "verb": lsp.SymbolKind.Function, "value": lsp.SymbolKind.Function,
    "variable": lsp.SymbolKind.Field, "column": lsp.SymbolKind.Property, "enum": lsp.SymbolKind.Enum,
    "member": lsp.SymbolKind.EnumMember, "kind": lsp.SymbolKind.Class, "board": lsp.SymbolKind.Class,
    "data": lsp.SymbolKind.Struct, "constant": lsp.SymbolKind.Constant, "rule": lsp.SymbolKind.Event,
    "scenario": lsp.SymbolKind.Module, "variant": lsp.SymbolKind.Module, "game": lsp.SymbolKind.Namespace,
}  # fmt: skip
_COMPLETIONS = {
    "action": lsp.CompletionItemKind.Method, "verb": lsp.CompletionItemKind.Function,
    "value": lsp.CompletionItemKind.Function, "variable": lsp.CompletionItemKind.Field,
    "column": lsp.CompletionItemKind.Property, "enum": lsp.CompletionItemKind.Enum,
    "member": lsp.CompletionItemKind.EnumMember, "kind": lsp.CompletionItemKind.Class,
    "keyword": lsp.CompletionItemKind.Keyword, "clause": lsp.CompletionItemKind.Reference,
}  # fmt: skip


class QuietProtocol(LanguageServerProtocol):
    """The protocol, with errors that say what is wrong and nothing about this machine; places are in UTF-16 units, and texts
    are kept by the server alone."""

    @lsp_method(lsp.INITIALIZE)
    def lsp_initialize(self, params: lsp.InitializeParams) -> Generator[Any, Any, lsp.InitializeResult]:
        """Agrees on UTF-16, which each client knows, whatever else it would prefer."""
        if params.capabilities.general is not None:
            params.capabilities.general.position_encodings = None
        return (yield from super().lsp_initialize(params))

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> Handling:
        """Leaves an open document to the server."""
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> Handling:
        """Leaves an edit to the server."""
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> Handling:
        """Leaves a closed document to the server."""
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_CLOSE], (params,), None

    def _send_response(
        self, msg_id: str | int, result: Any | None = None, error: lsp.ResponseError | None = None
    ) -> None:
        if error is not None:
            error = lsp.ResponseError(error.code, _UNFIT if error.data else error.message.partition("\n")[0])
        super()._send_response(msg_id, result, error)

    def handle_message(self, message: Any) -> None:
        """Handles a message, and keeps nothing of it once that is done."""
        super().handle_message(message)
        # pygls keeps the future of each notification for ever.
        for id in [id for id, future in self._request_futures.items() if future.done()]:
            del self._request_futures[id]

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Returns a message as its class; a request that is none of its class is answered with the error, since its
        sender waits for an answer."""
        if "method" in data and self.get_message_type(data["method"]) is None:
            data.setdefault("params", None)
        try:
            return super().structure_message(data)
        except JsonRpcException:
            if "method" in data and isinstance(data.get("id"), int | str):
                self._send_response(data["id"], error=JsonRpcInvalidParams().to_response_error())
            raise


class RulesServer(LanguageServer):
    """A server for one client; several may share a service."""

    def __init__(self, service: LanguageService, addresses: Addresses) -> None:
        super().__init__("rulelang", version("rulelang"), protocol_cls=QuietProtocol, converter_factory=_converter)
        self.service, self.addresses = service, addresses
        self.heard: list[Callable[[Path], None]] = []
        """Is called with the path of each text that the client has changed."""
        self.merges: Callable[[Path, str], str] = lambda _, text: text
        """Returns the text that comes of one that the client has sent: another if other clients have changed it, too."""
        self.waits: Callable[[], Awaitable[None]] | None = None
        """Waits for what goes before the faults of variants and scenarios."""
        self.has_links = False
        """Whether the client follows the links behind codes, as its `initializationOptions` say: `{explanations: true}`."""
        self._later: dict[Path, asyncio.Task[None]] = {}
        """By entry: the task that publishes the faults of a game."""
        self._told: dict[Path, tuple[EditorFault, ...]] = {}
        self._texts: dict[Path, tuple[EditorText, int]] = {}
        """By path: each open text as the client has it, and its version."""

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Tells nobody what went wrong with a message that wants no answer."""

    def tell(self, path: Path) -> None:
        """Publishes the faults of each file of a game whose faults have changed, and of the file itself."""
        for one, faults in self.service.faults(path).items():
            if faults != self._told.get(one, ()) or one == path:
                self._publish(one, faults)

    def told(self, path: Path) -> tuple[EditorFault, ...]:
        """Returns the faults of a file that were published last; an editor asks for their fixes wherever the cursor goes,
        so that nothing is checked for it."""
        known = self._told.get(path)
        return self.service.faults(path).get(path, ()) if known is None else known

    def tell_soon(self, path: Path) -> None:
        """Publishes the faults of a file that the game itself has, at once, and all others when nothing is typed for a
        moment."""
        entry = self.service.entry(path)
        if entry in self._later:
            self._later.pop(entry).cancel()
        first = self.service.first_faults(path)
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            first = None
        if first is None:
            self.tell(path)
            return
        self._publish(path, first)
        self._later[entry] = loop.create_task(self._tell_later(path, entry))

    def rest(self) -> None:
        """Cancels the tasks that would publish faults later."""
        for task in self._later.values():
            task.cancel()
        self._later.clear()

    async def _tell_later(self, path: Path, entry: Path) -> None:
        await asyncio.sleep(PAUSE)
        if self.waits is not None:
            await self.waits()
        await self.service.prepare(path)
        self.tell(path)
        self._later.pop(entry, None)

    def _publish(self, path: Path, faults: tuple[EditorFault, ...]) -> None:
        self._told[path] = faults
        _, version = self._texts.get(path, (None, None))
        found = [_diagnostic(fault, self.addresses.uri, has_links=self.has_links) for fault in faults]
        params = lsp.PublishDiagnosticsParams(self.addresses.uri(path), found, version)
        self.text_document_publish_diagnostics(params)

    def open(self, document: lsp.TextDocumentItem) -> None:
        """Takes a document that the client opens."""
        path = self.addresses.keep(document.uri)
        self._put(path, EditorText(without_halves(document.text)), document.version)

    def change(self, document: lsp.VersionedTextDocumentIdentifier, changes: Sequence[_Change]) -> None:
        """Takes the client's edits of a document, one after the other; those of one that is not open mean nothing."""
        path = self.addresses.path(document.uri)
        text, _ = self._texts.get(path, (None, 0))
        if text is None:
            return
        for one in changes:
            range = _stretch(one.range) if isinstance(one, lsp.TextDocumentContentChangePartial) else None
            text = text.changed(range, without_halves(one.text))
        self._put(path, text, document.version)

    def _put(self, path: Path, text: EditorText, version: int) -> None:
        self._texts[path] = text, version
        self.service.open(path, self.merges(path, text.text))
        self.tell_soon(path)
        for hear in self.heard:
            hear(path)

    def version_of(self, path: Path) -> int | None:
        """Returns the number of that text; None if it is not open."""
        return self._texts[path][1] if path in self._texts else None

    def save(self, document: lsp.TextDocumentIdentifier) -> None:
        """Notes that the client has saved a document, so that other files may have changed as well."""
        self.service.workspace.look_again()
        path = self.addresses.path(document.uri)
        if path in self._texts:
            self.tell(path)

    def close(self, document: lsp.TextDocumentIdentifier) -> None:
        """Goes back to the file of a document; with the last one of a game, its faults are gone."""
        path = self.addresses.path(document.uri)
        if self._texts.pop(path, None) is None:
            return
        entry = self.service.entry(path)
        self.service.close(path)
        beside = next((one for one in self._texts if self.service.entry(one) == entry), None)
        if beside is not None:
            self.tell_soon(beside)
        else:
            if entry in self._later:
                self._later.pop(entry).cancel()
            for one in [one for one in self._told if not self.service.is_known(one)]:
                self._publish(one, ())
                del self._told[one]
        self.addresses.forget(path)

    def at(self, params: _Placed) -> tuple[Path, EditorPlace]:
        """Returns the place that a request is about."""
        return self.path(params.text_document), EditorPlace(params.position.line, params.position.character)

    def path(self, document: lsp.TextDocumentIdentifier) -> Path:
        """Returns the path of the document that a request is about."""
        return self.addresses.path(document.uri)


def _converter() -> Converter:
    """Returns the converter of JSON to messages, which stops at the first of the faults of a message."""
    found: Converter = default_converter()  # type: ignore[no-untyped-call]
    found.detailed_validation = False
    return found


def server(service: LanguageService | None = None, addresses: Addresses | None = None) -> RulesServer:
    """Returns a server for one client, with a service and addresses of its own unless they are given."""
    found = RulesServer(service or LanguageService(), addresses or Addresses())

    @found.feature(lsp.INITIALIZE)
    def _(params: lsp.InitializeParams) -> None:
        options: Any = params.initialization_options
        found.has_links = options is not None and bool(_field(options, "explanations"))

    @found.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def _(params: lsp.DidOpenTextDocumentParams) -> None:
        found.open(params.text_document)

    @found.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def _(params: lsp.DidChangeTextDocumentParams) -> None:
        found.change(params.text_document, params.content_changes)

    @found.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def _(params: lsp.DidSaveTextDocumentParams) -> None:
        found.save(params.text_document)

    @found.feature(lsp.SHUTDOWN)
    def _(_: None) -> None:
        found.rest()

    @found.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def _(params: lsp.DidCloseTextDocumentParams) -> None:
        found.close(params.text_document)

    _names(found, found.service)
    _texts(found, found.service)
    _commands(found, found.service)
    add_structure(found, found.service, found.at, found.path, found.addresses.uri)
    return found


def _names(found: RulesServer, service: LanguageService) -> None:
    """Adds the requests about names."""
    uri_of = found.addresses.uri

    @found.feature(lsp.TEXT_DOCUMENT_HOVER)
    def _(params: lsp.HoverParams) -> lsp.Hover | None:
        text, range = hover(service, *found.at(params))
        markdown = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
        return lsp.Hover(markdown, None if range is None else _range(range)) if text else None

    @found.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def _(params: lsp.DefinitionParams) -> list[lsp.Location]:
        return [_location(span, uri_of) for span in service.definition(*found.at(params))]

    @found.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def _(params: lsp.ReferenceParams) -> list[lsp.Location]:
        declared = params.context.include_declaration
        return [_location(s, uri_of) for s in service.references(*found.at(params), with_declarations=declared)]

    @found.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def _(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        return [lsp.DocumentHighlight(_range(range)) for range in service.highlights(*found.at(params))]

    @found.feature(lsp.TEXT_DOCUMENT_RENAME)
    def _(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        try:
            changes = service.rename(*found.at(params), params.new_name)
        except InvalidInput as error:
            found.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, str(error)))
            return None
        return _edit(changes, uri_of)

    @found.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def _(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        return [
            lsp.DocumentSymbol(
                one.name,
                _SYMBOLS.get(one.what, lsp.SymbolKind.Variable),
                _range(one.span.range),
                _range(one.span.range),
                one.owner,
            )
            for one in service.symbols(found.path(params.text_document))
        ]

    @found.feature(lsp.WORKSPACE_SYMBOL)
    def _(params: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
        entries = dict.fromkeys(service.entry(path) for path in service.documents)
        symbols = (one for entry in entries for one in service.all_symbols(entry))
        wanted = params.query.casefold()
        return [
            lsp.SymbolInformation(
                _location(one.span, uri_of), one.name, _SYMBOLS.get(one.what, lsp.SymbolKind.Variable)
            )
            for one in symbols
            if wanted in one.name.casefold()
        ]


def _texts(found: RulesServer, service: LanguageService) -> None:
    """Adds the requests about a text as it is typed."""

    @found.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", "["]))
    def _(params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        return [
            lsp.CompletionItem(
                one.name,
                kind=_COMPLETIONS.get(one.what, lsp.CompletionItemKind.Variable),
                detail=one.says or one.what,
                sort_text=f"{0 if one.is_wanted else 1}{one.name}",
                preselect=one.is_wanted or None,
            )
            for one in completions(service, *found.at(params))
        ]

    @found.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def _(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        return [_change(one) for one in service.format(found.path(params.text_document))]

    @found.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def _(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        document = service.document(found.path(params.text_document))
        text = "" if document is None else document.source.text
        return [lsp.FoldingRange(first, last) for first, last in folds(text)]

    @found.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, lsp.SemanticTokensLegend(list(TOKEN_TYPES), []))
    def _(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        data, line, column = list[int](), 0, 0
        for place, length, type in tokens(service, found.path(params.text_document)):
            data += (place.line - line, place.column - (column if place.line == line else 0), length, type, 0)
            line, column = place.line, place.column
        return lsp.SemanticTokens(data)

    _actions(found, service)


def _actions(found: RulesServer, service: LanguageService) -> None:
    """Adds the edits that are offered at a place; what takes a moment is worked out once it is chosen."""
    uri_of = found.addresses.uri

    @found.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(resolve_provider=True))
    def _(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        path, uri = found.path(params.text_document), params.text_document.uri
        faults = found.told(path)
        found_actions = []
        for fault in faults:
            range = _range(fault.range)
            if fault.fix is not None and _meet(range, params.range):
                edit = lsp.WorkspaceEdit(changes={uri: [lsp.TextEdit(range, fault.fix)]})
                title = f"Write {fault.fix!r} ({fault.code})"
                found_actions.append(lsp.CodeAction(title, lsp.CodeActionKind.QuickFix, edit=edit))
            if _meet(range, params.range):
                command = lsp.Command(f"What {fault.code} means", EXPLAIN, arguments=[fault.code])
                found_actions.append(lsp.CodeAction(command.title, lsp.CodeActionKind.Empty, command=command))
        wanted = _stretch(params.range)
        for one in actions(service, path, wanted):
            edit = _edit(one.changes, uri_of)
            found_actions.append(lsp.CodeAction(one.title, lsp.CodeActionKind.RefactorRewrite, edit=edit))
        if refusing(service, path, wanted.start) is not None:
            data = {"uri": uri, "line": params.range.start.line}
            found_actions.append(lsp.CodeAction(REFUSAL, lsp.CodeActionKind.RefactorRewrite, data=data))
        return found_actions

    @found.feature(lsp.CODE_ACTION_RESOLVE)
    def _(params: lsp.CodeAction) -> lsp.CodeAction:
        about: Any = params.data
        if params.title == REFUSAL and about is not None:
            uri, line = _field(about, "uri"), _field(about, "line")
            try:
                changes = refused_there(service, found.addresses.path(str(uri)), EditorPlace(int(line), 0))
            except RulelangError as error:
                found.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, str(error)))
            else:
                params.edit = _edit(changes, uri_of)
        return params


def _commands(found: RulesServer, service: LanguageService) -> None:
    """Adds the commands that the server carries out, and what codes mean."""

    @found.command(EXPLAIN)
    def _(code: str) -> str:
        said = explanation(code)
        found.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, said))
        return said

    @found.feature("rulelang/explain")
    def _(params: Any) -> dict[str, str]:
        return {"text": explanation(str(_field(params, "code")))}

    @found.command(RUN)
    def _(uri: str, titles: list[str]) -> str:
        said = run(service, found.addresses.path(uri), *titles)
        found.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, said))
        return said


# ------------------------------------------------------------------ values of the protocol


def _field(about: Any, name: str) -> Any:
    """Returns a part of what a client sends as it likes: a mapping, or an object that stands for it; None if it has none."""
    return about.get(name) if isinstance(about, Mapping) else getattr(about, name, None)


class _Placed(Protocol):
    """A request about a place in a document."""

    text_document: lsp.TextDocumentIdentifier
    position: lsp.Position


def _meet(one: lsp.Range, other: lsp.Range) -> bool:
    """Returns whether two stretches have a line in common."""
    return one.start.line <= other.end.line and other.start.line <= one.end.line


def _stretch(range: lsp.Range) -> EditorRange:
    start, end = range.start, range.end
    return EditorRange(EditorPlace(start.line, start.character), EditorPlace(end.line, end.character))


def _range(range: EditorRange) -> lsp.Range:
    start, end = range.start, range.end
    return lsp.Range(lsp.Position(start.line, start.column), lsp.Position(end.line, end.column))


def _location(span: EditorSpan, uri_of: UriOf) -> lsp.Location:
    return lsp.Location(uri_of(span.path), _range(span.range))


def _change(change: TextChange) -> lsp.TextEdit:
    return lsp.TextEdit(_range(change.range), change.text)


def _edit(changes: Mapping[Path, tuple[TextChange, ...]], uri_of: UriOf) -> lsp.WorkspaceEdit:
    return lsp.WorkspaceEdit(changes={uri_of(path): list(map(_change, some)) for path, some in changes.items()})


def _diagnostic(fault: EditorFault, uri_of: UriOf, *, has_links: bool) -> lsp.Diagnostic:
    """Returns a fault as the protocol has it; its code is a link for a client that follows such links."""
    related = [lsp.DiagnosticRelatedInformation(_location(span, uri_of), text) for span, text in fault.related]
    severity = lsp.DiagnosticSeverity.Error if fault.is_error else lsp.DiagnosticSeverity.Warning
    return lsp.Diagnostic(
        _range(fault.range),
        fault.message,
        severity=severity,
        code=fault.code,
        source="rulelang",
        related_information=related or None,
        code_description=lsp.CodeDescription(f"{EXPLANATIONS}:{fault.code}.md") if has_links else None,
    )
