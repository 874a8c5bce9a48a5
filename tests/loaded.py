"""The games that ship, loaded once in each process for the tests of some rooms, with all that was worked out of them.

rulelang.load("outspeed") is rulelang.load("outspeed")        in a test below `match/`, not in one below `machines/`
"""

from __future__ import annotations

import os
import sys
from functools import wraps
from pathlib import Path
from types import ModuleType

import pytest

from rulelang.api import Game, loading, named
from rulelang.api.names import entry_of
from tests.files import GAMES, TESTS

ROOMS = ("adapters", "cli", "log", "match", "pages", "rulebook", "screens", "session", "web", "workbench")
"""The rooms whose tests take a game as it is; elsewhere they look at how it is read, compiled and kept."""
_load = loading.load
_games: dict[tuple[Path, tuple[str, ...]], Game] = {}
_sharing = [False]


@wraps(_load)
def load(name: str | Path) -> Game:
    """Loads a game, or returns the one of before."""
    base, variants, more = named(str(name))
    if not _sharing[0] or more or os.path.exists(str(name)) or "RULELANG_CACHE" in os.environ:
        return _load(name)
    key = entry_of(base), variants
    if not key[0].is_relative_to(GAMES):
        return _load(name)
    if key not in _games:
        _games[key] = _load(name)
    return _games[key]


def put_in_place() -> None:
    """Lets all modules call this `load` in place of that of the API."""
    for module in [one for one in sys.modules.values() if isinstance(one, ModuleType)]:
        for name in [name for name, value in vars(module).items() if value is _load and module.__name__ != __name__]:
            setattr(module, name, load)


def share_in(item: pytest.Item) -> None:
    """Says whether a test shares games with others."""
    room = item.path.relative_to(TESTS).parts[0] if item.path.is_relative_to(TESTS) else ""
    _sharing[0] = room in ROOMS and not any(item.get_closest_marker(name) for name in ("optimised", "long"))
