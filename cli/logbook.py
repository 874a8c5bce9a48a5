"""A log on disk -> its game and the match played again, for `replay` and `play --resume`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rulelang.errors import LogError

from .argument import load
from .exits import Unreadable

if TYPE_CHECKING:
    from rulelang.api import Game
    from rulelang.log.format import Header
    from rulelang.log.replay import Replay


def replayed(path: Path, name: str | None) -> tuple[Game, Replay]:
    """Plays a log again, under the game that it names or another one; a log that cannot be read ends the command with 3."""
    from rulelang.api import replay
    from rulelang.log.reading import read_log

    try:
        log = read_log(path)
        game = _game_of(log.header, name)
        return game, replay(log, under=game)
    except LogError as error:
        raise Unreadable(f"{path}: {error}") from None


def _game_of(header: Header, name: str | None) -> Game:
    """Loads the game that a log names, or the one given; a log does not say where the rules of a game lie."""
    from rulelang import api

    if name is None and header.game not in api.games():
        raise Unreadable(f"this is a log of {header.game!r}, which does not ship: say where its rules are")
    return load(name or "+".join((header.game, *header.variants)))
