"""The workbench where no server is: a desk in a browser's own Python, and the lines to the pages that it talks with.

playground = Playground.opened("outspeed", "/games", post)
playground.hear("page 1", "/edit", None)                      a page opens a line to the workbench, or to a table
playground.hear("page 1", None, '{"jsonrpc": "2.0", …}')      what it says; answers go to `post("page 1", …)`

`web/src/python.js` runs it in a worker, by Pyodide. Tests run it in CPython.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

import attrs

from rulelang.api import load
from rulelang.editing.desk import Desk
from rulelang.editing.shared import SharedGame, Splice, read, write
from rulelang.editing.templates import checked_texts, title_of, variants_of
from rulelang.editing.texts.folder import GameFolder
from rulelang.editing.window import Window
from rulelang.errors import InvalidInput, RulelangError
from rulelang.session.seats import names_at, usual_players
from rulelang.texts.shipped import game_folders
from rulelang.web.hall import Hall
from rulelang.web.links import HOST
from rulelang.web.live import LiveTable

EDIT = "/edit"
"""The path of the workbench itself."""
GAMES = 24
"""The number of random games that an edit is tried on: one Python does everything here."""
PACE = 0.3
Post = Callable[[str, str | None], object]
"""Sends a page a text; None says that its line is open."""
Work = Coroutine[Any, Any, None]


@attrs.define(eq=False)
class Line:
    """The line of one page: the listener to its messages, and the work done for it until it closes."""

    hear: Callable[[str], Work | None]
    close: Callable[[], None] = lambda: None
    tasks: set[asyncio.Task[None]] = attrs.field(factory=set)

    def do(self, work: Work) -> None:
        """Lets something be done while other things go on."""
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)


@attrs.define(eq=False)
class Playground:
    """One game, its desk, and the pages that are open."""

    desk: Desk
    is_shipped: bool
    """Whether the game is one that ships: then a link holds the edits of it alone."""
    post: Post
    _lines: dict[str, Line] = attrs.field(factory=dict)
    """By page."""

    @classmethod
    def opened(cls, link: str, folder: str, post: Post) -> Playground:
        """Opens the game of a link; its texts, if it does not ship, and the log of its table go into a folder.

        Raises RulelangError for a link that is none, or a game that cannot be played.
        """
        shared, there = read(link), Path(folder)
        entry = _entry(shared, there)
        rules = load("+".join((str(entry), *shared.variants)))
        name = "+".join((rules.id, *rules.variants))
        hall = Hall(there / "tables", lambda _: rules, lambda _: desk.game, PACE)
        hall.keep(name, rules)
        hall.open(name, seats=(f"{names_at(rules.ir, usual_players(rules.players))[0]}=me",), allow_undo=True)
        desk = Desk(GameFolder.of(rules.internals.entry), shared.variants, hall, games=GAMES)
        found = cls(desk, not shared.texts, post)
        desk.link, desk.begins = found.link, _begun
        for file, edit in shared.edits.items():
            desk.service.open(desk.path(file), edit.applied(desk.text(file)))
        return found

    def link(self) -> str:
        """Returns the text behind the `#` of the address of the game as its texts are now."""
        desk = self.desk
        texts = {file: desk.text(file) for file in desk.names()}
        game = desk.folder.entry.stem
        if not self.is_shipped:
            return write(SharedGame(game, desk.variants, texts))
        before = {file: desk.files.kept[file].text for file in texts}
        edits = {file: Splice.between(before[file], text) for file, text in texts.items() if text != before[file]}
        return write(SharedGame(game, desk.variants, edits=edits))

    # -------------------------------------------------------------- what pages say

    def hear(self, page: str, path: str | None = None, text: str | None = None, *, gone: bool = False) -> None:
        """Opens the line of a page to the view at a path; receives the page's messages, and its closing."""
        line = self._lines.get(page)
        if gone:
            self._lines.pop(page, None)
            if line is not None:
                line.close()
                for task in tuple(line.tasks):
                    task.cancel()
        elif path is not None:
            self.post(page, None)
            if line is None:
                self._open(page, path)
        elif text is not None and line is not None:
            work = line.hear(text)
            if work is not None:
                line.do(work)

    def _open(self, page: str, path: str) -> None:
        _, what, id, token = (*path.split("/"), "", "", "")[:4]
        try:
            live = self.desk.hall.tables.get(id)
            if path == EDIT:
                self._lines[page] = self._window(page)
            elif what == "t" and live is not None:
                self._lines[page] = self._seat(page, live, token)
            else:
                self._lines[page] = self._look(page, id)
        except RulelangError as error:
            self._say(page, {"notice": str(error)})

    def _say(self, page: str, message: Mapping[str, Any] | None) -> None:
        if message is not None:
            self.post(page, json.dumps(message, ensure_ascii=False))

    def _window(self, page: str) -> Line:
        window = Window(self.desk)

        async def send() -> None:
            while True:
                self.post(page, await window.outbox.queue.get())

        def hear(text: str) -> None:
            window.hear(text)

        line = Line(hear, window.close)
        line.do(send())
        return line

    def _seat(self, page: str, live: LiveTable, token: str) -> Line:
        opened = live.opened(self.desk.hall.links.together(live.id, token, live.table.match.players))

        async def send() -> None:
            async for message in live.frames(opened):
                self._say(page, message)

        async def hear(text: str) -> None:
            self._say(page, await live.say(opened, _message(text)))

        line = Line(hear)
        line.do(send())
        return line

    def _look(self, page: str, id: str) -> Line:
        viewing = self.desk.hall.view(id, HOST)
        if viewing is None:
            raise InvalidInput("there is no such page")
        line = Line(lambda text: self._say(page, viewing.do(_message(text))))
        self._say(page, viewing.frame())
        return line


async def _begun(name: str, title: str, like: str) -> str:
    """Returns the address that holds a new game; raises InvalidInput for a name, a title or a kind that is none."""
    texts = checked_texts(name, title or title_of(name), like)
    return f"#{write(SharedGame(name, variants_of(name, like), texts))}"


def _entry(shared: SharedGame, folder: Path) -> Path:
    """Returns the entry file of a game that ships, or of the texts of a link, which are written into a folder.

    Raises InvalidInput for a name that is none of the games'.
    """
    if not shared.texts:
        found = {one.name: one for one in game_folders()}.get(shared.game)
        if found is None:
            raise InvalidInput(f"there is no game {shared.game!r} here")
        return found / f"{shared.game}.rules"
    for file, text in shared.texts.items():
        path = folder / shared.game / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / shared.game / f"{shared.game}.rules"


def _message(text: str) -> dict[str, Any]:
    found = json.loads(text)
    return found if isinstance(found, dict) else {}
