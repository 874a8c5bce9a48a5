"""`rulelang serve [GAME]`: tables in a browser, each seat with a link of its own."""

from __future__ import annotations

import os
import secrets
import socket
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..argument import FilePath, complete_game, load
from ..serving import HOME, LONGEST_OF_TEXTS, LOOPBACK, listening, names_of, need_pages, serve, table_of

if TYPE_CHECKING:
    from rulelang.api import Game
    from rulelang.editing.application import Door
    from rulelang.log.format import Header
    from rulelang.pages.documents import ShelfGame
    from rulelang.web.hall import Hall
    from rulelang.web.live import LiveTable


@click.command("serve")
@click.argument("game", shell_complete=complete_game, required=False)
@click.option("--players", type=int, help="How many play.  [default: 4, or what the game allows]")
@click.option("--seed", help="A number or a word that the dice come from: the same seed, the same dice.")
@click.option(
    "--seat",
    "seats",
    multiple=True,
    metavar="SEAT=WHO",
    help="Who sits where: me (a link), random, first, greedy, planner or mcts; SEAT or all.",
)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="What is agreed at the table.")
@click.option("--allow-undo", is_flag=True, help="Take back choices even when people have seen hidden things since.")
@click.option("--games", "folder", type=FilePath(file_okay=False), help="The folder for the logs of the tables.")
@click.option(
    "--pace", type=click.FloatRange(0, 60), default=0.7, show_default=True, help="Seconds between bots' choices."
)
@click.option("--host", default=HOME, show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8000, show_default=True, help="0 takes any free one.")
@click.option("--open/--no-open", "opens", default=True, help="Whether to open the browser.")
def command(
    *,
    game: str | None,
    players: int | None,
    seed: str | None,
    seats: tuple[str, ...],
    options: tuple[str, ...],
    allow_undo: bool,
    folder: Path | None,
    pace: float,
    host: str,
    port: int,
    opens: bool,
) -> None:
    """Play in a browser: see the board, click on it, send a friend a link.

    With a GAME, the address leads straight to its table; whoever opens it has the first seat, and bots have the others,
    unless --seat says otherwise. Without one, it leads to a shelf of all games.

    At the address, a GAME of your own has a link "Edit the rules" to the workbench of `rulelang edit`, with a copy of the
    game on its table (with the extra `lsp`, and at an address that this machine alone reaches).

    \b
    Examples:
      rulelang serve
      rulelang serve outspeed --players 3
      rulelang serve empty_space --seat yuri=me --seat sally=me
      rulelang serve my/nim.rules --port 0 --no-open
    """
    hall, port_of = _hall(folder, pace), listening(host, port)
    table = None
    if game is not None:
        table = table_of(hall, load(game), game, players, seed, seats, options, allow_undo=allow_undo)
    secret = "" if host in LOOPBACK else secrets.token_urlsafe(16)
    shelf_path = f"/shelf/{secret}" if secret else "/"
    base, is_open = f"http://{_written(host)}:{port_of.getsockname()[1]}", host not in LOOPBACK
    with tempfile.TemporaryDirectory(prefix="rulelang-") as there:
        door = None if table is None or is_open else door_from(table, hall, Path(there), names_of(port_of), game)
        _say(base, shelf_path, hall, table, door, is_open=is_open)
        if opens:
            webbrowser.open(base + (shelf_path if table is None else path_to(hall, table, door)))
        _serve(hall, port_of, shelf_path, game, door, is_open=is_open)


def show_log(log: Path, name: str | None, *, opens: bool = True) -> None:
    """Serves a page that looks at a log, by its own rules or beside others, until it is interrupted."""
    from ..logbook import game_under, read

    hall, port_of = _hall(None), listening(HOME, 0)
    header = read(log).header
    other = None if name is None else game_under(header, name)
    if other is not None and other.rules_hash == header.rules:
        own = other
    else:
        own = game_under(header, _own(header, name))
    id = hall.show(log.absolute(), own, other if other is not None and other.rules_hash != own.rules_hash else None)
    base = f"http://{HOME}:{port_of.getsockname()[1]}"
    address = f"{base}/r/{id}/{hall.links.token(id, 'host')}"
    click.echo(address)
    click.echo("Ctrl-C stops it.")
    sys.stdout.flush()
    if opens:
        webbrowser.open(address)
    _serve(hall, port_of, "/", None, None, is_open=False)


def _own(header: Header, name: str | None) -> str | None:
    """Returns the name of a log's own rules, if those of another name lie in a file; None for those it names itself."""
    if name is None or Path(name).exists():
        return name
    base = name.partition("+")[0]
    return "+".join((base, *header.variants)) if Path(base).is_file() else None


def _hall(folder: Path | None, pace: float = 0) -> Hall:
    """Returns the hall of a folder. Ends the command where the extra is missing."""
    need_pages()
    from platformdirs import user_state_path

    from rulelang.web.hall import Hall

    return Hall(folder or user_state_path("rulelang") / "tables", _load, _under, pace)


def _load(name: str) -> Game:
    from rulelang import api

    return api.load(name)


def _under(header: Header) -> Game:
    from rulelang import api

    return api.load(api.rules_of(header, None))


def door_from(
    table: LiveTable, hall: Hall, folder: Path, hosts: frozenset[str] | None, name: str | None
) -> Door | None:
    """Returns the way from a table to the workbench, whose own tables lie in a folder; None for a game that ships, one
    that cannot be written, and where the extra is missing."""
    from rulelang.texts.shipped import roots
    from rulelang.web.hall import Hall

    entry = table.table.game.internals.entry.resolve()
    ships = any(entry.is_relative_to(root.resolve()) for root in roots())
    if name is None or ships or not os.access(entry, os.W_OK):
        return None
    try:
        from rulelang.editing.application import Door
    except ImportError:
        return None
    from rulelang.api import named
    from rulelang.editing.texts.folder import GameFolder

    own = Hall(folder, hall.load, lambda _: table.table.game, hall.pace)
    return Door(hall, GameFolder.of(entry), named(name)[1], secrets.token_urlsafe(16), own, hosts)


def path_to(hall: Hall, table: LiveTable, door: Door | None = None) -> str:
    """Returns the path to a table for its host: its only person's seat, else the page of links, with the key of the door
    to its rules."""
    people = table.table.people
    path = hall.path(table.id, f"seat {people[0]}" if len(people) == 1 else "host")
    return path if door is None else f"{path}?door={door.secret}"


def _say(base: str, shelf_path: str, hall: Hall, table: LiveTable | None, door: Door | None, *, is_open: bool) -> None:
    """Prints the address first, then all else."""
    click.echo(base + (shelf_path if table is None else path_to(hall, table, door)))
    if table is not None:
        names = table.table.match.seat_names
        for seat in table.table.people:
            click.echo(f"  {names[seat]}: {base}{hall.path(table.id, f'seat {seat}')}")
        click.echo(f"  to watch: {base}{hall.path(table.id, 'watch')}")
    if table is not None and door is not None:
        click.echo(f"  to edit the rules: {base}{door.path}/{table.id}")
    if is_open:
        click.echo("Whoever can reach this address can open each link that they know; links are sent unencrypted.")
    click.echo("Ctrl-C stops it; the tables are kept.")
    sys.stdout.flush()


def _written(host: str) -> str:
    """Returns a host as it stands in an address."""
    return f"[{host}]" if ":" in host else host


def _serve(
    hall: Hall, port_of: socket.socket, shelf_path: str, game: str | None, door: Door | None, *, is_open: bool
) -> None:
    """Serves until it is interrupted."""
    from rulelang.web.application import application

    hosts = names_of(port_of, is_open=is_open)
    if door is None:
        serve(application(hall, shelf_games(game), hosts, shelf_path), port_of)
    else:
        app = application(hall, shelf_games(game), hosts, shelf_path, door.of)
        serve(door.application(app), port_of, LONGEST_OF_TEXTS)


def shelf_games(own: str | None) -> list[ShelfGame]:
    """Returns the games on the shelf: those that ship, and the one that was named."""
    from rulelang.pages.documents import ShelfGame
    from rulelang.texts.shipped import CATALOGUE, game_folders

    from .games import listed

    rows = [listed(folder.parent / CATALOGUE, folder.name) for folder in game_folders()]
    found = [
        ShelfGame(
            str(row["game"]),
            str(row["title"]),
            (int(row["players"][0]), int(row["players"][1])),
            tuple((str(one["name"]), str(one["title"])) for one in row["variants"]),
        )
        for row in rows
    ]
    if own is not None and own.partition("+")[0] not in {one.name for one in found}:
        game = load(own, quiet=True)
        found.insert(0, ShelfGame(own, game.title, game.players))
    return found
