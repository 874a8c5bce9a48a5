"""A folder of logs -> the tables that are played from it, each found by its link.

hall = Hall(folder, library)
live = hall.open(library.game("nim"), "nim", …)      a new table, its log in the folder
await hall.find("k3v9…")                             a table that is open, or whose log lies in the folder

A table is its log: a server that is killed finds it there again, with every choice that a page was shown, and with the
answers that stood beforehand.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import attrs

from rulelang.api import Game, replay
from rulelang.disk import create
from rulelang.errors import InvalidInput, LogError, RulelangError
from rulelang.log.file import LogFile
from rulelang.log.format import Header
from rulelang.log.reading import ReadLog, parse_log, read_log
from rulelang.seed import Seed
from rulelang.session.after.afterwards import again as next_game
from rulelang.session.references import sentences
from rulelang.session.seats import names_at, seated, usual_players
from rulelang.session.table import GameTable, begin, go_on
from rulelang.web.links import HOST, UNDO_AT_ANY_TIME, Links, table_id
from rulelang.web.live import PACE, LiveTable
from rulelang.web.parting import because, parting
from rulelang.web.viewing import Viewing
from rulelang.workbench.playback import ALL, SPECTATOR, Playback

ID = re.compile(rf"[a-z2-7]{{16}}(?:{UNDO_AT_ANY_TIME})?", re.ASCII)
"""The name of a table."""
MOST_TABLES = 1_000
"""The most tables that are open at once."""


@attrs.frozen
class ShownLog:
    """A log that can be looked at, under the rules of a game (None: the one that it names), beside another."""

    path: Path
    game: Game | None = None
    beside: Game | None = None


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
    logs: dict[str, ShownLog] = attrs.field(factory=dict)
    """Logs from elsewhere that are looked at."""
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

    def path(self, id: str, *who: str) -> str:
        """Returns the path of the link of a seat (`seat 0`), of several that share a page, of the spectators or of the
        host of a table."""
        return f"/t/{id}/{'.'.join(self.links.token(id, one) for one in who)}"

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
        names = names_at(game.ir, count)
        who = seated(seats, names, game.ir.score is not None)
        table = begin(game, name, count, who, seed=seed, agreed=options)
        table.allow_undo = allow_undo
        return self.add(table)

    def add(self, table: GameTable) -> LiveTable:
        """Opens a table under a fresh name, and begins its log."""
        id = table_id(allow_undo=table.allow_undo)
        table.write_to(self.folder / f"{id}.jsonl")
        return self._seated(LiveTable(id, table, _title(table.game), self.pace))

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
        file, log = _reopened(path)
        game = self._of(log.header)
        again = replay(log, under=game, compares=False)
        table = go_on(game, None, path, file, again, ())
        table.allow_undo = id.endswith(UNDO_AT_ANY_TIME)
        live = LiveTable(id, table, _title(game), self.pace)
        if live.beforehand is not None:
            table.stand_again(live.beforehand.read(table.match))
        for sitting in live.sittings.values():
            sitting.catch_up()
        return live

    # -------------------------------------------------------------- looking back

    def show(self, path: Path, game: Game | None = None, beside: Game | None = None) -> str:
        """Lets a log from anywhere be looked at, by other rules beside it; returns the name under which it is found."""
        id = table_id()
        self.logs[id] = ShownLog(path, game, beside)
        return id

    def keep_log(self, text: bytes) -> str:
        """Keeps a log that somebody has uploaded; returns its name. Raises RulelangError for a text that is no log of
        a game here."""
        id = table_id()
        path = self.folder / f"{id}.jsonl"
        create(path, text)
        try:
            self._of(read_log(path).header)
        except RulelangError:
            path.unlink()
            raise
        return id

    def log_of(self, id: str) -> ShownLog | None:
        """Returns the log of a table, or one that is shown, by its name."""
        path = self.folder / f"{id}.jsonl"
        if id not in self.logs and ID.fullmatch(id) is not None and path.is_file():
            return ShownLog(path)
        return self.logs.get(id)

    def game_at(self, id: str) -> Game | None:
        """Returns the game of a table or of a log that can be looked at. Raises RulelangError."""
        if id in self.tables:
            return self.tables[id].table.game
        shown = self.log_of(id)
        return None if shown is None else shown.game or self._of(read_log(shown.path).header)

    def view(self, id: str, who: str) -> Viewing | None:
        """Returns a page that looks at a log as one of its seats, as a spectator or as the host; None if there is none.

        Whoever played alone sees all once the game is over. Raises RulelangError.
        """
        shown = self.log_of(id)
        if shown is None:
            return None
        log = read_log(shown.path)
        game = shown.game or self._of(log.header)
        again = replay(log, under=game, compares=False)
        is_alone = len(_people(log.header)) <= 1 and again.match.outcome is not None
        seats = log.header.players
        own = (seats[int(who.removeprefix("seat "))],) if who.startswith("seat ") else ()
        eyes = (*own, SPECTATOR) if who != HOST and not (own and is_alone) else (*own, SPECTATOR, *seats, ALL)
        viewing = Viewing.of(again, _title(game), sentences(game), tuple(dict.fromkeys(eyes)))
        if who == HOST or (own and is_alone):
            viewing.branch = lambda step: self._branch(shown.path, game, step)
        if shown.beside is not None:
            other = replay(log, under=shown.beside, compares=True)
            viewing.difference = parting(other)
            if viewing.difference:
                viewing.explain = partial(because, log, game, shown.beside)
            if other.positions:
                further = replay(log, under=shown.beside, compares=False)
                viewing.beside = Playback(further, viewing.playback.looker)
        return viewing

    def _branch(self, path: Path, game: Game, step: int) -> str:
        """Opens a table that goes on from a step of a log, in a copy that keeps both lines; returns the host's path."""
        id = table_id()
        there = self.folder / f"{id}.jsonl"
        create(there, path.read_bytes())
        file, log = _reopened(there)
        again = replay(log, under=game, compares=False)
        people = _people(log.header)
        asked = () if people else (f"{log.header.players[0]}=me",)
        table = go_on(game, None, there, file, again, asked, step)
        live = self._seated(LiveTable(id, table, _title(game), self.pace))
        return self.path(id, f"seat {table.people[0]}" if len(live.table.people) == 1 else HOST)

    def _of(self, header: Header) -> Game:
        """Returns the game of a log: one that was loaded, by its digest, else the one that the log names."""
        same = (g for g in self._games.values() if (g.id, g.variants) == (header.game, header.variants))
        known = next(same, None)
        if known is not None:
            return known
        if not all(name.isidentifier() for name in (header.game, *header.variants)):
            # A name that is a path would read files of this machine.
            raise LogError("this log names a game that is none of those here")
        return self.under(header)

    def _seated(self, live: LiveTable) -> LiveTable:
        """Keeps a table among those that are open; its people may play again at another."""
        following: list[LiveTable] = []

        def again(who: tuple[str, ...]) -> str:
            if not following:
                table = next_game(live.table, secrets.randbelow(1_000_000))
                table.allow_undo = live.table.allow_undo
                following.append(self.add(table))
            return self.path(following[0].id, *who)

        live.again = again
        self.tables[live.id] = live
        return live

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


def _reopened(path: Path) -> tuple[LogFile, ReadLog]:
    """Returns a log that goes on, and what it holds so far. Raises LogError."""
    file = LogFile.reopen(path)
    with file.reading as there:
        return file, parse_log(there, path)


def _people(header: Header) -> list[str]:
    """Returns the seats of a log that people play."""
    bots = dict(header.bots)
    return [seat for seat in header.players if seat not in bots]


def _title(game: Game) -> str:
    return " + ".join((game.title, *game.variants))
