"""The folder of the games that ship: in the installed package, else in the checkout beside it."""

from __future__ import annotations

from pathlib import Path

CATALOGUE = "catalogue.json"
"""What `rulelang games --json` says, beside the folders of the games: whoever lists them reads no rules."""


def game_folders() -> tuple[Path, ...]:
    """Returns the folders of all shipped games, by name."""
    found = []
    for root in roots():
        found += [p for p in sorted(root.iterdir()) if (p / f"{p.name}.rules").is_file()]
    return tuple(found)


def roots() -> list[Path]:
    """Returns the folders that hold shipped games: one, or none."""
    package = Path(__file__).parent.parent
    for root in (package / "shipped", package.parent / "games"):
        if root.is_dir():
            return [root]
    return []
