"""A desk -> the ASGI application that serves it: its page and socket behind a secret path, and the table's pages.

application(desk, secret="k3v9…", hosts=frozenset({"127.0.0.1:8000"}))
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator

import attrs
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulelang.editing.desk import Desk
from rulelang.editing.window import Window
from rulelang.pages.editor import editor_page
from rulelang.web.application import table_routes
from rulelang.web.guard import Guard

LONGEST = 4_000_000
"""The most characters of a message from a page: a whole file may be one."""
MOST_WINDOWS = 16


@attrs.frozen
class Workbench:
    """The page of one desk, and its socket."""

    desk: Desk
    secret: str
    nonce: str

    @property
    def path(self) -> str:
        """The path of the page, which cannot be guessed."""
        return f"/edit/{self.secret}"

    async def page(self, request: Request) -> Response:
        """Shows the page."""
        title = self.desk.live.title
        return HTMLResponse(editor_page(title, f"{self.path}/live", self.desk.table, self.nonce))

    async def live(self, socket: WebSocket) -> None:
        """Speaks the language server's protocol with one page."""
        if len(self.desk.windows) >= MOST_WINDOWS:
            await socket.close(4404)
            return
        await socket.accept()
        window = Window(self.desk)
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
    bench = Workbench(desk, secret, nonce)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        looking = asyncio.create_task(desk.look())
        yield
        looking.cancel()
        desk.close()
        desk.hall.close()

    routes = [
        Route(bench.path, bench.page, methods=["GET"]),
        WebSocketRoute(f"{bench.path}/live", bench.live),
        *table_routes(desk.hall, (), f"/shelf/{secret}"),
    ]
    return Guard(Starlette(routes=routes, lifespan=lifespan), hosts, policy(nonce))
