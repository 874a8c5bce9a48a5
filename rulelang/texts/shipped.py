"""The rules that ship, games and the library: in the installed package, else in the checkout beside it.

games/outspeed/              game_folders()[-1]
library/cards/french.rules   parts()["cards/french"], which rules read by `include "std:cards/french"`
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

LIBRARY = "std:"
"""The beginning of an included path that names a part of the library."""
CATALOGUE = "catalogue.json"
"""The file beside the games' folders with the output of `rulelang games --json`, so listing games reads no rules."""
_PACKAGE = Path(__file__).parent.parent


def game_folders() -> tuple[Path, ...]:
    """Returns the folders of all shipped games, sorted by name."""
    found = []
    for root in roots():
        found += [p for p in sorted(root.iterdir()) if (p / f"{p.name}.rules").is_file()]
    return tuple(found)


def roots() -> list[Path]:
    """Returns the folders that hold shipped games: at most one."""
    return _first(_PACKAGE / "shipped", _PACKAGE.parent / "games")


def shelves() -> list[Path]:
    """Returns the folders that hold the library: at most one."""
    return _first(_PACKAGE / "library", _PACKAGE.parent / "library")


def parts() -> Mapping[str, Path]:
    """Returns the parts of the library by name, sorted.

    >>> "cards/french" in parts()
    True
    """
    found = {p.relative_to(s).with_suffix("").as_posix(): p for s in shelves() for p in s.rglob("*.rules")}
    return dict(sorted(found.items()))


def is_part(path: Path) -> bool:
    """Returns whether a path is that of a part of the library.

    >>> is_part(Path("/games/nim/nim.rules"))
    False
    """
    return any(path.is_relative_to(shelf) for shelf in shelves())


def _first(*folders: Path) -> list[Path]:
    return [folder for folder in folders if folder.is_dir()][:1]
