"""A folder of logs -> the tables that are played from it, each found by its link.

hall = Hall(folder, library)
live = hall.open(library.game("nim"), "nim", …)      a new table, its log in the folder
await hall.find("k3v9…")                             a table that is open, or whose log lies in the folder

A table is its log: a server that is killed finds it there again, with every choice that a page was shown.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path

import attrs

from rulelang.api import Game, replay
from rulelang.errors import InvalidInput, RulelangError
from rulelang.log.file import LogFile
from rulelang.log.format import Header
from rulelang.log.reading import parse_log
from rulelang.seed import Seed
from rulelang.session.after.afterwards import again as next_game
from rulelang.session.seats import seated, usual_players
from rulelang.session.table import GameTable, begin, go_on
from rulelang.web.links import Links, table_id
from rulelang.web.live import PACE, LiveTable

ID = re.compile(r"[a-z2-7]{16}", re.ASCII)
"""The name of a table."""
MOST_TABLES = 1_000
"""The most tables that are open at once."""


@attrs.define
class Hall:
    """The tables of one folder."""

    folder: Path
    load: Callable[[str], Game]
    """Loads a game by its name with variants. Raises RulelangError."""
    under: Callable[[Header], Game]
    """Returns the game that a log names. Raises RulelangError."""
    pace: float = PACE
    links: Links = attrs.field(init=False)
    tables: dict[str, LiveTable] = attrs.field(factory=dict)
    _games: dict[str, Game] = attrs.field(factory=dict)
    _opening: asyncio.Lock = attrs.field(factory=asyncio.Lock)

    def __attrs_post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.links = Links.of(self.folder)

    def game(self, name: str) -> Game:
        """Returns a game, which is loaded once. Raises RulelangError."""
        if name not in self._games:
            self._games[name] = self.load(name)
        return self._games[name]

    def keep(self, name: str, game: Game) -> None:
        """Keeps a game that is loaded already, under its name."""
        self._games[name] = game

    def path(self, id: str, who: str) -> str:
        """Returns the path of the link of a seat (`seat 0`), of the spectators or of the host of a table."""
        return f"/t/{id}/{self.links.token(id, who)}"

    def open(
        self,
        name: str,
        *,
        players: int | None = None,
        seats: tuple[str, ...] = (),
        seed: Seed = 0,
        options: Mapping[str, str] | None = None,
        allow_undo: bool = False,
    ) -> LiveTable:
        """Opens a table for a new game, and writes its log. Raises RulelangError."""
        if len(self.tables) >= MOST_TABLES:
            raise InvalidInput(f"{MOST_TABLES} tables are open here: close some first")
        game = self.game(name)
        count = usual_players(game.players) if players is None else players
        names = game.start(count, seed, dict(options or {})).seats
        who = seated(seats, names, game.ir.score is not None)
        table = begin(game, name, count, who, seed=seed, agreed=options)
        table.allow_undo = allow_undo
        return self._written(table)

    async def find(self, id: str) -> LiveTable | None:
        """Returns a table by its name; goes on with its log if it is not open. Raises RulelangError."""
        if id in self.tables or ID.fullmatch(id) is None:
            return self.tables.get(id)
        async with self._opening:
            if id not in self.tables and (self.folder / f"{id}.jsonl").is_file():
                self._seated(await asyncio.to_thread(self._again, id))
        return self.tables.get(id)

    def _again(self, id: str) -> LiveTable:
        path = self.folder / f"{id}.jsonl"
        file = LogFile.reopen(path)
        with file.reading as there:
            log = parse_log(there, path)
        game = self._of(log.header)
        again = replay(log, under=game, compares=False)
        live = LiveTable(id, go_on(game, None, path, file, again, ()), _title(game), self.pace)
        for sitting in live.sittings.values():
            sitting.catch_up()
        return live

    def _of(self, header: Header) -> Game:
        """Returns the game of a log: one that was loaded, by its digest, else the one that the log names."""
        same = (g for g in self._games.values() if (g.id, g.variants) == (header.game, header.variants))
        return next(same, None) or self.under(header)

    def _seated(self, live: LiveTable) -> LiveTable:
        """Keeps a table among those that are open; its people may play again at another."""
        following: list[LiveTable] = []

        def again(who: str) -> str:
            if not following:
                table = next_game(live.table, secrets.randbelow(1_000_000))
                table.allow_undo = live.table.allow_undo
                following.append(self._written(table))
            return self.path(following[0].id, who)

        live.again = again
        self.tables[live.id] = live
        return live

    def _written(self, table: GameTable) -> LiveTable:
        """Opens a table under a fresh name, and begins its log."""
        id = table_id()
        table.write_to(self.folder / f"{id}.jsonl")
        return self._seated(LiveTable(id, table, _title(table.game), self.pace))

    def ids(self) -> tuple[str, ...]:
        """Returns the names of the tables in the folder, the newest first."""
        found = [path for path in self.folder.glob("*.jsonl") if ID.fullmatch(path.stem)]
        return tuple(path.stem for path in sorted(found, key=lambda path: -path.stat().st_mtime_ns))

    def close(self) -> None:
        """Closes the logs of all tables."""
        for live in self.tables.values():
            try:
                live.close()
            except RulelangError:
                # What was acknowledged is on the disk; nothing more can be done for a log that cannot be closed.
                continue


def _title(game: Game) -> str:
    return " + ".join((game.title, *game.variants))
