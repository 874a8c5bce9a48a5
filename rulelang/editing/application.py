"""A desk -> the ASGI application that serves it: its page and socket behind a secret path, and the table's pages.

application(desk, secret="k3v9…", hosts=frozenset({"127.0.0.1:8000"}))
Door(hall, folder, …).application(tables)          tables in a browser, from which a link leads to the workbench
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import secrets
from collections.abc import AsyncIterator, Iterator

import attrs
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulelang.editing.desk import Desk
from rulelang.editing.replaying import follow, played
from rulelang.editing.templates import create_game, title_of
from rulelang.editing.texts.folder import GameFolder, games_below, own_variants, playable
from rulelang.editing.window import Window
from rulelang.errors import InvalidInput, RulelangError
from rulelang.pages.editor import OtherGame, editor_page
from rulelang.session.seats import names_at, usual_players
from rulelang.web.application import table_routes
from rulelang.web.guard import Guard
from rulelang.web.hall import Hall
from rulelang.web.live import LiveTable

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
        """Adds a desk, from whose page further games can be made, and those below its folder opened."""
        desk.begins = lambda name, title, like: self._begin(path, desk, name, title, like)
        desk.others = lambda: tuple(self._beside(path, desk))
        self.desks[path] = desk

    async def _begin(self, path: str, desk: Desk, name: str, title: str, like: str) -> str:
        """Writes a new game in a desk's folder, where nothing is overwritten, and opens it; returns the path of its page.

        Raises RulelangError, OSError.
        """
        try:
            await asyncio.to_thread(create_game, desk.folder.folder, name, title or title_of(name), like)
        except FileExistsError:
            raise InvalidInput(f"{name} exists already in this folder; nothing is overwritten") from None
        below = f"{path}/{name}"
        self.desk(below)
        return below

    def _beside(self, path: str, desk: Desk) -> Iterator[OtherGame]:
        """Yields the game in whose folder this one lies, and those in the folders of this one."""
        above = path.rpartition("/")[0]
        if above in self.desks:
            yield OtherGame(above, self.desks[above].live.title)
        for name in games_below(desk.folder.folder):
            below = self.desks.get(f"{path}/{name}")
            yield OtherGame(f"{path}/{name}", title_of(name) if below is None else below.live.title)

    def desk(self, path: str) -> Desk | None:
        """Returns the desk of a page; opens it, and those above, if the page is that of a game below the folder.

        One person plays against bots at its table. Raises RulelangError for rules that have errors.
        """
        if path in self.desks or not path.startswith(f"{self.path}/"):
            return self.desks.get(path)
        above, _, name = path.rpartition("/")
        beside = self.desk(above)
        if beside is None or name not in games_below(beside.folder.folder):
            return None
        entry, hall = beside.folder.folder / name / f"{name}.rules", beside.hall
        variants = own_variants(entry)
        rules = playable("+".join((f'"{entry}"', *variants)))
        known = "+".join((rules.id, *rules.variants))
        hall.keep(known, rules)
        hall.open(known, seats=(f"{names_at(rules.ir, usual_players(rules.players))[0]}=me",), allow_undo=True)
        self.add(path, desk := Desk(GameFolder.of(entry), variants, hall, games=beside.games))
        self.look(desk)
        return desk

    def look(self, desk: Desk) -> None:
        """Begins to look at a desk's files on the disk."""
        task = asyncio.get_running_loop().create_task(desk.look())
        self._looking.add(task)

    def close(self) -> None:
        """Stops what is being worked out."""
        for task in self._looking:
            task.cancel()
        for desk in self.desks.values():
            desk.close()

    async def page(self, request: Request) -> Response:
        """Shows the page of a desk."""
        path = request.url.path
        try:
            desk = self.desk(path)
        except RulelangError:
            return PlainTextResponse("the rules of this game have errors: `rulelang check` tells them", 409)
        if desk is None:
            return PlainTextResponse("there is no such page", 404)
        title, logs = desk.live.title, f"{shelf(self.secret)}/logs"
        return HTMLResponse(editor_page(title, f"{path}/live", desk.table, self.nonce, logs=logs))

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


def shelf(secret: str) -> str:
    """Returns the path to which logs are sent."""
    return f"/shelf/{secret}"


def policy(nonce: str) -> str:
    """Returns the Content-Security-Policy of the pages: the workbench holds the table in a frame, and the editor makes
    styles of its own."""
    return (
        "default-src 'none'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; "
        f"base-uri 'none'; frame-src 'self'; frame-ancestors 'self'; style-src 'self' 'nonce-{nonce}'"
    )


def _routes(bench: Workbench, hall: Hall) -> list[BaseRoute]:
    """Returns the routes of a workbench, and of the tables of its hall."""
    return [
        Route(bench.path, bench.page, methods=["GET"]),
        WebSocketRoute(f"{bench.path}/live", bench.live),
        Route(f"{bench.path}/{{game:path}}", bench.page, methods=["GET"]),
        WebSocketRoute(f"{bench.path}/{{game:path}}/live", bench.live),
        *table_routes(hall, (), shelf(bench.secret)),
    ]


def application(desk: Desk, secret: str, hosts: frozenset[str] | None) -> ASGIApp:
    """Returns the application of a desk; `hosts` are the addresses under which it may be called, None for any."""
    bench = Workbench(secret, secrets.token_urlsafe(16))
    bench.add(bench.path, desk)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        bench.look(desk)
        yield
        bench.close()
        desk.hall.close()

    return Guard(Starlette(routes=_routes(bench, desk.hall), lifespan=lifespan), hosts, policy(bench.nonce))


@attrs.define(eq=False)
class Door:
    """The way from the tables of one game to a workbench for its rules, for whoever holds the secret of this run.

    A copy of the game is laid on a table of the workbench, so that nobody at the other table sees an edit or a bot's
    hand, and its log stays that of its rules.
    """

    hall: Hall
    """The tables from which it leads."""
    folder: GameFolder
    variants: tuple[str, ...]
    secret: str
    own: Hall
    """The tables of the workbench."""
    hosts: frozenset[str] | None
    """The addresses under which the server may be called, None for any."""
    bench: Workbench = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.bench = Workbench(self.secret, secrets.token_urlsafe(16))

    @property
    def path(self) -> str:
        """Returns the path below which it lies."""
        return f"/door/{self.secret}"

    def of(self, live: LiveTable, said: str) -> str:
        """Returns the path from a table to the workbench, for a page whose address says the secret; "" for any other."""
        knows = hmac.compare_digest(said.encode(), self.secret.encode())
        return f"{self.path}/{live.id}" if knows and self._is_of(live) else ""

    def _is_of(self, live: LiveTable) -> bool:
        return live.table.game.internals.entry.resolve() == self.folder.entry

    async def enter(self, request: Request) -> Response:
        """Lays the game as it stands at a table on that of the workbench, and leads there; what is edited stays."""
        live = self.hall.tables.get(str(request.path_params["id"]))
        if live is None or not self._is_of(live):
            return PlainTextResponse("there is no such page", 404)
        log, table = played(live.table), live.table
        try:
            found = await asyncio.to_thread(follow, log, table.game, table.seats, takes=True)
        except RulelangError as error:
            return PlainTextResponse(f"this game cannot be laid on the workbench: {error}", 409)
        found.table.allow_undo = True
        self.own.keep(found.table.name, found.table.game)
        for sitting in self.own.add(found.table).sittings.values():
            sitting.catch_up()
        desk = self.bench.desks.get(self.bench.path)
        if desk is None:
            self.bench.add(self.bench.path, desk := Desk(self.folder, self.variants, self.own))
            self.bench.look(desk)
        else:
            desk.attend()
        return RedirectResponse(self.bench.path, 303)

    def application(self, tables: ASGIApp) -> ASGIApp:
        """Returns the application of the tables, with the workbench beside them."""
        routes = [Route(f"{self.path}/{{id}}", self.enter, methods=["GET"]), *_routes(self.bench, self.own)]
        inside = Guard(Starlette(routes=routes), self.hosts, policy(self.bench.nonce))

        async def both(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "lifespan":
                await tables(scope, receive, send)
                self.bench.close()
                self.own.close()
            else:
                await (inside if self._is_inside(scope["path"]) else tables)(scope, receive, send)

        return both

    def _is_inside(self, path: str) -> bool:
        """Returns whether a path belongs to the workbench, or to a table or a log beside its texts."""
        _, room, id, *_ = *path.split("/"), "", ""
        if room in ("t", "r"):
            return id in self.own.tables or self.own.log_of(id) is not None
        return room in ("door", "edit", "shelf") and id == self.secret
