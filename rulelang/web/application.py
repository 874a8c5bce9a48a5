"""A hall -> the ASGI application that serves it: the shelf, the tables' pages and their sockets, the static files.

application(hall, shelf, hosts=frozenset({"127.0.0.1:8000"}), host_path="/")
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import parse_qs

import attrs
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulelang.errors import RulelangError
from rulelang.pages.documents import ShelfGame, ShelfTable, document, host_page, refusal, shelf, waiting_main
from rulelang.seed import read as read_seed
from rulelang.web.guard import Guard
from rulelang.web.hall import Hall
from rulelang.web.links import HOST, WATCH
from rulelang.web.live import LiveTable
from rulelang.web.viewing import Viewing

STATIC = Path(__file__).parent / "static"
LONGEST = 8_000
"""The most characters of a message from a page."""
PER_SECOND = 20
"""The most messages that a page may send in a second, on average; the socket closes beyond it."""
MOST_PAGES = 64
"""The most pages that are open at one table."""
MOST_LOOKING = 200
"""The most pages that look at logs."""
MOST_SEATS = 64
SHOWN_TABLES = 30


@attrs.frozen
class Pages:
    """The pages of one hall."""

    hall: Hall
    games: Sequence[ShelfGame]
    host_path: str
    """The path of the shelf; on an open address it is a secret."""
    lookers: set[Viewing] = attrs.field(factory=set)
    """The pages that look at logs."""

    # -------------------------------------------------------------- the shelf

    async def shelf(self, request: Request) -> Response:
        """Shows the games and the tables."""
        return HTMLResponse(await self._shelf())

    async def _shelf(self, trouble: str = "") -> str:
        tables = [self._standing(id, live) for id, live in list(self.hall.tables.items())[-SHOWN_TABLES:]]
        known = {id for id, _ in self.hall.tables.items()}
        for id in self.hall.ids()[:SHOWN_TABLES]:
            if id not in known:
                tables.append(ShelfTable(f"Table {id[:6]}", "kept", self.hall.path(id, HOST)))
        return shelf(self.games, tables, self.host_path, trouble)

    def _standing(self, id: str, live: LiveTable) -> ShelfTable:
        match = live.table.match
        names = [match.seat_names[seat] for seat in match.to_move]
        stands = " it is over" if not names else f" {', '.join(names)} to choose"
        return ShelfTable(live.title, stands, self.hall.path(id, HOST))

    async def open(self, request: Request) -> Response:
        """Opens a table as the form of the shelf says, and leads to it."""
        form = parse_qs((await request.body()).decode(errors="replace"), max_num_fields=40)
        first = {name: values[0] for name, values in form.items()}
        game = first.get("game", "")
        variants = {one.name: {name for name, _ in one.variants} for one in self.games}
        # A name that the shelf does not show could be the path of a file.
        if game not in variants or not variants[game].issuperset(form.get("variant", ())):
            return HTMLResponse(await self._shelf("There is no such game here."), 400)
        name = "+".join((game, *form.get("variant", ())))
        try:
            words = first.get("seed", "").strip()
            seed = read_seed(words) if words else secrets.randbelow(1_000_000)
            players = int(first.get("players", "0")) or None
            people = int(first.get("people", "1"))
            seats = tuple(f"{seat}=me" for seat in range(1, max(people, 1) + 1))
            live = await asyncio.to_thread(lambda: self.hall.open(name, players=players, seats=seats, seed=seed))
        except (RulelangError, ValueError, OSError) as error:
            return HTMLResponse(await self._shelf(f"{error}"), 400)
        who = "seat 0" if len(live.table.people) == 1 else HOST
        return RedirectResponse(self.hall.path(live.id, who), 303)

    # -------------------------------------------------------------- tables

    async def table(self, request: Request) -> Response:
        """Shows the page of a seat, of the spectators, or of the host."""
        id, token = str(request.path_params["id"]), str(request.path_params["token"])
        try:
            live = await self.hall.find(id)
        except RulelangError as error:
            return HTMLResponse(refusal("This table cannot be played on", str(error)), 409)
        who = None if live is None else self.hall.links.who(id, token, live.table.match.players)
        if live is None or who is None:
            return HTMLResponse(refusal("There is no such table", "The link may be cut short: ask for it again."), 404)
        if who == HOST:
            return HTMLResponse(host_page(live.title, self._links(request, live), self.host_path))
        return HTMLResponse(document(live.title, waiting_main(live.title), live=f"/t/{id}/{token}/live"))

    def _links(self, request: Request, live: LiveTable) -> list[tuple[str, str, str]]:
        base = f"{request.url.scheme}://{request.headers['host']}"
        names = live.table.match.seat_names
        seats = [
            (
                str(names[seat]),
                "a person" if bot is None else f"{bot.name} bot",
                f"{base}{self.hall.path(live.id, f'seat {seat}')}",
            )
            for seat, bot in enumerate(live.table.seats)
        ]
        people = [row for row, bot in zip(seats, live.table.seats, strict=True) if bot is None]
        return [*people, ("Spectators", "who only watch", f"{base}{self.hall.path(live.id, WATCH)}")]

    # -------------------------------------------------------------- logs

    async def upload(self, request: Request) -> Response:
        """Keeps a log that was dropped on the shelf; answers with the path at which it is looked at."""
        body = await request.body()
        try:
            id = await asyncio.to_thread(self.hall.keep_log, body)
        except (RulelangError, OSError) as error:
            return PlainTextResponse(str(error), 400)
        return PlainTextResponse(f"/r/{id}/{self.hall.links.token(id, HOST)}")

    async def look(self, request: Request) -> Response:
        """Shows the page that looks at a log."""
        id, token = str(request.path_params["id"]), str(request.path_params["token"])
        shown = self.hall.log_of(id)
        if shown is None or self.hall.links.who(id, token, MOST_SEATS) is None:
            return HTMLResponse(refusal("There is no such log", "The link may be cut short: ask for it again."), 404)
        title = "A game, step by step"
        return HTMLResponse(document(title, waiting_main(title), live=f"/r/{id}/{token}/live"))

    async def looking(self, socket: WebSocket) -> None:
        """Shows steps of a log to one page, as it asks for them."""
        id, token = str(socket.path_params["id"]), str(socket.path_params["token"])
        who = self.hall.links.who(id, token, MOST_SEATS)
        if who is None or len(self.lookers) >= MOST_LOOKING:
            await socket.close(4404)
            return
        await socket.accept()
        try:
            viewing = await asyncio.to_thread(self.hall.view, id, who)
        except RulelangError as error:
            await socket.send_text(json.dumps({"notice": str(error)}))
            await socket.close(4409)
            return
        if viewing is None:
            await socket.close(4404)
            return
        self.lookers.add(viewing)
        try:
            await socket.send_text(json.dumps(await asyncio.to_thread(viewing.frame), ensure_ascii=False))
            await _answer(socket, viewing)
        finally:
            self.lookers.discard(viewing)

    async def live(self, socket: WebSocket) -> None:
        """Keeps a page up to date, and hears what it asks for."""
        id, token = str(socket.path_params["id"]), str(socket.path_params["token"])
        try:
            live = await self.hall.find(id)
        except RulelangError:
            live = None
        who = None if live is None else self.hall.links.who(id, token, live.table.match.players)
        if live is None or who is None or who == HOST or live.open_pages >= MOST_PAGES:
            await socket.close(4404)
            return
        await socket.accept()
        sending = asyncio.create_task(_send(socket, live, who))
        try:
            await _hear(socket, live, who)
        finally:
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await sending


async def _send(socket: WebSocket, live: LiveTable, who: str) -> None:
    frames = live.frames(who)
    try:
        async for message in frames:
            await socket.send_text(json.dumps(message, ensure_ascii=False))
    finally:
        await frames.aclose()


async def _hear(socket: WebSocket, live: LiveTable, who: str) -> None:
    """Does what the page of a table asks for, until it goes."""
    async for said in _said(socket):
        reply = await live.say(who, said)
        if reply is not None:
            await socket.send_text(json.dumps(reply, ensure_ascii=False))


async def _answer(socket: WebSocket, viewing: Viewing) -> None:
    """Does what the page of a log asks for, until it goes."""
    async for said in _said(socket):
        reply = await asyncio.to_thread(viewing.do, said)
        await socket.send_text(json.dumps(reply, ensure_ascii=False))


async def _said(socket: WebSocket) -> AsyncIterator[dict[str, Any]]:
    """Yields the messages of one page until it goes, says too much, or says nothing that can be read."""
    allowance, last = float(PER_SECOND * 3), monotonic()
    while True:
        try:
            text = await socket.receive_text()
        except (WebSocketDisconnect, KeyError):
            return
        now = monotonic()
        allowance, last = min(allowance + (now - last) * PER_SECOND, PER_SECOND * 3) - 1, now
        said = _message(text)
        if said is None or allowance < 0:
            await socket.close(4400)
            return
        yield said


def _message(text: str) -> dict[str, Any] | None:
    """Returns a message of a page; None if it is none."""
    if len(text) > LONGEST:
        return None
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def table_routes(hall: Hall, games: Sequence[ShelfGame], host_path: str) -> list[BaseRoute]:
    """Returns the routes of the tables of a hall, of its shelf and of the static files."""
    pages = Pages(hall, games, host_path)
    return [
        Route(host_path, pages.shelf, methods=["GET"]),
        Route(host_path, pages.open, methods=["POST"]),
        Route("/t/{id}/{token}", pages.table, methods=["GET"]),
        WebSocketRoute("/t/{id}/{token}/live", pages.live),
        Route(f"{host_path.rstrip('/')}/logs", pages.upload, methods=["POST"]),
        Route("/r/{id}/{token}", pages.look, methods=["GET"]),
        WebSocketRoute("/r/{id}/{token}/live", pages.looking),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]


def application(hall: Hall, games: Sequence[ShelfGame], hosts: frozenset[str] | None, host_path: str = "/") -> ASGIApp:
    """Returns the application of a hall; `hosts` are the addresses under which it may be called, None for any."""

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        hall.close()

    return Guard(Starlette(routes=table_routes(hall, games, host_path), lifespan=lifespan), hosts)
