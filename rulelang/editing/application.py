"""A desk -> the ASGI application that serves it: its page and socket behind a secret path, and the table's pages.

application(desk, secret="k3v9…", hosts=frozenset({"127.0.0.1:8000"}))
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator
from pathlib import Path

import attrs
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulelang.api import load
from rulelang.editing.desk import Desk
from rulelang.editing.folder import GameFolder
from rulelang.editing.window import Window
from rulelang.pages.editor import editor_page
from rulelang.session.seats import names_at, usual_players
from rulelang.web.application import table_routes
from rulelang.web.guard import Guard

LONGEST = 4_000_000
"""The most characters of a message from a page: a whole file may be one."""
MOST_WINDOWS = 16


@attrs.define(eq=False)
class Workbench:
    """The desks of one folder's games, each with a page and a socket."""

    secret: str
    nonce: str
    desks: dict[str, Desk] = attrs.field(factory=dict)
    """By the path of its page, the first one's first."""
    _looking: set[asyncio.Task[None]] = attrs.field(factory=set)

    @property
    def path(self) -> str:
        """The path of the first desk's page, which cannot be guessed."""
        return f"/edit/{self.secret}"

    def add(self, path: str, desk: Desk) -> None:
        """Adds a desk, from whose page further games can be made."""
        desk.opens = lambda entry, variants: self.open(desk, entry, variants)
        self.desks[path] = desk

    def open(self, beside: Desk, entry: Path, variants: tuple[str, ...]) -> str:
        """Opens a game on a desk of its own, at whose table one person plays against bots; returns the path of its page.

        Raises RulelangError.
        """
        rules = load("+".join((f'"{entry}"', *variants)))
        name, hall = "+".join((rules.id, *rules.variants)), beside.hall
        hall.keep(name, rules)
        hall.open(name, seats=(f"{names_at(rules.ir, usual_players(rules.players))[0]}=me",), allow_undo=True)
        path = f"{self.path}/{secrets.token_urlsafe(8)}"
        self.add(path, desk := Desk(GameFolder.of(entry), variants, hall, games=beside.games))
        self.look(desk)
        return path

    def look(self, desk: Desk) -> None:
        """Begins to look at a desk's files on the disk."""
        task = asyncio.get_running_loop().create_task(desk.look())
        self._looking.add(task)

    def close(self) -> None:
        """Stops what is being worked out, and closes the tables."""
        for task in self._looking:
            task.cancel()
        for desk in self.desks.values():
            desk.close()
        self.desks[self.path].hall.close()

    async def page(self, request: Request) -> Response:
        """Shows the page of a desk."""
        path = request.url.path
        desk = self.desks.get(path)
        if desk is None:
            return PlainTextResponse("there is no such page", 404)
        return HTMLResponse(editor_page(desk.live.title, f"{path}/live", desk.table, self.nonce))

    async def live(self, socket: WebSocket) -> None:
        """Speaks the language server's protocol with one page."""
        desk = self.desks.get(socket.url.path.removesuffix("/live"))
        if desk is None or len(desk.windows) >= MOST_WINDOWS:
            await socket.close(4404)
            return
        await socket.accept()
        window = Window(desk)
        sending = asyncio.create_task(_send(socket, window))
        try:
            while True:
                text = await socket.receive_text()
                if len(text) > LONGEST or not window.hear(text):
                    await socket.close(4400)
                    return
        except (WebSocketDisconnect, KeyError):
            return
        finally:
            window.close()
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await sending


async def _send(socket: WebSocket, window: Window) -> None:
    while True:
        await socket.send_text(await window.outbox.queue.get())


def policy(nonce: str) -> str:
    """Returns the Content-Security-Policy of the pages: the workbench holds the table in a frame, and the editor makes
    styles of its own."""
    return (
        "default-src 'none'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; "
        f"base-uri 'none'; frame-src 'self'; frame-ancestors 'self'; style-src 'self' 'nonce-{nonce}'"
    )


def application(desk: Desk, secret: str, hosts: frozenset[str] | None) -> ASGIApp:
    """Returns the application of a desk; `hosts` are the addresses under which it may be called, None for any."""
    nonce = secrets.token_urlsafe(16)
    bench = Workbench(secret, nonce)
    bench.add(bench.path, desk)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        bench.look(desk)
        yield
        bench.close()

    routes = [
        Route(bench.path, bench.page, methods=["GET"]),
        WebSocketRoute(f"{bench.path}/live", bench.live),
        Route(f"{bench.path}/{{id}}", bench.page, methods=["GET"]),
        WebSocketRoute(f"{bench.path}/{{id}}/live", bench.live),
        *table_routes(desk.hall, (), f"/shelf/{secret}"),
    ]
    return Guard(Starlette(routes=routes, lifespan=lifespan), hosts, policy(nonce))
