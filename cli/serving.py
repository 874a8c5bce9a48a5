"""Commands that serve pages -> a socket that listens, the table that was asked for, the server.

listening("127.0.0.1", 8000)        the next free port where that one is taken
"""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import click

from .exits import Refused

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from rulelang.api import Game
    from rulelang.web.hall import Hall
    from rulelang.web.live import LiveTable

HOME = "127.0.0.1"
LOOPBACK = (HOME, "localhost", "::1")
"""The addresses that this machine alone can reach."""
LONGEST_OF_TEXTS = 8_000_000
"""The most bytes of a message from a page that edits texts, which may hold a whole file."""


def need_pages() -> None:
    """Ends the command where the extra is missing."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
        import websockets  # noqa: F401
    except ImportError:
        raise Refused("pages need the extra: pip install 'rulelang[web]'") from None


def listening(host: str, port: int) -> socket.socket:
    """Returns a socket that listens; the next free port where the usual one is taken. Ends the command otherwise."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for offset in range(20 if port else 1):
        found = socket.socket(family, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, port + offset))
        except OSError as error:
            found.close()
            trouble = error
            continue
        found.listen(128)
        return found
    raise Refused(f"cannot listen at {host}:{port}: {trouble.strerror or trouble}")


def table_of(
    hall: Hall,
    game: Game,
    name: str,
    players: int | None,
    seed: str | None,
    seats: tuple[str, ...],
    options: tuple[str, ...] = (),
    *,
    allow_undo: bool,
) -> LiveTable:
    """Opens the table that the command line asks for. Raises UsageError."""
    from rulelang.errors import RulelangError, RuntimeRules

    from .seats import agreed_options, seed_given

    hall.keep(name, game)
    try:
        drawn = seed_given(seed)
        return hall.open(
            name, players=players, seats=seats, seed=drawn, options=agreed_options(options), allow_undo=allow_undo
        )
    except RuntimeRules:
        raise
    except RulelangError as error:
        raise click.UsageError(str(error)) from None


def names_of(listening: socket.socket, *, is_open: bool = False) -> frozenset[str] | None:
    """Returns the names by which a server may be called; None for any."""
    port = listening.getsockname()[1]
    return None if is_open else frozenset(f"{host}:{port}" for host in (HOME, "localhost", "[::1]"))


def serve(app: ASGIApp, listening: socket.socket, longest: int = 16_384) -> None:
    """Serves until it is interrupted; `longest` is the most bytes of a message from a page."""
    import logging

    import uvicorn

    # What a page sends that is no request is answered there; pygls would tell of it here, with a traceback.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    config = uvicorn.Config(
        app,
        log_level="warning",
        ws_per_message_deflate=False,
        ws_max_size=longest,
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    uvicorn.Server(config).run(sockets=[listening])
