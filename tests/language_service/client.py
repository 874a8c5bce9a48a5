"""A client of the language server, as an editor is one: JSON-RPC over the standard streams of a process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

PLACED = (
    "hover", "definition", "references", "completion", "documentHighlight", "signatureHelp", "prepareCallHierarchy", "rename",
)  # fmt: skip
"""The requests about a place."""
WHOLE = (
    "documentSymbol", "formatting", "foldingRange", "semanticTokens/full", "codeLens", "codeAction", "inlayHint",
    "selectionRange", "rangeFormatting",
)  # fmt: skip
"""The requests about a text, or a stretch of it."""


def asked(method: str, uri: str, first: dict[str, int], last: dict[str, int]) -> dict[str, Any]:
    """Returns the parameters of a request about a document: at the first of two places, or about what lies between them."""
    document: dict[str, Any] = {"textDocument": {"uri": uri}}
    if method in PLACED:
        more: dict[str, dict[str, Any]] = {
            "references": {"context": {"includeDeclaration": True}},
            "rename": {"newName": "pile"},
        }
        return {**document, "position": first, **more.get(method, {})}
    stretch = {"start": first, "end": last}
    options = {"tabSize": 2, "insertSpaces": True}
    parts: dict[str, dict[str, Any]] = {
        "formatting": {"options": options},
        "rangeFormatting": {"range": stretch, "options": options},
        "codeAction": {"range": stretch, "context": {"diagnostics": []}},
        "inlayHint": {"range": stretch},
        "selectionRange": {"positions": [first]},
    }
    return {**document, **parts.get(method, {})}


class Client:
    """A language server in a process of its own."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "rulelang.cli", "lsp"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
        self.number = 0
        self.diagnostics: dict[str, list[dict[str, Any]]] = {}
        """By document: the last ones that the server has published …"""
        self.versions: dict[str, int | None] = {}
        """… and the version of the text that they are about."""
        capabilities: dict[str, Any] = {
            "workspace": {"workspaceEdit": {"documentChanges": False}},
            "general": {"positionEncodings": ["utf-8", "utf-32", "utf-16"]},
        }
        self.server = self.ask("initialize", processId=None, rootUri=None, capabilities=capabilities)
        self.tell("initialized")

    def send_raw(self, data: bytes) -> None:
        """Sends bytes that need not be a message."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def close(self) -> None:
        """Ends the server as an editor does."""
        self.ask("shutdown")
        self.tell("exit")
        assert self.process.wait(600) == 0

    def tell(self, method: str, **params: Any) -> None:
        """Sends a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, **params: Any) -> Any:
        """Sends a request; returns its result. Raises AssertionError for an error."""
        answer = self.raw(method, **params)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def raw(self, method: str, **params: Any) -> dict[str, Any]:
        """Sends a request; returns the whole of the answer."""
        self.number += 1
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": self.number, "method": method}
        self._send(message | ({"params": params} if params else {}))
        while True:
            found = self._receive()
            if found.get("id") == self.number:
                return found
            self._hear(found)

    def open(self, path: Path, text: str) -> str:
        """Opens a document; returns its URI."""
        uri = path.as_uri()
        document = {"uri": uri, "languageId": "rules", "version": 1, "text": text}
        self.tell("textDocument/didOpen", textDocument=document)
        return uri

    def change(self, uri: str, version: int, text: str) -> None:
        """Replaces the text of a document."""
        self.tell(
            "textDocument/didChange", textDocument={"uri": uri, "version": version}, contentChanges=[{"text": text}]
        )

    def at(self, method: str, uri: str, line: int, column: int, **more: Any) -> Any:
        """Asks about a place in a document."""
        place = {"line": line, "character": column}
        return self.ask(f"textDocument/{method}", textDocument={"uri": uri}, position=place, **more)

    def _hear(self, message: dict[str, Any]) -> None:
        if message.get("method") == "textDocument/publishDiagnostics":
            told = message["params"]
            self.diagnostics[told["uri"]], self.versions[told["uri"]] = told["diagnostics"], told.get("version")

    def _send(self, message: dict[str, Any]) -> None:
        data = json.dumps(message).encode()
        self.send_raw(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))

    def _receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        assert length, "the server has gone"
        found: dict[str, Any] = json.loads(self.process.stdout.read(length))
        return found
