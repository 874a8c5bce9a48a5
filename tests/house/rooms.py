"""The rooms of the code, as they import each other: what the drawing in `docs/internals.md` is made of.

python tests/house/rooms.py        prints the drawing
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]


def packages() -> Iterator[tuple[str, Path]]:
    """Yields every package of the code with its folder."""
    for top, folder in (("rulelang", ROOT / "rulelang"), ("cli", ROOT / "cli")):
        for path in sorted(folder.rglob("__init__.py")):
            inside = path.parent.relative_to(folder).parts
            yield ".".join((top, *inside)), path.parent


def floors() -> list[list[str]]:
    """Returns the floors of the house, the topmost first, as the contract in `pyproject.toml` names them."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = next(c["layers"] for c in config["contracts"] if c["name"] == "Imports go down only")
    return [[room.strip() for room in layer.split("|")] for layer in layers]


def drawing() -> str:
    """Returns one line a room: its floor, its name, and the rooms it imports on which no other of them stands."""
    rooms = [room for floor in floors() for room in floor]
    uses = {room: _imported(room, rooms) for room in rooms}
    lines: list[str] = []
    for number, floor in enumerate(reversed(floors())):
        for room in floor:
            below = sorted(uses[room] - _implied(uses[room], uses), key=rooms.index)
            lines.insert(0, f"{number:>2}  {_short(room):<14}{', '.join(map(_short, below))}".rstrip() + "\n")
    return "".join(lines)


def _short(room: str) -> str:
    return room.removeprefix("rulelang.")


def _folder(room: str) -> Path:
    return ROOT / room.replace(".", "/")


def _sources(room: str) -> list[Path]:
    folder = _folder(room)
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]


def _imported(room: str, rooms: list[str]) -> set[str]:
    found = set()
    for path in _sources(room):
        for name in _names(ast.parse(path.read_text(encoding="utf-8"))):
            found |= {other for other in rooms if name == other or name.startswith(f"{other}.")}
    return found - {room}


def _names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _implied(used: set[str], uses: dict[str, set[str]]) -> set[str]:
    """Returns what the rooms that are used stand on themselves."""
    below: set[str] = set()
    waiting = [other for room in used for other in uses[room]]
    while waiting:
        room = waiting.pop()
        if room not in below:
            below.add(room)
            waiting += uses[room]
    return below


if __name__ == "__main__":
    print(drawing(), end="")
