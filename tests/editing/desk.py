"""A workbench for tests: its application over a game in a folder, and a page that speaks with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from rulelang import api
from rulelang.editing.application import application
from rulelang.editing.desk import Desk
from rulelang.editing.texts.folder import GameFolder
from rulelang.web.hall import Hall
from tests.files import ROOT

HOST = "127.0.0.1:8000"
NIM = (ROOT / "tests/classics/nim.rules").read_text()


def desk_of(entry: Path, tables: Path, seats: tuple[str, ...] = ("2=first",)) -> Desk:
    """Returns the desk of a game, with a table for one person against bots that choose the first option."""
    game = api.load(str(entry))
    hall = Hall(tables, lambda _: game, lambda _: desk.game, 0)
    hall.keep(game.id, game)
    hall.open(game.id, players=2, seats=seats, allow_undo=True)
    desk = Desk(GameFolder.of(entry), (), hall)
    return desk


def client_of(desk: Desk) -> TestClient:
    """Returns a client that calls as a page of the server does."""
    app = application(desk, "secret", frozenset({HOST}))
    return TestClient(app, base_url=f"http://{HOST}", headers={"origin": f"http://{HOST}"})


class Page:
    """A page of the workbench, without a browser."""

    def __init__(self, socket: WebSocketTestSession, desk: Desk) -> None:
        self.socket, self.desk, self.number = socket, desk, 0
        self.heard: list[dict[str, Any]] = []
        self.versions: dict[str, int] = {}
        self.ask("initialize", processId=None, rootUri=None, capabilities={})
        self.tell("initialized")

    def tell(self, method: str, **params: Any) -> None:
        """Sends a notification."""
        self.socket.send_text(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}))

    def ask(self, method: str, **params: Any) -> Any:
        """Sends a request; returns its result, or None for an error."""
        self.number += 1
        self.socket.send_text(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}))
        while True:
            found = json.loads(self.socket.receive_text())
            if found.get("id") == self.number:
                return found.get("result")
            self.heard.append(found)

    def type(self, file: str, text: str) -> None:
        """Puts a text in place of a file's."""
        uri = f"rules:///{file}"
        version = self.versions[file] = self.versions.get(file, -1) + 1
        if version == 0:
            document = {"uri": uri, "languageId": "rules", "version": 0, "text": text}
            self.tell("textDocument/didOpen", textDocument=document)
        else:
            change = [{"text": text}]
            self.tell("textDocument/didChange", textDocument={"uri": uri, "version": version}, contentChanges=change)

    def state(self, wanted: str) -> str:
        """Waits until the panel beside the texts shows something; returns it."""
        while True:
            for said in self.heard:
                if said.get("method") == "rulelang/state" and wanted in said["params"]["state"]:
                    self.heard.clear()
                    return str(said["params"]["state"])
            self.heard = [json.loads(self.socket.receive_text())]


@contextmanager
def pages(desk: Desk, many: int = 1) -> Iterator[list[Page]]:
    """Opens pages on a desk."""
    with client_of(desk) as client:
        sockets = [client.websocket_connect(f"ws://{HOST}/edit/secret/live") for _ in range(many)]
        try:
            found = [Page(socket.__enter__(), desk) for socket in sockets]
            for page in found:
                page.ask("rulelang/files")
            yield found
        finally:
            for socket in sockets:
                socket.__exit__(None, None, None)
