"""What a start imports: a game that was checked before is played without the rooms that check and print it.

Modules are most of what a start costs, so a new import here is told apart from one that only makes a start slower.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.files import ROOT

START = """
import rulelang
match = rulelang.load("outspeed").start(players=3, seed=7)
assert len(match.options) == 9
match.play(match.options[0])
"""
GAMES = """
from cli import main
main(["games"], standalone_mode=False)
"""
MODULES = "import sys; print(*sorted(sys.modules), file=sys.stderr)"

ROOMS = {
    *("api", "cache", "diagnostics", "disk", "driver", "errors", "ir", "knowledge", "machines", "match", "playouts"),
    *("program", "seed", "source", "texts", "version"),
}
"""The rooms of `rulelang/` that a start goes through."""
WITHOUT = (
    *(
        "ir.flow",
        "ir.witness",
        "ir.weave",
        "ir.encoding.schema",
        "ir.encoding.digest",
        "driver.chain",
        "knowledge.analysis",
    ),
    *("program.low", "program.llvm.module", "program.llvm.function", "program.python.module"),
    *("match.following", "match.redeals"),
)
"""Parts of those rooms that it does without: analyses, validation, printers, what is computed for later questions."""
LIBRARIES = {"attr", "attrs"}


@pytest.fixture
def imported(tmp_path: Path) -> dict[str, set[str]]:
    """The modules that a process has imported at its end, by what it did, once the cache was filled."""
    env = os.environ | {"RULELANG_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT)}
    found = {}
    for code in (START, START, GAMES):
        command = [sys.executable, "-c", f"{code}\n{MODULES}"]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
        found[code] = set(done.stderr.split())
    return found


def test_a_start_imports_what_plays_and_lists_games_without_any_of_it(imported: dict[str, set[str]]) -> None:
    start = imported[START]
    ours = {name.removeprefix("rulelang.") for name in start if name.startswith("rulelang.")}
    assert {name.split(".")[0] for name in ours} == ROOMS
    assert [name for name in sorted(ours) if name.startswith(WITHOUT)] == []
    foreign = {name.split(".")[0] for name in start if not name.startswith("_")}
    assert foreign - sys.stdlib_module_names - {"rulelang", "sitecustomize"} == LIBRARIES

    assert [name for name in sorted(imported[GAMES]) if name.startswith(("rulelang.ir", "rulelang.syntax"))] == []
