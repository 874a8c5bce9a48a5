"""A hall -> the ASGI application that serves it: the shelf, the tables' pages and their sockets, the static files.

application(hall, shelf, hosts=frozenset({"127.0.0.1:8000"}), host_path="/")
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias
from urllib.parse import parse_qs

import attrs
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulelang.errors import RulelangError
from rulelang.match.match import BareMatch
from rulelang.pages.documents import (
    MINE,
    ShelfGame,
    ShelfTable,
    document,
    host_page,
    my_tables,
    refusal,
    sheet_page,
    shelf,
    waiting_main,
)
from rulelang.pages.lobby import LobbyPage, lobby
from rulelang.pages.markup import Markup
from rulelang.rulebook.printed.book import changes_of
from rulelang.rulebook.printed.page import inside
from rulelang.session.seats import usual_players
from rulelang.web.guard import Guard
from rulelang.web.hall import Hall
from rulelang.web.links import HOST, WATCH
from rulelang.web.live import LiveTable
from rulelang.web.open_page import OpenPage
from rulelang.web.setting_up import MOST_SEATS, Wishes
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
MOST_FIELDS = 200
"""The most fields of a form."""
SHOWN_TABLES = 30
IMAGES = {
    ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp", ".svg": "image/svg+xml",
}  # fmt: skip
"""The types of the images of games, by the ends of their names."""
DOOR = "door"
"""The word in the address of a page that leads to the rules, before the secret of the door."""
MOST_MINE = 40
"""The most tables in one browser's list."""


DoorOf: TypeAlias = Callable[[LiveTable, str], str]
"""Returns the path at which the rules of a table can be edited, for a page whose address says the secret of the door; ""
for any other."""


def no_door(_live: LiveTable, _said: str) -> str:
    """Returns no path: nothing is edited here."""
    return ""


@attrs.frozen
class Pages:
    """The pages of one hall."""

    hall: Hall
    games: Sequence[ShelfGame]
    host_path: str
    """The path of the shelf; on an open address it is a secret."""
    door_of: DoorOf = no_door
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
        stands = f" {_asked(match)} to choose" if match.to_move else " it is over"
        return ShelfTable(live.title, stands, self.hall.path(id, HOST))

    async def open(self, request: Request) -> Response:
        """Opens a table as a form says, and leads to it."""
        form = parse_qs((await request.body()).decode(errors="replace"), max_num_fields=MOST_FIELDS)
        try:
            wishes = Wishes.of(form, self.games)
        except (RulelangError, ValueError) as error:
            return HTMLResponse(await self._shelf(f"{error}"), 400)
        try:
            live = await asyncio.to_thread(self._opened, wishes)
        except (RulelangError, ValueError, OSError) as error:
            return HTMLResponse(await self._lobby(wishes, str(error)), 400)
        people, here = live.table.people, [f"seat {seat}" for seat in wishes.here if seat < live.table.match.players]
        if len(here) == len(people) > 0:
            return RedirectResponse(self.hall.path(live.id, *here), 303)
        own = f"?here={'.'.join(one.removeprefix('seat ') for one in here)}" if here else ""
        return RedirectResponse(self.hall.path(live.id, HOST) + own, 303)

    def _opened(self, wishes: Wishes) -> LiveTable:
        return self.hall.open(
            wishes.name,
            players=wishes.players,
            seats=wishes.seats,
            seed=wishes.seed,
            options=wishes.options,
            allow_undo=wishes.allow_undo,
        )

    async def lobby(self, request: Request) -> Response:
        """Shows the page on which a table is set up."""
        try:
            wishes = Wishes.of(parse_qs(str(request.url.query), max_num_fields=MOST_FIELDS), self.games)
        except (RulelangError, ValueError) as error:
            return HTMLResponse(await self._shelf(f"{error}"), 404)
        return HTMLResponse(await self._lobby(wishes))

    async def _lobby(self, wishes: Wishes, trouble: str = "") -> str:
        try:
            game = await asyncio.to_thread(self.hall.game, wishes.name)
        except RulelangError as error:
            # Variants that do not go together are told on the page of the game without them.
            game, trouble = await asyncio.to_thread(self.hall.game, wishes.about.name), str(error)
        low, high = game.players
        players = usual_players(game.players) if wishes.players is None else min(max(wishes.players, low), high)
        return lobby(LobbyPage(wishes.about, game, wishes.variants, players, self.host_path, trouble, wishes.said))

    async def sheet(self, request: Request) -> Response:
        """Shows what a variant changes."""
        try:
            wishes = Wishes.of(parse_qs(str(request.url.query), max_num_fields=MOST_FIELDS), self.games)
            changes = await asyncio.to_thread(changes_of, wishes.name)
        except (RulelangError, ValueError, OSError) as error:
            return HTMLResponse(refusal("There is no such sheet", str(error)), 404)
        return HTMLResponse(sheet_page(changes.title, Markup(inside(changes)), self.host_path))

    # -------------------------------------------------------------- tables

    async def table(self, request: Request) -> Response:
        """Shows the page of a seat, of the spectators, or of the host."""
        id, token = str(request.path_params["id"]), str(request.path_params["token"])
        try:
            live = await self.hall.find(id)
        except RulelangError as error:
            return HTMLResponse(refusal("This table cannot be played on", str(error)), 409)
        who = () if live is None else self.hall.links.together(id, token, live.table.match.players)
        if live is None or not who:
            return HTMLResponse(refusal("There is no such table", "The link may be cut short: ask for it again."), 404)
        door = "" if who == (WATCH,) else self.door_of(live, request.query_params.get(DOOR, ""))
        if who == (HOST,):
            own = self._own(live, request.query_params.get("here", ""))
            return HTMLResponse(host_page(live.title, self._links(request, live), self.host_path, own, door))
        return HTMLResponse(document(live.title, waiting_main(live.title), live=f"/t/{id}/{token}/live", door=door))

    def _own(self, live: LiveTable, here: str) -> str:
        """Returns the path of the page of those who sit at the host's screen; "" if they are not said."""
        seats = [f"seat {seat}" for seat in live.table.people if str(seat) in here.split(".")]
        return self.hall.path(live.id, *seats) if seats else ""

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

    async def mine(self, request: Request) -> Response:
        """Shows the page of the tables that a browser has been at."""
        return HTMLResponse(my_tables())

    async def stand(self, request: Request) -> Response:
        """Answers with the state of tables, by the paths of their links; other paths are left out."""
        try:
            paths = json.loads(await request.body())
        except (ValueError, RecursionError):
            return PlainTextResponse("That is not understood", 400)
        known = dict.fromkeys(path for path in paths if isinstance(path, str)) if isinstance(paths, list) else {}
        found = [one for path in list(known)[:MOST_MINE] if (one := await self._stands(path)) is not None]
        return JSONResponse(found)

    async def _stands(self, path: str) -> dict[str, Any] | None:
        """Returns the state of a table as a link shows it; None for a path that is not a link."""
        _, *parts = path.split("/")
        if len(parts) != 3 or parts[0] != "t":
            return None
        try:
            live = await self.hall.find(parts[1])
        except RulelangError:
            return None
        who = () if live is None else self.hall.links.together(parts[1], parts[2], live.table.match.players)
        if live is None or not who:
            return None
        match = live.table.match
        own = [seat for seat in match.to_move if f"seat {seat}" in who]
        said = "Your turn" if own else f"{_asked(match)} to choose" if match.to_move else "It is over"
        return {"path": path, "title": live.title, "stands": said, "mine": bool(own)}

    async def art(self, request: Request) -> Response:
        """Answers with an image that the rules of a table name."""
        id, written = str(request.path_params["id"]), str(request.path_params["path"])
        try:
            game = await asyncio.to_thread(self.hall.game_at, id)
        except (RulelangError, OSError):
            game = None
        found = None if game is None else await asyncio.to_thread(game.internals.image, written)
        if found is None:
            return PlainTextResponse("There is no such image", 404)
        headers = {"cache-control": "max-age=3600"}
        return Response(found, media_type=IMAGES[Path(written).suffix], headers=headers)

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
        if shown is None or self.hall.links.who(id, token.partition(".")[0], MOST_SEATS) is None:
            return HTMLResponse(refusal("There is no such log", "The link may be cut short: ask for it again."), 404)
        title = "A game, step by step"
        return HTMLResponse(document(title, waiting_main(title), live=f"/r/{id}/{token}/live"))

    async def looking(self, socket: WebSocket) -> None:
        """Shows steps of a log to one page, as it asks for them."""
        id, token = str(socket.path_params["id"]), str(socket.path_params["token"])
        who = self.hall.links.who(id, token.partition(".")[0], MOST_SEATS)
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
            if viewing.explain is not None:
                await socket.send_text(json.dumps(await asyncio.to_thread(viewing.explained), ensure_ascii=False))
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
        who = () if live is None else self.hall.links.together(id, token, live.table.match.players)
        if live is None or not who or who == (HOST,) or live.open_pages >= MOST_PAGES:
            await socket.close(4404)
            return
        await socket.accept()
        page = live.opened(who)
        sending = asyncio.create_task(_send(socket, live, page))
        try:
            await _hear(socket, live, page)
        finally:
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await sending


async def _send(socket: WebSocket, live: LiveTable, page: OpenPage) -> None:
    frames = live.frames(page)
    try:
        async for message in frames:
            await socket.send_text(json.dumps(message, ensure_ascii=False))
    finally:
        await frames.aclose()


async def _hear(socket: WebSocket, live: LiveTable, page: OpenPage) -> None:
    """Does what the page of a table asks for, until it goes."""
    async for said in _said(socket):
        reply = await live.say(page, said)
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


def _asked(match: BareMatch) -> str:
    """Returns who is asked, as far as everybody is told."""
    return ", ".join(str(match.seat_names[seat]) for seat in match.view(None).to_move) or "somebody"


def _message(text: str) -> dict[str, Any] | None:
    """Returns a message of a page; None if it is none."""
    if len(text) > LONGEST:
        return None
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def table_routes(
    hall: Hall,
    games: Sequence[ShelfGame],
    host_path: str,
    door_of: DoorOf = no_door,
) -> list[BaseRoute]:
    """Returns the routes of the tables of a hall, of its shelf and of the static files."""
    pages = Pages(hall, games, host_path, door_of)
    return [
        Route(host_path, pages.shelf, methods=["GET"]),
        Route(host_path, pages.open, methods=["POST"]),
        Route(f"{host_path.rstrip('/')}/lobby", pages.lobby, methods=["GET"]),
        Route(f"{host_path.rstrip('/')}/lobby/sheet", pages.sheet, methods=["GET"]),
        Route(MINE, pages.mine, methods=["GET"]),
        Route(MINE, pages.stand, methods=["POST"]),
        Route("/t/{id}/{token}", pages.table, methods=["GET"]),
        WebSocketRoute("/t/{id}/{token}/live", pages.live),
        Route("/t/{id}/art/{path:path}", pages.art, methods=["GET"]),
        Route("/r/{id}/art/{path:path}", pages.art, methods=["GET"]),
        Route(f"{host_path.rstrip('/')}/logs", pages.upload, methods=["POST"]),
        Route("/r/{id}/{token}", pages.look, methods=["GET"]),
        WebSocketRoute("/r/{id}/{token}/live", pages.looking),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]


def application(
    hall: Hall,
    games: Sequence[ShelfGame],
    hosts: frozenset[str] | None,
    host_path: str = "/",
    door_of: DoorOf = no_door,
) -> ASGIApp:
    """Returns the application of a hall; `hosts` are the addresses under which it may be called, None for any."""

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        hall.close()

    return Guard(Starlette(routes=table_routes(hall, games, host_path, door_of), lifespan=lifespan), hosts)
