"""The service -> a server of the Language Server Protocol, on pygls.

server().start_io()      speaks JSON-RPC on standard input and output
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from rulelang.diagnostics.codes import explanation
from rulelang.errors import InvalidInput, RulelangError
from rulelang.language_service.actions import actions
from rulelang.language_service.addresses import Addresses
from rulelang.language_service.completion import completions
from rulelang.language_service.document import EditorPlace, EditorRange
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
    """The protocol, with errors that say what is wrong and nothing about this machine."""

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
        except JsonRpcException as error:
            if "method" in data and isinstance(data.get("id"), int | str):
                self._send_response(data["id"], error=error.to_response_error())
            raise


class RulesServer(LanguageServer):
    """A server for one client; several may share a service."""

    def __init__(self, service: LanguageService, addresses: Addresses) -> None:
        super().__init__("rulelang", version("rulelang"), protocol_cls=QuietProtocol)
        self.service, self.addresses = service, addresses
        self.heard: list[Callable[[Path], None]] = []
        """Is called with the path of each text that the client has changed."""
        self.has_links = False
        """Whether the client follows the links behind codes, as its `initializationOptions` say: `{explanations: true}`."""
        self._later: dict[Path, asyncio.Task[None]] = {}
        """By entry: the task that publishes the faults of a game."""
        self._told: dict[Path, tuple[EditorFault, ...]] = {}

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
        self._later[entry] = loop.create_task(self._tell_later(path))

    def rest(self) -> None:
        """Cancels the tasks that would publish faults later."""
        for task in self._later.values():
            task.cancel()
        self._later.clear()

    async def _tell_later(self, path: Path) -> None:
        await asyncio.sleep(PAUSE)
        await self.service.prepare(path)
        self.tell(path)

    def _publish(self, path: Path, faults: tuple[EditorFault, ...]) -> None:
        self._told[path] = faults
        uri = self.addresses.uri(path)
        document = self.workspace.text_documents.get(uri)
        found = [_diagnostic(fault, self.addresses.uri, has_links=self.has_links) for fault in faults]
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, document and document.version))

    def put(self, uri: str) -> None:
        """Takes the text of a document as the client has it now."""
        path = self.addresses.path(uri)
        self.service.open(path, self.workspace.text_documents[uri].source)
        self.tell_soon(path)
        for hear in self.heard:
            hear(path)

    def at(self, params: _Placed) -> tuple[Path, EditorPlace]:
        """Returns the place that a request is about."""
        return self.path(params.text_document), EditorPlace(params.position.line, params.position.character)

    def path(self, document: lsp.TextDocumentIdentifier) -> Path:
        """Returns the path of the document that a request is about."""
        return self.addresses.path(document.uri)


def server(service: LanguageService | None = None, addresses: Addresses | None = None) -> RulesServer:
    """Returns a server for one client, with a service and addresses of its own unless they are given."""
    found = RulesServer(service or LanguageService(), addresses or Addresses())

    @found.feature(lsp.INITIALIZE)
    def _(params: lsp.InitializeParams) -> None:
        options: Any = params.initialization_options
        found.has_links = options is not None and bool(_field(options, "explanations"))

    @found.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def _(params: lsp.DidOpenTextDocumentParams) -> None:
        found.put(params.text_document.uri)

    @found.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def _(params: lsp.DidChangeTextDocumentParams) -> None:
        found.put(params.text_document.uri)

    @found.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def _(params: lsp.DidSaveTextDocumentParams) -> None:
        found.service.workspace.look_again()
        found.tell(found.addresses.path(params.text_document.uri))

    @found.feature(lsp.SHUTDOWN)
    def _(_: None) -> None:
        found.rest()

    @found.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def _(params: lsp.DidCloseTextDocumentParams) -> None:
        found.service.close(found.addresses.path(params.text_document.uri))

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
        path, place = found.at(params)
        return [lsp.DocumentHighlight(_range(s.range)) for s in service.references(path, place) if s.path == path]

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
        start, end = params.range.start, params.range.end
        wanted = EditorRange(EditorPlace(start.line, start.character), EditorPlace(end.line, end.character))
        for one in actions(service, path, wanted):
            edit = _edit(one.changes, uri_of)
            found_actions.append(lsp.CodeAction(one.title, lsp.CodeActionKind.RefactorRewrite, edit=edit))
        if refusing(service, path, wanted.start) is not None:
            data = {"uri": uri, "line": start.line}
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
