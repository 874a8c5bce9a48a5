"""The folder of the games that ship: in the installed package, else in the checkout beside it."""

from __future__ import annotations

from pathlib import Path

CATALOGUE = "catalogue.json"
"""The file beside the games' folders with the output of `rulelang games --json`, so listing games reads no rules."""


def game_folders() -> tuple[Path, ...]:
    """Returns the folders of all shipped games, sorted by name."""
    found = []
    for root in roots():
        found += [p for p in sorted(root.iterdir()) if (p / f"{p.name}.rules").is_file()]
    return tuple(found)


def roots() -> list[Path]:
    """Returns the folders that hold shipped games: at most one."""
    package = Path(__file__).parent.parent
    for root in (package / "shipped", package.parent / "games"):
        if root.is_dir():
            return [root]
    return []
