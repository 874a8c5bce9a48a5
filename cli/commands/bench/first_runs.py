"""Commands of which nothing is compiled or kept yet, and the same once more -> the time of the CPU that each takes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from .race import childrens_time

ARENA = ("-m", "cli", "arena", "exit_velocity", "--bots", "greedy", "--games", "4")
PLAYOUTS = "import rulelang; rulelang.load({!r}).playouts(40, seed=1)"


def first_runs(checkout: Path | None, only: str) -> dict[str, float]:
    """Returns milliseconds of the CPU for the commands whose names hold some words; the games of Go need a checkout."""
    commands: dict[str, tuple[str, ...]] = {"bots: 4 games of greedy at exit_velocity": ARENA}
    if checkout is not None:
        commands["boards: 40 random games of Go"] = (
            "-c",
            PLAYOUTS.format(str(checkout / "examples" / "go" / "go.rules")),
        )
    found: dict[str, float] = {}
    for name, command in commands.items():
        if only in name.casefold():
            with tempfile.TemporaryDirectory(prefix="rulelang-bench-") as home:
                found[f"{name}, nothing kept"] = _milliseconds(command, home)
                found[f"{name}, again"] = _milliseconds(command, home)
    return found


def _milliseconds(command: tuple[str, ...], home: str) -> float:
    """Returns the time that a fresh interpreter takes, and what it starts, with a cache in a folder."""
    start = childrens_time()
    environment = {**os.environ, "RULELANG_CACHE": home}
    subprocess.run([sys.executable, *command], check=True, stdout=subprocess.DEVNULL, env=environment)
    return 1000 * (childrens_time() - start)
