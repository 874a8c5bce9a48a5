"""A hall in a folder, and its application, for tests."""

from __future__ import annotations

from pathlib import Path

from starlette.testclient import TestClient, WebSocketTestSession

from rulelang import api
from rulelang.api import Game
from rulelang.log.format import Header
from rulelang.pages.documents import ShelfGame
from rulelang.web.application import application
from rulelang.web.hall import Hall

HOST = "127.0.0.1:8000"
SHELF = [
    ShelfGame("outspeed", "Outspeed", (2, 6)),
    ShelfGame("empty_space", "Empty Space", (2, 4), (("faster", "Faster"), ("solo", "Solo"))),
]


def load(name: str) -> Game:
    """Loads a game."""
    return api.load(name)


def under(header: Header) -> Game:
    """Loads the game that a log names."""
    return api.load(api.rules_of(header, None))


def hall_in(folder: Path) -> Hall:
    """Returns a hall whose bots do not wait."""
    return Hall(folder, load, under, pace=0)


def socket(client: TestClient, path: str, **headers: str) -> WebSocketTestSession:
    """Returns the socket of the page at a path."""
    return client.websocket_connect(f"ws://{HOST}{path}/live", headers=headers)


def client_of(hall: Hall) -> TestClient:
    """Returns a client that calls as a page of the server does."""
    app = application(hall, SHELF, frozenset({HOST}))
    return TestClient(app, base_url=f"http://{HOST}", headers={"origin": f"http://{HOST}"})
